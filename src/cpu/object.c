/* The checks of object.h.  The System V ABI, chapter 5, says what the loader reads; hash tables and
 * versions are as GNU's and LLVM's linkers write them. */
#include "cpu/object.h"

#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "abi/kernel.h"

#if defined(__x86_64__)
enum { MACHINE = EM_X86_64, RELATIVE = R_X86_64_RELATIVE };
static const uint32_t by_symbol[] = {R_X86_64_GLOB_DAT, R_X86_64_JUMP_SLOT, R_X86_64_64};
#elif defined(__aarch64__)
enum { MACHINE = EM_AARCH64, RELATIVE = R_AARCH64_RELATIVE };
static const uint32_t by_symbol[] = {R_AARCH64_GLOB_DAT, R_AARCH64_JUMP_SLOT, R_AARCH64_ABS64};
#else
#error "no relocations are known for this processor"
#endif

#define ARRAY_SIZE(array) (sizeof(array) / sizeof *(array))

enum {
  MOST_SEGMENTS = 16,
  MOST_LIBRARIES = 8,
  MOST_VERSIONS = 64,
  MOST_MEMORY = 1 << 30, /* bytes of all segments */
  PAGE = 4096,           /* the smallest; the loader maps whole ones */
};

/* The tags that the dynamic section may have; others are refused. */
enum entry {
  HASH, STRINGS, STRINGS_SIZE, SYMBOLS, SYMBOL_SIZE, RELOCATIONS, RELOCATIONS_SIZE, RELOCATION_SIZE,
  NUM_RELATIVE, JUMPS, JUMPS_SIZE, JUMPS_KIND, VERSIONS, NEEDED_VERSIONS, NUM_NEEDED_VERSIONS, FLAGS,
  FLAGS_1, NO_MATTER, NUM_ENTRIES
};
static const struct {
  int64_t tag;
  enum entry entry;
} known[] = {
    {DT_GNU_HASH, HASH},         {DT_STRTAB, STRINGS},
    {DT_STRSZ, STRINGS_SIZE},    {DT_SYMTAB, SYMBOLS},
    {DT_SYMENT, SYMBOL_SIZE},    {DT_RELA, RELOCATIONS},
    {DT_RELASZ, RELOCATIONS_SIZE}, {DT_RELAENT, RELOCATION_SIZE},
    {DT_RELACOUNT, NUM_RELATIVE}, {DT_JMPREL, JUMPS},
    {DT_PLTRELSZ, JUMPS_SIZE},   {DT_PLTREL, JUMPS_KIND},
    {DT_VERSYM, VERSIONS},       {DT_VERNEED, NEEDED_VERSIONS},
    {DT_VERNEEDNUM, NUM_NEEDED_VERSIONS}, {DT_FLAGS, FLAGS},
    {DT_FLAGS_1, FLAGS_1},       {DT_SYMBOLIC, NO_MATTER},
    {DT_BIND_NOW, NO_MATTER},    {DT_PLTGOT, NO_MATTER}, /* of lazy binding only */
};

struct elf {
  const unsigned char *bytes;
  size_t size;
  ElfW(Phdr) loads[MOST_SEGMENTS], dynamic;
  unsigned num_loads;
  bool has[NUM_ENTRIES];
  uint64_t value[NUM_ENTRIES];
  uint64_t libraries[MOST_LIBRARIES]; /* names, in STRINGS */
  unsigned num_libraries, last_version;
  bool has_table;
  char *why;
  size_t room;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct elf *e, const char *format, ...) {
  va_list args;
  va_start(args, format);
  vsnprintf(e->why, e->room, format, args);
  va_end(args);
  return false;
}

static bool damaged(struct elf *e, const char *what) {
  return refuse(e, "the object is damaged: %s", what);
}

/* ---- segments */

static bool lies_in(uint64_t at, uint64_t size, uint64_t begin, uint64_t room) {
  return at >= begin && size <= room && at - begin <= room - size;
}

/* The bytes at an address that the file holds, or null. */
static const void *bytes_at(const struct elf *e, uint64_t address, uint64_t size) {
  for (unsigned i = 0; i < e->num_loads; i++)
    if (lies_in(address, size, e->loads[i].p_vaddr, e->loads[i].p_filesz))
      return e->bytes + e->loads[i].p_offset + (address - e->loads[i].p_vaddr);
  return NULL;
}

static bool read_at(const struct elf *e, uint64_t address, void *to, size_t size) {
  const void *bytes = bytes_at(e, address, size);
  if (bytes) memcpy(to, bytes, size);
  return bytes;
}

static bool is_mapped(const struct elf *e, uint64_t address, uint64_t size, bool to_write) {
  for (unsigned i = 0; i < e->num_loads; i++)
    if (lies_in(address, size, e->loads[i].p_vaddr, e->loads[i].p_memsz))
      return !to_write || e->loads[i].p_flags & PF_W;
  return false;
}

/* The loader maps whole pages, and lld 14 counts PT_GNU_RELRO to the end of its last one. */
static bool is_in_pages(const struct elf *e, uint64_t address, uint64_t size) {
  for (unsigned i = 0; i < e->num_loads; i++) {
    uint64_t begin = e->loads[i].p_vaddr, end = begin + e->loads[i].p_memsz;
    if (lies_in(address, size, begin, (end + PAGE - 1) / PAGE * PAGE - begin)) return true;
  }
  return false;
}

static bool add_load(struct elf *e, const ElfW(Phdr) *segment) {
  const ElfW(Phdr) *last = e->num_loads ? &e->loads[e->num_loads - 1] : NULL;
  if (!lies_in(segment->p_offset, segment->p_filesz, 0, e->size) ||
      segment->p_filesz > segment->p_memsz ||
      !lies_in(segment->p_vaddr, segment->p_memsz, 0, MOST_MEMORY) ||
      (last && segment->p_vaddr / PAGE * PAGE < last->p_vaddr + last->p_memsz))
    return damaged(e, "a segment lies outside of the file, or over another one");
  if (!(segment->p_flags & PF_R)) return damaged(e, "a segment cannot be read");
  if (segment->p_flags & PF_W && segment->p_flags & PF_X)
    return refuse(e, "the object has code that can be written to; Maniple makes none");
  e->loads[e->num_loads++] = *segment;
  return true;
}

static bool add_segment(struct elf *e, const ElfW(Phdr) *segment) {
  switch (segment->p_type) {
    case PT_LOAD: return add_load(e, segment);
    case PT_DYNAMIC: e->dynamic = *segment; return true;
    case PT_GNU_STACK:
      return !(segment->p_flags & PF_X) || refuse(e, "the object asks for a stack that is code");
    case PT_PHDR: /* lld makes one */
    case PT_GNU_RELRO:
    case PT_GNU_EH_FRAME:
    case PT_NOTE:
    case PT_GNU_PROPERTY:
    case PT_NULL:
      return is_in_pages(e, segment->p_vaddr, segment->p_memsz) || !segment->p_memsz ||
             damaged(e, "a segment lies outside of what is loaded");
    default: return refuse(e, "the object has a segment of type %u, which Maniple does not make",
                           segment->p_type);
  }
}

static bool read_segments(struct elf *e) {
  ElfW(Ehdr) header;
  ElfW(Phdr) segment;
  if (e->size < sizeof header) return damaged(e, "not a whole ELF file");
  memcpy(&header, e->bytes, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_DYN ||
      header.e_machine != MACHINE || header.e_phentsize != sizeof segment ||
      header.e_phnum > MOST_SEGMENTS ||
      !lies_in(header.e_phoff, header.e_phnum * sizeof segment, 0, e->size))
    return damaged(e, "not a whole ELF file of this processor");
  for (int loads = 1; loads >= 0; loads--) /* those first */
    for (unsigned i = 0; i < header.e_phnum; i++) {
      memcpy(&segment, e->bytes + header.e_phoff + i * sizeof segment, sizeof segment);
      if ((segment.p_type == PT_LOAD) == loads && !add_segment(e, &segment)) return false;
    }
  return true;
}

/* ---- the dynamic section */

static const char *string_at(const struct elf *e, uint64_t offset) {
  if (offset >= e->value[STRINGS_SIZE]) return NULL;
  return bytes_at(e, e->value[STRINGS] + offset, 1); /* they end with a 0: read_dynamic */
}

static bool add_entry(struct elf *e, const ElfW(Dyn) *entry) {
  if (entry->d_tag == DT_NEEDED) {
    if (e->num_libraries == MOST_LIBRARIES) return damaged(e, "it asks for too many libraries");
    e->libraries[e->num_libraries++] = entry->d_un.d_val;
    return true;
  }
  for (size_t i = 0; i < ARRAY_SIZE(known); i++) {
    if (known[i].tag != entry->d_tag) continue;
    if (known[i].entry != NO_MATTER && e->has[known[i].entry])
      return damaged(e, "an entry of its dynamic section is there twice");
    e->has[known[i].entry] = true;
    e->value[known[i].entry] = entry->d_un.d_val;
    return true;
  }
  bool runs = entry->d_tag == DT_INIT || entry->d_tag == DT_FINI ||
              entry->d_tag == DT_INIT_ARRAY || entry->d_tag == DT_FINI_ARRAY ||
              entry->d_tag == DT_PREINIT_ARRAY;
  return refuse(e, runs ? "the object has code that would run when it is loaded or unloaded "
                          "(dynamic entry %#llx); Maniple makes none"
                        : "the object has dynamic entry %#llx, which Maniple does not make",
                (unsigned long long)entry->d_tag);
}

static bool known_libraries(struct elf *e) {
  static const char *const libraries[] = {"libm.so.6", "libc.so.6", "libgcc_s.so.1"};
  for (unsigned i = 0; i < e->num_libraries; i++) {
    const char *name = string_at(e, e->libraries[i]);
    bool found = false;
    for (size_t k = 0; name && k < ARRAY_SIZE(libraries); k++)
      found = found || !strcmp(name, libraries[k]);
    if (!found)
      return refuse(e, "the object asks for the library '%.60s', which Maniple's never do",
                    name ? name : "?");
  }
  return true;
}

/* The loader reads these without asking whether they are there. */
static bool stand_together(const struct elf *e) {
  static const enum entry needs[][2] = {
      {RELOCATIONS, RELOCATIONS_SIZE}, {RELOCATIONS_SIZE, RELOCATION_SIZE},
      {RELOCATION_SIZE, RELOCATIONS},  {NUM_RELATIVE, RELOCATIONS},
      {JUMPS, JUMPS_SIZE},             {JUMPS_SIZE, JUMPS_KIND},
      {JUMPS_KIND, JUMPS},             {NEEDED_VERSIONS, VERSIONS},
      {VERSIONS, NEEDED_VERSIONS},     {NUM_NEEDED_VERSIONS, NEEDED_VERSIONS}};
  for (size_t i = 0; i < ARRAY_SIZE(needs); i++)
    if (e->has[needs[i][0]] && !e->has[needs[i][1]]) return false;
  return e->has[HASH] && e->has[SYMBOLS] && e->has[SYMBOL_SIZE] && e->has[STRINGS] &&
         e->has[STRINGS_SIZE];
}

static bool read_dynamic(struct elf *e) {
  ElfW(Dyn) entry = {.d_tag = DT_NULL};
  if (!bytes_at(e, e->dynamic.p_vaddr, e->dynamic.p_memsz) ||
      e->dynamic.p_memsz < sizeof entry || e->dynamic.p_vaddr % sizeof(uint64_t))
    return damaged(e, "no dynamic section");
  uint64_t count = e->dynamic.p_memsz / sizeof entry;
  for (uint64_t i = 0; i < count; i++) {
    if (!read_at(e, e->dynamic.p_vaddr + i * sizeof entry, &entry, sizeof entry)) return false;
    if (entry.d_tag == DT_NULL) break;
    if (!add_entry(e, &entry)) return false;
  }
  const uint64_t *value = e->value;
  const char *strings = bytes_at(e, value[STRINGS], value[STRINGS_SIZE]);
  if (entry.d_tag != DT_NULL || !stand_together(e) ||
      value[SYMBOL_SIZE] != sizeof(ElfW(Sym)) || !strings || !value[STRINGS_SIZE] ||
      strings[value[STRINGS_SIZE] - 1] ||
      (e->has[RELOCATIONS] && value[RELOCATION_SIZE] != sizeof(ElfW(Rela))) ||
      (e->has[JUMPS] && value[JUMPS_KIND] != DT_RELA) ||
      (value[FLAGS] & ~(uint64_t)(DF_SYMBOLIC | DF_BIND_NOW)) || (value[FLAGS_1] & ~DF_1_NOW))
    return damaged(e, "its dynamic section is not as Maniple's");
  return known_libraries(e);
}

/* ---- versions of symbols that it asks for; the loader aborts at what names no library of it */

static bool is_library(const struct elf *e, const char *name) {
  for (unsigned i = 0; i < e->num_libraries; i++)
    if (!strcmp(name, string_at(e, e->libraries[i]))) return true;
  return false;
}

static bool read_library_versions(struct elf *e, uint64_t at) {
  ElfW(Vernaux) version;
  for (unsigned i = 0; i < MOST_VERSIONS; i++, at += version.vna_next) {
    if (!read_at(e, at, &version, sizeof version) || !string_at(e, version.vna_name)) return false;
    if (version.vna_other > MOST_VERSIONS) return false;
    if (version.vna_other > e->last_version) e->last_version = version.vna_other;
    if (!version.vna_next) return true;
  }
  return false;
}

static bool read_versions(struct elf *e) {
  ElfW(Verneed) needed;
  uint64_t at = e->value[NEEDED_VERSIONS];
  e->last_version = 1; /* 0 and 1: local, global */
  if (!e->has[NEEDED_VERSIONS]) return true;
  for (unsigned i = 0; i < MOST_LIBRARIES; i++, at += needed.vn_next) {
    const char *name;
    if (!read_at(e, at, &needed, sizeof needed) || needed.vn_version != VER_NEED_CURRENT ||
        !(name = string_at(e, needed.vn_file)) || !is_library(e, name) ||
        !read_library_versions(e, at + needed.vn_aux))
      break;
    if (!needed.vn_next) return true;
  }
  return damaged(e, "its versions of symbols");
}

/* ---- symbols */

static bool read_symbol(struct elf *e, uint64_t index, ElfW(Sym) *symbol, const char **name) {
  uint16_t version = 0;
  if (!read_at(e, e->value[SYMBOLS] + index * sizeof *symbol, symbol, sizeof *symbol) ||
      !(*name = string_at(e, symbol->st_name)) ||
      (e->has[VERSIONS] && !read_at(e, e->value[VERSIONS] + index * sizeof version, &version,
                                    sizeof version)) ||
      (version & 0x7fff) > e->last_version)
    return damaged(e, "its symbols");
  unsigned type = ELF64_ST_TYPE(symbol->st_info);
  if (type > STT_FUNC || ELF64_ST_BIND(symbol->st_info) > STB_WEAK)
    return refuse(e, "the object's symbol '%.60s' is of a kind that Maniple does not make", *name);
  if (symbol->st_shndx != SHN_UNDEF &&
      (symbol->st_shndx >= SHN_LORESERVE || /* to the loader an absolute one is no part of it */
       !is_mapped(e, symbol->st_value, symbol->st_size, false)))
    return damaged(e, "a symbol lies outside of what is loaded");
  return true;
}

/* The loader reads the words there as indices of symbols. */
static bool read_hash(struct elf *e) {
  struct { uint32_t buckets, first, words, shift; } table;
  uint64_t at = e->value[HASH], seen = 0;
  if (!read_at(e, at, &table, sizeof table) || !table.buckets || !table.words ||
      table.words & (table.words - 1) || table.shift > 31)
    return damaged(e, "its table of symbols");
  uint64_t buckets = at + sizeof table + table.words * sizeof(uint64_t);
  uint64_t chains = buckets + table.buckets * sizeof(uint32_t);
  if (!bytes_at(e, at, chains - at)) return damaged(e, "its table of symbols");
  for (uint32_t b = 0; b < table.buckets; b++) {
    uint32_t index = 0, hash = 1;
    read_at(e, buckets + b * sizeof index, &index, sizeof index);
    if (!index) continue;
    do {
      ElfW(Sym) symbol;
      const char *name;
      /* Chains have no symbol in common, so that a longer way is a circle. */
      if (index < table.first || seen++ > e->size / sizeof index ||
          !read_at(e, chains + (uint64_t)(index - table.first) * sizeof hash, &hash, sizeof hash))
        return damaged(e, "its table of symbols");
      if (!read_symbol(e, index++, &symbol, &name)) return false;
      e->has_table |= !strcmp(name, MPL_OBJECT_SYMBOL) && symbol.st_shndx != SHN_UNDEF &&
                      symbol.st_size >= sizeof(struct mpl_object);
    } while (!(hash & 1));
  }
  return e->has_table || refuse(e, "the object has no table of kernels");
}

/* Functions that compute only: of math, of the compiler's own library, and copies. */
static bool is_expected(const char *name) {
  static const char *const memory[] = {"memcpy", "memmove", "memset", "memcmp", "bcmp"};
  static const char *const libraries[] = {"libm.so.6", "libgcc_s.so.1"};
  for (size_t i = 0; i < ARRAY_SIZE(memory); i++)
    if (!strcmp(name, memory[i])) return true;
  bool found = false;
  for (size_t i = 0; !found && i < ARRAY_SIZE(libraries); i++) {
    Dl_info info;
    void *library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
    void *function = library ? dlsym(library, name) : NULL;
    found = function && dladdr(function, &info) && strstr(info.dli_fname, libraries[i]);
    if (library) dlclose(library);
  }
  return found;
}

/* ---- relocations */

/* What constants may point to: any place of the object, its end, and what lies between segments, of
 * which only code may know. */
static bool is_inside(const struct elf *e, uint64_t address) {
  const ElfW(Phdr) *last = e->num_loads ? &e->loads[e->num_loads - 1] : NULL;
  return last && address >= e->loads[0].p_vaddr && address <= last->p_vaddr + last->p_memsz;
}

static bool check_symbol_of(struct elf *e, const ElfW(Rela) *relocation) {
  ElfW(Sym) symbol;
  const char *name;
  if (!read_symbol(e, ELF64_R_SYM(relocation->r_info), &symbol, &name)) return false;
  if (symbol.st_shndx != SHN_UNDEF)
    return is_inside(e, symbol.st_value + (uint64_t)relocation->r_addend) ||
           damaged(e, "a relocation leads outside of what is loaded");
  if (relocation->r_addend) return damaged(e, "a relocation leads into another library");
  return is_expected(name) ||
         refuse(e, "the object asks for the function '%.60s', which kernels do not call", name);
}

static bool check_relocation(struct elf *e, const ElfW(Rela) *relocation, bool relative) {
  uint32_t type = ELF64_R_TYPE(relocation->r_info);
  uint64_t place = relocation->r_offset;
  if (!is_mapped(e, place, sizeof(uint64_t), true) ||
      (place + sizeof(uint64_t) > e->dynamic.p_vaddr &&
       place < e->dynamic.p_vaddr + e->dynamic.p_memsz))
    return damaged(e, "a relocation lies outside of its data");
  if (type == RELATIVE)
    return is_inside(e, (uint64_t)relocation->r_addend) ||
           damaged(e, "a relocation leads outside of what is loaded");
  bool is_known = false;
  for (size_t i = 0; i < ARRAY_SIZE(by_symbol); i++) is_known = is_known || type == by_symbol[i];
  if (relative || !is_known)
    return refuse(e, "the object has a relocation of type %u, which Maniple does not make", type);
  return check_symbol_of(e, relocation);
}

static bool check_relocations(struct elf *e, uint64_t at, uint64_t size, uint64_t num_relative) {
  ElfW(Rela) relocation;
  uint64_t count = size / sizeof relocation;
  if (!bytes_at(e, at, size) || size % sizeof relocation || num_relative > count)
    return damaged(e, "its relocations"); /* the loader reads a part of one as a whole one */
  for (uint64_t i = 0; i < count; i++) {
    if (!read_at(e, at + i * sizeof relocation, &relocation, sizeof relocation)) return false;
    if (!check_relocation(e, &relocation, i < num_relative)) return false;
  }
  return true;
}

bool mpl_object_is_sound(const void *object, size_t size, char *why, size_t room) {
  struct elf e = {.bytes = object, .size = size, .why = why, .room = room};
  return read_segments(&e) && read_dynamic(&e) && read_versions(&e) && read_hash(&e) &&
         (!e.has[RELOCATIONS] || check_relocations(&e, e.value[RELOCATIONS],
                                                   e.value[RELOCATIONS_SIZE],
                                                   e.value[NUM_RELATIVE])) &&
         (!e.has[JUMPS] || check_relocations(&e, e.value[JUMPS], e.value[JUMPS_SIZE], 0));
}

bool mpl_object_range(const void *object, size_t size, uint64_t address,
                      struct mpl_object_range *range) {
  char why[128];
  struct elf e = {.bytes = object, .size = size, .why = why, .room = sizeof why};
  if (!read_segments(&e)) return false;
  for (unsigned i = 0; i < e.num_loads; i++) {
    const ElfW(Phdr) *load = &e.loads[i];
    if (!lies_in(address, 1, load->p_vaddr, load->p_memsz)) continue;
    *range = (struct mpl_object_range){load->p_vaddr, load->p_vaddr + load->p_memsz,
                                       load->p_flags & PF_X};
    return true;
  }
  return false;
}

const void *mpl_object_section(const void *object, size_t size, const char *name, size_t *length) {
  ElfW(Ehdr) header;
  ElfW(Shdr) names, section;
  const char *bytes = object;
  size_t room = strlen(name) + 1;
  memcpy(&header, object, sizeof header);
  if (header.e_shentsize != sizeof section || header.e_shstrndx >= header.e_shnum ||
      !lies_in(header.e_shoff, header.e_shnum * sizeof section, 0, size))
    return NULL;
  memcpy(&names, bytes + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
  if (!lies_in(names.sh_offset, names.sh_size, 0, size)) return NULL;
  for (unsigned i = 0; i < header.e_shnum; i++) {
    memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
    if (!lies_in(section.sh_name, room, 0, names.sh_size) || section.sh_type != SHT_PROGBITS ||
        memcmp(bytes + names.sh_offset + section.sh_name, name, room) != 0)
      continue;
    *length = section.sh_size;
    return lies_in(section.sh_offset, section.sh_size, 0, size) ? bytes + section.sh_offset : NULL;
  }
  return NULL;
}

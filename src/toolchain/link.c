/* The formats are those of the System V ABI, chapters 4 and 5, and of its x86-64 supplement; the
 * table of symbols is GNU's.
 *
 * What is made, in the order of the file:
 *   read and run      headers, what the loader reads, code, constants
 *   written once      .data.rel.ro and .dynamic, up to the end of a page, which the loader protects
 *   written           .data, .bss
 *   not loaded        debugging, sizes of stacks, symbols, the table of sections */
#include "link.h"

#include <elf.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum {
  PAGE = 4096, /* of x86-64 */
  MOST_SECTIONS = 1 << 14,
  MOST_SIZE = 1 << 28,
  MOST_ENTRIES = 10, /* of .dynamic */
};

/* Those that the object lacks, in front of its own but for the last. */
enum made { HASH = 1, SYMBOLS, STRINGS, RELOCATIONS, DYNAMIC, NUM_MADE };
static const char *const made_names[NUM_MADE] = {"",        ".gnu.hash", ".dynsym",
                                                 ".dynstr", ".rela.dyn", ".dynamic"};

enum kind { DROPPED, READ, WRITTEN_ONCE, WRITTEN, ZERO, NOT_LOADED };

struct part {
  enum kind kind;
  unsigned index; /* in the output */
  uint64_t address, offset;
};

struct link {
  const unsigned char *in;
  size_t in_size;
  Elf64_Shdr *sections; /* of the object */
  struct part *parts;   /* what becomes of each */
  unsigned num_sections, symtab, strtab;
  Elf64_Sym *symbols;
  uint64_t num_symbols, num_exported, exported_size, num_relative;
  Elf64_Shdr made[NUM_MADE];
  unsigned num_out, dynamic_index;                                    /* sections of the output */
  uint64_t read_end, written, once_end, written_end, zero_end;        /* of segments */
  uint64_t symtab_at, strtab_at, names_at, names_end, table_at, size; /* in the output */
  unsigned char *out;
  uint64_t next_relative;
};

static bool lies_in(uint64_t at, uint64_t size, uint64_t room) {
  return at <= room && size <= room - at;
}

static uint64_t align(uint64_t value, uint64_t to) {
  return to > 1 ? (value + to - 1) & ~(to - 1) : value;
}

static const char *name_of(const struct link *l, unsigned section) {
  return (const char *)l->in + l->sections[l->strtab].sh_offset + l->sections[section].sh_name;
}

/* --- The input object --- */

static bool read_sections(struct link *l) {
  Elf64_Ehdr header;
  if (l->in_size < sizeof header || l->in_size > MOST_SIZE) return false;
  memcpy(&header, l->in, sizeof header);
  if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_type != ET_REL ||
      header.e_machine != EM_X86_64 || header.e_shentsize != sizeof *l->sections ||
      !header.e_shnum || header.e_shnum > MOST_SECTIONS ||
      !lies_in(header.e_shoff, header.e_shnum * sizeof *l->sections, l->in_size))
    return false;
  l->num_sections = header.e_shnum;
  l->strtab = header.e_shstrndx;
  l->sections = malloc(l->num_sections * sizeof *l->sections);
  l->parts = calloc(l->num_sections, sizeof *l->parts);
  if (!l->sections || !l->parts || l->strtab >= l->num_sections) return false;
  memcpy(l->sections, l->in + header.e_shoff, l->num_sections * sizeof *l->sections);
  const Elf64_Shdr *names = &l->sections[l->strtab];
  uint64_t total = 0;
  for (unsigned i = 0; i < l->num_sections; i++) {
    const Elf64_Shdr *s = &l->sections[i];
    bool in_file = s->sh_type != SHT_NOBITS;
    if ((in_file && !lies_in(s->sh_offset, s->sh_size, l->in_size)) || s->sh_size > MOST_SIZE ||
        (total += s->sh_size) > MOST_SIZE || s->sh_addralign > PAGE ||
        (s->sh_addralign & (s->sh_addralign - 1)) || s->sh_name >= names->sh_size)
      return false;
    if (s->sh_type == SHT_SYMTAB && l->symtab) return false;
    if (s->sh_type == SHT_SYMTAB) l->symtab = i;
  }
  return l->symtab && names->sh_type == SHT_STRTAB && l->sections[l->symtab].sh_link == l->strtab &&
         l->in[names->sh_offset + names->sh_size - 1] == 0;
}

static bool choose_kind(struct link *l, unsigned section) {
  const Elf64_Shdr *s = &l->sections[section];
  const uint64_t known = SHF_WRITE | SHF_ALLOC | SHF_EXECINSTR | SHF_MERGE | SHF_STRINGS |
                         SHF_INFO_LINK | SHF_LINK_ORDER | SHF_EXCLUDE;
  enum kind *kind = &l->parts[section].kind;
  bool written = s->sh_flags & SHF_WRITE, code = s->sh_flags & SHF_EXECINSTR;
  if (s->sh_type == SHT_NULL || s->sh_type == SHT_SYMTAB || s->sh_type == SHT_STRTAB ||
      s->sh_type == SHT_RELA || s->sh_flags & SHF_EXCLUDE)
    return true;
  if (s->sh_flags & ~known || (written && code)) return false;
  if (!strcmp(name_of(l, section), ".note.GNU-stack")) return !code;
  if (s->sh_type == SHT_NOBITS)
    *kind = ZERO;
  else if (s->sh_type != SHT_PROGBITS && s->sh_type != SHT_X86_64_UNWIND)
    return false; /* what would run when it is loaded, notes */
  else if (!(s->sh_flags & SHF_ALLOC))
    *kind = NOT_LOADED;
  else if (!written)
    *kind = READ;
  else
    *kind = strncmp(name_of(l, section), ".data.rel.ro", 12) ? WRITTEN : WRITTEN_ONCE;
  return *kind != ZERO || (written && s->sh_flags & SHF_ALLOC);
}

/* The bytes of whole entries. */
static bool entries(const Elf64_Shdr *section, size_t size, uint64_t *count) {
  *count = section->sh_size / size;
  return section->sh_entsize == size && section->sh_size % size == 0;
}

static bool is_exported(const Elf64_Sym *symbol) {
  return ELF64_ST_BIND(symbol->st_info) != STB_LOCAL &&
         ELF64_ST_VISIBILITY(symbol->st_other) == STV_DEFAULT;
}

static const char *symbol_name(const struct link *l, const Elf64_Sym *symbol) {
  return (const char *)l->in + l->sections[l->strtab].sh_offset + symbol->st_name;
}

/* None is another object's. */
static bool read_symbols(struct link *l) {
  const Elf64_Shdr *section = &l->sections[l->symtab];
  if (!entries(section, sizeof *l->symbols, &l->num_symbols) || !l->num_symbols) return false;
  l->symbols = malloc(section->sh_size);
  if (!l->symbols) return false;
  memcpy(l->symbols, l->in + section->sh_offset, section->sh_size);
  l->exported_size = 1;
  for (uint64_t i = 0; i < l->num_symbols; i++) {
    const Elf64_Sym *symbol = &l->symbols[i];
    unsigned place = symbol->st_shndx, type = ELF64_ST_TYPE(symbol->st_info);
    if (symbol->st_name >= l->sections[l->strtab].sh_size || type > STT_FILE ||
        type == STT_COMMON || ELF64_ST_BIND(symbol->st_info) > STB_WEAK)
      return false;
    if ((i == 0) != (place == SHN_UNDEF)) return false;
    if (i == 0 || (place == SHN_ABS && !is_exported(symbol))) continue;
    if (place >= l->num_sections || l->parts[place].kind == DROPPED ||
        !lies_in(symbol->st_value, symbol->st_size, l->sections[place].sh_size))
      return false;
    if (!is_exported(symbol)) continue;
    l->num_exported++;
    l->exported_size += strlen(symbol_name(l, symbol)) + 1;
    if (l->exported_size > MOST_SIZE) return false; /* names may lie within one another */
  }
  return true;
}

/* --- Relocations --- */

static bool is_for_loader(const struct link *l, unsigned target, uint32_t type) {
  return type == R_X86_64_64 && l->parts[target].kind != NOT_LOADED;
}

/* Applies the part of a relocation that is known; the loader does the rest. */
static bool relocate(struct link *l, unsigned target, const Elf64_Rela *relocation) {
  const Elf64_Sym *symbol = &l->symbols[ELF64_R_SYM(relocation->r_info)];
  const struct part *part = &l->parts[target];
  uint32_t type = ELF64_R_TYPE(relocation->r_info);
  uint64_t place = part->address + relocation->r_offset;
  uint64_t value = symbol->st_value + (uint64_t)relocation->r_addend;
  unsigned char *at = l->out + part->offset + relocation->r_offset;
  if (symbol->st_shndx < l->num_sections) value += l->parts[symbol->st_shndx].address;
  if (is_for_loader(l, target, type)) {
    const Elf64_Rela relative = {place, R_X86_64_RELATIVE, (int64_t)value};
    memcpy(l->out + l->made[RELOCATIONS].sh_offset + l->next_relative++ * sizeof relative,
           &relative, sizeof relative);
  } else if (type == R_X86_64_64) {
    memcpy(at, &value, sizeof value);
  } else {
    bool is_relative = type != R_X86_64_32;
    if (is_relative) value -= place;
    uint32_t low = (uint32_t)value;
    if (is_relative ? (int64_t)value != (int32_t)low : value != low) return false;
    memcpy(at, &low, sizeof low);
  }
  return true;
}

static bool check_relocation(struct link *l, unsigned target, const Elf64_Rela *relocation) {
  const struct part *part = &l->parts[target];
  uint32_t type = ELF64_R_TYPE(relocation->r_info);
  uint64_t index = ELF64_R_SYM(relocation->r_info);
  bool loaded = part->kind != NOT_LOADED;
  if (index >= l->num_symbols || part->kind == ZERO ||
      !lies_in(relocation->r_offset, type == R_X86_64_64 ? 8 : 4, l->sections[target].sh_size))
    return false;
  /* Only loaded sections move. */
  unsigned place = l->symbols[index].st_shndx;
  bool moves = place && place < l->num_sections && l->parts[place].kind != NOT_LOADED;
  switch (type) {
  case R_X86_64_64:
    if (loaded) l->num_relative++;
    return !loaded || (moves && part->kind != READ);
  case R_X86_64_32: /* in debugging, to places in it */
    return !loaded;
  case R_X86_64_PC32:
  case R_X86_64_PLT32:
    return loaded && moves;
  default:
    return false;
  }
}

/* All of them; false at the first for which the condition fails. */
static bool each_relocation(struct link *l,
                            bool (*what)(struct link *, unsigned, const Elf64_Rela *)) {
  for (unsigned i = 0; i < l->num_sections; i++) {
    const Elf64_Shdr *section = &l->sections[i];
    uint64_t count;
    if (section->sh_type == SHT_REL) return false;
    if (section->sh_type != SHT_RELA) continue;
    if (section->sh_info >= l->num_sections || section->sh_link != l->symtab ||
        !entries(section, sizeof(Elf64_Rela), &count))
      return false;
    if (l->parts[section->sh_info].kind == DROPPED) {
      if (count) return false;
      continue;
    }
    for (uint64_t k = 0; k < count; k++) {
      Elf64_Rela relocation;
      memcpy(&relocation, l->in + section->sh_offset + k * sizeof relocation, sizeof relocation);
      if (!what(l, section->sh_info, &relocation)) return false;
    }
  }
  return true;
}

/* --- Places --- */

static void put_made(struct link *l, enum made which, uint64_t size, unsigned type, uint64_t entry,
                     uint64_t *at) {
  *at = align(*at, 8);
  l->made[which] = (Elf64_Shdr){.sh_type = type,
                                .sh_flags = SHF_ALLOC,
                                .sh_addr = *at,
                                .sh_offset = *at,
                                .sh_size = size,
                                .sh_entsize = entry,
                                .sh_addralign = 8};
  *at += size;
}

/* Those of a kind, from an offset in the file on; what is loaded has it as its address. */
static uint64_t put_parts(struct link *l, enum kind kind, uint64_t at) {
  for (unsigned i = 0; i < l->num_sections; i++) {
    struct part *part = &l->parts[i];
    if (part->kind != kind) continue;
    at = align(at, l->sections[i].sh_addralign);
    part->index = l->num_out++;
    part->offset = at;
    part->address = kind == NOT_LOADED ? 0 : at;
    at += l->sections[i].sh_size;
  }
  return at;
}

enum { NUM_SEGMENTS = 5, TWO_TABLES = 2 };

static bool has_kind(const struct link *l, enum kind kind) {
  for (unsigned i = 0; i < l->num_sections; i++)
    if (l->parts[i].kind == kind) return true;
  return false;
}

static void place(struct link *l) {
  uint64_t at = sizeof(Elf64_Ehdr) + NUM_SEGMENTS * sizeof(Elf64_Phdr);
  uint64_t count = l->num_exported;
  put_made(l, HASH, 16 + 8 + 4 + 4 * count, SHT_GNU_HASH, 0, &at);
  put_made(l, SYMBOLS, (count + 1) * sizeof(Elf64_Sym), SHT_DYNSYM, sizeof(Elf64_Sym), &at);
  put_made(l, STRINGS, l->exported_size, SHT_STRTAB, 0, &at);
  put_made(l, RELOCATIONS, l->num_relative * sizeof(Elf64_Rela), SHT_RELA, sizeof(Elf64_Rela), &at);
  l->num_out = DYNAMIC;
  l->read_end = put_parts(l, READ, at);
  l->written = align(l->read_end, PAGE);
  at = put_parts(l, WRITTEN_ONCE, l->written);
  put_made(l, DYNAMIC, MOST_ENTRIES * sizeof(Elf64_Dyn), SHT_DYNAMIC, sizeof(Elf64_Dyn), &at);
  l->made[DYNAMIC].sh_flags |= SHF_WRITE;
  l->dynamic_index = l->num_out++;
  l->once_end = align(at, PAGE);
  if (has_kind(l, WRITTEN) || has_kind(l, ZERO)) at = l->once_end;
  l->written_end = at = put_parts(l, WRITTEN, at);
  l->zero_end = put_parts(l, ZERO, at);
  if (l->zero_end < l->once_end) l->zero_end = l->once_end;
  l->symtab_at = align(put_parts(l, NOT_LOADED, at), 8);
  l->strtab_at = l->symtab_at + l->sections[l->symtab].sh_size;
  l->names_at = l->strtab_at + l->sections[l->strtab].sh_size;
  l->names_end = l->names_at;
  for (int i = 1; i < NUM_MADE; i++) l->names_end += strlen(made_names[i]) + 1;
  l->table_at = align(l->names_end, 8);
  l->num_out += TWO_TABLES;
  l->size = l->table_at + l->num_out * sizeof(Elf64_Shdr);
}

/* --- The output file --- */

static void put_headers(struct link *l) {
  const Elf64_Shdr *dynamic = &l->made[DYNAMIC];
  Elf64_Ehdr header;
  memcpy(&header, l->in, sizeof header);
  header.e_type = ET_DYN;
  header.e_phoff = sizeof header;
  header.e_phentsize = sizeof(Elf64_Phdr);
  header.e_phnum = NUM_SEGMENTS;
  header.e_shoff = l->table_at;
  header.e_shnum = (Elf64_Half)l->num_out;
  header.e_shstrndx = (Elf64_Half)(l->num_out - 1);
  uint64_t written = l->written;
  const Elf64_Phdr segments[NUM_SEGMENTS] = {
      {PT_LOAD, PF_R | PF_X, 0, 0, 0, l->read_end, l->read_end, PAGE},
      {PT_LOAD, PF_R | PF_W, written, written, written, l->written_end - written,
       l->zero_end - written, PAGE},
      {PT_DYNAMIC, PF_R | PF_W, dynamic->sh_offset, dynamic->sh_addr, dynamic->sh_addr,
       dynamic->sh_size, dynamic->sh_size, 8},
      {PT_GNU_STACK, PF_R | PF_W, 0, 0, 0, 0, 0, 16},
      {PT_GNU_RELRO, PF_R, written, written, written,
       (l->written_end < l->once_end ? l->written_end : l->once_end) - written,
       l->once_end - written, 1},
  };
  memcpy(l->out, &header, sizeof header);
  memcpy(l->out + sizeof header, segments, sizeof segments);
}

static uint32_t hash_of(const char *name) {
  uint32_t hash = 5381;
  for (; *name; name++) hash = hash * 33 + (unsigned char)*name;
  return hash;
}

/* One bucket, and a filter that lets all through: there are one or two. */
static void put_exported(struct link *l) {
  const uint32_t table[] = {1, 1, 1, 0, ~0u, ~0u, l->num_exported ? 1 : 0};
  unsigned char *hash = l->out + l->made[HASH].sh_offset;
  unsigned char *symbols = l->out + l->made[SYMBOLS].sh_offset;
  char *strings = (char *)l->out + l->made[STRINGS].sh_offset;
  uint64_t at = 1, index = 0;
  memcpy(hash, table, sizeof table);
  for (uint64_t i = 0; i < l->num_symbols; i++) {
    Elf64_Sym symbol = l->symbols[i];
    if (!symbol.st_shndx || !is_exported(&symbol)) continue;
    const struct part *part = &l->parts[symbol.st_shndx];
    const char *name = symbol_name(l, &symbol);
    size_t length = strlen(name) + 1;
    symbol.st_name = (Elf64_Word)at;
    symbol.st_value += part->address;
    symbol.st_shndx = (Elf64_Half)part->index;
    memcpy(strings + at, name, length);
    at += length;
    index++;
    memcpy(symbols + index * sizeof symbol, &symbol, sizeof symbol);
    uint32_t value = (hash_of(name) & ~1u) | (index == l->num_exported);
    memcpy(hash + sizeof table + (index - 1) * sizeof value, &value, sizeof value);
  }
}

static void put_dynamic(struct link *l) {
  const Elf64_Shdr *made = l->made;
  const Elf64_Dyn entries[MOST_ENTRIES] = {
      {DT_GNU_HASH, {made[HASH].sh_addr}},
      {DT_STRTAB, {made[STRINGS].sh_addr}},
      {DT_STRSZ, {made[STRINGS].sh_size}},
      {DT_SYMTAB, {made[SYMBOLS].sh_addr}},
      {DT_SYMENT, {sizeof(Elf64_Sym)}},
      {l->num_relative ? DT_RELA : DT_NULL, {made[RELOCATIONS].sh_addr}},
      {DT_RELASZ, {made[RELOCATIONS].sh_size}},
      {DT_RELAENT, {sizeof(Elf64_Rela)}},
      {DT_RELACOUNT, {l->num_relative}},
  };
  memcpy(l->out + made[DYNAMIC].sh_offset, entries, sizeof entries);
}

static void put_parts_in(struct link *l) {
  for (unsigned i = 0; i < l->num_sections; i++)
    if (l->parts[i].kind != DROPPED && l->parts[i].kind != ZERO)
      memcpy(l->out + l->parts[i].offset, l->in + l->sections[i].sh_offset, l->sections[i].sh_size);
}

static void put_symbols(struct link *l) {
  const Elf64_Shdr *strtab = &l->sections[l->strtab];
  char *names = (char *)l->out + l->names_at;
  for (uint64_t i = 0; i < l->num_symbols; i++) {
    Elf64_Sym symbol = l->symbols[i];
    if (symbol.st_shndx && symbol.st_shndx < l->num_sections) {
      symbol.st_value += l->parts[symbol.st_shndx].address;
      symbol.st_shndx = (Elf64_Half)l->parts[symbol.st_shndx].index;
    }
    memcpy(l->out + l->symtab_at + i * sizeof symbol, &symbol, sizeof symbol);
  }
  memcpy(l->out + l->strtab_at, l->in + strtab->sh_offset, strtab->sh_size);
  for (int i = 1; i < NUM_MADE; i++) {
    l->made[i].sh_name = (Elf64_Word)(names - (char *)l->out - l->strtab_at);
    names = stpcpy(names, made_names[i]) + 1;
  }
}

static void put_section(struct link *l, unsigned index, const Elf64_Shdr *section) {
  memcpy(l->out + l->table_at + index * sizeof *section, section, sizeof *section);
}

/* The object's own sections keep their names, since they keep their strings. */
static void put_table(struct link *l) {
  l->made[HASH].sh_link = l->made[RELOCATIONS].sh_link = SYMBOLS;
  l->made[SYMBOLS].sh_link = l->made[DYNAMIC].sh_link = STRINGS;
  l->made[SYMBOLS].sh_info = 1;
  for (unsigned i = HASH; i < DYNAMIC; i++) put_section(l, i, &l->made[i]);
  put_section(l, l->dynamic_index, &l->made[DYNAMIC]);
  for (unsigned i = 0; i < l->num_sections; i++) {
    const struct part *part = &l->parts[i];
    Elf64_Shdr section = l->sections[i];
    if (part->kind == DROPPED) continue;
    section.sh_addr = part->address;
    section.sh_offset = part->kind == ZERO ? l->written_end : part->offset;
    section.sh_link = section.sh_link < l->num_sections ? l->parts[section.sh_link].index : 0;
    section.sh_info = 0;
    put_section(l, part->index, &section);
  }
  Elf64_Shdr symtab = l->sections[l->symtab], strtab = l->sections[l->strtab];
  symtab.sh_offset = l->symtab_at;
  symtab.sh_link = l->num_out - 1;
  strtab.sh_offset = l->strtab_at;
  strtab.sh_size = l->names_end - l->strtab_at;
  put_section(l, l->num_out - TWO_TABLES, &symtab);
  put_section(l, l->num_out - 1, &strtab);
}

/* --- All of it --- */

static bool read_object(struct link *l) {
  if (!read_sections(l)) return false;
  for (unsigned i = 0; i < l->num_sections; i++)
    if (!choose_kind(l, i)) return false;
  return read_symbols(l) && each_relocation(l, check_relocation);
}

static bool make_output(struct link *l) {
  place(l);
  l->out = l->size <= MOST_SIZE && l->num_out < SHN_LORESERVE ? calloc(1, l->size) : NULL;
  if (!l->out) return false;
  put_headers(l);
  put_exported(l);
  put_dynamic(l);
  put_parts_in(l);
  put_symbols(l);
  put_table(l);
  return each_relocation(l, relocate);
}

bool mpl_link_plain(const void *object, size_t size, void **output, size_t *output_size) {
  struct link l = {.in = object, .in_size = size};
  bool good = read_object(&l) && make_output(&l);
  free(l.sections);
  free(l.parts);
  free(l.symbols);
  if (!good) free(l.out);
  *output = good ? l.out : NULL;
  *output_size = good ? l.size : 0;
  return good;
}

/* Objects that are damaged, or made by somebody else: refused before the dynamic loader sees them. */
#include "cpu/object.h"

#include <elf.h>
#include <link.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

/* In a block of its own size, so that AddressSanitizer sees what is read beyond it. */
static bool is_sound(const unsigned char *bytes, size_t size) {
  char why[512] = "";
  void *own = malloc(size ? size : 1);
  CHECK(own);
  memcpy(own, bytes, size);
  bool sound = mpl_object_is_sound(own, size, why, sizeof why);
  CHECK(sound || *why);
  free(own);
  return sound;
}

/* What is taken has to load, or be refused by the loader: in a process of its own. */
static void load_alone(const unsigned char *bytes, size_t size, size_t at) {
  pid_t child = fork();
  CHECK(child >= 0);
  if (!child) {
    const char *why = NULL;
    struct mpl_device *device = unit_device();
    struct mpl_module *module = device->ops->load(device, bytes, size, "damaged", &why);
    if (module) device->ops->unload(module);
    _exit(0);
  }
  int status;
  CHECK(waitpid(child, &status, 0) == child);
  if (status) fprintf(stderr, "status %#x of the loader; byte %zu is changed\n", status, at);
  CHECK(!status);
}

static size_t damage(unsigned char *bytes, size_t size, size_t begin, size_t end) {
  static const unsigned char changes[] = {0x01, 0x80, 0xff};
  size_t refused = 0;
  for (size_t at = begin; at < end && at < size; at++)
    for (size_t i = 0; i < sizeof changes; i++) {
      bytes[at] ^= changes[i];
      if (is_sound(bytes, size))
        load_alone(bytes, size, at);
      else
        refused++;
      bytes[at] ^= changes[i];
    }
  return refused;
}

/* Headers and tables in front of the code, and the dynamic section. */
static void damage_tables(unsigned char *bytes, size_t size) {
  ElfW(Ehdr) header;
  ElfW(Phdr) segment;
  size_t code = size, refused = 0;
  memcpy(&header, bytes, sizeof header);
  for (unsigned i = 0; i < header.e_phnum; i++) {
    memcpy(&segment, bytes + header.e_phoff + i * sizeof segment, sizeof segment);
    if (segment.p_type == PT_LOAD && segment.p_flags & PF_X && segment.p_offset)
      code = segment.p_offset;
    if (segment.p_type == PT_DYNAMIC)
      refused += damage(bytes, size, segment.p_offset, segment.p_offset + segment.p_filesz);
  }
  CHECK(code < size);
  refused += damage(bytes, size, 0, code < 2048 ? code : 2048);
  CHECK(refused > 500);
}

/* PT_GNU_RELRO may reach to the end of the last page, as lld 14 writes it, and no further. */
static void pad_relro(unsigned char *bytes, size_t size) {
  enum { PAGE = 4096 };
  ElfW(Ehdr) header;
  ElfW(Phdr) segment, relro = {.p_type = PT_GNU_RELRO, .p_flags = PF_R};
  unsigned char *place = NULL, kept[sizeof relro];
  memcpy(&header, bytes, sizeof header);
  for (unsigned i = 0; i < header.e_phnum; i++) {
    unsigned char *at = bytes + header.e_phoff + i * sizeof segment;
    memcpy(&segment, at, sizeof segment);
    if (segment.p_type == PT_GNU_STACK) place = at;
    if (segment.p_type != PT_LOAD) continue;
    relro.p_vaddr = segment.p_vaddr;
    relro.p_memsz = PAGE - segment.p_vaddr % PAGE + (segment.p_vaddr % PAGE + segment.p_memsz - 1) / PAGE * PAGE;
  }
  CHECK(place && relro.p_memsz);
  memcpy(kept, place, sizeof kept);
  for (unsigned more = 0; more < 2; more++, relro.p_memsz++) {
    memcpy(place, &relro, sizeof relro);
    CHECK(is_sound(bytes, size) == !more);
  }
  memcpy(place, kept, sizeof kept);
}

static void refuse(const char *path, const char *sentence) {
  size_t size;
  const char *why = NULL;
  struct mpl_device *device = unit_device();
  void *bytes = unit_read(path, &size);
  CHECK(!device->ops->load(device, bytes, size, "hostile", &why));
  if (!strstr(why, sentence)) fprintf(stderr, "%s\n", why);
  CHECK(strstr(why, sentence));
  free(bytes);
}

int main(int argc, char **argv) {
  static const char *const sentences[] = {
      "would run when it is loaded", "would run when it is loaded",
      "Maniple does not make", /* a symbol, from GNU ld, or a relocation, from lld */
      "the function 'system', which kernels do not call", "no table of kernels"};
  size_t size;
  CHECK(argc == 7);
  unsigned char *bytes = unit_read(argv[1], &size);
  CHECK(is_sound(bytes, size));
  for (size_t less = 0; less < size; less += less < 1024 ? 1 : 61) {
    if (is_sound(bytes, less)) load_alone(bytes, less, less); /* what is not loaded may be missing */
    CHECK(less >= 1024 || !is_sound(bytes, less));
  }
  pad_relro(bytes, size);
  damage_tables(bytes, size);
  free(bytes);
  for (int i = 0; i < 5; i++) refuse(argv[2 + i], sentences[i]);
  return 0;
}

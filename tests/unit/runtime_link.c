/* Objects that become loadable without a linker, and those that are left to one. */
#include "toolchain/link.h"

#include <elf.h>
#include <unistd.h>

#include "cpu/object.h"
#include "unit.h"

enum { SKIPPED = 77 };

/* From a block of its own size, so that AddressSanitizer sees what is read beyond it. */
static void *link_copy(const unsigned char *bytes, size_t size, size_t *linked_size) {
  void *linked, *own = malloc(size ? size : 1);
  CHECK(own);
  memcpy(own, bytes, size);
  bool done = mpl_link_plain(own, size, &linked, linked_size);
  CHECK(done == (linked != NULL));
  free(own);
  return linked;
}

static bool is_plain(const char *path) {
  size_t size, linked_size;
  void *bytes = unit_read(path, &size), *linked = link_copy(bytes, size, &linked_size);
  free(bytes);
  free(linked);
  return linked;
}

/* --- What is made --- */

/* Code, constants, data and what refers to them. */
static void run_kernels(const void *linked, size_t size) {
  static const uint64_t global[3] = {65, 33, 3}, local[3] = {16, 16, 2}, one[3] = {1, 1, 1};
  static unsigned char counted[65 * 33 * 3];
  const char *why = NULL;
  struct mpl_device *device = unit_device();
  struct mpl_module *module = device->ops->load(device, linked, size, "linked", &why);
  if (!module) fprintf(stderr, "%s\n", why);
  CHECK(module);
  const struct mpl_object *object = device->ops->table(module);
  void *to = counted;
  struct mpl_launch launch = unit_launch(3, global, local, &to);
  CHECK(unit_run(device, unit_kernel(object, "count"), &launch, 0) == 0);
  for (size_t i = 0; i < sizeof counted; i++) CHECK(counted[i] == 1);
  int results[10] = {0};
  to = results;
  launch = unit_launch(3, one, one, &to);
  for (int i = 1; i < 4; i++) {
    int y[10] = {40 + i, 3 * i, 'w'};
    CHECK(unit_run(device, unit_kernel(object, "data"), &launch, 0) == 0);
    memcpy(y + 3, results + 3, sizeof y - 3 * sizeof *y);
    CHECK(results[0] == y[0] && results[1] == y[1] && results[2] == y[2]);
    CHECK(results[4] == y[1] - y[0] && results[5] == (y[2] ^ 5) && results[6] == (y[0] | y[1]));
    CHECK(results[7] == 17 && results[9] == -1);
  }
  device->ops->unload(module);
}

/* What is not loaded refers to what is: sizes of stacks name functions by their addresses. */
static void check_stack_sizes(const void *linked, size_t size) {
  size_t length;
  uint64_t address;
  const char *sizes = mpl_object_section(linked, size, ".stack_sizes", &length);
  CHECK(sizes && length > sizeof address);
  memcpy(&address, sizes, sizeof address);
  struct mpl_object_range range;
  CHECK(address && mpl_object_range(linked, size, address, &range) && range.is_code);
}

static void check_symbols(const void *linked, size_t size) {
  Elf64_Ehdr header;
  Elf64_Shdr table, names;
  const char *bytes = linked;
  bool found = false;
  memcpy(&header, bytes, sizeof header);
  CHECK(header.e_shoff + header.e_shnum * sizeof table == size); /* they are the last */
  for (unsigned i = 0; i < header.e_shnum; i++) {
    memcpy(&table, bytes + header.e_shoff + i * sizeof table, sizeof table);
    if (table.sh_type != SHT_SYMTAB) continue;
    memcpy(&names, bytes + header.e_shoff + table.sh_link * sizeof names, sizeof names);
    for (size_t k = 0; k < table.sh_size / sizeof(Elf64_Sym); k++) {
      Elf64_Sym symbol;
      memcpy(&symbol, bytes + table.sh_offset + k * sizeof symbol, sizeof symbol);
      struct mpl_object_range range;
      found |= !strcmp(bytes + names.sh_offset + symbol.st_name, "count") &&
               mpl_object_range(linked, size, symbol.st_value, &range) &&
               symbol.st_value + symbol.st_size <= range.end;
    }
  }
  CHECK(found);
}

/* --- What may come --- */

static void damage(unsigned char *bytes, size_t size) {
  static const unsigned char changes[] = {0x01, 0x10, 0x80, 0xff};
  char why[512];
  size_t refused = 0;
  for (size_t at = 0; at < size; at++)
    for (size_t i = 0; i < sizeof changes; i++) {
      size_t linked_size;
      bytes[at] ^= changes[i];
      void *linked = link_copy(bytes, size, &linked_size);
      if (linked) (void)mpl_object_is_sound(linked, linked_size, why, sizeof why);
      refused += !linked;
      free(linked);
      bytes[at] ^= changes[i];
    }
  CHECK(refused > 500);
  for (size_t less = 0; less < size; less++) {
    size_t linked_size;
    CHECK(!link_copy(bytes, less, &linked_size)); /* the table of sections is at the end */
  }
}

int main(int argc, char **argv) {
  size_t size, linked_size;
  CHECK(argc > 3);
  unsigned char *bytes = unit_read(argv[2], &size);
#ifndef __x86_64__
  CHECK(!is_plain(argv[2]));
  printf("skipped: on this processor the linker links\n");
  return SKIPPED;
#endif
  void *linked = link_copy(bytes, size, &linked_size);
  CHECK(linked);
  run_kernels(linked, linked_size);
  check_stack_sizes(linked, linked_size);
  check_symbols(linked, linked_size);
  free(linked);
  for (int i = 3; i < argc; i++) CHECK(!is_plain(argv[i]));
  damage(bytes, size);
  free(bytes);
  return 0;
}

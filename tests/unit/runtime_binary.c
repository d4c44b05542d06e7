/* The container of binaries: what comes back, and headers that lie under a right checksum. */
#include "toolchain/cache/binary.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "toolchain/hash.h"
#include "unit.h"

static const char target[] = "some-processor-0123456789abcdef";
static const char payload[] = "what a compiler would have made";

enum { CHECKSUM = 8, SUMMED = CHECKSUM + MPL_HASH_SIZE, HEADER = SUMMED + 32 };

/* In a block of its own size, so that AddressSanitizer sees what is read beyond it. */
static bool unpack(const uint8_t *bytes, size_t size, struct mpl_binary *binary) {
  const char *why = NULL;
  uint8_t *own = malloc(size);
  CHECK(own);
  memcpy(own, bytes, size);
  bool good = mpl_binary_unpack(own, size, target, binary, &why);
  CHECK(good || why);
  if (good) binary->payload = bytes + ((const uint8_t *)binary->payload - own);
  free(own);
  return good;
}

static void lies(uint8_t *bytes, size_t size) {
  static const uint8_t values[] = {0, 1, 8, 64, 128, 255};
  for (size_t at = SUMMED; at < HEADER; at++)
    for (size_t i = 0; i < sizeof values; i++) {
      uint8_t *copy = malloc(size);
      struct mpl_binary binary;
      CHECK(copy);
      memcpy(copy, bytes, size);
      copy[at] = values[i];
      /* The payload's size is what fits: the other fields are looked at then, too. */
      uint64_t offset;
      memcpy(&offset, copy + HEADER - 16, sizeof offset);
      uint64_t rest = size - offset;
      if (at < HEADER - 8) memcpy(copy + HEADER - 8, &rest, sizeof rest);
      mpl_hash(copy + SUMMED, size - SUMMED, copy + CHECKSUM);
      if (unpack(copy, size, &binary)) {
        size_t start = (size_t)((const uint8_t *)binary.payload - copy);
        CHECK(start >= HEADER + strlen(target) && start <= size &&
              binary.payload_size <= size - start);
      }
      free(copy);
    }
}

/* Of each kind only what is for the target. */
static void others(void) {
  static const enum mpl_binary_kind kinds[] = {MPL_BINARY_COMPILED, MPL_BINARY_LIBRARY,
                                               MPL_BINARY_EXECUTABLE};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    struct mpl_binary binary = {kinds[i], payload, sizeof payload};
    const char *why = NULL;
    struct mpl_container c;
    CHECK(mpl_binary_pack(&binary, target, &c));
    CHECK(mpl_binary_unpack(c.data, c.size, target, &binary, &why));
    CHECK(binary.kind == kinds[i] && mpl_binary_unpack(c.data, c.size, NULL, &binary, &why));
    CHECK(!mpl_binary_unpack(c.data, c.size, "some-processor", &binary, &why) && why);
    free(c.data);
  }
}

/* What a container says of itself is what anybody finds in its bytes. */
static void says_what_it_holds(const struct mpl_container *container) {
  const char *why;
  struct mpl_binary found;
  CHECK(mpl_binary_unpack(container->data, container->size, target, &found, &why));
  CHECK(found.kind == MPL_BINARY_EXECUTABLE && container->holds.kind == found.kind);
  CHECK(found.payload_size == sizeof payload && container->holds.payload_size == sizeof payload);
  CHECK(container->holds.payload == found.payload);
  CHECK(!memcmp(found.payload, payload, sizeof payload));
}

static void copies(const struct mpl_container *container) {
  struct mpl_container copy, none = {0};
  CHECK(mpl_container_copy(container, &copy) && copy.data != container->data);
  CHECK(copy.size == container->size);
  says_what_it_holds(&copy);
  free(copy.data);
  CHECK(mpl_container_copy(&none, &copy) && !copy.data && !copy.size && !copy.holds.payload);
}

/* Another process, with the check or without, writes a container, or reads one: its status is 0 if it
 * takes what is there.  Settings are read once a process. */
static int other(int argc, char **argv) {
  struct mpl_binary binary = {(enum mpl_binary_kind)atoi(argv[1]), payload, sizeof payload};
  struct mpl_container container;
  const char *why;
  bool writes = argc == 4;
  FILE *file = fopen(argv[2], writes ? "wb" : "rb");
  CHECK(file);
  if (writes) {
    CHECK(mpl_binary_pack(&binary, target, &container));
    CHECK(fwrite(container.data, 1, container.size, file) == container.size);
    free(container.data);
    return fclose(file);
  }
  char bytes[512];
  size_t size = fread(bytes, 1, sizeof bytes, file);
  fclose(file);
  return !mpl_binary_unpack(bytes, size, target, &binary, &why);
}

static int run_other(const char *self, const char *set, enum mpl_binary_kind kind, const char *more) {
  char command[1024];
  snprintf(command, sizeof command, "env -u MANIPLE_CHECK -u MANIPLE_CHECK_MEMORY %s '%s' %d '%s.file' %s", set,
           self, kind, self, more);
  return system(command);
}

/* Kernels are for one kind of run; what is still to be linked is for all. */
static void checks(const char *self) {
  static const char *const sets[] = {"", "MANIPLE_CHECK=1", "MANIPLE_CHECK=1 MANIPLE_CHECK_MEMORY=0"};
  for (unsigned from = 0; from < 3; from++)
    for (unsigned to = 0; to < 3; to++) {
      CHECK(!run_other(self, sets[from], MPL_BINARY_EXECUTABLE, "write"));
      CHECK(!run_other(self, sets[to], MPL_BINARY_EXECUTABLE, "") == (from == to));
      CHECK(!run_other(self, sets[from], MPL_BINARY_COMPILED, "write"));
      CHECK(!run_other(self, sets[to], MPL_BINARY_COMPILED, ""));
    }
  char path[1024];
  snprintf(path, sizeof path, "%s.file", self);
  remove(path);
}

int main(int argc, char **argv) {
  struct mpl_binary binary = {MPL_BINARY_EXECUTABLE, payload, sizeof payload};
  struct mpl_container container;
  if (argc > 2) return other(argc, argv);
  checks(argv[0]);
  CHECK(mpl_binary_pack(&binary, target, &container));
  uint8_t *bytes = container.data;
  size_t size = container.size;
  says_what_it_holds(&container);
  copies(&container);
  for (size_t less = 0; less < size; less++) CHECK(!unpack(bytes, less, &binary));
  lies(bytes, size);
  others();
  free(bytes);
  return 0;
}

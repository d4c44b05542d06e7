/* The container of binaries: what comes back, and headers that lie under a right checksum. */
#include "toolchain/cache/binary.h"

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

int main(void) {
  struct mpl_binary binary = {MPL_BINARY_EXECUTABLE, payload, sizeof payload};
  struct mpl_container container;
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

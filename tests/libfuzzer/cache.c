/* Entries of the disk cache, with key and checksum made right. */
#include "toolchain/cache/cache.c"

#include "target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct mpl_cache_key key = {{0}};
  struct mpl_cache_entry entry = {0};
  char *copy = malloc(size + 1);
  if (!copy) return 0;
  memcpy(copy, data, size);
  struct header *header = (struct header *)copy;
  if (size >= sizeof *header) {
    const size_t summed = offsetof(struct header, key);
    memcpy(header->magic, magic, sizeof magic);
    memcpy(header->key, key.bytes, sizeof header->key);
    mpl_hash(copy + summed, size - summed, header->checksum);
  }
  if (take_apart(copy, size, &key, &entry)) {
    MUST(strlen(entry.log) <= size && entry.binary_size <= size);
    mpl_cache_entry_free(&entry);
  }
  free(copy);
  return 0;
}

/* BLAKE2b (RFC 7693) with 32 bytes of result: cache keys and checksums. */
#ifndef MPL_TOOLCHAIN_HASH_H
#define MPL_TOOLCHAIN_HASH_H

#include <stddef.h>
#include <stdint.h>

#define MPL_HASH_SIZE 32

struct mpl_hasher {
  uint64_t state[8], length;
  uint8_t block[128];
  size_t filled;
};

void mpl_hash_begin(struct mpl_hasher *);
void mpl_hash_add(struct mpl_hasher *, const void *data, size_t size);
/* Adds the size first, so that ("ab", "c") and ("a", "bc") differ. */
void mpl_hash_add_item(struct mpl_hasher *, const void *data, size_t size);
void mpl_hash_end(struct mpl_hasher *, uint8_t result[MPL_HASH_SIZE]);

void mpl_hash(const void *data, size_t size, uint8_t result[MPL_HASH_SIZE]);

#endif

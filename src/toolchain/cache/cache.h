/* The disk cache of compiled programs: $MANIPLE_CACHE_DIR, else $XDG_CACHE_HOME/maniple, else
 * ~/.cache/maniple.
 *
 * Its contents will be run, so the folder must belong to the user, and nobody else may write to it;
 * otherwise it is not used.  Entries are written under another name and renamed, so that readers of
 * any process see a whole entry or none; each has a checksum, and a damaged one is a miss.  Callers
 * get no errors: without a cache everything is compiled. */
#ifndef MPL_TOOLCHAIN_CACHE_H
#define MPL_TOOLCHAIN_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "toolchain/hash.h"

struct mpl_cache_key {
  uint8_t bytes[MPL_HASH_SIZE];
};

struct mpl_cache_entry { /* free with mpl_cache_entry_free */
  char *log;             /* of the build: warnings are repeated */
  void *binary;          /* the container (binary.h) */
  size_t binary_size;
};

/* Finds an entry whose included files are still what they were. */
bool mpl_cache_find(const struct mpl_cache_key *, struct mpl_cache_entry *);
void mpl_cache_entry_free(struct mpl_cache_entry *);

/* Takes the right to make the entry, so that one of many processes compiles: waits while another
 * process has it, for a minute at most.  -1 if there is no cache.  *waited: the entry may exist
 * now. */
int mpl_cache_claim(const struct mpl_cache_key *, bool *waited);
void mpl_cache_unclaim(const struct mpl_cache_key *, int claim);

/* Keeps a result with the files that the source included. */
void mpl_cache_store(const struct mpl_cache_key *, const struct mpl_cache_entry *,
                     char *const *dependencies, size_t num_dependencies);

/* For `maniple cache` */

#define MPL_CACHE_EXPORT __attribute__((visibility("default")))

struct mpl_cache_stat {
  char folder[4096];
  const char *problem; /* a sentence if the folder is not used, else null */
  uint64_t entries, bytes, max_bytes;
};

MPL_CACHE_EXPORT void mpl_cache_stat(struct mpl_cache_stat *);

/* Calls `each` for every entry, least recently used first; `used` is in seconds since 1970. */
MPL_CACHE_EXPORT void mpl_cache_list(void (*each)(const char *name, uint64_t bytes, int64_t used,
                                                  void *data),
                                     void *data);

/* Removes all entries; how many there were. */
MPL_CACHE_EXPORT uint64_t mpl_cache_clear(void);

#endif

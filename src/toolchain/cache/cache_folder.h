/* The cache's folder and the files in it, for cache.c and cache_trim.c. */
#ifndef MPL_TOOLCHAIN_CACHE_FOLDER_H
#define MPL_TOOLCHAIN_CACHE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

#define MPL_CACHE_SUFFIX ".mpl" /* of entries; ".tmp" of files being written */

/* Its path, whether it is there or not; "" if the user has no home. */
const char *mpl_cache_folder(void);

/* A descriptor of the folder, or -1; makes it (0700) if `make`.  *problem (may be null) gets a
 * sentence if it is there and must not be used. */
int mpl_cache_open(bool make, const char **problem);

/* Removes the least recently used entries until they fit MANIPLE_CACHE_MAX_SIZE, and what writers
 * that died have left.  Looks only now and then: `added` bytes came since the last call. */
void mpl_cache_trim(int folder, size_t added);

#endif

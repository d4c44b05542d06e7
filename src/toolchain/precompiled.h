/* A header of C++ in clang's precompiled form, in the cache (cache/cache.h): one for each set of
 * options.
 *
 * Of many processes that want the same one, the first makes it and the others wait.  It is written
 * under another name and renamed, and used while the files that it was made of are what they were.
 */
#ifndef MPL_TOOLCHAIN_PRECOMPILED_H
#define MPL_TOOLCHAIN_PRECOMPILED_H

#include <limits.h>
#include <stdbool.h>

/* Finds what `#include <header>` is with `command`, which is clang and its options, without inputs
 * and outputs, null behind the last; makes it if there is none.  `attributes` is the plugin that
 * reads attributes of the header, or "".  False: there is no cache, or clang fails, and who asked
 * does without. */
bool mpl_precompiled(char *const *command, const char *attributes, const char *header,
                     char file[PATH_MAX]);

#endif

/* Makes of the compiler's object file the shared object that is loaded, as a linker would.
 *
 * Most programs need no symbol from elsewhere: linking them is placing sections and resolving three
 * kinds of relocations, which takes less time than starting a process.  All others (functions of
 * libm, other processors) go to the linker. */
#ifndef MPL_TOOLCHAIN_LINK_H
#define MPL_TOOLCHAIN_LINK_H

#include <stdbool.h>
#include <stddef.h>

/* False if the object needs the linker, or there is no memory; any object is safe to read.  *output
 * is malloc'd. */
bool mpl_link_plain(const void *object, size_t size, void **output, size_t *output_size);

#endif

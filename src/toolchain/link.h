/* Makes of the compiler's object file the shared object that is loaded, as a linker would.
 *
 * Most programs need nothing that is elsewhere: then it is only a matter of placing sections and of
 * three kinds of relocations, for which a process would cost more than the work.  What is not so
 * plain (functions of libm, other processors) is the linker's. */
#ifndef MPL_TOOLCHAIN_LINK_H
#define MPL_TOOLCHAIN_LINK_H

#include <stdbool.h>
#include <stddef.h>

/* False if it is not for us, or there is no memory; nothing that the object holds can do harm.
 * *output is malloc'd. */
bool mpl_link_plain(const void *object, size_t size, void **output, size_t *output_size);

#endif

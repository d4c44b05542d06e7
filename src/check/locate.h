/* Where in the source a call comes from, of which only the return addresses are known. */
#ifndef MPL_CHECK_LOCATE_H
#define MPL_CHECK_LOCATE_H

#include "maniple/kernel.h"

/* The innermost caller of the function of libmaniple that calls this which is not in our headers;
 * line 0 if the program has no line numbers, or there is no addr2line.  The name of the file lives
 * as long as the process. */
struct mpl_site mpl_locate_caller(void);

/* The same for addresses of code, each in a function that was called at the next; it ends at a null
 * pointer or after `count`. */
struct mpl_site mpl_locate_chain(const void *const *code, unsigned count);

/* The same for an address of code. */
struct mpl_site mpl_locate(const void *code);

#endif

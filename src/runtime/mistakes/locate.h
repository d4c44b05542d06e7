/* The place in the source of a call, from its return addresses. */
#ifndef MPL_RUNTIME_LOCATE_H
#define MPL_RUNTIME_LOCATE_H

#include <stdbool.h>

#include "maniple/kernel.h"

/* Return addresses, the innermost first: kept where it would take too long to ask for their lines.
 */
struct mpl_trace {
  int count;
  const void *at[24];
};

/* The callers of the function of libmaniple that calls this. */
void mpl_trace_take(struct mpl_trace *);

/* The innermost of them that is neither in our headers, in libmaniple nor in the C library; line 0
 * if none has a line number, or there is no addr2line.  The name of the file lives as long as the
 * process. */
struct mpl_site mpl_locate_trace(const struct mpl_trace *);

/* Both. */
struct mpl_site mpl_locate_caller(void);

/* The same for addresses of code, each in a function that was called at the next; it ends at a null
 * pointer or after `count`. */
struct mpl_site mpl_locate_chain(const void *const *code, unsigned count);

/* The same for an address of code. */
struct mpl_site mpl_locate(const void *code);
/* Not from what is known: there may have been another object at that address. */
struct mpl_site mpl_locate_anew(const void *code);

/* By the name of its file. */
bool mpl_is_c_library(const char *object);

#endif

/* OpenCL C's printf for kernels (section 6.13.13). */
#ifndef MPL_RUNTIME_PRINT_H
#define MPL_RUNTIME_PRINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* mpl_host.print of abi/kernel.h: one call's text reaches stdout in one piece.  -1 if the format is
 * wrong or has fewer arguments than conversions; its text from the mistake on is printed as it
 * stands. */
int mpl_print(const char *format, const void *args, uint64_t args_size);

/* The same to `take` in place of stdout, in one piece; -1 also if that answers false. */
int mpl_print_to(bool (*take)(void *data, const char *text, size_t size), void *data,
                 const char *format, const void *args, uint64_t args_size);

/* The same where strings among the arguments are not the host's: `fetch` makes a copy of one, which
 * is freed here, or null. */
int mpl_print_fetching(const char *format, const void *args, uint64_t args_size,
                       char *(*fetch)(void *data, uint64_t address), void *data);

/* The calling thread is in one of these functions, and may hold a lock. */
extern _Thread_local bool mpl_is_printing;

/* Called when a command that may have printed ends. */
void mpl_print_flush(void);

#endif

/* Prints a buffer after the run, writes it to a file, or compares it. */
#ifndef MPL_CLI_OUTPUT_H
#define MPL_CLI_OUTPUT_H

#include "kernel_run.h"

enum mpl_format { MPL_FORMAT_ROWS, MPL_FORMAT_PLAIN, MPL_FORMAT_HEX, MPL_FORMAT_INDEX };

bool mpl_format_parse(const char *name, enum mpl_format *); /* false after saying why */

/* The first `head` elements (0: all) on standard output. */
void mpl_output_print(const struct mpl_run_arg *, enum mpl_format, size_t head);
/* As oclgrind-kernel prints an argument marked `dump'. */
void mpl_output_dump(const struct mpl_run_arg *);
/* False, after saying why. */
bool mpl_output_write(const struct mpl_run_arg *, const char *path);
/* Compares with a VALUE; false, after showing the first differences, if they are not the same.
 * `tolerance`: relative, for real numbers. */
bool mpl_output_verify(const struct mpl_run_arg *, const char *value, double tolerance);

#endif

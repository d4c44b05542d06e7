/* Output for a terminal only: colours, and the progress of a long operation. */
#ifndef MPL_CLI_TERMINAL_H
#define MPL_CLI_TERMINAL_H

#include <stdbool.h>
#include <stdio.h>

enum mpl_colour { MPL_RED, MPL_GREEN, MPL_MAGENTA, MPL_BOLD };

/* The text: in that colour on a terminal that has colours, if NO_COLOR is not set
 * (https://no-color.org). */
void mpl_put_coloured(FILE *, enum mpl_colour, const char *text);
/* The compiler's log, with its "error:", "warning:" and "note:" in colour. */
void mpl_put_log(FILE *, const char *log);

/* Whether standard error is a terminal, where progress is shown. */
bool mpl_shows_progress(void);
/* One line there, in place of the one before; nothing elsewhere. */
void mpl_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Before anything else is written, and at the end. */
void mpl_progress_clear(void);
/* For frequent updates: true the first time, then ten times a second. */
bool mpl_progress_is_due(void);

#endif

/* A program that a sub-command runs to its end. */
#ifndef MPL_CLI_CHILD_H
#define MPL_CLI_CHILD_H

#include <stdbool.h>

#include "cli/cli.h"

struct mpl_child {
  const char *name;
  int status; /* as in a shell: its exit status, or 128 and the signal that ended it */
  int signal; /* that signal, or 0 */
};

/* Runs the positionals of a command line as a program.  A terminal's signals come to both, and the
 * program handles its own.  False, after saying why, if it does not start. */
bool mpl_child_run(const struct mpl_cli_args *, struct mpl_child *);

#endif

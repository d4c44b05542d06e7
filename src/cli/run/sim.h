/* Simulator files of oclgrind-kernel: program, kernel, global size, local size, and one block
 * <size=BYTES ...> for each argument, with its numbers where none of fill, range and noinit is
 * given.  '#' begins a comment. */
#ifndef MPL_CLI_SIM_H
#define MPL_CLI_SIM_H

#include "kernel_run.h"

struct mpl_sim {
  const char *path;
  char *text;
  const char *at;           /* reading position */
  const char *part;         /* what is being read, for messages */
  char part_text[128];
  char *program, *kernel;
};

/* Each false after saying why, with the line. */
bool mpl_sim_open(struct mpl_sim *, const char *path);
bool mpl_sim_header(struct mpl_sim *, struct mpl_run *); /* program, kernel and the ND-range */
bool mpl_sim_arguments(struct mpl_sim *, struct mpl_run *);
void mpl_sim_close(struct mpl_sim *);

#endif

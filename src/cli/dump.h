/* What the compiler leaves in the folder of `maniple build --dump`: the source, the IR after each
 * pass, the assembly, and what the vectoriser said. */
#ifndef MPL_CLI_DUMP_H
#define MPL_CLI_DUMP_H

#include <stdbool.h>
#include <time.h>

struct mpl_dump {
  char *folder;
  struct timespec since; /* files of earlier builds may lie there */
};

/* Asks the driver for it, before it has read its options.  False, after saying why. */
bool mpl_dump_begin(struct mpl_dump *, const char *folder);
/* Prints the new files' names, then the vectoriser's remarks with their places. */
void mpl_dump_show(const struct mpl_dump *);

#endif

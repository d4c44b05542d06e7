/* The files that the compiler leaves in the folder of `maniple build --dump`: the source, the IR
 * after each pass, the assembly, and the vectoriser's remarks. */
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
/* Prints the new files' names, the remarks of the passes, and what became of each line. */
void mpl_dump_show(const struct mpl_dump *);
/* The same as an HTML file; false, after saying why. */
bool mpl_dump_report(const struct mpl_dump *, const char *path);
void mpl_dump_remove(const struct mpl_dump *); /* with all that is in the folder */

#endif

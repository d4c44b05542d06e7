/* The places of the parts of this installation, and a command for each missing part that mends it.
 */
#ifndef MPL_CLI_INSTALLATION_H
#define MPL_CLI_INSTALLATION_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>

/* The file of libmaniple with which this command is linked, without links; and its folder. */
bool mpl_library_file(char file[PATH_MAX]);
bool mpl_library_folder(char folder[PATH_MAX]);
/* The folder of its headers: beside that of the library, which may have one for each kind of
 * processor in between. */
bool mpl_headers_folder(char folder[PATH_MAX]);

struct mpl_part {
  const char *key, *needed_by;
  char found[PATH_MAX];       /* "" if it is missing */
  char command[2 * PATH_MAX]; /* that mends it, if it is missing */
};

enum { MPL_MOST_PARTS = 16 };
/* All parts, in `parts`; how many there are. */
size_t mpl_parts(struct mpl_part parts[MPL_MOST_PARTS]);

#endif

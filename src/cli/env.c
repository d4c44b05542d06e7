/* `maniple env`: the two variables by which a loader finds this driver wherever it lies.  Both name the
 * library itself: ocl-icd takes one in OCL_ICD_VENDORS, and the Khronos loader in OCL_ICD_FILENAMES; each
 * leaves the other's alone. */
#include <stdio.h>

#include "cli/cli.h"
#include "cli/installation.h"

/* A word for the shell. */
static void put_quoted(const char *text) {
  putchar('\'');
  for (; *text; text++)
    if (*text == '\'')
      fputs("'\\''", stdout);
    else
      putchar(*text);
  putchar('\'');
}

int mpl_command_env(const struct mpl_cli_args *args) {
  static const char *const names[] = {"OCL_ICD_VENDORS", "OCL_ICD_FILENAMES"};
  char library[PATH_MAX];
  if (mpl_cli_positional(args, 0))
    return mpl_usage("env takes no argument '%s'", mpl_cli_positional(args, 0));
  if (!mpl_library_file(library)) return mpl_fail("cannot find the file of libmaniple");
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    printf("export %s=", names[i]);
    put_quoted(library);
    putchar('\n');
  }
  return MPL_EXIT_OK;
}

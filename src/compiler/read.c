/* A compiler that reads its source for minutes, macros without end, is given up earlier than one
 * that optimises (toolchain/process/watch.h): so it says where the one ends. */
#include <unistd.h>

#include "plugin.h"
#include "runtime/options.h"

void mpl_tell_read(void) {
  int file = (int)mpl_option_number(MPL_OPTION_PASS_TOLD);
  if (file) (void)!write(file, "\n", 1); /* clang writes the file anew when it is done */
}

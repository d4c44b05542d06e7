/* Arguments as one line: it is split into the same ones, whatever characters they have. */
#include "toolchain/arguments.h"

#include <stdlib.h>
#include <string.h>

#include "unit.h"

int main(void) {
  struct mpl_args args = {0}, again = {0};
  mpl_args_add(&args, "");
  for (int c = 1; c < 256; c++) mpl_args_addf(&args, "a%cb", c);
  char *line = mpl_args_quote(&args);
  CHECK(line && !args.failed);
  mpl_args_split(&again, line);
  CHECK(!again.failed && again.count == args.count);
  for (size_t i = 0; i < args.count; i++) CHECK(!strcmp(args.list[i], again.list[i]));
  free(line);
  mpl_args_free(&args);
  mpl_args_free(&again);
  return 0;
}

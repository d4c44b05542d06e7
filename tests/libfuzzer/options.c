/* Build options: what OpenCL does not have is refused with a sentence, and nothing else happens. */
#include "target.h"
#include "toolchain/arguments.h"

/* One line, quoted, is the same arguments again. */
static void check_quotes(const struct mpl_args *args) {
  struct mpl_args again = {0};
  char *line = mpl_args_quote(args);
  if (!line) return;
  mpl_args_split(&again, line);
  MUST(again.failed || again.count == args->count);
  for (size_t i = 0; !again.failed && i < args->count; i++)
    MUST(!strcmp(again.list[i], args->list[i]));
  mpl_args_free(&again);
  free(line);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  char why[256], *text = strndup((const char *)data, size);
  for (int i = 0; text && i < 3; i++) {
    struct mpl_options_meaning meaning;
    struct mpl_source_options source;
    struct mpl_args args = {0};
    enum mpl_options_for call = (enum mpl_options_for)i;
    memset(why, 'x', sizeof why);
    if (!mpl_options_read(text, call, &meaning, why)) MUST(memchr(why, 0, sizeof why));
    memset(why, 'x', sizeof why);
    if (mpl_options_translate(text, call, &args, &source, why))
      check_quotes(&args);
    else
      MUST(memchr(why, 0, sizeof why));
    mpl_args_free(&args);
  }
  free(text);
  return 0;
}

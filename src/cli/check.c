/* `maniple check`: another program, with the environment that has its kernels checked. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/terminal.h"

static void set(const char *name, const char *value) {
  if (value && setenv(name, value, 1)) mpl_need(NULL);
}

static void set_report(const struct mpl_cli_args *args) {
  const char *file = mpl_cli_value(args, MPL_FLAG_JSON);
  if (!file) return;
  size_t room = strlen(file) + sizeof "json:";
  char *value = mpl_need(malloc(room));
  snprintf(value, room, *file ? "json:%s" : "json", file);
  set("MANIPLE_CHECK_REPORT", value);
  free(value);
}

int mpl_command_check(const struct mpl_cli_args *args) {
  size_t count = 0;
  while (mpl_cli_positional(args, count)) count++;
  if (!count) return mpl_usage("which program? try maniple check --help");
  char **words = mpl_need(calloc(count + 1, sizeof *words));
  for (size_t i = 0; i < count; i++) words[i] = (char *)mpl_cli_positional(args, i);
  set("MANIPLE_CHECK", "1");
  if (mpl_cli_value(args, MPL_FLAG_NO_MEMORY)) set("MANIPLE_CHECK_MEMORY", "0");
  set("MANIPLE_CHECK_SCHEDULE", mpl_cli_value(args, MPL_FLAG_SCHEDULE));
  set("MANIPLE_CHECK_TIMEOUT", mpl_cli_value(args, MPL_FLAG_TIMEOUT));
  set("MANIPLE_CHECK_STACK", mpl_cli_value(args, MPL_FLAG_STACK));
  set_report(args);
  if (mpl_shows_progress()) set("MANIPLE_CHECK_PROGRESS", "1");
  execvp(words[0], words);
  int status = mpl_fail("%s does not start: %s", words[0], strerror(errno));
  free(words);
  return status;
}

/* The tables, as docgen reads them. */
#include <string.h>

#include "docgen.h"

const struct command commands[] = {
#define MPL_COMMAND(name, synopsis, summary, more)    {#name, synopsis, summary, more, false},
#define MPL_DRIVER(id, name, synopsis, summary, more) {name, synopsis, summary, more, true},
#include "tables/commands.def"
#undef MPL_COMMAND
};

const struct flag flags[] = {
#define MPL_FLAG(command, id, short_name, long_name, kind, value, help)                            \
  {#command, short_name, long_name, kind, value, help},
#include "tables/flags.def"
#undef MPL_FLAG
};

const struct option options[] = {
#define USER(...) __VA_ARGS__,
#define INTERNAL(...)
#define MPL_OPTION(key, def, kind, whom, help, values) whom({"MANIPLE_" #key, def, help, values})
#include "tables/options.def"
#undef MPL_OPTION
};

const int NUM_COMMANDS = sizeof commands / sizeof *commands;
const int NUM_FLAGS = sizeof flags / sizeof *flags;
const int NUM_OPTIONS = sizeof options / sizeof *options;

bool docgen_belongs(const struct flag *flag, const struct command *command) {
  if (!strcmp(flag->command, "any")) return true;
  return !strcmp(flag->command, command->name);
}

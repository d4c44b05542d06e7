/* --help, from the tables of commands and options. */
#include <string.h>

#include "cli/cli.h"

enum { COLUMN = 26, WIDTH = 80 };

/* Prints `text` from column COLUMN on, broken at spaces. */
static void print_wrapped(FILE *out, const char *text) {
  size_t room = WIDTH - COLUMN;
  while (strlen(text) > room) {
    size_t cut = room;
    while (cut && text[cut] != ' ') cut--;
    if (!cut) cut = room;
    fprintf(out, "%.*s\n%*s", (int)cut, text, COLUMN, "");
    text += cut + (text[cut] == ' ');
  }
  fprintf(out, "%s\n", text);
}

static void print_flag(FILE *out, const struct mpl_flag *flag) {
  char left[80];
  const char *equals = flag->kind == MPL_FLAG_VALUE && flag->long_name[0] ? "=" : " ";
  if (flag->kind == MPL_FLAG_PREFIX) {
    snprintf(left, sizeof left, "  -%s%s", flag->long_name, flag->value);
  } else {
    char short_part[8] = "    ", value[40] = "";
    if (flag->short_name)
      snprintf(short_part, sizeof short_part, "-%c%s", flag->short_name,
               flag->long_name[0] ? ", " : "");
    if (flag->kind == MPL_FLAG_VALUE) snprintf(value, sizeof value, "%s%s", equals, flag->value);
    if (flag->kind == MPL_FLAG_MAYBE) snprintf(value, sizeof value, "[=%s]", flag->value);
    snprintf(left, sizeof left, "  %s%s%s%s", short_part, flag->long_name[0] ? "--" : "",
             flag->long_name, value);
  }
  if (strlen(left) > COLUMN - 2)
    fprintf(out, "%s\n%*s", left, COLUMN, "");
  else
    fprintf(out, "%-*s", COLUMN, left);
  print_wrapped(out, flag->help);
}

static void help_all(FILE *out) {
  fprintf(out, "Usage: maniple COMMAND [OPTION]... [ARGUMENT]...\n"
               "\nOpenCL on the CPU, with fast work-group functions.\n\nCommands:\n");
  for (size_t i = 0; i < mpl_num_cli_commands; i++) {
    fprintf(out, "  %-*s", COLUMN - 2, mpl_cli_commands[i].name);
    print_wrapped(out, mpl_cli_commands[i].summary);
  }
  fprintf(out, "\nmaniple COMMAND --help explains a command; maniple --version tells the version.\n"
               "The exit status is 0 for success, 1 for failure and 2 for wrong usage.\n");
}

void mpl_cli_help(FILE *out, const struct mpl_cli_command *command) {
  if (!command) {
    help_all(out);
    return;
  }
  fprintf(out, "Usage: maniple %s %s\n\n%s\n\nOptions:\n", command->name, command->synopsis,
          command->more);
  for (size_t i = 0; i < mpl_num_flags; i++)
    if (!strcmp(mpl_flags[i].command, command->name)) print_flag(out, &mpl_flags[i]);
  for (size_t i = 0; i < mpl_num_flags; i++)
    if (!strcmp(mpl_flags[i].command, "any")) print_flag(out, &mpl_flags[i]);
}

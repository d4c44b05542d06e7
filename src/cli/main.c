/* The `maniple` command: finds the sub-command and hands it its options. */
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/terminal.h"

const struct mpl_cli_command mpl_cli_commands[] = {
#define MPL_COMMAND(name, synopsis, summary, more)                                                 \
  {#name, synopsis, summary, more, mpl_command_##name, false},
#define MPL_DRIVER(id, name, synopsis, summary, more)                                              \
  {name, synopsis, summary, more, mpl_command_##id, true},
#include "tables/commands.def"
#undef MPL_COMMAND
};
const size_t mpl_num_cli_commands = sizeof mpl_cli_commands / sizeof *mpl_cli_commands;

static const char *speaker = "maniple"; /* who the messages are from: with the sub-command's name */

static int last_status = MPL_EXIT_FAILURE;

int mpl_say(int status, const char *format, ...) {
  va_list args;
  fflush(stdout);
  mpl_progress_clear();
  mpl_put_coloured(stderr, status == MPL_EXIT_OK ? MPL_BOLD : MPL_RED, speaker);
  fputs(": ", stderr);
  va_start(args, format);
  vfprintf(stderr, format, args);
  va_end(args);
  fputc('\n', stderr);
  if (status != MPL_EXIT_OK) last_status = status;
  return status;
}

int mpl_exit_status(void) {
  return last_status;
}

void *mpl_need(void *memory) {
  if (memory) return memory;
  mpl_fail("out of memory");
  exit(MPL_EXIT_FAILURE);
}

const struct mpl_cli_command *mpl_cli_find(const char *name) {
  for (size_t i = 0; i < mpl_num_cli_commands; i++)
    if (!strcmp(mpl_cli_commands[i].name, name)) return &mpl_cli_commands[i];
  return NULL;
}

int mpl_command_help(const struct mpl_cli_args *args) {
  const char *name = mpl_cli_positional(args, 0);
  const struct mpl_cli_command *command = name ? mpl_cli_find(name) : NULL;
  if (name && !command) return mpl_usage("there is no command '%s'; try maniple --help", name);
  mpl_cli_help(stdout, command);
  return MPL_EXIT_OK;
}

static int run_command(const struct mpl_cli_command *command, int argc, char **argv) {
  static char name[64];
  snprintf(name, sizeof name, "maniple %s", command->name);
  speaker = name;
  struct mpl_cli_args *args = mpl_cli_parse(command, argc, argv);
  if (!args) return MPL_EXIT_USAGE;
  int status = MPL_EXIT_OK;
  if (mpl_cli_value(args, MPL_FLAG_HELP))
    mpl_cli_help(stdout, command);
  else
    status = command->run(args);
  mpl_cli_free(args);
  return status;
}

static int run_main(int argc, char **argv) {
  if (argc < 2) {
    mpl_cli_help(stderr, NULL);
    return MPL_EXIT_USAGE;
  }
  if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")) {
    mpl_cli_help(stdout, NULL);
    return MPL_EXIT_OK;
  }
  if (!strcmp(argv[1], "--version")) {
    printf("maniple %s\n", MPL_VERSION);
    return MPL_EXIT_OK;
  }
  if (argv[1][0] == '-')
    return mpl_usage("there is no option '%s' before a command; try maniple --help", argv[1]);
  const struct mpl_cli_command *command = mpl_cli_find(argv[1]);
  if (!command) return mpl_usage("there is no command '%s'; try maniple --help", argv[1]);
  return run_command(command, argc - 2, argv + 2);
}

/* A write beyond `ulimit -f` fails then, and ends nothing; who is started begins as usual. */
static void go_on(int number) {}

int main(int argc, char **argv) {
  sigaction(SIGXFSZ, &(struct sigaction){.sa_handler = go_on, .sa_flags = SA_RESTART}, NULL);
  int status = run_main(argc, argv);
  return mpl_end_output(stdout, "-") || errno == EPIPE ? status : MPL_EXIT_FAILURE;
}

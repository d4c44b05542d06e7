/* Shared by the sub-commands: the table of commands, parsing of options, messages. */
#ifndef MPL_CLI_H
#define MPL_CLI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { MPL_EXIT_OK = 0, MPL_EXIT_FAILURE = 1, MPL_EXIT_USAGE = 2 };

enum mpl_flag_id {
#define MPL_FLAG(command, id, short_name, long_name, kind, value, help) MPL_FLAG_##id,
#include "tables/flags.def"
#undef MPL_FLAG
  MPL_FLAG_POSITIONAL, /* not an option */
};

enum mpl_flag_kind { MPL_FLAG_ALONE, MPL_FLAG_VALUE, MPL_FLAG_MAYBE, MPL_FLAG_PREFIX };

struct mpl_flag {
  const char *command; /* or "any" */
  enum mpl_flag_id id;
  char short_name;
  const char *long_name;
  enum mpl_flag_kind kind;
  const char *value, *help;
};

struct mpl_cli_args;

struct mpl_cli_command {
  const char *name, *synopsis, *summary, *more;
  int (*run)(const struct mpl_cli_args *);
  bool passes_on; /* its words are all positionals */
};

extern const struct mpl_flag mpl_flags[];
extern const size_t mpl_num_flags;
extern const struct mpl_cli_command mpl_cli_commands[];
extern const size_t mpl_num_cli_commands;

/* One word of the command line: an option with its value ("" if it has none), or a positional. */
struct mpl_cli_word {
  enum mpl_flag_id id;
  const char *value;
};

struct mpl_cli_args {
  const struct mpl_cli_command *command;
  struct mpl_cli_word *words;
  size_t num_words;
};

/* Null, after saying why on stderr, if an option is unknown or lacks its value. */
struct mpl_cli_args *mpl_cli_parse(const struct mpl_cli_command *, int argc, char **argv);
void mpl_cli_free(struct mpl_cli_args *);

/* The value of the last such word, or null. */
const char *mpl_cli_value(const struct mpl_cli_args *, enum mpl_flag_id);
/* The n-th positional, or null. */
const char *mpl_cli_positional(const struct mpl_cli_args *, size_t n);

const struct mpl_cli_command *mpl_cli_find(const char *name);
void mpl_cli_help(FILE *, const struct mpl_cli_command *); /* null: of `maniple` itself */

/* One sentence on stderr; returns the exit status. */
int mpl_say(int status, const char *format, ...) __attribute__((format(printf, 2, 3)));
#define mpl_fail(...)  mpl_say(MPL_EXIT_FAILURE, __VA_ARGS__)
#define mpl_usage(...) mpl_say(MPL_EXIT_USAGE, __VA_ARGS__)
#define mpl_note(...)  mpl_say(MPL_EXIT_OK, __VA_ARGS__)

/* The status that the last mpl_fail or mpl_usage returned; failure if there was none. */
int mpl_exit_status(void);

void *mpl_need(void *memory); /* ends the program if memory ran out */

/* "1.5 MiB"; returns `text`. */
const char *mpl_size_text(unsigned long long bytes, char text[32]);

/* The whole file, a 0 after its last byte; "-" is standard input.  Null, after saying why. */
char *mpl_read_file(const char *path, size_t *size);
/* False, after saying why.  "-" is standard output. */
bool mpl_write_file(const char *path, const void *data, size_t size);
/* Ends the output to a file, which is closed, or to standard output; false, after saying why, if
 * not all of it could be written.  It says nothing if nobody reads standard output any more. */
bool mpl_end_output(FILE *, const char *path);

#define MPL_COMMAND(name, synopsis, summary, more)                                                 \
  int mpl_command_##name(const struct mpl_cli_args *);
#define MPL_DRIVER(id, name, synopsis, summary, more) int mpl_command_##id(const struct mpl_cli_args *);
#include "tables/commands.def"
#undef MPL_COMMAND

#endif

/* Parses the options of a sub-command by the table in flags.def. */
#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"

const struct mpl_flag mpl_flags[] = {
#define MPL_FLAG(command, id, short_name, long_name, kind, value, help)                            \
  {#command, MPL_FLAG_##id, short_name, long_name, MPL_FLAG_##kind, value, help},
#include "tables/flags.def"
#undef MPL_FLAG
};
const size_t mpl_num_flags = sizeof mpl_flags / sizeof *mpl_flags;

static bool belongs(const struct mpl_flag *flag, const struct mpl_cli_command *command) {
  return !strcmp(flag->command, "any") || !strcmp(flag->command, command->name);
}

/* "--name", "--name=VALUE" */
static const struct mpl_flag *find_long(const struct mpl_cli_command *command, const char *word,
                                        const char **value) {
  size_t length = strcspn(word, "=");
  *value = word[length] ? word + length + 1 : NULL;
  for (size_t i = 0; i < mpl_num_flags; i++) {
    const struct mpl_flag *flag = &mpl_flags[i];
    if (belongs(flag, command) && flag->kind != MPL_FLAG_PREFIX && flag->long_name[0] &&
        strlen(flag->long_name) == length && !strncmp(flag->long_name, word, length))
      return flag;
  }
  return NULL;
}

/* "-prefix...": before one-letter options, which the prefix may begin like. */
static const struct mpl_flag *find_prefix(const struct mpl_cli_command *command, const char *word) {
  for (size_t i = 0; i < mpl_num_flags; i++) {
    const struct mpl_flag *flag = &mpl_flags[i];
    if (belongs(flag, command) && flag->kind == MPL_FLAG_PREFIX &&
        !strncmp(flag->long_name, word, strlen(flag->long_name)))
      return flag;
  }
  return NULL;
}

/* "-x", "-xVALUE", "-x=VALUE" if it may have one, "-prefix..." */
static const struct mpl_flag *find_short(const struct mpl_cli_command *command, const char *word,
                                         const char **value) {
  const struct mpl_flag *prefix = find_prefix(command, word);
  *value = prefix ? word - 1 /* with its dash */ : word[1] ? word + 1 : NULL;
  if (prefix) return prefix;
  for (size_t i = 0; i < mpl_num_flags; i++) {
    const struct mpl_flag *flag = &mpl_flags[i];
    if (!belongs(flag, command) || flag->kind == MPL_FLAG_PREFIX || flag->short_name != word[0])
      continue;
    if (flag->kind == MPL_FLAG_MAYBE && *value && **value == '=') ++*value;
    return flag;
  }
  return NULL;
}

/* "-t 3": the number may be meant for the option, which has it behind a `=' only, or be a
 * positional argument. */
static bool is_doubtful(const struct mpl_flag *flag, const char *value, const char *next) {
  return flag->kind == MPL_FLAG_MAYBE && !strcmp(flag->value, "N") && !value && next && *next &&
         !next[strspn(next, "0123456789")];
}

/* Checks that the option got a value if and only if it takes one; `next` is the word after it.
 * Returns how many words it used, or 0 after saying what is wrong. */
static int take_value(const struct mpl_flag *flag, const char *word, const char **value,
                      const char *next) {
  if (flag->kind == MPL_FLAG_ALONE && *value) {
    mpl_usage("the option '%.*s' takes no value", (int)strcspn(word, "="), word);
    return 0;
  }
  if (is_doubtful(flag, *value, next)) {
    mpl_usage("'%s %s' may mean two things: write '%s=%s', or put the argument '%s' before '%s'",
              word, next, word, next, next, word);
    return 0;
  }
  if (flag->kind != MPL_FLAG_VALUE || *value) {
    if (!*value) *value = "";
    return 1;
  }
  if (!next) {
    mpl_usage("the option '%s' needs a value: %s", word, flag->value);
    return 0;
  }
  *value = next;
  return 2;
}

struct mpl_cli_args *mpl_cli_parse(const struct mpl_cli_command *command, int argc, char **argv) {
  struct mpl_cli_args *args = mpl_need(calloc(1, sizeof *args));
  args->command = command;
  args->words = mpl_need(calloc((size_t)argc + 1, sizeof *args->words));
  bool only_positionals = false;
  for (int i = 0; i < argc;) {
    const char *word = argv[i], *value = NULL;
    if (command->passes_on && (argc > 1 || strcmp(word, "--help"))) {
      args->words[args->num_words++] = (struct mpl_cli_word){MPL_FLAG_POSITIONAL, word};
      i++;
      continue;
    }
    if (!only_positionals && !strcmp(word, "--")) {
      only_positionals = true;
      i++;
      continue;
    }
    struct mpl_cli_word *out = &args->words[args->num_words++];
    bool number = word[0] == '-' && (word[1] == '.' || (word[1] >= '0' && word[1] <= '9'));
    if (only_positionals || word[0] != '-' || !word[1] || number) {
      *out = (struct mpl_cli_word){MPL_FLAG_POSITIONAL, word};
      /* the program's own options */
      only_positionals |=
          command->run == mpl_command_check || command->run == mpl_command_profile;
      i++;
      continue;
    }
    const struct mpl_flag *flag = word[1] == '-' ? find_long(command, word + 2, &value)
                                                 : find_short(command, word + 1, &value);
    int used = 0;
    if (!flag)
      mpl_usage("there is no option '%s'; try maniple %s --help", word, command->name);
    else
      used = take_value(flag, word, &value, i + 1 < argc ? argv[i + 1] : NULL);
    if (!used) {
      mpl_cli_free(args);
      return NULL;
    }
    *out = (struct mpl_cli_word){flag->id, value};
    i += used;
  }
  return args;
}

void mpl_cli_free(struct mpl_cli_args *args) {
  if (!args) return;
  free(args->words);
  free(args);
}

const char *mpl_cli_value(const struct mpl_cli_args *args, enum mpl_flag_id id) {
  for (size_t i = args->num_words; i-- > 0;)
    if (args->words[i].id == id) return args->words[i].value;
  return NULL;
}

const char *mpl_cli_positional(const struct mpl_cli_args *args, size_t n) {
  for (size_t i = 0; i < args->num_words; i++)
    if (args->words[i].id == MPL_FLAG_POSITIONAL && n-- == 0) return args->words[i].value;
  return NULL;
}

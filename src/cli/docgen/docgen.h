/* The tables of which docgen makes documentation. */
#ifndef MPL_DOCGEN_H
#define MPL_DOCGEN_H

#include <stdbool.h>

struct command {
  const char *name, *synopsis, *summary, *more;
  bool passes_on; /* its words are clang's */
};

enum kind { ALONE, VALUE, MAYBE, PREFIX };

struct flag {
  const char *command;
  char short_name;
  const char *long_name;
  enum kind kind;
  const char *value, *help;
};

struct option {
  const char *name, *default_text, *help, *values;
};

extern const struct command commands[];
extern const struct flag flags[];
extern const struct option options[]; /* those for users */
extern const int NUM_COMMANDS, NUM_FLAGS, NUM_OPTIONS;

bool docgen_belongs(const struct flag *, const struct command *);

/* completion.c: on standard output */
void docgen_bash(void);
void docgen_zsh(void);

#endif

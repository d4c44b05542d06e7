/* The environment options of tables/options.def, read once and then constant.  libmaniple and
 * the compiler plugin each have their own copy of this. */
#ifndef MPL_RUNTIME_OPTIONS_H
#define MPL_RUNTIME_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

/* Flags, numbers and sizes are read through .number, words, texts and paths through .text ("" if
 * unset).
 * A value that does not parse is reported once on stderr and its default used. */
struct mpl_option {
  const char *name, *default_text, *kind, *help, *values;
  const char *text;
  uint64_t number;
  bool set;
  bool internal; /* not for users */
};

enum mpl_option_id {
#define MPL_OPTION(key, def, kind, whom, help, values) MPL_OPTION_##key,
#include "tables/options.def"
#undef MPL_OPTION
  MPL_NUM_OPTIONS
};

const struct mpl_option *mpl_options(void); /* all MPL_NUM_OPTIONS of them, thread-safe */

static inline uint64_t mpl_option_number(enum mpl_option_id id) { return mpl_options()[id].number; }
static inline const char *mpl_option_text(enum mpl_option_id id) { return mpl_options()[id].text; }

/* Which code kernels get: 0 without the check, 1 and 2 with it, without and with that of memory. */
static inline uint16_t mpl_option_checks(void) {
  if (!mpl_option_number(MPL_OPTION_CHECK)) return 0;
  return mpl_option_number(MPL_OPTION_CHECK_MEMORY) ? 2 : 1;
}

#endif

/* OpenCL's build options to clang's. */
#include <stdio.h>
#include <string.h>

#include "toolchain/arguments.h"

enum option_where { S = 1, L = 2, B = 3 };
enum option_kind {
  PASS,
  IGNORE,
  NUMBER,
  NO_OPTIMIZE,
  NO_SIGNED_ZEROS,
  ARG_INFO,
  DEBUG,
  CREATE_LIBRARY,
  ZERO_LOCAL,
};

static const struct {
  const char *text;
  enum option_where where;
  enum option_kind kind;
} options_table[] = {
#define MPL_CL_OPTION(text, where, kind) {text, where, kind},
#include "tables/build_options.def"
#undef MPL_CL_OPTION
};

static const struct {
  const char *text, *standard;
  enum mpl_language language;
  int c_version;
} standards[] = {
#define MPL_STANDARD(text, standard, language, c_version, listed)                                  \
  {text, standard, language, c_version},
#include "tables/standards.def"
};

static bool begins(const char *text, const char *prefix) {
  return !strncmp(text, prefix, strlen(prefix));
}

static void apply(enum option_kind kind, const char *text, struct mpl_args *out,
                  struct mpl_source_options *source) {
  switch (kind) {
  case PASS:
    mpl_args_add(out, text);
    break;
  case IGNORE:
  case NUMBER:
    break;
  case NO_OPTIMIZE:
    source->no_optimize = true;
    break;
  case NO_SIGNED_ZEROS:
    mpl_args_add(out, "-cl-no-signed-zeros");
    break;
  case ARG_INFO:
    source->arg_info = true;
    break;
  case DEBUG:
    source->debug = true;
    break;
  case CREATE_LIBRARY:
    source->meaning.create_library = true;
    break;
  case ZERO_LOCAL:
    mpl_args_add(out, "-D__MPL_ZERO_LOCAL"); /* opencl.h.in tells the pass `local` */
    break;
  }
}

/* -D and -I take their value from the same or the next word; returns how many words were used. */
static size_t take_valued(const struct mpl_args *words, size_t i, struct mpl_args *out) {
  const char *word = words->list[i];
  if (!begins(word, "-D") && !begins(word, "-I")) return 0;
  if (word[2]) {
    mpl_args_add(out, word);
    return 1;
  }
  if (i + 1 == words->count) return 0;
  mpl_args_addf(out, "%s%s", word, words->list[i + 1]);
  return 2;
}

static bool is_number(const char *text) {
  return *text && strspn(text, "0123456789") == strlen(text);
}

/* The same of those that have a number. */
static size_t take_number(const struct mpl_args *words, size_t i) {
  const char *word = words->list[i], *next = i + 1 < words->count ? words->list[i + 1] : "";
  for (size_t k = 0; k < sizeof options_table / sizeof *options_table; k++) {
    size_t length = strlen(options_table[k].text);
    if (options_table[k].kind != NUMBER || strncmp(word, options_table[k].text, length)) continue;
    if (word[length] == '=' && is_number(word + length + 1)) return 1;
    if (!word[length] && is_number(next)) return 2;
  }
  return 0;
}

static bool take_version(const char *word, struct mpl_source_options *source) {
  if (!begins(word, "-cl-std=")) return false;
  for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
    if (!strcmp(word + strlen("-cl-std="), standards[i].text)) {
      source->standard = standards[i].standard;
      source->language = standards[i].language;
      source->c_version = standards[i].c_version;
      return true;
    }
  return false;
}

static bool take_plain(const char *word, enum option_where where, struct mpl_args *out,
                       struct mpl_source_options *source) {
  for (size_t i = 0; i < sizeof options_table / sizeof *options_table; i++)
    if (!strcmp(word, options_table[i].text) && (options_table[i].where & where) &&
        options_table[i].kind != NUMBER) {
      apply(options_table[i].kind, word, out, source);
      return true;
    }
  return false;
}

bool mpl_options_translate(const char *options, enum mpl_options_for use, struct mpl_args *out,
                           struct mpl_source_options *source, char why[256]) {
  enum option_where where = use == MPL_FOR_LINK ? L : S;
  struct mpl_args words = {0};
  bool good = true;
  *source = (struct mpl_source_options){.language = MPL_OPENCL_C};
  take_version("-cl-std=CL1.2", source); /* OpenCL 3.0, section 5.8.6.5 */
  mpl_args_split(&words, options ? options : "");
  for (size_t i = 0; good && i < words.count;) {
    const char *word = words.list[i];
    size_t used = where == S ? take_valued(&words, i, out) : 0;
    if (!used && where == S) used = take_number(&words, i);
    if (!used) {
      good = take_plain(word, where, out, source);
      if (!good && where == S) good = take_version(word, source);
      if (!good && where == S && begins(word, "-W") && word[2] && !begins(word, "-Wl,") &&
          !begins(word, "-Wa,") && !begins(word, "-Wp,")) {
        mpl_args_add(out, word);
        good = true;
      }
      used = 1;
    }
    if (!good) snprintf(why, 256, "error: unknown or incomplete option '%.200s'", word);
    i += used;
  }
  mpl_args_free(&words);
  return good;
}

bool mpl_options_read(const char *options, enum mpl_options_for use,
                      struct mpl_options_meaning *meaning, char why[256]) {
  struct mpl_args args = {0};
  struct mpl_source_options source;
  bool good = mpl_options_translate(options, use, &args, &source, why);
  *meaning = source.meaning;
  mpl_args_free(&args);
  return good;
}

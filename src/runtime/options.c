/* The environment options: read once, each value checked by its kind. */
#include "runtime/options.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { USER, INTERNAL };

static struct mpl_option options[] = {
#define MPL_OPTION(key, def, kind, whom, help, values)                                             \
  {"MANIPLE_" #key, def, #kind, help, values, "", 0, false, whom == INTERNAL},
#include "tables/options.def"
#undef MPL_OPTION
};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static const char *skip_space(const char *text) {
  while (*text == ' ' || *text == '\t') text++;
  return text;
}

/* Decimal with an optional K, M or G; nothing else may follow. */
static bool parse_number(const char *text, bool suffix, uint64_t *number) {
  text = skip_space(text);
  if (*text < '0' || *text > '9') return false;
  char *end;
  errno = 0;
  unsigned long long value = strtoull(text, &end, 10);
  unsigned shift = 0;
  if (suffix) switch (*end) {
    case 'k':
    case 'K':
      shift = 10;
      end++;
      break;
    case 'm':
    case 'M':
      shift = 20;
      end++;
      break;
    case 'g':
    case 'G':
      shift = 30;
      end++;
      break;
    }
  if (errno || *skip_space(end) || value > UINT64_MAX >> shift) return false;
  *number = (uint64_t)value << shift;
  return true;
}

static bool parse_flag(const char *text, uint64_t *number) {
  static const char *const words[2][4] = {{"0", "no", "off", "false"}, {"1", "yes", "on", "true"}};
  for (unsigned value = 0; value < 2; value++)
    for (unsigned i = 0; i < 4; i++)
      if (!strcmp(text, words[value][i])) {
        *number = value;
        return true;
      }
  return false;
}

/* The table's column of values says which numbers are good: "0 to 1024", or "8, 16 or 32". */
static bool in_range(const struct mpl_option *option, uint64_t number) {
  unsigned long long low, high;
  if (sscanf(option->values, "%llu to %llu", &low, &high) == 2)
    return number >= low && number <= high;
  for (const char *text = option->values; *text;) {
    char *end = NULL;
    if (*text >= '0' && *text <= '9' && strtoull(text, &end, 10) == number) return true;
    text = end ? end : text + 1;
  }
  return false;
}

/* And which words: "cpu, gpu or accelerator". */
static bool is_listed(const struct mpl_option *option, const char *text) {
  static const char between[] = " ,";
  if (!strcmp(text, "or")) return false;
  for (const char *word = option->values; *word; word += strspn(word, between)) {
    size_t length = strcspn(word, between);
    if (strlen(text) == length && !strncmp(word, text, length)) return true;
    word += length;
  }
  return false;
}

static bool set_option(struct mpl_option *option, const char *text) {
  uint64_t number = 0;
  bool good = true;
  if (!strcmp(option->kind, "FLAG")) good = parse_flag(text, &number);
  if (!strcmp(option->kind, "NUMBER"))
    good = parse_number(text, false, &number) && in_range(option, number);
  if (!strcmp(option->kind, "SIZE")) good = parse_number(text, true, &number);
  if (!strcmp(option->kind, "WORD")) good = is_listed(option, text);
  if (!good) return false;
  option->text = text;
  option->number = number;
  return true;
}

static void read_options(void) {
  for (unsigned i = 0; i < MPL_NUM_OPTIONS; i++) {
    struct mpl_option *option = &options[i];
    const char *value = getenv(option->name);
    if (!set_option(option, option->default_text)) abort(); /* a mistake in options.def */
    if (!value || !*value) continue;
    char *copy = strdup(value); /* the environment may change later; lives as long as the process */
    if (copy && set_option(option, copy)) {
      option->set = true;
      continue;
    }
    free(copy);
    fprintf(stderr, "maniple: %s=%s is not understood (%s: %s); using \"%s\"\n", option->name,
            value, option->help, option->values, option->default_text);
  }
}

const struct mpl_option *mpl_options(void) {
  pthread_once(&once, read_options);
  return options;
}

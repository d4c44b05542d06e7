/* Pragmas that turn an extension on need no warning where the device has the extension. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "job.h"
#include "runtime/device.h"

static const struct {
  const char *name;
  uint32_t needs;
} extensions[] = {
#define MPL_EXTENSION(name, major, minor, patch, how, needs) {#name, needs},
#define MPL_FEATURE(name, of, how, needs)
#include "tables/features.def"
#undef MPL_EXTENSION
#undef MPL_FEATURE
};

static bool is_offered(const char *name, size_t length, uint32_t lacks) {
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++)
    if (strlen(extensions[i].name) == length && !memcmp(extensions[i].name, name, length))
      return !(extensions[i].needs & lacks);
  return false;
}

static char *next_line(char *line) {
  char *end = strchr(line, '\n');
  return end ? end + 1 : line + strlen(line);
}

static bool begins(const char *line, const char *words) {
  return !strncmp(line, words, strlen(words));
}

/* What clang says of one that it does not know, has without a pragma, or has in later versions of the
 * language only, where the functions are there in all (cl_khr_subgroups). */
static const struct {
  const char *before, *behind;
} warnings[] = {
    {": warning: OpenCL extension '", "' unknown or does not require pragma"},
    {": warning: unsupported OpenCL extension '", "' - ignoring"},
};

static bool is_needless(const char *line, const char *end, uint32_t lacks) {
  for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
    const char *name = strstr(line, warnings[i].before);
    if (!name || name >= end) continue;
    name += strlen(warnings[i].before);
    size_t length = strcspn(name, "'\n");
    if (begins(name + length, warnings[i].behind)) return is_offered(name, length, lacks);
  }
  return false;
}

/* With the lines that say where it was included, and the indented ones that show the source. */
static unsigned drop_all(char *log, uint32_t lacks) {
  unsigned dropped = 0;
  char *first = log; /* of the lines before this one that belong to it */
  for (char *next, *line = log; *line; line = next) {
    next = next_line(line);
    if (begins(line, "In file included from ")) continue;
    if (is_needless(line, next, lacks)) {
      while (*next == ' ') next = next_line(next);
      memmove(first, next, strlen(next) + 1);
      next = first;
      dropped++;
    }
    first = next;
  }
  return dropped;
}

/* "3 warnings generated.", "3 warnings and 1 error generated."; never longer than before. */
static void count_again(char *log, unsigned dropped) {
  for (char *line = log; *line; line = next_line(line)) {
    char *rest, words[32];
    unsigned long count = strtoul(line, &rest, 10);
    if (rest == line || !begins(rest, " warning") || count < dropped) continue;
    rest += strlen(" warning");
    if (*rest == 's') rest++;
    if (!begins(rest, " generated.") && !begins(rest, " and ")) continue;
    count -= dropped;
    snprintf(words, sizeof words, "%lu warning%s", count, count == 1 ? "" : "s");
    if (!count) {
      words[0] = 0;
      rest = begins(rest, " and ") ? rest + strlen(" and ") : next_line(rest);
    }
    memcpy(line, words, strlen(words));
    memmove(line + strlen(words), rest, strlen(rest) + 1);
    return;
  }
}

void mpl_log_drop_pragmas(char *log, uint32_t lacks) {
  unsigned dropped = drop_all(log, lacks);
  if (dropped) count_again(log, dropped);
}

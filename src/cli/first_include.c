/* What a C++ source includes first. */
#include <string.h>

#include "cli/precompiled.h"

/* Behind blanks and comments; null if a comment does not end, or ends in a way of its own. */
static const char *behind_comments(const char *at) {
  for (;;) {
    at += strspn(at, " \t\r\n\f\v");
    if (at[0] != '/' || (at[1] != '/' && at[1] != '*')) return at;
    const char *end = strstr(at + 2, at[1] == '*' ? "*/" : "\n");
    if (!end) return NULL;
    if (at[1] == '/' &&
        (end[-1] == '\\' || end[-1] == '\r')) /* it goes on in the next line, perhaps */
      if (end[-1] == '\\' || end[-2] == '\\') return NULL;
    at = end + (at[1] == '*' ? 2 : 1);
  }
}

/* `word`, and blanks behind it that are none or end no line; null if there is something else. */
static const char *behind(const char *at, const char *word) {
  size_t length = strlen(word);
  return strncmp(at, word, length) ? NULL : at + length + strspn(at + length, " \t");
}

/* The name of an #include <name> at `*at`, which is behind it then; its length, 0 if it is none. */
static size_t included(const char **at, const char **name) {
  const char *word = behind(*at, "#");
  if (word) word = behind(word, "include");
  if (!word || *word != '<') return 0;
  *name = word + 1;
  size_t length = strcspn(*name, ">\n");
  if ((*name)[length] != '>') return 0;
  *at = *name + length + 1;
  return length;
}

static bool is(const char *name, size_t length, const char *wanted) {
  return strlen(wanted) == length && !memcmp(name, wanted, length);
}

static bool is_standard(const char *name, size_t length) {
  static const char *const names[] = {
#define MPL_STANDARD_HEADER(name) name,
#include "tables/standard_headers.def"
  };
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (is(name, length, names[i])) return true;
  return false;
}

bool mpl_begins_with_sycl(const char *text) {
  static const char mark[] = "\xEF\xBB\xBF";
  const char *name, *at = text + (strncmp(text, mark, 3) ? 0 : 3);
  for (size_t length; (at = behind_comments(at)) && (length = included(&at, &name));) {
    if (is(name, length, "sycl/sycl.hpp") || is(name, length, "CL/sycl.hpp")) return true;
    if (!is_standard(name, length)) return false;
  }
  return false;
}

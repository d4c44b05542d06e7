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

bool mpl_begins_with_sycl(const char *text) {
  static const char mark[] = "\xEF\xBB\xBF";
  const char *at = behind_comments(text + (strncmp(text, mark, 3) ? 0 : 3));
  if (at) at = behind(at, "#");
  if (at) at = behind(at, "include");
  return at && (behind(at, "<sycl/sycl.hpp>") || behind(at, "<CL/sycl.hpp>"));
}

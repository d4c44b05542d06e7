/* Included files whose last line is long and has no end: clang walks to the column of each
 * instruction anew (job.h, mpl_line_end), and generators write whole kernels in one line.  The
 * files are found by the names in #include; those that macros name are not found, and only slow. */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

enum { LONG = 4096, MOST_FILES = 512, MOST_SIZE = 64 << 20 };

struct search {
  const struct mpl_args *options;
  struct mpl_args seen; /* absolute names, looked at */
  struct mpl_args *found;
};

bool mpl_ends_in_long_line(const char *text, size_t size) {
  const char *last = memrchr(text, '\n', size);
  return *mpl_line_end(text, size) && size - (last ? (size_t)(last + 1 - text) : 0) > LONG;
}

static void search_text(struct search *s, const char *text, size_t size, const char *folder);

static bool was_seen(const struct search *s, const char *path) {
  for (size_t i = 0; i < s->seen.count; i++)
    if (!strcmp(s->seen.list[i], path)) return true;
  return false;
}

/* False if there is no such file. */
static bool search_file(struct search *s, const char *path) {
  struct stat status;
  if (stat(path, &status) || !S_ISREG(status.st_mode)) return false;
  if (was_seen(s, path) || s->seen.count >= MOST_FILES || status.st_size > MOST_SIZE) return true;
  mpl_args_add(&s->seen, path);
  size_t size;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  char *text = file < 0 ? NULL : mpl_file_contents(file, &size);
  if (file >= 0) close(file);
  if (!text) return true;
  if (mpl_ends_in_long_line(text, size)) mpl_args_add(s->found, path);
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
  search_text(s, text, size, folder);
  free(text);
  return true;
}

static bool search_in(struct search *s, const char *folder, const char *name, size_t length) {
  char here[PATH_MAX], path[2 * PATH_MAX];
  bool is_absolute = *(*name == '/' ? name : folder) == '/';
  if (is_absolute)
    here[0] = 0;
  else if (!getcwd(here, sizeof here))
    return false;
  int n = *name == '/' ? snprintf(path, sizeof path, "%.*s", (int)length, name)
                       : snprintf(path, sizeof path, "%s%s%s/%.*s", here, is_absolute ? "" : "/",
                                  folder, (int)length, name);
  return n < PATH_MAX && search_file(s, path);
}

/* As clang looks for it: beside who includes it, then in the folders of -I. */
static void search_name(struct search *s, const char *name, size_t length, const char *folder) {
  if (length >= PATH_MAX || (folder && search_in(s, folder, name, length))) return;
  for (size_t i = 0; i < s->options->count; i++) {
    const char *word = s->options->list[i];
    if (strncmp(word, "-I", 2) != 0) continue;
    if (!word[2] && i + 1 == s->options->count) return;
    if (search_in(s, word[2] ? word + 2 : s->options->list[++i], name, length)) return;
  }
}

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t')) p++;
  return p;
}

static void search_line(struct search *s, const char *p, const char *end, const char *folder) {
  static const char word[] = "include";
  p = skip_blanks(p, end);
  if (p == end || *p != '#') return;
  p = skip_blanks(p + 1, end);
  if ((size_t)(end - p) < sizeof word || memcmp(p, word, sizeof word - 1) != 0) return;
  p = skip_blanks(p + sizeof word - 1, end);
  if (p == end || (*p != '"' && *p != '<')) return;
  const char *close = memchr(p + 1, *p == '"' ? '"' : '>', (size_t)(end - p - 1));
  if (close) search_name(s, p + 1, (size_t)(close - p - 1), *p == '"' ? folder : NULL);
}

static void search_text(struct search *s, const char *text, size_t size, const char *folder) {
  for (const char *end = text + size, *next; text < end; text = next + 1) {
    next = memchr(text, '\n', (size_t)(end - text));
    if (!next) next = end;
    search_line(s, text, next, folder);
  }
}

void mpl_find_long_lines(const struct mpl_compile_job *job, const struct mpl_args *options,
                         struct mpl_args *files) {
  struct search s = {.options = options, .found = files};
  search_text(&s, job->inputs->data, job->inputs->size, NULL);
  for (size_t i = 0; i < job->num_headers; i++)
    search_text(&s, job->headers[i].text, job->headers[i].size, NULL);
  mpl_args_free(&s.seen);
}

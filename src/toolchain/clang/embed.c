/* Finds `#embed`, which would make any file that the host can read a part of a program.  clang 19
 * has it in every language, and no option to turn it off.
 *
 * All directives are found, in every version of the language: where versions differ (trigraphs) the
 * text is read in both ways.  Text that only looks like a directive, in a comment of several lines
 * or in a raw string, counts as one when it begins its line. */
#include <ctype.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "job.h"

/* The text without line splices, and the line of each of its bytes. */
struct spliced {
  char *text; /* a 0 behind it */
  unsigned *lines;
};

/* How long the splice is that stands at `at`, or 0: clang allows blanks in front of the line's end.
 */
static size_t splice_length(const char *at, const char *end, bool trigraphs) {
  const char *c = at;
  if (*c == '\\')
    c++;
  else if (trigraphs && end - c >= 3 && !memcmp(c, "?\?/", 3))
    c += 3;
  else
    return 0;
  while (c < end && strchr(" \t\f\v", *c) && *c) c++;
  if (c == end || (*c != '\n' && *c != '\r')) return 0;
  return (size_t)(c - at) + (c + 1 < end && (c[1] == '\n' || c[1] == '\r') && c[1] != *c ? 2 : 1);
}

static bool join_lines(const char *text, size_t size, bool trigraphs, struct spliced *out) {
  const char *end = text + size;
  unsigned line = 1;
  size_t count = 0;
  out->text = malloc(size + 1);
  out->lines = malloc((size + 1) * sizeof *out->lines);
  if (!out->text || !out->lines) return false;
  for (const char *c = text; c < end;) {
    size_t length = splice_length(c, end, trigraphs);
    if (length) {
      c += length;
      line++;
      continue;
    }
    out->text[count] = *c ? *c : ' '; /* as clang takes it */
    out->lines[count++] = line;
    line += *c == '\n' || (*c == '\r' && !(c + 1 < end && c[1] == '\n'));
    c++;
  }
  out->text[count] = 0;
  out->lines[count] = line;
  return true;
}

/* Past blanks, which clang takes many characters beyond ASCII for, and comments that end. */
static const char *skip_blanks(const char *c) {
  for (;;) {
    while (*c && (strchr(" \t\f\v", *c) || (unsigned char)*c >= 0x80)) c++;
    const char *end = strncmp(c, "/*", 2) ? NULL : strstr(c + 2, "*/");
    if (!end) return c;
    c = end + 2;
  }
}

/* The text behind the directive's name; null if it is another directive, or none. */
static const char *behind(const char *c, const char *name) {
  static const char *const hashes[] = {"#", "%:", "?\?="};
  size_t size = strlen(name);
  c = skip_blanks(c);
  for (size_t i = 0; i < sizeof hashes / sizeof *hashes; i++) {
    size_t length = strlen(hashes[i]);
    if (strncmp(c, hashes[i], length)) continue;
    c = skip_blanks(c + length);
    bool is_it = !strncmp(c, name, size) && !isalnum((unsigned char)c[size]) && c[size] != '_';
    return is_it ? c + size : NULL;
  }
  return NULL;
}

/* As compilers say it: behind `#line 7 "name"` lines are counted from 7 on, of a file of that
 * name. */
struct position {
  bool found;
  char name[PATH_MAX];
  unsigned line;
};

struct counted {
  unsigned from, as; /* the line `from` of the text is called `as` */
};

/* `#line` with a number. */
static void follow(const char *rest, unsigned next_line, struct counted *counted,
                   struct position *at) {
  char *end;
  rest = skip_blanks(rest);
  unsigned long number = strtoul(rest, &end, 10);
  if (end == rest) return;
  *counted = (struct counted){next_line, (unsigned)number};
  const char *name = skip_blanks(end);
  size_t length = *name == '"' ? strcspn(name + 1, "\"\r\n") : 0;
  if (length && length < sizeof at->name)
    snprintf(at->name, sizeof at->name, "%.*s", (int)length, name + 1);
}

/* A line may begin in a comment, which then ends at the first mark of its end. */
static void find(const struct spliced *spliced, struct position *at) {
  struct counted counted = {1, 1};
  for (const char *line = spliced->text; *line;) {
    const char *end = line + strcspn(line, "\r\n"), *rest = behind(line, "line");
    const char *comment = memmem(line, (size_t)(end - line), "*/", 2);
    unsigned number = spliced->lines[line - spliced->text];
    if (behind(line, "embed") || (comment && behind(comment + 2, "embed"))) {
      at->found = true;
      at->line = number - counted.from + counted.as;
      return;
    }
    if (rest) follow(rest, number + 1, &counted, at);
    line = end + (*end != 0);
  }
}

static bool has_embed(const char *text, size_t size, struct position *at) {
  bool read = true;
  for (int trigraphs = 0; trigraphs < 2 && read && !at->found; trigraphs++) {
    struct spliced spliced;
    read = join_lines(text, size, trigraphs, &spliced);
    if (read) find(&spliced, at);
    free(spliced.text);
    free(spliced.lines);
  }
  return at->found || !read; /* what cannot be read is not let through */
}

static bool refuse(const char *text, size_t size, const char *name, char **log) {
  struct position at = {.found = false};
  snprintf(at.name, sizeof at.name, "%s", name);
  if (!has_embed(text, size, &at)) return false;
  mpl_log_line(log, "%s:%u:1: error: #embed is not there: programs are given their data in buffers",
               at.name, at.line);
  return true;
}

bool mpl_refuse_embed(const struct mpl_compile_job *job, char **log) {
  bool refused = refuse(job->inputs->data, job->inputs->size, MPL_SOURCE_NAME, log);
  for (size_t i = 0; i < job->num_headers; i++) {
    const struct mpl_header *header = &job->headers[i];
    refused |= refuse(header->text, header->size, header->name, log);
  }
  return refused;
}

bool mpl_refuse_embed_in(char *const *files, size_t count, char **log) {
  bool refused = false;
  for (size_t i = 0; i < count; i++) {
    int fd = open(files[i], O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    size_t size;
    char *text = fd >= 0 ? mpl_file_contents(fd, &size) : NULL;
    refused |= text && refuse(text, size, files[i], log);
    free(text);
    if (fd >= 0) close(fd);
  }
  return refused;
}

/* Files around a compilation: embedded headers, lists of dependencies, dumps. */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "job.h"

const char *mpl_line_end(const char *text, size_t size) {
  /* One behind a backslash would be another thing than none. */
  return size && !memchr("\n\r\\", text[size - 1], 3) ? "\n" : "";
}

static bool write_file(const char *path, const void *data, size_t size, const char *end) {
  FILE *file = fopen(path, "we");
  if (!file) return false;
  bool good = fwrite(data, 1, size, file) == size && fputs(end, file) >= 0;
  return !fclose(file) && good;
}

/* A name as #include gives it: relative, and not out of the folder. */
static bool name_good(const char *name) {
  if (!*name || *name == '/') return false;
  for (const char *p = name; *p; p += strcspn(p, "/"), p += *p == '/')
    if (!strcmp(p, "..") || !strncmp(p, "../", 3)) return false;
  return true;
}

static bool write_header(const char *folder, const struct mpl_header *header) {
  char path[PATH_MAX];
  if (snprintf(path, sizeof path, "%s/%s", folder, header->name) >= PATH_MAX) return false;
  for (char *p = path + strlen(folder) + 1; (p = strchr(p, '/')); p++) {
    *p = 0;
    if (mkdir(path, 0700) && errno != EEXIST) return false;
    *p = '/';
  }
  return write_file(path, header->text, header->size, mpl_line_end(header->text, header->size));
}

bool mpl_folder_make(char folder[4096]) {
  const char *parent = getenv("TMPDIR");
  snprintf(folder, 4096, "%s/maniple-XXXXXX", parent && *parent == '/' ? parent : "/tmp");
  if (mkdtemp(folder)) return true;
  folder[0] = 0;
  return false;
}

bool mpl_headers_write(const struct mpl_compile_job *job, char folder[4096], char **log) {
  folder[0] = 0;
  if (!job->num_headers) return true;
  if (!mpl_folder_make(folder)) {
    mpl_log_line(log, "maniple: no folder for the embedded headers: %m; set TMPDIR to one that can "
                      "be written");
    return false;
  }
  for (size_t i = 0; i < job->num_headers; i++) {
    const struct mpl_header *header = &job->headers[i];
    if (!name_good(header->name)) {
      mpl_log_line(log, "error: embedded header '%s': a name must be relative, without '..'",
                   header->name);
      return false;
    }
    if (!write_header(folder, header)) {
      mpl_log_line(log, "maniple: cannot write embedded header '%s' under %s: %m", header->name,
                   folder);
      return false;
    }
  }
  return true;
}

static int remove_one(const char *path, const struct stat *status, int type, struct FTW *walk) {
  return remove(path);
}

void mpl_headers_remove(const char *folder) {
  if (folder[0]) nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
}

/* Undoes make's quoting in place; returns the end of the word. */
static char *take_word(char *p, char **end) {
  char *out = p;
  for (; *p && *p != ' ' && *p != '\n'; p++) {
    if (p[0] == '\\' && (p[1] == ' ' || p[1] == '#' || p[1] == '\\'))
      p++;
    else if (p[0] == '$' && p[1] == '$')
      p++;
    else if (p[0] == '\\' && p[1] == '\n')
      break;
    *out++ = *p;
  }
  *end = out;
  return p;
}

void mpl_dependencies_read(char *text, const char *skip, struct mpl_args *out) {
  char here[PATH_MAX];
  if (!getcwd(here, sizeof here)) here[0] = 0;
  char *p = strstr(text, ": ");
  if (!p) return;
  for (p += 2; *p;) {
    if (*p == ' ' || *p == '\n' || (*p == '\\' && p[1] == '\n')) {
      p++;
      continue;
    }
    char *word = p, *end;
    p = take_word(p, &end);
    bool more = *p;
    *end = 0;
    if (more) p += *p != '\\' || p == end; /* the 0 may stand where the blank stood */
    if (!(skip[0] && !strncmp(word, skip, strlen(skip)))) {
      if (*word == '/')
        mpl_args_add(out, word);
      else
        mpl_args_addf(out, "%s/%s", here, word);
    }
    if (!more) break;
  }
}

void mpl_dump_file(const char *folder, const char *name, const void *data, size_t size) {
  char path[PATH_MAX];
  if (!data || snprintf(path, sizeof path, "%s/%s", folder, name) >= PATH_MAX) return;
  write_file(path, data, size, "");
}

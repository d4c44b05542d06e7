/* What the compiler leaves in the folder of `maniple build --dump`. */
#include "cli/dump.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"

bool mpl_dump_begin(struct mpl_dump *dump, const char *folder) {
  if (mkdir(folder, 0777) && errno != EEXIST) {
    mpl_fail("cannot make the folder %s: %s", folder, strerror(errno));
    return false;
  }
  dump->folder = mpl_need(strdup(folder));
  clock_gettime(CLOCK_REALTIME_COARSE, &dump->since); /* the clock of file times */
  setenv("MANIPLE_DUMP", folder, 1);
  setenv("MANIPLE_CACHE", "0", 1); /* a program from the cache is not compiled */
  return true;
}

static int visible(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

static bool is_new(const struct mpl_dump *dump, const struct stat *info) {
  if (info->st_mtim.tv_sec != dump->since.tv_sec) return info->st_mtim.tv_sec > dump->since.tv_sec;
  return info->st_mtim.tv_nsec >= dump->since.tv_nsec;
}

/* Calls `each` for the new files below the folder, in the order of their names. */
static void walk(const struct mpl_dump *dump, const char *folder, void (*each)(const char *path)) {
  struct dirent **entries;
  int count = scandir(folder, &entries, visible, alphasort);
  for (int i = 0; i < count; i++) {
    struct stat info;
    char *path = mpl_need(malloc(strlen(folder) + strlen(entries[i]->d_name) + 2));
    sprintf(path, "%s/%s", folder, entries[i]->d_name);
    if (!lstat(path, &info)) {
      if (S_ISDIR(info.st_mode))
        walk(dump, path, each);
      else if (is_new(dump, &info))
        each(path);
    }
    free(path);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

static void print_path(const char *path) {
  printf("%s\n", path);
}

/* clang knows the place of a remark but not the text of the source, which came through a pipe: it
 * says so in a note on the next line, and the place is all that a reader wants of it. */
static void print_remarks(const char *path) {
  static const char note[] = "note: could not determine the original source location for ";
  size_t size, length = strlen(path);
  if (length < 11 || strcmp(path + length - 11, "remarks.txt")) return;
  char *text = mpl_read_file(path, &size), *rest = text, *line, *remark = NULL;
  while (text && (line = strsep(&rest, "\n"))) {
    bool is_note = !strncmp(line, note, sizeof note - 1);
    const char *place = is_note ? line + sizeof note - 1 : "";
    if (remark) printf("%s%s%s\n", place, is_note ? ": " : "", remark);
    remark = is_note || !*line ? NULL : line;
    if (remark && !strncmp(remark, "remark: ", 8)) remark += 8;
  }
  free(text);
}

void mpl_dump_show(const struct mpl_dump *dump) {
  walk(dump, dump->folder, print_path);
  walk(dump, dump->folder, print_remarks);
}

/* The files in the folder of `maniple build --dump`. */
#include "cli/report/dump.h"

#include <dirent.h>
#include <errno.h>
#include <ftw.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "cli/cli.h"
#include "cli/report/report.h"

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
static void walk(const struct mpl_dump *dump, const char *folder,
                 void (*each)(const char *path, void *data), void *data) {
  struct dirent **entries;
  int count = scandir(folder, &entries, visible, alphasort);
  for (int i = 0; i < count; i++) {
    struct stat info;
    char *path = mpl_need(malloc(strlen(folder) + strlen(entries[i]->d_name) + 2));
    sprintf(path, "%s/%s", folder, entries[i]->d_name);
    if (!lstat(path, &info)) {
      if (S_ISDIR(info.st_mode))
        walk(dump, path, each, data);
      else if (is_new(dump, &info))
        each(path, data);
    }
    free(path);
    free(entries[i]);
  }
  if (count >= 0) free(entries);
}

static void print_path(const char *path, void *data) {
  fprintf(data, "%s\n", path);
}

static bool is_remarks(const char *path) {
  const char *name = strrchr(path, '/');
  return name && !strcmp(name, "/remarks.txt");
}

/* What became of a line, and not of a work-item loop or a kernel. */
static bool is_of_line(const char *remark) {
  const char *name = strstr(remark, "[-Rpass=maniple-"), *kernel = name ? strchr(name, ':') : NULL;
  return kernel && strchr(kernel + 1, ':') && !strstr(kernel, "widened]") &&
         !strstr(kernel, "saved]");
}

/* clang knows the place of a remark but not the text of the source, which came through a pipe: it
 * says so in a note on the next line, and the place is all that a reader wants of it.  What became
 * of each line is left to the report. */
static void print_remarks(const char *path, void *data) {
  static const char note[] = "note: could not determine the original source location for ";
  size_t size;
  if (!is_remarks(path)) return;
  char *text = mpl_read_file(path, &size), *rest = text, *line, *remark = NULL;
  while (text && (line = strsep(&rest, "\n"))) {
    bool is_note = !strncmp(line, note, sizeof note - 1);
    const char *place = is_note ? line + sizeof note - 1 : "";
    if (remark && !is_of_line(remark))
      fprintf(data, "%s%s%s\n", place, is_note ? ": " : "", remark);
    remark = is_note || !*line ? NULL : line;
    if (remark && !strncmp(remark, "remark: ", 8)) remark += 8;
  }
  free(text);
}

struct page {
  FILE *out;
  void (*put)(FILE *, const struct mpl_report *);
};

static void put_report(const char *path, void *data) {
  struct page *page = data;
  struct mpl_report report;
  if (!is_remarks(path)) return;
  char *folder = mpl_need(strndup(path, (size_t)(strrchr(path, '/') - path)));
  if (mpl_report_read(&report, folder)) {
    page->put(page->out, &report);
    mpl_report_free(&report);
  }
  free(folder);
}

void mpl_dump_show(const struct mpl_dump *dump) {
  struct page page = {stdout, mpl_report_print};
  walk(dump, dump->folder, print_path, stdout);
  walk(dump, dump->folder, print_remarks, stdout);
  walk(dump, dump->folder, put_report, &page);
}

bool mpl_dump_report(const struct mpl_dump *dump, const char *path) {
  char *text;
  size_t size;
  struct page page = {open_memstream(&text, &size), mpl_report_html};
  if (!page.out) mpl_need(NULL);
  mpl_report_html_begin(page.out);
  walk(dump, dump->folder, put_report, &page);
  mpl_report_html_end(page.out);
  fclose(page.out);
  bool good = mpl_write_file(path, text, size);
  free(text);
  return good;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where) {
  (void)info, (void)kind, (void)where;
  return remove(path);
}

void mpl_dump_remove(const struct mpl_dump *dump) {
  enum { FOLDERS = 8 };
  nftw(dump->folder, remove_one, FOLDERS, FTW_DEPTH | FTW_PHYS);
}

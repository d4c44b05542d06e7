/* `maniple profile`: another program, traced; then what the traces of its processes say. */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/child.h"
#include "cli/cli.h"
#include "cli/timeline/timeline.h"

/* A folder that goes again, with a file for each process. */
struct traces {
  char folder[64];
  char **paths;
  size_t count;
};

static bool begin(struct traces *traces, bool with_groups) {
  char value[sizeof traces->folder + 16];
  strcpy(traces->folder, "/tmp/maniple-profile-XXXXXX");
  if (!mkdtemp(traces->folder)) {
    mpl_fail("cannot make a folder in /tmp: %s", strerror(errno));
    return false;
  }
  snprintf(value, sizeof value, "%s/%%p.json", traces->folder);
  if (setenv("MANIPLE_TRACE", value, 1)) mpl_need(NULL);
  if (with_groups && setenv("MANIPLE_TRACE_GROUPS", "1", 1)) mpl_need(NULL);
  return true;
}

static int by_name(const void *a, const void *b) {
  return strverscmp(*(char *const *)a, *(char *const *)b);
}

static void find_files(struct traces *traces) {
  DIR *folder = opendir(traces->folder);
  for (struct dirent *entry; folder && (entry = readdir(folder));) {
    if (entry->d_name[0] == '.') continue;
    char *path = NULL;
    if (asprintf(&path, "%s/%s", traces->folder, entry->d_name) < 0) mpl_need(NULL);
    traces->paths = mpl_need(realloc(traces->paths, (traces->count + 1) * sizeof *traces->paths));
    traces->paths[traces->count++] = path;
  }
  if (folder) closedir(folder);
  if (traces->count) qsort(traces->paths, traces->count, sizeof *traces->paths, by_name);
}

static void end(struct traces *traces) {
  for (size_t i = 0; i < traces->count; i++) {
    unlink(traces->paths[i]);
    free(traces->paths[i]);
  }
  rmdir(traces->folder);
  free(traces->paths);
}

/* --- The program --- */

/* Its exit status, or -1 if it does not start.  The table of what it has done until a signal is
 * still wanted. */
static int run_program(const struct mpl_cli_args *args) {
  struct mpl_child child;
  if (!mpl_child_run(args, &child)) return -1;
  if (child.signal)
    mpl_note("%s was ended by signal %d: some of its last events are missing", child.name,
             child.signal);
  return child.status;
}

/* --- What came of it --- */

/* All arrays as one. */
static bool write_trace(const struct traces *traces, char *const *texts, const char *path) {
  FILE *out = strcmp(path, "-") ? fopen(path, "w") : stdout;
  bool any = false;
  if (!out) return mpl_fail("cannot write %s: %s", path, strerror(errno)), false;
  for (size_t i = 0; i < traces->count; i++) {
    if (!texts[i]) continue;
    const char *first = strchr(texts[i], '{'), *last = strrchr(texts[i], '}');
    if (!first || !last) continue;
    fprintf(out, "%s\n%.*s", any ? "," : "[", (int)(last + 1 - first), first);
    any = true;
  }
  fputs(any ? "\n]\n" : "[]\n", out);
  return mpl_end_output(out, path);
}

static bool write_page(const struct mpl_timeline *t, const char *path) {
  FILE *out = strcmp(path, "-") ? fopen(path, "w") : stdout;
  if (!out) return mpl_fail("cannot write %s: %s", path, strerror(errno)), false;
  mpl_timeline_html(out, t);
  return mpl_end_output(out, path);
}

static bool show(const struct mpl_cli_args *args, const struct traces *traces) {
  const char *trace = mpl_cli_value(args, MPL_FLAG_P_TRACE);
  const char *page = mpl_cli_value(args, MPL_FLAG_P_REPORT);
  struct mpl_timeline timeline = {0};
  char **texts = mpl_need(calloc(traces->count + 1, sizeof *texts));
  size_t size;
  for (size_t i = 0; i < traces->count; i++) {
    texts[i] = mpl_read_file(traces->paths[i], &size);
    if (texts[i]) mpl_timeline_read(&timeline, texts[i]);
  }
  mpl_timeline_finish(&timeline);
  bool good = !trace || write_trace(traces, texts, trace);
  if (page) good &= write_page(&timeline, page);
  if (!timeline.num_slices)
    mpl_note("nothing was traced: the program used no kernels of maniple's, or ended by _exit()");
  else if (!mpl_cli_value(args, MPL_FLAG_P_QUIET))
    mpl_timeline_print(stderr, &timeline);
  for (size_t i = 0; i < traces->count; i++) free(texts[i]);
  free(texts);
  mpl_timeline_free(&timeline);
  return good;
}

int mpl_command_profile(const struct mpl_cli_args *args) {
  struct traces traces = {0};
  if (!mpl_cli_positional(args, 0)) return mpl_usage("which program? try maniple profile --help");
  if (!begin(&traces, mpl_cli_value(args, MPL_FLAG_P_GROUPS))) return MPL_EXIT_FAILURE;
  int status = run_program(args);
  find_files(&traces);
  bool good = status >= 0 && show(args, &traces);
  end(&traces);
  if (status < 0) return mpl_exit_status();
  return status ? status : good ? MPL_EXIT_OK : mpl_exit_status();
}

#include "cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/options.h"

static char folder_path[PATH_MAX];
static pthread_once_t folder_once = PTHREAD_ONCE_INIT;

/* The XDG base directory specification: relative paths there are to be ignored. */
static void choose_folder(void) {
  const char *own = mpl_option_text(MPL_OPTION_CACHE_DIR);
  const char *xdg = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = 0;
  if (own && *own)
    n = snprintf(folder_path, sizeof folder_path, "%s", own);
  else if (xdg && *xdg == '/')
    n = snprintf(folder_path, sizeof folder_path, "%s/maniple", xdg);
  else if (home && *home == '/')
    n = snprintf(folder_path, sizeof folder_path, "%s/.cache/maniple", home);
  if (n >= (int)sizeof folder_path) folder_path[0] = 0;
}

const char *mpl_cache_folder(void) {
  pthread_once(&folder_once, choose_folder);
  return folder_path;
}

/* Makes the folder and those above it, all of them private: the specification of XDG asks for
 * 0700, and it is the safe choice for the others. */
static void make_folder(const char *path) {
  char part[PATH_MAX];
  snprintf(part, sizeof part, "%s", path);
  for (char *p = part + 1; (p = strchr(p, '/')); p++) {
    *p = 0;
    mkdir(part, 0700);
    *p = '/';
  }
  mkdir(part, 0700);
}

static const char *objection(int folder) {
  struct stat status;
  if (fstat(folder, &status)) return "it cannot be examined";
  if (!S_ISDIR(status.st_mode)) return "it is not a folder";
  if (status.st_uid != geteuid()) return "it belongs to another user";
  if (status.st_mode & 022) return "others may write to it (chmod 700 mends that)";
  return NULL;
}

int mpl_cache_open(bool make, const char **problem) {
  const char *path = mpl_cache_folder();
  const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
  if (problem) *problem = NULL;
  if (!*path) return -1;
  int folder = open(path, flags);
  if (folder < 0 && make && errno == ENOENT) {
    make_folder(path);
    folder = open(path, flags);
  }
  if (folder < 0) return -1;
  const char *why = objection(folder);
  if (!why) return folder;
  if (problem) *problem = why;
  close(folder);
  return -1;
}

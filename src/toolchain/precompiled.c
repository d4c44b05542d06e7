#include "precompiled.h"

#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "runtime/options.h"
#include "runtime/print/log.h"
#include "toolchain/cache/cache.h"
#include "toolchain/cache/cache_folder.h"
#include "toolchain/clang/job.h"
#include "toolchain/process/process.h"

extern char **environ;

static void add_text(struct mpl_hasher *hasher, const char *text) {
  mpl_hash_add_item(hasher, text ? text : "", text ? strlen(text) : 0);
}

/* A program that is exchanged for another has another size or time. */
static void add_identity(struct mpl_hasher *hasher, const char *file) {
  struct stat status;
  int64_t what[3] = {0};
  if (*file && !stat(file, &status)) {
    what[0] = status.st_size;
    what[1] = status.st_mtim.tv_sec;
    what[2] = status.st_mtim.tv_nsec;
  }
  mpl_hash_add_item(hasher, what, sizeof what);
}

/* A word that may name a folder from where we are. */
static bool is_from_here(const char *word) {
  static const char *const options[] = {"-I", "-isystem", "-iquote", "-idirafter", "--sysroot="};
  if (word[0] != '-') return word[0] != '/';
  for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
    size_t length = strlen(options[i]);
    if (!strncmp(word, options[i], length)) return word[length] && word[length] != '/';
  }
  return false;
}

static struct mpl_cache_key key_of(char *const *command, const char *attributes,
                                   const char *header) {
  static const char *const variables[] = {"CPATH", "CPLUS_INCLUDE_PATH", "CCC_OVERRIDE_OPTIONS"};
  struct mpl_cache_key key;
  struct mpl_hasher hasher;
  char here[PATH_MAX];
  bool from_here = false;
  mpl_hash_begin(&hasher);
  add_text(&hasher, "precompiled 2");
  add_text(&hasher, header);
  add_identity(&hasher, command[0]);
  add_identity(&hasher, attributes);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++) {
    add_text(&hasher, getenv(variables[i]));
    from_here |= getenv(variables[i]) != NULL;
  }
  for (; *command; command++) {
    add_text(&hasher, *command);
    from_here |= is_from_here(*command);
  }
  if (from_here) add_text(&hasher, getcwd(here, sizeof here));
  mpl_hash_end(&hasher, key.bytes);
  return key;
}

static bool name_file(const struct mpl_cache_key *key, const char *end, char file[PATH_MAX]) {
  char name[41];
  for (size_t i = 0; i < 20; i++) sprintf(name + 2 * i, "%02x", key->bytes[i]);
  return snprintf(file, PATH_MAX, "%s/%s.pch%s", mpl_cache_folder(), name, end) < PATH_MAX;
}

/* What the cache's entry says of the file. */
struct contents {
  uint64_t size;
  int64_t seconds, nanoseconds; /* when it was written last */
  uint8_t hash[MPL_HASH_SIZE];
};

static bool read_hash(const char *file, uint8_t hash[MPL_HASH_SIZE]) {
  size_t size = 0;
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  void *data = fd < 0 ? NULL : mpl_file_contents(fd, &size);
  if (data) mpl_hash(data, size, hash);
  if (fd >= 0) close(fd);
  free(data);
  return data != NULL;
}

/* It may be gone, or be another's.  Size and time vouch for it, so that not each program reads all of
 * it once more; one that was written at another time is read: it may be damaged, or only copied. */
static bool is_whole(const char *file, const struct contents *then) {
  struct stat status;
  uint8_t hash[MPL_HASH_SIZE];
  if (!then->size || lstat(file, &status) || !S_ISREG(status.st_mode) ||
      status.st_uid != geteuid() || (uint64_t)status.st_size != then->size)
    return false;
  if (status.st_mtim.tv_sec == then->seconds && status.st_mtim.tv_nsec == then->nanoseconds)
    return true;
  return read_hash(file, hash) && !memcmp(hash, then->hash, sizeof hash);
}

static bool find(const struct mpl_cache_key *key, const char *file) {
  struct mpl_cache_entry entry;
  struct contents then = {0};
  if (!mpl_cache_find(key, &entry)) return false;
  if (entry.binary_size == sizeof then) memcpy(&then, entry.binary, sizeof then);
  mpl_cache_entry_free(&entry);
  if (!is_whole(file, &then)) return false;
  utimensat(AT_FDCWD, file, /* the time of last use, for trimming */
            (struct timespec[2]){{.tv_nsec = UTIME_NOW}, {.tv_nsec = UTIME_OMIT}},
            AT_SYMLINK_NOFOLLOW);
  return true;
}

/* Instances that the header asks for are made here too, once.  Files are compared by their sizes
 * then: of their times the cache's entry knows. */
static void add_making(struct mpl_args *line, char *const *command, const char *output) {
  static const char *const words[] = {"-fpch-instantiate-templates",
                                      "-Xclang",
                                      "-fno-pch-timestamp",
                                      "-MD",
                                      "-MF",
                                      "/dev/fd/3",
                                      "-x",
                                      "c++-header",
                                      "-",
                                      "-o"};
  for (; *command; command++) mpl_args_add(line, *command);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++) mpl_args_add(line, words[i]);
  mpl_args_add(line, output);
}

enum { INPUT, OUTPUT, MESSAGES, DEPENDENCIES, FILES };

static bool run(const struct mpl_args *line, const int files[FILES]) {
  posix_spawn_file_actions_t actions;
  int status = -1;
  pid_t child;
  if (line->failed || posix_spawn_file_actions_init(&actions)) return false;
  bool good = true;
  for (int i = 0; i < FILES; i++) good &= !posix_spawn_file_actions_adddup2(&actions, files[i], i);
  good = good && !posix_spawn(&child, line->list[0], &actions, NULL, line->list, environ);
  posix_spawn_file_actions_destroy(&actions);
  return good && waitpid(child, &status, 0) == child && WIFEXITED(status) && !WEXITSTATUS(status);
}

static void keep(const struct mpl_cache_key *key, int dependencies, const struct contents *made) {
  size_t length;
  struct mpl_args list = {0};
  struct mpl_cache_entry entry = {
      .log = "", .binary = (void *)made, .binary_size = sizeof *made};
  char *text = mpl_file_contents(dependencies, &length);
  if (text) mpl_dependencies_read(text, "", &list);
  if (list.count && !list.failed) mpl_cache_store(key, &entry, list.list, list.count);
  mpl_args_free(&list);
  free(text);
}

/* Descriptors above those that the child has for them, so that none is overwritten. */
static int open_above(int fd) {
  int above = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, FILES);
  if (fd >= 0) close(fd);
  return above;
}

static bool make(const struct mpl_cache_key *key, char *const *command, const char *header,
                 const char *file) {
  char input[256], end[64], temporary[PATH_MAX];
  int files[FILES];
  struct mpl_args line = {0};
  struct stat status = {0};
  struct contents made = {0};
  snprintf(end, sizeof end, ".%ld.tmp", (long)getpid());
  int length = snprintf(input, sizeof input, "#include <%s>\n", header);
  bool good = name_file(key, end, temporary);
  for (int i = 0; i < FILES; i++) {
    files[i] = open_above(mpl_memory_file(input, i == INPUT ? (size_t)length : 0));
    good &= files[i] >= 0;
  }
  add_making(&line, command, temporary);
  good = good && run(&line, files) && !stat(temporary, &status) &&
         (uint64_t)status.st_size <= mpl_option_number(MPL_OPTION_CACHE_MAX_SIZE) &&
         read_hash(temporary, made.hash) && !chmod(temporary, 0600) && !rename(temporary, file);
  made.size = (uint64_t)status.st_size;
  made.seconds = status.st_mtim.tv_sec;
  made.nanoseconds = status.st_mtim.tv_nsec;
  if (good)
    keep(key, files[DEPENDENCIES], &made);
  else
    unlink(temporary);
  for (int i = 0; i < FILES; i++)
    if (files[i] >= 0) close(files[i]);
  mpl_args_free(&line);
  mpl_log(MPL_LOG_CACHE, "<%s>: %s", header, good ? "precompiled" : "not precompiled");
  return good;
}

bool mpl_precompiled(char *const *command, const char *attributes, const char *header,
                     char file[PATH_MAX]) {
  bool waited;
  const struct mpl_cache_key key = key_of(command, attributes, header);
  if (!name_file(&key, MPL_CACHE_SUFFIX, file)) return false;
  if (find(&key, file)) return true;
  int claim = mpl_cache_claim(&key, &waited);
  if (claim < 0) return false;
  /* Who waited for one that failed does not try again: the next would wait for that. */
  bool found = waited ? find(&key, file) : make(&key, command, header, file);
  mpl_cache_unclaim(&key, claim);
  return found;
}

/* Another clang, with this plugin too, makes PTX of bitcode. */
#include <dlfcn.h>
#include <limits.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "abi/gpu.h"
#include "gpu_part.h"

extern char **environ;

struct files {
  int bitcode, text, messages;
};

static bool open_files(struct files *files, LLVMMemoryBufferRef bitcode) {
  *files = (struct files){memfd_create("kernels.bc", 0), memfd_create("kernels.ptx", MFD_CLOEXEC),
                          memfd_create("messages", MFD_CLOEXEC)};
  const char *at = LLVMGetBufferStart(bitcode);
  size_t left = LLVMGetBufferSize(bitcode);
  bool good = files->bitcode >= 0 && files->text >= 0 && files->messages >= 0;
  while (good && left) {
    ssize_t done = write(files->bitcode, at, left);
    good = done > 0;
    if (good) at += done, left -= (size_t)done;
  }
  return good;
}

static void close_files(const struct files *files) {
  if (files->bitcode >= 0) close(files->bitcode);
  if (files->text >= 0) close(files->text);
  if (files->messages >= 0) close(files->messages);
}

/* All that was written there; null: no memory. */
static char *content(int file) {
  struct stat status;
  if (fstat(file, &status)) return NULL;
  size_t size = (size_t)status.st_size, done = 0;
  char *text = malloc(size + 1);
  while (text && done < size) {
    ssize_t now = pread(file, text + done, size - done, (off_t)done);
    if (now <= 0) break;
    done += (size_t)now;
  }
  if (text) text[done] = 0;
  return text;
}

/* What was meant for this compilation is not for the other. */
static char **environment(void) {
  static const char own[] = "MANIPLE_PASS_";
  size_t count = 0, kept = 0;
  while (environ[count]) count++;
  char **list = malloc((count + 1) * sizeof *list);
  if (!list) abort();
  for (size_t i = 0; i < count; i++)
    if (strncmp(environ[i], own, sizeof own - 1)) list[kept++] = environ[i];
  list[kept] = NULL;
  return list;
}

enum { BOTH, FRONT };
static const struct {
  int who;
  const char *option;
} fixed[] = {
#define MPL_CLANG_OPTION(who, option) {who, option},
#define MPL_CLANG_GPU_OPTION(option)  {BOTH, option},
#include "tables/clang_options.def"
    {BOTH, "-march=" MPL_NVPTX_CHIP},
    {BOTH, "--cuda-feature=+" MPL_NVPTX_PTX},
    {BOTH, "-O3"},
};

static bool run(const struct files *files, const char *plugin) {
  char clang[PATH_MAX], input[64], option[PATH_MAX + 32];
  ssize_t length = readlink("/proc/self/exe", clang, sizeof clang - 1);
  if (length <= 0) return false;
  clang[length] = 0;
  snprintf(input, sizeof input, "/proc/self/fd/%d", files->bitcode);
  snprintf(option, sizeof option, "-fpass-plugin=%s", plugin);
  const char *words[40] = {clang};
  size_t count = 1;
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
    if (fixed[i].who == BOTH) words[count++] = fixed[i].option;
  const char *const last[] = {option, "-S", "-x", "ir", input, "-o-", NULL};
  _Static_assert(1 + sizeof fixed / sizeof *fixed + sizeof last / sizeof *last <= 40, "room for words");
  memcpy(words + count, last, sizeof last);
  posix_spawn_file_actions_t actions;
  pid_t child;
  int status = -1;
  char **settings = environment();
  if (posix_spawn_file_actions_init(&actions)) abort();
  posix_spawn_file_actions_adddup2(&actions, files->text, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, files->messages, STDERR_FILENO);
  bool started = !posix_spawn(&child, clang, &actions, NULL, (char *const *)words, settings);
  posix_spawn_file_actions_destroy(&actions);
  free(settings);
  return started && waitpid(child, &status, 0) == child && WIFEXITED(status) &&
         !WEXITSTATUS(status);
}

/* The first line with an error in it. */
static void explain(const struct files *files, char *why, size_t room) {
  char *messages = content(files->messages);
  const char *found = messages ? strstr(messages, "error: ") : NULL;
  found = found ? found + strlen("error: ") : messages;
  snprintf(why, room, "%.*s", found ? (int)strcspn(found, "\n") : 0, found ? found : "");
  free(messages);
}

char *mpl_gpu_text(LLVMMemoryBufferRef bitcode, char *why, size_t room) {
  struct files files;
  Dl_info info;
  char *text = NULL;
  snprintf(why, room, "its compiler cannot be started");
  if (open_files(&files, bitcode) && dladdr((void *)mpl_gpu_text, &info) && info.dli_fname) {
    if (run(&files, info.dli_fname))
      text = content(files.text);
    else
      explain(&files, why, room);
  }
  close_files(&files);
  return text;
}

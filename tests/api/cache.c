/* The disk cache, and compilers that do not work.  Options are read once per process, so each step
 * runs this program again with other variables: `cache build SOURCE` prints what came of it. */
#include "api.h"
#include "tables/clang.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char *const plain = "kernel void k(global int *p) { p[get_global_id(0)] += 41; }";
static char self[4096], root[64] = "/tmp/maniple-cache-XXXXXX", folder[128], report[65536];

/* What a child does: exit status 0 if the program was built and gave 42. */
static int child(const char *source) {
  open_device();
  cl_program program = source_program(source);
  cl_int error = clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
  print_log(program);
  if (error) return error == CL_BUILD_PROGRAM_FAILURE ? 10 : 11;
  cl_int values[4] = {1, 1, 1, 1};
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  if (!kernel) return 12;
  run_on(kernel, values, 4, 0);
  return values[0] == 42 && values[3] == 42 && !failures ? 0 : 13;
}

/* Starts one with `NAME=value` settings; its output goes to a file. */
static pid_t start(const char *source, const char *const *settings, int number) {
  pid_t pid = fork();
  if (pid) return pid;
  char output[128];
  snprintf(output, sizeof output, "%s/output%d", root, number);
  int fd = open(output, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  dup2(fd, 1);
  dup2(fd, 2);
  setenv("MANIPLE_CACHE", "1", 1);
  setenv("MANIPLE_CACHE_DIR", folder, 1);
  setenv("MANIPLE_DEBUG", "cache", 1);
  for (; settings && *settings; settings++) putenv((char *)*settings);
  execl(self, self, "build", source, NULL);
  _exit(99);
}

static int end(pid_t pid, int number) {
  int status = 0;
  char output[128];
  waitpid(pid, &status, 0);
  snprintf(output, sizeof output, "%s/output%d", root, number);
  FILE *file = fopen(output, "r");
  size_t size = file ? fread(report, 1, sizeof report - 1, file) : 0;
  if (file) fclose(file);
  report[size] = 0;
  unlink(output);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 100 + WTERMSIG(status);
}

static int build_with(const char *source, const char *const *settings) {
  return end(start(source, settings, 0), 0);
}

/* Calls `each` for the entries; returns how many there are. */
static int entries(void (*each)(const char *path)) {
  int count = 0;
  DIR *stream = opendir(folder);
  for (struct dirent *entry; stream && (entry = readdir(stream));) {
    if (entry->d_name[0] == '.') continue;
    char path[512];
    snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
    if (each) each(path);
    count++;
  }
  if (stream) closedir(stream);
  return count;
}

static off_t harmed; /* of its bytes; less than 0: in the middle */

static void damage(const char *path) {
  int fd = open(path, O_RDWR);
  char byte = 0;
  off_t place = harmed < 0 ? lseek(fd, 0, SEEK_END) / 2 : harmed;
  CHECK(pread(fd, &byte, 1, place) == 1);
  byte ^= 1;
  CHECK(pwrite(fd, &byte, 1, place) == 1);
  close(fd);
}

static void cut(const char *path) {
  CHECK(!truncate(path, 100));
}
static void empty(const char *path) {
  CHECK(!truncate(path, 0));
}
static void open_to_all(const char *path) {
  CHECK(!chmod(path, 0666));
}
static void remove_entry(const char *path) {
  unlink(path);
}

static void check_hits(void) {
  static const char *const off[] = {"MANIPLE_CACHE=0", NULL};
  CHECK(build_with(plain, NULL) == 0 && strstr(report, "stored"));
  CHECK(entries(NULL) == 1);
  struct stat status;
  CHECK(!stat(folder, &status) && (status.st_mode & 0777) == 0700);
  CHECK(build_with(plain, NULL) == 0 && strstr(report, ": hit"));
  CHECK(build_with(plain, off) == 0 && !strstr(report, "hit"));
  for (harmed = 0; harmed < 96; harmed += 8) { /* of the header, a byte of each number and hash */
    entries(damage);
    CHECK(build_with(plain, NULL) == 0 && !strstr(report, ": hit"));
  }
  harmed = -1;
  void (*const harm[])(const char *) = {damage, cut, empty, open_to_all};
  for (size_t i = 0; i < sizeof harm / sizeof *harm; i++) {
    entries(harm[i]);
    CHECK(build_with(plain, NULL) == 0 && !strstr(report, ": hit"));
    CHECK(build_with(plain, NULL) == 0 && strstr(report, ": hit"));
  }
  /* Warnings are repeated. */
  const char *warns = "#warning mind\nkernel void k(global int *p) { p[get_global_id(0)] += 41; }";
  CHECK(build_with(warns, NULL) == 0 && strstr(report, "warning: mind"));
  CHECK(build_with(warns, NULL) == 0 && strstr(report, "warning: mind") && strstr(report, ": hit"));
  entries(remove_entry);
}

/* Another size of sub-groups is another program; what our compiler passes are told by the
 * environment is not the user's to say. */
static void check_sub_groups(void) {
  static const char *const other[] = {"MANIPLE_SUBGROUP_SIZE=32", NULL};
  static const char *const inner[] = {"MANIPLE_PASS_SUBGROUP_SIZE=32", NULL};
  const char *source = "kernel void k(global int *p) {\n"
                       "  p[get_global_id(0)] += get_max_sub_group_size() == 16 ? 41 : 50; }";
  CHECK(build_with(source, inner) == 0);
  CHECK(build_with(source, other) == 13 && !strstr(report, ": hit"));
  CHECK(build_with(source, NULL) == 0 && strstr(report, ": hit"));
  entries(remove_entry);
}

static void write_header(int value) {
  char path[128];
  snprintf(path, sizeof path, "%s/add.h", root);
  FILE *file = fopen(path, "w");
  fprintf(file, "#define ADD %d\n", value);
  fclose(file);
}

static void check_includes(void) {
  char source[512];
  snprintf(source, sizeof source,
           "#include \"%s/add.h\"\n"
           "kernel void k(global int *p) { p[get_global_id(0)] += ADD; }",
           root);
  write_header(41);
  CHECK(build_with(source, NULL) == 0);
  CHECK(build_with(source, NULL) == 0 && strstr(report, ": hit"));
  write_header(50);
  CHECK(build_with(source, NULL) == 13); /* other contents: not the old program */
  write_header(41);
  CHECK(build_with(source, NULL) == 0);
  write_header(41); /* another time, the same contents */
  CHECK(build_with(source, NULL) == 0 && strstr(report, ": hit"));
  char path[128];
  snprintf(path, sizeof path, "%s/add.h", root);
  unlink(path);
  CHECK(build_with(source, NULL) == 10);
  entries(remove_entry);
}

static void check_folders(void) {
  CHECK(!chmod(folder, 0777));
  CHECK(build_with(plain, NULL) == 0 && strstr(report, "others may write") && entries(NULL) == 0);
  CHECK(!chmod(folder, 0500));
  CHECK(build_with(plain, NULL) == 0 && (getuid() == 0 || entries(NULL) == 0));
  CHECK(!chmod(folder, 0700));
  static char file_instead[160];
  snprintf(file_instead, sizeof file_instead, "MANIPLE_CACHE_DIR=%s/file", root);
  const char *const settings[] = {file_instead, NULL};
  int fd = open(strchr(file_instead, '=') + 1, O_CREAT | O_WRONLY, 0600);
  close(fd);
  CHECK(build_with(plain, settings) == 0);
  unlink(strchr(file_instead, '=') + 1);
  static const char *const nowhere[] = {"MANIPLE_CACHE_DIR=/proc/none/cache", NULL};
  CHECK(build_with(plain, nowhere) == 0);
  if (getuid() == 0) { /* somebody else's */
    CHECK(!chown(folder, 65534, 65534));
    CHECK(build_with(plain, NULL) == 0 && strstr(report, "another user"));
    CHECK(!chown(folder, 0, 0));
  }
  entries(remove_entry);
}

static void check_trim(void) {
  static const char *const small[] = {"MANIPLE_CACHE_MAX_SIZE=40K", NULL};
  for (int i = 0; i < 12; i++) {
    char source[256];
    snprintf(source, sizeof source, "%s // %d", plain, i);
    CHECK(build_with(source, small) == 0);
  }
  int count = entries(NULL);
  CHECK(count >= 1 && count < 12);
  entries(remove_entry);
}

static void check_many_at_once(void) {
  enum { N = 64 };
  int stored = 0, hits = 0;
  pid_t pids[N];
  for (int i = 0; i < N; i++) pids[i] = start(plain, NULL, i);
  for (int i = 0; i < N; i++) {
    CHECK(end(pids[i], i) == 0);
    stored += strstr(report, ": stored") != NULL;
    hits += strstr(report, ": hit") != NULL;
  }
  CHECK(stored == 1 && hits == N - 1); /* one has compiled, the others have waited */
  CHECK(entries(NULL) == 1);
  CHECK(build_with(plain, NULL) == 0 && strstr(report, ": hit"));
  entries(remove_entry);
}

/* Compilers that are missing, die, hang or write nonsense. */
static void check_compilers(void) {
  static const struct {
    const char *script, *says;
  } compilers[] = {
      {"#!/bin/sh\nkill -9 $$\n", "killed by signal 9"},
      {"#!/bin/sh\nexit 70\n", "exit status 70"},
      {"#!/bin/sh\nwhile :; do :; done\n", "MANIPLE_BUILD_TIMEOUT"},
      {"#!/bin/sh\nexit 0\n", "no output: is there enough memory, and is it the " MPL_CLANG_NAME},
      {"#!/bin/sh\nexit 1\n", "failed and said nothing: is it the " MPL_CLANG_NAME},
      {"#!/bin/sh\necho nonsense\n", ""},
      {"#!/bin/sh\necho '<source>:1:1: error: it is so' >&2\nexit 1\n", "error: it is so"},
  };
  static char path[160];
  snprintf(path, sizeof path, "MANIPLE_CLANG=%s/clang", root);
  const char *const settings[] = {path, "MANIPLE_BUILD_TIMEOUT=1", NULL};
  CHECK(build_with(plain, settings) == 10 && strstr(report, "install the package " MPL_CLANG));
  for (size_t i = 0; i < sizeof compilers / sizeof *compilers; i++) {
    FILE *file = fopen(strchr(path, '=') + 1, "w");
    fputs(compilers[i].script, file);
    fclose(file);
    CHECK(!chmod(strchr(path, '=') + 1, 0700));
    CHECK(build_with(plain, settings) == 10);
    if (!strstr(report, compilers[i].says)) {
      failures++;
      printf("%s: %s\n", compilers[i].script, report);
    }
  }
  unlink(strchr(path, '=') + 1);
  CHECK(entries(NULL) == 0); /* failures are not kept */
}

/* Where nothing can be kept the program is built all the same, and it is said. */
static void check_dump(void) {
  static const char *const settings[][2] = {{"MANIPLE_DUMP=/proc/nowhere", NULL},
                                            {"MANIPLE_DUMP=/etc/passwd", NULL}};
  for (int i = 0; i < 2; i++) {
    CHECK(build_with(plain, settings[i]) == 0);
    CHECK(strstr(report, settings[i][0]) && strstr(report, ": nothing is kept there: "));
  }
  entries(remove_entry);
}

int main(int argc, char **argv) {
  if (argc == 3) return child(argv[2]);
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  if (n < 0 || !mkdtemp(root)) return 1;
  snprintf(folder, sizeof folder, "%s/deep/cache", root);
  check_hits();
  check_sub_groups();
  check_includes();
  check_folders();
  check_trim();
  check_many_at_once();
  check_dump();
  check_compilers();
  char deep[128];
  snprintf(deep, sizeof deep, "%s/deep", root);
  CHECK(!rmdir(folder) && !rmdir(deep) && !rmdir(root));
  return finish();
}

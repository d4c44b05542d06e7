/* Golden files of what bad input is answered.
 *
 *   diagnostics [-u] FILE.cl ...      -u writes the .ref files instead of comparing
 *
 * The first lines of FILE.cl may say, after slashes:
 *   options: ...                 of the build; $DIR is the file's folder
 *   env: NAME=VALUE              set before the driver is loaded
 *   link                         compiled, then linked, instead of built
 *   launch: GLOBAL LOCAL BYTES   of the kernel `k`, BYTES of local memory in its argument, if not 0
 * FILE.ref holds the code of each call, the build log with that folder written as $DIR, and what
 * the kernel printed.  Its messages are clang 19's: of another version's, what is said is compared alone. */
#define _GNU_SOURCE /* memmem */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/host.h"
#include "tables/clang.h"

struct golden {
  char *source, *folder;
  FILE *answer;
};

static const char *code_name(cl_int code) {
  static const struct { cl_int code; const char *name; } names[] = {
#define CODE(NAME) {NAME, #NAME},
      CODE(CL_SUCCESS) CODE(CL_COMPILER_NOT_AVAILABLE) CODE(CL_OUT_OF_RESOURCES)
      CODE(CL_OUT_OF_HOST_MEMORY) CODE(CL_BUILD_PROGRAM_FAILURE) CODE(CL_COMPILE_PROGRAM_FAILURE)
      CODE(CL_LINK_PROGRAM_FAILURE) CODE(CL_INVALID_BUILD_OPTIONS) CODE(CL_INVALID_COMPILER_OPTIONS)
      CODE(CL_INVALID_LINKER_OPTIONS) CODE(CL_INVALID_PROGRAM_EXECUTABLE) CODE(CL_INVALID_KERNEL_NAME)
      CODE(CL_INVALID_KERNEL_ARGS) CODE(CL_INVALID_WORK_GROUP_SIZE) CODE(CL_INVALID_WORK_ITEM_SIZE)
      CODE(CL_INVALID_ARG_SIZE) CODE(CL_INVALID_VALUE) CODE(CL_LINKER_NOT_AVAILABLE)
#undef CODE
  };
  static char other[32];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].code == code) return names[i].name;
  snprintf(other, sizeof other, "%d", code);
  return other;
}

/* The text after "// KEY" on one of the first lines, without the end of line; null if none. */
static char *directive(const struct golden *g, const char *key) {
  size_t length = strlen(key);
  for (const char *line = g->source; !strncmp(line, "//", 2); line = strchr(line, '\n') + 1) {
    const char *text = line + 2 + strspn(line + 2, " "), *end = strchr(text, '\n');
    if (!end) break;
    if (strncmp(text, key, length)) continue;
    text += length + strspn(text + length, " ");
    return strndup(text, text < end ? (size_t)(end - text) : 0);
  }
  return NULL;
}

static void put_replaced(FILE *file, const char *text, const char *from, const char *to) {
  for (const char *at; *from && (at = strstr(text, from)); text = at + strlen(from))
    fprintf(file, "%.*s%s", (int)(at - text), text, to);
  fputs(text, file);
}

static void put_log(struct golden *g, cl_program program) {
  size_t size = 0;
  cl_device_id device = host_open()->device;
  CL(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
  char *log = calloc(size + 1, 1);
  CL(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
  put_replaced(g->answer, log, g->folder, "$DIR");
  if (*log && log[strlen(log) - 1] != '\n') fputc('\n', g->answer);
  free(log);
}

static cl_program build(struct golden *g, const char *options) {
  const struct host *host = host_open();
  cl_int code;
  cl_program program =
      clCreateProgramWithSource(host->context, 1, (const char **)&g->source, NULL, &code);
  CL(code);
  char *link = directive(g, "link");
  if (!link) {
    code = clBuildProgram(program, 1, &host->device, options, NULL, NULL);
    fprintf(g->answer, "clBuildProgram: %s\n", code_name(code));
    put_log(g, program);
    return code ? NULL : program;
  }
  code = clCompileProgram(program, 1, &host->device, options, 0, NULL, NULL, NULL, NULL);
  fprintf(g->answer, "clCompileProgram: %s\n", code_name(code));
  put_log(g, program);
  if (code) return NULL;
  cl_program linked = clLinkProgram(host->context, 1, &host->device, link, 1, &program, NULL, NULL,
                                    &code);
  fprintf(g->answer, "clLinkProgram: %s\n", code_name(code));
  if (linked) put_log(g, linked);
  free(link);
  return code ? NULL : linked;
}

/* Runs the kernel and adds what it printed. */
static void finish(struct golden *g) {
  FILE *printed = tmpfile();
  int out = dup(1), c;
  fflush(stdout);
  dup2(fileno(printed), 1);
  cl_int code = clFinish(host_open()->queue);
  fflush(stdout);
  dup2(out, 1);
  close(out);
  fprintf(g->answer, "clFinish: %s\n", code_name(code));
  rewind(printed);
  while ((c = getc(printed)) != EOF) putc(c, g->answer);
  fclose(printed);
}

static void launch(struct golden *g, cl_program program, const char *how) {
  size_t global = 1, local = 1, bytes = 0;
  cl_int code;
  sscanf(how, "%zu %zu %zu", &global, &local, &bytes);
  cl_kernel kernel = clCreateKernel(program, "k", &code);
  fprintf(g->answer, "clCreateKernel: %s\n", code_name(code));
  if (code) return;
  if (bytes) {
    code = clSetKernelArg(kernel, 0, bytes, NULL);
    fprintf(g->answer, "clSetKernelArg: %s\n", code_name(code));
  }
  fflush(stdout);
  code = clEnqueueNDRangeKernel(host_open()->queue, kernel, 1, NULL, &global, local ? &local : NULL,
                                0, NULL, NULL);
  fprintf(g->answer, "clEnqueueNDRangeKernel: %s\n", code_name(code));
  if (!code) finish(g);
}

/* The answer for one file, as text. */
static char *answer_of(const char *path) {
  struct golden g = {.source = read_file(path)};
  const char *slash = strrchr(path, '/');
  char *text = NULL, *options = NULL, *env = directive(&g, "env:"), *how = directive(&g, "launch:");
  char *given = directive(&g, "options:");
  size_t size;
  g.folder = slash ? strndup(path, (size_t)(slash - path)) : strdup(".");
  g.answer = open_memstream(&options, &size);
  put_replaced(g.answer, given ? given : "-cl-std=CL3.0", "$DIR", g.folder);
  fclose(g.answer);
  if (env) putenv(env);
  g.answer = open_memstream(&text, &size);
  cl_program program = build(&g, options);
  if (program && how) launch(&g, program, how);
  fclose(g.answer);
  return text;
}

/* How long a line is without what one version of clang adds to another's: the column of a sentence. */
static size_t before_column(const char *line, size_t length) {
  static const char *const kinds[] = {": error: ", ": warning: "};
  for (unsigned k = 0; k < 2; k++) {
    const char *kind = memmem(line, length, kinds[k], strlen(kinds[k])), *at = kind;
    while (at && at > line && isdigit(at[-1])) at--;
    if (at && at < kind && at > line + 1 && at[-1] == ':') return (size_t)(at - 1 - line);
  }
  return length;
}

/* What is said, without where clang looked for it: the source's lines, notes, columns. */
static void keep_sentences(char *text) {
  char *to = text;
  for (char *line = text, *next; *line; line = next) {
    size_t length = strcspn(line, "\n"), bar = strcspn(line, "|");
    next = line + length + (line[length] == '\n');
    bool is_source = bar < length && strspn(line, " 0123456789") == bar;
    if (is_source || memmem(line, length, ": note: ", 8) || !strncmp(line, "In file included", 16)) continue;
    for (size_t k = 0, column = before_column(line, length); line + k < next; k++) {
      if (k == column && column < length) k += 1 + strspn(line + k + 1, "0123456789");
      *to++ = line[k];
    }
  }
  *to = 0;
}

static char *replaced(const char *text, const char *from, const char *to) {
  char *made = NULL;
  size_t size;
  FILE *file = open_memstream(&made, &size);
  put_replaced(file, text, from, to);
  fclose(file);
  return made;
}

/* Is it the answer that the file has? */
static bool is_as(char *answer, char **want, const char *ref) {
  *want = read_file(ref);
  if (strcmp(MPL_LLVM, "19") != 0) {
    *want = replaced(replaced(*want, "clang 19", MPL_CLANG_NAME), "clang-19", MPL_CLANG);
    keep_sentences(*want);
    keep_sentences(answer);
  }
  return !strcmp(answer, *want);
}

/* In a process of its own, for the environment. */
static int check(const char *path, bool update) {
  char ref[4096];
  snprintf(ref, sizeof ref, "%.*s.ref", (int)strlen(path) - 3, path);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    char *answer = answer_of(path);
    if (update) {
      FILE *file = fopen(ref, "w");
      if (!file || fputs(answer, file) < 0 || fclose(file)) die("cannot write %s", ref);
      exit(0);
    }
    char *want;
    if (is_as(answer, &want, ref)) exit(0);
    printf("%s should be\n%s----\nbut is\n%s----\n", path, want, answer);
    exit(1);
  }
  int status = 0;
  waitpid(child, &status, 0);
  printf("%s %s\n", status ? "FAILED" : "ok", path);
  return status != 0;
}

int main(int argc, char **argv) {
  bool update = argc > 1 && !strcmp(argv[1], "-u");
  int failed = 0;
  for (int i = 1 + update; i < argc; i++) failed |= check(argv[i], update);
  return failed;
}

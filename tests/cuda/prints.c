/* What a launch prints: the device's texts are read once for each of its many lines, and of what is
 * more than its buffer takes nothing is damaged, and the rest is told on stderr. */
#include <unistd.h>

#include "api/api.h"
#include "cuda/open_twin.h"

enum { LINES = 2000, TOO_MANY = 40000, BUFFER = 1 << 24, RECORD = 16 + 8 * 64 + 64 };

static const char source[] =
    "kernel void many() { printf(\"%lu %s\\n\", get_global_id(0), \"times\"); }"
    "kernel void wide() { ulong8 a = get_global_id(0); printf(\"%v8lu %v8lu %v8lu %v8lu \"\n"
    "  \"%v8lu %v8lu %v8lu %v8lu\\n\", a, a, a, a, a, a, a, a); }";

/* The output of a launch is in the file then, at its beginning. */
static FILE *run(const char *name, size_t size, int stream, cl_program program) {
  cl_int error;
  FILE *file = tmpfile();
  int kept = dup(stream);
  cl_kernel kernel = clCreateKernel(program, name, &error);
  EXPECT(CL_SUCCESS, error);
  fflush(stdout);
  dup2(fileno(file), stream);
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  fflush(stdout);
  dup2(kept, stream);
  close(kept);
  rewind(file);
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  return file;
}

static void check_many(cl_program program, const struct twin_control *control) {
  static bool seen[LINES];
  unsigned long copies = control->count("cuMemcpyDtoHAsync_v2"), id;
  unsigned count = 0;
  char word[16];
  FILE *file = run("many", LINES, STDOUT_FILENO, program);
  while (fscanf(file, "%lu %15s\n", &id, word) == 2) {
    CHECK(id < LINES && !seen[id] && !strcmp(word, "times"));
    seen[id] = true;
    count++;
  }
  EXPECT(LINES, (int)count);
  CHECK(control->count("cuMemcpyDtoHAsync_v2") - copies <= 16);
  fclose(file);
}

static void check_wide(cl_program program) {
  static char line[8192];
  unsigned count = 0, wrong = 0;
  FILE *file = run("wide", TOO_MANY, STDOUT_FILENO, program);
  while (fgets(line, sizeof line, file)) {
    unsigned numbers = 0;
    char *end;
    unsigned long first = strtoul(line, &end, 10);
    for (const char *at = line; *at && *at != '\n'; at = *end ? end + 1 : end, numbers++)
      wrong += strtoul(at, &end, 10) != first;
    wrong += numbers != 64;
    count++;
  }
  fclose(file);
  EXPECT(0, (int)wrong);
  CHECK(count > BUFFER / RECORD && count < TOO_MANY);
}

/* Its lines go to another file. */
static void check_told(cl_program program) {
  static char line[4096];
  FILE *other = run("many", 1, STDOUT_FILENO, program);
  fclose(other);
  int kept = dup(STDOUT_FILENO);
  freopen("/dev/null", "w", stdout);
  FILE *file = run("wide", TOO_MANY, STDERR_FILENO, program);
  fflush(stdout);
  dup2(kept, STDOUT_FILENO);
  CHECK(fgets(line, sizeof line, file) && strstr(line, "printf") && strstr(line, "lost"));
  CHECK(!fgets(line, sizeof line, file));
  fclose(file);
}

int main(void) {
  cl_int error;
  const char *text = source;
  alarm(300);
  open_device();
  const struct twin_control *control = open_twin();
  CHECK(control);
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  check_many(program, control);
  check_wide(program);
  check_told(program);
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
  return finish();
}

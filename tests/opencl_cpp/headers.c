/* Each header of the OpenCL C++ library by itself, twice in one program, in each of the languages,
 * with all warnings.  Of those that there is nothing behind: one sentence.
 *
 *   headers NAME ... */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/host.h"

static const char *const standards[] = {"c++", "clc++", "clc++1.0", "clc++2021"};
static const char *const absent[] = {"opencl_pipe", "opencl_device_queue", "opencl_spec_constant"};
#define COUNT(list) (sizeof(list) / sizeof *(list))

static char *build(const char *header, const char *standard, cl_int *code) {
  const struct host *host = host_open();
  char source[1024], options[128];
  const char *text = source;
  size_t size = 0;
  cl_int error;
  snprintf(source, sizeof source,
           "#include <%s>\n#include <%s>\nkernel void k(__global int *p) { p[0] = 1; }\n", header,
           header);
  snprintf(options, sizeof options, "-cl-std=%s -Wall -Wextra", standard);
  cl_program program = clCreateProgramWithSource(host->context, 1, &text, NULL, &error);
  CL(error);
  *code = clBuildProgram(program, 1, &host->device, options, NULL, NULL);
  CL(clGetProgramBuildInfo(program, host->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
  char *log = calloc(size + 1, 1);
  CL(clGetProgramBuildInfo(program, host->device, CL_PROGRAM_BUILD_LOG, size, log, NULL));
  CL(clReleaseProgram(program));
  return log;
}

static bool check(const char *header, const char *standard) {
  cl_int code;
  char *log = build(header, standard, &code), sentence[128];
  bool has = true, good;
  for (size_t i = 0; i < COUNT(absent); i++) has &= strcmp(header, absent[i]) != 0;
  snprintf(sentence, sizeof sentence, "error: \"<%s>: OpenCL C++ has no ", header);
  good = has ? code == CL_SUCCESS && !*log : code != CL_SUCCESS && strstr(log, sentence);
  printf("%s <%s>, -cl-std=%s\n%s", good ? "ok" : "FAILED", header, standard, good ? "" : log);
  free(log);
  return good;
}

int main(int argc, char **argv) {
  int failed = argc < 2;
  for (int i = 1; i < argc; i++)
    for (size_t s = 0; s < COUNT(standards); s++) failed |= !check(argv[i], standards[s]);
  return failed;
}

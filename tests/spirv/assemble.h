/* Modules from text, by spirv-as. */
#ifndef MPL_TESTS_SPIRV_ASSEMBLE_H
#define MPL_TESTS_SPIRV_ASSEMBLE_H

#include <unistd.h>

#include "api/api.h"

enum { SKIPPED = 77 };

static inline void need_assembler(void) {
  if (!system("spirv-as --version >/dev/null 2>&1 && spirv-val --version >/dev/null 2>&1")) return;
  printf("spirv-as or spirv-val is not there\n");
  exit(SKIPPED);
}

/* A module of that version ("1.0"), malloc'd. */
static inline unsigned char *assemble(const char *version, const char *text, size_t *size) {
  char source[] = "/tmp/maniple-spirv-XXXXXX", module[64], command[256];
  int fd = mkstemp(source);
  snprintf(module, sizeof module, "%s.spv", source);
  snprintf(command, sizeof command, "spirv-as --target-env spv%s %s -o %s", version, source,
           module);
  bool good = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text) && !system(command);
  FILE *file = good ? fopen(module, "rb") : NULL;
  if (!file) {
    printf("spirv-as does not take the module\n");
    exit(1);
  }
  unsigned char *data = malloc(1 << 20);
  *size = fread(data, 1, 1 << 20, file);
  fclose(file);
  close(fd);
  unlink(source);
  unlink(module);
  return data;
}

static inline cl_program il_program(const char *version, const char *text) {
  cl_int error;
  size_t size;
  unsigned char *module = assemble(version, text, &size);
  cl_program program = clCreateProgramWithIL(context, module, size, &error);
  CHECK(program && !error);
  free(module);
  return program;
}

static inline cl_program il_build(const char *version, const char *text) {
  cl_program program = il_program(version, text);
  cl_int error = clBuildProgram(program, 0, NULL, "", NULL, NULL);
  CHECK(!error);
  if (error) print_log(program);
  return program;
}

#endif

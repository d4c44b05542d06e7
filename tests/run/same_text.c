#include "run/same_text.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

char *same_text_of(const struct same_text *t, bool for_host, uint64_t seed, unsigned count) {
  char *text;
  size_t size;
  FILE *file = open_memstream(&text, &size);
  if (!file) die("out of memory");
  t->write(file, for_host, seed, count);
  if (fclose(file)) die("out of memory");
  return text;
}

void *same_text_for_host(const struct same_text *t, const char *compiler, uint64_t seed,
                         unsigned count) {
  char folder[] = "/tmp/maniple-text-XXXXXX", source[64], object[64], command[512];
  char *text = same_text_of(t, true, seed, count);
  if (!mkdtemp(folder)) die("no folder for the host's code");
  snprintf(source, sizeof source, "%s/text.c", folder);
  snprintf(object, sizeof object, "%s/text.so", folder);
  FILE *file = fopen(source, "w");
  if (!file || fputs(text, file) < 0 || fclose(file)) die("cannot write %s", source);
  snprintf(command, sizeof command, "%s -w -O1 %s -shared -fPIC -o %s %s", compiler, t->options,
           object, source);
  int status = system(command);
  if (!WIFEXITED(status) || WEXITSTATUS(status)) die("this failed: %s", command);
  void *library = dlopen(object, RTLD_NOW);
  if (!library) die("%s", dlerror());
  unlink(source);
  unlink(object);
  rmdir(folder);
  free(text);
  return library;
}

void *same_text_function(void *library, const char *name) {
  void *function = dlsym(library, name);
  if (!function) die("%s", dlerror());
  return function;
}

cl_program same_text_for_device(const struct same_text *t, uint64_t seed, unsigned count) {
  char *text = same_text_of(t, false, seed, count);
  cl_program program = host_build(text, "-cl-std=CL3.0");
  free(text);
  return program;
}

static bool run_program(const struct same_text *t, void *library, uint64_t seed, unsigned count,
                        uint64_t *bad) {
  bool good = true;
  cl_program program = same_text_for_device(t, seed, count);
  for (unsigned k = 0; k < count && good; k++) {
    good = t->is_same(library, program, seed + k);
    if (!good) *bad = seed + k;
  }
  CL(clReleaseProgram(program));
  return good;
}

static bool run_batch(const struct same_text *t, const char *compiler, uint64_t seed,
                      unsigned count, uint64_t *bad) {
  bool good = true;
  void *library = same_text_for_host(t, compiler, seed, count);
  for (unsigned done = 0; done < count && good; done += t->together) {
    unsigned together = count - done < t->together ? count - done : t->together;
    good = run_program(t, library, seed + done, together, bad);
  }
  dlclose(library);
  return good;
}

bool same_text_run(const struct same_text *t, const char *compiler, uint64_t seed, uint64_t count,
                   uint64_t *bad) {
  for (uint64_t done = 0; done < count; done += t->batch) {
    unsigned batch = count - done < t->batch ? (unsigned)(count - done) : t->batch;
    if (!run_batch(t, compiler, seed + done, batch, bad)) return false;
  }
  return true;
}

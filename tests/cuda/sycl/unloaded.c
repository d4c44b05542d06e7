/* A library with kernels for GPUs comes where another one was that has been unloaded: their texts
 * are at the same address, and each has its own kernel.
 *
 *   unloaded FIRST.so SECOND.so, which answer 1 and 2 and are alike otherwise */
#include <dlfcn.h>
#include <maniple/maniple.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT = 8, TURNS = 6 };

typedef int ask_function(int *to, size_t count);

/* Whether it answers so; `at`: where the library is. */
static int ask_library(const char *path, int answer, int *to, void **at) {
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  ask_function *ask = library ? (ask_function *)dlsym(library, "ask") : NULL;
  if (!ask) {
    printf("%s: %s\n", path, dlerror());
    return 0;
  }
  *at = (void *)ask;
  for (int i = 0; i < COUNT; i++) to[i] = 0;
  int error = ask(to, COUNT), good = !error;
  for (int i = 0; i < COUNT; i++) good &= to[i] == answer;
  if (!good) printf("%s: error %d, answer %d, not %d\n", path, error, to[0], answer);
  dlclose(library);
  return good;
}

int main(int argc, char **argv) {
  struct mpl_device *gpu = argc == 3 ? mpl_get_device(1) : NULL;
  int good = gpu != NULL, met = 0;
  void *at[2] = {NULL, NULL};
  int *to = gpu ? mpl_malloc(gpu, MPL_MEMORY_SHARED, COUNT * sizeof *to, 0) : NULL;
  if (gpu) mpl_use_device(gpu);
  for (int turn = 0; good && turn < TURNS; turn++) {
    good = ask_library(argv[1 + turn % 2], 1 + turn % 2, to, &at[turn % 2]);
    met += at[0] == at[1];
  }
  if (good && !met) printf("the libraries were never at the same place\n");
  mpl_free(to);
  return !good || !met;
}

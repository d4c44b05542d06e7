/* The kernels of these tests: in the repository, or in a bundle on another machine
 * (scripts/gpu-run.sh), which BUILTINS_FOLDER in the environment names. */
#ifndef MPL_TESTS_BUILTINS_FOLDER_H
#define MPL_TESTS_BUILTINS_FOLDER_H

#include <stdio.h>
#include <stdlib.h>

static inline FILE *open_kernels(const char *name) {
  char path[4096];
  const char *folder = getenv("BUILTINS_FOLDER");
  if (!folder) folder = BUILTINS_FOLDER;
  snprintf(path, sizeof path, "%s/kernels/%s", folder, name);
  return fopen(path, "rb");
}

#endif

/* The twin that the driver has loaded into this process. */
#ifndef TESTS_CUDA_OPEN_TWIN_H
#define TESTS_CUDA_OPEN_TWIN_H

#include <dlfcn.h>
#include <stdlib.h>

#include "cuda/twin/control.h"

/* Null: it has not. */
static inline const struct twin_control *open_twin(void) {
  void *library = dlopen(getenv("MANIPLE_CUDA_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  return library ? dlsym(library, "twin_control") : NULL;
}

#endif

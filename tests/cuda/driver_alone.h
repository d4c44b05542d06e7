/* The functions of a driver's library, for tests that need no device of ours. */
#ifndef MPL_TESTS_CUDA_DRIVER_ALONE_H
#define MPL_TESTS_CUDA_DRIVER_ALONE_H

#include <dlfcn.h>

#include "cuda/driver.h"
#include "unit/unit.h"

static struct mpl_cuda_driver driver;

static inline void driver_find(const char *path) {
  void *library = dlopen(path, RTLD_NOW);
  CHECK(library);
#define MPL_CUDA(name, symbol, need, parameters) *(void **)&driver.name = dlsym(library, symbol);
#include "tables/cuda_driver.def"
}

/* In front of what needs a context. */
static inline void driver_start(void) {
  CUcontext context;
  int device;
  CHECK(!driver.init(0) && !driver.device_get(&device, 0));
  CHECK(!driver.context_retain(&context, device) && !driver.context_set(context));
}

#endif

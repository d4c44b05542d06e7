// The twin's control, for programs that run on a GPU too: null there, where nothing can be asked of the
// driver, and faults are real ones.
#ifndef TESTS_CUDA_SYCL_TWIN_HPP
#define TESTS_CUDA_SYCL_TWIN_HPP

#include "../twin/control.h"

#include <cstdlib>
#include <dlfcn.h>

namespace test {

inline const twin_control *twin() {
  const char *path = std::getenv("MANIPLE_CUDA_LIBRARY");
  void *library = path ? dlopen(path, RTLD_NOW | RTLD_NOLOAD) : nullptr;
  return library ? static_cast<const twin_control *>(dlsym(library, "twin_control")) : nullptr;
}

// Of the program's memory, what the driver has; 0 where nobody tells.
inline long lent() {
  return twin() ? twin()->left->lent : 0;
}

} // namespace test

#endif

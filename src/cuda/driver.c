#include "driver.h"

#include <ctype.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "runtime/options.h"
#include "runtime/print/log.h"

static struct mpl_cuda_driver functions;
static const struct mpl_cuda_driver *found;
static pthread_once_t once = PTHREAD_ONCE_INIT;

enum need { NEEDED, OPTIONAL };

static const struct {
  const char *symbol;
  size_t at;
  enum need need;
} table[] = {
#define MPL_CUDA(name, symbol, need, parameters)                                                   \
  {symbol, offsetof(struct mpl_cuda_driver, name), need},
#include "tables/cuda_driver.def"
};

/* CUDA_VISIBLE_DEVICES is a list up to its first entry that is no device: without one in front
 * ("", "-1") the driver has none.  Whether a number is too large only the driver knows. */
static bool hides_all(void) {
  const char *list = getenv("CUDA_VISIBLE_DEVICES");
  if (!list) return false;
  list += strspn(list, " \t");
  return !isdigit((unsigned char)*list) && strncmp(list, "GPU-", 4) && strncmp(list, "MIG-", 4);
}

static void find(void) {
  const char *path = mpl_option_text(MPL_OPTION_CUDA_LIBRARY);
  if (hides_all()) return;
  if (!*path && access("/dev/nvidiactl", F_OK)) return;
  void *library = dlopen(*path ? path : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    mpl_log(MPL_LOG_ERROR, "there is a GPU of NVIDIA's, but not its driver's library: %s",
            dlerror());
    return;
  }
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
    void *function = dlsym(library, table[i].symbol);
    if (!function && table[i].need == NEEDED) {
      mpl_log(MPL_LOG_ERROR, "NVIDIA's driver is too old: it has no %s", table[i].symbol);
      dlclose(library);
      return;
    }
    *(void **)((char *)&functions + table[i].at) = function;
  }
  found = &functions;
}

const struct mpl_cuda_driver *mpl_cuda_driver(void) {
  pthread_once(&once, find);
  return found;
}

bool mpl_cuda_check(int error, const char *what) {
  const char *name = "an unknown error";
  if (error == MPL_CUDA_SUCCESS) return true;
  if (error == MPL_CUDA_OVER) return false;
  found->error_name(error, &name);
  mpl_log(MPL_LOG_ERROR, "CUDA: %s failed: %s (%d)", what, name, error);
  return false;
}

/* Loading a binary: the driver compiles its text for the GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cuda.h"
#include "runtime/log.h"

enum { /* CUjit_option, CUfunction_attribute */
  ERROR_LOG = 5,
  ERROR_LOG_SIZE = 6,
  STATIC_SHARED = 1,
  LOCAL_BYTES = 3,
  MOST_DYNAMIC_SHARED = 8,
};

struct mpl_module {
  struct mpl_cuda *cuda;
  CUmodule handle;
  struct mpl_cuda_table *table;
};

/* The sentence of the last refusal on this thread. */
static _Thread_local char reason[512];

static bool compile(struct mpl_cuda *cuda, const char *text, CUmodule *handle) {
  char log[4096] = "";
  int options[] = {ERROR_LOG, ERROR_LOG_SIZE};
  void *values[] = {log, (void *)(uintptr_t)sizeof log};
  int error = cuda->driver->module_load(handle, text, 2, options, values);
  if (mpl_cuda_check(error, "cuModuleLoadDataEx")) return true;
  snprintf(reason, sizeof reason, "the driver does not take the program: error %d: %.400s", error, log);
  mpl_log(MPL_LOG_BUILD, "%s", log);
  return false;
}

/* More than 48 KB of shared memory has to be asked for. */
static bool find_function(struct mpl_cuda *cuda, CUmodule handle, const char *entry,
                          struct mpl_kernel *kernel) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  CUfunction function;
  int is_static = 0, private_size = 0;
  if (!mpl_cuda_check(driver->module_function(&function, handle, entry), entry) ||
      !mpl_cuda_check(driver->function_attribute(&is_static, STATIC_SHARED, function), entry) ||
      !mpl_cuda_check(driver->function_attribute(&private_size, LOCAL_BYTES, function), entry) ||
      !mpl_cuda_check(driver->function_set(function, MOST_DYNAMIC_SHARED,
                                           (int)cuda->most_shared - is_static),
                      entry)) {
    snprintf(reason, sizeof reason, "kernel %.200s cannot be found or set up", kernel->name);
    return false;
  }
  kernel->run = (mpl_group_fn *)(uintptr_t)function;
  kernel->private_size = (uint64_t)private_size;
  return true;
}

static bool find_functions(struct mpl_module *module) {
  struct mpl_cuda_table *table = module->table;
  struct mpl_kernel *kernels = (struct mpl_kernel *)table->object.kernels; /* our own */
  for (uint32_t k = 0; k < table->num_entries; k++)
    if (!find_function(module->cuda, module->handle, table->entries[k], &kernels[k])) return false;
  return true;
}

static struct mpl_module *load_text(struct mpl_cuda *cuda, const char *text) {
  struct mpl_module *module = calloc(1, sizeof *module);
  if (!module) return NULL;
  module->cuda = cuda;
  module->table = mpl_cuda_table_read(text);
  if (!module->table)
    snprintf(reason, sizeof reason, "the binary's table of kernels is damaged, or of another version");
  else if (compile(cuda, text, &module->handle)) {
    if (find_functions(module)) return module;
    cuda->driver->module_unload(module->handle);
  }
  if (module->table) mpl_cuda_table_free(module->table);
  free(module);
  return NULL;
}

struct mpl_module *mpl_cuda_load(struct mpl_device *device, const void *object, size_t size,
                                 const char *name, const char **why) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  snprintf(reason, sizeof reason, "out of memory");
  *why = reason;
  char *text = malloc(size + 1);
  struct mpl_module *module = NULL;
  if (text) memcpy(text, object, size);
  if (text) text[size] = 0;
  if (text && mpl_cuda_enter(cuda)) module = load_text(cuda, text);
  free(text);
  return module;
}

const struct mpl_object *mpl_cuda_table(struct mpl_module *module) {
  return &module->table->object;
}

void mpl_cuda_unload(struct mpl_module *module) {
  if (mpl_cuda_enter(module->cuda))
    mpl_cuda_check(module->cuda->driver->module_unload(module->handle), "cuModuleUnload");
  mpl_cuda_table_free(module->table);
  free(module);
}

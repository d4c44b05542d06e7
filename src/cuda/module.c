/* Loading a binary: the driver compiles its text for the GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "cuda.h"
#include "runtime/print/log.h"

enum { /* CUjit_option, CUfunction_attribute */
  ERROR_LOG = 5,
  ERROR_LOG_SIZE = 6,
  STATIC_SHARED = 1,
  LOCAL_BYTES = 3,
  REGISTERS = 4,
  MOST_DYNAMIC_SHARED = 8,
};

struct mpl_module {
  struct mpl_cuda *cuda;
  char *text; /* as the compiler wrote it */
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
  if (!mpl_cuda_error(cuda, error, "cuModuleLoadDataEx")) return true; /* or hears of a fault first */
  snprintf(reason, sizeof reason, "the driver does not take the program: error %d: %.400s", error,
           log);
  mpl_log(MPL_LOG_BUILD, "%s", log);
  return false;
}

struct properties {
  int static_shared, private_size, registers;
};

/* Loaded now, as it would be at its first launch, when others may run (12.4, quiet.c). */
static bool load_function(struct mpl_cuda *cuda, CUfunction function) {
  return !cuda->driver->function_load ||
         !mpl_cuda_error(cuda, cuda->driver->function_load(function), "cuFuncLoad");
}

/* More than 48 KB of shared memory has to be asked for. */
static bool find_function(struct mpl_cuda *cuda, CUmodule handle, const char *entry,
                          CUfunction *function, struct properties *found) {
  const struct mpl_cuda_driver *driver = cuda->driver;
  if (!mpl_cuda_error(cuda, driver->module_function(function, handle, entry), entry) &&
      load_function(cuda, *function) &&
      mpl_cuda_check(driver->function_attribute(&found->static_shared, STATIC_SHARED, *function),
                     entry) &&
      mpl_cuda_check(driver->function_attribute(&found->private_size, LOCAL_BYTES, *function),
                     entry) &&
      mpl_cuda_check(driver->function_attribute(&found->registers, REGISTERS, *function), entry) &&
      mpl_cuda_check(driver->function_set(*function, MOST_DYNAMIC_SHARED,
                                          (int)cuda->most_shared - found->static_shared),
                     entry))
    return true;
  snprintf(reason, sizeof reason, "kernel %.200s cannot be found or set up", entry);
  return false;
}

/* ptxas keeps to what leaves room for two groups of 1024 if it can at all, and loads late for it; a
 * work-item's registers come by the eight.  Variables of the program's are there once, in the module
 * of all kernels. */
static bool varies(const struct mpl_object *object, const struct mpl_kernel *kernel,
                   const struct properties *found) {
  enum { FEWER = 24 /* registers, which would leave room for more */ };
  if (object->globals_size) return false;
  return kernel->flags & MPL_KERNEL_HAS_SYNC || found->private_size ||
         found->registers > FEWER;
}

static bool find_functions(struct mpl_module *module) {
  struct mpl_cuda_table *table = module->table;
  struct mpl_kernel *kernels = (struct mpl_kernel *)table->object.kernels; /* our own */
  for (uint32_t k = 0; k < table->num_entries; k++) {
    CUfunction function;
    struct properties found = {0};
    if (!find_function(module->cuda, module->handle, table->entries[k], &function, &found))
      return false;
    kernels[k].private_size = (uint64_t)found.private_size;
    kernels[k].run = (mpl_group_fn *)(uintptr_t)mpl_cuda_kernel_create(
        module, (int)k, function, varies(&table->object, &kernels[k], &found),
        kernels[k].reqd_local[0]);
    if (!kernels[k].run) return false;
  }
  return true;
}

static void free_module(struct mpl_module *module) {
  struct mpl_cuda_table *table = module->table;
  for (uint32_t k = 0; table && k < table->num_entries; k++)
    mpl_cuda_kernel_free((struct mpl_cuda_kernel *)(uintptr_t)table->object.kernels[k].run);
  atomic_fetch_add(&module->cuda->unloads, 1);
  if (module->handle && mpl_cuda_enter(module->cuda))
    mpl_cuda_check(module->cuda->driver->module_unload(module->handle), "cuModuleUnload");
  if (table) mpl_cuda_table_free(table);
  free(module->text);
  free(module);
}

/* Variables of the program's are there once, so what runs deep groups is in the same module. */
static char *with_deep(const struct mpl_module *module, char *text) {
  char *deep = mpl_cuda_deepen(module->text, module->table, -1);
  char *both = deep ? realloc(text, strlen(text) + strlen(deep) + 1) : NULL;
  if (both) strcat(both, deep);
  free(deep);
  if (!both) free(text);
  return both;
}

static bool compile_all(struct mpl_module *module) {
  char *text = mpl_cuda_specialise(module->text, module->table, -1, NULL);
  if (text && module->table->object.globals_size) text = with_deep(module, text);
  bool good = text && compile(module->cuda, text, &module->handle);
  free(text);
  return good;
}

/* In a module of its own, of a text that is freed. */
static bool load_alone(struct mpl_module *module, char *text, const char *name,
                       struct mpl_cuda_code *code, struct properties *found) {
  struct mpl_cuda *cuda = module->cuda;
  bool made = text && mpl_cuda_enter(cuda) && compile(cuda, text, &code->handle);
  free(text);
  if (!made) return false;
  if (find_function(cuda, code->handle, name, &code->function, found)) return true;
  mpl_cuda_uncompile(module, code);
  return false;
}

/* With fewer registers, if those do as well. */
static void make_room_for_more(struct mpl_module *module, int kernel, struct mpl_cuda_shape shape,
                              struct mpl_cuda_code *code, const struct properties *one) {
  struct mpl_cuda_code other = {0};
  struct properties found;
  shape.registers = mpl_cuda_registers_for_more(module->cuda, &shape, one->registers);
  if (!shape.registers) return;
  char *text = mpl_cuda_specialise(module->text, module->table, kernel, &shape);
  if (!load_alone(module, text, module->table->entries[kernel], &other, &found)) return;
  bool better = found.private_size <= one->private_size;
  mpl_cuda_uncompile(module, better ? code : &other);
  if (better) *code = other;
}

/* With as many registers as it likes, if with those of the shape something goes to memory. */
static bool load_for(struct mpl_module *module, int kernel, struct mpl_cuda_shape *shape,
                     struct mpl_cuda_code *code, struct properties *found) {
  const struct mpl_cuda_table *table = module->table;
  char *text = mpl_cuda_specialise(module->text, table, kernel, shape);
  if (!load_alone(module, text, table->entries[kernel], code, found)) return false;
  if (!shape->registers ||
      (uint64_t)found->private_size <= table->object.kernels[kernel].private_size)
    return true;
  mpl_cuda_uncompile(module, code);
  shape->registers = 0;
  text = mpl_cuda_specialise(module->text, table, kernel, shape);
  return load_alone(module, text, table->entries[kernel], code, found);
}

bool mpl_cuda_compile_for(struct mpl_module *module, int kernel, const struct mpl_cuda_shape *wanted,
                          struct mpl_cuda_code *code) {
  const struct mpl_cuda_table *table = module->table;
  struct mpl_cuda_shape shape = *wanted;
  struct properties found;
  if (!load_for(module, kernel, &shape, code, &found)) return false;
  if (table->object.kernels[kernel].flags & MPL_KERNEL_HAS_SYNC)
    make_room_for_more(module, kernel, shape, code, &found);
  return true;
}

bool mpl_cuda_compile_deep(struct mpl_module *module, int kernel, struct mpl_cuda_code *code) {
  struct properties found;
  char *name;
  bool good;
  if (asprintf(&name, "%s" MPL_CUDA_DEEP, module->table->entries[kernel]) < 0) return false;
  code->handle = NULL;
  if (module->table->object.globals_size)
    good = mpl_cuda_enter(module->cuda) &&
           find_function(module->cuda, module->handle, name, &code->function, &found);
  else
    good = load_alone(module, mpl_cuda_deepen(module->text, module->table, kernel), name, code,
                      &found);
  if (!good)
    mpl_log(MPL_LOG_ERROR,
            "%s: the driver has not compiled it for groups of more than %u "
            "work-items in the third dimension; launch it with fewer",
            name, MPL_GPU_MOST_DEEP);
  free(name);
  return good;
}

struct mpl_cuda *mpl_cuda_of(const struct mpl_module *module) {
  return module->cuda;
}

void mpl_cuda_uncompile(struct mpl_module *module, const struct mpl_cuda_code *code) {
  if (code->handle && mpl_cuda_enter(module->cuda))
    mpl_cuda_check(module->cuda->driver->module_unload(code->handle), "cuModuleUnload");
}

struct mpl_module *mpl_cuda_load(struct mpl_device *device, const void *object, size_t size,
                                 const char *name, const char **why) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  snprintf(reason, sizeof reason, "out of memory");
  *why = reason;
  struct mpl_module *module = calloc(1, sizeof *module);
  if (!module) return NULL;
  module->cuda = cuda;
  module->text = strndup(object, size);
  module->table = module->text ? mpl_cuda_table_read(module->text) : NULL;
  if (module->text && !module->table)
    snprintf(reason, sizeof reason,
             "the binary's table of kernels is damaged, or of another version");
  if (module->table && mpl_cuda_enter(cuda) && compile_all(module) && find_functions(module))
    return module;
  free_module(module);
  const char *lost = mpl_cuda_lost(device);
  if (lost) snprintf(reason, sizeof reason, "%s", lost);
  return NULL;
}

const struct mpl_object *mpl_cuda_table(struct mpl_module *module) {
  return &module->table->object;
}

void mpl_cuda_unload(struct mpl_module *module) {
  free_module(module);
}

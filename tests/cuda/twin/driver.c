/* The driver's functions that the CUDA device calls (tables/cuda_driver.def): what there is,
 * programs, memory, and what goes into streams (streams.c, graphs.c). */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

struct CUctx_st {
  int device;
};
struct CUmod_st {
  struct twin_module *module;
};
struct CUfunc_st {
  struct twin_function function;
};

static struct CUctx_st contexts[TWIN_DEVICES];
static _Thread_local CUcontext current;

int twin_current(void) {
  return current ? current->device : 0;
}
bool twin_has_context(void) {
  return current;
}

int twin_init(unsigned flags) {
  static int registered;
  TWIN_ENTER(init);
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  if (visible && !(*visible >= '0' && *visible <= '9')) return TWIN_NO_DEVICE;
  if (!__atomic_exchange_n(&registered, 1, __ATOMIC_RELAXED)) atexit(twin_stop);
  return 0;
}
int twin_error_name(int error, const char **name) {
  *name = "an error of the twin's";
  return 0;
}
int twin_device_count(int *count) {
  TWIN_ENTER(device_count);
  *count = (int)twin_option("TWIN_DEVICES", 1);
  return *count <= TWIN_DEVICES ? 0 : TWIN_NO_DEVICE;
}
int twin_device_get(int *device, int ordinal) {
  TWIN_ENTER(device_get);
  *device = ordinal;
  return ordinal >= 0 && ordinal < twin_option("TWIN_DEVICES", 1) ? 0 : TWIN_NO_DEVICE;
}
int twin_device_name(char *name, int length, int device) {
  TWIN_ENTER(device_name);
  strncpy(name, "twin", (size_t)length);
  return 0;
}
int twin_device_attribute(int *value, int attribute, int device) {
  enum { CLOCK = 13, PROCESSORS = 16, CACHE = 38, MAJOR = 75, MINOR = 76, MOST_SHARED = 97 };
  enum { ECC = 32, REGISTERS = 82, MANAGED = 83, AT_ONCE_WITH_HOST = 89 };
  enum { REGISTERED_AT_HOSTS_ADDRESS = 91 };
  TWIN_ENTER(device_attribute);
  *value = attribute == CLOCK         ? 1000000
           : attribute == PROCESSORS  ? (int)twin_option("TWIN_PROCESSORS", 4)
           : attribute == CACHE       ? 1 << 20
           : attribute == MAJOR       ? 9
           : attribute == REGISTERS   ? 1 << 16
           : attribute == ECC         ? (int)twin_option("TWIN_ECC", 0)
           : attribute == MOST_SHARED ? TWIN_MOST_SHARED
                                      : attribute == MANAGED || attribute == AT_ONCE_WITH_HOST ||
                                            attribute == REGISTERED_AT_HOSTS_ADDRESS;
  return 0;
}
int twin_device_memory(size_t *bytes, int device) {
  TWIN_ENTER(device_memory);
  *bytes = TWIN_MEMORY;
  return 0;
}
int twin_context_flags(int device, unsigned flags) {
  TWIN_ENTER(context_flags);
  return 0;
}
int twin_context_retain(CUcontext *context, int device) {
  TWIN_ENTER(context_retain);
  contexts[device].device = device;
  *context = &contexts[device];
  return 0;
}
int twin_context_set(CUcontext context) {
  TWIN_ENTER(context_set);
  current = context;
  return 0;
}

/* --- Programs --- */

int twin_module_load(CUmodule *module, const void *image, unsigned count, int *options,
                     void **values) {
  TWIN_ENTER(module_load);
  if (twin_option("TWIN_LOADS", 0)) twin_check_load();
  *module = calloc(1, sizeof **module);
  (*module)->module = twin_read(image, twin_current());
  TWIN_COUNT(modules, 1);
  return 0;
}
/* Its code stays, to say so if it is run. */
int twin_module_unload(CUmodule module) {
  TWIN_ENTER(module_unload);
  twin_forget(module->module);
  TWIN_COUNT(modules, -1);
  return 0;
}
int twin_module_function(CUfunction *function, CUmodule module, const char *name) {
  TWIN_ENTER(module_function);
  for (size_t i = 0; i < module->module->num_functions; i++)
    if (!strcmp(module->module->functions[i]->name, name)) {
      *function = (CUfunction)module->module->functions[i];
      return 0;
    }
  return TWIN_NOT_FOUND;
}
int twin_function_load(CUfunction function) {
  TWIN_ENTER(function_load);
  return 0;
}
int twin_function_attribute(int *value, int attribute, CUfunction f) {
  enum { STATIC_SHARED = 1, LOCAL_BYTES = 3, REGISTERS = 4 };
  TWIN_ENTER(function_attribute);
  *value = attribute == STATIC_SHARED ? (int)f->function.shared_size
           : attribute == LOCAL_BYTES ? (int)f->function.local_size + 64 * f->function.spills
           : attribute == REGISTERS   ? (int)twin_option("TWIN_REGISTERS", 32)
                                      : 1024;
  return 0;
}
int twin_function_set(CUfunction function, int attribute, int value) {
  TWIN_ENTER(function_set);
  return 0;
}

int twin_grid(struct twin_grid *made, CUfunction f, const unsigned grid[3], const unsigned block[3],
              unsigned shared, void **extra) {
  enum { MOST_ITEMS = 1024 };
  if ((uintptr_t)extra[0] != 1 || (uintptr_t)extra[2] != 2) return TWIN_INVALID;
  for (int d = 0; d < 3; d++)
    if (!grid[d] || !block[d] || block[d] > MOST_ITEMS) return TWIN_INVALID;
  if ((uint64_t)block[0] * block[1] * block[2] > MOST_ITEMS || grid[1] > 65535 || grid[2] > 65535 ||
      grid[0] > INT_MAX || f->function.shared_size + shared > TWIN_MOST_SHARED)
    return TWIN_INVALID;
  *made = (struct twin_grid){.function = &f->function,
                             .grid = {grid[0], grid[1], grid[2]},
                             .block = {block[0], block[1], block[2]},
                             .dynamic_shared = shared,
                             .device = twin_current(),
                             .size = *(size_t *)extra[3]};
  made->parameters = memcpy(malloc(made->size + 1), extra[1], made->size);
  return 0;
}
int twin_launch(CUfunction f, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared, CUstream stream,
                void **parameters, void **extra) {
  TWIN_ENTER(launch);
  const unsigned grid[] = {grid_x, grid_y, grid_z}, block[] = {block_x, block_y, block_z};
  struct twin_command *c = twin_command(TWIN_LAUNCH);
  int error = twin_grid(&c->grid, f, grid, block, shared, extra);
  if (!error) return twin_issue(stream, c, false);
  free(c);
  return error;
}

/* --- Memory --- */

static int take(enum twin_side side, uint64_t *address, size_t size) {
  if (!size) return TWIN_INVALID;
  *address = twin_take(side, size, twin_current());
  return *address ? 0 : MPL_CUDA_OUT_OF_MEMORY;
}
int twin_allocate(CUdeviceptr *address, size_t size) {
  TWIN_ENTER(allocate);
  return take(TWIN_HIDDEN, address, size);
}
int twin_release(CUdeviceptr address) {
  TWIN_ENTER(release);
  return twin_give_back(TWIN_HIDDEN, address) || twin_give_back(TWIN_MANAGED, address)
             ? 0
             : TWIN_INVALID;
}
int twin_managed_allocate(CUdeviceptr *address, size_t size, unsigned flags) {
  enum { OF_ALL_STREAMS = 1 };
  TWIN_ENTER(managed_allocate);
  return flags == OF_ALL_STREAMS ? take(TWIN_MANAGED, address, size) : TWIN_INVALID;
}
int twin_memory_left(size_t *left, size_t *all) {
  TWIN_ENTER(memory_left);
  *all = TWIN_MEMORY;
  *left = (size_t)TWIN_MEMORY - (size_t)__atomic_load_n(&twin_things.memory, __ATOMIC_RELAXED);
  return 0;
}
int twin_host_allocate(void **address, size_t size, unsigned flags) {
  TWIN_ENTER(host_allocate);
  uint64_t at = 0;
  int error = take(TWIN_OPEN, &at, size);
  *address = (void *)(uintptr_t)at;
  return error;
}
int twin_host_release(void *address) {
  TWIN_ENTER(host_release);
  return twin_give_back(TWIN_OPEN, (uintptr_t)address) ? 0 : TWIN_INVALID;
}

int twin_host_register(void *address, size_t size, unsigned flags) {
  enum { PORTABLE = 1, MAPPED = 2 };
  TWIN_ENTER(host_register);
  return flags == (PORTABLE | MAPPED) ? twin_lend((uintptr_t)address, size) : TWIN_INVALID;
}
int twin_host_unregister(void *address) {
  TWIN_ENTER(host_unregister);
  return twin_return((uintptr_t)address);
}

static bool is_good(uint64_t at, int type, size_t pitch, size_t width, size_t height) {
  size_t size = (height - 1) * pitch + width;
  bool known = twin_is_memory(at);
  if (type != MPL_CUDA_HOST && !known) return false;
  return known ? twin_reach_any(at, size) != NULL : twin_is_alike(at, size);
}

/* Memory of the host that is not the driver's own may be read at once, or written, or later. */
static int copy(uint64_t to, int to_type, uint64_t from, int from_type, struct twin_copy how,
                CUstream stream) {
  if (!how.width || !how.height) return 0;
  if (!is_good(to, to_type, how.to_pitch, how.width, how.height) ||
      !is_good(from, from_type, how.from_pitch, how.width, how.height))
    return TWIN_INVALID;
  bool paged = !twin_is_memory(to) || !twin_is_memory(from);
  struct twin_command *c = twin_command(TWIN_COPY);
  c->copy = how;
  c->copy.to = to;
  c->copy.from = from;
  return twin_issue(stream, c, paged && twin_random() % 2);
}
int twin_copy_in(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
  TWIN_ENTER(copy_in);
  return copy(to, MPL_CUDA_DEVICE, (uintptr_t)from, MPL_CUDA_HOST,
              (struct twin_copy){.width = size, .height = 1}, stream);
}
int twin_copy_out(void *to, CUdeviceptr from, size_t size, CUstream stream) {
  TWIN_ENTER(copy_out);
  return copy((uintptr_t)to, MPL_CUDA_HOST, from, MPL_CUDA_DEVICE,
              (struct twin_copy){.width = size, .height = 1}, stream);
}
int twin_copy_any(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  TWIN_ENTER(copy_any);
  return copy(to, MPL_CUDA_HOST, from, MPL_CUDA_HOST,
              (struct twin_copy){.width = size, .height = 1}, stream);
}
int twin_copy_within(CUdeviceptr to, CUdeviceptr from, size_t size, CUstream stream) {
  TWIN_ENTER(copy_within);
  return copy(to, MPL_CUDA_DEVICE, from, MPL_CUDA_DEVICE,
              (struct twin_copy){.width = size, .height = 1}, stream);
}
int twin_copy_rows(const struct mpl_cuda_rows *r, CUstream stream) {
  TWIN_ENTER(copy_rows);
  if (r->width > r->from_pitch || r->width > r->to_pitch || r->from_pitch > INT_MAX ||
      r->to_pitch > INT_MAX)
    return TWIN_INVALID;
  uint64_t from = r->from_type == MPL_CUDA_HOST ? (uintptr_t)r->from_host : r->from_device,
           to = r->to_type == MPL_CUDA_HOST ? (uintptr_t)r->to_host : r->to_device;
  return copy(to + r->to_x + r->to_y * r->to_pitch, r->to_type,
              from + r->from_x + r->from_y * r->from_pitch, r->from_type,
              (struct twin_copy){.to_pitch = r->to_pitch,
                                 .from_pitch = r->from_pitch,
                                 .width = r->width,
                                 .height = r->height},
              stream);
}

static int fill(struct twin_fill how, CUstream stream) {
  if (!how.count || !how.height) return 0;
  if ((how.to | how.pitch) % how.size || how.pitch > INT_MAX ||
      (how.height > 1 && how.count * how.size > how.pitch) ||
      !is_good(how.to, MPL_CUDA_DEVICE, how.pitch, how.count * how.size, how.height))
    return TWIN_INVALID;
  struct twin_command *c = twin_command(TWIN_FILL);
  c->fill = how;
  return twin_issue(stream, c, false);
}
#define FILL(bits, T)                                                                              \
  int twin_fill_##bits(CUdeviceptr to, T value, size_t count, CUstream stream) {                   \
    TWIN_ENTER(fill_##bits);                                                                       \
    return fill((struct twin_fill){.to = to, .value = value, .size = bits / 8, .count = count,     \
                                   .height = 1},                                                   \
                stream);                                                                           \
  }                                                                                                \
  int twin_fill_rows_##bits(CUdeviceptr to, size_t pitch, T value, size_t width, size_t height,    \
                            CUstream stream) {                                                     \
    TWIN_ENTER(fill_rows_##bits);                                                                  \
    return fill((struct twin_fill){.to = to, .value = value, .size = bits / 8, .count = width,     \
                                   .pitch = pitch, .height = height},                              \
                stream);                                                                           \
  }
FILL(8, unsigned char)
FILL(16, unsigned short)
FILL(32, unsigned)

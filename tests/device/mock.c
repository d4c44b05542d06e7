/* Memory and operations; streams are in streams.c. */
#include "mock.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "internal.h"
#include "runtime/clock.h"
#include "runtime/memory/transfer.h"
#include "runtime/threads/threads.h"

enum { LAST_BLOCKS = 1 << 14 };
static const size_t space = (size_t)8 << 30; /* addresses, not memory */

static struct mock_state state;

__attribute__((visibility("default"))) struct mock_state *mock_state(void) {
  return &state;
}

void mock_broken(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("mock: ", stderr);
  vfprintf(stderr, format, args);
  fputs("\n", stderr);
  va_end(args);
  atomic_fetch_add(&state.broken, 1);
}

bool mock_fails(atomic_long *which) {
  long left = atomic_load(which);
  while (left > 0)
    if (atomic_compare_exchange_weak(which, &left, left - 1)) return left == 1;
  return false;
}

/* --- Memory: handles are addresses that nobody may read, at a fixed distance from the bytes --- */

struct block {
  size_t start, end;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static char *handles, *bytes;
static struct block blocks[LAST_BLOCKS]; /* in order */
static size_t num_blocks;

static bool make_space(void) {
  const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
  if (handles) return true;
  void *hidden = mmap(NULL, space, PROT_NONE, flags, -1, 0);
  void *real = mmap(NULL, space, PROT_READ | PROT_WRITE, flags, -1, 0);
  if (hidden == MAP_FAILED || real == MAP_FAILED) return false;
  handles = hidden;
  bytes = real;
  return true;
}

/* First fit, with a gap behind each block. */
static void *take(size_t size, size_t align) {
  enum { GAP = 256 };
  size_t at = 0, i = 0;
  for (;; i++) {
    at = (at + align - 1) / align * align;
    size_t limit = i < num_blocks ? blocks[i].start : space;
    if (at <= limit && size + GAP <= limit - at) break;
    if (i == num_blocks) return NULL;
    at = blocks[i].end + GAP;
  }
  if (num_blocks == LAST_BLOCKS) return NULL;
  memmove(blocks + i + 1, blocks + i, (num_blocks - i) * sizeof *blocks);
  blocks[i] = (struct block){at, at + size};
  num_blocks++;
  memset(bytes + at, 0xa5, size < 4096 ? size : 4096);
  return handles + at;
}

static void *allocate(struct mpl_device *device, size_t size, size_t align,
                      enum mpl_storage storage, const char *what) {
  void *memory = NULL;
  if (storage == MPL_STORAGE_SHARED || mock_fails(&state.fail_allocation)) return NULL;
  if (storage == MPL_STORAGE_PINNED) {
    if (posix_memalign(&memory, align < 64 ? 64 : align, size)) return NULL;
    atomic_fetch_add(&state.pinned, 1);
    return memory;
  }
  pthread_mutex_lock(&lock);
  if (make_space()) memory = take(size, align < 64 ? 64 : align);
  pthread_mutex_unlock(&lock);
  if (memory) atomic_fetch_add(&state.memory, 1);
  return memory;
}

static void release(struct mpl_device *device, void *memory, enum mpl_storage storage) {
  if (storage == MPL_STORAGE_PINNED) {
    free(memory);
    atomic_fetch_sub(&state.pinned, 1);
    return;
  }
  size_t at = (size_t)((char *)memory - handles), i = 0;
  pthread_mutex_lock(&lock);
  while (i < num_blocks && blocks[i].start != at) i++;
  bool found = i < num_blocks;
  if (found) {
    memset(bytes + at, 0xdd, blocks[i].end - at < 4096 ? blocks[i].end - at : 4096);
    memmove(blocks + i, blocks + i + 1, (num_blocks - i - 1) * sizeof *blocks);
    num_blocks--;
  }
  pthread_mutex_unlock(&lock);
  if (found)
    atomic_fetch_sub(&state.memory, 1);
  else
    mock_broken("released %p, which is no memory of the device", memory);
}

static bool is_handle(const void *at) {
  return handles && (const char *)at >= handles && (const char *)at < handles + space;
}

/* Where the bytes are; null if they are not all in one block. */
static void *find(const void *at, size_t size) {
  if (!is_handle(at)) return NULL;
  size_t start = (size_t)((const char *)at - handles), i = 0;
  pthread_mutex_lock(&lock);
  while (i < num_blocks && !(blocks[i].start <= start && start <= blocks[i].end)) i++;
  bool good = i < num_blocks && size <= blocks[i].end - start;
  pthread_mutex_unlock(&lock);
  return good ? bytes + start : NULL;
}

/* --- Operations --- */

/* Writes the arguments with addresses in place of handles; an error, if one is no handle. */
static int translate_args(const struct mpl_kernel *kernel, const void *args, char *block) {
  if (kernel->args_size) memcpy(block, args, kernel->args_size);
  for (uint32_t i = 0; i < kernel->num_args; i++) {
    void *pointer;
    if (kernel->args[i].kind != MPL_ARG_POINTER && kernel->args[i].kind != MPL_ARG_IMAGE) continue;
    memcpy(&pointer, block + kernel->args[i].offset, sizeof pointer);
    if (!pointer) continue;
    void *real = find(pointer, 0);
    if (!real) {
      mock_broken("argument %u of %s is %p: no memory of the device", i, kernel->name, pointer);
      return -38; /* CL_INVALID_MEM_OBJECT */
    }
    memcpy(block + kernel->args[i].offset, &real, sizeof real);
  }
  return 0;
}

/* The arguments are not put on the stack, which may be small. */
static int launch(struct mock *mock, const struct mpl_operation *operation) {
  const struct mpl_kernel *kernel = operation->launch.kernel;
  struct mpl_launch own = *operation->launch.launch;
  char *block = aligned_alloc(64, 1 << 16);
  if (!block) return -6; /* CL_OUT_OF_HOST_MEMORY */
  int error = translate_args(kernel, own.args, block);
  own.args = block;
  const struct mpl_operation on_cpu = {.launch = {kernel, &own, operation->launch.local_size, NULL, NULL}};
  if (!error) error = mpl_device_perform(mock->cpu, &on_cpu);
  free(block);
  return error;
}

/* Turns a location into the host's; false if it is not what it says. */
static bool translate(struct mpl_location *place, const uint64_t size[3]) {
  size_t extent = (size[2] - 1) * place->slice + (size[1] - 1) * place->row + size[0];
  void *real =
      place->on_host ? is_handle(place->base) ? NULL : place->base : find(place->base, extent);
  if (!real) mock_broken("a transfer of %zu bytes at %p, which is not there", extent, place->base);
  place->base = real;
  return real;
}

int mock_do(struct mock *mock, const struct mpl_operation *operation) {
  struct mpl_operation own = *operation;
  switch (own.kind) {
  case MPL_LAUNCH:
    return launch(mock, operation);
  case MPL_COPY:
    if (!own.copy.size[0] || !own.copy.size[1] || !own.copy.size[2]) return 0;
    if (!translate(&own.copy.to, own.copy.size) || !translate(&own.copy.from, own.copy.size))
      return -30; /* CL_INVALID_VALUE */
    break;
  case MPL_FILL:
    if (!own.fill.size[0] || !own.fill.size[1] || !own.fill.size[2]) return 0;
    if (!translate(&own.fill.to, own.fill.size)) return -30;
    break;
  }
  mpl_transfer(&own);
  return 0;
}

static int perform(struct mpl_device *device, const struct mpl_operation *operation) {
  atomic_fetch_add(&state.performed, 1);
  return mock_do((struct mock *)device, operation);
}

/* --- The rest is the CPU's --- */

static struct mpl_device *cpu_of(struct mpl_device *device) {
  return ((struct mock *)device)->cpu;
}

struct mpl_module {
  struct mpl_module *cpus;
  struct mpl_device *cpu;
};

static struct mpl_module *load(struct mpl_device *device, const void *object, size_t size,
                               const char *name, const char **why) {
  struct mpl_module *module = malloc(sizeof *module);
  if (!module) return NULL;
  module->cpu = cpu_of(device);
  module->cpus = module->cpu->ops->load(module->cpu, object, size, name, why);
  if (module->cpus) {
    atomic_fetch_add(&state.modules, 1);
    return module;
  }
  free(module);
  return NULL;
}

static const struct mpl_object *table(struct mpl_module *module) {
  return module->cpu->ops->table(module->cpus);
}

static void unload(struct mpl_module *module) {
  module->cpu->ops->unload(module->cpus);
  atomic_fetch_sub(&state.modules, 1);
  free(module);
}

static uint64_t now(struct mpl_device *device) {
  return mpl_clock();
}

static void suggest(struct mpl_device *device, const struct mpl_kernel *kernel, uint32_t dims,
                    const uint64_t global[3], bool uneven, uint64_t local[3]) {
  struct mpl_device *cpu = cpu_of(device);
  cpu->ops->suggest_local_size(cpu, kernel, dims, global, uneven, local);
}

static void destroy(struct mpl_device *device) {
  mock_broken("the device itself was destroyed");
}

static const struct mpl_device_ops ops = {
    .load = load,
    .table = table,
    .unload = unload,
    .allocate = allocate,
    .release = release,
    .perform = perform,
    .perform_items = perform, /* both by what it is to the CPU */
    .now = now,
    .suggest_local_size = suggest,
    .destroy = destroy,
    .stream_create = mock_stream_create,
    .stream_destroy = mock_stream_destroy,
    .issue = mock_issue,
    .wait_for = mock_wait_for,
    .mark = mock_mark,
    .reached = mock_reached,
    .drain = mock_drain,
    .times = mock_times,
    .mark_free = mock_mark_free,
};

struct mpl_device *mock_create(struct mpl_device *cpu) {
  static char target[512];
  struct mock *mock = calloc(1, sizeof *mock);
  if (!mock) return NULL;
  /* What the CPU compiles is not for the mock, unless a test asks for that: it is the same code. */
  snprintf(target, sizeof target, "%s%s", getenv("MOCK_TAKES_CPU_CODE") ? "" : "mock ", cpu->info.target);
  mock->cpu = cpu;
  mock->device.ops = &ops;
  mock->device.info = cpu->info;
  mock->device.info.name = "mock";
  mock->device.info.target = target;
  mock->device.info.type = MPL_TYPE_GPU;
  mock->device.info.host_memory = false;
  mock->device.info.svm = 0;
  mock->device.info.offers = MPL_OFFERS_SUB_GROUPS | MPL_OFFERS_PARTS | MPL_OFFERS_IMAGES;
  mock->device.info.global_memory = (uint64_t)4 << 30;
  mock->device.info.max_allocation = (uint64_t)1 << 30;
  mock->device.pool = mpl_pool_create(2);
  atomic_init(&mock->device.refs, 1);
  atomic_store(&state.delay, 50);
  if (mock->device.pool) return &mock->device;
  free(mock);
  return NULL;
}

#include "cpu/cpu.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/clock.h"
#include "runtime/threads.h"
#include "runtime/transfer.h"

/* Large memory in large pages, where the system leaves that to programs: kernels stream through it,
 * and neither the TLB nor the prefetcher then stops every 4 KB. */
static void *allocate(struct mpl_device *device, size_t size, size_t align,
                      enum mpl_storage storage, const char *what) {
  enum { LARGE_PAGE = 2 << 20, LARGE = 2 * LARGE_PAGE };
  void *memory;
  if (align < sizeof(void *)) align = sizeof(void *);
  if (size >= LARGE && align < LARGE_PAGE) align = LARGE_PAGE;
  if (posix_memalign(&memory, align, size ? size : 1)) return NULL;
  if (size >= LARGE) (void)madvise(memory, size / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
  return memory;
}

static void release(struct mpl_device *device, void *memory, enum mpl_storage storage) {
  free(memory);
}

static int perform(struct mpl_device *device, const struct mpl_operation *operation) {
  if (operation->kind != MPL_LAUNCH) {
    mpl_transfer(operation);
    return 0;
  }
  return mpl_cpu_launch(device, operation->launch.kernel, operation->launch.launch,
                        operation->launch.local_size);
}

static uint64_t now(struct mpl_device *device) {
  return mpl_clock();
}

static struct mpl_device *create(const struct mpl_device_ops *ops,
                                 const struct mpl_device_info *info) {
  struct mpl_cpu *cpu = calloc(1, sizeof *cpu);
  if (!cpu) return NULL;
  struct mpl_device *device = &cpu->device;
  device->ops = ops;
  device->info = *info;
  device->pool = mpl_pool_create(info->compute_units);
  if (!device->pool) {
    free(cpu);
    return NULL;
  }
  atomic_init(&device->refs, 1);
  atomic_init(&cpu->spare, NULL);
  pthread_mutex_init(&cpu->lock, NULL);
  return device;
}

static struct mpl_device *partition(struct mpl_device *device, uint32_t compute_units) {
  struct mpl_device_info info = device->info;
  info.compute_units = compute_units;
  return create(device->ops, &info);
}

static void destroy(struct mpl_device *device) {
  struct mpl_cpu *cpu = (struct mpl_cpu *)device;
  mpl_pool_release(device->pool);
  mpl_cpu_free_arenas(cpu);
  pthread_mutex_destroy(&cpu->lock);
  free(cpu);
}

static const struct mpl_device_ops cpu_ops = {
    .load = mpl_cpu_load,
    .table = mpl_cpu_table,
    .unload = mpl_cpu_unload,
    .allocate = allocate,
    .release = release,
    .perform = perform,
    .now = now,
    .suggest_local_size = mpl_cpu_suggest,
    .partition = partition,
    .destroy = destroy,
};

struct mpl_device *mpl_cpu_create(void) {
  struct mpl_device_info info = {0};
  mpl_cpu_describe(&info);
  return create(&cpu_ops, &info);
}

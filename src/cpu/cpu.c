#include "cpu/cpu.h"
#include "cpu/faults.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "runtime/clock.h"
#include "runtime/memory/transfer.h"
#include "runtime/threads/slot.h"
#include "runtime/threads/threads.h"

/* Large memory in large pages, where the system leaves that to programs: kernels stream through it,
 * and neither the TLB nor the prefetcher then stops every 4 KB.
 *
 * No two buffers begin at the same place of a page.  A kernel that goes through several at a time
 * would load from where it has just stored but for the number of the page, and processors compare
 * no more than the place before they make a load wait.  The word in front of the memory is where
 * its block begins. */
static void *allocate(struct mpl_device *device, size_t size, size_t align,
                      enum mpl_storage storage, const char *what) {
  enum { LARGE_PAGE = 2 << 20, LARGE = 2 * LARGE_PAGE, PAGE = 4096 };
  enum { APART = 9 * 128 }; /* 32 places; 512 bytes at least between six buffers in turn */
  struct mpl_cpu *cpu = (struct mpl_cpu *)device;
  if (align < sizeof(void *)) align = sizeof(void *);
  if (!size) size = 1; /* behind its end a block is another's, and leaked for who looks for leaks */
  size_t place = align, unit = size >= LARGE ? LARGE_PAGE : size >= PAGE ? PAGE : align;
  if (size >= PAGE)
    place += atomic_fetch_add(&cpu->allocations, 1) * (size_t)APART % PAGE / align * align;
  char *block;
  if (size > SIZE_MAX - place) return NULL;
  if (posix_memalign((void **)&block, unit < align ? align : unit, place + size)) return NULL;
  if (size >= LARGE) (void)madvise(block, (place + size) / LARGE_PAGE * LARGE_PAGE, MADV_HUGEPAGE);
  ((void **)(block + place))[-1] = block;
  return block + place;
}

static void release(struct mpl_device *device, void *memory, enum mpl_storage storage) {
  if (memory) free(((void **)memory)[-1]);
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
  cpu->spare = mpl_allocate_apart(MPL_SLOTS * sizeof *cpu->spare);
  if (!device->pool || !cpu->spare) {
    if (device->pool) mpl_pool_release(device->pool);
    free(cpu->spare);
    free(cpu);
    return NULL;
  }
  atomic_init(&device->refs, 1);
  cpu->reports_faults = mpl_faults_are_reported();
  atomic_init(&cpu->allocations, 0);
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
  free(cpu->spare);
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

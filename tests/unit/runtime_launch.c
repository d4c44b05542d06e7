/* Launches: every work-item once, whatever the sizes; memory of a group; modules. */
#include "unit.h"

/* The floating-point control register, and its bits that flush denormal numbers to zero. */
#if defined(__x86_64__)
#include <xmmintrin.h>
enum { FLUSH = 0x8040 };
static unsigned get_control(void) {
  return _mm_getcsr();
}
static void set_control(unsigned value) {
  _mm_setcsr(value);
}
#elif defined(__aarch64__)
enum { FLUSH = 1 << 24 };
static unsigned get_control(void) {
  uint64_t value;
  __asm__ volatile("mrs %0, fpcr" : "=r"(value));
  return (unsigned)value;
}
static void set_control(unsigned value) {
  __asm__ volatile("msr fpcr, %0" ::"r"((uint64_t)value));
}
#endif

static struct mpl_device *device;
static const struct mpl_object *object;

static void every_item_once(const uint64_t global[3], const uint64_t local[3]) {
  uint64_t total = global[0] * global[1] * global[2];
  unsigned char *out = calloc(total, 1);
  CHECK(out);
  struct mpl_launch launch = unit_launch(3, global, local, &out);
  CHECK(unit_run(device, unit_kernel(object, "count"), &launch, 0) == 0);
  for (uint64_t i = 0; i < total; i++) CHECK(out[i] == 1);
  free(out);
}

static void shapes(void) {
  static const uint64_t sizes[][2][3] = {
      {{1, 1, 1}, {1, 1, 1}},       {{1000, 1, 1}, {7, 1, 1}},      {{4096, 1, 1}, {4096, 1, 1}},
      {{3, 5, 7}, {2, 2, 2}},       {{64, 64, 4}, {8, 8, 4}},       {{65, 33, 3}, {16, 16, 2}},
      {{1, 1000, 1}, {1, 3, 1}},    {{1, 1, 1000}, {1, 1, 9}},      {{100, 1, 100}, {64, 1, 64}},
      {{1 << 20, 1, 1}, {1, 1, 1}}, {{4000000, 1, 1}, {256, 1, 1}}, {{1999, 1999, 1}, {17, 3, 1}},
  };
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    every_item_once(sizes[i][0], sizes[i][1]);
}

static void group_memory(void) {
  static const uint64_t global[3] = {300 * 33, 1, 1}, local[3] = {33, 1, 1};
  const struct mpl_kernel *kernel = unit_kernel(object, "memory");
  unsigned bad = 0;
  struct {
    unsigned *bad;
    uint64_t offset, local_size, scratch_size;
  } args = {&bad, 128, 1000, mpl_kernel_scratch(kernel, 33)};
  struct mpl_launch launch = unit_launch(1, global, local, &args);
  CHECK(unit_run(device, kernel, &launch, args.offset + args.local_size) == 0);
  CHECK(bad == 0);
}

/* Long groups: other threads join, and all is done when run() returns. */
static void shared_launch(void) {
  static const uint64_t global[3] = {5000, 1, 1}, local[3] = {1, 1, 1};
  uint64_t sum = 0;
  struct {
    uint64_t *sum, steps;
  } args = {&sum, 2000};
  struct mpl_launch launch = unit_launch(1, global, local, &args);
  CHECK(unit_run(device, unit_kernel(object, "spin"), &launch, 0) == 0);
  CHECK(sum >= 5000);
}

static void suggestions(void) {
  static const uint64_t globals[][3] = {
      {1, 1, 1},   {1000003, 1, 1}, {1 << 24, 1, 1},    {1920, 1080, 1},
      {7, 11, 13}, {100, 100, 100}, {1ull << 40, 1, 1}, {0x1fffffffffffffff, 1, 1}};
  const struct mpl_kernel *kernel = unit_kernel(object, "count");
  for (size_t i = 0; i < sizeof globals / sizeof *globals; i++)
    for (int uneven = 0; uneven < 2; uneven++) {
      uint64_t local[3];
      device->ops->suggest_local_size(device, kernel, 3, globals[i], uneven, local);
      CHECK(local[0] * local[1] * local[2] <= device->info.max_work_group_size);
      for (unsigned d = 0; d < 3; d++) {
        CHECK(local[d] >= 1 && local[d] <= globals[i][d]);
        CHECK(uneven || globals[i][d] % local[d] == 0);
      }
    }
}

/* As aligned as is asked for; buffers that a kernel goes through side by side begin at different
 * places of a page. */
static void memory(void) {
  enum { PAGE = 4096, APART = 512, SEVERAL = 6 };
  static const size_t sizes[] = {1, 100, 4 * PAGE, 1 << 20, 9 << 20};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    for (size_t align = 1; align <= 4 << 20; align *= 4) {
      char *made[SEVERAL];
      for (unsigned k = 0; k < SEVERAL; k++) {
        made[k] = device->ops->allocate(device, sizes[i], align, MPL_STORAGE_SHARED, "test");
        CHECK(made[k] && (uintptr_t)made[k] % align == 0);
        memset(made[k], (int)k, sizes[i]);
        for (unsigned j = 0; j < k && sizes[i] >= 4 * PAGE && align <= 128; j++) {
          uintptr_t apart = (uintptr_t)(made[k] - made[j]) % PAGE;
          CHECK(apart >= APART && apart <= PAGE - APART);
        }
      }
      for (unsigned k = 0; k < SEVERAL; k++) {
        CHECK(made[k][0] == (char)k && made[k][sizes[i] - 1] == (char)k);
        device->ops->release(device, made[k], MPL_STORAGE_SHARED);
      }
    }
  CHECK(!device->ops->allocate(device, SIZE_MAX - 100, 128, MPL_STORAGE_SHARED, "test"));
  device->ops->release(device, NULL, MPL_STORAGE_SHARED);
}

static void bad_modules(const char *path) {
  size_t size;
  const char *why = NULL;
  char *bytes = unit_read(path, &size);
  CHECK(!device->ops->load(device, "no object", 9, "bad", &why) && why && *why);
  /* Far from all that is loaded: lld has symbols and debug information in two thirds of the file. */
  CHECK(!device->ops->load(device, bytes, size / 8, "an eighth", &why) && *why);
  CHECK(!device->ops->load(device, bytes, 0, "empty", &why) && *why);
  free(bytes);
}

/* Each module is its own copy, also when descriptor numbers come again. */
static void own_copies(const char *path) {
  struct mpl_module *modules[20];
  for (unsigned i = 0; i < 20; i++) {
    modules[i] = unit_load(device, path);
    for (unsigned j = 0; j < i; j++)
      CHECK(device->ops->table(modules[i]) != device->ops->table(modules[j]));
  }
  for (unsigned i = 0; i < 20; i++) device->ops->unload(modules[i]);
}

static void floating_point(void) {
#if defined(__x86_64__) || defined(__aarch64__)
  static const uint64_t one[3] = {1, 1, 1};
  float result = 0, *place = &result;
  struct mpl_launch launch = unit_launch(1, one, one, &place);
  unsigned before = get_control();
  set_control(before | FLUSH);
  CHECK(unit_run(device, unit_kernel(object, "denormal"), &launch, 0) == 0);
  CHECK((get_control() & FLUSH) == FLUSH);
  set_control(before);
  CHECK(result > 0);
#endif
}

static void partitions(void) {
  struct mpl_device *part = mpl_device_partition(device, 1), *whole = device;
  CHECK(part && part->info.compute_units == 1);
  device = part;
  shared_launch();
  device = whole;
  mpl_device_destroy(part);
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  device = unit_device();
  CHECK(device->info.compute_units >= 1 && *device->info.name && *device->info.target);
  CHECK(device->info.global_memory >= 1 << 20 && device->info.local_memory >= 32 << 10);
  struct mpl_module *module = unit_load(device, argv[1]);
  object = device->ops->table(module);
  shapes();
  group_memory();
  shared_launch();
  memory();
  suggestions();
  bad_modules(argv[1]);
  own_copies(argv[1]);
  floating_point();
  partitions();
  device->ops->unload(module);
  return 0;
}

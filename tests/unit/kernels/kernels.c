/* What the compiler's output looks like to the run time, by hand. */
#include "abi/kernel.h"

#include <stddef.h>
#include <stdint.h>

/* Adds 1 to every item's place: shows items that run twice or never. */
static void count(const struct mpl_launch *launch, const struct mpl_group *group) {
  unsigned char *out = *(unsigned char *const *)launch->args;
  const uint64_t *global = launch->global_size, *local = launch->local_size;
  for (uint64_t z = 0; z < group->size[2]; z++)
    for (uint64_t y = 0; y < group->size[1]; y++)
      for (uint64_t x = 0; x < group->size[0]; x++) {
        uint64_t at = group->id[2] * local[2] + z;
        at = at * global[1] + group->id[1] * local[1] + y;
        out[at * global[0] + group->id[0] * local[0] + x]++;
      }
}

/* Fills its local memory and scratch, and counts the groups that find them misaligned or changed.
 */
static void memory(const struct mpl_launch *launch, const struct mpl_group *group) {
  struct args {
    unsigned *bad;
    uint64_t local_offset;
    uint64_t local_size, scratch_size;
  };
  const struct args *args = launch->args;
  unsigned char mark = (unsigned char)(group->id[0] * 31 + 7), *bytes[2];
  uint64_t sizes[2] = {args->local_size, args->scratch_size};
  bytes[0] = (unsigned char *)group->local_base + args->local_offset;
  bytes[1] = group->scratch;
  unsigned bad = (uintptr_t)group->local_base % 128 || (uintptr_t)group->scratch % 64;
  for (int i = 0; i < 2; i++)
    for (uint64_t j = 0; j < sizes[i]; j++) bytes[i][j] = mark;
  for (int i = 0; i < 2; i++)
    for (uint64_t j = 0; j < sizes[i]; j++) bad |= bytes[i][j] != mark;
  if (bad) __atomic_fetch_add(args->bad, 1, __ATOMIC_RELAXED);
}

/* A long group: so many steps that threads are worth waking. */
static void spin(const struct mpl_launch *launch, const struct mpl_group *group) {
  struct args {
    uint64_t *sum;
    uint64_t steps;
  };
  const struct args *args = launch->args;
  uint64_t x = group->id[0] + 1;
  for (uint64_t i = 0; i < args->steps; i++) x = x * 6364136223846793005u + 1442695040888963407u;
  __atomic_fetch_add(args->sum, (x >> 63) + 1, __ATOMIC_RELAXED);
}

static void empty(const struct mpl_launch *launch, const struct mpl_group *group) {
  (void)launch;
  (void)group;
}

/* Whether kernels see the default floating-point environment: with flush-to-zero this is 0. */
static void denormal(const struct mpl_launch *launch, const struct mpl_group *group) {
  (void)group;
  volatile float smallest = 1.17549435e-38f;
  **(float *const *)launch->args = smallest / 4;
}

#define POINTER(n)                                                                                 \
  { n, "void*", 8, 8, 0, 1, MPL_ARG_POINTER, 1, 0, 0 }
static const struct mpl_arg one_pointer[] = {POINTER("out")};

static const struct mpl_kernel kernels[] = {
    {.name = "count",
     .run = count,
     .args = one_pointer,
     .num_args = 1,
     .args_size = 8,
     .sub_group = 64,
     .attributes = ""},
    {.name = "memory",
     .run = memory,
     .args_size = 32,
     .local_size = 100,
     .scratch_per_item = 24,
     .scratch_fixed = 64,
     .flags = MPL_KERNEL_HAS_SYNC,
     .sub_group = 64,
     .attributes = ""},
    {.name = "spin", .run = spin, .args_size = 16, .sub_group = 64, .attributes = ""},
    {.name = "empty", .run = empty, .sub_group = 64, .attributes = ""},
    {.name = "denormal",
     .run = denormal,
     .args = one_pointer,
     .num_args = 1,
     .args_size = 8,
     .sub_group = 64,
     .attributes = ""},
#ifdef MORE_KERNELS
    MORE_KERNELS
#endif
};

__attribute__((visibility("default"))) const struct mpl_object mpl_object = {
    .abi_version = MPL_ABI_VERSION,
    .num_kernels = sizeof kernels / sizeof *kernels,
    .kernels = kernels,
};

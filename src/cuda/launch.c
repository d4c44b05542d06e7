/* Launches.  Groups at the edges of a range may be smaller: a range is up to eight boxes, of groups
 * of one size each, and each a grid of its own; so is what is beyond the limits of a grid. */
#include <string.h>

#include "abi/gpu.h"
#include "cuda.h"
#include "runtime/errors.h"

enum { LARGEST_ARGS = 4096 };
static const uint64_t most_groups[3] = {(1u << 31) - 1, 65535, 65535};

struct box {
  struct mpl_cuda *cuda;
  struct mpl_cuda_kernel *kernel;
  CUstream stream;
  struct mpl_cuda_timed *timed; /* or null */
  unsigned shared;
  bool spills; /* private memory, in the code for all local sizes */
  uint64_t first[3], groups[3];
  uint32_t items[3]; /* of a group */
  uint32_t block[3]; /* it as the processor has it */
  unsigned char *parameters;
  size_t size;
};

static int hand_on(struct box *box, CUfunction function, const unsigned grid[3]) {
  void *extra[] = {(void *)1 /* CU_LAUNCH_PARAM_BUFFER_POINTER */, box->parameters,
                   (void *)2 /* CU_LAUNCH_PARAM_BUFFER_SIZE */, &box->size, NULL};
  if (box->timed) {
    struct mpl_cuda_grid whole = {.function = function,
                                  .grid = {grid[0], grid[1], grid[2]},
                                  .block = {box->block[0], box->block[1], box->block[2]},
                                  .shared = box->shared,
                                  .extra = extra};
    return mpl_cuda_timed_launch(box->timed, &whole, box->stream);
  }
  int error =
      box->cuda->driver->launch(function, grid[0], grid[1], grid[2], box->block[0], box->block[1],
                                box->block[2], box->shared, box->stream, NULL, extra);
  return mpl_cuda_error(box->cuda, error, "cuLaunchKernel");
}

/* More in z than a block has are a part of y (specialise.c). */
static CUfunction choose(struct box *box) {
  const uint32_t *items = box->items;
  memcpy(box->block, items, sizeof box->block);
  if (items[2] <= MPL_GPU_MOST_DEEP) {
    uint64_t groups = box->groups[0] * box->groups[1] * box->groups[2];
    struct mpl_cuda_shape shape = mpl_cuda_shape_of(
        items, groups, box->cuda->device.info.compute_units, box->spills);
    return mpl_cuda_choose(box->kernel, &shape);
  }
  ((struct mpl_launch *)box->parameters)->reserved = items[1];
  box->block[1] = items[1] * items[2];
  box->block[2] = 1;
  return mpl_cuda_choose_deep(box->kernel);
}

static int launch_grid(struct box *box, CUfunction function, const uint64_t first[3],
                       const unsigned grid[3]) {
  struct mpl_gpu_launch *launch = (struct mpl_gpu_launch *)box->parameters;
  memcpy(launch->first_group, first, sizeof launch->first_group);
  mpl_cuda_launch_begin(box->cuda);
  int error = hand_on(box, function, grid);
  mpl_cuda_launch_end(box->cuda);
  return error;
}

static int launch_box(struct box *box) {
  uint64_t at[3];
  CUfunction function = choose(box);
  if (!function) return MPL_OUT_OF_RESOURCES;
  for (at[2] = 0; at[2] < box->groups[2]; at[2] += most_groups[2])
    for (at[1] = 0; at[1] < box->groups[1]; at[1] += most_groups[1])
      for (at[0] = 0; at[0] < box->groups[0]; at[0] += most_groups[0]) {
        uint64_t first[3];
        unsigned grid[3];
        for (unsigned d = 0; d < 3; d++) {
          uint64_t left = box->groups[d] - at[d];
          first[d] = box->first[d] + at[d];
          grid[d] = (unsigned)(left < most_groups[d] ? left : most_groups[d]);
        }
        int error = launch_grid(box, function, first, grid);
        if (error) return error;
      }
  return 0;
}

/* Of a dimension: groups of the whole local size, and work-items beyond them. */
struct extent {
  uint64_t whole, rest;
};

static struct extent extent_of(const struct mpl_launch *launch, unsigned d) {
  uint64_t groups = launch->num_groups[d], local = launch->local_size[d];
  if (groups * local == launch->global_size[d]) return (struct extent){groups, 0};
  return (struct extent){groups - 1, launch->global_size[d] - (groups - 1) * local};
}

static int launch_range(struct box *box, const struct mpl_launch *launch) {
  struct extent extents[3];
  unsigned uneven = 0; /* a bit for each dimension */
  for (unsigned d = 0; d < 3; d++) {
    extents[d] = extent_of(launch, d);
    if (extents[d].rest) uneven |= 1u << d;
  }
  for (unsigned corner = 0; corner < 8; corner++) {
    if (corner & ~uneven) continue;
    bool empty = false;
    for (unsigned d = 0; d < 3; d++) {
      bool at_edge = corner >> d & 1;
      box->first[d] = at_edge ? extents[d].whole : 0;
      box->groups[d] = at_edge ? 1 : extents[d].whole;
      box->items[d] = (unsigned)(at_edge ? extents[d].rest : launch->local_size[d]);
      empty |= !box->groups[d];
    }
    int error = empty ? 0 : launch_box(box);
    if (error) return error;
  }
  return 0;
}

bool mpl_cuda_is_one_grid(const struct mpl_operation *operation) {
  if (operation->kind != MPL_LAUNCH || operation->launch.kernel->flags & MPL_KERNEL_PRINTS)
    return false;
  const struct mpl_launch *launch = operation->launch.launch;
  for (unsigned d = 0; d < 3; d++) {
    struct extent extent = extent_of(launch, d);
    if (extent.rest || !extent.whole || extent.whole > most_groups[d]) return false;
  }
  return true;
}

/* One that prints is waited for: its ring is the device's only one. */
int mpl_cuda_launch(struct mpl_cuda *cuda, const struct mpl_operation *operation, CUstream stream,
                    struct mpl_cuda_timed *timed) {
  const struct mpl_kernel *kernel = operation->launch.kernel;
  const struct mpl_launch *launch = operation->launch.launch;
  _Alignas(16) unsigned char parameters[LARGEST_ARGS];
  struct box box = {.cuda = cuda,
                    .kernel = (struct mpl_cuda_kernel *)(uintptr_t)kernel->run,
                    .stream = stream,
                    .timed = timed,
                    .shared = (unsigned)operation->launch.local_size,
                    .spills = kernel->private_size != 0,
                    .parameters = parameters,
                    .size = MPL_GPU_ARGS + (kernel->args_size + 15u) / 16 * 16};
  if (box.size > sizeof parameters) return MPL_OUT_OF_RESOURCES;
  memset(parameters, 0, box.size);
  struct mpl_launch *head = (struct mpl_launch *)parameters;
  *head = *launch;
  head->args = launch->host ? (const void *)(uintptr_t)launch->host->enqueuer : NULL;
  head->host = NULL;
  if (kernel->args_size) memcpy(parameters + MPL_GPU_ARGS, launch->args, kernel->args_size);
  if (!(kernel->flags & MPL_KERNEL_PRINTS)) return launch_range(&box, launch);
  head->host = (const struct mpl_host *)mpl_cuda_print_begin(cuda);
  int error = head->host ? launch_range(&box, launch) : MPL_OUT_OF_RESOURCES;
  int ended = mpl_cuda_error(cuda, mpl_cuda_wait(cuda, stream), "cuStreamSynchronize");
  mpl_cuda_print_end(cuda, stream);
  return error ? error : ended;
}

static uint64_t largest_divisor(uint64_t number, uint64_t most) {
  uint64_t divisor = most < number ? most : number;
  while (number % divisor) divisor--;
  return divisor;
}

void mpl_cuda_suggest(struct mpl_device *device, const struct mpl_kernel *kernel, uint32_t dims,
                      const uint64_t global[3], bool uneven, uint64_t local[3]) {
  uint64_t size = 1;
  for (uint32_t d = 0; d < 3; d++) {
    uint64_t room = MPL_GPU_SUGGESTED / size;
    if (d == 2 && room > MPL_GPU_MOST_DEEP) room = MPL_GPU_MOST_DEEP;
    local[d] = d >= dims          ? 1
               : !uneven          ? largest_divisor(global[d], room)
               : global[d] < room ? global[d]
                                  : room;
    size *= local[d];
  }
}

/* The contract between kernels on a GPU and the run time, beyond kernel.h.
 *
 * A kernel there is an entry function of one parameter by value: this struct, and behind it the
 * argument block, laid out by mpl_arg.offset as on the CPU; local arguments are offsets into the
 * group's dynamic shared memory.  The binary is text in the device's language (PTX), which begins
 * with the table of kernels (compiler/gpu/table.c, cuda/table.c). */
#ifndef MPL_ABI_GPU_H
#define MPL_ABI_GPU_H

#include "abi/kernel.h"

struct mpl_gpu_launch {
  /* `args`: its struct mpl_records (abi/records.h), or null; of kernels in C and C++ the places of
   * their variables (abi/record_gpu.h) on this device; `host`: of one that prints its struct
   * mpl_gpu_ring. */
  struct mpl_launch launch;
  uint64_t first_group[3];  /* of this part of the range */
};

/* The beginning of the argument block, 16-byte aligned. */
#define MPL_GPU_ARGS 144

/* The output of a launch, in host memory: records, one behind another, of the format's address in
 * the device's memory, the size of the packed arguments (mpl_host.print), and the arguments.  A
 * record that would begin at MPL_GPU_RING or behind it is lost: it is written at MPL_GPU_LOST,
 * behind the last one that is not, where nobody reads it. */
struct mpl_gpu_ring {
  uint64_t used; /* bytes that were asked for */
  uint64_t reserved;
};
#define MPL_GPU_RECORD 16u
#define MPL_GPU_RING   (1u << 24)
#define MPL_GPU_PRINTS (1u << 16) /* bytes of arguments of one printf, at most */
#define MPL_GPU_LOST   (MPL_GPU_RING + MPL_GPU_RECORD + MPL_GPU_PRINTS)

/* Work-items of a sub-group, of kernels that require no size: what the processor runs together.  A
 * smaller one is an aligned part of these lanes; none is larger. */
#define MPL_GPU_LANES 32u

/* The most work-items of a group without a given local size, and the most in the third dimension.
 */
#define MPL_GPU_SUGGESTED 256u
#define MPL_GPU_MOST_DEEP 64u

/* The beginning of each target for PTX in struct mpl_device_info: "nvptx sm_80 ptx70". */
#define MPL_NVPTX "nvptx "
/* What all GPUs run that the run time offers: their oldest chip, and the oldest PTX that knows it. */
#define MPL_NVPTX_TRIPLE "nvptx64-nvidia-cuda"
#define MPL_NVPTX_CHIP   "sm_80"
#define MPL_NVPTX_PTX    "ptx70"

#ifndef __OPENCL_C_VERSION__
_Static_assert(sizeof(struct mpl_gpu_launch) == MPL_GPU_ARGS, "the argument block's place");
#endif

#endif

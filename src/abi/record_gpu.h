/* The contract between a kernel in C or C++ that is compiled for GPUs too (`maniple c++
 * --target=cuda`) and the run time: what its record leads to (include/maniple/kernel.h).
 *
 * There the kernel takes its argument block by value, as the record describes it: pointers in it
 * are those of the host, and lead to memory that the GPU reaches too. */
#ifndef MPL_ABI_RECORD_GPU_H
#define MPL_ABI_RECORD_GPU_H

#include <stdint.h>

/* Programs stay as they were compiled: a change here is another version, and others are not run. */
#define MPL_RECORD_GPU_VERSION 2u

/* A variable that each device has for itself, which begins as `initial` does; null: as zeros. */
struct mpl_gpu_variable {
  const void *variable, *initial;
  uint64_t size, align;
};

struct mpl_record_gpu {
  uint32_t version;
  uint32_t size;     /* of the text, with the 0 behind it */
  const char *text;  /* as abi/gpu.h has it, of this kernel alone; null: it cannot run there */
  const char *entry; /* the kernel's name in that text's table */
  const char *why;   /* it cannot run there: the reason, of a sentence that begins with "it" */
  /* From version 2: those whose places the launch comes with (abi/gpu.h). */
  uint64_t num_variables;
  const struct mpl_gpu_variable *variables;
};

/* The most bytes of a kernel's parameter, with what comes in front of the argument block. */
#define MPL_GPU_PARAMETER 4096u

#endif

/* NVIDIA's driver, as far as the device needs it: declarations of our own, functions found at run
 * time.  Without the driver nothing here is called. */
#ifndef MPL_CUDA_DRIVER_H
#define MPL_CUDA_DRIVER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUgraph_st *CUgraph;
typedef struct CUgraphNode_st *CUgraphNode;
typedef struct CUgraphExec_st *CUgraphExec;
typedef uint64_t CUdeviceptr;

enum { /* CUresult */
  MPL_CUDA_SUCCESS = 0,
  MPL_CUDA_OUT_OF_MEMORY = 2,
  MPL_CUDA_OVER = 4, /* the process ends, and the driver has gone */
  MPL_CUDA_NOT_READY = 600,
};
enum { MPL_CUDA_HOST = 1, MPL_CUDA_DEVICE = 2, MPL_CUDA_EITHER = 4 }; /* CUmemorytype */

/* CUDA_MEMCPY2D */
struct mpl_cuda_rows {
  size_t from_x, from_y;
  int from_type;
  const void *from_host;
  CUdeviceptr from_device;
  void *from_array;
  size_t from_pitch;
  size_t to_x, to_y;
  int to_type;
  void *to_host;
  CUdeviceptr to_device;
  void *to_array;
  size_t to_pitch;
  size_t width, height;
};

/* CUDA_KERNEL_NODE_PARAMS_v1 */
struct mpl_cuda_grid {
  CUfunction function;
  unsigned grid[3], block[3], shared;
  void **parameters, **extra;
};

struct mpl_cuda_driver {
#define MPL_CUDA(name, symbol, need, parameters) int(*name) parameters;
#include "tables/cuda_driver.def"
};

/* The functions, or null without the driver: looked for once, and only if there is a device of
 * NVIDIA's.  Does not start the driver, which takes a tenth of a second. */
const struct mpl_cuda_driver *mpl_cuda_driver(void);

/* True if a call succeeded; else a line of the log says which failed, and why. */
bool mpl_cuda_check(int error, const char *what);

#endif

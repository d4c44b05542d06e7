/* Samplers in the form that kernels read. */
#ifndef MPL_OPENCL_SAMPLER_H
#define MPL_OPENCL_SAMPLER_H

#include "opencl/objects.h"

uint64_t mpl_sampler_bits(cl_sampler); /* enum mpl_sampler of abi/image.h */

#endif

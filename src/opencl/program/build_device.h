/* A build for one device, which program_build.c installs. */
#ifndef MPL_OPENCL_BUILD_DEVICE_H
#define MPL_OPENCL_BUILD_DEVICE_H

#include "program_build.h"

/* Fills an empty build and changes nothing of `program`.  Of a failed build only the log is to be
 * kept. */
cl_int mpl_build_device(cl_program program, cl_uint index, const struct mpl_build_request *,
                        struct mpl_build *);

/* The same from the build of another device with this one's target, which ended with `error`. */
cl_int mpl_build_share(struct mpl_device *, const struct mpl_build_request *,
                       const struct mpl_build *other, cl_int error, struct mpl_build *);

#endif

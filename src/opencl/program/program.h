/* Shared by the files of programs and kernels. */
#ifndef MPL_OPENCL_PROGRAM_H
#define MPL_OPENCL_PROGRAM_H

#include "opencl/objects.h"

/* A program for some of the context's devices, without source or binaries; null if out of memory.
 */
cl_program mpl_program_new(cl_context context, cl_uint num_devices, const cl_device_id *devices);

/* Whether there is source or SPIR-V to build from. */
static inline bool mpl_program_has_code(cl_program program) {
  return program->source || program->il;
}

/* Whether it is bitcode, which clLinkProgram takes. */
static inline bool mpl_build_links(const struct mpl_build *build) {
  return build->binary.data && build->binary.holds.kind != MPL_BINARY_EXECUTABLE;
}

/* The build for a device; null if the program is not for it. */
struct mpl_build *mpl_program_build(cl_program program, cl_device_id device);

/* Takes program->building, for the time of a build. */
void mpl_program_lock_building(cl_program program);
/* In the child of a fork(): marks builds that the parent has begun as failed; under the lock. */
void mpl_program_note_fork(cl_program program);

/* The kernel as the device's build has it; null if there is none for it. */
const struct mpl_kernel *mpl_kernel_on(cl_kernel, cl_device_id);

/* Its filter, on a device that checks kernels (abi/filter.h); null if it has none. */
const struct mpl_kernel *mpl_kernel_filter(cl_kernel, cl_device_id);

/* The first build that can run, under the program's lock; null if there is none. */
struct mpl_build *mpl_program_executable(cl_program program);

/* Unloads what a build has loaded and frees the rest; under the lock, with no kernels attached. */
void mpl_build_clear(cl_program program, cl_uint index);

/* Loads an object and constructs its objects of program scope; null with a sentence in *why. */
struct mpl_module *mpl_program_load(struct mpl_device *, const void *object, size_t size,
                                    const char **why);
/* Destroys these and unloads it. */
void mpl_program_unload(struct mpl_device *, struct mpl_module *);

#endif

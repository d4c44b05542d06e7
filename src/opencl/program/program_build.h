/* All builds go this way: clBuildProgram, clCompileProgram, clLinkProgram. */
#ifndef MPL_OPENCL_PROGRAM_BUILD_H
#define MPL_OPENCL_PROGRAM_BUILD_H

#include "program.h"
#include "toolchain/compile.h"

struct mpl_build_request {
  const char *function; /* the API function, for messages */
  const char *options;  /* never null */
  enum mpl_options_for options_for;
  cl_int failure;            /* CL_BUILD_PROGRAM_FAILURE and its like */
  enum mpl_binary_kind kind; /* of the result */
  const struct mpl_header *headers;
  size_t num_headers;
  /* The programs to link, of clLinkProgram; else null, and the program's own source or binary
   * counts. */
  const cl_program *inputs;
  size_t num_inputs;
};

/* Builds for the devices (null: all), then calls back.  Returns when it is done. */
cl_int mpl_program_run_build(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                             const struct mpl_build_request *,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *user_data);

#endif

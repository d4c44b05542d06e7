/* Functions of features that the device's queries deny: built-in kernels.
 * Each answers the error that the specification names for a device without it, after the checks
 * of its handles. */
#include "objects.h"

static void *decline(cl_context context, cl_int code, const char *function, cl_int *errcode_ret) {
  if (!mpl_valid(context, MPL_CONTEXT))
    code = CL_INVALID_CONTEXT;
  else
    mpl_refuse(code, function, "the device does not offer this");
  if (errcode_ret) *errcode_ret = code;
  return NULL;
}

/* Built-in kernels (section 5.8.1), and what OpenCL 2.2 deprecated */

cl_int CL_API_CALL clSetProgramReleaseCallback(cl_program program,
                                               void(CL_CALLBACK *function)(cl_program, void *),
                                               void *user_data) {
  return mpl_valid(program, MPL_PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}

cl_program CL_API_CALL clCreateProgramWithBuiltInKernels(cl_context context, cl_uint num_devices,
                                                         const cl_device_id *devices,
                                                         const char *names, cl_int *errcode_ret) {
  cl_int code = CL_INVALID_VALUE; /* also: a name that no device has */
  bool listed = devices && num_devices && names;
  for (cl_uint i = 0; listed && mpl_valid(context, MPL_CONTEXT) && i < num_devices; i++)
    if (!mpl_valid(devices[i], MPL_DEVICE) || !mpl_context_has(context, devices[i]))
      code = CL_INVALID_DEVICE;
  return decline(context, code, __func__, errcode_ret);
}

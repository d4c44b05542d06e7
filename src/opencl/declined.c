/* What the device's queries say no to: images, samplers, pipes, IL, built-in kernels.
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

/* Images (section 5.3.1: no device in the context supports images) */

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties *properties,
                                               cl_mem_flags flags, const cl_image_format *format,
                                               const cl_image_desc *desc, void *host_ptr,
                                               cl_int *errcode_ret) {
  return decline(context, CL_INVALID_OPERATION, __func__, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *format, const cl_image_desc *desc,
                                 void *host_ptr, cl_int *errcode_ret) {
  return decline(context, CL_INVALID_OPERATION, __func__, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *format, size_t width, size_t height,
                                   size_t pitch, void *host_ptr, cl_int *errcode_ret) {
  return decline(context, CL_INVALID_OPERATION, __func__, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *format, size_t width, size_t height,
                                   size_t depth, size_t row_pitch, size_t slice_pitch,
                                   void *host_ptr, cl_int *errcode_ret) {
  return decline(context, CL_INVALID_OPERATION, __func__, errcode_ret);
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type type, cl_uint num_entries,
                                              cl_image_format *formats, cl_uint *num_formats) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (formats && !num_entries) return CL_INVALID_VALUE;
  switch (type) {
  case CL_MEM_OBJECT_IMAGE1D:
  case CL_MEM_OBJECT_IMAGE1D_BUFFER:
  case CL_MEM_OBJECT_IMAGE1D_ARRAY:
  case CL_MEM_OBJECT_IMAGE2D:
  case CL_MEM_OBJECT_IMAGE2D_ARRAY:
  case CL_MEM_OBJECT_IMAGE3D:
    if (num_formats) *num_formats = 0;
    return CL_SUCCESS;
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name, size_t size, void *value,
                                  size_t *size_ret) {
  return CL_INVALID_MEM_OBJECT; /* no memory object is an image */
}

/* Samplers (section 5.7.1) */

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                       cl_addressing_mode addressing, cl_filter_mode filter,
                                       cl_int *errcode_ret) {
  return decline(context, CL_INVALID_OPERATION, __func__, errcode_ret);
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties *properties,
                                                     cl_int *errcode_ret) {
  return decline(context, CL_INVALID_OPERATION, __func__, errcode_ret);
}

cl_int CL_API_CALL clRetainSampler(cl_sampler sampler) {
  return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL clReleaseSampler(cl_sampler sampler) {
  return CL_INVALID_SAMPLER;
}

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t size,
                                    void *value, size_t *size_ret) {
  return CL_INVALID_SAMPLER;
}

/* Pipes (section 5.4.1) */

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                cl_uint max_packets, const cl_pipe_properties *properties,
                                cl_int *errcode_ret) {
  return decline(context, CL_INVALID_OPERATION, __func__, errcode_ret);
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem pipe, cl_pipe_info param_name, size_t size, void *value,
                                 size_t *size_ret) {
  return CL_INVALID_MEM_OBJECT;
}

/* Intermediate languages and built-in kernels (section 5.8.1) */

cl_program CL_API_CALL clCreateProgramWithIL(cl_context context, const void *il, size_t length,
                                             cl_int *errcode_ret) {
  return decline(context, CL_INVALID_OPERATION, __func__, errcode_ret);
}

cl_int CL_API_CALL clSetProgramSpecializationConstant(cl_program program, cl_uint id, size_t size,
                                                      const void *value) {
  return mpl_valid(program, MPL_PROGRAM) ? CL_INVALID_OPERATION : CL_INVALID_PROGRAM;
}

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

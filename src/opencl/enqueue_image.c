/* Image commands.  The device has no images and no memory object is one: after the checks of the
 * handles, what section 5.3 names for that. */
#include "enqueue.h"

static cl_int decline(const char *function, cl_command_queue queue, cl_mem image, cl_mem other,
                      cl_uint num_waits, const cl_event *waits) {
  struct mpl_deps deps = {num_waits, waits, NULL};
  cl_int error = mpl_validate_enqueue(function, queue, &deps);
  if (!error) error = mpl_validate_buffer(function, queue, image);
  if (!error && other) error = mpl_validate_buffer(function, queue, other);
  if (error) return error;
  return mpl_refuse(CL_INVALID_OPERATION, function,
                    "the device has no images (CL_DEVICE_IMAGE_SUPPORT)");
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                      const size_t *origin, const size_t *region, size_t row_pitch,
                                      size_t slice_pitch, void *ptr, cl_uint num_waits,
                                      const cl_event *waits, cl_event *event) {
  return decline(__func__, queue, image, NULL, num_waits, waits);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                       const size_t *origin, const size_t *region, size_t row_pitch,
                                       size_t slice_pitch, const void *ptr, cl_uint num_waits,
                                       const cl_event *waits, cl_event *event) {
  return decline(__func__, queue, image, NULL, num_waits, waits);
}

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color,
                                      const size_t *origin, const size_t *region, cl_uint num_waits,
                                      const cl_event *waits, cl_event *event) {
  return decline(__func__, queue, image, NULL, num_waits, waits);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                      const size_t *from_origin, const size_t *to_origin,
                                      const size_t *region, cl_uint num_waits,
                                      const cl_event *waits, cl_event *event) {
  return decline(__func__, queue, from, to, num_waits, waits);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                              const size_t *origin, const size_t *region,
                                              size_t offset, cl_uint num_waits,
                                              const cl_event *waits, cl_event *event) {
  return decline(__func__, queue, image, buffer, num_waits, waits);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                              size_t offset, const size_t *origin,
                                              const size_t *region, cl_uint num_waits,
                                              const cl_event *waits, cl_event *event) {
  return decline(__func__, queue, buffer, image, num_waits, waits);
}

void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                    cl_map_flags flags, const size_t *origin, const size_t *region,
                                    size_t *row_pitch, size_t *slice_pitch, cl_uint num_waits,
                                    const cl_event *waits, cl_event *event, cl_int *errcode_ret) {
  cl_int error = decline(__func__, queue, image, NULL, num_waits, waits);
  if (errcode_ret) *errcode_ret = error;
  return NULL;
}

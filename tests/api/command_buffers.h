/* The functions of command-buffers, by name.  As of 0.9.8: the headers of Debian 12 have older
 * signatures. */
#ifndef MPL_TESTS_COMMAND_BUFFERS_H
#define MPL_TESTS_COMMAND_BUFFERS_H

#include "api.h"

typedef cl_command_buffer_khr CL_API_CALL create_fn(cl_uint, const cl_command_queue *,
                                                    const cl_command_buffer_properties_khr *,
                                                    cl_int *);
typedef cl_int CL_API_CALL buffer_fn(cl_command_buffer_khr);
typedef cl_int CL_API_CALL enqueue_fn(cl_uint, cl_command_queue *, cl_command_buffer_khr, cl_uint,
                                      const cl_event *, cl_event *);
typedef cl_int CL_API_CALL info_fn(cl_command_buffer_khr, cl_command_buffer_info_khr, size_t, void *,
                                   size_t *);
#define POINTS cl_uint, const cl_sync_point_khr *, cl_sync_point_khr *, cl_mutable_command_khr *
#define TO     cl_command_buffer_khr, cl_command_queue, const cl_properties *
typedef cl_int CL_API_CALL barrier_fn(TO, POINTS);
typedef cl_int CL_API_CALL fill_fn(TO, cl_mem, const void *, size_t, size_t, size_t, POINTS);
typedef cl_int CL_API_CALL copy_fn(TO, cl_mem, cl_mem, size_t, size_t, size_t, POINTS);
typedef cl_int CL_API_CALL kernel_fn(TO, cl_kernel, cl_uint, const size_t *, const size_t *,
                                     const size_t *, POINTS);
typedef cl_int CL_API_CALL fill_image_fn(TO, cl_mem, const void *, const size_t *, const size_t *,
                                         POINTS);
typedef cl_int CL_API_CALL copy_image_fn(TO, cl_mem, cl_mem, const size_t *, const size_t *,
                                         const size_t *, POINTS);
typedef cl_int CL_API_CALL to_image_fn(TO, cl_mem, cl_mem, size_t, const size_t *, const size_t *,
                                       POINTS);
typedef cl_int CL_API_CALL from_image_fn(TO, cl_mem, cl_mem, const size_t *, const size_t *, size_t,
                                         POINTS);
typedef cl_int CL_API_CALL svm_fn(TO, void *, const void *, size_t, POINTS);

static create_fn *create;
static buffer_fn *finalize, *retain, *release;
static enqueue_fn *enqueue;
static info_fn *info;
static barrier_fn *barrier;
static fill_fn *fill;
static copy_fn *copy;
static kernel_fn *launch;
static svm_fn *svm_copy;

static inline void *address(const char *name) {
  void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
  CHECK(found);
  return found;
}

static inline void open_command_buffers(void) {
  open_device();
  create = (create_fn *)address("clCreateCommandBufferKHR");
  finalize = (buffer_fn *)address("clFinalizeCommandBufferKHR");
  retain = (buffer_fn *)address("clRetainCommandBufferKHR");
  release = (buffer_fn *)address("clReleaseCommandBufferKHR");
  enqueue = (enqueue_fn *)address("clEnqueueCommandBufferKHR");
  info = (info_fn *)address("clGetCommandBufferInfoKHR");
  barrier = (barrier_fn *)address("clCommandBarrierWithWaitListKHR");
  fill = (fill_fn *)address("clCommandFillBufferKHR");
  copy = (copy_fn *)address("clCommandCopyBufferKHR");
  launch = (kernel_fn *)address("clCommandNDRangeKernelKHR");
  svm_copy = (svm_fn *)address("clCommandSVMMemcpyKHR");
}

#endif

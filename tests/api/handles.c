/* Null and wrong handles through the driver's own table (a loader refuses some of them itself). */
#include "api.h"

#define NULL_AND_WRONG(code, type, handle, call)                                                   \
  do {                                                                                             \
    type handle = NULL;                                                                            \
    EXPECT(code, call);                                                                            \
    handle = WRONG(type);                                                                          \
    EXPECT(code, call);                                                                            \
    handle = (type)((char *)(void *)not_an_object + 1);                                            \
    EXPECT(code, call);                                                                            \
  } while (0)

static const cl_icd_dispatch *cl;
static cl_int error, value;
static const size_t one = 1;
static const char *text = "";

static void check_devices(void) {
  NULL_AND_WRONG(CL_INVALID_DEVICE, cl_device_id, d,
                 cl->clGetDeviceInfo(d, CL_DEVICE_NAME, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_DEVICE, cl_device_id, d, cl->clRetainDevice(d));
  NULL_AND_WRONG(CL_INVALID_DEVICE, cl_device_id, d,
                 (cl->clCreateContext(0, 1, &d, 0, 0, &error), error));
}

static void check_contexts(void) {
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x, cl->clGetContextInfo(x, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x, cl->clRetainContext(x));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x, cl->clReleaseContext(x));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x,
                 (cl->clCreateBuffer(x, 0, 1, 0, &error), error));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x, (cl->clCreateUserEvent(x, &error), error));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x,
                 (cl->clCreateProgramWithSource(x, 1, &text, 0, &error), error));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x,
                 (cl->clCreateCommandQueueWithProperties(x, device, 0, &error), error));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x,
                 (cl->clCreateImage(x, 0, 0, 0, 0, &error), error));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x,
                 (cl->clCreateSampler(x, 0, 0, 0, &error), error));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x,
                 (cl->clLinkProgram(x, 0, 0, 0, 0, 0, 0, 0, &error), error));
  NULL_AND_WRONG(0, cl_context, x, cl->clSVMAlloc(x, 0, 4, 0) != NULL);
}

static void check_memory(void) {
  NULL_AND_WRONG(CL_INVALID_MEM_OBJECT, cl_mem, m, cl->clRetainMemObject(m));
  NULL_AND_WRONG(CL_INVALID_MEM_OBJECT, cl_mem, m, cl->clReleaseMemObject(m));
  NULL_AND_WRONG(CL_INVALID_MEM_OBJECT, cl_mem, m, cl->clGetMemObjectInfo(m, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_MEM_OBJECT, cl_mem, m,
                 (cl->clCreateSubBuffer(m, 0, 0, 0, &error), error));
  NULL_AND_WRONG(CL_INVALID_MEM_OBJECT, cl_mem, m,
                 cl->clEnqueueReadBuffer(queue, m, 1, 0, 4, &value, 0, 0, 0));
}

/* A device without images says so before it looks at the image. */
static void check_images(void) {
  static const size_t none[3] = {0};
  const cl_int code = has_images() ? CL_INVALID_MEM_OBJECT : CL_INVALID_OPERATION;
  cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);
  size_t pitch;
  NULL_AND_WRONG(CL_INVALID_MEM_OBJECT, cl_mem, m, cl->clGetImageInfo(m, CL_IMAGE_WIDTH, 0, 0, 0));
  NULL_AND_WRONG(code, cl_mem, m,
                 cl->clEnqueueReadImage(queue, m, 1, none, none, 0, 0, &value, 0, 0, 0));
  NULL_AND_WRONG(code, cl_mem, m,
                 cl->clEnqueueWriteImage(queue, m, 1, none, none, 0, 0, &value, 0, 0, 0));
  NULL_AND_WRONG(code, cl_mem, m, cl->clEnqueueFillImage(queue, m, none, none, none, 0, 0, 0));
  NULL_AND_WRONG(code, cl_mem, m, cl->clEnqueueCopyImage(queue, m, m, none, none, none, 0, 0, 0));
  NULL_AND_WRONG(code, cl_mem, m,
                 cl->clEnqueueCopyImageToBuffer(queue, m, buffer, none, none, 0, 0, 0, 0));
  NULL_AND_WRONG(code, cl_mem, m,
                 cl->clEnqueueCopyBufferToImage(queue, buffer, m, 0, none, none, 0, 0, 0));
  NULL_AND_WRONG(
      code, cl_mem, m,
      (cl->clEnqueueMapImage(queue, m, 1, CL_MAP_READ, none, none, &pitch, &pitch, 0, 0, 0, &error),
       error));
  NULL_AND_WRONG(CL_INVALID_MEM_OBJECT, cl_mem, m,
                 cl->clEnqueueMigrateMemObjects(queue, 1, &m, 0, 0, 0, 0));
  clReleaseMemObject(buffer);
}

static void check_samplers(void) {
  NULL_AND_WRONG(CL_INVALID_SAMPLER, cl_sampler, s, cl->clRetainSampler(s));
  NULL_AND_WRONG(CL_INVALID_SAMPLER, cl_sampler, s, cl->clReleaseSampler(s));
  NULL_AND_WRONG(CL_INVALID_SAMPLER, cl_sampler, s, cl->clGetSamplerInfo(s, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x,
                 (cl->clCreateSamplerWithProperties(x, 0, &error), error));
  NULL_AND_WRONG(CL_INVALID_CONTEXT, cl_context, x,
                 cl->clGetSupportedImageFormats(x, 0, CL_MEM_OBJECT_IMAGE2D, 0, 0, 0));
}

static void check_queues(void) {
  NULL_AND_WRONG(CL_INVALID_COMMAND_QUEUE, cl_command_queue, q, cl->clFinish(q));
  NULL_AND_WRONG(CL_INVALID_COMMAND_QUEUE, cl_command_queue, q, cl->clReleaseCommandQueue(q));
  NULL_AND_WRONG(CL_INVALID_COMMAND_QUEUE, cl_command_queue, q,
                 cl->clEnqueueNDRangeKernel(q, 0, 1, 0, &one, 0, 0, 0, 0));
}

static void check_kernels(void) {
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k,
                 cl->clEnqueueNDRangeKernel(queue, k, 1, 0, &one, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k, cl->clSetKernelArg(k, 0, 4, &value));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k, cl->clSetKernelArgSVMPointer(k, 0, &value));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k, cl->clSetKernelExecInfo(k, 0, 4, &value));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k, cl->clGetKernelInfo(k, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k, cl->clGetKernelArgInfo(k, 0, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k, cl->clGetKernelWorkGroupInfo(k, 0, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k,
                 cl->clGetKernelSubGroupInfo(k, 0, 0, 0, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k, (cl->clCloneKernel(k, &error), error));
  NULL_AND_WRONG(CL_INVALID_KERNEL, cl_kernel, k, cl->clReleaseKernel(k));
}

static void check_programs(void) {
  NULL_AND_WRONG(CL_INVALID_PROGRAM, cl_program, p, cl->clBuildProgram(p, 0, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_PROGRAM, cl_program, p,
                 cl->clCompileProgram(p, 0, 0, 0, 0, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_PROGRAM, cl_program, p, cl->clGetProgramInfo(p, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_PROGRAM, cl_program, p,
                 cl->clGetProgramBuildInfo(p, device, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_PROGRAM, cl_program, p, (cl->clCreateKernel(p, "k", &error), error));
  NULL_AND_WRONG(CL_INVALID_PROGRAM, cl_program, p, cl->clCreateKernelsInProgram(p, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_PROGRAM, cl_program, p, cl->clReleaseProgram(p));
}

static void check_events_and_samplers(void) {
  NULL_AND_WRONG(CL_INVALID_EVENT, cl_event, e, cl->clRetainEvent(e));
  NULL_AND_WRONG(CL_INVALID_EVENT, cl_event, e, cl->clGetEventInfo(e, 0, 0, 0, 0));
  NULL_AND_WRONG(CL_INVALID_EVENT, cl_event, e, cl->clSetUserEventStatus(e, 0));
  NULL_AND_WRONG(CL_INVALID_SAMPLER, cl_sampler, s, cl->clRetainSampler(s));
  NULL_AND_WRONG(CL_INVALID_SAMPLER, cl_sampler, s, cl->clReleaseSampler(s));
}

int main(void) {
  open_device();
  cl = *(const cl_icd_dispatch *const *)platform;
  check_devices();
  check_contexts();
  check_memory();
  check_images();
  check_samplers();
  check_queues();
  check_kernels();
  check_programs();
  check_events_and_samplers();
  return finish();
}

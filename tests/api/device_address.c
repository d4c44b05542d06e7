/* Addresses of buffers as kernels see them (cl_ext_buffer_device_address). */
#include "api.h"

enum { PRIVATE_ADDRESS = 0x5000, ADDRESS = 0x5001, POINTERS = 0x5002 }; /* not in old headers */
typedef cl_int CL_API_CALL set_fn(cl_kernel, cl_uint, cl_ulong);
static const char *const source =
    "kernel void where(global int *x, constant int *y, local int *z, global ulong *out) {\n"
    "  out[get_global_id(0)] = (ulong)x;\n"
    "  x[0] += 5;\n"
    "}\n"
    "kernel void through(global const ulong *list, global int *out) {\n"
    "  out[0] = ((global int *)list[0])[0] + ((global int *)list[0])[2];\n"
    "}\n";

/* Bytes are up to date wherever an address is given: on each device in turn, after the host has
 * written, by an argument and in memory. */
static void check_devices(set_fn *set, const cl_mem_properties *fixed) {
  enum { MOST = 16 };
  cl_device_id devices[MOST];
  cl_ulong addresses[MOST];
  cl_int error, numbers[4] = {1, 2, 3, 4}, expected = 1, result;
  cl_uint count;
  size_t one = 1, size;
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, MOST, devices, &count));
  cl_context own = context;
  context = clCreateContext(NULL, count, devices, NULL, NULL, &error);
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_kernel where = clCreateKernel(program, "where", &error),
            first = clCreateKernel(program, "through", &error);
  cl_mem buffer = clCreateBufferWithProperties(context, fixed, CL_MEM_USE_HOST_PTR, sizeof numbers,
                                               numbers, &error),
         other = clCreateBuffer(context, 0, 16, NULL, &error);
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(buffer, ADDRESS, sizeof addresses, addresses, &size));
  CHECK(size == count * sizeof *addresses);
  EXPECT(CL_SUCCESS, clSetKernelArg(where, 1, sizeof other, &other));
  EXPECT(CL_SUCCESS, clSetKernelArg(where, 2, 4, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(where, 3, sizeof other, &other));
  EXPECT(CL_SUCCESS, clSetKernelArg(first, 0, sizeof other, &other));
  EXPECT(CL_SUCCESS, clSetKernelArg(first, 1, sizeof other, &other));
  for (cl_uint d = 0; d < 2 * count; d++) {
    cl_ulong address = addresses[d % count];
    cl_command_queue on =
        clCreateCommandQueueWithProperties(context, devices[d % count], NULL, &error);
    EXPECT(CL_SUCCESS, set(where, 0, address));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(on, where, 1, NULL, &one, &one, 0, NULL, NULL));
    cl_int *mapped = clEnqueueMapBuffer(on, buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, 16, 0,
                                        NULL, NULL, &error);
    CHECK(mapped[0] == expected + 5);
    mapped[0] = expected += 100;
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(on, buffer, mapped, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(on, other, CL_TRUE, 0, 8, &address, 0, NULL, NULL));
    cl_kernel clone = clCloneKernel(first, &error);
    EXPECT(CL_SUCCESS, clSetKernelExecInfo(clone, POINTERS, sizeof address, &address));
    cl_kernel through = d & 1 ? clCloneKernel(clone, &error) : clone;
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(on, through, 1, NULL, &one, &one, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(on, other, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
    CHECK(result == expected + 3);
    if (through != clone) clReleaseKernel(through);
    clReleaseKernel(clone);
    clReleaseCommandQueue(on);
  }
  clReleaseMemObject(buffer);
  clReleaseMemObject(other);
  clReleaseKernel(where);
  clReleaseKernel(first);
  clReleaseProgram(program);
  clReleaseContext(context);
  context = own;
}

static const cl_mem_properties fixed[] = {PRIVATE_ADDRESS, CL_TRUE, 0};
static cl_int numbers[4] = {10, 20, 30, 40};

static cl_mem check_buffers(cl_mem plain, cl_ulong *address) {
  static const cl_mem_properties wrong[] = {PRIVATE_ADDRESS, 2, 0},
                                 twice[] = {PRIVATE_ADDRESS, 1, PRIVATE_ADDRESS, 1, 0};
  cl_mem_properties said[3];
  cl_int error;
  size_t size;
  EXPECT_NULL(CL_INVALID_PROPERTY,
              clCreateBufferWithProperties(context, wrong, 0, 16, NULL, &error));
  EXPECT_NULL(CL_INVALID_PROPERTY,
              clCreateBufferWithProperties(context, twice, 0, 16, NULL, &error));
  cl_mem buffer = clCreateBufferWithProperties(context, fixed, CL_MEM_COPY_HOST_PTR, sizeof numbers,
                                               numbers, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_INVALID_OPERATION, clGetMemObjectInfo(plain, ADDRESS, 8, address, NULL));
  EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(buffer, ADDRESS, 4, address, NULL));
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(buffer, ADDRESS, 8, address, &size));
  CHECK(size == 8 && *address);
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, sizeof said, said, &size));
  CHECK(size == sizeof fixed && !memcmp(said, fixed, size));
  return buffer;
}

/* As an argument. */
static void check_where(set_fn *set, cl_kernel where, cl_mem buffer, cl_mem plain,
                        cl_ulong address) {
  const size_t one = 1;
  cl_ulong seen = 0;
  EXPECT(CL_SUCCESS, clSetKernelArg(where, 0, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clSetKernelArg(where, 1, sizeof plain, &plain));
  EXPECT(CL_SUCCESS, clSetKernelArg(where, 2, 4, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(where, 3, sizeof plain, &plain));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, where, 1, NULL, &one, &one, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, plain, CL_TRUE, 0, 8, &seen, 0, NULL, NULL));
  CHECK(seen == address);
  EXPECT(CL_SUCCESS, set(where, 0, address + 4)); /* inside of the buffer */
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, where, 1, NULL, &one, &one, 0, NULL, NULL));
  EXPECT(CL_INVALID_KERNEL, set(NULL, 0, address));
  EXPECT(CL_INVALID_ARG_INDEX, set(where, 1, address)); /* constant */
  EXPECT(CL_INVALID_ARG_INDEX, set(where, 2, address)); /* local */
  EXPECT(CL_INVALID_ARG_INDEX, set(where, 4, address));
}

/* Without being an argument: an address in memory. */
static void check_through(cl_kernel through, cl_mem buffer, cl_mem plain, cl_ulong address) {
  const size_t one = 1;
  cl_int error, result = 0;
  EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queue, plain, CL_TRUE, 0, 8, &address, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(through, 0, sizeof plain, &plain));
  cl_mem out = clCreateBuffer(context, 0, 4, NULL, &error);
  EXPECT(CL_SUCCESS, clSetKernelArg(through, 1, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelExecInfo(through, POINTERS, sizeof address, &address));
  EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(through, POINTERS, 3, &address));
  EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(through, POINTERS, 8, NULL));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, through, 1, NULL, &one, &one, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &result, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 16, numbers, 0, NULL, NULL));
  CHECK(result == 15 + 30 && numbers[1] == 25);
  clReleaseMemObject(out);
}

int main(void) {
  static char extensions[8192];
  cl_int error;
  cl_ulong address = 0;
  open_device();
  set_fn *set = (set_fn *)clGetExtensionFunctionAddressForPlatform(
      platform, "clSetKernelArgDevicePointerEXT");
  CHECK(set);
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
  if (!strstr(extensions, "cl_ext_buffer_device_address")) {
    EXPECT_NULL(CL_INVALID_OPERATION,
                clCreateBufferWithProperties(context, fixed, 0, 16, NULL, &error));
    return finish();
  }
  cl_mem plain = clCreateBuffer(context, 0, 16, NULL, &error);
  cl_mem buffer = check_buffers(plain, &address);
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_kernel where = clCreateKernel(program, "where", &error),
            through = clCreateKernel(program, "through", &error);
  check_where(set, where, buffer, plain, address);
  check_through(through, buffer, plain, address);
  check_devices(set, fixed);
  clReleaseMemObject(plain);
  clReleaseMemObject(buffer);
  clReleaseKernel(where);
  clReleaseKernel(through);
  clReleaseProgram(program);
  return finish();
}

/* cl_khr_kernel_clock on a GPU, where each scope has a clock of its own: all go up from one reading
 * of a work-item to its next, the device's from one launch to the next too, for all work-items. */
#include "api/api.h"

enum { ITEMS = 128, SCOPES = 3, LAUNCHES = 3 };
static const char source[] =
    "#define READ(s, at) \\\n"
    "  { uint2 h = clock_read_hilo_##s(); first = clock_read_##s(); \\\n"
    "    good = good && ((ulong)h.hi << 32 | h.lo) <= first; \\\n"
    "    for (int k = 0; k < *n; k++) p[i] += k; \\\n"
    "    barrier(CLK_GLOBAL_MEM_FENCE); \\\n"
    "    second = clock_read_##s(); good = good && first <= second; \\\n"
    "    out[8 * i + at] = first; out[8 * i + at + 1] = second; }\n"
    "kernel void k(global ulong *out, global int *p, global const int *n) {\n"
    "  size_t i = get_global_id(0);\n"
    "  bool good = true;\n"
    "  ulong first, second;\n"
    "  READ(device, 0) READ(work_group, 2) READ(sub_group, 4)\n"
    "  out[8 * i + 6] = good;\n"
    "}\n";

int main(void) {
  static cl_ulong out[8 * ITEMS];
  cl_int n = 50, error, zeros[ITEMS] = {0};
  cl_ulong latest = 0;
  size_t size = ITEMS, local = ITEMS / 2;
  open_device();
  cl_kernel kernel = clCreateKernel(build(source, "-cl-std=CL3.0"), "k", &error);
  EXPECT(CL_SUCCESS, error);
  cl_mem buffers[] = {clCreateBuffer(context, 0, sizeof out, NULL, &error),
                      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zeros, zeros, &error),
                      clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof n, &n, &error)};
  for (cl_uint a = 0; a < 3; a++)
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, a, sizeof *buffers, &buffers[a]));
  for (int round = 0; round < LAUNCHES; round++) {
    cl_ulong before = latest;
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &local, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queue, buffers[0], CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++) {
      const cl_ulong *of_item = out + 8 * i;
      EXPECT(1, (int)of_item[6]);
      for (int s = 0; s < SCOPES; s++) EXPECT(1, of_item[2 * s] && of_item[2 * s + 1]);
      EXPECT(1, of_item[0] >= before);
      if (of_item[1] > latest) latest = of_item[1];
    }
  }
  for (int i = 0; i < 3; i++) clReleaseMemObject(buffers[i]);
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  return finish();
}

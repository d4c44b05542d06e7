/* A launch for which few registers leave room is compiled with them, and a second time without that
 * limit where something goes to memory for it: with 64 at most the twin's kernels have enough. */
#include "api/api.h"
#include "cuda/open_twin.h"

static const char source[] =
    "kernel void k(global int *p, local int *l) {\n"
    "  l[get_local_id(0)] = p[get_global_id(0)];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  p[get_global_id(0)] = l[get_local_size(0) - 1 - get_local_id(0)] + 1;\n"
    "}\n";
enum { LOCAL = 64, MOST = 4096 };

static const struct twin_control *control;

/* How many modules are loaded for the first launch of so many work-items. */
static unsigned long loads_for(cl_kernel kernel, size_t items) {
  unsigned long before = control->count("cuModuleLoadDataEx");
  EXPECT(CL_SUCCESS,
         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &(size_t){LOCAL}, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  return control->count("cuModuleLoadDataEx") - before;
}

int main(void) {
  open_device();
  control = open_twin();
  CHECK(control);
  if (!control) return finish();
  cl_program program = clCreateProgramWithSource(context, 1, &(const char *){source}, NULL, NULL);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "", NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  static int data[MOST];
  cl_mem mem = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof data, data, NULL);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof mem, &mem));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, LOCAL * sizeof(int), NULL));
  CHECK(loads_for(kernel, 1024) == 1); /* 64 registers */
  CHECK(loads_for(kernel, 1024) == 0);
  CHECK(loads_for(kernel, 1280) == 2); /* 48 */
  CHECK(loads_for(kernel, 2048) == 2); /* 32 */
  CHECK(loads_for(kernel, 2048) == 0);
  CHECK(loads_for(kernel, MOST) == 1); /* as many as it likes */
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, mem, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
  CHECK(data[0] == 6 && data[1279] == 4 && data[MOST - 1] == 1);
  clReleaseMemObject(mem);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return finish();
}

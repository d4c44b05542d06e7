/* Kernels with private arrays that no stack can hold end with CL_OUT_OF_RESOURCES, and those that
 * are too large for a work-item's on the checking engine are mistakes; the process and other
 * kernels go on. */
#include "api.h"

static const char *const source =
    "kernel void k(global int *out, global const int *in) {\n"
    "  int a[N], b[N];\n"
    "  for (int i = 0; i < N; i += 500) a[i] = b[i + 1] = i ^ in[0];\n"
    "  a[in[1]] = b[in[2]] = 5;\n"
    "  out[get_global_id(0)] = a[in[3]] + b[in[4]];\n"
    "}\n";

/* On the checking engine, which reports it and goes on. */
static bool has_full_stack(int count) {
  const char *check = getenv("MANIPLE_CHECK");
  return check && strcmp(check, "0") && count > 30000;
}

static cl_int status_with(int count, const char *options) {
  cl_int error, values[8] = {0}, status = 1;
  char text[96];
  snprintf(text, sizeof text, "-DN=%d %s", count, options);
  cl_program program = build(source, text);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  EXPECT(CL_SUCCESS, error);
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  size_t items = 8;
  cl_event event;
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof in, &in));
  EXPECT(CL_SUCCESS,
         clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, &event));
  clFinish(queue);
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
  for (int i = 0; i < 8 && !status && !has_full_stack(count); i++) CHECK(values[i] == 10);
  clReleaseEvent(event);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return status;
}

int main(void) {
  static const char *const options[] = {"", "-cl-opt-disable"};
  open_device();
  for (int i = 0; i < 2; i++) {
    EXPECT(CL_COMPLETE, status_with(1000, options[i]));
    EXPECT(CL_COMPLETE, status_with(300000, options[i]));
    EXPECT(CL_OUT_OF_RESOURCES, status_with(500000000, options[i]));
    EXPECT(CL_COMPLETE, status_with(1000, options[i]));
  }
  return finish();
}

/* Who looks at platforms and devices, whatever is asked of them, takes nothing of a GPU: no
 * context, stream or memory.  The first queue does.  With CUDA_VISIBLE_DEVICES empty there is no
 * platform. */

#include "api/api.h"
#include "cuda/open_twin.h"

static const struct twin_control *control;

static void ask_all(cl_device_id of) {
  static char answer[1 << 16];
  size_t size, known = 0;
  for (cl_device_info what = 0x1000; what < 0x1100; what++)
    known += !clGetDeviceInfo(of, what, sizeof answer, answer, &size);
  CHECK(known > 80);
}

static unsigned long contexts(void) {
  return control->count("cuDevicePrimaryCtxRetain");
}

int main(void) {
  static const char *const takes[] = {"cuDevicePrimaryCtxRetain",
                                      "cuCtxSetCurrent",
                                      "cuStreamCreate",
                                      "cuEventCreate",
                                      "cuMemAlloc_v2",
                                      "cuMemHostAlloc"};
  cl_uint count = 0;
  cl_int error = clGetPlatformIDs(1, &platform, &count);
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  if (visible && !*visible) {
    CHECK(error && !count);
    return finish();
  }
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  ask_all(device);
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  control = open_twin();
  CHECK(control);
  for (size_t i = 0; i < sizeof takes / sizeof *takes; i++) EXPECT(0, control->count(takes[i]));
  control->fault("cuDevicePrimaryCtxRetain", 1, 2);
  cl_command_queue made = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  CHECK(!made && error);
  made = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(2, contexts());
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(made));
  return finish();
}

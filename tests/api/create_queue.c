/* cl_khr_create_command_queue: clCreateCommandQueueWithPropertiesKHR, by its address; what the
 * queue is, that it runs commands, and bad input. */
#include "api.h"

typedef cl_command_queue(CL_API_CALL *creator)(cl_context, cl_device_id,
                                               const cl_queue_properties_khr *, cl_int *);
static creator create;

static void check_queue(const cl_queue_properties_khr *list, cl_command_queue_properties expected) {
  cl_int error = 1, seven = 7, got = 0;
  cl_command_queue_properties properties = ~(cl_command_queue_properties)0;
  cl_command_queue made = create(context, device, list, &error);
  CHECK(made && !error);
  if (!made) return;
  EXPECT(CL_SUCCESS,
         clGetCommandQueueInfo(made, CL_QUEUE_PROPERTIES, sizeof properties, &properties, NULL));
  CHECK(properties == expected);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, sizeof seven, NULL, &error);
  EXPECT(CL_SUCCESS,
         clEnqueueWriteBuffer(made, buffer, CL_TRUE, 0, sizeof seven, &seven, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(made, buffer, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
  CHECK(got == seven);
  EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(made));
}

static void check_bad(void) {
  const cl_queue_properties_khr unknown[] = {0x7777, 1, 0},
                                bits[] = {CL_QUEUE_PROPERTIES, 1 << 20, 0},
                                twice[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0, 0},
                                on_device[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_ON_DEVICE, 0},
                                sized[] = {CL_QUEUE_SIZE, 1024, 0};
  EXPECT_NULL(CL_INVALID_CONTEXT, create(NULL, device, NULL, &error));
  EXPECT_NULL(CL_INVALID_CONTEXT, create(WRONG(cl_context), device, NULL, &error));
  EXPECT_NULL(CL_INVALID_CONTEXT, create((cl_context)queue, device, NULL, &error));
  EXPECT_NULL(CL_INVALID_DEVICE, create(context, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_DEVICE, create(context, WRONG(cl_device_id), NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, create(context, device, unknown, &error));
  EXPECT_NULL(CL_INVALID_VALUE, create(context, device, bits, &error));
  EXPECT_NULL(CL_INVALID_VALUE, create(context, device, twice, &error));
  /* A queue on the device is out-of-order, and only such a one has a size. */
  cl_device_device_enqueue_capabilities can = 0;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL));
  EXPECT_NULL(can ? CL_INVALID_VALUE : CL_INVALID_QUEUE_PROPERTIES,
              create(context, device, on_device, &error));
  EXPECT_NULL(CL_INVALID_VALUE, create(context, device, sized, &error));
  CHECK(!create(NULL, device, NULL, NULL));
}

int main(void) {
  const cl_queue_properties_khr none[] = {0}, both[] = {CL_QUEUE_PROPERTIES,
                                                        CL_QUEUE_PROFILING_ENABLE |
                                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                        0};
  char extensions[8192];
  open_device();
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
  CHECK(strstr(extensions, "cl_khr_create_command_queue"));
  create = (creator)clGetExtensionFunctionAddressForPlatform(
      platform, "clCreateCommandQueueWithPropertiesKHR");
  CHECK(create);
  if (!create) return finish();
  check_queue(NULL, 0);
  check_queue(none, 0);
  check_queue(both, CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  check_bad();
  return finish();
}

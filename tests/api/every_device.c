/* All devices of the platform in one context: buffers go from one to the next, by events and
 * without the host, and each has programs and work of its own beside the others. */
#include "api.h"

enum { MOST = 16, COUNT = 1 << 16, GROUP = 64, ROUNDS = 4 };

static cl_device_id devices[MOST];
static cl_command_queue queues[MOST];
static cl_uint num_devices;
static cl_kernel kernel;

/* Each group's numbers become their prefix sums, and one more for each device. */
static const char *const source =
    "kernel void step(global uint *p, uint add) {\n"
    "  size_t i = get_global_id(0); p[i] = work_group_scan_inclusive_add(p[i]) + add; }\n";

static void plain_step(uint32_t *p, uint32_t add) {
  for (size_t i = 0; i < COUNT; i++) p[i] += i % GROUP ? p[i - 1] : 0;
  for (size_t i = 0; i < COUNT; i++) p[i] += add;
}

static void open_all(void) {
  cl_int error;
  num_devices = open_devices(devices, MOST);
  for (cl_uint d = 0; d < num_devices; d++)
    queues[d] = clCreateCommandQueueWithProperties(context, devices[d], NULL, &error);
  EXPECT(CL_SUCCESS, error);
  cl_program program = clCreateProgramWithSource(context, 1, (const char **)&source, NULL, &error);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
  kernel = clCreateKernel(program, "step", &error);
  EXPECT(CL_SUCCESS, error);
  clReleaseProgram(program);
}

static cl_mem make_buffer(uint32_t *p, uint32_t first) {
  cl_int error;
  for (size_t i = 0; i < COUNT; i++) p[i] = first + (uint32_t)i % 7;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, COUNT * 4, p, &error);
  EXPECT(CL_SUCCESS, error);
  return buffer;
}

static void enqueue(cl_uint d, cl_mem buffer, cl_uint add, cl_event after, cl_event *event) {
  size_t global = COUNT, local = GROUP;
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof add, &add));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queues[d], kernel, 1, NULL, &global, &local,
                                            after != NULL, after ? &after : NULL, event));
  EXPECT(CL_SUCCESS, clFlush(queues[d]));
}

static void expect_in(cl_uint d, cl_mem buffer, const uint32_t *expected) {
  static uint32_t got[COUNT];
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(queues[d], buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  CHECK(!memcmp(got, expected, sizeof got));
}

/* One buffer, device after device. */
static void in_turn(void) {
  static uint32_t p[COUNT];
  cl_mem buffer = make_buffer(p, 1);
  cl_event last = NULL;
  for (cl_uint k = 0; k < ROUNDS * num_devices; k++) {
    cl_event next;
    enqueue(k % num_devices, buffer, k, last, &next);
    if (last) clReleaseEvent(last);
    last = next;
    plain_step(p, k);
  }
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &last));
  for (cl_uint d = 0; d < num_devices; d++) expect_in(d, buffer, p);
  EXPECT(CL_SUCCESS, clEnqueueMigrateMemObjects(queues[0], 1, &buffer, 0, 0, NULL, NULL));
  expect_in(num_devices - 1, buffer, p);
  clReleaseEvent(last);
  clReleaseMemObject(buffer);
}

/* A buffer for each, all at once; then the next device reads it. */
static void side_by_side(void) {
  static uint32_t p[MOST][COUNT];
  cl_mem buffers[MOST];
  for (cl_uint d = 0; d < num_devices; d++) buffers[d] = make_buffer(p[d], d);
  for (cl_uint k = 0; k < ROUNDS; k++)
    for (cl_uint d = 0; d < num_devices; d++) enqueue(d, buffers[d], k, NULL, NULL);
  for (cl_uint d = 0; d < num_devices; d++) {
    for (uint32_t k = 0; k < ROUNDS; k++) plain_step(p[d], k);
    EXPECT(CL_SUCCESS, clFinish(queues[d]));
  }
  for (cl_uint d = 0; d < num_devices; d++) {
    expect_in((d + 1) % num_devices, buffers[d], p[d]);
    clReleaseMemObject(buffers[d]);
  }
}

int main(void) {
  open_all();
  if (failures) return 1;
  in_turn();
  side_by_side();
  clReleaseKernel(kernel);
  for (cl_uint d = 0; d < num_devices; d++) clReleaseCommandQueue(queues[d]);
  clReleaseContext(context);
  printf("%u devices\n", num_devices);
  return failures != 0;
}

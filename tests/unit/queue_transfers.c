/* Transfers: results, and the code that the specification names for each mistake. */
#include "cl_unit.h"

enum { SIZE = 4096 };
static cl_mem buffer, second, foreign;
static unsigned char host[SIZE], back[SIZE];

static void fill_host(void) {
  for (int i = 0; i < SIZE; i++) host[i] = (unsigned char)(i * 7 + i / 256);
}

static void linear(void) {
  cl_event event;
  OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, SIZE, host, 0, NULL, NULL));
  OK(clEnqueueCopyBuffer(queue, buffer, second, 100, 200, 1000, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, second, CL_TRUE, 200, 1000, back, 0, NULL, &event));
  CHECK(!memcmp(back, host + 100, 1000));
  cl_command_type type;
  OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
  CHECK(type == CL_COMMAND_READ_BUFFER);
  OK(clReleaseEvent(event));
  CHECK(references(buffer) == 1 && references(second) == 1);
}

static void linear_mistakes(void) {
  cl_event user = clCreateUserEvent(other_context, NULL);
  cl_mem no_read = new_buffer(context, CL_MEM_HOST_WRITE_ONLY, SIZE);
  cl_mem no_write = new_buffer(context, CL_MEM_HOST_READ_ONLY, SIZE);
  EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueReadBuffer(NULL, buffer, 1, 0, 1, back, 0, 0, 0));
  EXPECT(CL_INVALID_COMMAND_QUEUE,
         clEnqueueReadBuffer((cl_command_queue)buffer, buffer, 1, 0, 1, back, 0, 0, 0));
  EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueReadBuffer(queue, NULL, 1, 0, 1, back, 0, 0, 0));
  EXPECT(CL_INVALID_CONTEXT, clEnqueueReadBuffer(queue, foreign, 1, 0, 1, back, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, buffer, 1, 0, 1, NULL, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueReadBuffer(queue, buffer, 1, SIZE, 1, back, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueWriteBuffer(queue, buffer, 1, 1, (size_t)-1, host, 0, 0, 0));
  EXPECT(CL_INVALID_EVENT_WAIT_LIST, clEnqueueReadBuffer(queue, buffer, 1, 0, 1, back, 1, 0, 0));
  EXPECT(CL_INVALID_EVENT_WAIT_LIST,
         clEnqueueReadBuffer(queue, buffer, 1, 0, 1, back, 0, &user, 0));
  EXPECT(CL_INVALID_CONTEXT, clEnqueueReadBuffer(queue, buffer, 1, 0, 1, back, 1, &user, 0));
  EXPECT(CL_INVALID_OPERATION, clEnqueueReadBuffer(queue, no_read, 1, 0, 1, back, 0, 0, 0));
  EXPECT(CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, no_write, 1, 0, 1, host, 0, 0, 0));
  EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, buffer, buffer, 0, 99, 100, 0, 0, 0));
  OK(clEnqueueCopyBuffer(queue, buffer, buffer, 0, 100, 100, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueCopyBuffer(queue, buffer, second, 0, SIZE - 9, 10, 0, 0, 0));
  OK(clFinish(queue));
  OK(clReleaseEvent(user));
  OK(clReleaseMemObject(no_read));
  OK(clReleaseMemObject(no_write));
}

static void fills(void) {
  for (size_t pattern = 1; pattern <= 128; pattern *= 2) {
    size_t size = (SIZE - 128) / pattern * pattern;
    OK(clEnqueueFillBuffer(queue, buffer, host, pattern, 128, size, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, SIZE, back, 0, NULL, NULL));
    for (size_t i = 0; i < size; i++) CHECK(back[128 + i] == host[i % pattern]);
  }
  EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, host, 3, 0, 3, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, host, 256, 0, 256, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, NULL, 4, 0, 4, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, host, 4, 2, 4, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, host, 4, 0, 6, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE, clEnqueueFillBuffer(queue, buffer, host, 4, SIZE, 4, 0, 0, 0));
}

static size_t place(const size_t *origin, size_t row, size_t slice, size_t x, size_t y, size_t z) {
  return (origin[2] + z) * slice + (origin[1] + y) * row + origin[0] + x;
}

static void rectangles(void) {
  const size_t a[3] = {3, 2, 1}, b[3] = {5, 0, 2}, region[3] = {7, 4, 3}, zero[3] = {7, 0, 3};
  OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, SIZE, host, 0, NULL, NULL));
  memset(back, 0, SIZE);
  OK(clEnqueueReadBufferRect(queue, buffer, CL_TRUE, a, b, region, 16, 160, 20, 200, back, 0, 0,
                             0));
  for (size_t z = 0; z < 3; z++)
    for (size_t y = 0; y < 4; y++)
      for (size_t x = 0; x < 7; x++)
        CHECK(back[place(b, 20, 200, x, y, z)] == host[place(a, 16, 160, x, y, z)]);
  OK(clEnqueueCopyBufferRect(queue, buffer, second, a, b, region, 16, 160, 0, 0, 0, 0, 0));
  OK(clEnqueueReadBuffer(queue, second, CL_TRUE, 0, SIZE, back, 0, NULL, NULL));
  for (size_t z = 0; z < 3; z++)
    for (size_t y = 0; y < 4; y++)
      for (size_t x = 0; x < 7; x++)
        CHECK(back[place(b, 7, 28, x, y, z)] == host[place(a, 16, 160, x, y, z)]);
  EXPECT(CL_INVALID_VALUE,
         clEnqueueReadBufferRect(queue, buffer, 1, a, b, zero, 0, 0, 0, 0, back, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueReadBufferRect(queue, buffer, 1, a, b, region, 6, 0, 0, 0, back, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueReadBufferRect(queue, buffer, 1, a, b, region, 8, 33, 0, 0, back, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueWriteBufferRect(queue, buffer, 1, a, b, region, 0, 4000, 0, 0, host, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueWriteBufferRect(queue, buffer, 1, a, b, region, 0, 0, 0, 0, NULL, 0, 0, 0));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueCopyBufferRect(queue, buffer, buffer, a, b, region, 16, 160, 20, 200, 0, 0, 0));
  OK(clFinish(queue));
}

/* Overlap of boxes against a byte-by-byte answer. */
static void overlaps(void) {
  enum { ROW = 8, SLICE = 24, ALL = 8 * SLICE };
  unsigned seed = 1;
  for (int round = 0; round < 3000; round++) {
    size_t value[9];
    for (int i = 0; i < 9; i++) value[i] = (seed = seed * 1664525u + 1013904223u) >> 16;
    const size_t from[3] = {value[0] % 8, value[1] % 3, value[2] % 3};
    const size_t to[3] = {value[3] % 8, value[4] % 3, value[5] % 3};
    const size_t region[3] = {1 + value[6] % 8, 1 + value[7] % 3, 1 + value[8] % 2};
    unsigned char used[ALL] = {0};
    int overlap = 0;
    for (size_t z = 0; z < region[2]; z++)
      for (size_t y = 0; y < region[1]; y++)
        for (size_t x = 0; x < region[0]; x++) used[place(from, ROW, SLICE, x, y, z)] = 1;
    for (size_t z = 0; z < region[2]; z++)
      for (size_t y = 0; y < region[1]; y++)
        for (size_t x = 0; x < region[0]; x++) overlap |= used[place(to, ROW, SLICE, x, y, z)];
    EXPECT(overlap ? CL_MEM_COPY_OVERLAP : CL_SUCCESS,
           clEnqueueCopyBufferRect(queue, buffer, buffer, from, to, region, ROW, SLICE, ROW, SLICE,
                                   0, NULL, NULL));
  }
  OK(clFinish(queue));
}

static cl_uint map_count(void) {
  cl_uint count;
  OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
  return count;
}

static void maps(void) {
  cl_int error;
  unsigned char *first =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 64, 256, 0, NULL, NULL, &error);
  OK(error);
  unsigned char *again =
      clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 64, 1, 0, NULL, NULL, &error);
  CHECK(first == again && map_count() == 2);
  memset(first, 0x5a, 256);
  OK(clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL));
  CHECK(map_count() == 0);
  OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 64, 256, back, 0, NULL, NULL));
  for (int i = 0; i < 256; i++) CHECK(back[i] == 0x5a);
  CHECK(!clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_READ, 0, SIZE + 1, 0, 0, 0, &error));
  CHECK(error == CL_INVALID_VALUE);
  CHECK(!clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_READ, 0, 0, 0, 0, 0, &error));
  CHECK(error == CL_INVALID_VALUE);
  CHECK(!clEnqueueMapBuffer(queue, buffer, 1, CL_MAP_READ | CL_MAP_WRITE_INVALIDATE_REGION, 0, 1, 0,
                            0, 0, &error));
  CHECK(error == CL_INVALID_VALUE);
  CHECK(!clEnqueueMapBuffer(queue, foreign, 1, CL_MAP_READ, 0, 1, 0, 0, 0, &error));
  CHECK(error == CL_INVALID_CONTEXT);
}

static cl_int map_for_writing(cl_mem mem, cl_map_flags flags, size_t offset, size_t size,
                              unsigned char **pointer) {
  cl_int error;
  *pointer = clEnqueueMapBuffer(queue, mem, CL_TRUE, flags, offset, size, 0, NULL, NULL, &error);
  CHECK(!*pointer == (error != CL_SUCCESS));
  return error;
}

/* OpenCL 3.0 API, 5.5.4: of a buffer and its sub-buffers together; maps for reading may overlap. */
static void maps_for_writing(void) {
  const cl_buffer_region half = {SIZE / 2, SIZE / 2};
  cl_int error;
  unsigned char *first, *other, *none;
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &error);
  OK(error);
  OK(map_for_writing(buffer, CL_MAP_WRITE, SIZE / 2 - 8, 16, &first));
  EXPECT(CL_INVALID_OPERATION, map_for_writing(buffer, CL_MAP_WRITE, SIZE / 2, 1, &none));
  EXPECT(CL_INVALID_OPERATION,
         map_for_writing(buffer, CL_MAP_READ | CL_MAP_WRITE, SIZE / 2 - 20, 13, &none));
  EXPECT(CL_INVALID_OPERATION,
         map_for_writing(part, CL_MAP_WRITE_INVALIDATE_REGION, 7, SIZE / 2 - 7, &none));
  CHECK(map_count() == 1);
  OK(map_for_writing(buffer, CL_MAP_WRITE, 0, SIZE / 2 - 8, &other));
  OK(clEnqueueUnmapMemObject(queue, buffer, other, 0, NULL, NULL));
  OK(map_for_writing(part, CL_MAP_WRITE, 8, SIZE / 2 - 8, &other));
  OK(clEnqueueUnmapMemObject(queue, part, other, 0, NULL, NULL));
  OK(map_for_writing(part, CL_MAP_READ, 0, 8, &other));
  OK(clEnqueueUnmapMemObject(queue, part, other, 0, NULL, NULL));
  OK(clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL));
  /* What is unmapped, or was never unmapped of an object that is no more, is free again. */
  OK(map_for_writing(part, CL_MAP_WRITE, 0, 8, &other));
  EXPECT(CL_INVALID_OPERATION, map_for_writing(buffer, CL_MAP_WRITE, SIZE / 2, 1, &none));
  OK(clReleaseMemObject(part));
  OK(map_for_writing(buffer, CL_MAP_WRITE, 0, SIZE, &first));
  OK(clEnqueueUnmapMemObject(queue, buffer, first, 0, NULL, NULL));
  OK(clFinish(queue));
}

static void migrations(void) {
  OK(clEnqueueMigrateMemObjects(queue, 1, &buffer, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, NULL, 0, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, &buffer, 1 << 9, 0, NULL, NULL));
  EXPECT(CL_INVALID_CONTEXT, clEnqueueMigrateMemObjects(queue, 1, &foreign, 0, 0, NULL, NULL));
}

static int freed;
static void CL_CALLBACK free_them(cl_command_queue on, cl_uint count, void **pointers, void *data) {
  CHECK(on == queue && data == &freed);
  for (cl_uint i = 0; i < count; i++) clSVMFree(context, pointers[i]);
  freed += (int)count;
}

static void svm(void) {
  cl_device_svm_capabilities offered;
  OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof offered, &offered, NULL));
  if (!offered) return;
  unsigned char *a = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 0);
  unsigned char *b = clSVMAlloc(context, CL_MEM_READ_WRITE, SIZE, 64);
  CHECK(a && b);
  const int pattern = 0x01020304;
  OK(clEnqueueSVMMemFill(queue, a, &pattern, 4, SIZE, 0, NULL, NULL));
  OK(clEnqueueSVMMemcpy(queue, CL_FALSE, b, a, SIZE, 0, NULL, NULL));
  OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, b, SIZE, 0, NULL, NULL));
  for (int i = 0; i < SIZE / 4; i++) CHECK(((int *)b)[i] == pattern);
  OK(clEnqueueSVMUnmap(queue, b, 0, NULL, NULL));
  const void *list[] = {a, b + 100};
  const size_t sizes[] = {0, 50};
  OK(clEnqueueSVMMigrateMem(queue, 2, list, sizes, 0, 0, NULL, NULL));
  const void *wrong[] = {host};
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMMigrateMem(queue, 1, wrong, NULL, 0, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemcpy(queue, CL_TRUE, NULL, a, 1, 0, NULL, NULL));
  EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(queue, CL_TRUE, a, a + 1, 2, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemFill(queue, a + 1, &pattern, 4, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, a, 0, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMUnmap(queue, NULL, 0, NULL, NULL));
  void *both[] = {a, b};
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMFree(queue, 2, NULL, NULL, NULL, 0, NULL, NULL));
  OK(clEnqueueSVMFree(queue, 1, both, free_them, &freed, 0, NULL, NULL));
  OK(clEnqueueSVMFree(queue, 1, both + 1, NULL, NULL, 0, NULL, NULL));
  OK(clFinish(queue));
  CHECK(freed == 1);
}

/* A buffer is no image. */
static void images(void) {
  const size_t origin[3] = {0}, region[3] = {1, 1, 1};
  cl_int error;
  EXPECT(CL_INVALID_MEM_OBJECT,
         clEnqueueReadImage(queue, buffer, 1, origin, region, 0, 0, back, 0, NULL, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT,
         clEnqueueCopyImage(queue, NULL, NULL, origin, origin, region, 0, 0, 0));
  CHECK(!clEnqueueMapImage(queue, buffer, 1, CL_MAP_READ, origin, region, NULL, NULL, 0, 0, 0,
                           &error));
  CHECK(error == CL_INVALID_MEM_OBJECT);
}

int main(void) {
  set_up();
  fill_host();
  buffer = new_buffer(context, CL_MEM_READ_WRITE, SIZE);
  second = new_buffer(context, CL_MEM_READ_WRITE, SIZE);
  foreign = new_buffer(other_context, CL_MEM_READ_WRITE, SIZE);
  linear();
  linear_mistakes();
  fills();
  rectangles();
  overlaps();
  maps();
  maps_for_writing();
  migrations();
  svm();
  images();
  OK(clReleaseMemObject(buffer));
  OK(clReleaseMemObject(second));
  OK(clReleaseMemObject(foreign));
  tear_down();
  return 0;
}

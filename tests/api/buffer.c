/* Buffers and sub-buffers. */
#include "api.h"

static int called[3], calls;

static void CL_CALLBACK gone(cl_mem which, void *data) {
  called[calls++] = (int)(intptr_t)data;
}

#define INFO(type, mem, param)                                                                     \
  ({                                                                                               \
    type value_ = 0;                                                                               \
    EXPECT(CL_SUCCESS, clGetMemObjectInfo(mem, param, sizeof value_, &value_, NULL));              \
    value_;                                                                                        \
  })

static void check_creation(void) {
  char data[256] = {1};
  cl_ulong largest;
  clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
  EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, 0, NULL, &error));
  EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, largest + 1, NULL, &error));
  EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateBuffer(context, 0, 4, data, &error));
  EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4, NULL, &error));
  EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, NULL, &error));
  static const cl_mem_flags exclude[] = {CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
                                         CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                         CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR,
                                         CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR,
                                         CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
                                         CL_MEM_HOST_NO_ACCESS | CL_MEM_HOST_READ_ONLY,
                                         1ull << 40};
  for (size_t i = 0; i < sizeof exclude / sizeof *exclude; i++)
    EXPECT_NULL(CL_INVALID_VALUE, clCreateBuffer(context, exclude[i], 4, data, &error));
  const cl_mem_properties none[] = {0}, some[] = {1, 2, 0};
  EXPECT_NULL(CL_INVALID_PROPERTY, clCreateBufferWithProperties(context, some, 0, 4, NULL, &error));
  cl_mem buffer = clCreateBufferWithProperties(context, none, 0, 4, NULL, NULL);
  size_t size = 0;
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(buffer, CL_MEM_PROPERTIES, 0, NULL, &size));
  CHECK(size == sizeof none);
  clReleaseMemObject(buffer);

  buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, sizeof data, data, NULL);
  CHECK(INFO(void *, buffer, CL_MEM_HOST_PTR) == data);
  CHECK(INFO(size_t, buffer, CL_MEM_SIZE) == sizeof data);
  CHECK(INFO(cl_mem_flags, buffer, CL_MEM_FLAGS) == (CL_MEM_USE_HOST_PTR | CL_MEM_READ_WRITE));
  CHECK(INFO(cl_mem_object_type, buffer, CL_MEM_TYPE) == CL_MEM_OBJECT_BUFFER);
  CHECK(INFO(cl_context, buffer, CL_MEM_CONTEXT) == context);
  CHECK(INFO(cl_uint, buffer, CL_MEM_MAP_COUNT) == 0);
  CHECK(INFO(cl_uint, buffer, CL_MEM_REFERENCE_COUNT) == 1);
  CHECK(INFO(cl_mem, buffer, CL_MEM_ASSOCIATED_MEMOBJECT) == NULL);
  CHECK(INFO(cl_bool, buffer, CL_MEM_USES_SVM_POINTER) == CL_FALSE);
  EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(buffer, 0x1, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clSetMemObjectDestructorCallback(buffer, NULL, NULL));
  for (intptr_t i = 0; i < 3; i++)
    EXPECT(CL_SUCCESS, clSetMemObjectDestructorCallback(buffer, gone, (void *)i));
  clRetainMemObject(buffer);
  clReleaseMemObject(buffer);
  CHECK(!calls);
  clReleaseMemObject(buffer);
  CHECK(calls == 3 && called[0] == 2 && called[2] == 0);
}

static void check_sub_buffers(void) {
  cl_mem parent = clCreateBuffer(context, CL_MEM_READ_ONLY, 4096, NULL, NULL);
  cl_buffer_region good = {1024, 256}, crooked = {1000, 4}, outside = {4096 - 128, 256};
  cl_buffer_region empty = {1024, 0}, wraps = {1024, SIZE_MAX - 512};
  const cl_buffer_create_type region = CL_BUFFER_CREATE_TYPE_REGION;
  EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, region, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, 0x1, &good, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, region, &outside, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(parent, 0, region, &wraps, &error));
  EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateSubBuffer(parent, 0, region, &empty, &error));
  EXPECT_NULL(CL_MISALIGNED_SUB_BUFFER_OFFSET,
              clCreateSubBuffer(parent, 0, region, &crooked, &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateSubBuffer(parent, CL_MEM_READ_WRITE, region, &good, &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateSubBuffer(parent, CL_MEM_ALLOC_HOST_PTR, region, &good, &error));
  cl_mem part = clCreateSubBuffer(parent, 0, region, &good, NULL);
  CHECK(part);
  CHECK(INFO(cl_mem, part, CL_MEM_ASSOCIATED_MEMOBJECT) == parent);
  CHECK(INFO(size_t, part, CL_MEM_OFFSET) == 1024);
  CHECK(INFO(size_t, part, CL_MEM_SIZE) == 256);
  CHECK(INFO(cl_mem_flags, part, CL_MEM_FLAGS) == CL_MEM_READ_ONLY);
  EXPECT_NULL(CL_INVALID_MEM_OBJECT, clCreateSubBuffer(part, 0, region, &good, &error));
  cl_int in = 77, out = 0;
  EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queue, part, 1, 4, 4, &in, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, parent, 1, 1028, 4, &out, 0, NULL, NULL));
  CHECK(out == 77);
  clReleaseMemObject(parent); /* the part keeps it */
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, part, 1, 4, 4, &out, 0, NULL, NULL));
  clReleaseMemObject(part);
}

int main(void) {
  open_device();
  check_creation();
  check_sub_buffers();
  return finish();
}

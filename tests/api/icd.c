/* The dispatch table is whole, and functions are found by name. */
#include "api.h"

static bool in_table(const cl_icd_dispatch *table, size_t offset) {
  void *slot;
  memcpy(&slot, (const char *)table + offset, sizeof slot);
  return slot != NULL;
}

int main(void) {
  open_device();
  const cl_icd_dispatch *table = *(const cl_icd_dispatch *const *)platform;
  int count = 0, later = 0;
#define MPL_EXTENSION_ENTRY(name)                                                                  \
  CHECK(table->clGetExtensionFunctionAddressForPlatform(platform, #name));
#define MPL_ENTRY(since, name)                                                                     \
  count++;                                                                                         \
  if (!in_table(table, offsetof(cl_icd_dispatch, name))) {                                         \
    failures++;                                                                                    \
    printf("no %s\n", #name);                                                                      \
  }
/* Behind the table of this header, one after another. */
#define MPL_LATER_ENTRY(since, name)                                                               \
  CHECK(in_table(table, sizeof *table + later++ * sizeof(void *)));                                \
  CHECK(table->clGetExtensionFunctionAddressForPlatform(platform, #name));
#include ENTRY_POINTS
  CHECK(count == 114 && later == 1);

  /* Every kind of object begins with the table. */
  CHECK(*(const cl_icd_dispatch *const *)device == table);
  CHECK(*(const cl_icd_dispatch *const *)context == table);
  CHECK(*(const cl_icd_dispatch *const *)queue == table);
  cl_mem buffer = clCreateBuffer(context, 0, 4, NULL, NULL);
  CHECK(*(const cl_icd_dispatch *const *)buffer == table);
  cl_event event = clCreateUserEvent(context, NULL);
  CHECK(*(const cl_icd_dispatch *const *)event == table);
  clReleaseEvent(event);
  clReleaseMemObject(buffer);

  CHECK(!clGetExtensionFunctionAddressForPlatform(platform, "clNoSuchFunction"));
  CHECK(!clGetExtensionFunctionAddressForPlatform(platform, ""));

  /* Sharing extensions that are not there decline. */
  cl_int error = 0;
  CHECK(!table->clCreateFromGLBuffer(context, 0, 1, &error) && error);
  CHECK(!table->clCreateFromEGLImageKHR(context, NULL, NULL, 0, NULL, &error) && error);
  CHECK(table->clEnqueueAcquireGLObjects(queue, 0, NULL, 0, NULL, NULL));
  return finish();
}

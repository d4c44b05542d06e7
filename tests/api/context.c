/* Contexts. */
#include <pthread.h>
#include <stdatomic.h>

#include "api.h"

static int called[3], calls;

static void CL_CALLBACK gone(cl_context which, void *data) {
  called[calls++] = (int)(intptr_t)data;
}

/* Contexts are released by several threads, which need not wait for each other: the flag orders
 * nothing. */
static atomic_bool released;

static void *release(void *which) {
  clReleaseContext(which);
  atomic_store_explicit(&released, true, memory_order_relaxed);
  return NULL;
}

static void release_on_two_threads(void) {
  pthread_t thread;
  cl_context first = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  cl_context second = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
  CHECK(first && second && !pthread_create(&thread, NULL, release, second));
  while (!atomic_load_explicit(&released, memory_order_relaxed)) sched_yield();
  EXPECT(CL_SUCCESS, clReleaseContext(first));
  pthread_join(thread, NULL);
}

int main(void) {
  open_device();
  const cl_context_properties good[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  const cl_context_properties unknown[] = {0x1234, 1, 0};
  const cl_context_properties twice[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform,
                                         CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
  EXPECT_NULL(CL_INVALID_VALUE, clCreateContext(good, 0, &device, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateContext(good, 1, &device, NULL, &device, &error));
  EXPECT_NULL(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &device, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &error));
  EXPECT_NULL(CL_DEVICE_NOT_FOUND,
              clCreateContextFromType(good, CL_DEVICE_TYPE_ACCELERATOR, NULL, NULL, &error));

  cl_int error;
  const cl_device_id same[2] = {device, device};
  cl_context made = clCreateContext(good, 2, same, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  cl_uint count = 0;
  size_t size = 0;
  cl_context_properties properties[8];
  EXPECT(CL_SUCCESS, clGetContextInfo(made, CL_CONTEXT_NUM_DEVICES, sizeof count, &count, NULL));
  CHECK(count == 1); /* repetitions are ignored */
  EXPECT(CL_SUCCESS,
         clGetContextInfo(made, CL_CONTEXT_PROPERTIES, sizeof properties, properties, &size));
  CHECK(size == sizeof good && !memcmp(properties, good, size));
  EXPECT(CL_SUCCESS, clGetContextInfo(context, CL_CONTEXT_PROPERTIES, 0, NULL, &size));
  CHECK(size == 0);
  EXPECT(CL_INVALID_VALUE, clGetContextInfo(made, 0x1234, sizeof count, &count, NULL));
  EXPECT(CL_INVALID_VALUE, clGetContextInfo(made, CL_CONTEXT_NUM_DEVICES, 1, &count, NULL));

  EXPECT(CL_INVALID_VALUE, clSetContextDestructorCallback(made, NULL, NULL));
  for (intptr_t i = 0; i < 3; i++)
    EXPECT(CL_SUCCESS, clSetContextDestructorCallback(made, gone, (void *)i));
  EXPECT(CL_SUCCESS, clRetainContext(made));
  EXPECT(CL_SUCCESS, clReleaseContext(made));
  CHECK(calls == 0);
  EXPECT(CL_SUCCESS, clReleaseContext(made));
  CHECK(calls == 3 && called[0] == 2 && called[1] == 1 && called[2] == 0); /* newest first */

  made = clCreateContextFromType(good, CL_DEVICE_TYPE_DEFAULT, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clReleaseContext(made));
  release_on_two_threads();
  return finish();
}

/* The calls of cl_khr_semaphore, and what their tests share. */
#ifndef MPL_TESTS_SEMAPHORES_H
#define MPL_TESTS_SEMAPHORES_H

#include "command_buffers.h"

enum { DEVICE_LIST = 0x2053, LIST_END = 0 }; /* CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR and its end */
#define BINARY CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR

typedef cl_int CL_API_CALL export_fn(cl_semaphore_khr, cl_device_id, cl_uint, size_t, void *,
                                     size_t *);
static clCreateSemaphoreWithPropertiesKHR_fn make;
static clEnqueueWaitSemaphoresKHR_fn wait_for;
static clEnqueueSignalSemaphoresKHR_fn signal_to;
static clGetSemaphoreInfoKHR_fn ask;
static clRetainSemaphoreKHR_fn hold;
static clReleaseSemaphoreKHR_fn let;
static export_fn *export;

static void open_semaphores(void) {
  open_command_buffers();
  make = (clCreateSemaphoreWithPropertiesKHR_fn)address("clCreateSemaphoreWithPropertiesKHR");
  wait_for = (clEnqueueWaitSemaphoresKHR_fn)address("clEnqueueWaitSemaphoresKHR");
  signal_to = (clEnqueueSignalSemaphoresKHR_fn)address("clEnqueueSignalSemaphoresKHR");
  ask = (clGetSemaphoreInfoKHR_fn)address("clGetSemaphoreInfoKHR");
  hold = (clRetainSemaphoreKHR_fn)address("clRetainSemaphoreKHR");
  let = (clReleaseSemaphoreKHR_fn)address("clReleaseSemaphoreKHR");
  export = (export_fn *)address("clGetSemaphoreHandleForTypeKHR");
}

static cl_semaphore_khr made_in(cl_context in) {
  cl_int error;
  cl_semaphore_khr made = make(in, (cl_semaphore_properties_khr[]){BINARY, 0}, &error);
  CHECK(made && !error);
  return made;
}

static cl_command_queue queue_of(cl_context in, cl_device_id on,
                                 cl_command_queue_properties flags) {
  cl_int error;
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  cl_command_queue new = clCreateCommandQueueWithProperties(in, on, list, &error);
  CHECK(new && !error);
  return new;
}

static cl_semaphore_payload_khr payload(cl_semaphore_khr semaphore) {
  cl_semaphore_payload_khr value = 99;
  EXPECT(CL_SUCCESS, ask(semaphore, CL_SEMAPHORE_PAYLOAD_KHR, sizeof value, &value, NULL));
  return value;
}

static cl_event user_event(void) {
  cl_int error;
  cl_event event = clCreateUserEvent(context, &error);
  CHECK(event && !error);
  return event;
}

#endif

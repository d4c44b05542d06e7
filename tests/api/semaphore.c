/* Semaphores (cl_khr_semaphore): the calls with what they must refuse, and commands in the order of
 * signals and waits. */
#include "semaphores.h"

#include <sys/mman.h>
#include <unistd.h>

static cl_int status_of(cl_event event) {
  cl_int status = 99;
  EXPECT(CL_SUCCESS,
         clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  return status;
}

/* --- what the calls refuse and answer --- */

#define REFUSED(code, ...)                                                                         \
  EXPECT_NULL(code, make(context, (cl_semaphore_properties_khr[]){__VA_ARGS__}, &error))

static void check_create(void) {
  const cl_semaphore_properties_khr here = (uintptr_t)device, no = (uintptr_t)not_an_object;
  EXPECT_NULL(CL_INVALID_CONTEXT, make(NULL, (cl_semaphore_properties_khr[]){BINARY, 0}, &error));
  EXPECT_NULL(CL_INVALID_CONTEXT,
              make((cl_context)queue, (cl_semaphore_properties_khr[]){BINARY, 0}, &error));
  EXPECT_NULL(CL_INVALID_CONTEXT, make(WRONG(cl_context), NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, make(context, NULL, &error));
  REFUSED(CL_INVALID_VALUE, 0);
  REFUSED(CL_INVALID_VALUE, DEVICE_LIST, here, LIST_END, 0);
  REFUSED(CL_INVALID_PROPERTY, ~0ull, 1, 0);
  REFUSED(CL_INVALID_PROPERTY, BINARY, 0x203f, 0x2055, 0, 0); /* export handle types */
  REFUSED(CL_INVALID_PROPERTY, CL_SEMAPHORE_TYPE_KHR, ~0ull, 0);
  REFUSED(CL_INVALID_PROPERTY, CL_SEMAPHORE_TYPE_KHR, 0, 0);
  REFUSED(CL_INVALID_PROPERTY, CL_SEMAPHORE_TYPE_KHR, 2, 0);
  REFUSED(CL_INVALID_PROPERTY, BINARY, BINARY, 0);
  REFUSED(CL_INVALID_PROPERTY, BINARY, CL_SEMAPHORE_TYPE_KHR, 0);
  REFUSED(CL_INVALID_PROPERTY, BINARY, DEVICE_LIST, here, LIST_END, DEVICE_LIST, here, LIST_END, 0);
  REFUSED(CL_INVALID_DEVICE, BINARY, DEVICE_LIST, LIST_END, 0);
  REFUSED(CL_INVALID_DEVICE, BINARY, DEVICE_LIST, here, here, LIST_END, 0);
  REFUSED(CL_INVALID_DEVICE, BINARY, DEVICE_LIST, no, LIST_END, 0);
  REFUSED(CL_INVALID_DEVICE, BINARY, DEVICE_LIST, (uintptr_t)context, LIST_END, 0);
}

/* Nothing behind a property that is refused is read. */
static void check_end_of_list(void) {
  const cl_semaphore_properties_khr list[] = {BINARY, DEVICE_LIST, LIST_END, 0};
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *pages = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  CHECK(pages != MAP_FAILED && !mprotect(pages + page, page, PROT_NONE));
  char *at = pages + page - sizeof list;
  memcpy(at, list, sizeof list);
  EXPECT_NULL(CL_INVALID_DEVICE, make(context, (cl_semaphore_properties_khr *)at, &error));
  munmap(pages, 2 * page);
}

static void check_device_queries(void) {
  cl_semaphore_type_khr types[4] = {0};
  size_t size = 0;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_SEMAPHORE_TYPES_KHR, sizeof types, types, &size));
  CHECK(size == sizeof *types && *types == CL_SEMAPHORE_TYPE_BINARY_KHR);
  *types = 0;
  EXPECT(CL_SUCCESS,
         clGetPlatformInfo(platform, CL_PLATFORM_SEMAPHORE_TYPES_KHR, sizeof types, types, &size));
  CHECK(size == sizeof *types && *types == CL_SEMAPHORE_TYPE_BINARY_KHR);
  EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_SEMAPHORE_TYPES_KHR, 3, types, NULL));
}

#define ANSWERS(semaphore, type, name, wanted)                                                     \
  do {                                                                                             \
    type got = (type)0;                                                                            \
    size_t size_of_it = 0;                                                                         \
    EXPECT(CL_SUCCESS, ask(semaphore, name, sizeof got, &got, &size_of_it));                       \
    CHECK(got == (wanted) && size_of_it == sizeof got);                                            \
    EXPECT(CL_INVALID_VALUE, ask(semaphore, name, sizeof got - 1, &got, NULL));                    \
    EXPECT(CL_INVALID_VALUE, ask(semaphore, name, 0, &got, NULL));                                 \
    EXPECT(CL_SUCCESS, ask(semaphore, name, 0, NULL, NULL));                                       \
  } while (0)

static void check_info(cl_semaphore_khr semaphore, const cl_semaphore_properties_khr *properties,
                       size_t size) {
  cl_semaphore_properties_khr got[8] = {0};
  size_t given = 0;
  ANSWERS(semaphore, cl_context, CL_SEMAPHORE_CONTEXT_KHR, context);
  ANSWERS(semaphore, cl_uint, CL_SEMAPHORE_REFERENCE_COUNT_KHR, 1);
  ANSWERS(semaphore, cl_semaphore_type_khr, CL_SEMAPHORE_TYPE_KHR, CL_SEMAPHORE_TYPE_BINARY_KHR);
  ANSWERS(semaphore, cl_semaphore_payload_khr, CL_SEMAPHORE_PAYLOAD_KHR, 0);
  ANSWERS(semaphore, cl_device_id, DEVICE_LIST, device);
  EXPECT(CL_SUCCESS, ask(semaphore, CL_SEMAPHORE_PROPERTIES_KHR, sizeof got, got, &given));
  CHECK(given == size && !memcmp(got, properties, size));
  EXPECT(CL_INVALID_VALUE, ask(semaphore, CL_SEMAPHORE_PROPERTIES_KHR, size - 1, got, NULL));
  EXPECT(CL_INVALID_VALUE, ask(semaphore, ~0u, sizeof got, got, NULL));
  EXPECT(CL_INVALID_VALUE, ask(semaphore, 0x203f, sizeof got, got, NULL));
  EXPECT(CL_SUCCESS, hold(semaphore));
  ANSWERS(semaphore, cl_uint, CL_SEMAPHORE_REFERENCE_COUNT_KHR, 2);
  EXPECT(CL_SUCCESS, let(semaphore));
  EXPECT(CL_INVALID_VALUE, export(semaphore, device, 0x2055, sizeof got, got, NULL));
  EXPECT(CL_INVALID_DEVICE, export(semaphore, NULL, 0x2055, sizeof got, got, NULL));
  EXPECT(CL_SUCCESS, let(semaphore));
}

static void check_queries(void) {
  const cl_semaphore_properties_khr plain[] = {BINARY, 0},
                                    listed[] = {DEVICE_LIST, (uintptr_t)device, LIST_END, BINARY,
                                                0};
  cl_semaphore_khr wrong[] = {NULL, WRONG(cl_semaphore_khr), (cl_semaphore_khr)queue};
  cl_uint count;
  cl_int error;
  check_device_queries();
  check_info(make(context, plain, &error), plain, sizeof plain);
  check_info(make(context, listed, NULL), listed, sizeof listed);
  for (int i = 0; i < 3; i++) {
    EXPECT(CL_INVALID_SEMAPHORE_KHR,
           ask(wrong[i], CL_SEMAPHORE_REFERENCE_COUNT_KHR, sizeof count, &count, NULL));
    EXPECT(CL_INVALID_SEMAPHORE_KHR, hold(wrong[i]));
    EXPECT(CL_INVALID_SEMAPHORE_KHR, let(wrong[i]));
    EXPECT(CL_INVALID_SEMAPHORE_KHR, export(wrong[i], device, 0x2055, 0, NULL, NULL));
  }
}

/* Both calls have the same parameters and refuse the same. */
static void check_refused(clEnqueueSignalSemaphoresKHR_fn call) {
  cl_int error;
  cl_semaphore_khr semaphore = made_in(context), list[] = {semaphore, NULL};
  cl_context other = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue foreign = queue_of(other, device, 0);
  cl_event of_other = clCreateUserEvent(other, &error), failed = user_event(),
           event = (cl_event)not_an_object, *kept = &event, nothing = NULL;
  EXPECT(CL_SUCCESS, clSetUserEventStatus(failed, -7));
  EXPECT(CL_INVALID_COMMAND_QUEUE, call(NULL, 1, &semaphore, NULL, 0, NULL, kept));
  EXPECT(CL_INVALID_COMMAND_QUEUE,
         call(WRONG(cl_command_queue), 1, &semaphore, NULL, 0, NULL, kept));
  EXPECT(CL_INVALID_VALUE, call(queue, 0, NULL, NULL, 0, NULL, kept));
  EXPECT(CL_INVALID_VALUE, call(queue, 0, &semaphore, NULL, 0, NULL, kept));
  EXPECT(CL_INVALID_VALUE, call(queue, 1, NULL, NULL, 0, NULL, kept));
  EXPECT(CL_INVALID_SEMAPHORE_KHR, call(queue, 2, list, NULL, 0, NULL, kept));
  list[1] = (cl_semaphore_khr)queue;
  EXPECT(CL_INVALID_SEMAPHORE_KHR, call(queue, 2, list, NULL, 0, NULL, kept));
  EXPECT(CL_INVALID_CONTEXT, call(foreign, 1, &semaphore, NULL, 0, NULL, kept));
  EXPECT(CL_INVALID_CONTEXT, call(queue, 1, &semaphore, NULL, 1, &of_other, kept));
  EXPECT(CL_INVALID_EVENT_WAIT_LIST, call(queue, 1, &semaphore, NULL, 1, NULL, kept));
  EXPECT(CL_INVALID_EVENT_WAIT_LIST, call(queue, 1, &semaphore, NULL, 0, &failed, kept));
  EXPECT(CL_INVALID_EVENT_WAIT_LIST, call(queue, 1, &semaphore, NULL, 1, &nothing, kept));
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
         call(queue, 1, &semaphore, NULL, 1, &failed, kept));
  CHECK(event == (cl_event)not_an_object);
  EXPECT(CL_SUCCESS, clFinish(queue));
  clReleaseEvent(of_other);
  clReleaseEvent(failed);
  clReleaseCommandQueue(foreign);
  clReleaseContext(other);
  EXPECT(CL_SUCCESS, let(semaphore));
}

/* A semaphore of one of a context's devices. */
static void check_devices(void) {
  const cl_device_partition_property halves[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, 0, 0};
  cl_device_id parts[2];
  cl_int error;
  if (clCreateSubDevices(device, halves, 2, parts, NULL)) return; /* one compute unit */
  cl_context both = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
  cl_command_queue first = queue_of(both, parts[0], 0), second = queue_of(both, parts[1], 0);
  const cl_semaphore_properties_khr plain[] = {BINARY, 0},
                                    list[] = {BINARY, DEVICE_LIST, (uintptr_t)parts[1], LIST_END,
                                              0},
                                    far[] = {BINARY, DEVICE_LIST, (uintptr_t)device, LIST_END, 0};
  cl_device_id got = NULL;
  EXPECT_NULL(CL_INVALID_PROPERTY, make(both, plain, &error));
  EXPECT_NULL(CL_INVALID_DEVICE, make(both, far, &error));
  cl_semaphore_khr semaphore = make(both, list, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, ask(semaphore, DEVICE_LIST, sizeof got, &got, NULL));
  CHECK(got == parts[1]);
  EXPECT(CL_INVALID_COMMAND_QUEUE, signal_to(first, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_INVALID_COMMAND_QUEUE, signal_to(queue, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, signal_to(second, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_INVALID_COMMAND_QUEUE, wait_for(first, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, wait_for(second, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_INVALID_DEVICE, export(semaphore, parts[0], 0x2055, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(second));
  EXPECT(CL_SUCCESS, let(semaphore));
  clReleaseCommandQueue(first);
  clReleaseCommandQueue(second);
  clReleaseContext(both);
  for (int i = 0; i < 2; i++) clReleaseDevice(parts[i]);
}

/* --- order --- */

/* The wait does not end before its signal, whatever the queues are. */
static void check_order(cl_command_queue from, cl_command_queue to) {
  cl_semaphore_khr semaphore = made_in(context);
  cl_event start = user_event(), signalled, waited;
  cl_command_type type = 0;
  for (int round = 0; round < 3; round++) {
    const cl_semaphore_payload_khr ignored = 7;
    EXPECT(CL_SUCCESS, signal_to(from, 1, &semaphore, &ignored, round ? 0 : 1,
                                 round ? NULL : &start, &signalled));
    EXPECT(CL_SUCCESS, wait_for(to, 1, &semaphore, &ignored, 0, NULL, &waited));
    EXPECT(CL_SUCCESS, clFlush(from));
    EXPECT(CL_SUCCESS, clFlush(to));
    if (!round) {
      CHECK(status_of(waited) > CL_COMPLETE && payload(semaphore) == 0);
      EXPECT(CL_SUCCESS, clSetUserEventStatus(start, CL_COMPLETE));
    }
    EXPECT(CL_SUCCESS, clWaitForEvents(1, &waited));
    CHECK(status_of(signalled) == CL_COMPLETE && payload(semaphore) == 0);
    clGetEventInfo(waited, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
    CHECK(type == CL_COMMAND_SEMAPHORE_WAIT_KHR);
    clGetEventInfo(signalled, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL);
    CHECK(type == CL_COMMAND_SEMAPHORE_SIGNAL_KHR);
    clReleaseEvent(signalled);
    clReleaseEvent(waited);
  }
  clReleaseEvent(start);
  EXPECT(CL_SUCCESS, let(semaphore));
}

/* What one queue makes the other uses, many times, with all enqueued before anything runs: each
 * command adds to the number or doubles it, so another order gives another one. */
static void check_hand_over(cl_command_queue_properties flags) {
  cl_program program = build("kernel void add(global uint *x) { *x += 3; }\n"
                             "kernel void twice(global uint *x) { *x *= 2; }\n",
                             NULL);
  cl_kernel kernels[2] = {clCreateKernel(program, "add", NULL),
                          clCreateKernel(program, "twice", NULL)};
  cl_command_queue queues[2] = {queue_of(context, device, flags), queue_of(context, device, flags)};
  cl_semaphore_khr semaphores[2] = {made_in(context), made_in(context)};
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, (cl_uint[]){1}, NULL);
  const size_t one = 1;
  cl_event start = user_event(), before, done;
  cl_uint wanted = 1, got = 0;
  EXPECT(CL_SUCCESS, signal_to(queues[0], 1, &semaphores[0], NULL, 1, &start, NULL));
  for (int i = 0; i < 200; i++) {
    int me = i % 2;
    clSetKernelArg(kernels[me], 0, sizeof buffer, &buffer);
    EXPECT(CL_SUCCESS, wait_for(queues[me], 1, &semaphores[me], NULL, 0, NULL, &before));
    EXPECT(CL_SUCCESS,
           clEnqueueNDRangeKernel(queues[me], kernels[me], 1, NULL, &one, NULL, 1, &before, &done));
    EXPECT(CL_SUCCESS, signal_to(queues[me], 1, &semaphores[!me], NULL, 1, &done, NULL));
    clReleaseEvent(before);
    clReleaseEvent(done);
    wanted = me ? wanted * 2 : wanted + 3;
  }
  EXPECT(CL_SUCCESS, clSetUserEventStatus(start, CL_COMPLETE));
  EXPECT(CL_SUCCESS, clFinish(queues[1]));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queues[0], buffer, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
  CHECK(got == wanted);
  CHECK(payload(semaphores[0]) == 1 && payload(semaphores[1]) == 0);
  clReleaseEvent(start);
  clReleaseMemObject(buffer);
  for (int i = 0; i < 2; i++) {
    EXPECT(CL_SUCCESS, let(semaphores[i]));
    clReleaseCommandQueue(queues[i]);
    clReleaseKernel(kernels[i]);
  }
  clReleaseProgram(program);
}

static void check_many(void) {
  cl_semaphore_khr list[3] = {made_in(context), made_in(context), made_in(context)};
  cl_event waited[2];
  EXPECT(CL_SUCCESS, signal_to(queue, 3, list, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  for (int i = 0; i < 3; i++) CHECK(payload(list[i]) == 1);
  EXPECT(CL_SUCCESS, wait_for(queue, 1, &list[1], NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(payload(list[0]) == 1 && payload(list[1]) == 0 && payload(list[2]) == 1);
  /* One of three lacks its signal. */
  cl_command_queue other = queue_of(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  EXPECT(CL_SUCCESS, wait_for(other, 3, list, NULL, 0, NULL, &waited[0]));
  EXPECT(CL_SUCCESS, wait_for(other, 1, &list[1], NULL, 0, NULL, &waited[1]));
  EXPECT(CL_SUCCESS, clFlush(other));
  CHECK(status_of(waited[0]) > CL_COMPLETE);
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &list[1], NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &waited[0]));
  CHECK(status_of(waited[1]) > CL_COMPLETE); /* it came second */
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &list[1], NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &waited[1]));
  for (int i = 0; i < 3; i++) {
    CHECK(payload(list[i]) == 0);
    EXPECT(CL_SUCCESS, let(list[i]));
  }
  for (int i = 0; i < 2; i++) clReleaseEvent(waited[i]);
  clReleaseCommandQueue(other);
}

/* Signalled twice it is signalled once, and what waits twice is let go by the second signal or by
 * the end of the semaphore. */
static void check_twice(void) {
  cl_semaphore_khr semaphore = made_in(context);
  cl_command_queue other = queue_of(context, device, 0);
  cl_event waited;
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, wait_for(queue, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(payload(semaphore) == 0);
  EXPECT(CL_SUCCESS, wait_for(other, 1, &semaphore, NULL, 0, NULL, &waited));
  EXPECT(CL_SUCCESS, clFlush(other));
  CHECK(status_of(waited) > CL_COMPLETE);
  EXPECT(CL_SUCCESS, let(semaphore)); /* nobody can signal it any more */
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &waited));
  CHECK(status_of(waited) == CL_INVALID_SEMAPHORE_KHR);
  clReleaseEvent(waited);
  clReleaseCommandQueue(other);
}

/* Commands hold what they need; a signal that fails lets its wait fail. */
static void check_released_and_failed(void) {
  cl_semaphore_khr semaphore = made_in(context);
  cl_event start = user_event(), waited;
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &semaphore, NULL, 1, &start, NULL));
  EXPECT(CL_SUCCESS, wait_for(queue, 1, &semaphore, NULL, 0, NULL, &waited));
  EXPECT(CL_SUCCESS, let(semaphore));
  EXPECT(CL_SUCCESS, clSetUserEventStatus(start, CL_COMPLETE));
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &waited));
  clReleaseEvent(start);
  clReleaseEvent(waited);

  semaphore = made_in(context);
  start = user_event();
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &semaphore, NULL, 1, &start, NULL));
  EXPECT(CL_SUCCESS, wait_for(queue, 1, &semaphore, NULL, 0, NULL, &waited));
  EXPECT(CL_SUCCESS, clSetUserEventStatus(start, -9));
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &waited));
  CHECK(payload(semaphore) == 0);
  clReleaseEvent(start);
  clReleaseEvent(waited);
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &semaphore, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, wait_for(queue, 1, &semaphore, NULL, 0, NULL, &waited));
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &waited));
  clReleaseEvent(waited);
  EXPECT(CL_SUCCESS, let(semaphore));
}

/* A wait that fails by its own wait list takes no signal, also where another of its signals fails:
 * the next wait has it, before or after the failure. */
static void check_failed_wait(bool next_is_first) {
  cl_semaphore_khr list[2] = {made_in(context), made_in(context)};
  cl_command_queue others[3] = {queue_of(context, device, 0), queue_of(context, device, 0),
                                queue_of(context, device, 0)};
  cl_event start = user_event(), failed, next;
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &list[0], NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  EXPECT(CL_SUCCESS, signal_to(others[0], 1, &list[1], NULL, 1, &start, NULL));
  EXPECT(CL_SUCCESS, wait_for(others[1], 2, list, NULL, 0, NULL, &failed));
  EXPECT(CL_SUCCESS, clFlush(others[1]));
  if (next_is_first) EXPECT(CL_SUCCESS, wait_for(others[2], 1, list, NULL, 0, NULL, &next));
  EXPECT(CL_SUCCESS, clSetUserEventStatus(start, -9));
  EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &failed));
  if (!next_is_first) {
    CHECK(payload(list[0]) == 1 && payload(list[1]) == 0);
    EXPECT(CL_SUCCESS, wait_for(others[2], 1, list, NULL, 0, NULL, &next));
  }
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &next));
  CHECK(payload(list[0]) == 0);
  clReleaseEvent(start);
  clReleaseEvent(failed);
  clReleaseEvent(next);
  for (int i = 0; i < 3; i++) clReleaseCommandQueue(others[i]);
  for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, let(list[i]));
}

static void check_profiling(void) {
  cl_command_queue timed = queue_of(context, device, CL_QUEUE_PROFILING_ENABLE);
  cl_semaphore_khr semaphore = made_in(context);
  cl_event events[2];
  cl_ulong times[2][5];
  EXPECT(CL_SUCCESS, signal_to(timed, 1, &semaphore, NULL, 0, NULL, &events[0]));
  EXPECT(CL_SUCCESS, wait_for(timed, 1, &semaphore, NULL, 0, NULL, &events[1]));
  EXPECT(CL_SUCCESS, clFinish(timed));
  for (int i = 0; i < 2; i++) {
    for (cl_profiling_info k = 0; k < 5; k++)
      EXPECT(CL_SUCCESS, clGetEventProfilingInfo(events[i], CL_PROFILING_COMMAND_QUEUED + k, 8,
                                                 &times[i][k], NULL));
    for (int k = 0; k < 4; k++) CHECK(times[i][k] && times[i][k] <= times[i][k + 1]);
    clReleaseEvent(events[i]);
  }
  CHECK(times[0][3] <= times[1][3]); /* the signal ends first */
  EXPECT(CL_SUCCESS, let(semaphore));
  clReleaseCommandQueue(timed);
}

/* A command-buffer between a wait and a signal. */
static void check_command_buffer(void) {
  cl_int error;
  cl_command_queue other = queue_of(context, device, 0);
  cl_semaphore_khr to = made_in(context), back = made_in(context);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, (cl_uint[]){1}, NULL);
  cl_command_buffer_khr commands = create(1, &other, NULL, &error);
  cl_event start = user_event();
  cl_uint got = 0;
  EXPECT(CL_SUCCESS, fill(commands, NULL, NULL, buffer, "\5\0\0", 4, 0, 4, 0, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, finalize(commands));
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, buffer, "\7\0\0", 4, 0, 4, 1, &start, NULL));
  EXPECT(CL_SUCCESS, signal_to(queue, 1, &to, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, wait_for(other, 1, &to, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, enqueue(0, NULL, commands, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, signal_to(other, 1, &back, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, wait_for(queue, 1, &back, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clSetUserEventStatus(start, CL_COMPLETE));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
  CHECK(got == 5);
  EXPECT(CL_SUCCESS, release(commands));
  EXPECT(CL_SUCCESS, let(to));
  EXPECT(CL_SUCCESS, let(back));
  clReleaseEvent(start);
  clReleaseMemObject(buffer);
  clReleaseCommandQueue(other);
}

int main(void) {
  open_semaphores();
  cl_command_queue loose = queue_of(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                   other = queue_of(context, device, 0);
  check_create();
  check_end_of_list();
  check_queries();
  check_refused(wait_for);
  check_refused(signal_to);
  check_devices();
  check_order(queue, queue);
  check_order(queue, other);
  check_order(loose, loose);
  check_order(loose, other);
  check_order(other, loose);
  check_hand_over(0);
  check_hand_over(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  check_many();
  check_twice();
  check_released_and_failed();
  check_failed_wait(false);
  check_failed_wait(true);
  check_profiling();
  check_command_buffer();
  clReleaseCommandQueue(loose);
  clReleaseCommandQueue(other);
  return finish();
}

/* A command-buffer is recorded through a queue of its own, which hands what is enqueued on it to the
 * recording.  To enqueue the buffer is one command, that does all of them in the order of their
 * recording, which no sync point contradicts; each launch is spread over all threads as any other.
 * An execution holds the recording, so the buffer may be released meanwhile. */
#include "command_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "enqueue.h"

struct mpl_recording {
  atomic_uint refs; /* the buffer's, and one for each execution */
  uint32_t count, room;
  uint64_t weight;
  struct mpl_work_desc *commands; /* a command's sync point is its number, from 1 on */
};

struct _cl_command_buffer_khr {
  struct mpl_base base;
  cl_command_queue queue;          /* retained */
  struct _cl_command_queue recorder;
  struct mpl_recording *recording;
  cl_command_buffer_properties_khr *properties;
  size_t num_properties;           /* with the final 0 */
  cl_command_buffer_state_khr state;
  pthread_mutex_t lock;            /* state and recording */
};

enum { SUPPORTED = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE };

/* --- the recording --- */

static void drop(void *data) {
  struct mpl_recording *recording = data;
  if (atomic_fetch_sub(&recording->refs, 1) != 1) return;
  for (uint32_t i = 0; i < recording->count; i++)
    if (recording->commands[i].release) recording->commands[i].release(recording->commands[i].data);
  free(recording->commands);
  free(recording);
}

cl_int mpl_record_command(struct mpl_recording *recording, const struct mpl_work_desc *work) {
  if (recording->count == recording->room) {
    uint32_t room = recording->room ? 2 * recording->room : 16;
    struct mpl_work_desc *more = realloc(recording->commands, room * sizeof *more);
    if (!more) {
      if (work->release) work->release(work->data);
      return CL_OUT_OF_HOST_MEMORY;
    }
    recording->commands = more;
    recording->room = room;
  }
  recording->commands[recording->count++] = *work;
  recording->weight += work->weight;
  return CL_SUCCESS;
}

static int run(void *data, struct mpl_device *device) {
  const struct mpl_recording *recording = data;
  int error = 0;
  for (uint32_t i = 0; i < recording->count && !error; i++) {
    const struct mpl_work_desc *command = &recording->commands[i];
    if (command->prepare) error = command->prepare(command->data, device);
    if (!error && command->run) error = command->run(command->data, device);
  }
  return error;
}

/* --- the object --- */

static void destroy(cl_command_buffer_khr buffer) {
  buffer->base.magic = buffer->recorder.base.magic = 0;
  if (buffer->recording) drop(buffer->recording);
  clReleaseCommandQueue(buffer->queue);
  pthread_mutex_destroy(&buffer->lock);
  free(buffer->properties);
  free(buffer);
}

/* CL_COMMAND_BUFFER_FLAGS_KHR, once; each of its flags belongs to an extension of this one. */
static cl_int read_properties(const cl_command_buffer_properties_khr *list, size_t *count) {
  *count = 0;
  if (!list) return CL_SUCCESS;
  const cl_command_buffer_flags_khr known =
      CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR | 1 << 2;
  cl_command_buffer_flags_khr flags = 0;
  for (; list[*count]; *count += 2) {
    if (list[*count] != CL_COMMAND_BUFFER_FLAGS_KHR || *count || (list[1] & ~known))
      return mpl_refuse(CL_INVALID_VALUE, "clCreateCommandBufferKHR",
                        "property 0x%llx is unknown, repeated, or has unknown bits",
                        (unsigned long long)list[*count]);
    flags = list[1];
  }
  ++*count;
  if (flags)
    return mpl_refuse(CL_INVALID_PROPERTY, "clCreateCommandBufferKHR",
                      "flags 0x%llx are not supported", (unsigned long long)flags);
  return CL_SUCCESS;
}

static cl_int check_creation(cl_uint num_queues, const cl_command_queue *queues) {
  if (num_queues != 1 || !queues)
    return mpl_refuse(CL_INVALID_VALUE, "clCreateCommandBufferKHR",
                      "%u queues at %p: a command-buffer has one", num_queues, (void *)queues);
  if (!mpl_valid(queues[0], MPL_QUEUE))
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, "clCreateCommandBufferKHR",
                      "%p is not a command-queue", (void *)queues[0]);
  return CL_SUCCESS;
}

cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(
    cl_uint num_queues, const cl_command_queue *queues,
    const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret) {
  size_t count;
  cl_int error = check_creation(num_queues, queues);
  if (!error) error = read_properties(properties, &count);
  if (error) return mpl_give(NULL, error, errcode_ret);
  cl_command_buffer_khr buffer = calloc(1, sizeof *buffer);
  if (!buffer) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  mpl_base_init(&buffer->base, MPL_COMMAND_BUFFER);
  pthread_mutex_init(&buffer->lock, NULL);
  clRetainCommandQueue(buffer->queue = queues[0]);
  buffer->state = CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
  buffer->num_properties = count;
  buffer->recording = calloc(1, sizeof *buffer->recording);
  if (count) buffer->properties = malloc(count * sizeof *properties);
  if (!buffer->recording || (count && !buffer->properties)) {
    destroy(buffer);
    return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  }
  if (count) memcpy(buffer->properties, properties, count * sizeof *properties);
  atomic_init(&buffer->recording->refs, 1);
  mpl_base_init(&buffer->recorder.base, MPL_QUEUE);
  buffer->recorder.context = buffer->queue->context;
  buffer->recorder.device = buffer->queue->device;
  buffer->recorder.recording = buffer->recording;
  return mpl_give(buffer, CL_SUCCESS, errcode_ret);
}

MPL_RETAIN(clRetainCommandBufferKHR, cl_command_buffer_khr, MPL_COMMAND_BUFFER,
           CL_INVALID_COMMAND_BUFFER_KHR)
MPL_RELEASE(clReleaseCommandBufferKHR, cl_command_buffer_khr, MPL_COMMAND_BUFFER,
            CL_INVALID_COMMAND_BUFFER_KHR, destroy)

cl_int CL_API_CALL clFinalizeCommandBufferKHR(cl_command_buffer_khr buffer) {
  if (!mpl_valid(buffer, MPL_COMMAND_BUFFER)) return CL_INVALID_COMMAND_BUFFER_KHR;
  pthread_mutex_lock(&buffer->lock);
  bool good = buffer->state == CL_COMMAND_BUFFER_STATE_RECORDING_KHR;
  buffer->state = CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
  pthread_mutex_unlock(&buffer->lock);
  if (good) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_OPERATION, __func__, "the command-buffer was finalized before");
}

static cl_command_buffer_state_khr state_of(cl_command_buffer_khr buffer) {
  pthread_mutex_lock(&buffer->lock);
  cl_command_buffer_state_khr state = buffer->state;
  pthread_mutex_unlock(&buffer->lock);
  return state;
}

cl_int CL_API_CALL clGetCommandBufferInfoKHR(cl_command_buffer_khr buffer,
                                             cl_command_buffer_info_khr param_name, size_t size,
                                             void *value, size_t *size_ret) {
  if (!mpl_valid(buffer, MPL_COMMAND_BUFFER)) return CL_INVALID_COMMAND_BUFFER_KHR;
  switch (param_name) {
    MPL_QUERY(CL_COMMAND_BUFFER_NUM_QUEUES_KHR, cl_uint, 1)
    MPL_QUERY(CL_COMMAND_BUFFER_QUEUES_KHR, cl_command_queue, buffer->queue)
    MPL_QUERY(CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, cl_uint, atomic_load(&buffer->base.refs))
    MPL_QUERY(CL_COMMAND_BUFFER_STATE_KHR, cl_command_buffer_state_khr, state_of(buffer))
    MPL_QUERY_ARRAY(CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, cl_command_buffer_properties_khr,
                    buffer->num_properties, buffer->properties)
    MPL_QUERY(CL_COMMAND_BUFFER_CONTEXT_KHR, cl_context, buffer->queue->context)
  default:
    return CL_INVALID_VALUE;
  }
}

/* --- recording --- */

/* With the lock held. */
static cl_int check_points(const char *function, cl_command_buffer_khr buffer, cl_uint count,
                           const cl_sync_point_khr *list) {
  bool good = !count == !list;
  for (cl_uint i = 0; good && i < count; i++)
    good = list[i] && list[i] <= buffer->recording->count;
  if (good) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, function,
                    "%u sync points at %p: null, empty, or not of this command-buffer", count,
                    (const void *)list);
}

static cl_int check_target(const char *function, cl_command_buffer_khr buffer,
                           cl_command_queue queue, const cl_command_properties_khr *properties,
                           const cl_mutable_command_khr *handle) {
  if (!mpl_valid(buffer, MPL_COMMAND_BUFFER))
    return mpl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, function, "%p is not a command-buffer",
                      (void *)buffer);
  if (queue)
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, function,
                      "a command-buffer of one queue is recorded without naming it");
  if (handle || (properties && properties[0]))
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "commands have no properties and cannot be changed afterwards");
  return CL_SUCCESS;
}

/* Begins a command: CL_SUCCESS with the buffer's lock held, or an error without. */
static cl_int begin(const char *function, cl_command_buffer_khr buffer, cl_command_queue queue,
                    const cl_command_properties_khr *properties, cl_uint num_points,
                    const cl_sync_point_khr *points, const cl_mutable_command_khr *handle) {
  cl_int error = check_target(function, buffer, queue, properties, handle);
  if (error) return error;
  pthread_mutex_lock(&buffer->lock);
  if (buffer->state != CL_COMMAND_BUFFER_STATE_RECORDING_KHR)
    error = mpl_refuse(CL_INVALID_OPERATION, function, "the command-buffer was finalized before");
  else
    error = check_points(function, buffer, num_points, points);
  if (error) pthread_mutex_unlock(&buffer->lock);
  return error;
}

static cl_int end(cl_command_buffer_khr buffer, cl_int error, cl_sync_point_khr *point) {
  if (!error && point) *point = buffer->recording->count;
  pthread_mutex_unlock(&buffer->lock);
  return error;
}

#define ALONE 0, NULL, NULL
#define MPL_RECORDED(name, enqueue, ...)                                                           \
  cl_int CL_API_CALL name(MPL_RECORD_TO __VA_OPT__(, ) __VA_ARGS__, MPL_RECORD_POINTS) {           \
    cl_int error = begin(#name, buffer, queue, properties, num_points, points, handle);            \
    if (error) return error;                                                                       \
    cl_command_queue to = &buffer->recorder;                                                       \
    return end(buffer, enqueue, point);                                                            \
  }
#include "tables/recorded.def"

/* --- execution --- */

/* Whether a queue can stand for the one that the buffer was made for. */
static cl_int check_queue(const char *function, cl_command_buffer_khr buffer,
                          cl_command_queue queue) {
  if (!mpl_valid(queue, MPL_QUEUE))
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, function, "%p is not a command-queue",
                      (void *)queue);
  if (queue->context != buffer->queue->context)
    return mpl_refuse(CL_INVALID_CONTEXT, function,
                      "the queue belongs to another context than the command-buffer's");
  if (queue->device != buffer->queue->device)
    return mpl_refuse(CL_INVALID_DEVICE, function,
                      "the queue belongs to another device than the command-buffer's");
  if (queue->flags & ~(cl_command_queue_properties)SUPPORTED)
    return mpl_refuse(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, function,
                      "the queue has properties that command-buffers do not know");
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                             cl_command_buffer_khr buffer, cl_uint num_waits,
                                             const cl_event *waits, cl_event *event) {
  if (!mpl_valid(buffer, MPL_COMMAND_BUFFER))
    return mpl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, __func__, "%p is not a command-buffer",
                      (void *)buffer);
  if (!num_queues != !queues || num_queues > 1)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "%u queues at %p: one, or none at a null pointer",
                      num_queues, (void *)queues);
  cl_command_queue queue = queues ? queues[0] : buffer->queue;
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = check_queue(__func__, buffer, queue);
  if (!error) error = mpl_validate_enqueue(__func__, queue, &deps);
  if (error) return error;
  if (state_of(buffer) != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR)
    return mpl_refuse(CL_INVALID_OPERATION, __func__, "the command-buffer is not finalized");
  atomic_fetch_add(&buffer->recording->refs, 1);
  struct mpl_work_desc work = {
      .run = run, .release = drop, .data = buffer->recording, .weight = buffer->recording->weight};
  return mpl_enqueue_command(queue, CL_COMMAND_COMMAND_BUFFER_KHR, &work, 0, false, &deps);
}

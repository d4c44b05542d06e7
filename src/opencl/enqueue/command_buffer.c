/* A command-buffer is recorded through a queue of its own, which hands enqueued commands to the
 * recording.  An execution of the buffer is one command, which does all of them in the order of
 * their recording, as all sync points allow; each launch is spread over all threads like any other.
 * An execution holds the recording, so the buffer may be released meanwhile. */
#include "command_buffer.h"

#include <stdlib.h>
#include <string.h>

#include "opencl/device_side/device_queue.h"

enum { SUPPORTED = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE };

/* --- the recording --- */

struct mpl_recording *mpl_recording_new(void) {
  struct mpl_recording *recording = calloc(1, sizeof *recording);
  if (recording) atomic_init(&recording->refs, 1);
  return recording;
}

void mpl_recorded_drop(struct mpl_recorded *command) {
  if (atomic_fetch_sub(&command->refs, 1) != 1) return;
  if (command->work.release) command->work.release(command->work.data);
  free(command);
}

void mpl_recording_drop(void *data) {
  struct mpl_recording *recording = data;
  if (atomic_fetch_sub(&recording->refs, 1) != 1) return;
  for (uint32_t i = 0; i < recording->count; i++) mpl_recorded_drop(recording->commands[i]);
  free(recording->commands);
  free(recording);
}

static bool make_room(struct mpl_recording *recording) {
  if (recording->count < recording->room) return true;
  uint32_t room = recording->room ? 2 * recording->room : 16;
  struct mpl_recorded **more = realloc(recording->commands, room * sizeof *more);
  if (!more) return false;
  recording->commands = more;
  recording->room = room;
  return true;
}

cl_int mpl_record_command(struct mpl_recording *recording, const struct mpl_work_desc *work) {
  struct mpl_recorded *command = make_room(recording) ? malloc(sizeof *command) : NULL;
  if (!command) {
    if (work->release) work->release(work->data);
    return CL_OUT_OF_HOST_MEMORY;
  }
  atomic_init(&command->refs, 1);
  command->work = *work;
  recording->commands[recording->count++] = command;
  return CL_SUCCESS;
}

static int run(void *data, struct mpl_device *device) {
  const struct mpl_recording *recording = data;
  int error = 0;
  for (uint32_t i = 0; i < recording->count && !error; i++) {
    const struct mpl_work_desc *work = &recording->commands[i]->work;
    if (work->prepare) error = work->prepare(work->data, device);
    if (!error && work->run) error = work->run(work->data, device);
  }
  return error;
}

static uint64_t weight_of(const struct mpl_recording *recording) {
  uint64_t weight = 0;
  for (uint32_t i = 0; i < recording->count; i++) weight += recording->commands[i]->work.weight;
  return weight;
}

/* --- the object --- */

static void destroy(cl_command_buffer_khr buffer) {
  buffer->recorder.base.magic = 0;
  mpl_changeable_free(buffer->changeable);
  if (buffer->recording) mpl_recording_drop(buffer->recording);
  clReleaseCommandQueue(buffer->queue);
  pthread_mutex_destroy(&buffer->lock);
  free(buffer->properties);
  mpl_object_free(buffer);
}

/* Each property once. */
static cl_int read_properties(cl_command_buffer_khr buffer,
                              const cl_command_buffer_properties_khr *list) {
  const cl_command_buffer_flags_khr supported =
      CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR | CL_COMMAND_BUFFER_MUTABLE_KHR;
  const cl_command_buffer_flags_khr device_side_sync = 1 << 2; /* of multi_device */
  unsigned seen = 0;
  size_t n = 0;
  for (; list && list[n]; n += 2) {
    bool flags = list[n] == CL_COMMAND_BUFFER_FLAGS_KHR,
         asserts = list[n] == CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR;
    cl_properties known = flags     ? supported | device_side_sync
                          : asserts ? CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR
                                    : 0;
    if (!(flags || asserts) || (seen & 1u << asserts) || (list[n + 1] & ~known))
      return mpl_refuse(CL_INVALID_VALUE, "clCreateCommandBufferKHR",
                        "property 0x%llx is unknown, repeated, or has unknown bits",
                        (unsigned long long)list[n]);
    seen |= 1u << asserts;
    if (flags) buffer->flags = list[n + 1];
    if (asserts) buffer->asserts_groups = list[n + 1];
  }
  buffer->num_properties = list ? n + 1 : 0;
  if (buffer->flags & ~supported)
    return mpl_refuse(CL_INVALID_PROPERTY, "clCreateCommandBufferKHR",
                      "flags 0x%llx are not supported", (unsigned long long)buffer->flags);
  return CL_SUCCESS;
}

static cl_int check_creation(cl_uint num_queues, const cl_command_queue *queues) {
  if (num_queues != 1 || !queues)
    return mpl_refuse(CL_INVALID_VALUE, "clCreateCommandBufferKHR",
                      "%u queues at %p: a command-buffer has one", num_queues, (void *)queues);
  if (!mpl_valid(queues[0], MPL_QUEUE) || mpl_is_on_device(queues[0]))
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, "clCreateCommandBufferKHR",
                      "%p is not a command-queue of the host", (void *)queues[0]);
  return CL_SUCCESS;
}

cl_command_buffer_khr CL_API_CALL
clCreateCommandBufferKHR(cl_uint num_queues, const cl_command_queue *queues,
                         const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret) {
  cl_int error = check_creation(num_queues, queues);
  if (error) return mpl_give(NULL, error, errcode_ret);
  cl_command_buffer_khr buffer = calloc(1, sizeof *buffer);
  if (!buffer) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  mpl_base_init(&buffer->base, MPL_COMMAND_BUFFER);
  pthread_mutex_init(&buffer->lock, NULL);
  clRetainCommandQueue(buffer->queue = queues[0]);
  error = read_properties(buffer, properties);
  size_t bytes = buffer->num_properties * sizeof *properties;
  if (!error && bytes) buffer->properties = malloc(bytes);
  if (!error) buffer->recording = mpl_recording_new();
  if (!error && (!buffer->recording || (bytes && !buffer->properties)))
    error = CL_OUT_OF_HOST_MEMORY;
  if (error) {
    destroy(buffer);
    return mpl_give(NULL, error, errcode_ret);
  }
  if (bytes) memcpy(buffer->properties, properties, bytes);
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
  mpl_lock(&buffer->lock);
  bool good = !buffer->finalized;
  buffer->finalized = true;
  mpl_unlock(&buffer->lock);
  if (good) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_OPERATION, __func__,
                    "the command-buffer is finalized: nothing can be recorded any more");
}

static cl_command_buffer_state_khr state_of(cl_command_buffer_khr buffer) {
  mpl_lock(&buffer->lock);
  cl_command_buffer_state_khr state = !buffer->finalized ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
                                      : buffer->num_incomplete
                                          ? CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
                                          : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
  mpl_unlock(&buffer->lock);
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
  for (cl_uint i = 0; good && i < count; i++) good = list[i] && list[i] <= buffer->recording->count;
  if (good) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_SYNC_POINT_WAIT_LIST_KHR, function,
                    "%u sync points at %p: null, empty, or not of this command-buffer", count,
                    (const void *)list);
}

cl_int mpl_record_begin(const char *function, cl_command_buffer_khr buffer, cl_command_queue queue,
                        cl_uint num_points, const cl_sync_point_khr *points) {
  if (!mpl_valid(buffer, MPL_COMMAND_BUFFER))
    return mpl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, function, "%p is not a command-buffer",
                      (void *)buffer);
  if (queue)
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, function,
                      "command_queue is not null: a command-buffer has one queue, which is not "
                      "named again");
  cl_int error;
  mpl_lock(&buffer->lock);
  if (buffer->finalized)
    error = mpl_refuse(CL_INVALID_OPERATION, function,
                       "the command-buffer is finalized: nothing can be recorded any more");
  else
    error = check_points(function, buffer, num_points, points);
  if (error) mpl_unlock(&buffer->lock);
  return error;
}

cl_int mpl_record_end(cl_command_buffer_khr buffer, cl_int error, cl_sync_point_khr *point) {
  if (!error && point) *point = buffer->recording->count;
  mpl_unlock(&buffer->lock);
  return error;
}

static cl_int check_fixed(const char *function, const cl_command_properties_khr *properties,
                          const cl_mutable_command_khr *handle) {
  if (!handle && (!properties || !properties[0])) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_VALUE, function,
                    "properties and mutable_handle are for kernels only: both must be null here");
}

#define ALONE 0, NULL, NULL
#define MPL_RECORDED(name, enqueue, ...)                                                           \
  cl_int CL_API_CALL name(MPL_RECORD_TO __VA_OPT__(, ) __VA_ARGS__, MPL_RECORD_POINTS) {           \
    cl_int error = mpl_record_begin(#name, buffer, queue, num_points, points);                     \
    if (error) return error;                                                                       \
    cl_command_queue to = &buffer->recorder;                                                       \
    error = check_fixed(#name, properties, handle);                                                \
    return mpl_record_end(buffer, error ? error : (enqueue), point);                               \
  }
#include "tables/recorded.def"

/* --- execution --- */

/* Whether a queue can stand for the one that the buffer was made for. */
static cl_int check_queue(const char *function, cl_command_buffer_khr buffer,
                          cl_command_queue queue) {
  if (!mpl_valid(queue, MPL_QUEUE) || mpl_is_on_device(queue))
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, function, "%p is not a command-queue of the host",
                      (void *)queue);
  if (queue->context != buffer->queue->context)
    return mpl_refuse(CL_INVALID_CONTEXT, function,
                      "the queue and the command-buffer belong to different contexts");
  if (queue->device != buffer->queue->device)
    return mpl_refuse(CL_INVALID_DEVICE, function,
                      "the queue and the command-buffer belong to different devices");
  if (queue->flags & ~(cl_command_queue_properties)SUPPORTED)
    return mpl_refuse(CL_INCOMPATIBLE_COMMAND_QUEUE_KHR, function,
                      "the queue has properties that command-buffers do not support");
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueCommandBufferKHR(cl_uint num_queues, cl_command_queue *queues,
                                             cl_command_buffer_khr buffer, cl_uint num_waits,
                                             const cl_event *waits, cl_event *event) {
  if (!mpl_valid(buffer, MPL_COMMAND_BUFFER))
    return mpl_refuse(CL_INVALID_COMMAND_BUFFER_KHR, __func__, "%p is not a command-buffer",
                      (void *)buffer);
  if (!num_queues != !queues || num_queues > 1)
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "%u queues at %p: one is possible, or none with a null pointer", num_queues,
                      (void *)queues);
  cl_command_queue queue = queues ? queues[0] : buffer->queue;
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = check_queue(__func__, buffer, queue);
  if (!error) error = mpl_validate_enqueue(__func__, queue, &deps);
  if (error) return error;
  mpl_lock(&buffer->lock);
  bool good = buffer->finalized && !buffer->num_incomplete;
  struct mpl_recording *recording = buffer->recording;
  if (good) atomic_fetch_add(&recording->refs, 1);
  mpl_unlock(&buffer->lock);
  if (!good)
    return mpl_refuse(CL_INVALID_OPERATION, __func__,
                      "the command-buffer is not finalized, or a command lacks arguments");
  struct mpl_work_desc work = {
      .run = run, .release = mpl_recording_drop, .data = recording, .weight = weight_of(recording)};
  return mpl_enqueue_command(queue, CL_COMMAND_COMMAND_BUFFER_KHR, &work, 0, false, &deps);
}

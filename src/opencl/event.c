/* Events (sections 5.11 and 5.14). */
#include <stdlib.h>

#include "opencl/enqueue/enqueue.h"

cl_event mpl_event_new(cl_context context, cl_command_queue queue, cl_command_type type) {
  cl_event event = calloc(1, sizeof *event);
  if (!event) return NULL;
  mpl_base_init(&event->base, MPL_EVENT);
  event->context = context;
  event->queue = queue;
  event->type = type;
  if (queue)
    clRetainCommandQueue(queue);
  else
    clRetainContext(context);
  return event;
}

void mpl_event_free(cl_event event) {
  if (event->command) mpl_command_release(event->command);
  if (event->queue)
    mpl_queue_handle_release(event->queue);
  else
    clReleaseContext(event->context);
  mpl_object_free(event);
}

cl_int mpl_validate_wait_list(cl_context context, cl_uint count, const cl_event *list) {
  if (!count != !list) return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++)
    if (!mpl_valid(list[i], MPL_EVENT)) return CL_INVALID_EVENT_WAIT_LIST;
  for (cl_uint i = 0; i < count; i++)
    if (list[i]->context != context) return CL_INVALID_CONTEXT;
  return CL_SUCCESS;
}

cl_event CL_API_CALL clCreateUserEvent(cl_context context, cl_int *errcode_ret) {
  cl_int error = mpl_valid(context, MPL_CONTEXT) ? CL_SUCCESS : CL_INVALID_CONTEXT;
  cl_event event = error ? NULL : mpl_event_new(context, NULL, CL_COMMAND_USER);
  if (event && !(event->command = mpl_user_command())) {
    mpl_event_free(event);
    event = NULL;
  }
  if (!event && !error) error = CL_OUT_OF_HOST_MEMORY;
  return mpl_give(event, error, errcode_ret);
}

cl_int CL_API_CALL clSetUserEventStatus(cl_event event, cl_int status) {
  if (!mpl_valid(event, MPL_EVENT) || event->type != CL_COMMAND_USER)
    return mpl_refuse(CL_INVALID_EVENT, __func__, "%p is not a user event", (void *)event);
  if (status > CL_COMPLETE)
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "status %d is neither CL_COMPLETE nor an error (negative)", status);
  if (!mpl_command_finish(event->command, status))
    return mpl_refuse(CL_INVALID_OPERATION, __func__, "the status of this event is set already");
  return CL_SUCCESS;
}

MPL_RETAIN(clRetainEvent, cl_event, MPL_EVENT, CL_INVALID_EVENT)

/* A user event that nobody can set any more ends as failed: what waits for it is let go instead of
 * hanging for ever. */
cl_int CL_API_CALL clReleaseEvent(cl_event event) {
  if (!mpl_valid(event, MPL_EVENT)) return CL_INVALID_EVENT;
  if (atomic_fetch_sub(&event->base.refs, 1) != 1) return CL_SUCCESS;
  if (event->type == CL_COMMAND_USER) mpl_command_finish(event->command, CL_INVALID_EVENT);
  mpl_event_free(event);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clWaitForEvents(cl_uint count, const cl_event *list) {
  if (!count || !list)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "%u events at %p: at least one is needed", count,
                      (const void *)list);
  for (cl_uint i = 0; i < count; i++)
    if (!mpl_valid(list[i], MPL_EVENT))
      return mpl_refuse(CL_INVALID_EVENT, __func__, "entry %u is not an event", i);
  for (cl_uint i = 1; i < count; i++)
    if (list[i]->context != list[0]->context)
      return mpl_refuse(CL_INVALID_CONTEXT, __func__, "the events belong to different contexts");
  /* Commands of other queues go on beside those that this thread runs itself. */
  for (cl_uint i = 1; i < count; i++)
    if (list[i]->queue != list[0]->queue) mpl_command_status(list[i]->command);
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < count; i++)
    if (mpl_command_wait(list[i]->command) < 0)
      error = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
  return error;
}

cl_int CL_API_CALL clGetEventInfo(cl_event event, cl_event_info param_name, size_t size,
                                  void *value, size_t *size_ret) {
  if (!mpl_valid(event, MPL_EVENT)) return CL_INVALID_EVENT;
  switch (param_name) {
    MPL_QUERY(CL_EVENT_COMMAND_QUEUE, cl_command_queue, event->queue)
    MPL_QUERY(CL_EVENT_CONTEXT, cl_context, event->context)
    MPL_QUERY(CL_EVENT_COMMAND_TYPE, cl_command_type, event->type)
    MPL_QUERY(CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int, mpl_command_status(event->command))
    MPL_QUERY(CL_EVENT_REFERENCE_COUNT, cl_uint, atomic_load(&event->base.refs))
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetEventProfilingInfo(cl_event event, cl_profiling_info param_name,
                                           size_t size, void *value, size_t *size_ret) {
  if (!mpl_valid(event, MPL_EVENT)) return CL_INVALID_EVENT;
  if (!event->queue || !(event->queue->flags & CL_QUEUE_PROFILING_ENABLE))
    return mpl_refuse(CL_PROFILING_INFO_NOT_AVAILABLE, __func__,
                      "the command-queue was created without CL_QUEUE_PROFILING_ENABLE");
  if (mpl_command_status(event->command) != CL_COMPLETE)
    return mpl_refuse(CL_PROFILING_INFO_NOT_AVAILABLE, __func__,
                      "the command has not ended, or has failed: wait for the event first");
  struct mpl_times times = mpl_command_times(event->command);
  switch (param_name) {
    MPL_QUERY(CL_PROFILING_COMMAND_QUEUED, cl_ulong, times.queued)
    MPL_QUERY(CL_PROFILING_COMMAND_SUBMIT, cl_ulong, times.submitted)
    MPL_QUERY(CL_PROFILING_COMMAND_START, cl_ulong, times.started)
    MPL_QUERY(CL_PROFILING_COMMAND_END, cl_ulong, times.ended)
    MPL_QUERY(CL_PROFILING_COMMAND_COMPLETE, cl_ulong, times.completed)
  default:
    return CL_INVALID_VALUE;
  }
}

struct callback {
  cl_event event; /* retained until it was called */
  void(CL_CALLBACK *function)(cl_event, cl_int, void *);
  void *user_data;
};

static void call_back(struct mpl_command *command, int status, void *data) {
  struct callback *callback = data;
  callback->function(callback->event, status, callback->user_data);
  clReleaseEvent(callback->event);
  free(callback);
}

cl_int CL_API_CALL clSetEventCallback(cl_event event, cl_int when,
                                      void(CL_CALLBACK *function)(cl_event, cl_int, void *),
                                      void *user_data) {
  if (!mpl_valid(event, MPL_EVENT)) return CL_INVALID_EVENT;
  if (!function || (when != CL_SUBMITTED && when != CL_RUNNING && when != CL_COMPLETE))
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "pfn_notify is null, or status %d is not CL_SUBMITTED, CL_RUNNING or "
                      "CL_COMPLETE",
                      when);
  struct callback *callback = malloc(sizeof *callback);
  if (!callback) return CL_OUT_OF_HOST_MEMORY;
  *callback = (struct callback){event, function, user_data};
  clRetainEvent(event);
  if (mpl_command_on_status(event->command, when, true, call_back, callback)) return CL_SUCCESS;
  clReleaseEvent(event);
  free(callback);
  return CL_OUT_OF_HOST_MEMORY;
}

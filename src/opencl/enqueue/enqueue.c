#include "enqueue.h"

#include <stdlib.h>

#include "opencl/device_side/device_queue.h"
#include "runtime/trace/trace.h"

cl_int mpl_check_lost(const char *function, cl_command_queue queue) {
  const char *why = mpl_queue_lost(queue->queue);
  return why ? mpl_refuse(CL_OUT_OF_RESOURCES, function, "%s", why) : CL_SUCCESS;
}

cl_int mpl_validate_enqueue(const char *function, cl_command_queue queue,
                            const struct mpl_deps *deps) {
  if (!mpl_valid(queue, MPL_QUEUE))
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, function, "%p is not a command-queue",
                      (void *)queue);
  if (mpl_is_on_device(queue))
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, function,
                      "the queue is on the device: only kernels enqueue to it");
  cl_int error = queue->recording ? CL_SUCCESS : mpl_check_lost(function, queue);
  if (error || (!deps->count && !deps->list)) return error;
  error = mpl_validate_wait_list(queue->context, deps->count, deps->list);
  if (error == CL_INVALID_CONTEXT)
    return mpl_refuse(error, function, "an event of the wait list belongs to another context");
  if (error)
    return mpl_refuse(error, function,
                      "the wait list of %u events is null or empty, or an entry is not an event",
                      deps->count);
  return CL_SUCCESS;
}

cl_int mpl_validate_mem(const char *function, cl_command_queue queue, cl_mem mem) {
  if (!mpl_valid(mem, MPL_MEM))
    return mpl_refuse(CL_INVALID_MEM_OBJECT, function, "%p is not a memory object", (void *)mem);
  if (mem->context != queue->context)
    return mpl_refuse(CL_INVALID_CONTEXT, function,
                      "the memory object and the command-queue belong to different contexts");
  return CL_SUCCESS;
}

cl_int mpl_validate_buffer(const char *function, cl_command_queue queue, cl_mem mem) {
  if (!mpl_valid(mem, MPL_MEM) || mem->type != CL_MEM_OBJECT_BUFFER)
    return mpl_refuse(CL_INVALID_MEM_OBJECT, function, "%p is not a buffer", (void *)mem);
  return mpl_validate_mem(function, queue, mem);
}

cl_int mpl_validate_host_access(const char *function, cl_mem mem, bool read, bool write) {
  if (read && (mem->flags & (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS)))
    return mpl_refuse(CL_INVALID_OPERATION, function,
                      "the host cannot read it: it was created with CL_MEM_HOST_WRITE_ONLY or "
                      "CL_MEM_HOST_NO_ACCESS");
  if (write && (mem->flags & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)))
    return mpl_refuse(CL_INVALID_OPERATION, function,
                      "the host cannot write it: it was created with CL_MEM_HOST_READ_ONLY or "
                      "CL_MEM_HOST_NO_ACCESS");
  return CL_SUCCESS;
}

cl_int mpl_validate_range(const char *function, cl_mem mem, size_t offset, size_t size) {
  if (offset <= mem->size && size <= mem->size - offset) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_VALUE, function,
                    "%zu bytes at offset %zu exceed the buffer, which has %zu bytes", size, offset,
                    mem->size);
}

static cl_int out_of_memory(const struct mpl_work_desc *work, cl_event event) {
  if (work && work->release) work->release(work->data);
  if (event) mpl_event_free(event);
  return CL_OUT_OF_HOST_MEMORY;
}

static cl_int hand_over(struct mpl_command *command, bool blocking, cl_event event,
                        const struct mpl_deps *deps) {
  int status = CL_COMPLETE;
  if (event) {
    event->command = command;
    mpl_command_retain(command);
    *deps->event = event;
  }
  if (blocking) status = mpl_command_wait(command);
  mpl_command_release(command);
  return status < 0 ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : CL_SUCCESS;
}

const char *mpl_command_label(cl_command_type type) {
  switch (type) {
#define MPL_COMMAND_TYPE(number, label)                                                            \
  case number:                                                                                     \
    return label;
#include "tables/command_types.def"
  default:
    return "command";
  }
}

static cl_int enqueue(cl_command_queue queue, cl_command_type type,
                      const struct mpl_work_desc *work, unsigned order, bool blocking,
                      const struct mpl_deps *deps, struct mpl_command *const *follows,
                      cl_uint num_follows) {
  struct mpl_command *few[16], **waits = few;
  size_t count = (size_t)deps->count + num_follows;
  cl_event event = NULL;
  if (queue->recording) return mpl_record_command(queue->recording, work);
  if (deps->event && !(event = mpl_event_new(queue->context, queue, type)))
    return out_of_memory(work, NULL);
  if (count > sizeof few / sizeof *few && !(waits = malloc(count * sizeof *waits)))
    return out_of_memory(work, event);
  for (cl_uint i = 0; i < deps->count; i++) waits[i] = deps->list[i]->command;
  for (cl_uint i = 0; i < num_follows; i++) waits[deps->count + i] = follows[i];
  if (event || blocking) order |= MPL_ASKED;
  struct mpl_work_desc labelled;
  if (mpl_tracing() && !work->label) {
    labelled = *work;
    labelled.label = mpl_command_label(type);
    work = &labelled;
  }
  struct mpl_command *command = mpl_enqueue(queue->queue, work, waits, (uint32_t)count, order);
  if (waits != few) free(waits);
  if (!command) return out_of_memory(NULL, event);
  return hand_over(command, blocking, event, deps);
}

cl_int mpl_enqueue_command(cl_command_queue queue, cl_command_type type,
                           const struct mpl_work_desc *work, unsigned order, bool blocking,
                           const struct mpl_deps *deps) {
  return enqueue(queue, type, work, order, blocking, deps, NULL, 0);
}

cl_int mpl_enqueue_behind(cl_command_queue queue, cl_command_type type,
                          const struct mpl_work_desc *work, const struct mpl_deps *deps,
                          struct mpl_command *const *follows, cl_uint num_follows) {
  return enqueue(queue, type, work, 0, false, deps, follows, num_follows);
}

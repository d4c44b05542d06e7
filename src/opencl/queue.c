/* Command-queues (section 5.1). */
#include <stdlib.h>
#include <string.h>

#include "opencl/device_side/device_queue.h"
#include "opencl/enqueue/enqueue.h"
#include "runtime/commands/loss.h"
#include "runtime/device.h"
#include "runtime/threads/apart.h"

/* Each property once; which ones a list may have. */
struct properties {
  cl_command_queue_properties flags;
  cl_queue_priority_khr priority;
  cl_queue_throttle_khr throttle;
  bool sized; /* CL_QUEUE_SIZE, which is for queues on the device */
  cl_queue_properties size;
  size_t count; /* with the final 0 */
};

static const cl_command_queue_properties on_device =
    CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

static cl_int check_flags(const char *function, cl_device_id device, const struct properties *p) {
  const cl_command_queue_properties known =
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
  if (p->flags & ~(known | on_device))
    return mpl_refuse(CL_INVALID_VALUE, function, "CL_QUEUE_PROPERTIES has unknown bits: 0x%llx",
                      (unsigned long long)p->flags);
  if (!(p->flags & on_device) && !p->sized) return CL_SUCCESS;
  if ((p->flags & on_device) && !(device->device->info.offers & MPL_OFFERS_ENQUEUE))
    return mpl_refuse(CL_INVALID_QUEUE_PROPERTIES, function,
                      "queues on the device are not supported "
                      "(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES is 0)");
  if (!(p->flags & CL_QUEUE_ON_DEVICE) || !(p->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE))
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "CL_QUEUE_ON_DEVICE needs CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, and "
                      "CL_QUEUE_SIZE and CL_QUEUE_ON_DEVICE_DEFAULT need CL_QUEUE_ON_DEVICE");
  if (p->priority || p->throttle)
    return mpl_refuse(CL_INVALID_QUEUE_PROPERTIES, function,
                      "a queue on the device has no priority and no throttle");
  if (p->sized && (!p->size || p->size > MPL_DEVICE_QUEUE_MAX))
    return mpl_refuse(CL_INVALID_QUEUE_PROPERTIES, function,
                      "CL_QUEUE_SIZE is %llu; CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE is %u",
                      (unsigned long long)p->size, MPL_DEVICE_QUEUE_MAX);
  return CL_SUCCESS;
}

/* Priorities and throttles are one of three bits (cl_khr_priority_hints, cl_khr_throttle_hints). */
static cl_int read_hint(const char *function, const char *name, cl_queue_properties value,
                        cl_uint *hint) {
  if (*hint || (value != 1 && value != 2 && value != 4))
    return mpl_refuse(CL_INVALID_VALUE, function, "%s is repeated, or its value 0x%llx is unknown",
                      name, (unsigned long long)value);
  *hint = (cl_uint)value;
  return CL_SUCCESS;
}

static cl_int read_properties(const char *function, cl_device_id device,
                              const cl_queue_properties *list, struct properties *p) {
  bool seen = false;
  cl_int error = CL_SUCCESS;
  *p = (struct properties){0};
  if (!list) return CL_SUCCESS;
  for (; list[p->count] && !error; p->count += 2) {
    cl_queue_properties value = list[p->count + 1];
    if (list[p->count] == CL_QUEUE_PRIORITY_KHR) {
      error = read_hint(function, "CL_QUEUE_PRIORITY_KHR", value, &p->priority);
    } else if (list[p->count] == CL_QUEUE_THROTTLE_KHR) {
      error = read_hint(function, "CL_QUEUE_THROTTLE_KHR", value, &p->throttle);
    } else if (list[p->count] == CL_QUEUE_SIZE && !p->sized) {
      p->sized = true;
      p->size = value;
    } else if (list[p->count] != CL_QUEUE_PROPERTIES || seen) {
      return mpl_refuse(CL_INVALID_VALUE, function, "property 0x%llx is unknown, or repeated",
                        (unsigned long long)list[p->count]);
    } else {
      seen = true;
      p->flags = value;
    }
  }
  ++p->count;
  return error ? error : check_flags(function, device, p);
}

static enum mpl_rank rank_of(cl_queue_priority_khr priority) {
  return priority == CL_QUEUE_PRIORITY_HIGH_KHR  ? MPL_RANK_HIGH
         : priority == CL_QUEUE_PRIORITY_LOW_KHR ? MPL_RANK_LOW
                                                 : MPL_RANK_MEDIUM;
}

static void destroy(cl_command_queue queue) {
  if (mpl_is_on_device(queue)) {
    mpl_forget_default_queue(queue);
    mpl_unlist_device_queue(queue);
  }
  if (queue->queue) mpl_queue_destroy(queue->queue);
  if (queue->device) clReleaseDevice(queue->device);
  clReleaseContext(queue->context);
  free(queue->properties);
  mpl_object_free(queue);
}

/* The run time's queue for its commands; a queue on the device has none. */
static bool give_commands(cl_command_queue queue, const struct properties *p) {
  if (p->flags & CL_QUEUE_ON_DEVICE) {
    queue->device_size = p->sized ? (cl_uint)p->size : MPL_DEVICE_QUEUE_SIZE;
    mpl_list_device_queue(queue);
    return true;
  }
  queue->queue =
      mpl_queue_create(queue->device->device, !(p->flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                       p->flags & CL_QUEUE_PROFILING_ENABLE);
  if (!queue->queue) return false;
  mpl_queue_set_rank(queue->queue, rank_of(p->priority));
  mpl_queue_set_owner(queue->queue, queue->context); /* from here on other threads may find it */
  return true;
}

static cl_int check_handles(const char *function, cl_context context, cl_device_id device) {
  if (!mpl_valid(context, MPL_CONTEXT))
    return mpl_refuse(CL_INVALID_CONTEXT, function, "%p is not a context", (void *)context);
  if (!mpl_valid(device, MPL_DEVICE) || !mpl_context_has(context, device))
    return mpl_refuse(CL_INVALID_DEVICE, function, "%p is not a device of the context",
                      (void *)device);
  return CL_SUCCESS;
}

static cl_command_queue create(const char *function, cl_context context, cl_device_id device,
                               const cl_queue_properties *properties, cl_int *errcode_ret) {
  struct properties p;
  cl_int error = check_handles(function, context, device);
  if (!error) error = read_properties(function, device, properties, &p);
  const char *lost = error ? NULL : mpl_device_lost(device->device);
  if (lost) error = mpl_refuse(CL_OUT_OF_RESOURCES, function, "%s", lost);
  if (error) return mpl_give(NULL, error, errcode_ret);
  cl_command_queue queue = mpl_allocate_apart(sizeof *queue);
  if (!queue) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  mpl_base_init(&queue->base, MPL_QUEUE);
  queue->context = context;
  queue->device = device;
  queue->flags = p.flags;
  queue->num_properties = p.count;
  clRetainContext(context);
  clRetainDevice(device);
  if (p.count) queue->properties = malloc(p.count * sizeof *properties);
  if (!give_commands(queue, &p) || (p.count && !queue->properties)) {
    destroy(queue);
    return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  }
  if (p.count) memcpy(queue->properties, properties, p.count * sizeof *properties);
  cl_command_queue given = queue;
  if (p.flags & CL_QUEUE_ON_DEVICE_DEFAULT) given = mpl_claim_default_queue(queue);
  if (given != queue) destroy(queue);
  return mpl_give(given, given ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY, errcode_ret);
}

cl_command_queue CL_API_CALL
clCreateCommandQueueWithProperties(cl_context context, cl_device_id device,
                                   const cl_queue_properties *properties, cl_int *errcode_ret) {
  return create(__func__, context, device, properties, errcode_ret);
}

/* Has no CL_QUEUE_PROPERTIES_ARRAY: section 5.1 wants it empty for queues made this way, and none
 * of them on the device. */
cl_command_queue CL_API_CALL clCreateCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue_properties flags,
                                                  cl_int *errcode_ret) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  cl_int error = check_handles(__func__, context, device);
  if (!error && (flags & on_device))
    error = mpl_refuse(CL_INVALID_VALUE, __func__,
                       "a queue on the device needs clCreateCommandQueueWithProperties");
  if (error) return mpl_give(NULL, error, errcode_ret);
  cl_command_queue queue = create(__func__, context, device, list, errcode_ret);
  if (queue) queue->num_properties = 0;
  return queue;
}

MPL_RETAIN(clRetainCommandQueue, cl_command_queue, MPL_QUEUE, CL_INVALID_COMMAND_QUEUE)

/* An implicit flush (section 5.1); commands that have not ended go on without the handle. */
cl_int CL_API_CALL clReleaseCommandQueue(cl_command_queue queue) {
  if (!mpl_valid(queue, MPL_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  if (!mpl_is_on_device(queue)) mpl_queue_flush(queue->queue);
  mpl_queue_handle_release(queue);
  return CL_SUCCESS;
}

void mpl_queue_handle_release(cl_command_queue queue) {
  if (atomic_fetch_sub(&queue->base.refs, 1) == 1) destroy(queue);
}

cl_int CL_API_CALL clGetCommandQueueInfo(cl_command_queue queue, cl_command_queue_info param_name,
                                         size_t size, void *value, size_t *size_ret) {
  if (!mpl_valid(queue, MPL_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  switch (param_name) {
    MPL_QUERY(CL_QUEUE_CONTEXT, cl_context, queue->context)
    MPL_QUERY(CL_QUEUE_DEVICE, cl_device_id, queue->device)
    MPL_QUERY(CL_QUEUE_REFERENCE_COUNT, cl_uint, atomic_load(&queue->base.refs))
    MPL_QUERY(CL_QUEUE_PROPERTIES, cl_command_queue_properties, queue->flags)
    MPL_QUERY_ARRAY(CL_QUEUE_PROPERTIES_ARRAY, cl_queue_properties, queue->num_properties,
                    queue->properties)
  case CL_QUEUE_SIZE:
    if (!mpl_is_on_device(queue)) return CL_INVALID_COMMAND_QUEUE;
    return mpl_answer(&queue->device_size, sizeof queue->device_size, size, value, size_ret);
    MPL_QUERY(CL_QUEUE_DEVICE_DEFAULT, cl_command_queue,
              mpl_default_queue(queue->context, queue->device))
  default:
    return CL_INVALID_VALUE;
  }
}

/* Deprecated since 1.1; devices of 1.1 and later answer CL_INVALID_OPERATION. */
cl_int CL_API_CALL clSetCommandQueueProperty(cl_command_queue queue,
                                             cl_command_queue_properties properties, cl_bool enable,
                                             cl_command_queue_properties *old) {
  if (!mpl_valid(queue, MPL_QUEUE)) return CL_INVALID_COMMAND_QUEUE;
  return mpl_refuse(CL_INVALID_OPERATION, __func__,
                    "the properties of a queue are fixed when it is created");
}

cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(cl_context context, cl_device_id device,
                                                  cl_command_queue queue) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!mpl_valid(device, MPL_DEVICE) || !mpl_context_has(context, device)) return CL_INVALID_DEVICE;
  if (!(device->device->info.offers & MPL_OFFERS_ENQUEUE))
    return mpl_refuse(CL_INVALID_OPERATION, __func__, "queues on the device are not supported");
  if (!mpl_valid(queue, MPL_QUEUE) || !mpl_is_on_device(queue) || queue->context != context ||
      queue->device != device)
    return mpl_refuse(CL_INVALID_COMMAND_QUEUE, __func__, "%p is not a queue on that device",
                      (void *)queue);
  return mpl_set_default_queue(context, device, queue);
}

cl_int CL_API_CALL clFlush(cl_command_queue queue) {
  if (!mpl_valid(queue, MPL_QUEUE) || mpl_is_on_device(queue)) return CL_INVALID_COMMAND_QUEUE;
  mpl_queue_flush(queue->queue);
  return mpl_check_lost(__func__, queue);
}

cl_int CL_API_CALL clFinish(cl_command_queue queue) {
  if (!mpl_valid(queue, MPL_QUEUE) || mpl_is_on_device(queue)) return CL_INVALID_COMMAND_QUEUE;
  mpl_queue_finish(queue->queue);
  mpl_queue_finish_calls(queue->queue);
  return mpl_check_lost(__func__, queue);
}

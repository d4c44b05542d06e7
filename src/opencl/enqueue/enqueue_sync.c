/* Markers and barriers, new and deprecated (section 5.12). */
#include "enqueue.h"

static cl_int enqueue_nothing(cl_command_queue queue, cl_command_type type, unsigned order,
                              const struct mpl_deps *deps) {
  struct mpl_work_desc nothing = {0};
  return mpl_enqueue_command(queue, type, &nothing, order, false, deps);
}

/* Without a wait list a marker waits for everything before it. */
cl_int CL_API_CALL clEnqueueMarkerWithWaitList(cl_command_queue queue, cl_uint num_waits,
                                               const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (error) return error;
  return enqueue_nothing(queue, CL_COMMAND_MARKER, num_waits ? 0 : MPL_AFTER_ALL, &deps);
}

/* A barrier's wait list replaces its waiting for everything before it; everything after it waits in
 * either case. */
cl_int CL_API_CALL clEnqueueBarrierWithWaitList(cl_command_queue queue, cl_uint num_waits,
                                                const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (error) return error;
  return enqueue_nothing(queue, CL_COMMAND_BARRIER,
                         MPL_BEFORE_ALL | (num_waits ? 0 : MPL_AFTER_ALL), &deps);
}

cl_int CL_API_CALL clEnqueueMarker(cl_command_queue queue, cl_event *event) {
  struct mpl_deps deps = {.event = event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (error) return error;
  if (!event) return mpl_refuse(CL_INVALID_VALUE, __func__, "event is null");
  return enqueue_nothing(queue, CL_COMMAND_MARKER, MPL_AFTER_ALL, &deps);
}

cl_int CL_API_CALL clEnqueueBarrier(cl_command_queue queue) {
  struct mpl_deps deps = {0};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (error) return error;
  return enqueue_nothing(queue, CL_COMMAND_BARRIER, MPL_AFTER_ALL | MPL_BEFORE_ALL, &deps);
}

cl_int CL_API_CALL clEnqueueWaitForEvents(cl_command_queue queue, cl_uint count,
                                          const cl_event *list) {
  struct mpl_deps none = {0}, deps = {count, list, NULL};
  cl_int error = mpl_validate_enqueue(__func__, queue, &none);
  if (error) return error;
  if (!count || !list)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "%u events at %p: at least one is needed", count,
                      (const void *)list);
  error = mpl_validate_wait_list(queue->context, count, list);
  if (error == CL_INVALID_EVENT_WAIT_LIST) error = CL_INVALID_EVENT; /* its name in 1.0 */
  if (error)
    return mpl_refuse(error, __func__, "an entry is not an event, or belongs to another context");
  return enqueue_nothing(queue, CL_COMMAND_BARRIER, MPL_BEFORE_ALL, &deps);
}

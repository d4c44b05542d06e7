/* Contexts. */
#include <stdlib.h>
#include <string.h>

#include "objects.h"
#include "opencl/device/device.h"
#include "opencl/memory/buffer_memory.h"
#include "opencl/memory/svm.h"
#include "runtime/commands/loss.h"
#include "runtime/commands/sequence.h"
#include "runtime/device.h"

/* Checks the list and counts its entries with the final 0; *platform is the one named in it, or
 * that of a null handle. */
static cl_int check_properties(const cl_context_properties *properties, size_t *count,
                               cl_platform_id *platform) {
  *count = 0;
  *platform = NULL;
  if (!properties) return CL_SUCCESS;
  bool platform_seen = false, sync_seen = false;
  for (; properties[*count]; *count += 2) {
    cl_context_properties name = properties[*count], value = properties[*count + 1];
    bool *seen = name == CL_CONTEXT_PLATFORM            ? &platform_seen
                 : name == CL_CONTEXT_INTEROP_USER_SYNC ? &sync_seen
                                                        : NULL;
    if (!seen || *seen) return CL_INVALID_PROPERTY;
    *seen = true;
    if (name == CL_CONTEXT_PLATFORM && !mpl_valid((void *)value, MPL_PLATFORM))
      return CL_INVALID_PLATFORM;
    if (name == CL_CONTEXT_PLATFORM) *platform = (cl_platform_id)value;
    if (name == CL_CONTEXT_INTEROP_USER_SYNC && value != CL_TRUE && value != CL_FALSE)
      return CL_INVALID_PROPERTY;
  }
  ++*count;
  return CL_SUCCESS;
}

/* --- All contexts, which hear of events of a device --- */

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static cl_context all;

/* Marks it, and adds a reference: one that has none left is about to leave the list. */
static bool take(cl_context c, const struct mpl_device *device) {
  bool has = false;
  cl_uint refs = atomic_load(&c->base.refs);
  for (cl_uint i = 0; i < c->num_devices; i++) has |= c->devices[i]->device == device;
  if (!has || !c->notify || c->told) return false;
  while (refs && !atomic_compare_exchange_weak(&c->base.refs, &refs, refs + 1)) continue;
  return c->told = refs;
}

/* That of a context which has not been told yet, or null. */
static cl_context take_one(const struct mpl_device *device) {
  mpl_lock(&all_lock);
  cl_context c = all;
  while (c && !take(c, device)) c = c->next;
  mpl_unlock(&all_lock);
  return c;
}

static void tell_contexts(struct mpl_device *device, const char *text) {
  cl_context context;
  while ((context = take_one(device))) {
    context->notify(text, NULL, 0, context->notify_data);
    clReleaseContext(context);
  }
}

static void join_all(cl_context context) {
  mpl_loss_listen(tell_contexts);
  mpl_lock(&all_lock);
  context->next = all;
  context->link = &all;
  if (all) all->link = &context->next;
  all = context;
  mpl_unlock(&all_lock);
}

static void leave_all(cl_context context) {
  mpl_lock(&all_lock);
  if (context->link) *context->link = context->next;
  if (context->next) context->next->link = context->link;
  mpl_unlock(&all_lock);
}

static void destroy(cl_context context) {
  leave_all(context);
  if (context->destructors) mpl_sequence_seen_all();
  while (context->destructors) { /* the newest first */
    struct mpl_callback *callback = context->destructors;
    context->destructors = callback->next;
    ((void(CL_CALLBACK *)(cl_context, void *))callback->function)(context, callback->user_data);
    free(callback);
  }
  mpl_svm_free_all(context);
  mpl_usm_free_all(context);
  free(context->addresses.ranges);
  for (cl_uint i = 0; i < context->num_devices; i++) mpl_device_handle_release(context->devices[i]);
  pthread_mutex_destroy(&context->lock);
  free(context->devices);
  free(context->memories);
  free(context->default_queues);
  free(context->properties);
  mpl_object_free(context);
}

static void add_memory(cl_context context, struct mpl_device *device) {
  if (!device->info.host_memory)
    context->memories[context->num_memories++] = device;
  else if (!context->memories[MPL_HOST_MEMORY])
    context->memories[MPL_HOST_MEMORY] = device;
}

/* Takes each device once: the specification ignores repetitions. */
static void take_devices(cl_context context, cl_uint count, const cl_device_id *devices) {
  for (cl_uint i = 0; i < count; i++) {
    bool seen = false;
    for (cl_uint j = 0; j < context->num_devices; j++) seen |= context->devices[j] == devices[i];
    if (seen) continue;
    context->devices[context->num_devices++] = devices[i];
    add_memory(context, devices[i]->device);
    mpl_device_handle_retain(devices[i]);
  }
}

cl_context CL_API_CALL clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                                       const cl_device_id *devices,
                                       void(CL_CALLBACK *notify)(const char *, const void *, size_t,
                                                                 void *),
                                       void *user_data, cl_int *errcode_ret) {
  size_t num_properties;
  cl_platform_id platform;
  cl_int error = check_properties(properties, &num_properties, &platform);
  if (!error && (!devices || !num_devices || (!notify && user_data))) error = CL_INVALID_VALUE;
  for (cl_uint i = 0; !error && i < num_devices; i++)
    if (!mpl_valid(devices[i], MPL_DEVICE) || devices[i]->platform != devices[0]->platform)
      error = CL_INVALID_DEVICE;
  if (error)
    return mpl_give(NULL,
                    mpl_refuse(error, __func__,
                               "a property is unknown or repeated, or the devices are not valid"),
                    errcode_ret);
  for (cl_uint i = 0; i < num_devices; i++) {
    const char *lost = mpl_device_lost(devices[i]->device);
    if (lost)
      return mpl_give(NULL, mpl_refuse(CL_DEVICE_NOT_AVAILABLE, __func__, "%s", lost), errcode_ret);
  }

  cl_context context = calloc(1, sizeof *context);
  if (!context) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  mpl_base_init(&context->base, MPL_CONTEXT);
  pthread_mutex_init(&context->lock, NULL);
  context->devices = malloc(num_devices * sizeof *devices);
  context->memories = calloc(num_devices + 1, sizeof *context->memories);
  context->num_memories = 1;
  if (num_properties) context->properties = malloc(num_properties * sizeof *properties);
  if (!context->devices || !context->memories || (num_properties && !context->properties)) {
    destroy(context);
    return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  }
  take_devices(context, num_devices, devices);
  if (num_properties) memcpy(context->properties, properties, num_properties * sizeof *properties);
  context->num_properties = num_properties;
  context->notify = notify;
  context->notify_data = user_data;
  join_all(context);
  return mpl_give(context, CL_SUCCESS, errcode_ret);
}

cl_context CL_API_CALL clCreateContextFromType(const cl_context_properties *properties,
                                               cl_device_type type,
                                               void(CL_CALLBACK *notify)(const char *, const void *,
                                                                         size_t, void *),
                                               void *user_data, cl_int *errcode_ret) {
  size_t num_properties;
  cl_platform_id platform;
  cl_int error = check_properties(properties, &num_properties, &platform);
  if (error) return mpl_give(NULL, error, errcode_ret);
  cl_device_id devices[16];
  cl_uint count = 0;
  error = clGetDeviceIDs(platform, type, 16, devices, &count);
  if (error)
    return mpl_give(NULL, mpl_refuse(error, __func__, "the platform has no device of this type"),
                    errcode_ret);
  return clCreateContext(properties, count < 16 ? count : 16, devices, notify, user_data,
                         errcode_ret);
}

MPL_RETAIN(clRetainContext, cl_context, MPL_CONTEXT, CL_INVALID_CONTEXT)
MPL_RELEASE(clReleaseContext, cl_context, MPL_CONTEXT, CL_INVALID_CONTEXT, destroy)

cl_int CL_API_CALL clSetContextDestructorCallback(cl_context context,
                                                  void(CL_CALLBACK *function)(cl_context, void *),
                                                  void *user_data) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!function) return CL_INVALID_VALUE;
  return mpl_callback_push(&context->lock, &context->destructors, (void (*)(void))function,
                           user_data);
}

cl_int CL_API_CALL clGetContextInfo(cl_context context, cl_context_info param_name, size_t size,
                                    void *value, size_t *size_ret) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  switch (param_name) {
    MPL_QUERY(CL_CONTEXT_REFERENCE_COUNT, cl_uint, atomic_load(&context->base.refs))
    MPL_QUERY(CL_CONTEXT_NUM_DEVICES, cl_uint, context->num_devices)
    MPL_QUERY_ARRAY(CL_CONTEXT_DEVICES, cl_device_id, context->num_devices, context->devices)
    MPL_QUERY_ARRAY(CL_CONTEXT_PROPERTIES, cl_context_properties, context->num_properties,
                    context->properties)
  default:
    return CL_INVALID_VALUE;
  }
}

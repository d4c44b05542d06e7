/* Which queue on a device is its default one in a context. */
#include "device_queue.h"

#include <stdlib.h>

static cl_uint index_of(cl_context context, cl_device_id device) {
  cl_uint i = 0;
  while (i < context->num_devices && context->devices[i] != device) i++;
  return i;
}

/* Under the context's lock: the place of a device, or null. */
static cl_command_queue *place_of(cl_context context, cl_device_id device) {
  cl_uint i = index_of(context, device);
  return context->default_queues && i < context->num_devices ? &context->default_queues[i] : NULL;
}

cl_command_queue mpl_default_queue(cl_context context, cl_device_id device) {
  mpl_lock(&context->lock);
  cl_command_queue *place = place_of(context, device), queue = place ? *place : NULL;
  mpl_unlock(&context->lock);
  return queue;
}

/* One that is just being destroyed is none any more. */
cl_command_queue mpl_retain_default_queue(cl_context context, cl_device_id device) {
  mpl_lock(&context->lock);
  cl_command_queue *place = place_of(context, device), queue = place ? *place : NULL;
  cl_uint refs = queue ? atomic_load(&queue->base.refs) : 0;
  while (refs && !atomic_compare_exchange_weak(&queue->base.refs, &refs, refs + 1)) continue;
  mpl_unlock(&context->lock);
  return refs ? queue : NULL;
}

cl_int mpl_set_default_queue(cl_context context, cl_device_id device, cl_command_queue queue) {
  mpl_lock(&context->lock);
  if (!context->default_queues)
    context->default_queues = calloc(context->num_devices, sizeof *context->default_queues);
  cl_command_queue *place = place_of(context, device);
  if (place) *place = queue;
  mpl_unlock(&context->lock);
  return place ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

void mpl_forget_default_queue(cl_command_queue queue) {
  mpl_lock(&queue->context->lock);
  cl_command_queue *place = place_of(queue->context, queue->device);
  if (place && *place == queue) *place = NULL;
  mpl_unlock(&queue->context->lock);
}

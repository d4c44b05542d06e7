/* Which queue on a device is its default one in a context. */
#include "device_queue.h"

#include <stdlib.h>

void mpl_list_device_queue(cl_command_queue queue) {
  mpl_lock(&queue->context->lock);
  queue->next_on_device = queue->context->device_queues;
  queue->context->device_queues = queue;
  mpl_unlock(&queue->context->lock);
}

void mpl_unlist_device_queue(cl_command_queue queue) {
  mpl_lock(&queue->context->lock);
  cl_command_queue *link = &queue->context->device_queues;
  while (*link && *link != queue) link = &(*link)->next_on_device;
  if (*link) *link = queue->next_on_device;
  mpl_unlock(&queue->context->lock);
}

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

bool mpl_retain_queue(cl_command_queue queue) {
  cl_uint refs = atomic_load(&queue->base.refs);
  while (refs && !atomic_compare_exchange_weak(&queue->base.refs, &refs, refs + 1)) continue;
  return refs;
}

/* Under the context's lock: the same, and there is a place unless memory ends. */
static cl_command_queue *need_place(cl_context context, cl_device_id device) {
  if (!context->default_queues)
    context->default_queues = calloc(context->num_devices, sizeof *context->default_queues);
  return place_of(context, device);
}

/* One that is just being destroyed is none any more. */
cl_command_queue mpl_claim_default_queue(cl_command_queue queue) {
  mpl_lock(&queue->context->lock);
  cl_command_queue *place = need_place(queue->context, queue->device);
  if (place && (!*place || !mpl_retain_queue(*place))) *place = queue;
  cl_command_queue known = place ? *place : NULL;
  mpl_unlock(&queue->context->lock);
  return known;
}

cl_int mpl_set_default_queue(cl_context context, cl_device_id device, cl_command_queue queue) {
  mpl_lock(&context->lock);
  cl_command_queue *place = need_place(context, device);
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

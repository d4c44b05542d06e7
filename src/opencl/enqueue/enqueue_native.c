/* clEnqueueNativeKernel (section 5.9): a function of the application as a command. */
#include <stdlib.h>
#include <string.h>

#include "enqueue.h"
#include "opencl/memory/buffer_memory.h"
#include "opencl/memory/mem_watch.h"
#include "runtime/commands/sequence.h"
#include "runtime/device.h"

struct native {
  void(CL_CALLBACK *function)(void *);
  void *args;
  cl_uint num_mems;
  cl_mem mems[]; /* retained; the arguments follow */
};

static int run(void *data, struct mpl_device *device) {
  struct native *native = data;
  mpl_sequence_share();
  for (cl_uint i = 0; i < native->num_mems; i++) mpl_mem_watch_begin(native->mems[i], true);
  native->function(native->args);
  for (cl_uint i = 0; i < native->num_mems; i++) mpl_mem_watch_end(native->mems[i], true);
  return 0;
}

static int prepare(void *data, struct mpl_device *device) {
  const struct native *native = data;
  return mpl_buffers_acquire(native->mems, native->num_mems, true, MPL_HOST_MEMORY);
}

static void release(void *data) {
  struct native *native = data;
  for (cl_uint i = 0; i < native->num_mems; i++) clReleaseMemObject(native->mems[i]);
  free(native);
}

/* Copies the arguments and puts the buffers' addresses where their handles are to be replaced. */
static struct native *capture(void(CL_CALLBACK *function)(void *), const char *args, size_t size,
                              cl_uint num_mems, const cl_mem *mems, const void **places) {
  size_t head = sizeof(struct native) + num_mems * sizeof(cl_mem);
  head = (head + 15) / 16 * 16;
  struct native *native = malloc(head + size);
  if (!native) return NULL;
  char *copy = (char *)native + head;
  *native = (struct native){function, args ? copy : NULL, num_mems};
  if (args) memcpy(copy, args, size);
  for (cl_uint i = 0; i < num_mems; i++) {
    native->mems[i] = mems[i];
    clRetainMemObject(mems[i]);
    void *data = mpl_buffer_place(mems[i], MPL_HOST_MEMORY);
    memcpy(copy + ((const char *)places[i] - args), &data, sizeof data);
  }
  return native;
}

static cl_int check_args(const char *function, const char *args, size_t size, cl_uint num_mems,
                         const cl_mem *mems, const void **places) {
  if (!args != !size || (num_mems && !args))
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "cb_args is %zu with args at %p: a size needs "
                      "arguments, and arguments a size",
                      size, (const void *)args);
  if (!num_mems != !mems || !num_mems != !places)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "num_mem_objects is %u: mem_list and args_mem_loc are needed with memory "
                      "objects, and null without",
                      num_mems);
  for (cl_uint i = 0; i < num_mems; i++) {
    uintptr_t at = (uintptr_t)places[i], first = (uintptr_t)args;
    if (at < first || size < sizeof(void *) || at - first > size - sizeof(void *))
      return mpl_refuse(CL_INVALID_VALUE, function, "args_mem_loc[%u] is not inside args", i);
  }
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueNativeKernel(cl_command_queue queue,
                                         void(CL_CALLBACK *function)(void *), void *args,
                                         size_t size, cl_uint num_mems, const cl_mem *mems,
                                         const void **places, cl_uint num_waits,
                                         const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error && !(queue->device->device->info.offers & MPL_OFFERS_NATIVE))
    error = mpl_refuse(CL_INVALID_OPERATION, __func__,
                       "the device does not run functions of the host (CL_EXEC_NATIVE_KERNEL)");
  if (!error && !function) error = mpl_refuse(CL_INVALID_VALUE, __func__, "user_func is null");
  if (!error) error = check_args(__func__, args, size, num_mems, mems, places);
  for (cl_uint i = 0; i < num_mems && !error; i++)
    error = mpl_validate_buffer(__func__, queue, mems[i]);
  for (cl_uint i = 0; i < num_mems && !error; i++)
    if (!mpl_buffer_place(mems[i], MPL_HOST_MEMORY)) error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (error) return error;
  struct native *native = capture(function, args, size, num_mems, mems, places);
  if (!native) return CL_OUT_OF_HOST_MEMORY;
  struct mpl_work_desc work = {
      .run = run, .release = release, .data = native, .weight = 1, .of_host = true};
  if (mpl_has_hidden_memory(queue->context)) work.prepare = prepare;
  return mpl_enqueue_command(queue, CL_COMMAND_NATIVE_KERNEL, &work, 0, false, &deps);
}

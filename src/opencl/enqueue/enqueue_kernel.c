/* clEnqueueNDRangeKernel, clEnqueueTask, and the size suggestion that shares their checks. */
#include <stdlib.h>
#include <string.h>

#include "enqueue.h"
#include "launch_watch.h"
#include "opencl/device_side/device_queue.h"
#include "opencl/memory/addresses.h"
#include "opencl/memory/buffer_memory.h"
#include "opencl/memory/image.h"
#include "opencl/memory/mem.h"
#include "opencl/memory/mem_watch.h"
#include "opencl/program/program.h"
#include "runtime/clock.h"
#include "runtime/commands/sequence.h"
#include "runtime/device.h"
#include "runtime/ndrange.h"
#include "runtime/print/print.h"
#include "runtime/trace/profile.h"
#include "runtime/trace/trace.h"

enum {
  ARGS_ALIGN = 16,
  ALWAYS_TIMED = 4,   /* the first launches of a kernel, to learn what it costs */
  WORTH_TIMING = 4000 /* ns beside which reading the clock twice is nothing */
};

/* One enqueued kernel: everything that it needs until it has run. */
struct launch {
  struct mpl_launch launch;
  struct mpl_operation operation;
  cl_kernel kernel; /* retained: its program's code runs */
  uint64_t items, weight;
  struct mpl_arg_memory *args; /* null unless the device checks kernels */
  cl_mem *by_arg;              /* the same: the object of each, or null */
  bool shares;                 /* memory with who runs beside it: SVM, USM, a pipe */
  unsigned char *held;         /* what mpl_mem_hold said of each of the objects */
  cl_uint num_mems;
  cl_mem mems[]; /* held; the argument block follows, and what the last two point to */
};

static const struct mpl_host host = {.print = mpl_print};

static void release(void *data) {
  struct launch *launch = data;
  for (cl_uint i = 0; i < launch->num_mems; i++) mpl_mem_let(launch->mems[i], launch->held[i]);
  clReleaseKernel(launch->kernel);
  free(launch);
}

/* Rough ns that a launch takes: as measured before, else one for each work-item. */
static uint64_t estimate(cl_kernel kernel, uint64_t items) {
  const uint64_t enough = (uint64_t)1 << 30;
  uint64_t cost = atomic_load_explicit(&kernel->cost, memory_order_relaxed);
  if (items > enough) items = enough;
  return cost ? items * cost / 1024 + 1 : items;
}

static void learn(cl_kernel kernel, uint64_t items, uint64_t ns) {
  uint64_t old = atomic_load_explicit(&kernel->cost, memory_order_relaxed);
  uint64_t cost = (uint64_t)((double)ns / (double)items * 1024.0) + 1;
  if (old) cost = (old * 3 + cost) / 4; /* the first launch is a cold one */
  if (cost > UINT32_MAX) cost = UINT32_MAX;
  atomic_store_explicit(&kernel->cost, (unsigned)cost, memory_order_relaxed);
  atomic_fetch_add_explicit(&kernel->num_timed, 1, memory_order_relaxed);
}

/* The bytes of its buffers: its traffic if it uses each byte once. */
static uint64_t bytes_of(const struct launch *launch) {
  uint64_t bytes = 0;
  for (cl_uint i = 0; i < launch->num_mems; i++) bytes += launch->mems[i]->size;
  return launch->num_mems ? bytes : MPL_TRACE_UNKNOWN;
}

static bool may_write(cl_mem mem) {
  return !(mem->flags & CL_MEM_READ_ONLY);
}

/* The accesses of children are not known. */
static struct mpl_launch_watch *watched(const struct launch *launch,
                                        const struct mpl_device *device) {
  if (!launch->args) return NULL;
  if (launch->shares) mpl_sequence_share();
  if (mpl_may_have_children(launch->kernel, device)) return NULL;
  return mpl_launch_watch_begin(&launch->operation, launch->kernel->program->context,
                                launch->by_arg, launch->shares);
}

static int run(void *data, struct mpl_device *device) {
  struct launch *launch = data;
  bool profiled = mpl_profile_wanted();
  bool timed =
      profiled || launch->weight >= WORTH_TIMING ||
      atomic_load_explicit(&launch->kernel->num_timed, memory_order_relaxed) < ALWAYS_TIMED;
  uint64_t before = timed ? mpl_clock() : 0, after = 0; /* without what it enqueues */
  for (cl_uint i = 0; i < launch->num_mems; i++)
    mpl_mem_watch_begin(launch->mems[i], may_write(launch->mems[i]));
  struct mpl_launch_watch *watch = watched(launch, device);
  int error =
      mpl_launch_with_children(watch ? mpl_launch_watch_operation(watch) : &launch->operation,
                               device, launch->kernel, timed ? &after : NULL);
  mpl_launch_watch_end(watch);
  for (cl_uint i = 0; i < launch->num_mems; i++)
    mpl_mem_watch_end(launch->mems[i], may_write(launch->mems[i]));
  if (timed && launch->items) learn(launch->kernel, launch->items, after - before);
  if (profiled) mpl_profile_launch(&launch->operation, before, after, bytes_of(launch));
  if (launch->operation.launch.kernel->flags & MPL_KERNEL_PRINTS) mpl_print_flush();
  return error;
}

static int flush(void *data, struct mpl_device *device) {
  mpl_print_flush();
  return 0;
}

static int prepare(void *data, struct mpl_device *device) {
  const struct launch *launch = data;
  return mpl_buffers_acquire(launch->mems, launch->num_mems, true,
                             mpl_memory_of(launch->kernel->program->context, device));
}

static cl_int check_global(const char *function, cl_uint dims, const size_t *offset,
                           const size_t *global, struct mpl_launch *sizes) {
  struct mpl_refusal why;
  if (!mpl_ndrange_global(dims, global, offset, sizes, &why)) return CL_SUCCESS;
  return mpl_refuse(why.code, function, "%s", why.text);
}

static cl_int set_sizes(const char *function, struct mpl_device *device,
                        const struct mpl_kernel *kernel, const size_t *local,
                        struct mpl_launch *sizes) {
  struct mpl_refusal why;
  if (!mpl_ndrange_local(device, kernel, local, sizes, &why)) return CL_SUCCESS;
  return mpl_refuse(why.code, function, "%s", why.text);
}

/* With the kernel's lock held: that every argument is set, how many are buffers at most, and how
 * much local memory a group needs. */
static cl_int check_args(const char *function, struct mpl_device *device, cl_kernel kernel,
                         const struct mpl_kernel *k, cl_uint *num_mems, uint64_t *local_size) {
  *num_mems = 0;
  *local_size = k->local_size;
  for (uint32_t i = 0; i < k->num_args; i++) {
    const struct mpl_kernel_arg *arg = &kernel->args[i];
    if (!arg->set)
      return mpl_refuse(CL_INVALID_KERNEL_ARGS, function, "argument %u (%s) of %s is not set", i,
                        k->args[i].name, k->name);
    if (arg->mem && device->info.is_checked && !mpl_valid(arg->mem, MPL_MEM))
      return mpl_refuse(CL_INVALID_KERNEL_ARGS, function, "argument %u (%s) of %s was released", i,
                        k->args[i].name, k->name);
    if (k->args[i].kind == MPL_ARG_LOCAL)
      *local_size = mpl_local_end(*local_size) + arg->local_size;
    if (arg->mem || arg->is_svm) ++*num_mems; /* perhaps: add_addressed */
  }
  *num_mems += (cl_uint)kernel->num_addresses;
  struct mpl_refusal why;
  if (!mpl_ndrange_memory(device, k, *local_size, &why)) return CL_SUCCESS;
  return mpl_refuse(why.code, function, "%s", why.text);
}

/* The description of an argument for the checking engine. */
static struct mpl_arg_memory memory_of(const struct mpl_arg *info,
                                       const struct mpl_kernel_arg *arg) {
  if (info->kind == MPL_ARG_LOCAL)
    return (struct mpl_arg_memory){.size = arg->local_size, .what = "local argument"};
  if (info->kind != MPL_ARG_POINTER || !arg->mem) return (struct mpl_arg_memory){0};
  return (struct mpl_arg_memory){.size = arg->mem->size,
                                 .what = arg->mem->parent     ? "sub-buffer"
                                         : arg->mem->host_ptr ? "buffer over the host's memory"
                                                              : "buffer",
                                 .read_only = arg->mem->flags & CL_MEM_READ_ONLY,
                                 .write_only = arg->mem->flags & CL_MEM_WRITE_ONLY};
}

static void add_addressed(struct launch *launch, cl_ulong address) {
  cl_mem mem = mpl_addresses_find(launch->kernel->program->context, address);
  for (cl_uint i = 0; mem && i < launch->num_mems; i++)
    if (launch->mems[i] == mem) { /* it is kept already */
      clReleaseMemObject(mem);
      return;
    }
  if (!mem) return;
  launch->held[launch->num_mems] = 0;
  launch->mems[launch->num_mems++] = mem;
}

/* With the kernel's lock held: the buffers whose addresses the kernel is given, kept too. */
static void keep_addressed(struct launch *launch) {
  cl_kernel kernel = launch->kernel;
  for (uint32_t i = 0; i < kernel->kernel->num_args; i++) {
    cl_ulong address;
    if (!kernel->args[i].is_svm) continue;
    memcpy(&address, kernel->block + kernel->kernel->args[i].offset, sizeof address);
    add_addressed(launch, address);
  }
  for (size_t i = 0; i < kernel->num_addresses; i++) add_addressed(launch, kernel->addresses[i]);
}

/* With the kernel's lock held: the arguments as the device's kernel has them.  Keeps the buffers.
 */
static cl_int set_args(struct launch *launch, const struct mpl_kernel *k, struct mpl_device *device,
                       unsigned char *block) {
  cl_kernel kernel = launch->kernel;
  uint64_t local = k->local_size;
  if (k == kernel->kernel && k->args_size) memcpy(block, kernel->block, k->args_size);
  for (uint32_t i = 0; i < k->num_args; i++) {
    const struct mpl_kernel_arg *arg = &kernel->args[i];
    unsigned char *value = block + k->args[i].offset;
    if (launch->args) launch->args[i] = memory_of(&k->args[i], arg);
    if (launch->args) launch->by_arg[i] = arg->mem;
    launch->shares |=
        arg->is_svm || (arg->mem && (arg->mem->uses_svm || arg->mem->type == CL_MEM_OBJECT_PIPE));
    if (k != kernel->kernel)
      memcpy(value, kernel->block + kernel->kernel->args[i].offset, k->args[i].size);
    if (k->args[i].kind == MPL_ARG_LOCAL) {
      local = mpl_local_end(local);
      memcpy(value, &local, sizeof local);
      local += arg->local_size;
    }
    if (arg->mem) {
      void *place = arg->mem->image && device->info.refers_to_images
                        ? mpl_image_descriptor(arg->mem, device)
                        : mpl_buffer_place(arg->mem, mpl_memory_of(arg->mem->context, device));
      if (!place) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
      memcpy(value, &place, sizeof place);
      launch->held[launch->num_mems] = mpl_mem_hold(arg->mem);
      launch->mems[launch->num_mems++] = arg->mem;
    }
  }
  return CL_SUCCESS;
}

/* With the kernel's lock held: the launch with everything that it needs. */
static cl_int capture(cl_kernel kernel, const struct mpl_kernel *k, struct mpl_device *device,
                      const struct mpl_launch *sizes, cl_uint num_mems, uint64_t local_size,
                      struct launch **result) {
  struct launch *launch;
  size_t head = sizeof(struct launch) + num_mems * sizeof(cl_mem);
  head = (head + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN;
  size_t block_size = (k->args_size + ARGS_ALIGN - 1) / ARGS_ALIGN * ARGS_ALIGN;
  size_t tail =
      device->info.is_checked ? k->num_args * (sizeof *launch->args + sizeof *launch->by_arg) : 0;
  launch = malloc(head + block_size + tail + num_mems);
  if (!launch) return CL_OUT_OF_HOST_MEMORY;
  unsigned char *block = (unsigned char *)launch + head;
  launch->launch = *sizes;
  launch->launch.args = block;
  launch->launch.host = &host;
  launch->kernel = kernel;
  launch->operation.kind = MPL_LAUNCH;
  launch->operation.launch.kernel = k;
  launch->operation.launch.launch = &launch->launch;
  launch->operation.launch.local_size = local_size;
  launch->args = tail ? (struct mpl_arg_memory *)(block + block_size) : NULL;
  launch->shares = kernel->is_indirect;
  launch->by_arg = tail ? (cl_mem *)(launch->args + k->num_args) : NULL;
  launch->held = block + block_size + tail;
  launch->operation.launch.args = launch->args;
  launch->operation.launch.filter = NULL;
  launch->items = sizes->global_size[0] * sizes->global_size[1] * sizes->global_size[2];
  launch->weight = estimate(kernel, launch->items);
  launch->num_mems = 0;
  clRetainKernel(kernel);
  *result = launch;
  cl_int error = set_args(launch, k, device, block);
  if (!error && mpl_has_hidden_memory(kernel->program->context)) keep_addressed(launch);
  if (error) release(launch);
  return error;
}

/* Sets *k to the kernel as the queue's device has it. */
static cl_int check_handles(const char *function, cl_command_queue queue, cl_kernel kernel,
                            const struct mpl_kernel **k, const struct mpl_deps *deps) {
  cl_int error = mpl_validate_enqueue(function, queue, deps);
  if (error) return error;
  if (!mpl_valid(kernel, MPL_KERNEL))
    return mpl_refuse(CL_INVALID_KERNEL, function, "%p is not a kernel", (void *)kernel);
  if (kernel->program->context != queue->context)
    return mpl_refuse(CL_INVALID_CONTEXT, function,
                      "kernel %s and the command-queue belong to different contexts",
                      kernel->kernel->name);
  *k = mpl_kernel_on(kernel, queue->device);
  if (!*k)
    return mpl_refuse(CL_INVALID_PROGRAM_EXECUTABLE, function,
                      "the program of kernel %s was not built for the command-queue's device",
                      kernel->kernel->name);
  return CL_SUCCESS;
}

cl_int mpl_enqueue_kernel(const char *function, cl_command_queue queue, cl_kernel kernel,
                          cl_command_type type, cl_uint dims, const size_t *offset,
                          const size_t *global, const size_t *local, const struct mpl_deps *deps) {
  struct mpl_launch sizes = {0};
  const struct mpl_kernel *k;
  cl_int error = check_handles(function, queue, kernel, &k, deps);
  if (error) return error;
  struct mpl_device *device = queue->device->device;
  if ((error = check_global(function, dims, offset, global, &sizes))) return error;
  if ((error = set_sizes(function, device, k, local, &sizes))) return error;

  cl_uint num_mems;
  uint64_t local_size;
  struct launch *launch = NULL;
  struct mpl_thread *thread = mpl_lock_fast(&kernel->lock);
  error = check_args(function, device, kernel, k, &num_mems, &local_size);
  if (!error) error = capture(kernel, k, device, &sizes, num_mems, local_size, &launch);
  mpl_unlock_fast(&kernel->lock, thread);
  if (error) return error;
  if (device->info.is_checked)
    launch->operation.launch.filter = mpl_kernel_filter(kernel, queue->device);
  bool hidden = mpl_has_hidden_memory(queue->context);
  bool by_thread = k->flags & MPL_KERNEL_PER_ITEM ||
                   (hidden && (mpl_profile_wanted() || mpl_may_have_children(kernel, device)));
  struct mpl_work_desc work = {
      .run = run,
      .release = release,
      .data = launch,
      .weight = launch->weight,
      .operation = by_thread ? NULL : &launch->operation,
      .prepare = hidden ? prepare : NULL,
      .finish = k->flags & MPL_KERNEL_PRINTS ? flush : NULL,
  };
  if (mpl_tracing()) work.label = mpl_trace_name(k->name);
  return mpl_enqueue_command(queue, type, &work, 0, false, deps);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dims,
                                          const size_t *offset, const size_t *global,
                                          const size_t *local, cl_uint num_waits,
                                          const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  return mpl_enqueue_kernel(__func__, queue, kernel, CL_COMMAND_NDRANGE_KERNEL, dims, offset,
                            global, local, &deps);
}

cl_int CL_API_CALL clEnqueueTask(cl_command_queue queue, cl_kernel kernel, cl_uint num_waits,
                                 const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  const size_t one = 1;
  return mpl_enqueue_kernel(__func__, queue, kernel, CL_COMMAND_TASK, 1, NULL, &one, &one, &deps);
}

/* The local size that NULL stands for. */
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(cl_command_queue queue, cl_kernel kernel,
                                                     cl_uint dims, const size_t *offset,
                                                     const size_t *global, size_t *suggested) {
  struct mpl_deps none = {0};
  struct mpl_launch sizes = {0};
  const struct mpl_kernel *k;
  cl_int error = check_handles(__func__, queue, kernel, &k, &none);
  if (error) return error;
  if (!suggested)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "suggested_local_work_size is null");
  if ((error = check_global(__func__, dims, offset, global, &sizes))) return error;
  for (cl_uint d = 0; d < dims; d++)
    if (!sizes.global_size[d])
      return mpl_refuse(CL_INVALID_GLOBAL_WORK_SIZE, __func__,
                        "global_work_size is 0 in dimension %u", d);
  cl_uint num_mems;
  uint64_t local_size;
  struct mpl_device *device = queue->device->device;
  mpl_lock(&kernel->lock);
  error = check_args(__func__, device, kernel, k, &num_mems, &local_size);
  mpl_unlock(&kernel->lock);
  if (!error) error = set_sizes(__func__, device, k, NULL, &sizes);
  for (cl_uint d = 0; d < dims && !error; d++) suggested[d] = sizes.local_size[d];
  return error;
}

/* cl_khr_suggested_local_work_size, which became a part of OpenCL 3.1. */
cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSizeKHR(cl_command_queue queue, cl_kernel kernel,
                                                        cl_uint dims, const size_t *offset,
                                                        const size_t *global, size_t *suggested) {
  return clGetKernelSuggestedLocalWorkSize(queue, kernel, dims, offset, global, suggested);
}

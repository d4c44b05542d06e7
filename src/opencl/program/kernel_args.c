/* clSetKernelArg and clSetKernelArgSVMPointer. */
#include <string.h>

#include "opencl/device_side/device_queue.h"
#include "opencl/memory/addresses.h"
#include "opencl/memory/image.h"
#include "opencl/memory/sampler.h"
#include "opencl/memory/svm.h"
#include "opencl/memory/usm.h"
#include "program.h"

static void put(cl_kernel kernel, cl_uint index, const void *value, struct mpl_kernel_arg arg) {
  const struct mpl_arg *info = &kernel->kernel->args[index];
  mpl_lock(&kernel->lock);
  memcpy(kernel->block + info->offset, value, info->size);
  kernel->args[index] = arg;
  mpl_unlock(&kernel->lock);
}

static cl_int set_pointer(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_mem mem = NULL;
  if (size != sizeof mem)
    return mpl_refuse(CL_INVALID_ARG_SIZE, "clSetKernelArg",
                      "argument %u of %s is a pointer: arg_size must be sizeof(cl_mem), and is %zu",
                      index, kernel->kernel->name, size);
  if (value) memcpy(&mem, value, sizeof mem);
  if (mem && (!mpl_valid(mem, MPL_MEM) || mem->context != kernel->program->context ||
              mem->type != CL_MEM_OBJECT_BUFFER))
    return mpl_refuse(CL_INVALID_MEM_OBJECT, "clSetKernelArg",
                      "argument %u of %s must be a buffer of its context", index,
                      kernel->kernel->name);
  const void *const none = NULL; /* where a buffer is depends on the device */
  put(kernel, index, &none, (struct mpl_kernel_arg){.set = true, .mem = mem});
  return CL_SUCCESS;
}

/* A size of 0 was an error before OpenCL 3.1, on which no program relies. */
static cl_int set_local(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (value) return CL_INVALID_ARG_VALUE;
  const uint64_t offset = 0; /* where it begins is known when it is enqueued */
  put(kernel, index, &offset, (struct mpl_kernel_arg){.set = true, .local_size = size});
  return CL_SUCCESS;
}

static cl_int set_value(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  const struct mpl_arg *info = &kernel->kernel->args[index];
  if (!value) return CL_INVALID_ARG_VALUE;
  if (size != info->size)
    return mpl_refuse(CL_INVALID_ARG_SIZE, "clSetKernelArg",
                      "argument %u (%s %s) of %s has %u bytes; arg_size is %zu", index,
                      info->type_name, info->name, kernel->kernel->name, info->size, size);
  put(kernel, index, value, (struct mpl_kernel_arg){.set = true});
  return CL_SUCCESS;
}

/* Whether the argument's type is the image's, a depth image's for one with that channel order. */
static bool image_has_type(cl_mem mem, const struct mpl_arg *info) {
  const struct mpl_image_sort *sort = mpl_image_sort(mem->type);
  bool depth = mem->image->channel_order == CL_DEPTH;
  return !strcmp(info->type_name, depth ? sort->depth_type : sort->type);
}

/* The access to an image that the argument's qualifier asks for. */
static cl_int check_access(cl_kernel kernel, cl_uint index, cl_mem mem) {
  /* By mpl_arg.access: bits of mpl_image_access, and flags of images that lack it. */
  static const struct {
    const char *name;
    unsigned access;
    cl_mem_flags without;
  } qualifiers[] = {
      {"", MPL_IMAGE_READS, CL_MEM_WRITE_ONLY},
      {"read_only", MPL_IMAGE_READS, CL_MEM_WRITE_ONLY},
      {"write_only", MPL_IMAGE_WRITES, CL_MEM_READ_ONLY},
      {"read_write", MPL_IMAGE_BOTH, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY},
  };
  unsigned access = kernel->kernel->args[index].access & 3;
  const cl_image_format format = {mem->image->channel_order, mem->image->channel_type};
  if (!(mem->flags & qualifiers[access].without) &&
      mpl_image_access(&format, mem->type) & qualifiers[access].access)
    return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_ARG_VALUE, "clSetKernelArg",
                    "argument %u of %s is %s: the flags or the format of the image do not allow "
                    "that",
                    index, kernel->kernel->name, qualifiers[access].name);
}

/* The object that an argument is set to, into `handle`: it is `what`, of the type named `type`. */
static cl_int take_handle(cl_kernel kernel, cl_uint index, size_t size, const void *value,
                          const char *what, const char *type, void *handle) {
  if (size != sizeof(void *))
    return mpl_refuse(CL_INVALID_ARG_SIZE, "clSetKernelArg",
                      "argument %u of %s is %s: size %zu, not sizeof(%s)", index,
                      kernel->kernel->name, what, size, type);
  if (value) memcpy(handle, value, size);
  return CL_SUCCESS;
}

static cl_int set_image(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  const struct mpl_arg *info = &kernel->kernel->args[index];
  cl_mem mem = NULL;
  cl_int error = take_handle(kernel, index, size, value, "an image", "cl_mem", &mem);
  if (error) return error;
  if (!mpl_valid(mem, MPL_MEM) || !mem->image || mem->context != kernel->program->context ||
      !image_has_type(mem, info))
    return mpl_refuse(CL_INVALID_MEM_OBJECT, "clSetKernelArg",
                      "argument %u of %s must be an image of its context with type %s", index,
                      kernel->kernel->name, info->type_name);
  error = check_access(kernel, index, mem);
  /* Where its pixels are, its first member, is known when it is enqueued. */
  if (!error) put(kernel, index, mem->image, (struct mpl_kernel_arg){.set = true, .mem = mem});
  return error;
}

static cl_int set_pipe(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_mem mem = NULL;
  cl_int error = take_handle(kernel, index, size, value, "a pipe", "cl_mem", &mem);
  if (error) return error;
  if (!mpl_valid(mem, MPL_MEM) || mem->type != CL_MEM_OBJECT_PIPE ||
      mem->context != kernel->program->context)
    return mpl_refuse(CL_INVALID_MEM_OBJECT, "clSetKernelArg",
                      "argument %u of %s must be a pipe of its context", index,
                      kernel->kernel->name);
  put(kernel, index, &mem->data, (struct mpl_kernel_arg){.set = true, .mem = mem});
  return CL_SUCCESS;
}

/* The kernel gets the handle, and hands it back (device_enqueue.c). */
static cl_int set_queue(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_command_queue queue = NULL;
  cl_int error = take_handle(kernel, index, size, value, "a queue", "cl_command_queue", &queue);
  if (error) return error;
  if (!mpl_valid(queue, MPL_QUEUE) || !mpl_is_on_device(queue) ||
      queue->context != kernel->program->context)
    return mpl_refuse(CL_INVALID_DEVICE_QUEUE, "clSetKernelArg",
                      "argument %u of %s must be a queue on a device of its context", index,
                      kernel->kernel->name);
  put(kernel, index, &queue, (struct mpl_kernel_arg){.set = true});
  return CL_SUCCESS;
}

static cl_int set_sampler(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_sampler sampler = NULL;
  cl_int error = take_handle(kernel, index, size, value, "a sampler", "cl_sampler", &sampler);
  if (error) return error;
  if (!mpl_valid(sampler, MPL_SAMPLER) || sampler->context != kernel->program->context)
    return mpl_refuse(CL_INVALID_SAMPLER, "clSetKernelArg",
                      "argument %u of %s must be a sampler of its context", index,
                      kernel->kernel->name);
  const uint64_t bits = mpl_sampler_bits(sampler);
  put(kernel, index, &bits, (struct mpl_kernel_arg){.set = true});
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  if (index >= kernel->kernel->num_args)
    return mpl_refuse(CL_INVALID_ARG_INDEX, __func__,
                      "%s has %u arguments: there is no argument %u", kernel->kernel->name,
                      kernel->kernel->num_args, index);
  switch (kernel->kernel->args[index].kind) {
  case MPL_ARG_POINTER:
    return set_pointer(kernel, index, size, value);
  case MPL_ARG_LOCAL:
    return set_local(kernel, index, size, value);
  case MPL_ARG_VALUE:
    return set_value(kernel, index, size, value);
  case MPL_ARG_IMAGE:
    return set_image(kernel, index, size, value);
  case MPL_ARG_PIPE:
    return set_pipe(kernel, index, size, value);
  case MPL_ARG_QUEUE:
    return set_queue(kernel, index, size, value);
  case MPL_ARG_SAMPLER:
    return set_sampler(kernel, index, size, value);
  default:
    return CL_INVALID_ARG_VALUE;
  }
}

static cl_int check_pointer(const char *function, cl_kernel kernel, cl_uint index) {
  if (index >= kernel->kernel->num_args)
    return mpl_refuse(CL_INVALID_ARG_INDEX, function,
                      "%s has %u arguments: there is no argument %u", kernel->kernel->name,
                      kernel->kernel->num_args, index);
  if (kernel->kernel->args[index].kind == MPL_ARG_POINTER) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_ARG_VALUE, function,
                    "argument %u of %s is not a global or constant pointer", index,
                    kernel->kernel->name);
}

/* cl_intel_unified_shared_memory 1.1: any pointer is good. */
cl_int CL_API_CALL clSetKernelArgMemPointerINTEL(cl_kernel kernel, cl_uint index,
                                                 const void *value) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  if (!mpl_usm_offered(kernel->program->context)) return CL_INVALID_OPERATION;
  cl_int error = check_pointer(__func__, kernel, index);
  if (!error) put(kernel, index, &value, (struct mpl_kernel_arg){.set = true, .is_svm = true});
  return error;
}

/* cl_ext_buffer_device_address: any value, of arguments that are pointers to global memory. */
cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(cl_kernel kernel, cl_uint index,
                                                  cl_mem_device_address_ext address) {
  enum { GLOBAL = 1 }; /* mpl_arg.address_space */
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  if (!mpl_addresses_fixed(kernel->program->context)) return CL_INVALID_OPERATION;
  cl_int error = check_pointer(__func__, kernel, index);
  if (error || kernel->kernel->args[index].address_space != GLOBAL) return CL_INVALID_ARG_INDEX;
  const void *value = (const void *)(uintptr_t)address;
  put(kernel, index, &value, (struct mpl_kernel_arg){.set = true, .is_svm = true});
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *value) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  if (!mpl_svm_offered(kernel->program->context)) return CL_INVALID_OPERATION;
  cl_int error = check_pointer(__func__, kernel, index);
  if (error) return error;
  /* Pointers of USM too, as other drivers take them: chipStar sets all its pointers so. */
  if (value && !mpl_address_is_shared(kernel->program->context, value))
    return mpl_refuse(CL_INVALID_ARG_VALUE, __func__,
                      "%p is not in an SVM or USM allocation of the context", value);
  put(kernel, index, &value, (struct mpl_kernel_arg){.set = true, .is_svm = true});
  return CL_SUCCESS;
}

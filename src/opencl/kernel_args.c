/* clSetKernelArg and clSetKernelArgSVMPointer. */
#include <string.h>

#include "program.h"
#include "svm.h"

static void put(cl_kernel kernel, cl_uint index, const void *value, struct mpl_kernel_arg arg) {
  const struct mpl_arg *info = &kernel->kernel->args[index];
  pthread_mutex_lock(&kernel->lock);
  memcpy(kernel->block + info->offset, value, info->size);
  kernel->args[index] = arg;
  pthread_mutex_unlock(&kernel->lock);
}

static cl_int set_pointer(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  cl_mem mem = NULL;
  if (size != sizeof mem)
    return mpl_refuse(CL_INVALID_ARG_SIZE, "clSetKernelArg",
                      "argument %u of %s is a pointer: size %zu, not sizeof(cl_mem)", index,
                      kernel->kernel->name, size);
  if (value) memcpy(&mem, value, sizeof mem);
  if (mem && (!mpl_valid(mem, MPL_MEM) || mem->context != kernel->program->context))
    return mpl_refuse(CL_INVALID_MEM_OBJECT, "clSetKernelArg",
                      "argument %u of %s: not a memory object of its context", index,
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
                      "argument %u (%s %s) of %s has %u bytes, not %zu", index, info->type_name,
                      info->name, kernel->kernel->name, info->size, size);
  put(kernel, index, value, (struct mpl_kernel_arg){.set = true});
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint index, size_t size, const void *value) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  if (index >= kernel->kernel->num_args)
    return mpl_refuse(CL_INVALID_ARG_INDEX, __func__, "%s has %u arguments, no %u",
                      kernel->kernel->name, kernel->kernel->num_args, index);
  switch (kernel->kernel->args[index].kind) {
  case MPL_ARG_POINTER:
    return set_pointer(kernel, index, size, value);
  case MPL_ARG_LOCAL:
    return set_local(kernel, index, size, value);
  case MPL_ARG_VALUE:
    return set_value(kernel, index, size, value);
  case MPL_ARG_IMAGE:
    return CL_INVALID_MEM_OBJECT; /* there are no images, samplers, pipes ... */
  case MPL_ARG_SAMPLER:
    return CL_INVALID_SAMPLER;
  default:
    return CL_INVALID_ARG_VALUE;
  }
}

cl_int CL_API_CALL clSetKernelArgSVMPointer(cl_kernel kernel, cl_uint index, const void *value) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  if (!mpl_svm_offered(kernel->program->context)) return CL_INVALID_OPERATION;
  if (index >= kernel->kernel->num_args) return CL_INVALID_ARG_INDEX;
  if (kernel->kernel->args[index].kind != MPL_ARG_POINTER)
    return mpl_refuse(CL_INVALID_ARG_VALUE, __func__,
                      "argument %u of %s is no global or constant pointer", index,
                      kernel->kernel->name);
  if (value && !mpl_svm_find(kernel->program->context, value, 1))
    return mpl_refuse(CL_INVALID_ARG_VALUE, __func__, "%p is in no SVM allocation of the context",
                      value);
  put(kernel, index, &value, (struct mpl_kernel_arg){.set = true, .is_svm = true});
  return CL_SUCCESS;
}

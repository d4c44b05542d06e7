/* Kernels: making, cloning, counting; execution info. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl/memory/addresses.h"
#include "opencl/memory/svm.h"
#include "program.h"
#include "runtime/device.h"
#include "runtime/threads/apart.h"

static const struct mpl_kernel *find(const struct mpl_object *object, const char *name) {
  for (uint32_t i = 0; i < object->num_kernels; i++)
    if (!strcmp(object->kernels[i].name, name)) return &object->kernels[i];
  return NULL;
}

static bool same_arguments(const struct mpl_kernel *a, const struct mpl_kernel *b) {
  bool same = a->num_args == b->num_args;
  for (uint32_t i = 0; same && i < a->num_args; i++)
    same = a->args[i].kind == b->args[i].kind && a->args[i].size == b->args[i].size;
  return same;
}

/* With the program's lock held: the kernel in the builds that can run, the first of them also as
 * its description.  False if none has it, or one has it with other arguments. */
static bool find_all(cl_program program, const char *name, cl_kernel kernel) {
  for (cl_uint i = 0; i < program->num_devices; i++) {
    const struct mpl_build *build = &program->builds[i];
    if (!build->object || build->status != CL_BUILD_SUCCESS) continue;
    const struct mpl_kernel *found = kernel->on[i] = find(build->object, name);
    if (!found || (kernel->kernel && !same_arguments(found, kernel->kernel))) return false;
    if (!kernel->kernel) kernel->kernel = found;
  }
  return kernel->kernel;
}

const struct mpl_kernel *mpl_kernel_on(cl_kernel kernel, cl_device_id device) {
  for (cl_uint i = 0; i < kernel->program->num_devices; i++)
    if (kernel->program->devices[i] == device) return kernel->on[i];
  return NULL;
}

const struct mpl_kernel *mpl_kernel_filter(cl_kernel kernel, cl_device_id device) {
  const struct mpl_build *build = mpl_program_build(kernel->program, device);
  if (!build || !build->filters) return NULL;
  const struct mpl_object *object = device->device->ops->table(build->filters);
  for (uint32_t i = 0; i < object->num_kernels; i++)
    if (!strcmp(object->kernels[i].name, kernel->kernel->name)) return &object->kernels[i];
  return NULL;
}

static void free_memory(cl_kernel kernel) {
  free(kernel->on);
  free(kernel->block);
  free(kernel->args);
  free(kernel->addresses);
}

/* With the program's lock held.  The program is retained and counts the kernel. */
static cl_kernel new_kernel(cl_program program, const char *name, cl_int *error) {
  cl_kernel kernel = mpl_allocate_apart(sizeof *kernel);
  *error = CL_OUT_OF_HOST_MEMORY;
  if (!kernel) return NULL;
  kernel->on = calloc(program->num_devices, sizeof *kernel->on);
  bool found = kernel->on && find_all(program, name, kernel);
  if (found) {
    kernel->block = calloc(1, kernel->kernel->args_size + 1);
    kernel->args = calloc(kernel->kernel->num_args + 1, sizeof *kernel->args);
  } else if (kernel->on) {
    *error = kernel->kernel ? CL_INVALID_KERNEL_DEFINITION : CL_INVALID_KERNEL_NAME;
  }
  if (!kernel->block || !kernel->args) {
    free_memory(kernel);
    free(kernel);
    return NULL;
  }
  mpl_base_init(&kernel->base, MPL_KERNEL);
  pthread_mutex_init(&kernel->lock, NULL);
  kernel->program = program;
  clRetainProgram(program);
  atomic_fetch_add(&program->num_kernels, 1);
  *error = CL_SUCCESS;
  return kernel;
}

static void destroy(cl_kernel kernel) {
  cl_program program = kernel->program;
  pthread_mutex_destroy(&kernel->lock);
  free_memory(kernel);
  mpl_object_free(kernel);
  atomic_fetch_sub(&program->num_kernels, 1);
  clReleaseProgram(program);
}

/* The compiler's reason for leaving a kernel out (compiler/source/find.c), or null. */
static const char *why_left_out(cl_program program, const char *name, int *length) {
  char text[160];
  const char *log = mpl_program_executable(program)->log;
  snprintf(text, sizeof text, "kernel '%.120s' is left out", name);
  const char *at = log ? strstr(log, text) : NULL;
  if (at) *length = (int)strcspn(at, "\n");
  return at;
}

static cl_kernel make_kernel(cl_program program, const char *name, cl_int *error) {
  *error = CL_INVALID_PROGRAM_EXECUTABLE;
  if (!mpl_program_executable(program)) return NULL;
  cl_kernel kernel = new_kernel(program, name, error);
  int length;
  const char *why = *error == CL_INVALID_KERNEL_NAME ? why_left_out(program, name, &length) : NULL;
  if (why)
    mpl_refuse(*error, "clCreateKernel", "%.*s", length, why);
  else if (*error == CL_INVALID_KERNEL_NAME)
    mpl_refuse(*error, "clCreateKernel", "the program has no kernel '%s'", name);
  return kernel;
}

cl_kernel CL_API_CALL clCreateKernel(cl_program program, const char *name, cl_int *errcode_ret) {
  if (!mpl_valid(program, MPL_PROGRAM)) return mpl_give(NULL, CL_INVALID_PROGRAM, errcode_ret);
  if (!name) return mpl_give(NULL, CL_INVALID_VALUE, errcode_ret);
  cl_int error;
  mpl_lock(&program->lock);
  cl_kernel kernel = make_kernel(program, name, &error);
  mpl_unlock(&program->lock);
  return mpl_give(kernel, error, errcode_ret);
}

static cl_int make_kernels(cl_program program, cl_uint num_kernels, cl_kernel *kernels,
                           cl_uint *num_ret) {
  const struct mpl_build *build = mpl_program_executable(program);
  if (!build) return CL_INVALID_PROGRAM_EXECUTABLE;
  const struct mpl_object *object = build->object;
  if (kernels && num_kernels < object->num_kernels) return CL_INVALID_VALUE;
  for (uint32_t i = 0; kernels && i < object->num_kernels; i++) {
    cl_int error;
    kernels[i] = new_kernel(program, object->kernels[i].name, &error);
    if (kernels[i]) continue;
    while (i) destroy(kernels[--i]);
    return error;
  }
  if (num_ret) *num_ret = object->num_kernels;
  return CL_SUCCESS;
}

cl_int CL_API_CALL clCreateKernelsInProgram(cl_program program, cl_uint num_kernels,
                                            cl_kernel *kernels, cl_uint *num_ret) {
  if (!mpl_valid(program, MPL_PROGRAM)) return CL_INVALID_PROGRAM;
  mpl_lock(&program->lock);
  cl_int error = make_kernels(program, num_kernels, kernels, num_ret);
  mpl_unlock(&program->lock);
  return error;
}

MPL_RETAIN(clRetainKernel, cl_kernel, MPL_KERNEL, CL_INVALID_KERNEL)
MPL_RELEASE(clReleaseKernel, cl_kernel, MPL_KERNEL, CL_INVALID_KERNEL, destroy)

/* The kernel keeps a copy. */
static cl_int set_addresses(cl_kernel kernel, size_t size, const void *addresses) {
  cl_ulong *copy = size ? malloc(size) : NULL;
  if (size && !copy) return CL_OUT_OF_HOST_MEMORY;
  if (size) memcpy(copy, addresses, size);
  mpl_lock(&kernel->lock);
  free(kernel->addresses);
  kernel->addresses = copy;
  kernel->num_addresses = size / sizeof *copy;
  mpl_unlock(&kernel->lock);
  return CL_SUCCESS;
}

cl_kernel CL_API_CALL clCloneKernel(cl_kernel source, cl_int *errcode_ret) {
  if (!mpl_valid(source, MPL_KERNEL)) return mpl_give(NULL, CL_INVALID_KERNEL, errcode_ret);
  cl_program program = source->program;
  mpl_lock(&program->lock);
  cl_int error;
  cl_kernel kernel = new_kernel(program, source->kernel->name, &error);
  mpl_unlock(&program->lock);
  if (!kernel) return mpl_give(NULL, error, errcode_ret);
  mpl_lock(&source->lock);
  memcpy(kernel->block, source->block, source->kernel->args_size);
  memcpy(kernel->args, source->args, source->kernel->num_args * sizeof *kernel->args);
  error =
      set_addresses(kernel, source->num_addresses * sizeof *source->addresses, source->addresses);
  mpl_unlock(&source->lock);
  if (error) {
    clReleaseKernel(kernel);
    return mpl_give(NULL, error, errcode_ret);
  }
  return mpl_give(kernel, CL_SUCCESS, errcode_ret);
}

/* Every allocation is reachable by every kernel: the pointers are checked and need no keeping.
 * Size 0 with a null list takes back the pointers set before. */
static cl_int check_pointers(cl_kernel kernel, size_t size, void *const *pointers) {
  if (!mpl_svm_offered(kernel->program->context)) return CL_INVALID_OPERATION;
  if (!size != !pointers || size % sizeof *pointers) return CL_INVALID_VALUE;
  for (size_t i = 0; i < size / sizeof *pointers; i++)
    if (pointers[i] && !mpl_svm_find(kernel->program->context, pointers[i], 1))
      return mpl_refuse(CL_INVALID_VALUE, "clSetKernelExecInfo",
                        "%p is not in an SVM allocation of the context", pointers[i]);
  return CL_SUCCESS;
}

static cl_int set_exec_info(cl_kernel kernel, cl_kernel_exec_info param_name, size_t size,
                            const void *value) {
  cl_bool wanted;
  switch (param_name) {
  case CL_KERNEL_EXEC_INFO_SVM_PTRS:
    return check_pointers(kernel, size, value);
  case CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT:
    if (!mpl_addresses_fixed(kernel->program->context)) return CL_INVALID_OPERATION;
    return (size && !value) || size % sizeof *kernel->addresses
               ? CL_INVALID_VALUE
               : set_addresses(kernel, size, value);
  case CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL: /* any, as the pointers of arguments */
    if (!mpl_usm_offered(kernel->program->context)) return CL_INVALID_OPERATION;
    return !size != !value || size % sizeof(void *) ? CL_INVALID_VALUE : CL_SUCCESS;
  case CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL:
  case CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL:
    if (!mpl_usm_offered(kernel->program->context)) return CL_INVALID_OPERATION;
    return !value || size != sizeof wanted ? CL_INVALID_VALUE : CL_SUCCESS;
  case CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM:
    if (!value || size != sizeof wanted) return CL_INVALID_VALUE;
    memcpy(&wanted, value, sizeof wanted);
    return wanted ? CL_INVALID_OPERATION : CL_SUCCESS; /* not among CL_DEVICE_SVM_CAPABILITIES */
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clSetKernelExecInfo(cl_kernel kernel, cl_kernel_exec_info param_name,
                                       size_t size, const void *value) {
  if (!mpl_valid(kernel, MPL_KERNEL)) return CL_INVALID_KERNEL;
  cl_int error = set_exec_info(kernel, param_name, size, value);
  if (!error) atomic_store(&kernel->is_indirect, true);
  return error;
}

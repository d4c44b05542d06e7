/* clGetProgramInfo and clGetProgramBuildInfo. */
#include <stdlib.h>
#include <string.h>

#include "program.h"

static cl_int answer_binary_sizes(cl_program program, size_t size, void *value, size_t *size_ret) {
  size_t *sizes = malloc(program->num_devices * sizeof *sizes);
  if (!sizes) return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < program->num_devices; i++) sizes[i] = program->builds[i].binary.size;
  cl_int error = mpl_answer(sizes, program->num_devices * sizeof *sizes, size, value, size_ret);
  free(sizes);
  return error;
}

/* The value is an array of places to copy to; a null one is skipped. */
static cl_int answer_binaries(cl_program program, size_t size, void *value, size_t *size_ret) {
  size_t needed = program->num_devices * sizeof(unsigned char *);
  if (value && size < needed) return CL_INVALID_VALUE;
  unsigned char **places = value;
  for (cl_uint i = 0; places && i < program->num_devices; i++) {
    const struct mpl_container *binary = &program->builds[i].binary;
    if (places[i] && binary->data) memcpy(places[i], binary->data, binary->size);
  }
  if (size_ret) *size_ret = needed;
  return CL_SUCCESS;
}

static cl_int answer_kernels(cl_program program, cl_program_info param_name, size_t size,
                             void *value, size_t *size_ret) {
  const struct mpl_build *build = mpl_program_executable(program);
  if (!build) return CL_INVALID_PROGRAM_EXECUTABLE;
  const struct mpl_object *object = build->object;
  if (param_name == CL_PROGRAM_NUM_KERNELS)
    return mpl_answer(&(size_t){object->num_kernels}, sizeof(size_t), size, value, size_ret);
  size_t length = 1;
  for (uint32_t i = 0; i < object->num_kernels; i++) length += strlen(object->kernels[i].name) + 1;
  char *names = calloc(1, length), *end = names;
  if (!names) return CL_OUT_OF_HOST_MEMORY;
  for (uint32_t i = 0; i < object->num_kernels; i++) {
    if (i) *end++ = ';';
    end = stpcpy(end, object->kernels[i].name);
  }
  cl_int error = mpl_answer_text(names, size, value, size_ret);
  free(names);
  return error;
}

static cl_int answer_lifetime(cl_program program, cl_program_info param_name, size_t size,
                              void *value, size_t *size_ret) {
  const struct mpl_build *build = mpl_program_executable(program);
  if (!build) return CL_INVALID_PROGRAM_EXECUTABLE;
  bool constructs = param_name == CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT;
  const struct mpl_object *object = build->object;
  cl_bool present = (constructs ? object->construct : object->destruct) != NULL;
  return mpl_answer(&present, sizeof present, size, value, size_ret);
}

static cl_int answer_info(cl_program program, cl_program_info param_name, size_t size, void *value,
                          size_t *size_ret) {
  switch (param_name) {
    MPL_QUERY(CL_PROGRAM_REFERENCE_COUNT, cl_uint, atomic_load(&program->base.refs))
    MPL_QUERY(CL_PROGRAM_CONTEXT, cl_context, program->context)
    MPL_QUERY(CL_PROGRAM_NUM_DEVICES, cl_uint, program->num_devices)
    MPL_QUERY_ARRAY(CL_PROGRAM_DEVICES, cl_device_id, program->num_devices, program->devices)
    MPL_QUERY_TEXT(CL_PROGRAM_SOURCE, program->source)
    MPL_QUERY_ARRAY(CL_PROGRAM_IL, char, program->il_size, program->il)
  case CL_PROGRAM_BINARY_SIZES:
    return answer_binary_sizes(program, size, value, size_ret);
  case CL_PROGRAM_BINARIES:
    return answer_binaries(program, size, value, size_ret);
  case CL_PROGRAM_NUM_KERNELS:
  case CL_PROGRAM_KERNEL_NAMES:
    return answer_kernels(program, param_name, size, value, size_ret);
  case CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT:
  case CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT:
    return answer_lifetime(program, param_name, size, value, size_ret);
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetProgramInfo(cl_program program, cl_program_info param_name, size_t size,
                                    void *value, size_t *size_ret) {
  if (!mpl_valid(program, MPL_PROGRAM)) return CL_INVALID_PROGRAM;
  mpl_lock(&program->lock);
  cl_int error = answer_info(program, param_name, size, value, size_ret);
  mpl_unlock(&program->lock);
  return error;
}

static cl_int answer_build(const struct mpl_build *build, cl_program_build_info param_name,
                           size_t size, void *value, size_t *size_ret) {
  switch (param_name) {
    MPL_QUERY(CL_PROGRAM_BUILD_STATUS, cl_build_status, build->status)
    MPL_QUERY_TEXT(CL_PROGRAM_BUILD_OPTIONS, build->options)
    MPL_QUERY_TEXT(CL_PROGRAM_BUILD_LOG, build->log)
    MPL_QUERY(CL_PROGRAM_BINARY_TYPE, cl_program_binary_type, build->binary.holds.kind)
    MPL_QUERY(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, size_t,
              build->object ? build->object->globals_size : 0)
  default:
    return CL_INVALID_VALUE;
  }
}

cl_int CL_API_CALL clGetProgramBuildInfo(cl_program program, cl_device_id device,
                                         cl_program_build_info param_name, size_t size, void *value,
                                         size_t *size_ret) {
  if (!mpl_valid(program, MPL_PROGRAM)) return CL_INVALID_PROGRAM;
  if (!mpl_valid(device, MPL_DEVICE)) return CL_INVALID_DEVICE;
  mpl_lock(&program->lock);
  mpl_program_note_fork(program);
  const struct mpl_build *build = mpl_program_build(program, device);
  cl_int error = build ? answer_build(build, param_name, size, value, size_ret) : CL_INVALID_DEVICE;
  mpl_unlock(&program->lock);
  return error;
}

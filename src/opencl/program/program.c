/* Programs: making, counting and asking them. */
#include "program.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/device.h"

cl_program mpl_program_new(cl_context context, cl_uint num_devices, const cl_device_id *devices) {
  cl_program program = calloc(1, sizeof *program);
  if (!program) return NULL;
  program->devices = malloc(num_devices * sizeof *devices);
  program->builds = calloc(num_devices, sizeof *program->builds);
  if (!program->devices || !program->builds) {
    free(program->devices);
    free(program->builds);
    free(program);
    return NULL;
  }
  mpl_base_init(&program->base, MPL_PROGRAM);
  pthread_mutex_init(&program->lock, NULL);
  pthread_mutex_init(&program->building, NULL);
  memcpy(program->devices, devices, num_devices * sizeof *devices);
  program->num_devices = num_devices;
  for (cl_uint i = 0; i < num_devices; i++) program->builds[i].status = CL_BUILD_NONE;
  program->context = context;
  program->forks = mpl_generation();
  clRetainContext(context);
  return program;
}

struct mpl_build *mpl_program_build(cl_program program, cl_device_id device) {
  for (cl_uint i = 0; i < program->num_devices; i++)
    if (program->devices[i] == device) return &program->builds[i];
  return NULL;
}

/* Who held `building` is not here. */
void mpl_program_note_fork(cl_program program) {
  if (program->forks == mpl_generation()) return;
  program->forks = mpl_generation();
  pthread_mutex_init(&program->building, NULL);
  for (cl_uint i = 0; i < program->num_devices; i++)
    if (program->builds[i].status == CL_BUILD_IN_PROGRESS)
      program->builds[i].status = CL_BUILD_ERROR;
}

void mpl_program_lock_building(cl_program program) {
  mpl_lock(&program->lock);
  mpl_program_note_fork(program);
  mpl_unlock(&program->lock);
  pthread_mutex_lock(&program->building);
}

struct mpl_build *mpl_program_executable(cl_program program) {
  for (cl_uint i = 0; i < program->num_devices; i++)
    if (program->builds[i].object && program->builds[i].status == CL_BUILD_SUCCESS)
      return &program->builds[i];
  return NULL;
}

void mpl_build_clear(cl_program program, cl_uint index) {
  struct mpl_build *build = &program->builds[index], *heir = NULL;
  for (cl_uint i = 0; build->module && i < program->num_devices; i++)
    if (i != index && program->builds[i].module == build->module) heir = &program->builds[i];
  if (build->module && !build->shares_module) {
    if (heir)
      heir->shares_module = false;
    else
      mpl_program_unload(program->devices[index]->device, build->module);
  }
  if (build->filters) program->devices[index]->device->ops->unload(build->filters);
  free(build->binary.data);
  free(build->log);
  free(build->options);
  *build = (struct mpl_build){.status = CL_BUILD_NONE};
}

static void destroy(cl_program program) {
  for (cl_uint i = program->num_devices; i--;) mpl_build_clear(program, i);
  pthread_mutex_destroy(&program->lock);
  pthread_mutex_destroy(&program->building);
  free(program->builds);
  free(program->devices);
  free(program->source);
  free(program->il);
  free(program->constants);
  clReleaseContext(program->context);
  mpl_object_free(program);
}

cl_program CL_API_CALL clCreateProgramWithSource(cl_context context, cl_uint count,
                                                 const char **strings, const size_t *lengths,
                                                 cl_int *errcode_ret) {
  if (!mpl_valid(context, MPL_CONTEXT)) return mpl_give(NULL, CL_INVALID_CONTEXT, errcode_ret);
  if (!count || !strings) return mpl_give(NULL, CL_INVALID_VALUE, errcode_ret);
  size_t size = 0;
  for (cl_uint i = 0; i < count; i++) {
    if (!strings[i]) return mpl_give(NULL, CL_INVALID_VALUE, errcode_ret);
    size += lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
  }
  cl_program program = mpl_program_new(context, context->num_devices, context->devices);
  if (program) program->source = malloc(size + 1);
  if (!program || !program->source) {
    if (program) destroy(program);
    return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  }
  for (cl_uint i = 0; i < count; i++) {
    size_t length = lengths && lengths[i] ? lengths[i] : strlen(strings[i]);
    memcpy(program->source + program->source_size, strings[i], length);
    program->source_size += length;
  }
  program->source[size] = 0;
  return mpl_give(program, CL_SUCCESS, errcode_ret);
}

/* Looks at one binary and keeps a copy of a good one. */
static cl_int take_binary(cl_device_id device, const unsigned char *data, size_t size,
                          struct mpl_build *build) {
  struct mpl_container theirs = {(void *)data, size, {0}};
  const char *why;
  if (!data || !size) return CL_INVALID_VALUE;
  if (!mpl_binary_unpack(data, size, device->device->info.target, &theirs.holds, &why))
    return mpl_refuse(CL_INVALID_BINARY, "clCreateProgramWithBinary", "%s", why);
  return mpl_container_copy(&theirs, &build->binary) ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
}

cl_program CL_API_CALL clCreateProgramWithBinary(cl_context context, cl_uint num_devices,
                                                 const cl_device_id *devices, const size_t *lengths,
                                                 const unsigned char **binaries,
                                                 cl_int *binary_status, cl_int *errcode_ret) {
  if (!mpl_valid(context, MPL_CONTEXT)) return mpl_give(NULL, CL_INVALID_CONTEXT, errcode_ret);
  if (!num_devices || !devices || !lengths || !binaries)
    return mpl_give(NULL, CL_INVALID_VALUE, errcode_ret);
  for (cl_uint i = 0; i < num_devices; i++)
    if (!mpl_valid(devices[i], MPL_DEVICE) || !mpl_context_has(context, devices[i]))
      return mpl_give(NULL, CL_INVALID_DEVICE, errcode_ret);
  cl_program program = mpl_program_new(context, num_devices, devices);
  if (!program) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  cl_int result = CL_SUCCESS;
  for (cl_uint i = 0; i < num_devices; i++) {
    cl_int error = take_binary(devices[i], binaries[i], lengths[i], &program->builds[i]);
    if (binary_status) binary_status[i] = error;
    if (error && !result) result = error;
  }
  if (result) {
    destroy(program);
    return mpl_give(NULL, result, errcode_ret);
  }
  return mpl_give(program, CL_SUCCESS, errcode_ret);
}

MPL_RETAIN(clRetainProgram, cl_program, MPL_PROGRAM, CL_INVALID_PROGRAM)
MPL_RELEASE(clReleaseProgram, cl_program, MPL_PROGRAM, CL_INVALID_PROGRAM, destroy)

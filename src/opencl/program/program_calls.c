/* clBuildProgram, clCompileProgram, clLinkProgram: their checks (OpenCL 3.0, sections 5.8.2 to
 * 5.8.4); the work is in program_build.c. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "program_build.h"

typedef void(CL_CALLBACK *notify_fn)(cl_program, void *);

static cl_int check_call(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                         notify_fn notify, void *user_data) {
  if (!mpl_valid(program, MPL_PROGRAM)) return CL_INVALID_PROGRAM;
  if (!devices != !num_devices || (!notify && user_data)) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < num_devices; i++)
    if (!mpl_valid(devices[i], MPL_DEVICE) || !mpl_program_build(program, devices[i]))
      return CL_INVALID_DEVICE;
  return CL_SUCCESS;
}

/* Without source there must be binaries for the devices asked for. */
static cl_int check_binaries(cl_program program, cl_uint num_devices, const cl_device_id *devices) {
  if (mpl_program_has_code(program)) return CL_SUCCESS;
  if (!devices) num_devices = program->num_devices;
  cl_int error = CL_SUCCESS;
  mpl_lock(&program->lock);
  for (cl_uint i = 0; i < num_devices; i++)
    if (!mpl_program_build(program, devices ? devices[i] : program->devices[i])->binary.data)
      error = CL_INVALID_BINARY;
  mpl_unlock(&program->lock);
  return error;
}

/* The sentence goes to the build log too, where people look; a build that is there stays. */
static cl_int refuse_options(cl_int code, const char *function, cl_program program,
                             const char *why) {
  mpl_lock(&program->lock);
  for (cl_uint i = 0; i < program->num_devices; i++) {
    char *log;
    if (asprintf(&log, "%s\n", why) < 0) continue;
    free(program->builds[i].log);
    program->builds[i].log = log;
  }
  mpl_unlock(&program->lock);
  return mpl_refuse(code, function, "%s", why);
}

cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint num_devices,
                                  const cl_device_id *devices, const char *options,
                                  notify_fn notify, void *user_data) {
  char why[256];
  struct mpl_options_meaning meaning;
  cl_int error = check_call(program, num_devices, devices, notify, user_data);
  if (!error) error = check_binaries(program, num_devices, devices);
  if (error) return error;
  if (!options) options = "";
  if (!mpl_options_read(options, MPL_FOR_BUILD, &meaning, why))
    return refuse_options(CL_INVALID_BUILD_OPTIONS, __func__, program, why);
  struct mpl_build_request request = {.function = __func__,
                                      .options = options,
                                      .options_for = MPL_FOR_BUILD,
                                      .failure = CL_BUILD_PROGRAM_FAILURE,
                                      .kind = MPL_BINARY_EXECUTABLE};
  return mpl_program_run_build(program, num_devices, devices, &request, notify, user_data);
}

/* Embedded headers are programs with source. */
static cl_int take_headers(cl_uint count, const cl_program *programs, const char **names,
                           struct mpl_header **out) {
  *out = NULL;
  if (!count != !programs || !count != !names) return CL_INVALID_VALUE;
  if (!count) return CL_SUCCESS;
  for (cl_uint i = 0; i < count; i++) {
    if (!mpl_valid(programs[i], MPL_PROGRAM)) return CL_INVALID_PROGRAM;
    if (!names[i] || !programs[i]->source) return CL_INVALID_VALUE;
  }
  *out = calloc(count, sizeof **out);
  if (!*out) return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < count; i++)
    (*out)[i] = (struct mpl_header){names[i], programs[i]->source, programs[i]->source_size};
  return CL_SUCCESS;
}

cl_int CL_API_CALL clCompileProgram(cl_program program, cl_uint num_devices,
                                    const cl_device_id *devices, const char *options,
                                    cl_uint num_headers, const cl_program *headers,
                                    const char **names, notify_fn notify, void *user_data) {
  char why[256];
  struct mpl_options_meaning meaning;
  struct mpl_header *list;
  cl_int error = check_call(program, num_devices, devices, notify, user_data);
  if (!error && !mpl_program_has_code(program))
    error = mpl_refuse(CL_INVALID_OPERATION, __func__, "the program has neither source nor SPIR-V");
  if (error) return error;
  if (!options) options = "";
  if (!mpl_options_read(options, MPL_FOR_COMPILE, &meaning, why))
    return refuse_options(CL_INVALID_COMPILER_OPTIONS, __func__, program, why);
  error = take_headers(num_headers, headers, names, &list);
  if (error) return error;
  struct mpl_build_request request = {.function = __func__,
                                      .options = options,
                                      .options_for = MPL_FOR_COMPILE,
                                      .failure = CL_COMPILE_PROGRAM_FAILURE,
                                      .kind = MPL_BINARY_COMPILED,
                                      .headers = list,
                                      .num_headers = num_headers};
  error = mpl_program_run_build(program, num_devices, devices, &request, notify, user_data);
  free(list);
  return error;
}

static bool linkable(cl_program program, cl_device_id device) {
  mpl_lock(&program->lock);
  const struct mpl_build *build = mpl_program_build(program, device);
  bool good = build && mpl_build_links(build);
  mpl_unlock(&program->lock);
  return good;
}

static cl_int check_inputs(cl_context context, cl_uint num_devices, const cl_device_id *devices,
                           cl_uint count, const cl_program *inputs) {
  if (!count || !inputs) return CL_INVALID_VALUE;
  for (cl_uint i = 0; i < count; i++)
    if (!mpl_valid(inputs[i], MPL_PROGRAM) || inputs[i]->context != context)
      return CL_INVALID_PROGRAM;
  for (cl_uint i = 0; i < num_devices; i++)
    for (cl_uint j = 0; j < count; j++)
      if (!linkable(inputs[j], devices[i]))
        return mpl_refuse(CL_INVALID_OPERATION, "clLinkProgram",
                          "input program %u is not compiled for device %u: clCompileProgram does "
                          "that",
                          j, i);
  return CL_SUCCESS;
}

cl_program CL_API_CALL clLinkProgram(cl_context context, cl_uint num_devices,
                                     const cl_device_id *devices, const char *options,
                                     cl_uint num_inputs, const cl_program *inputs, notify_fn notify,
                                     void *user_data, cl_int *errcode_ret) {
  char why[256];
  struct mpl_options_meaning meaning;
  if (!mpl_valid(context, MPL_CONTEXT)) return mpl_give(NULL, CL_INVALID_CONTEXT, errcode_ret);
  if (!devices != !num_devices || (!notify && user_data))
    return mpl_give(NULL, CL_INVALID_VALUE, errcode_ret);
  for (cl_uint i = 0; i < num_devices; i++)
    if (!mpl_valid(devices[i], MPL_DEVICE) || !mpl_context_has(context, devices[i]))
      return mpl_give(NULL, CL_INVALID_DEVICE, errcode_ret);
  if (!devices) {
    num_devices = context->num_devices;
    devices = context->devices;
  }
  cl_int error = check_inputs(context, num_devices, devices, num_inputs, inputs);
  if (error) return mpl_give(NULL, error, errcode_ret);
  if (!options) options = "";
  if (!mpl_options_read(options, MPL_FOR_LINK, &meaning, why))
    return mpl_give(NULL, mpl_refuse(CL_INVALID_LINKER_OPTIONS, __func__, "%s", why), errcode_ret);
  cl_program program = mpl_program_new(context, num_devices, devices);
  if (!program) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  struct mpl_build_request request = {.function = __func__,
                                      .options = options,
                                      .options_for = MPL_FOR_LINK,
                                      .failure = CL_LINK_PROGRAM_FAILURE,
                                      .kind = meaning.create_library ? MPL_BINARY_LIBRARY
                                                                     : MPL_BINARY_EXECUTABLE,
                                      .inputs = inputs,
                                      .num_inputs = num_inputs};
  error = mpl_program_run_build(program, 0, NULL, &request, notify, user_data);
  /* A program that failed to link is returned all the same: it has the log. */
  return mpl_give(program, error, errcode_ret);
}

/* Builds a program for its devices.
 *
 * Builds of one program happen one after another, under `building`.  The program changes at their
 * end, under `lock`, so an earlier build stays usable until then, and two threads that build a
 * program at once both find it built. */
#include "program_build.h"

#include <stdlib.h>
#include <string.h>

#include "build_device.h"
#include "runtime/device.h"

/* The result of a build for one device, before it is installed. */
struct outcome {
  cl_int error;
  struct mpl_build build;
};

/* Devices of one target run the same code: sub-devices of one processor, say.  One with memory of
 * its own has to load it there. */
static const struct outcome *same_target(cl_program program, cl_uint index,
                                         const struct outcome *outcomes, const bool *wanted) {
  const char *target = program->devices[index]->device->info.target;
  if (!mpl_program_has_code(program)) return NULL; /* each device may have another binary */
  for (cl_uint i = 0; i < index; i++)
    if (wanted[i] && !strcmp(target, program->devices[i]->device->info.target))
      return &outcomes[i];
  return NULL;
}

static void build_one(cl_program program, cl_uint index, const struct mpl_build_request *request,
                      const bool *wanted, struct outcome *outcomes) {
  struct outcome *out = &outcomes[index];
  const struct outcome *other = same_target(program, index, outcomes, wanted);
  if (other)
    out->error = mpl_build_share(program->devices[index]->device, request, &other->build,
                                 other->error, &out->build);
  else
    out->error = mpl_build_device(program, index, request, &out->build);
}

/* Of a failed build only the log stays. */
static void install(cl_program program, cl_uint index, const char *options, struct outcome *out) {
  struct mpl_build *build = &out->build;
  if (out->error) {
    free(build->binary.data);
    *build = (struct mpl_build){.log = build->log};
  }
  build->status = out->error ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
  build->options = strdup(options);
  mpl_build_clear(program, index);
  program->builds[index] = *build;
}

static void discard(struct mpl_device *device, struct mpl_build *build) {
  if (build->module && !build->shares_module) mpl_program_unload(device, build->module);
  if (build->filters) device->ops->unload(build->filters);
  free(build->binary.data);
  free(build->log);
}

static bool built_alike(cl_program program, const bool *wanted,
                        const struct mpl_build_request *request) {
  for (cl_uint i = 0; i < program->num_devices; i++) {
    const struct mpl_build *build = &program->builds[i];
    if (wanted[i] &&
        (build->status != CL_BUILD_SUCCESS || build->binary.holds.kind != request->kind ||
         !build->options || strcmp(build->options, request->options)))
      return false;
  }
  return true;
}

enum start { START, DONE_BY_ANOTHER, REFUSED };

static enum start start_build(cl_program program, const bool *wanted,
                              const struct mpl_build_request *request) {
  mpl_lock(&program->lock);
  unsigned seen = program->generation;
  mpl_unlock(&program->lock);
  mpl_program_lock_building(program);
  mpl_lock(&program->lock);
  enum start answer = START;
  if (program->generation != seen && built_alike(program, wanted, request))
    answer = DONE_BY_ANOTHER;
  else if (atomic_load(&program->num_kernels))
    answer = REFUSED;
  for (cl_uint i = 0; answer == START && i < program->num_devices; i++)
    if (wanted[i] && !program->builds[i].object) program->builds[i].status = CL_BUILD_IN_PROGRESS;
  mpl_unlock(&program->lock);
  if (answer != START) pthread_mutex_unlock(&program->building);
  return answer;
}

static cl_int end_build(cl_program program, const bool *wanted,
                        const struct mpl_build_request *request, struct outcome *outcomes) {
  cl_int error = CL_SUCCESS;
  mpl_lock(&program->lock);
  /* A kernel made meanwhile belongs to the build before this one: that stays. */
  bool keep_old = atomic_load(&program->num_kernels) != 0;
  for (cl_uint i = 0; i < program->num_devices; i++) {
    if (!wanted[i]) continue;
    if (outcomes[i].error && !error) error = outcomes[i].error;
    if (!keep_old) install(program, i, request->options, &outcomes[i]);
  }
  for (cl_uint i = 0; keep_old && i < program->num_devices; i++)
    if (wanted[i]) discard(program->devices[i]->device, &outcomes[i].build);
  program->generation++;
  mpl_unlock(&program->lock);
  pthread_mutex_unlock(&program->building);
  return error;
}

static cl_int build_wanted(cl_program program, const bool *wanted, struct outcome *outcomes,
                           const struct mpl_build_request *request) {
  switch (start_build(program, wanted, request)) {
  case DONE_BY_ANOTHER:
    return CL_SUCCESS;
  case REFUSED:
    return mpl_refuse(CL_INVALID_OPERATION, request->function,
                      "the program has kernels: release them first");
  case START:
    break;
  }
  for (cl_uint i = 0; i < program->num_devices; i++)
    if (wanted[i]) build_one(program, i, request, wanted, outcomes);
  return end_build(program, wanted, request, outcomes);
}

/* A build for a device is one for its sub-devices too: programs that partition a device count on
 * that, and the conformance tests with them. */
static void want_sub_devices(cl_program program, bool *wanted) {
  for (cl_uint i = 0; i < program->num_devices; i++)
    for (cl_device_id above = program->devices[i]->parent; above && !wanted[i];
         above = above->parent) {
      const struct mpl_build *build = mpl_program_build(program, above);
      if (build) wanted[i] = wanted[build - program->builds];
    }
}

cl_int mpl_program_run_build(cl_program program, cl_uint num_devices, const cl_device_id *devices,
                             const struct mpl_build_request *request,
                             void(CL_CALLBACK *notify)(cl_program, void *), void *user_data) {
  bool *wanted = calloc(program->num_devices, sizeof *wanted);
  struct outcome *outcomes = calloc(program->num_devices, sizeof *outcomes);
  cl_int error = wanted && outcomes ? CL_SUCCESS : CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; !error && i < program->num_devices; i++) wanted[i] = !devices;
  for (cl_uint i = 0; !error && i < num_devices; i++) {
    struct mpl_build *build = mpl_program_build(program, devices[i]);
    if (build)
      wanted[build - program->builds] = true;
    else
      error = CL_INVALID_DEVICE;
  }
  if (!error) want_sub_devices(program, wanted);
  bool began = !error;
  if (!error) error = build_wanted(program, wanted, outcomes, request);
  free(wanted);
  free(outcomes);
  if (notify && began && error != CL_INVALID_OPERATION) notify(program, user_data);
  return error;
}

/* Builds a program for its devices.
 *
 * Builds of one program happen one after another, under `building`; what they replace changes under
 * `lock` at their end, so a program that was built before stays usable until then, and two threads
 * that build it at once both find it built. */
#include "program_build.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device.h"
#include "runtime/options.h"
#include "runtime/print/log.h"
#include "runtime/trace/trace.h"
#include "toolchain/produce.h"

/* What a build for one device came to, before it is installed. */
struct outcome {
  cl_int error;
  char *log;
  void *binary;
  size_t binary_size;
  enum mpl_binary_kind kind;
  struct mpl_module *module;
  const struct mpl_object *object;
  bool shares_module;
  struct mpl_module *filters;
};

static void add_line(char **log, const char *line) {
  size_t old = *log ? strlen(*log) : 0;
  char *longer = realloc(*log, old + strlen(line) + 2);
  if (!longer) return;
  strcpy(longer + old, line);
  strcat(longer + old, "\n");
  *log = longer;
}

static void copy_of(struct outcome *out, const void *binary, size_t size) {
  out->binary = malloc(size);
  if (!out->binary) {
    out->error = CL_OUT_OF_HOST_MEMORY;
    return;
  }
  memcpy(out->binary, binary, size);
  out->binary_size = size;
}

/* A launch would be refused with CL_OUT_OF_RESOURCES: better said now. */
static void warn_of_local_memory(struct mpl_device *device, struct outcome *out) {
  char line[256];
  for (uint32_t i = 0; i < out->object->num_kernels; i++) {
    const struct mpl_kernel *kernel = &out->object->kernels[i];
    if (kernel->local_size <= device->info.local_memory) continue;
    snprintf(line, sizeof line,
             "warning: kernel '%.80s' needs %llu bytes of local memory; the device has %llu",
             kernel->name, (unsigned long long)kernel->local_size,
             (unsigned long long)device->info.local_memory);
    add_line(&out->log, line);
  }
}

/* A binary has its sub-groups' size since it was built, and nothing to be built again from. */
static void warn_of_sub_groups(struct outcome *out) {
  char line[256];
  uint64_t wanted = mpl_option_number(MPL_OPTION_SUBGROUP_SIZE);
  for (uint32_t i = 0; i < out->object->num_kernels; i++) {
    const struct mpl_kernel *kernel = &out->object->kernels[i];
    if (!(kernel->flags & MPL_KERNEL_USES_LANES) || kernel->reqd_sub_group) continue;
    if (kernel->sub_group == wanted) continue;
    snprintf(line, sizeof line,
             "warning: kernel '%.80s' of this binary has sub-groups of %u, not of "
             "MANIPLE_SUBGROUP_SIZE=%u: for that it has to be built from its source",
             kernel->name, kernel->sub_group, (unsigned)wanted);
    add_line(&out->log, line);
    mpl_log(MPL_LOG_BUILD, "%s", line);
  }
}

static void load(struct mpl_device *device, cl_int failure, struct outcome *out) {
  struct mpl_binary binary;
  const char *why = NULL;
  if (!mpl_binary_unpack(out->binary, out->binary_size, device->info.target, &binary, &why)) {
    out->error = CL_INVALID_BINARY;
    add_line(&out->log, why);
    return;
  }
  if (binary.kind != MPL_BINARY_EXECUTABLE) return;
  uint64_t start = mpl_trace_begin();
  out->module = mpl_program_load(device, binary.payload, binary.payload_size, &why);
  if (mpl_tracing()) mpl_trace_build("load", start, binary.payload_size);
  if (!out->module) {
    out->error = failure;
    add_line(&out->log, why ? why : "maniple: the program cannot be loaded");
    return;
  }
  out->object = device->ops->table(out->module);
  warn_of_local_memory(device, out);
}

/* A copy, since another thread may compile the program again while this one links. */
static bool copy_bitcode(cl_program program, cl_device_id device, struct mpl_blob *blob) {
  struct mpl_binary binary;
  const char *why;
  mpl_lock(&program->lock);
  const struct mpl_build *build = mpl_program_build(program, device);
  bool good = build && mpl_binary_unpack(build->binary, build->binary_size, NULL, &binary, &why) &&
              binary.kind != MPL_BINARY_EXECUTABLE;
  void *copy = good ? malloc(binary.payload_size) : NULL;
  if (copy) {
    memcpy(copy, binary.payload, binary.payload_size);
    *blob = (struct mpl_blob){copy, binary.payload_size};
  }
  mpl_unlock(&program->lock);
  return copy;
}

/* Bitcode of the programs to link for a device; false if one of them has none for it. */
static bool gather(const struct mpl_build_request *request, cl_program own, cl_device_id device,
                   struct mpl_blob *blobs) {
  size_t count = request->inputs ? request->num_inputs : 1;
  for (size_t i = 0; i < count; i++)
    if (!copy_bitcode(request->inputs ? request->inputs[i] : own, device, &blobs[i])) return false;
  return true;
}

static void free_blobs(struct mpl_blob *blobs, size_t count, bool are_copies) {
  for (size_t i = 0; blobs && are_copies && i < count; i++) free((void *)blobs[i].data);
  free(blobs);
}

/* The same once more, for a device that checks kernels.  Without them all is checked too. */
static void produce_filters(struct mpl_device *device, const struct mpl_compile_job *asked,
                            struct outcome *out) {
  struct mpl_compile_job job = *asked;
  struct mpl_product product;
  struct mpl_binary binary;
  const char *why;
  if (!device->info.takes_filters || strstr(job.options, "-cl-opt-disable")) return;
  job.filters = true;
  mpl_produce(&job, device->info.target, MPL_BINARY_EXECUTABLE, &product);
  if (product.result == MPL_COMPILED &&
      mpl_binary_unpack(product.binary, product.binary_size, device->info.target, &binary, &why))
    out->filters = device->ops->load(device, binary.payload, binary.payload_size, "filters", &why);
  free(product.binary);
  free(product.log);
}

static void produce(cl_program program, cl_device_id device,
                    const struct mpl_build_request *request, struct outcome *out) {
  bool from_source = program->source && !request->inputs;
  bool from_il = program->il && !request->inputs;
  size_t num_inputs = request->inputs ? request->num_inputs : 1;
  struct mpl_blob *blobs = calloc(num_inputs, sizeof *blobs);
  struct mpl_compile_job job = {.input = from_source ? MPL_INPUT_SOURCE
                                         : from_il   ? MPL_INPUT_SPIRV
                                                     : MPL_INPUT_BITCODE,
                                .inputs = blobs,
                                .num_inputs = num_inputs,
                                .constants = program->constants,
                                .num_constants = from_il ? program->num_constants : 0,
                                .options = request->options,
                                .options_for = request->options_for,
                                .lacks = MPL_OFFERS_ALL & ~device->device->info.offers,
                                .headers = request->headers,
                                .num_headers = request->num_headers};
  if (blobs && from_source)
    *blobs = (struct mpl_blob){program->source, program->source_size};
  else if (blobs && from_il)
    *blobs = (struct mpl_blob){program->il, program->il_size};
  else if (!blobs || !gather(request, program, device, blobs)) {
    out->error = blobs ? CL_INVALID_BINARY : CL_OUT_OF_HOST_MEMORY;
    free_blobs(blobs, num_inputs, true);
    return;
  }
  struct mpl_product product;
  mpl_produce(&job, device->device->info.target, request->kind, &product);
  out->error = product.result == MPL_COMPILED ? CL_SUCCESS : request->failure;
  out->log = product.log;
  out->binary = product.binary;
  out->binary_size = product.binary_size;
  out->kind = request->kind;
  if (!out->error && out->kind == MPL_BINARY_EXECUTABLE) produce_filters(device->device, &job, out);
  free_blobs(blobs, num_inputs, !from_source && !from_il);
}

/* A program made from executable binaries only has to be loaded. */
static bool has_executable(cl_program program, const struct mpl_build *build,
                           const struct mpl_build_request *request) {
  return !mpl_program_has_code(program) && !request->inputs &&
         build->binary_type == MPL_BINARY_EXECUTABLE;
}

static void build_one(cl_program program, cl_uint index, const struct mpl_build_request *request,
                      struct outcome *out) {
  cl_device_id device = program->devices[index];
  const struct mpl_build *build = &program->builds[index];
  bool is_there = has_executable(program, build, request);
  if (is_there) {
    out->kind = MPL_BINARY_EXECUTABLE;
    copy_of(out, build->binary, build->binary_size);
  } else
    produce(program, device, request, out);
  if (!out->error) load(device->device, request->failure, out);
  if (is_there && !out->error) warn_of_sub_groups(out);
}

/* Devices of one target run the same code: sub-devices of one processor, say.  One with memory of
 * its own has to load it there. */
static bool share(cl_program program, cl_uint index, const struct mpl_build_request *request,
                  struct outcome *outcomes, const bool *wanted, struct outcome *out) {
  struct mpl_device *device = program->devices[index]->device;
  const char *target = device->info.target;
  if (!mpl_program_has_code(program)) return false; /* each device may have another binary */
  for (cl_uint i = 0; i < index; i++) {
    if (!wanted[i] || strcmp(target, program->devices[i]->device->info.target)) continue;
    *out = outcomes[i];
    out->log = strdup(outcomes[i].log ? outcomes[i].log : "");
    out->binary = NULL;
    out->filters = NULL;
    out->shares_module = out->module != NULL;
    if (outcomes[i].binary) copy_of(out, outcomes[i].binary, outcomes[i].binary_size);
    if (out->shares_module && !device->info.host_memory) {
      out->shares_module = false;
      out->module = NULL;
      if (!out->error) load(device, request->failure, out);
    }
    return true;
  }
  return false;
}

static void install(cl_program program, cl_uint index, const char *options, struct outcome *out) {
  struct mpl_build *build = &program->builds[index];
  mpl_build_clear(program, index);
  free(build->log);
  free(build->options);
  build->options = strdup(options);
  build->log = out->log;
  build->status = out->error ? CL_BUILD_ERROR : CL_BUILD_SUCCESS;
  build->module = out->module;
  build->object = out->object;
  build->shares_module = out->shares_module;
  build->filters = out->filters;
  if (out->error) {
    free(out->binary);
    return;
  }
  build->binary = out->binary;
  build->binary_size = out->binary_size;
  build->binary_type = out->kind;
}

static void discard(struct mpl_device *device, struct outcome *out) {
  if (out->module && !out->shares_module) mpl_program_unload(device, out->module);
  if (out->filters) device->ops->unload(out->filters);
  free(out->binary);
  free(out->log);
}

static bool built_alike(cl_program program, const bool *wanted,
                        const struct mpl_build_request *request) {
  for (cl_uint i = 0; i < program->num_devices; i++) {
    const struct mpl_build *build = &program->builds[i];
    if (wanted[i] && (build->status != CL_BUILD_SUCCESS || build->binary_type != request->kind ||
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
    if (wanted[i]) discard(program->devices[i]->device, &outcomes[i]);
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
    if (wanted[i] && !share(program, i, request, outcomes, wanted, &outcomes[i]))
      build_one(program, i, request, &outcomes[i]);
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

/* A program is built for one device: the compiler makes a binary of its source, SPIR-V or bitcode, or
 * it has one already; the device loads it. */
#include "build_device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/device.h"
#include "runtime/options.h"
#include "runtime/print/log.h"
#include "runtime/trace/trace.h"
#include "toolchain/produce.h"

static void add_line(char **log, const char *line) {
  size_t old = *log ? strlen(*log) : 0;
  char *longer = realloc(*log, old + strlen(line) + 2);
  if (!longer) return;
  strcpy(longer + old, line);
  strcat(longer + old, "\n");
  *log = longer;
}

/* A launch would be refused with CL_OUT_OF_RESOURCES: better said now. */
static void warn_of_local_memory(struct mpl_device *device, struct mpl_build *build) {
  char line[256];
  for (uint32_t i = 0; i < build->object->num_kernels; i++) {
    const struct mpl_kernel *kernel = &build->object->kernels[i];
    if (kernel->local_size <= device->info.local_memory) continue;
    snprintf(line, sizeof line,
             "warning: kernel '%.80s' needs %llu bytes of local memory; the device has %llu",
             kernel->name, (unsigned long long)kernel->local_size,
             (unsigned long long)device->info.local_memory);
    add_line(&build->log, line);
  }
}

/* A binary has its sub-groups' size since it was built, and nothing to be built again from. */
static void warn_of_sub_groups(struct mpl_build *build) {
  char line[256];
  uint64_t wanted = mpl_option_number(MPL_OPTION_SUBGROUP_SIZE);
  for (uint32_t i = 0; i < build->object->num_kernels; i++) {
    const struct mpl_kernel *kernel = &build->object->kernels[i];
    if (!(kernel->flags & MPL_KERNEL_USES_LANES) || kernel->reqd_sub_group) continue;
    if (kernel->sub_group == wanted) continue;
    snprintf(line, sizeof line,
             "warning: kernel '%.80s' of this binary has sub-groups of %u, not of "
             "MANIPLE_SUBGROUP_SIZE=%u: for that it has to be built from its source",
             kernel->name, kernel->sub_group, (unsigned)wanted);
    add_line(&build->log, line);
    mpl_log(MPL_LOG_BUILD, "%s", line);
  }
}

static cl_int load(struct mpl_device *device, cl_int failure, struct mpl_build *build) {
  const struct mpl_binary *binary = &build->binary.holds;
  const char *why = NULL;
  if (binary->kind != MPL_BINARY_EXECUTABLE) return CL_SUCCESS;
  uint64_t start = mpl_trace_begin();
  build->module = mpl_program_load(device, binary->payload, binary->payload_size, &why);
  if (mpl_tracing()) mpl_trace_build("load", start, binary->payload_size);
  if (!build->module) {
    add_line(&build->log, why ? why : "maniple: the program cannot be loaded");
    return failure;
  }
  build->object = device->ops->table(build->module);
  warn_of_local_memory(device, build);
  return CL_SUCCESS;
}

/* Without them all is checked too. */
static void load_filters(struct mpl_device *device, const struct mpl_container *filters,
                         struct mpl_build *build) {
  const char *why;
  if (!filters->data) return;
  build->filters = device->ops->load(device, filters->holds.payload, filters->holds.payload_size,
                                     "filters", &why);
}

/* A copy, since another thread may compile the program again while this one links. */
static bool copy_bitcode(cl_program program, cl_device_id device, struct mpl_blob *blob) {
  mpl_lock(&program->lock);
  const struct mpl_build *build = mpl_program_build(program, device);
  bool good = build && mpl_build_links(build);
  const struct mpl_binary *binary = good ? &build->binary.holds : NULL;
  void *copy = good ? malloc(binary->payload_size) : NULL;
  if (copy) {
    memcpy(copy, binary->payload, binary->payload_size);
    *blob = (struct mpl_blob){copy, binary->payload_size};
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

static cl_int produce(cl_program program, cl_device_id device,
                      const struct mpl_build_request *request, struct mpl_product *product) {
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
  if (!blobs) return CL_OUT_OF_HOST_MEMORY;
  bool good = true;
  if (from_source)
    *blobs = (struct mpl_blob){program->source, program->source_size};
  else if (from_il)
    *blobs = (struct mpl_blob){program->il, program->il_size};
  else
    good = gather(request, program, device, blobs);
  const struct mpl_device_info *info = &device->device->info;
  if (good) mpl_produce(&job, info->target, request->kind, info->takes_filters, product);
  free_blobs(blobs, num_inputs, !from_source && !from_il);
  if (!good) return CL_INVALID_BINARY;
  return product->result == MPL_COMPILED ? CL_SUCCESS : request->failure;
}

/* A program made from executable binaries only has to be loaded. */
static bool has_executable(cl_program program, const struct mpl_build *build,
                           const struct mpl_build_request *request) {
  return !mpl_program_has_code(program) && !request->inputs &&
         build->binary.holds.kind == MPL_BINARY_EXECUTABLE;
}

cl_int mpl_build_device(cl_program program, cl_uint index, const struct mpl_build_request *request,
                        struct mpl_build *build) {
  cl_device_id device = program->devices[index];
  const struct mpl_build *before = &program->builds[index];
  if (has_executable(program, before, request)) {
    if (!mpl_container_copy(&before->binary, &build->binary)) return CL_OUT_OF_HOST_MEMORY;
    cl_int error = load(device->device, request->failure, build);
    if (!error) warn_of_sub_groups(build);
    return error;
  }
  struct mpl_product product = {0};
  cl_int error = produce(program, device, request, &product);
  build->log = product.log;
  build->binary = product.program;
  if (!error) error = load(device->device, request->failure, build);
  if (!error) load_filters(device->device, &product.filters, build);
  free(product.filters.data);
  return error;
}

cl_int mpl_build_share(struct mpl_device *device, const struct mpl_build_request *request,
                       const struct mpl_build *other, cl_int error, struct mpl_build *build) {
  build->log = strdup(other->log ? other->log : "");
  if (error) return error;
  if (!mpl_container_copy(&other->binary, &build->binary)) return CL_OUT_OF_HOST_MEMORY;
  if (other->module && !device->info.host_memory) return load(device, request->failure, build);
  build->module = other->module;
  build->object = other->object;
  build->shares_module = other->module != NULL;
  return CL_SUCCESS;
}

/* The platforms, one for each kind of devices: clGetPlatformIDs, clGetPlatformInfo, clUnloadPlatformCompiler. */
#include <string.h>

#include "device.h"
#include "devices/devices.h"
#include "opencl/objects.h"
#include "runtime/device.h"

static struct _cl_platform_id platforms_of[] = {
#define MPL_DEVICE_KIND(id, word, text)                                                            \
  {.base = {.dispatch = &mpl_dispatch.known, .magic = MPL_PLATFORM, .refs = 1},                          \
   .kind = MPL_KIND_##id,                                                                          \
   .name = text},
#include "tables/device_kinds.def"
};

/* Extensions of the platform: those that all of its devices have, and the ICD's. */
static const cl_name_version icd_extension = {CL_MAKE_VERSION(1, 0, 0), "cl_khr_icd"};

cl_platform_id mpl_platform_of(int kind) {
  return &platforms_of[kind];
}

cl_platform_id mpl_platform(void) {
  for (int kind = 0; kind < MPL_DEVICE_KINDS; kind++)
    if (mpl_has_devices((enum mpl_device_kind)kind)) return mpl_platform_of(kind);
  return mpl_platform_of(MPL_KIND_CPU);
}

cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries, cl_platform_id *platforms,
                                    cl_uint *num_platforms) {
  if ((!platforms && !num_platforms) || (platforms && num_entries == 0)) return CL_INVALID_VALUE;
  cl_uint count = 0;
  for (int kind = 0; kind < MPL_DEVICE_KINDS; kind++) {
    if (!mpl_has_devices((enum mpl_device_kind)kind)) continue;
    if (platforms && count < num_entries) platforms[count] = mpl_platform_of(kind);
    count++;
  }
  if (num_platforms) *num_platforms = count;
  return count ? CL_SUCCESS : CL_PLATFORM_NOT_FOUND_KHR;
}

static cl_int answer_extensions(uint32_t offers, size_t size, void *value, size_t *size_ret) {
  char text[MPL_FEATURES_TEXT + 16] = "cl_khr_icd ";
  mpl_extensions_text(offers, text + strlen(text));
  return mpl_answer_text(text, size, value, size_ret);
}

static cl_int answer_extension_versions(uint32_t offers, size_t size, void *value, size_t *size_ret) {
  cl_name_version all[1 + MPL_MOST_FEATURES] = {icd_extension};
  size_t count = 1 + mpl_list_features(MPL_EXTENSIONS, offers, all + 1);
  return mpl_answer(all, count * sizeof *all, size, value, size_ret);
}

/* Exported for loaders; protected, because they have a function of the same name. */
__attribute__((visibility("protected"))) cl_int CL_API_CALL
clGetPlatformInfo(cl_platform_id handle, cl_platform_info param_name, size_t size, void *value,
                  size_t *size_ret) {
  /* A null platform is "implementation-defined": the loader asks one that it has from us. */
  if (handle && !mpl_valid(handle, MPL_PLATFORM)) return CL_INVALID_PLATFORM;
  cl_platform_id platform = handle ? handle : mpl_platform();
  enum mpl_device_kind kind = (enum mpl_device_kind)platform->kind;
  switch (param_name) {
    MPL_QUERY_TEXT(CL_PLATFORM_PROFILE, "FULL_PROFILE")
    MPL_QUERY_TEXT(CL_PLATFORM_VERSION, MPL_VERSION_TEXT(mpl_kind_offers(kind)))
    MPL_QUERY(CL_PLATFORM_NUMERIC_VERSION, cl_version,
              MPL_NUMERIC_VERSION(mpl_kind_offers(kind)))
    MPL_QUERY_TEXT(CL_PLATFORM_NAME, platform->name)
    MPL_QUERY_TEXT(CL_PLATFORM_VENDOR, "maniple project")
  case CL_PLATFORM_EXTENSIONS:
    return answer_extensions(mpl_kind_offers(kind), size, value, size_ret);
  case CL_PLATFORM_EXTENSIONS_WITH_VERSION:
    return answer_extension_versions(mpl_kind_offers(kind), size, value, size_ret);
    MPL_QUERY_TEXT(CL_PLATFORM_ICD_SUFFIX_KHR, "MPL")
    MPL_QUERY(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong, 1)
    MPL_QUERY_ARRAY(CL_PLATFORM_SEMAPHORE_TYPES_KHR, cl_semaphore_type_khr, 1,
                    ((cl_semaphore_type_khr[]){CL_SEMAPHORE_TYPE_BINARY_KHR}))
  default:
    return CL_INVALID_VALUE;
  }
}

/* The compiler is a process that ends with each build: there is nothing to unload. */
cl_int CL_API_CALL clUnloadPlatformCompiler(cl_platform_id handle) {
  return mpl_valid(handle, MPL_PLATFORM) ? CL_SUCCESS : CL_INVALID_PLATFORM;
}

cl_int CL_API_CALL clUnloadCompiler(void) {
  return CL_SUCCESS;
}

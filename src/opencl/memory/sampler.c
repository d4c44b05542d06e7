/* Samplers (section 5.7). */
#include "sampler.h"

#include <stdlib.h>
#include <string.h>

#include "image.h"

/* Bits of abi/image.h, or -1 for a value that is none of the five. */
static int addressing_bits(cl_addressing_mode mode) {
  switch (mode) {
  case CL_ADDRESS_NONE:
    return MPL_SAMPLER_NONE;
  case CL_ADDRESS_CLAMP_TO_EDGE:
    return MPL_SAMPLER_CLAMP_TO_EDGE;
  case CL_ADDRESS_CLAMP:
    return MPL_SAMPLER_CLAMP;
  case CL_ADDRESS_REPEAT:
    return MPL_SAMPLER_REPEAT;
  case CL_ADDRESS_MIRRORED_REPEAT:
    return MPL_SAMPLER_MIRRORED_REPEAT;
  default:
    return -1;
  }
}

uint64_t mpl_sampler_bits(cl_sampler sampler) {
  return (sampler->normalized ? MPL_SAMPLER_NORMALIZED : 0) |
         (uint64_t)addressing_bits(sampler->addressing) |
         (sampler->filter == CL_FILTER_LINEAR ? MPL_SAMPLER_LINEAR : MPL_SAMPLER_NEAREST);
}

static bool values_good(const struct _cl_sampler *sampler) {
  return sampler->normalized <= CL_TRUE && addressing_bits(sampler->addressing) >= 0 &&
         (sampler->filter == CL_FILTER_NEAREST || sampler->filter == CL_FILTER_LINEAR);
}

/* Sets the properties of the list, each at most once; false for an unknown one. */
static bool read_properties(struct _cl_sampler *sampler, const cl_sampler_properties *list) {
  bool normalized = false, addressing = false, filter = false;
  size_t n = 0;
  for (; list[n]; n += 2) {
    cl_sampler_properties value = list[n + 1];
    bool *seen = list[n] == CL_SAMPLER_NORMALIZED_COORDS ? &normalized
                 : list[n] == CL_SAMPLER_ADDRESSING_MODE ? &addressing
                 : list[n] == CL_SAMPLER_FILTER_MODE     ? &filter
                                                         : NULL;
    if (!seen || *seen || value > UINT32_MAX) return false;
    *seen = true;
    if (seen == &normalized) sampler->normalized = (cl_bool)value;
    if (seen == &addressing) sampler->addressing = (cl_addressing_mode)value;
    if (seen == &filter) sampler->filter = (cl_filter_mode)value;
  }
  sampler->num_properties = n + 1;
  return true;
}

static cl_int check_context(const char *function, cl_context context) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (mpl_images_offered(context)) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_OPERATION, function,
                    "no device of the context has images (CL_DEVICE_IMAGE_SUPPORT)");
}

/* A sampler like `wanted`, with a copy of the properties. */
static cl_int make(const char *function, cl_context context, const struct _cl_sampler *wanted,
                   const cl_sampler_properties *properties, cl_sampler *result) {
  if (!values_good(wanted))
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "normalized_coords %u, addressing mode 0x%x or filter mode 0x%x is unknown",
                      wanted->normalized, wanted->addressing, wanted->filter);
  size_t size = wanted->num_properties * sizeof *properties;
  cl_sampler sampler = malloc(sizeof *sampler);
  if (sampler) {
    *sampler = *wanted;
    sampler->properties = size ? malloc(size) : NULL;
  }
  if (!sampler || (size && !sampler->properties)) {
    free(sampler);
    return CL_OUT_OF_HOST_MEMORY;
  }
  if (size) memcpy(sampler->properties, properties, size);
  mpl_base_init(&sampler->base, MPL_SAMPLER);
  sampler->context = context;
  clRetainContext(context);
  *result = sampler;
  return CL_SUCCESS;
}

cl_sampler CL_API_CALL clCreateSampler(cl_context context, cl_bool normalized,
                                       cl_addressing_mode addressing, cl_filter_mode filter,
                                       cl_int *errcode_ret) {
  const struct _cl_sampler wanted = {
      .normalized = normalized, .addressing = addressing, .filter = filter};
  cl_sampler sampler = NULL;
  cl_int error = check_context(__func__, context);
  if (!error) error = make(__func__, context, &wanted, NULL, &sampler);
  return mpl_give(sampler, error, errcode_ret);
}

cl_sampler CL_API_CALL clCreateSamplerWithProperties(cl_context context,
                                                     const cl_sampler_properties *properties,
                                                     cl_int *errcode_ret) {
  struct _cl_sampler wanted = {
      .normalized = CL_TRUE, .addressing = CL_ADDRESS_CLAMP, .filter = CL_FILTER_NEAREST};
  cl_sampler sampler = NULL;
  cl_int error = check_context(__func__, context);
  if (!error && properties && !read_properties(&wanted, properties))
    error = mpl_refuse(CL_INVALID_VALUE, __func__, "a property is unknown or repeated");
  if (!error) error = make(__func__, context, &wanted, properties, &sampler);
  return mpl_give(sampler, error, errcode_ret);
}

static void destroy(cl_sampler sampler) {
  cl_context context = sampler->context;
  free(sampler->properties);
  mpl_object_free(sampler);
  clReleaseContext(context);
}

MPL_RETAIN(clRetainSampler, cl_sampler, MPL_SAMPLER, CL_INVALID_SAMPLER)
MPL_RELEASE(clReleaseSampler, cl_sampler, MPL_SAMPLER, CL_INVALID_SAMPLER, destroy)

cl_int CL_API_CALL clGetSamplerInfo(cl_sampler sampler, cl_sampler_info param_name, size_t size,
                                    void *value, size_t *size_ret) {
  if (!mpl_valid(sampler, MPL_SAMPLER)) return CL_INVALID_SAMPLER;
  switch (param_name) {
    MPL_QUERY(CL_SAMPLER_REFERENCE_COUNT, cl_uint, atomic_load(&sampler->base.refs))
    MPL_QUERY(CL_SAMPLER_CONTEXT, cl_context, sampler->context)
    MPL_QUERY(CL_SAMPLER_NORMALIZED_COORDS, cl_bool, sampler->normalized)
    MPL_QUERY(CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode, sampler->addressing)
    MPL_QUERY(CL_SAMPLER_FILTER_MODE, cl_filter_mode, sampler->filter)
    MPL_QUERY_ARRAY(CL_SAMPLER_PROPERTIES, cl_sampler_properties, sampler->num_properties,
                    sampler->properties)
  default:
    return CL_INVALID_VALUE;
  }
}

/* Samplers. */
#include "api.h"

#define INFO(type, sampler, param)                                                                 \
  ({                                                                                               \
    type value_ = 0;                                                                               \
    EXPECT(CL_SUCCESS, clGetSamplerInfo(sampler, param, sizeof value_, &value_, NULL));            \
    value_;                                                                                        \
  })

static const cl_addressing_mode addressing[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP_TO_EDGE,
                                                CL_ADDRESS_CLAMP, CL_ADDRESS_REPEAT,
                                                CL_ADDRESS_MIRRORED_REPEAT};
static const cl_filter_mode filters[] = {CL_FILTER_NEAREST, CL_FILTER_LINEAR};

static void check_info(cl_sampler sampler, cl_bool normalized, cl_addressing_mode mode,
                       cl_filter_mode filter, size_t properties) {
  size_t size = 99;
  CHECK(sampler);
  CHECK(INFO(cl_uint, sampler, CL_SAMPLER_REFERENCE_COUNT) == 1);
  CHECK(INFO(cl_context, sampler, CL_SAMPLER_CONTEXT) == context);
  CHECK(INFO(cl_bool, sampler, CL_SAMPLER_NORMALIZED_COORDS) == normalized);
  CHECK(INFO(cl_addressing_mode, sampler, CL_SAMPLER_ADDRESSING_MODE) == mode);
  CHECK(INFO(cl_filter_mode, sampler, CL_SAMPLER_FILTER_MODE) == filter);
  EXPECT(CL_SUCCESS, clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size));
  CHECK(size == properties * sizeof(cl_sampler_properties));
  EXPECT(CL_INVALID_VALUE, clGetSamplerInfo(sampler, 0, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clRetainSampler(sampler));
  CHECK(INFO(cl_uint, sampler, CL_SAMPLER_REFERENCE_COUNT) == 2);
  EXPECT(CL_SUCCESS, clReleaseSampler(sampler));
  EXPECT(CL_SUCCESS, clReleaseSampler(sampler));
}

static void check_all(void) {
  for (cl_bool normalized = 0; normalized < 2; normalized++)
    for (int a = 0; a < 5; a++)
      for (int f = 0; f < 2; f++) {
        const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE,
                                              filters[f],
                                              CL_SAMPLER_NORMALIZED_COORDS,
                                              normalized,
                                              CL_SAMPLER_ADDRESSING_MODE,
                                              addressing[a],
                                              0};
        check_info(clCreateSampler(context, normalized, addressing[a], filters[f], NULL),
                   normalized, addressing[a], filters[f], 0);
        check_info(clCreateSamplerWithProperties(context, list, NULL), normalized, addressing[a],
                   filters[f], 7);
      }
}

static void check_defaults(void) {
  const cl_sampler_properties none[] = {0}, one[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
  cl_sampler_properties back[3] = {0};
  check_info(clCreateSamplerWithProperties(context, NULL, NULL), CL_TRUE, CL_ADDRESS_CLAMP,
             CL_FILTER_NEAREST, 0);
  check_info(clCreateSamplerWithProperties(context, none, NULL), CL_TRUE, CL_ADDRESS_CLAMP,
             CL_FILTER_NEAREST, 1);
  cl_sampler sampler = clCreateSamplerWithProperties(context, one, NULL);
  EXPECT(CL_SUCCESS, clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, sizeof back, back, NULL));
  CHECK(!memcmp(back, one, sizeof one));
  EXPECT(CL_SUCCESS, clReleaseSampler(sampler));
}

static void check_refusals(void) {
  const cl_sampler_properties wrong[][5] = {
      {CL_SAMPLER_REFERENCE_COUNT, 1, 0},
      {CL_SAMPLER_FILTER_MODE, CL_ADDRESS_CLAMP, 0},
      {CL_SAMPLER_NORMALIZED_COORDS, 2, 0},
      {CL_SAMPLER_ADDRESSING_MODE, (cl_sampler_properties)1 << 32 | CL_ADDRESS_CLAMP, 0},
      {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0}};
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, wrong[i], &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateSampler(context, 2, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateSampler(context, 0, 0, CL_FILTER_NEAREST, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateSampler(context, 0, CL_ADDRESS_NONE, 0, &error));
}

int main(void) {
  open_device();
  if (has_images()) {
    check_all();
    check_defaults();
    check_refusals();
  }
  return finish();
}

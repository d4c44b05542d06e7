/* What the queries say no to answers the code that the specification names. */
#include "api.h"

static void check_no_images(void) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  const size_t none[3] = {0}, one[3] = {1, 1, 1};
  cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);
  cl_uint count = 99;
  cl_int pixel[4];
  EXPECT_NULL(CL_INVALID_OPERATION, clCreateImage(context, 0, &format, &desc, NULL, &error));
  EXPECT_NULL(CL_INVALID_OPERATION,
              clCreateImageWithProperties(context, NULL, 0, &format, &desc, NULL, &error));
  EXPECT_NULL(CL_INVALID_OPERATION, clCreateImage2D(context, 0, &format, 4, 4, 0, NULL, &error));
  EXPECT_NULL(CL_INVALID_OPERATION,
              clCreateImage3D(context, 0, &format, 4, 4, 4, 0, 0, NULL, &error));
  EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0,
                                                NULL, &count));
  CHECK(count == 0);
  EXPECT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_ONLY,
                                                      CL_MEM_OBJECT_BUFFER, 0, NULL, &count));
  EXPECT(CL_INVALID_OPERATION,
         clEnqueueReadImage(queue, buffer, 1, none, one, 0, 0, pixel, 0, NULL, NULL));
  EXPECT_NULL(CL_INVALID_OPERATION,
              clCreateSampler(context, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &error));
  EXPECT_NULL(CL_INVALID_OPERATION, clCreateSamplerWithProperties(context, NULL, &error));
  clReleaseMemObject(buffer);
}

int main(void) {
  open_device();
  cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);
  if (!has_images()) check_no_images();
  EXPECT(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, 0, NULL, NULL));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateProgramWithBuiltInKernels(context, 1, &device, "no_such_kernel", &error));

  cl_program program = build("kernel void k(global int *p) { p[0] = 1; }", NULL);
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  EXPECT(CL_INVALID_OPERATION, clSetProgramReleaseCallback(program, NULL, NULL));
  size_t size = 99;
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size));
  CHECK(size == 0);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  clReleaseMemObject(buffer);
  return finish();
}

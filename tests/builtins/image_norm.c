/* Normalised channels of more than 8 bits, and signed ones, are read as the nearest float of the
 * quotient: programs keep coordinates in them and cut off what is behind the point. */
#include "unit/cl_unit.h"

enum { WIDTH = 256, HEIGHT = 256, PIXELS = WIDTH * HEIGHT };

static const char source[] = "kernel void all(read_only image2d_t in, global float *out) {\n"
                             "  const sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
                             "  int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
                             "  out[at.y * 256 + at.x] = read_imagef(in, s, at).x;\n"
                             "}\n";

static const struct format {
  cl_image_format cl;
  int bytes, shift, bits, is_signed; /* of red, in the pixel */
} formats[] = {
    {{CL_R, CL_UNORM_INT16}, 2, 0, 16, 0},         {{CL_R, CL_SNORM_INT16}, 2, 0, 16, 1},
    {{CL_RG, CL_SNORM_INT8}, 2, 0, 8, 1},          {{CL_RGB, CL_UNORM_SHORT_565}, 2, 11, 5, 0},
    {{CL_RGB, CL_UNORM_INT_101010}, 4, 20, 10, 0},
};

static float expected(const struct format *f, uint32_t pixel) {
  uint32_t part = pixel >> f->shift & ((1u << f->bits) - 1);
  if (!f->is_signed) return (float)((double)part / ((1u << f->bits) - 1));
  int number = (int)(part << (32 - f->bits)) >> (32 - f->bits);
  double value = (double)number / ((1u << (f->bits - 1)) - 1);
  return (float)(value < -1 ? -1 : value);
}

static void check(cl_program program, const struct format *f) {
  static const size_t size[3] = {WIDTH, HEIGHT, 1};
  static unsigned char bytes[PIXELS * 4];
  static float got[PIXELS];
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  uint32_t scale = f->bytes == 4 ? 1u << 14 : 1;
  for (uint32_t i = 0; i < PIXELS; i++) {
    uint32_t pixel = i * scale;
    memcpy(bytes + i * (size_t)f->bytes, &pixel, (size_t)f->bytes);
  }
  cl_int error;
  cl_mem in =
      clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &f->cl, &desc, bytes, &error);
  OK(error);
  cl_mem out = new_buffer(context, CL_MEM_READ_WRITE, sizeof got);
  cl_kernel kernel = new_kernel(program, "all");
  OK(clSetKernelArg(kernel, 0, sizeof in, &in));
  OK(clSetKernelArg(kernel, 1, sizeof out, &out));
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (uint32_t i = 0; i < PIXELS; i++) CHECK(got[i] == expected(f, i * scale));
  clReleaseKernel(kernel);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
}

int main(void) {
  set_up();
  cl_bool images;
  OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
  if (!images) return 77;
  cl_program program = new_program(source, "-cl-std=CL3.0");
  for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) check(program, &formats[i]);
  clReleaseProgram(program);
  tear_down();
  return 0;
}

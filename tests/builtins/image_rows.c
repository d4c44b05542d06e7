/* Rows of pixels, as neighbouring work-items read and write them, in all formats that can be
 * written: moved by a pixel, whose bytes are to stay what they are, at once and by way of an image
 * of floating-point numbers.  What pixels mean is image.c's. */
#include <stdbool.h>

#include "unit/cl_unit.h"
#include "folder.h"

enum { WIDTH = 53, HEIGHT = 3, PIXELS = WIDTH * HEIGHT, MOST_BYTES = 16 };

static const struct format {
  cl_image_format cl;
  bool writes, planes_only;
} formats[] = {
#define ALL                                            true
#define READ                                           false
#define PLANES                                         true
#define ANY                                            false
#define MPL_IMAGE_FORMAT(order, type, access, objects) {{CL_##order, CL_##type}, access, objects},
#include "tables/image_formats.def"
};

static cl_program program;
static uint32_t seed = 1;

static uint32_t next(void) {
  return (seed = seed * 1664525u + 1013904223u) >> 8;
}

static cl_mem create(const cl_image_format *format, void *bytes) {
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  cl_int error;
  cl_mem made = clCreateImage(context, CL_MEM_READ_WRITE | (bytes ? CL_MEM_COPY_HOST_PTR : 0),
                              format, &desc, bytes, &error);
  OK(error);
  return made;
}

/* One channel, or a packed pixel, of numbers that are written as they were read: the least
 * normalised signed one has two forms, and bits that no channel has are written as 0. */
static unsigned fill_one(cl_channel_type type, unsigned char *at) {
  const float single = (float)((int)(next() % 4001) - 2000) / 512;
  const _Float16 half = (_Float16)single;
  const uint32_t bits = next() << 8 ^ next();
  const int8_t byte = (int8_t)((int)(bits % 255) - 127);
  const int16_t word = (int16_t)((int)(bits % 65535) - 32767);
  const uint32_t packed = bits & (type == CL_UNORM_SHORT_555    ? 0x7fff
                                  : type == CL_UNORM_INT_101010 ? 0x3fffffff
                                                                : 0xffffffff);
  switch (type) {
  case CL_SNORM_INT8:
  case CL_UNORM_INT8:
  case CL_SIGNED_INT8:
  case CL_UNSIGNED_INT8:
    memcpy(at, &byte, 1);
    return 1;
  case CL_SNORM_INT16:
  case CL_UNORM_INT16:
  case CL_SIGNED_INT16:
  case CL_UNSIGNED_INT16:
    memcpy(at, &word, 2);
    return 2;
  case CL_HALF_FLOAT:
    memcpy(at, &half, 2);
    return 2;
  case CL_UNORM_SHORT_565:
  case CL_UNORM_SHORT_555:
    memcpy(at, &packed, 2);
    return 2;
  case CL_FLOAT:
    memcpy(at, &single, 4);
    return 4;
  default:
    memcpy(at, &packed, 4);
    return 4;
  }
}

static void run(const char *name, cl_mem in, cl_mem out, int dx, int dy) {
  const size_t items[2] = {WIDTH + 11, HEIGHT + 1}, group[2] = {WIDTH + 11, 2};
  const cl_int2 by = {{dx, dy}};
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  OK(error);
  OK(clSetKernelArg(kernel, 0, sizeof in, &in));
  OK(clSetKernelArg(kernel, 1, sizeof out, &out));
  OK(clSetKernelArg(kernel, 2, sizeof by, &by));
  OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, items, group, 0, NULL, NULL));
  clReleaseKernel(kernel);
}

static int nearest(int i, int n) {
  return i < 0 ? 0 : i < n ? i : n - 1;
}

static void check(const char *name, const cl_image_format *format, cl_mem out,
                  const unsigned char *bytes, unsigned size, int dx, int dy) {
  unsigned char got[PIXELS * MOST_BYTES];
  const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, HEIGHT, 1};
  OK(clEnqueueReadImage(queue, out, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
  for (int i = 0; i < PIXELS; i++) {
    int x = nearest(i % WIDTH + dx, WIDTH), y = nearest(i / WIDTH + dy, HEIGHT);
    if (!memcmp(got + (unsigned)i * size, bytes + (unsigned)(y * WIDTH + x) * size, size)) continue;
    fprintf(stderr, "%s, order %#x, type %#x: pixel (%d, %d) is wrong\n", name,
            format->image_channel_order, format->image_channel_data_type, i % WIDTH, i / WIDTH);
    exit(1);
  }
}

static void check_format(const cl_image_format *format) {
  static const cl_image_format numbers = {CL_RGBA, CL_FLOAT};
  const cl_channel_type type = format->image_channel_data_type;
  bool i = type >= CL_SIGNED_INT8 && type <= CL_SIGNED_INT32,
       ui = type >= CL_UNSIGNED_INT8 && type <= CL_UNSIGNED_INT32;
  const char *name = i ? "moved_i" : ui ? "moved_ui" : "moved";
  unsigned char bytes[PIXELS * MOST_BYTES], zeros[PIXELS * MOST_BYTES] = {0};
  size_t size;
  cl_mem out = create(format, zeros);
  OK(clGetImageInfo(out, CL_IMAGE_ELEMENT_SIZE, sizeof size, &size, NULL));
  for (size_t at = 0; at < PIXELS * size;) at += fill_one(type, bytes + at);
  cl_mem in = create(format, bytes);
  run(name, in, out, 1, -1);
  check(name, format, out, bytes, (unsigned)size, 1, -1);
  if (!i && !ui) {
    run("filtered", in, out, -2, 1);
    check("filtered", format, out, bytes, (unsigned)size, -2, 1);
    cl_mem between = create(&numbers, NULL);
    run(name, in, between, 0, 0);
    run(name, between, out, 3, 0);
    check("by way of floats", format, out, bytes, (unsigned)size, 3, 0);
    clReleaseMemObject(between);
  }
  clReleaseMemObject(in);
  clReleaseMemObject(out);
}

static void build(void) {
  char text[4096];
  FILE *file = open_kernels("image_rows.cl");
  CHECK(file);
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  const char *source = text;
  cl_int error;
  program = clCreateProgramWithSource(context, 1, &source, &length, &error);
  OK(error);
  OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
}

int main(void) {
  set_up();
  cl_bool images;
  OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
  if (!images) return 77;
  build();
  for (unsigned k = 0; k < sizeof formats / sizeof *formats; k++)
    if (formats[k].writes && !formats[k].planes_only) check_format(&formats[k].cl);
  return 0;
}

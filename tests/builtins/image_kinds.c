/* What kernels do with images beside image.c: halves, depth images, queries. */
#include <math.h>
#include <stdbool.h>

#include "unit/cl_unit.h"
#include "folder.h"

enum { WIDTH = 7, HEIGHT = 5, LAYERS = 3, PIXELS = WIDTH * HEIGHT };

static cl_program program;
static const size_t zero[3], plane[3] = {WIDTH, HEIGHT, 1}, layers[3] = {WIDTH, HEIGHT, LAYERS};

static cl_mem make(cl_mem_object_type type, cl_channel_order order, cl_channel_type channel,
                   const void *pixels) {
  const cl_image_format format = {order, channel};
  bool rows = type != CL_MEM_OBJECT_IMAGE1D && type != CL_MEM_OBJECT_IMAGE1D_ARRAY;
  bool array = type == CL_MEM_OBJECT_IMAGE1D_ARRAY || type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  const cl_image_desc desc = {.image_type = type,
                              .image_width = WIDTH,
                              .image_height = rows ? HEIGHT : 0,
                              .image_depth = type == CL_MEM_OBJECT_IMAGE3D ? LAYERS : 0,
                              .image_array_size = array ? LAYERS : 0};
  cl_mem_flags flags = order == CL_sRGBA ? CL_MEM_READ_ONLY : CL_MEM_READ_WRITE;
  cl_int error;
  cl_mem made = clCreateImage(context, flags | (pixels ? CL_MEM_COPY_HOST_PTR : 0), &format, &desc,
                              (void *)pixels, &error);
  OK(error);
  return made;
}

static cl_sampler make_sampler(cl_addressing_mode addressing, cl_filter_mode filter) {
  cl_int error;
  cl_sampler made = clCreateSampler(context, CL_FALSE, addressing, filter, &error);
  OK(error);
  return made;
}

static void launch(const char *name, const size_t *size, cl_uint count, const void *const *args,
                   const size_t *sizes) {
  cl_kernel kernel = new_kernel(program, name);
  for (cl_uint i = 0; i < count; i++) OK(clSetKernelArg(kernel, i, sizes[i], args[i]));
  OK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, size, NULL, 0, NULL, NULL));
  clReleaseKernel(kernel);
}
#define LAUNCH(name, size, ...)                                                                    \
  do {                                                                                             \
    const void *const args_[] = {__VA_ARGS__};                                                     \
    const size_t sizes_[] = {8, 8, 8, 8, 8, 8, 8}; /* all are handles */                           \
    launch(name, size, sizeof args_ / sizeof *args_, args_, sizes_);                               \
  } while (0)

static void read_back(cl_mem image, const size_t *size, void *data) {
  OK(clEnqueueReadImage(queue, image, CL_TRUE, zero, size, 0, 0, data, 0, NULL, NULL));
}

/* A half is what the number is rounded to: of bytes, and of floats. */
static void check_halves(void) {
  cl_uchar bytes[PIXELS][4];
  float floats[PIXELS][4], got[PIXELS][4];
  for (int i = 0; i < PIXELS * 4; i++) {
    bytes[i / 4][i % 4] = (cl_uchar)(i * 7);
    floats[i / 4][i % 4] = (float)sin(i) * 1000;
  }
  cl_mem in[2] = {make(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_UNORM_INT8, bytes),
                  make(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_FLOAT, floats)};
  cl_mem out = make(CL_MEM_OBJECT_IMAGE2D, CL_RGBA, CL_FLOAT, NULL);
  cl_sampler sampler = make_sampler(CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  for (int k = 0; k < 2; k++) {
    LAUNCH("halves", plane, &in[k], &out, &sampler);
    read_back(out, plane, got);
    for (int i = 0; i < PIXELS * 4; i++) {
      double exact = k ? floats[i / 4][i % 4] : bytes[i / 4][i % 4] / 255.0;
      CHECK(fabs(got[i / 4][i % 4] - exact) <= fabs(exact) * 0x1.01p-11);
      CHECK((float)(_Float16)got[i / 4][i % 4] == got[i / 4][i % 4]);
    }
    clReleaseMemObject(in[k]);
  }
  clReleaseMemObject(out);
  clReleaseSampler(sampler);
}

/* Of the two types that depth images have; the border is 0. */
static void check_depths(cl_channel_type type) {
  enum { ALL = PIXELS * LAYERS };
  float value[ALL], half_of[ALL], got[ALL];
  cl_ushort words[ALL];
  bool is_float = type == CL_FLOAT;
  for (int i = 0; i < ALL; i++) {
    words[i] = (cl_ushort)(i * 401);
    value[i] = is_float ? (float)i * 0.125f : (float)words[i] / 65535;
  }
  const void *pixels = is_float ? (void *)value : (void *)words;
  cl_mem in = make(CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_DEPTH, type, pixels);
  cl_mem out = make(CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_DEPTH, CL_FLOAT, NULL);
  cl_mem between = new_buffer(context, CL_MEM_READ_WRITE, sizeof got);
  cl_sampler linear = make_sampler(CL_ADDRESS_CLAMP, CL_FILTER_LINEAR);
  LAUNCH("depths", layers, &in, &out, &linear, &between);
  read_back(out, layers, half_of);
  OK(clEnqueueReadBuffer(queue, between, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int i = 0; i < ALL; i++) {
    float right = i % WIDTH == WIDTH - 1 ? 0 : value[i + 1];
    CHECK(fabsf(half_of[i] - value[i] / 2) <= 1e-6f * value[i]);
    CHECK(fabsf(got[i] - (value[i] + right) / 2) <= 1e-5f);
  }
  cl_mem list[] = {in, out, between};
  for (int i = 0; i < 3; i++) clReleaseMemObject(list[i]);
  clReleaseSampler(linear);
}

static void check_depth(void) {
  float value[PIXELS], sum[PIXELS];
  for (int i = 0; i < PIXELS; i++) value[i] = (float)(i + 1);
  cl_mem in = make(CL_MEM_OBJECT_IMAGE2D, CL_DEPTH, CL_FLOAT, value);
  cl_mem out = make(CL_MEM_OBJECT_IMAGE2D, CL_DEPTH, CL_FLOAT, value);
  cl_sampler nearest = make_sampler(CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
  LAUNCH("depth", plane, &in, &out, &nearest);
  read_back(out, plane, sum);
  for (int i = 0; i < PIXELS; i++) {
    bool outside = i % WIDTH == 0 || i < WIDTH;
    CHECK(sum[i] == value[i] + (outside ? 0 : value[i - WIDTH - 1]));
  }
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseSampler(nearest);
}

static void check_facts(void) {
  static const size_t one[3] = {1, 1, 1};
  const struct {
    cl_mem_object_type type;
    cl_int order, channel;
  } images[6] = {{CL_MEM_OBJECT_IMAGE1D, CL_R, CL_FLOAT},
                 {CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_RGBA, CL_UNORM_INT8},
                 {CL_MEM_OBJECT_IMAGE2D, CL_sRGBA, CL_UNORM_INT8},
                 {CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_RG, CL_SIGNED_INT16},
                 {CL_MEM_OBJECT_IMAGE3D, CL_RGBA, CL_HALF_FLOAT},
                 {CL_MEM_OBJECT_IMAGE2D, CL_DEPTH, CL_UNORM_INT16}};
  static const int rest[] = {LAYERS, HEIGHT, WIDTH, HEIGHT, HEIGHT, LAYERS, HEIGHT,
                             HEIGHT, LAYERS, WIDTH, LAYERS, 0,      HEIGHT, HEIGHT};
  enum { REST = sizeof rest / sizeof *rest };
  cl_mem mem[6], out = new_buffer(context, CL_MEM_READ_WRITE, 4 * (18 + REST));
  int got[18 + REST];
  for (int i = 0; i < 6; i++)
    mem[i] = make(images[i].type, (cl_uint)images[i].order, (cl_uint)images[i].channel, NULL);
  LAUNCH("facts", one, &mem[0], &mem[1], &mem[2], &mem[3], &mem[4], &mem[5], &out);
  OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (int i = 0; i < 6; i++) {
    CHECK(got[3 * i] == WIDTH);
    CHECK(got[3 * i + 1] == images[i].channel && got[3 * i + 2] == images[i].order);
    clReleaseMemObject(mem[i]);
  }
  CHECK(!memcmp(got + 18, rest, sizeof rest));
  clReleaseMemObject(out);
}

int main(void) {
  char text[8192];
  set_up();
  cl_bool images;
  OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
  if (!images) return 77;
  FILE *file = open_kernels("image_kinds.cl");
  CHECK(file);
  text[fread(text, 1, sizeof text - 1, file)] = 0;
  fclose(file);
  program = new_program(text, "-cl-std=CL3.0");
  check_halves();
  check_depths(CL_FLOAT);
  check_depths(CL_UNORM_INT16);
  check_depth();
  check_facts();
  clReleaseProgram(program);
  tear_down();
  return 0;
}

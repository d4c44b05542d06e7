/* <opencl_image>: each sort of image read, written, sampled and asked by the kernels of image.cl,
 * against what this program reckons; what clSetKernelArg takes for the classes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateSampler */
#include "run/host.h"

enum { WIDTH = 5, HEIGHT = 4, DEEP = 3, PIXELS = WIDTH * HEIGHT * DEEP, FACTS = 9 };
enum kind { FLOATS, HALVES, INTEGERS };

static const struct sort {
  const char *name, *type;
  cl_mem_object_type object;
  cl_image_format format;
  enum kind kind;
  int height, depth, layers; /* 0: the sort has none */
} sorts[] = {
    {"image1d_buffer",
     "image1d_buffer_t",
     CL_MEM_OBJECT_IMAGE1D_BUFFER,
     {CL_RGBA, CL_SIGNED_INT32},
     INTEGERS,
     0,
     0,
     0},
    {"image1d", "image1d_t", CL_MEM_OBJECT_IMAGE1D, {CL_RGBA, CL_FLOAT}, FLOATS, 0, 0, 0},
    {"image1d_array",
     "image1d_array_t",
     CL_MEM_OBJECT_IMAGE1D_ARRAY,
     {CL_RGBA, CL_UNSIGNED_INT32},
     INTEGERS,
     0,
     0,
     DEEP},
    {"image2d", "image2d_t", CL_MEM_OBJECT_IMAGE2D, {CL_RGBA, CL_FLOAT}, FLOATS, HEIGHT, 0, 0},
    {"image2d_depth",
     "image2d_depth_t",
     CL_MEM_OBJECT_IMAGE2D,
     {CL_DEPTH, CL_FLOAT},
     FLOATS,
     HEIGHT,
     0,
     0},
    {"image2d_array",
     "image2d_array_t",
     CL_MEM_OBJECT_IMAGE2D_ARRAY,
     {CL_RGBA, CL_HALF_FLOAT},
     HALVES,
     HEIGHT,
     0,
     DEEP},
    {"image2d_array_depth",
     "image2d_array_depth_t",
     CL_MEM_OBJECT_IMAGE2D_ARRAY,
     {CL_DEPTH, CL_FLOAT},
     FLOATS,
     HEIGHT,
     0,
     DEEP},
    {"image3d",
     "image3d_t",
     CL_MEM_OBJECT_IMAGE3D,
     {CL_RGBA, CL_SIGNED_INT32},
     INTEGERS,
     HEIGHT,
     DEEP,
     0},
};
enum { SORTS = sizeof sorts / sizeof *sorts };

static size_t at_least_1(int n) {
  return n ? (size_t)n : 1;
}
static unsigned channels(const struct sort *s) {
  return s->format.image_channel_order == CL_DEPTH ? 1 : 4;
}
static bool has_sampler(const struct sort *s) {
  return s->object != CL_MEM_OBJECT_IMAGE1D_BUFFER;
}

/* Rows and slices, and a launch's axes. */
static void regions(const struct sort *s, size_t region[3]) {
  size_t axes[3] = {WIDTH, at_least_1(s->height), at_least_1(s->depth + s->layers)};
  bool rows = s->object != CL_MEM_OBJECT_IMAGE1D_ARRAY;
  region[0] = WIDTH;
  region[1] = rows ? axes[1] : axes[2];
  region[2] = rows ? axes[2] : 1;
}
static size_t num_pixels(const struct sort *s) {
  size_t region[3];
  regions(s, region);
  return region[0] * region[1] * region[2];
}

/* The number in a channel of a pixel. */
static float number(size_t pixel, unsigned channel) {
  return (float)(pixel * 4 + channel);
}

static void store(enum kind kind, void *data, size_t i, float value) {
  if (kind == FLOATS) ((float *)data)[i] = value;
  if (kind == HALVES) ((_Float16 *)data)[i] = (_Float16)value;
  if (kind == INTEGERS) ((cl_int *)data)[i] = (cl_int)value;
}
static float load(enum kind kind, const void *data, size_t i) {
  return kind == FLOATS   ? ((const float *)data)[i]
         : kind == HALVES ? (float)((const _Float16 *)data)[i]
                          : (float)((const cl_int *)data)[i];
}

static cl_mem new_image(const struct sort *s) {
  cl_context context = host_open()->context;
  cl_image_desc desc = {.image_type = s->object,
                        .image_width = WIDTH,
                        .image_height = (size_t)s->height,
                        .image_depth = (size_t)s->depth,
                        .image_array_size = (size_t)s->layers};
  cl_int code;
  if (!has_sampler(s)) {
    desc.buffer = clCreateBuffer(context, 0, 16 * PIXELS, NULL, &code);
    CL(code);
  }
  cl_mem image = clCreateImage(context, 0, &s->format, &desc, NULL, &code);
  CL(code);
  if (desc.buffer) CL(clReleaseMemObject(desc.buffer));
  return image;
}

static void write_pixels(const struct sort *s, cl_mem image) {
  char data[16 * PIXELS];
  const size_t origin[3] = {0};
  size_t region[3];
  regions(s, region);
  for (size_t i = 0; i < num_pixels(s); i++)
    for (unsigned c = 0; c < channels(s); c++)
      store(s->kind, data, i * channels(s) + c, number(i, c));
  CL(clEnqueueWriteImage(host_open()->queue, image, CL_TRUE, origin, region, 0, 0, data, 0, NULL,
                         NULL));
}

static void launch(const struct sort *s, cl_kernel kernel) {
  size_t region[3];
  regions(s, region);
  CL(clEnqueueNDRangeKernel(host_open()->queue, kernel, 3, NULL, region, NULL, 0, NULL, NULL));
  CL(clReleaseKernel(kernel));
}

static cl_kernel kernel_of(cl_program program, const char *what, const struct sort *s) {
  char name[64];
  cl_int code;
  snprintf(name, sizeof name, "%s_%s", what, s->name);
  cl_kernel kernel = clCreateKernel(program, name, &code);
  CL(code);
  return kernel;
}

static void set_memory(cl_kernel kernel, cl_uint index, cl_mem mem) {
  CL(clSetKernelArg(kernel, index, sizeof mem, &mem));
}

static bool same(const struct sort *s, const char *what, size_t i, float is, float wanted) {
  if (is == wanted) return true;
  printf("FAILED %s: %s %zu is %g, not %g\n", s->name, what, i, (double)is, (double)wanted);
  return false;
}

/* Pixels of the image against those of write_pixels, from the last one on if mirrored, and `more`.
 */
static bool check_pixels(const struct sort *s, const char *what, cl_mem image, bool mirrored,
                         float more) {
  char data[16 * PIXELS];
  const size_t origin[3] = {0};
  size_t region[3], count = num_pixels(s);
  bool good = true;
  regions(s, region);
  CL(clEnqueueReadImage(host_open()->queue, image, CL_TRUE, origin, region, 0, 0, data, 0, NULL,
                        NULL));
  for (size_t i = 0; i < count; i++)
    for (unsigned c = 0; c < channels(s); c++)
      good = good && same(s, what, i, load(s->kind, data, i * channels(s) + c),
                          number(mirrored ? count - 1 - i : i, c) + more);
  return good;
}

static bool check_facts(const struct sort *s, cl_mem facts) {
  cl_int is[FACTS];
  bool good = true;
  const cl_int wanted[FACTS] = {
      WIDTH,
      s->height,
      s->depth,
      s->layers,
      (cl_int)s->format.image_channel_data_type,
      (cl_int)s->format.image_channel_order,
      1 + (s->height > 0) + (s->depth > 0) + (s->layers > 0),
      channels(s) == 1,
      1,
  };
  CL(clEnqueueReadBuffer(host_open()->queue, facts, CL_TRUE, 0, sizeof is, is, 0, NULL, NULL));
  for (size_t i = 0; i < FACTS; i++)
    good = good && same(s, "fact", i, (float)is[i], (float)wanted[i]);
  return good;
}

static bool check_access(cl_program program, const struct sort *s, cl_mem image, cl_mem other) {
  char text[64];
  cl_kernel_arg_access_qualifier access[2];
  cl_kernel kernel = kernel_of(program, "mirror", s);
  CL(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
  for (cl_uint i = 0; i < 2; i++)
    CL(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof *access, &access[i],
                          NULL));
  bool good = !strcmp(text, s->type) && access[0] == CL_KERNEL_ARG_ACCESS_READ_ONLY &&
              access[1] == CL_KERNEL_ARG_ACCESS_WRITE_ONLY &&
              clSetKernelArg(kernel, 0, sizeof image, &image) == CL_SUCCESS &&
              clSetKernelArg(kernel, 0, sizeof other, &other) == CL_INVALID_MEM_OBJECT &&
              clSetKernelArg(kernel, 0, 4, &image) == CL_INVALID_ARG_SIZE;
  if (!good) printf("FAILED %s: argument of type %s\n", s->name, text);
  CL(clReleaseKernel(kernel));
  return good;
}

/* Channel c of pixel (x, row), of the border with x outside. */
static float bordered(long x, size_t row, unsigned c) {
  return x < 0 || x >= WIDTH ? 0.0f : number(row * WIDTH + (size_t)x, c);
}

static bool check_samples(cl_program program, const struct sort *s, cl_mem image) {
  static float out[PIXELS * 3][4];
  const struct host *host = host_open();
  bool good = true, linear = s->kind != INTEGERS;
  cl_int code;
  cl_mem result = clCreateBuffer(host->context, 0, sizeof out, NULL, &code);
  CL(code);
  cl_sampler sampler = clCreateSampler(host->context, CL_FALSE, CL_ADDRESS_CLAMP,
                                       linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &code);
  CL(code);
  cl_kernel kernel = kernel_of(program, "sample", s);
  set_memory(kernel, 0, image);
  CL(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
  set_memory(kernel, 2, result);
  launch(s, kernel);
  CL(clEnqueueReadBuffer(host->queue, result, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  for (size_t i = 0; i < num_pixels(s) * 3; i++)
    for (unsigned c = 0; c < channels(s); c++) {
      size_t row = i / 3 / WIDTH;
      long x = (long)(i / 3 % WIDTH);
      float left = bordered(x - 1, row, c), right = bordered(x + 1, row, c);
      float between = linear ? (bordered(x, row, c) + right) / 2 : right;
      float edge = x > 0 ? left : bordered(0, row, c);
      const float wanted[3] = {left, edge, between};
      good = good && same(s, "sample", i, out[i][c], wanted[i % 3]);
    }
  CL(clReleaseSampler(sampler));
  CL(clReleaseMemObject(result));
  return good;
}

static bool check(cl_program program, const struct sort *s, cl_mem other) {
  cl_int code;
  cl_mem in = new_image(s), out = new_image(s);
  cl_mem facts = clCreateBuffer(host_open()->context, CL_MEM_COPY_HOST_PTR, FACTS * sizeof(cl_int),
                                (cl_int[FACTS]){0}, &code);
  CL(code);
  write_pixels(s, in);
  cl_kernel mirror = kernel_of(program, "mirror", s), count = kernel_of(program, "count", s);
  set_memory(mirror, 0, in);
  set_memory(mirror, 1, out);
  set_memory(mirror, 2, facts);
  launch(s, mirror);
  bool good = check_pixels(s, "mirrored", out, true, 0.0f) && check_facts(s, facts) &&
              check_access(program, s, in, other) &&
              (!has_sampler(s) || check_samples(program, s, in));
  set_memory(count, 0, in);
  launch(s, count);
  good = good && check_pixels(s, "counted", in, false, 1.0f);
  CL(clReleaseMemObject(in));
  CL(clReleaseMemObject(out));
  CL(clReleaseMemObject(facts));
  if (good) printf("ok %s\n", s->name);
  return good;
}

int main(int argc, char **argv) {
  if (argc < 2) die("%s FILE.cl", *argv);
  char *source = read_file(argv[1]);
  cl_program program = host_build(source, "-cl-std=c++ -cl-kernel-arg-info");
  int failed = 0;
  for (unsigned i = 0; i < SORTS; i++) {
    cl_mem other = new_image(&sorts[(i + 1) % SORTS]);
    failed |= !check(program, &sorts[i], other);
    CL(clReleaseMemObject(other));
  }
  CL(clReleaseProgram(program));
  free(source);
  return failed;
}

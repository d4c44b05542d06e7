/* Images and samplers as arguments of kernels. */
#include "api.h"

enum { WIDTH = 4, HEIGHT = 3 };

static const char *const source =
    "kernel void add(read_only image2d_t from, write_only image2d_t to, sampler_t s, int by) {"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "  write_imagei(to, at, read_imagei(from, s, at - (int2)(1, 0)) + by); }"
    "kernel void twice(read_write image2d_t image) {"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "  write_imagei(image, at, read_imagei(image, at) * 2); }"
    "kernel void all(read_only image1d_t a, read_only image1d_buffer_t b,"
    "    read_only image1d_array_t c, read_only image2d_array_t d, read_only image3d_t e,"
    "    read_only image2d_depth_t f, read_only image2d_array_depth_t g, global int *to) {"
    "  to[0] = get_image_width(a); to[1] = get_image_width(b);"
    "  to[2] = get_image_array_size(c); to[3] = get_image_height(d); to[4] = get_image_depth(e);"
    "  to[5] = get_image_height(f); to[6] = get_image_array_size(g);"
    "  to[7] = get_image_channel_order(f) == CLK_DEPTH; }";

static const cl_image_format r32i = {CL_R, CL_SIGNED_INT32}, r32f = {CL_R, CL_FLOAT};
static cl_program program;
static cl_sampler sampler;

static cl_mem plane(cl_mem_flags flags, const cl_image_format *format, cl_int *pixels) {
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  cl_int error;
  if (pixels) flags |= CL_MEM_COPY_HOST_PTR;
  cl_mem image = clCreateImage(context, flags, format, &desc, pixels, &error);
  EXPECT(CL_SUCCESS, error);
  return image;
}

static void set_images(cl_kernel kernel, cl_mem from, cl_mem to, cl_int by) {
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof from, &from));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof to, &to));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof sampler, &sampler));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 3, sizeof by, &by));
}

static void run(cl_kernel kernel, cl_mem image, cl_int pixels[HEIGHT][WIDTH]) {
  static const size_t zero[3] = {0}, size[3] = {WIDTH, HEIGHT, 1};
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadImage(queue, image, CL_TRUE, zero, size, 0, 0, pixels, 0, NULL, NULL));
}

/* What is outside is 0, with one channel; each clone has its own arguments. */
static void check_kernels(void) {
  cl_int in[HEIGHT][WIDTH], out[HEIGHT][WIDTH];
  for (int i = 0; i < WIDTH * HEIGHT; i++) in[i / WIDTH][i % WIDTH] = i * i - 7;
  cl_mem from = plane(CL_MEM_READ_ONLY, &r32i, &in[0][0]), to = plane(0, &r32i, NULL);
  cl_kernel add = clCreateKernel(program, "add", NULL),
            twice = clCreateKernel(program, "twice", NULL);
  set_images(add, from, to, 5);
  cl_kernel clone = clCloneKernel(add, NULL);
  set_images(add, to, plane(0, &r32i, NULL), 1000);
  run(clone, to, out);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) CHECK(out[y][x] == (x ? in[y][x - 1] : 0) + 5);
  EXPECT(CL_SUCCESS, clSetKernelArg(twice, 0, sizeof to, &to));
  run(twice, to, out);
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH; x++) CHECK(out[y][x] == 2 * ((x ? in[y][x - 1] : 0) + 5));
  clReleaseMemObject(from);
  clReleaseMemObject(to);
  clReleaseKernel(add);
  clReleaseKernel(clone);
  clReleaseKernel(twice);
}

/* --- An argument of every type takes its own sort of images only --- */

static cl_mem make(cl_mem_object_type type, const cl_image_format *format) {
  cl_image_desc desc = {type, 8, 7, 6, 5, 0, 0, 0, 0, {NULL}};
  if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER)
    desc.mem_object = clCreateBuffer(context, 0, 64, NULL, NULL);
  cl_mem image = clCreateImage(context, 0, format, &desc, NULL, NULL);
  if (desc.mem_object) clReleaseMemObject(desc.mem_object);
  return image;
}

static void check_types(void) {
  static const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
  static const cl_int expected[8] = {8, 8, 5, 7, 6, 7, 5, 1};
  cl_mem images[] = {
      make(CL_MEM_OBJECT_IMAGE1D, &r32f),        make(CL_MEM_OBJECT_IMAGE1D_BUFFER, &r32f),
      make(CL_MEM_OBJECT_IMAGE1D_ARRAY, &r32f),  make(CL_MEM_OBJECT_IMAGE2D_ARRAY, &r32f),
      make(CL_MEM_OBJECT_IMAGE3D, &r32f),        make(CL_MEM_OBJECT_IMAGE2D, &depth),
      make(CL_MEM_OBJECT_IMAGE2D_ARRAY, &depth), make(CL_MEM_OBJECT_IMAGE2D, &r32f)};
  cl_int out[8] = {0};
  const size_t one = 1;
  cl_mem buffer = clCreateBuffer(context, 0, sizeof out, NULL, NULL);
  cl_kernel kernel = clCreateKernel(program, "all", NULL);
  for (cl_uint arg = 0; arg < 7; arg++) {
    for (cl_uint i = 0; i < 8; i++)
      if (i != arg)
        EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, arg, sizeof(cl_mem), &images[i]));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, arg, sizeof(cl_mem), &buffer));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, arg, sizeof(cl_mem), NULL));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, arg, 4, &images[arg]));
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, arg, sizeof(cl_mem), &images[arg]));
  }
  EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 7, sizeof(cl_mem), &images[0]));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 7, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
  for (int i = 0; i < 8; i++) CHECK(out[i] == expected[i]);
  for (int i = 0; i < 8; i++) clReleaseMemObject(images[i]);
  clReleaseMemObject(buffer);
  clReleaseKernel(kernel);
}

/* --- Pixels in memory of the program's, which are aligned as their elements are --- */

static void check_alignment(void) {
  enum { WIDTH = 8 };
  static const cl_image_format formats[] = {{CL_RGBA, CL_FLOAT}, {CL_RGBA, CL_HALF_FLOAT}};
  static const size_t sizes[] = {16, 8}, one = 1;
  cl_device_svm_capabilities svm = 0;
  clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL);
  cl_program own = build("kernel void sum(read_only image1d_buffer_t in, global float *out) {"
                         "  float4 sum = 0;"
                         "  for (int i = 0; i < get_image_width(in); i++) sum += read_imagef(in, i);"
                         "  *out = sum.x + sum.y + sum.z + sum.w; }",
                         "-cl-std=CL3.0");
  cl_kernel sum = clCreateKernel(own, "sum", NULL);
  cl_mem out = clCreateBuffer(context, 0, sizeof(cl_float), NULL, NULL);
  char *block = svm ? clSVMAlloc(context, 0, 256, 0) : calloc(1, 256);
  for (int f = 0; f < 2; f++) {
    size_t element = sizes[f] / 4, bytes = WIDTH * sizes[f];
    cl_float found = 0;
    if (svm) clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, block, 256, 0, NULL, NULL);
    for (int i = 0; i < 4 * WIDTH; i++)
      memcpy(block + element * (size_t)(i + 1), f ? (void *)&(cl_half){0x3c00} : &(cl_float){1},
             element);
    if (svm) clEnqueueSVMUnmap(queue, block, 0, NULL, NULL);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, bytes, block + element, NULL);
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = WIDTH};
    desc.mem_object = buffer;
    cl_mem image = clCreateImage(context, CL_MEM_READ_ONLY, &formats[f], &desc, NULL, NULL);
    CHECK(buffer && image);
    clSetKernelArg(sum, 0, sizeof image, &image);
    clSetKernelArg(sum, 1, sizeof out, &out);
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, sum, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof found, &found, 0, NULL, NULL));
    CHECK(found == 4 * WIDTH);
    clReleaseMemObject(image);
    clReleaseMemObject(buffer);
  }
  if (svm)
    clSVMFree(context, block);
  else
    free(block);
  clReleaseMemObject(out);
  clReleaseKernel(sum);
  clReleaseProgram(own);
}

/* --- As many as the device says it takes --- */

static char *append(char *at, const char *format, int number) {
  return at + sprintf(at, format, number);
}

static void check_many(void) {
  enum { MOST = 128, KINDS = 5 };
  static char text[MOST * 128];
  cl_uint most = 0;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_READ_IMAGE_ARGS, sizeof most, &most, NULL));
  const int count = most < MOST ? (int)most : MOST;
  char *at = text + sprintf(text, "kernel void many(");
  for (int i = 0; i < count; i++) at = append(at, "read_only image2d_t a%d, ", i);
  at += sprintf(at, "global int *to) { *to = 0;");
  for (int i = 0; i < count; i++) {
    at = append(at, " *to += %d", i + 1);
    at = append(at, " * get_image_width(a%d);", i);
  }
  strcpy(at, " }");
  cl_program own = build(text, "-cl-std=CL3.0");
  cl_kernel many = clCreateKernel(own, "many", NULL);
  cl_mem images[KINDS], out = clCreateBuffer(context, 0, sizeof(cl_int), NULL, NULL);
  for (int k = 0; k < KINDS; k++) {
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = (size_t)(3 * k + 1),
                                .image_height = 2};
    images[k] = clCreateImage(context, 0, &r32f, &desc, NULL, NULL);
  }
  cl_int expected = 0, is = 0;
  for (int i = 0; i < count; i++) {
    expected += (i + 1) * (3 * (i % KINDS) + 1);
    EXPECT(CL_SUCCESS, clSetKernelArg(many, (cl_uint)i, sizeof *images, &images[i % KINDS]));
  }
  const size_t one = 1;
  EXPECT(CL_SUCCESS, clSetKernelArg(many, (cl_uint)count, sizeof out, &out));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, many, 1, NULL, &one, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof is, &is, 0, NULL, NULL));
  CHECK(count == MOST && is == expected);
  for (int k = 0; k < KINDS; k++) clReleaseMemObject(images[k]);
  clReleaseMemObject(out);
  clReleaseKernel(many);
  clReleaseProgram(own);
}

/* --- What flags and formats do not allow; things that are none --- */

static void check_access(void) {
  static const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8};
  cl_kernel add = clCreateKernel(program, "add", NULL),
            twice = clCreateKernel(program, "twice", NULL);
  cl_mem reads = plane(CL_MEM_READ_ONLY, &r32i, NULL),
         writes = plane(CL_MEM_WRITE_ONLY, &r32i, NULL);
  cl_mem linear = plane(CL_MEM_READ_ONLY, &srgb, NULL);
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(add, 0, sizeof writes, &writes));
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(add, 1, sizeof reads, &reads));
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(add, 1, sizeof linear, &linear));
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(twice, 0, sizeof reads, &reads));
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(twice, 0, sizeof writes, &writes));
  EXPECT(CL_SUCCESS, clSetKernelArg(add, 0, sizeof linear, &linear));
  EXPECT(CL_INVALID_SAMPLER, clSetKernelArg(add, 2, sizeof sampler, NULL));
  EXPECT(CL_INVALID_SAMPLER, clSetKernelArg(add, 2, sizeof reads, &reads));
  EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(add, 2, 2 * sizeof sampler, &sampler));
  const size_t size[2] = {WIDTH, HEIGHT};
  EXPECT(CL_INVALID_KERNEL_ARGS,
         clEnqueueNDRangeKernel(queue, add, 2, NULL, size, NULL, 0, NULL, NULL));
  clReleaseMemObject(reads);
  clReleaseMemObject(writes);
  clReleaseMemObject(linear);
  clReleaseKernel(add);
  clReleaseKernel(twice);
}

static void check_info(void) {
  static const struct {
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_address_qualifier space;
    const char *type;
  } args[] = {{CL_KERNEL_ARG_ACCESS_READ_ONLY, CL_KERNEL_ARG_ADDRESS_GLOBAL, "image2d_t"},
              {CL_KERNEL_ARG_ACCESS_WRITE_ONLY, CL_KERNEL_ARG_ADDRESS_GLOBAL, "image2d_t"},
              {CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ADDRESS_PRIVATE, "sampler_t"}};
  cl_kernel add = clCreateKernel(program, "add", NULL);
  for (cl_uint i = 0; i < 3; i++) {
    cl_kernel_arg_access_qualifier access = 0;
    cl_kernel_arg_address_qualifier space = 0;
    char type[32] = "";
    EXPECT(CL_SUCCESS, clGetKernelArgInfo(add, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
                                          &access, NULL));
    EXPECT(CL_SUCCESS,
           clGetKernelArgInfo(add, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    EXPECT(CL_SUCCESS,
           clGetKernelArgInfo(add, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL));
    CHECK(access == args[i].access);
    CHECK(space == args[i].space);
    CHECK(!strcmp(type, args[i].type));
  }
  clReleaseKernel(add);
}

int main(void) {
  open_device();
  if (has_images()) {
    program = build(source, "-cl-std=CL3.0 -cl-kernel-arg-info");
    sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, NULL);
    check_kernels();
    check_types();
    check_alignment();
    check_many();
    check_access();
    check_info();
    clReleaseSampler(sampler);
    clReleaseProgram(program);
  }
  return finish();
}

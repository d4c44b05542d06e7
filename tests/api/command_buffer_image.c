/* Images in command-buffers: each command that takes one, and kernels, done more than once. */
#include "command_buffers.h"

enum { WIDTH = 8, HEIGHT = 6, PIXELS = WIDTH * HEIGHT };
typedef struct {
  cl_uchar c[4];
} pixel;

static const char *const source =
    "kernel void twice(read_only image2d_t in, write_only image2d_t out, uint add) {"
    "  int2 at = (int2)(get_global_id(0), get_global_id(1));"
    "  write_imageui(out, at, read_imageui(in, at) * 2 + add);"
    "}";

static cl_mem a, b, given, result;

static cl_mem new_image(void) {
  const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  cl_int error;
  cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  return image;
}

static void set(cl_kernel kernel, cl_mem in, cl_mem out, cl_uint add) {
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof in, &in));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof add, &add));
}

static const size_t zero[3], whole[3] = {WIDTH, HEIGHT, 1};
static const size_t at[3] = {2, 1, 0}, size[3] = {4, 3, 1};     /* from the buffer into a */
static const size_t corner[3] = {5, 4, 0}, part[3] = {3, 2, 1}; /* from b into a */

static cl_command_buffer_khr record(cl_kernel kernel) {
  static const cl_uint colour[4] = {9, 8, 7, 6};
  fill_image_fn *fill_image = (fill_image_fn *)address("clCommandFillImageKHR");
  copy_image_fn *copy_image = (copy_image_fn *)address("clCommandCopyImageKHR");
  to_image_fn *to_image = (to_image_fn *)address("clCommandCopyBufferToImageKHR");
  from_image_fn *from_image = (from_image_fn *)address("clCommandCopyImageToBufferKHR");
  cl_int error;
  cl_command_buffer_khr made = create(1, &queue, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, fill_image(made, NULL, NULL, a, colour, zero, whole, 0, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, to_image(made, NULL, NULL, given, a, 4, at, size, 0, NULL, NULL, NULL));
  set(kernel, a, b, 1);
  EXPECT(CL_SUCCESS, launch(made, NULL, NULL, kernel, 2, NULL, whole, NULL, 0, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, copy_image(made, NULL, NULL, b, a, zero, corner, part, 0, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, from_image(made, NULL, NULL, a, result, zero, whole, 0, 0, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, finalize(made));
  set(kernel, b, a, 100); /* not of what was recorded */
  return made;
}

static void check(cl_command_buffer_khr commands, unsigned round) {
  pixel in[PIXELS + 1], wanted[PIXELS], second[PIXELS], got[PIXELS];
  for (unsigned i = 0; i <= PIXELS; i++)
    for (unsigned c = 0; c < 4; c++) in[i].c[c] = (cl_uchar)(i + 10 * c + round);
  for (unsigned i = 0; i < PIXELS; i++) wanted[i] = (pixel){{9, 8, 7, 6}};
  for (unsigned y = 0; y < size[1]; y++)
    for (unsigned x = 0; x < size[0]; x++)
      wanted[(at[1] + y) * WIDTH + at[0] + x] = in[1 + y * size[0] + x];
  for (unsigned i = 0; i < PIXELS; i++)
    for (unsigned c = 0; c < 4; c++) second[i].c[c] = (cl_uchar)(wanted[i].c[c] * 2 + 1);
  for (unsigned y = 0; y < part[1]; y++)
    for (unsigned x = 0; x < part[0]; x++)
      wanted[(corner[1] + y) * WIDTH + corner[0] + x] = second[y * WIDTH + x];
  EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queue, given, CL_TRUE, 0, sizeof in, in, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, enqueue(0, NULL, commands, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(queue, result, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  CHECK(!memcmp(got, wanted, sizeof got));
  EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, b, CL_TRUE, zero, whole, 0, 0, got, 0, NULL, NULL));
  CHECK(!memcmp(got, second, sizeof got));
}

int main(void) {
  cl_int error;
  open_command_buffers();
  if (!has_images()) return finish();
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_kernel kernel = clCreateKernel(program, "twice", &error);
  EXPECT(CL_SUCCESS, error);
  a = new_image(), b = new_image();
  given = clCreateBuffer(context, 0, sizeof(pixel) * (PIXELS + 1), NULL, &error);
  result = clCreateBuffer(context, 0, sizeof(pixel) * PIXELS, NULL, &error);
  cl_command_buffer_khr commands = record(kernel);
  clReleaseKernel(kernel); /* the command-buffer keeps it */
  for (unsigned round = 0; round < 3; round++) check(commands, round);
  EXPECT(CL_SUCCESS, release(commands));
  const cl_mem all[] = {a, b, given, result};
  for (unsigned i = 0; i < 4; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(all[i]));
  clReleaseProgram(program);
  return finish();
}

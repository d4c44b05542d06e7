/* What lies side by side is one call of the driver's, however many rows and slices it is; and the rows of a
 * part are few. */
#include "api/api.h"
#include "cuda/open_twin.h"

enum { WIDTH = 8, HEIGHT = 4, LAYERS = 16, PIXELS = WIDTH * HEIGHT * LAYERS };
static const char *const calls[] = {"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
                                    "cuMemcpy2DAsync_v2",   "cuMemcpyDtoDAsync_v2",
                                    "cuMemsetD8Async",      "cuMemsetD16Async",
                                    "cuMemsetD32Async",     "cuMemsetD2D8Async",
                                    "cuMemsetD2D16Async",   "cuMemsetD2D32Async",
                                    "cuLaunchKernel"};
enum { CALLS = sizeof calls / sizeof *calls };
static const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
static const struct {
  cl_mem_object_type type;
  size_t height, depth, layers, region[3];
} shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, LAYERS, {WIDTH, LAYERS, 1}},
    {CL_MEM_OBJECT_IMAGE2D, HEIGHT, 0, 0, {WIDTH, HEIGHT, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, HEIGHT, 0, LAYERS, {WIDTH, HEIGHT, LAYERS}},
    {CL_MEM_OBJECT_IMAGE3D, HEIGHT, LAYERS, 0, {WIDTH, HEIGHT, LAYERS}},
};

static const struct twin_control *control;

static unsigned long count(void) {
  unsigned long sum = 0;
  for (int i = 0; i < CALLS; i++) sum += control->count(calls[i]);
  return sum;
}

/* Written when it is made, read, filled, and read again. */
static void check_shape(unsigned n) {
  const size_t origin[3] = {0}, *region = shapes[n].region;
  cl_image_desc desc = {.image_type = shapes[n].type,
                        .image_width = WIDTH,
                        .image_height = shapes[n].height,
                        .image_depth = shapes[n].depth,
                        .image_array_size = shapes[n].layers};
  const cl_uint colour[4] = {7, 8, 9, 10};
  cl_uint pixels[PIXELS], got[PIXELS];
  cl_int error;
  for (cl_uint i = 0; i < PIXELS; i++) pixels[i] = i * 0x01030507u;
  unsigned long before = count();
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, pixels, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS,
         clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
  CHECK(!memcmp(got, pixels, region[0] * region[1] * region[2] * sizeof *got));
  CHECK(count() - before <= 2);
  EXPECT(CL_SUCCESS, clEnqueueFillImage(queue, image, colour, origin, region, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
  for (size_t i = 0; i < region[0] * region[1] * region[2]; i++) CHECK(got[i] == 0x0a090807);
  CHECK(count() - before <= 4);
  EXPECT(CL_SUCCESS, clReleaseMemObject(image));
}

/* A part of an image, and nothing beside it. */
static void check_part(cl_channel_order order, cl_channel_type type, size_t pixel, unsigned long most) {
  enum { COLUMNS = 40, ROWS = 60, LARGEST = 16 };
  static unsigned char before_it[COLUMNS * ROWS * LARGEST], got[COLUMNS * ROWS * LARGEST];
  const cl_image_format of = {order, type};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = COLUMNS, .image_height = ROWS};
  const size_t origin[3] = {0}, all[3] = {COLUMNS, ROWS, 1}, from[3] = {3, 5, 0}, part[3] = {31, 50, 1};
  const cl_uint colour[4] = {21, 22, 23, 24};
  cl_int error;
  for (size_t i = 0; i < sizeof before_it; i++) before_it[i] = (unsigned char)(i % 251 + 1);
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &of, &desc, before_it, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clFinish(queue));
  unsigned long before = count();
  EXPECT(CL_SUCCESS, clEnqueueFillImage(queue, image, colour, from, part, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(count() - before <= most);
  EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, origin, all, 0, 0, got, 0, NULL, NULL));
  for (size_t y = 0; y < ROWS; y++)
    for (size_t x = 0; x < COLUMNS; x++)
      for (size_t i = 0; i < pixel; i++) {
        bool inside = x - from[0] < part[0] && y - from[1] < part[1];
        size_t at = (y * COLUMNS + x) * pixel + i, channel = type == CL_UNSIGNED_INT8 ? i : i / 4;
        unsigned char filled = type == CL_UNSIGNED_INT8 || i % 4 == 0 ? (unsigned char)(21 + channel) : 0;
        CHECK(got[at] == (inside ? filled : before_it[at]));
      }
  EXPECT(CL_SUCCESS, clReleaseMemObject(image));
}

/* So many of a pattern: how many calls they take. */
static void check_pattern(const cl_uint *pattern, size_t words, size_t times, unsigned long most) {
  enum { MOST_TIMES = 10000 }; /* more than a beginning that is filled by words */
  static cl_uint got[4 * MOST_TIMES];
  cl_uint other = 5;
  size_t pattern_size = words * sizeof *pattern, size = pattern_size * times;
  cl_int error;
  cl_mem mem = clCreateBuffer(context, 0, size + 2 * pattern_size, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, mem, &other, sizeof other, 0, size + 2 * pattern_size, 0, NULL, NULL));
  unsigned long before = count();
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, mem, pattern, pattern_size, pattern_size, size, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(count() - before <= most);
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, mem, CL_TRUE, pattern_size, size, got, 0, NULL, NULL));
  for (size_t i = 0; i < words * times; i++) CHECK(got[i] == pattern[i % words]);
  for (size_t at = 0; at <= pattern_size + size; at += pattern_size + size) { /* in front, and behind */
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, mem, CL_TRUE, at, pattern_size, got, 0, NULL, NULL));
    for (size_t i = 0; i < words; i++) CHECK(got[i] == other);
  }
  EXPECT(CL_SUCCESS, clReleaseMemObject(mem));
}

/* Rows of all slices, more than there are threads for. */
static void check_many_rows(void) {
  enum { COLUMNS = 3, ROWS = 100, SLICES = 90 };
  static cl_uint2 got[COLUMNS * ROWS * SLICES];
  const cl_image_format of = {CL_RG, CL_UNSIGNED_INT32};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                              .image_width = COLUMNS,
                              .image_height = ROWS,
                              .image_depth = SLICES};
  const size_t origin[3] = {0}, all[3] = {COLUMNS, ROWS, SLICES}, from[3] = {1, 0, 0}, part[3] = {1, ROWS, SLICES};
  const cl_uint colour[4] = {21, 22, 23, 24};
  cl_int error;
  memset(got, 0xff, sizeof got);
  cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &of, &desc, got, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clEnqueueFillImage(queue, image, colour, from, part, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, origin, all, 0, 0, got, 0, NULL, NULL));
  for (size_t i = 0; i < COLUMNS * ROWS * SLICES; i++) {
    CHECK(got[i].s[0] == (i % COLUMNS == 1 ? 21 : ~0u));
    CHECK(got[i].s[1] == (i % COLUMNS == 1 ? 22 : ~0u));
  }
  EXPECT(CL_SUCCESS, clReleaseMemObject(image));
}

/* copies [by_copies]: the driver does not take the kernel that fills. */
int main(int argc, char **argv) {
  bool by_copies = argc > 1;
  cl_uint pattern[32];
  for (cl_uint i = 0; i < 32; i++) pattern[i] = i + 1;
  open_device();
  control = open_twin();
  CHECK(control);
  for (unsigned n = 0; control && n < sizeof shapes / sizeof *shapes; n++) check_shape(n);
  if (control) {
    check_part(CL_R, CL_UNSIGNED_INT8, 1, 1);
    check_part(CL_RG, CL_UNSIGNED_INT8, 2, 1);
    check_part(CL_RGBA, CL_UNSIGNED_INT8, 4, 1);
    check_part(CL_RG, CL_UNSIGNED_INT32, 8, by_copies ? 2 + 6 : 1);
    check_part(CL_RGBA, CL_UNSIGNED_INT32, 16, by_copies ? 4 + 6 : 1);
    check_many_rows();
    check_pattern(pattern, 4, 100, by_copies ? 4 : 1);
    check_pattern((const cl_uint[4]){1, 2, 1, 2}, 4, 100, by_copies ? 2 : 1);
    check_pattern(pattern, 4, 10000, by_copies ? 4 + 2 : 1);
    check_pattern(pattern, 8, 100, by_copies ? 8 : 1);
    check_pattern(pattern, 32, 41, by_copies ? 32 : 1);
    check_pattern((const cl_uint[4]){9, 9, 9, 9}, 4, 100, 1);
    check_pattern((const cl_uint[4]){0, 0, 0, 0}, 4, 100, 1);
  }
  return finish();
}

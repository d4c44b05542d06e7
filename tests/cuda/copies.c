/* What lies side by side is one call of the driver's, however many rows and slices it is; and the rows of a
 * part are few. */
#include "api/api.h"
#include "cuda/open_twin.h"

enum { WIDTH = 8, HEIGHT = 4, LAYERS = 16, PIXELS = WIDTH * HEIGHT * LAYERS };
static const char *const calls[] = {"cuMemcpyHtoDAsync_v2", "cuMemcpyDtoHAsync_v2",
                                    "cuMemcpy2DAsync_v2",   "cuMemcpyDtoDAsync_v2",
                                    "cuMemsetD8Async",      "cuMemsetD16Async",
                                    "cuMemsetD32Async",     "cuMemsetD2D8Async",
                                    "cuMemsetD2D16Async",   "cuMemsetD2D32Async"};
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

/* So many of a pattern of which the driver fills with each word, or of which all words are the same: how many
 * calls they take. */
static void check_pattern(const cl_uint pattern[4], size_t times, unsigned long most) {
  enum { MOST_TIMES = 10000 }; /* more than a beginning that is filled by words */
  static cl_uint got[4 * MOST_TIMES];
  cl_uint other = 5;
  size_t size = 16 * times;
  cl_int error;
  cl_mem mem = clCreateBuffer(context, 0, size + 32, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, mem, &other, sizeof other, 0, size + 32, 0, NULL, NULL));
  unsigned long before = count();
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queue, mem, pattern, 16, 16, size, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(count() - before <= most);
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, mem, CL_TRUE, 16, size, got, 0, NULL, NULL));
  for (size_t i = 0; i < 4 * times; i++) CHECK(got[i] == pattern[i % 4]);
  for (size_t at = 0; at <= 16 + size; at += 16 + size) { /* in front, and behind */
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, mem, CL_TRUE, at, 16, got, 0, NULL, NULL));
    for (int i = 0; i < 4; i++) CHECK(got[i] == other);
  }
  EXPECT(CL_SUCCESS, clReleaseMemObject(mem));
}

int main(void) {
  open_device();
  control = open_twin();
  CHECK(control);
  for (unsigned n = 0; control && n < sizeof shapes / sizeof *shapes; n++) check_shape(n);
  if (control) {
    check_part(CL_R, CL_UNSIGNED_INT8, 1, 1);
    check_part(CL_RG, CL_UNSIGNED_INT8, 2, 1);
    check_part(CL_RGBA, CL_UNSIGNED_INT8, 4, 1);
    check_part(CL_RG, CL_UNSIGNED_INT32, 8, 2 + 6);
    check_part(CL_RGBA, CL_UNSIGNED_INT32, 16, 4 + 6);
    check_pattern((const cl_uint[4]){1, 2, 3, 4}, 100, 4);
    check_pattern((const cl_uint[4]){1, 2, 1, 2}, 100, 2);
    check_pattern((const cl_uint[4]){1, 2, 3, 4}, 10000, 4 + 2);
    check_pattern((const cl_uint[4]){9, 9, 9, 9}, 100, 1);
    check_pattern((const cl_uint[4]){0, 0, 0, 0}, 100, 1);
  }
  return finish();
}

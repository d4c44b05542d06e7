/* Intel's blocks of 2D images: all element types and numbers of rows, in the middle of the image,
 * at its edges and far outside, beside the same byte by byte on the host. */
#include "api.h"

enum { WIDTH = 37, HEIGHT = 21, MOST_LANES = 32, MOST = 16 };

/* One sub-group; `at` is the same for all. */
static const char source[] =
    "#define BOTH(T, SUFFIX, N)\\\n"
    "kernel __attribute__((intel_reqd_sub_group_size(LANES)))\\\n"
    "void get##SUFFIX##N(read_only image2d_t from, int2 at, global T *out) {\\\n"
    "  T##N v = intel_sub_group_block_read##SUFFIX##N(from, at);\\\n"
    "  for (int i = 0; i < sizeof(T##N) / sizeof(T); i++)\\\n"
    "    out[i * LANES + get_sub_group_local_id()] = ((T *)&v)[i];\\\n"
    "}\\\n"
    "kernel __attribute__((intel_reqd_sub_group_size(LANES)))\\\n"
    "void put##SUFFIX##N(write_only image2d_t to, int2 at, global T *in) {\\\n"
    "  T##N v = 0;\\\n"
    "  for (int i = 0; i < sizeof(T##N) / sizeof(T); i++)\\\n"
    "    ((T *)&v)[i] = in[i * LANES + get_sub_group_local_id()];\\\n"
    "  intel_sub_group_block_write##SUFFIX##N(to, at, v);\\\n"
    "}\n"
    "#define TO_8(T, SUFFIX) BOTH(T, SUFFIX, ) BOTH(T, SUFFIX, 2) BOTH(T, SUFFIX, 4)"
    " BOTH(T, SUFFIX, 8)\n"
    "TO_8(uint, ) TO_8(uint, _ui) TO_8(ushort, _us) TO_8(uchar, _uc) TO_8(ulong, _ul)\n"
    "BOTH(ushort, _us, 16) BOTH(uchar, _uc, 16)\n"
    /* Both ways on one image, each sub-group on rows of its own. */
    "kernel __attribute__((intel_reqd_sub_group_size(LANES)))\n"
    "void twice(read_write image2d_t both) {\n"
    "  int2 at = (int2)(0, (int)get_group_id(0) * 2);\n"
    "  uint2 v = intel_sub_group_block_read_ui2(both, at);\n"
    "  intel_sub_group_block_write_ui2(both, at, v * 2 + (uint)get_sub_group_local_id());\n"
    "}\n";

static const struct element {
  const char *suffix;
  int size, most;
} elements[] = {{"", 4, 8}, {"_ui", 4, 8}, {"_us", 2, 16}, {"_uc", 1, 16}, {"_ul", 8, 8}};

static const struct format {
  cl_image_format format;
  int size;
} formats[] = {{{CL_R, CL_UNSIGNED_INT8}, 1},
               {{CL_RG, CL_UNSIGNED_INT8}, 2},
               {{CL_RGBA, CL_UNORM_INT8}, 4},
               {{CL_R, CL_FLOAT}, 4},
               {{CL_RGBA, CL_UNSIGNED_INT16}, 8}};

static const int places[][2] = {{0, 0},   {4, 3},    {3, 1},    {-4, -1},        {-7, 5},
                                {20, 19}, {100, 20}, {136, 12}, {INT32_MIN, 2},  {INT32_MAX, 4},
                                {8, -9},  {8, 21},   {-2, -40}, {16, INT32_MAX}, {12, INT32_MIN}};
enum { NUM_PLACES = sizeof places / sizeof *places };

static unsigned char before[HEIGHT][WIDTH * 8], after[HEIGHT][WIDTH * 8];
static int pixel; /* bytes of one */

static long nearest(long i, long count) {
  return i < 0 ? 0 : i < count ? i : count - 1;
}

/* The byte at a place, or the nearest pixel's. */
static unsigned char *byte_at(unsigned char (*rows)[WIDTH * 8], long x, long y) {
  long first = x >= 0 ? x / pixel : -((-x + pixel - 1) / pixel), in_pixel = x - first * pixel;
  return &rows[nearest(y, HEIGHT)][nearest(first, WIDTH) * pixel + in_pixel];
}

static size_t lanes; /* of a sub-group */
static const size_t origin[3] = {0}, all[3] = {WIDTH, HEIGHT, 1};
static cl_program program;

static void set_and_run(cl_kernel kernel, cl_mem image, const int *at, cl_mem values) {
  const cl_int2 place = {{at[0], at[1]}};
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof image, &image));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof place, &place));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 2, sizeof values, &values));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &lanes, &lanes, 0, NULL, NULL));
}

static int check_read(cl_kernel kernel, cl_mem image, const int *at, int size, int rows) {
  unsigned char got[MOST_LANES * 8 * MOST];
  cl_mem out = clCreateBuffer(context, 0, sizeof got, NULL, NULL);
  int wrong = 0;
  set_and_run(kernel, image, at, out);
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  for (long k = 0; k < rows; k++)
    for (long x = 0; x < (long)lanes * size; x++)
      wrong += got[k * (long)lanes * size + x] != *byte_at(before, at[0] + x, at[1] + k);
  clReleaseMemObject(out);
  return wrong;
}

static int check_write(cl_kernel kernel, cl_mem image, const int *at, int size, int rows) {
  unsigned char values[MOST_LANES * 8 * MOST], expected[HEIGHT][WIDTH * 8];
  for (size_t i = 0; i < sizeof values; i++) values[i] = (unsigned char)(i * 7 + 3);
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, NULL);
  const size_t pitch = sizeof *before;
  EXPECT(CL_SUCCESS,
         clEnqueueWriteImage(queue, image, CL_TRUE, origin, all, pitch, 0, before, 0, NULL, NULL));
  set_and_run(kernel, image, at, in);
  memcpy(expected, before, sizeof expected);
  memcpy(after, before, sizeof after);
  EXPECT(CL_SUCCESS,
         clEnqueueReadImage(queue, image, CL_TRUE, origin, all, pitch, 0, after, 0, NULL, NULL));
  for (long k = 0; k < rows; k++)
    for (long i = 0; i < (long)lanes * size; i++) {
      long x = at[0] + i, y = at[1] + k;
      if (x >= 0 && x < WIDTH * pixel && y >= 0 && y < HEIGHT)
        expected[y][x] = values[k * (long)lanes * size + i];
    }
  clReleaseMemObject(in);
  return memcmp(expected, after, sizeof after) != 0;
}

static void check_element(const struct element *element, int rows, cl_mem image) {
  char name[2][32], number[12] = "";
  if (rows > 1) snprintf(number, sizeof number, "%d", rows);
  snprintf(name[0], sizeof name[0], "get%s%s", element->suffix, number);
  snprintf(name[1], sizeof name[1], "put%s%s", element->suffix, number);
  cl_kernel get = clCreateKernel(program, name[0], NULL), put = clCreateKernel(program, name[1], 0);
  CHECK(get && put);
  for (int i = 0; i < NUM_PLACES; i++) {
    int at[2] = {places[i][0], places[i][1]};
    int wrong = check_read(get, image, at, element->size, rows);
    at[0] &= ~7; /* what is written begins at an element */
    wrong += check_write(put, image, at, element->size, rows);
    if (wrong)
      failures++, printf("%s: %d wrong at %d, %d, pixels of %d bytes\n", name[0], wrong,
                         places[i][0], places[i][1], pixel);
    EXPECT(CL_SUCCESS, clEnqueueWriteImage(queue, image, CL_TRUE, origin, all, sizeof *before, 0,
                                           before, 0, NULL, NULL));
  }
  clReleaseKernel(get);
  clReleaseKernel(put);
}

static cl_mem image_of(const struct format *format) {
  cl_int error;
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  pixel = format->size;
  for (int y = 0; y < HEIGHT; y++)
    for (int x = 0; x < WIDTH * 8; x++) before[y][x] = (unsigned char)(x * 5 + y * 131 + x * y / 3);
  cl_mem image = clCreateImage(context, 0, &format->format, &desc, NULL, &error);
  CHECK(image && !error);
  EXPECT(CL_SUCCESS, clEnqueueWriteImage(queue, image, CL_TRUE, origin, all, sizeof *before, 0,
                                         before, 0, NULL, NULL));
  return image;
}

static void check_twice(void) {
  cl_mem image = image_of(&formats[2]);
  cl_kernel kernel = clCreateKernel(program, "twice", NULL);
  const size_t items = lanes * (HEIGHT / 2);
  cl_uint was, is;
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof image, &image));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &lanes, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, image, CL_TRUE, origin, all, sizeof *after, 0, after,
                                        0, NULL, NULL));
  for (int y = 0; y < HEIGHT; y++)
    for (cl_uint x = 0; x < WIDTH; x++) {
      memcpy(&was, &before[y][x * 4], 4);
      memcpy(&is, &after[y][x * 4], 4);
      CHECK(is == (y < HEIGHT / 2 * 2 && x < lanes ? was * 2 + x : was));
    }
  clReleaseKernel(kernel);
  clReleaseMemObject(image);
}

/* 16, if the device has such sub-groups, else the smallest; as an option of the build. */
static const char *choose_lanes(void) {
  static char option[64];
  size_t sizes[8] = {0}, size;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &size));
  bool has_16 = false;
  for (size_t i = 0; i < size / sizeof *sizes; i++) has_16 |= sizes[i] == 16;
  lanes = has_16 ? 16 : sizes[0];
  CHECK(lanes && lanes <= MOST_LANES);
  snprintf(option, sizeof option, "-cl-std=CL3.0 -DLANES=%zu", lanes);
  return option;
}

int main(void) {
  char extensions[8192] = "";
  open_device();
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
  if (!has_images() || !strstr(extensions, "cl_intel_subgroups ")) return finish();
  program = build(source, choose_lanes());
  for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
    cl_mem image = image_of(&formats[f]);
    for (size_t e = 0; e < sizeof elements / sizeof *elements; e++)
      for (int rows = 1; rows <= elements[e].most; rows *= 2)
        check_element(&elements[e], rows, image);
    clReleaseMemObject(image);
  }
  check_twice();
  clReleaseProgram(program);
  return finish();
}

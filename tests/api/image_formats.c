/* Image formats: those that have to be there are, every one can be used, and a colour becomes a
 * pixel of it as the specification says.  What a pixel is, is written here a second time. */
#include "api.h"

#include <math.h>

static const cl_mem_object_type types[] = {
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
static const cl_mem_flags uses[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE,
                                    CL_MEM_KERNEL_READ_AND_WRITE};
enum { TYPES = 6, USES = 4, MOST = 256 };

static cl_image_format list[MOST];

static cl_uint get_list(cl_mem_flags flags, cl_mem_object_type type) {
  cl_uint count = 0;
  EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context, flags, type, MOST, list, &count));
  CHECK(count <= MOST);
  return count;
}

static bool is_in_list(cl_uint count, cl_channel_order order, cl_channel_type type) {
  for (cl_uint i = 0; i < count; i++)
    if (list[i].image_channel_order == order && list[i].image_channel_data_type == type)
      return true;
  return false;
}

/* --- Section 5.3.2.1 --- */

static void check_minimum(void) {
  static const cl_channel_type rgba[] = {
      CL_UNORM_INT8,    CL_UNORM_INT16,    CL_SIGNED_INT8,    CL_SIGNED_INT16, CL_SIGNED_INT32,
      CL_UNSIGNED_INT8, CL_UNSIGNED_INT16, CL_UNSIGNED_INT32, CL_HALF_FLOAT,   CL_FLOAT};
  for (int t = 0; t < TYPES; t++)
    for (int u = 0; u < USES; u++) {
      cl_uint count = get_list(uses[u], types[t]);
      bool both = uses[u] == CL_MEM_KERNEL_READ_AND_WRITE;
      bool plane = types[t] == CL_MEM_OBJECT_IMAGE2D || types[t] == CL_MEM_OBJECT_IMAGE2D_ARRAY;
      for (int i = 0; i < 10; i++) {
        CHECK(is_in_list(count, CL_RGBA, rgba[i]));
        if (both) CHECK(is_in_list(count, CL_R, rgba[i]));
      }
      CHECK(is_in_list(count, CL_BGRA, CL_UNORM_INT8));
      CHECK(is_in_list(count, CL_DEPTH, CL_UNORM_INT16) == plane); /* cl_khr_depth_images */
      CHECK(is_in_list(count, CL_DEPTH, CL_FLOAT) == plane);
      for (cl_uint i = 0; i < count; i++) /* once */
        for (cl_uint k = 0; k < i; k++) CHECK(memcmp(&list[i], &list[k], sizeof *list));
    }
}

static void check_calls(void) {
  cl_uint all = 0, some = 0;
  EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &all));
  list[1].image_channel_order = 77;
  EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 1, list, &some));
  CHECK(all == some && list[1].image_channel_order == 77);
  EXPECT(CL_SUCCESS, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 1, list, NULL));
  EXPECT(CL_INVALID_VALUE,
         clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0, list, NULL));
  EXPECT(CL_INVALID_VALUE,
         clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_BUFFER, 0, NULL, &all));
  EXPECT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                                      CL_MEM_OBJECT_IMAGE2D, 0, NULL, &all));
}

/* Four channels do not go into a number that has three. */
static void check_packed(void) {
  const cl_image_format format = {CL_RGBA, CL_UNORM_SHORT_565};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 4};
  EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              clCreateImage(context, 0, &format, &desc, NULL, &error));
}

/* --- A colour as a pixel --- */

/* Where red, green, blue and alpha stand: as letters, in memory or from the highest bits on. */
static const char *order_text(cl_channel_order order) {
  switch (order) {
  case CL_R:
  case CL_DEPTH:
  case CL_INTENSITY:
  case CL_LUMINANCE:
    return "R";
  case CL_A:
    return "A";
  case CL_RG:
    return "RG";
  case CL_RA:
    return "RA";
  case CL_RGB:
    return "RGB";
  case CL_RGBA:
  case CL_sRGBA:
    return "RGBA";
  case CL_BGRA:
  case CL_sBGRA:
    return "BGRA";
  case CL_ARGB:
    return "ARGB";
  case CL_ABGR:
    return "ABGR";
  default:
    return "";
  }
}

/* The integer nearest to value * most, the even one of two. */
static int64_t scaled(double value, double low, double most) {
  return value != value ? 0 : llrint((value < low ? low : value > 1 ? 1 : value) * most);
}

static int64_t clamped(int64_t value, int64_t low, int64_t high) {
  return value < low ? low : value > high ? high : value;
}

static double to_srgb(double c) {
  return !(c > 0) ? 0 : c > 1 ? 1 : c < 0.0031308 ? 12.92 * c : 1.055 * pow(c, 1 / 2.4) - 0.055;
}

/* A channel of that type from a component of a colour; its bytes, or 0 for packed types. */
static size_t put_channel(cl_channel_type type, const void *component, bool srgb,
                          unsigned char *at) {
  float value;
  int32_t number;
  memcpy(&value, component, sizeof value);
  memcpy(&number, component, sizeof number);
  double real = srgb ? to_srgb(value) : value;
  int64_t result;
  _Float16 half = (_Float16)value;
  size_t size = 4;
  switch (type) {
  case CL_UNORM_INT8:
    result = scaled(real, 0, 255), size = 1;
    break;
  case CL_UNORM_INT16:
    result = scaled(real, 0, 65535), size = 2;
    break;
  case CL_SNORM_INT8:
    result = scaled(real, -1, 127), size = 1;
    break;
  case CL_SNORM_INT16:
    result = scaled(real, -1, 32767), size = 2;
    break;
  case CL_SIGNED_INT8:
    result = clamped(number, -128, 127), size = 1;
    break;
  case CL_SIGNED_INT16:
    result = clamped(number, -32768, 32767), size = 2;
    break;
  case CL_UNSIGNED_INT8:
    result = clamped((uint32_t)number, 0, 255), size = 1;
    break;
  case CL_UNSIGNED_INT16:
    result = clamped((uint32_t)number, 0, 65535), size = 2;
    break;
  case CL_HALF_FLOAT:
    memcpy(at, &half, sizeof half);
    return sizeof half;
  case CL_SIGNED_INT32:
  case CL_UNSIGNED_INT32:
  case CL_FLOAT:
    result = number;
    break;
  default:
    return 0;
  }
  memcpy(at, &result, size);
  return size;
}

static size_t put_packed(cl_channel_type type, const float *color, unsigned char *at) {
  const double most[4] = {type == CL_UNORM_INT_101010 || type == CL_UNORM_INT_101010_2 ? 1023 : 31,
                          type == CL_UNORM_SHORT_555   ? 31
                          : type == CL_UNORM_SHORT_565 ? 63
                                                       : 1023,
                          type == CL_UNORM_INT_101010 || type == CL_UNORM_INT_101010_2 ? 1023 : 31,
                          3};
  uint32_t c[4], pixel;
  for (int i = 0; i < 4; i++) c[i] = (uint32_t)scaled(color[i], 0, most[i]);
  switch (type) {
  case CL_UNORM_SHORT_565:
    pixel = c[0] << 11 | c[1] << 5 | c[2];
    break;
  case CL_UNORM_SHORT_555:
    pixel = c[0] << 10 | c[1] << 5 | c[2];
    break;
  case CL_UNORM_INT_101010:
    pixel = c[0] << 20 | c[1] << 10 | c[2];
    break;
  default:
    pixel = c[0] << 22 | c[1] << 12 | c[2] << 2 | c[3];
  }
  memcpy(at, &pixel, sizeof pixel);
  return type == CL_UNORM_SHORT_565 || type == CL_UNORM_SHORT_555 ? 2 : 4;
}

/* Sets the pixel; returns its bytes. */
static size_t put_pixel(const cl_image_format *format, const void *color, unsigned char *at) {
  bool srgb = format->image_channel_order == CL_sRGBA || format->image_channel_order == CL_sBGRA;
  size_t size = 0;
  for (const char *c = order_text(format->image_channel_order); *c; c++) {
    size_t component = (size_t)(strchr("RGBA", *c) - "RGBA");
    size += put_channel(format->image_channel_data_type, (const char *)color + 4 * component,
                        srgb && component < 3, at + size);
  }
  return size ? size : put_packed(format->image_channel_data_type, color, at);
}

static bool is_integer(cl_channel_type type) {
  return type >= CL_SIGNED_INT8 && type <= CL_UNSIGNED_INT32;
}

/* Fills a 2D image, but for its first column and row, and compares all of it. */
static void try_fill(const cl_image_format *format, const void *color) {
  enum { WIDTH = 5, HEIGHT = 3 };
  static const size_t zero[3] = {0}, one[3] = {1, 1, 0}, inner[3] = {WIDTH - 1, HEIGHT - 1, 1};
  static const size_t whole[3] = {WIDTH, HEIGHT, 1};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  unsigned char pixel[16], pixels[WIDTH * HEIGHT * 16], back[sizeof pixels];
  size_t size = put_pixel(format, color, pixel), element = 0;
  memset(pixels, 0x5a, sizeof pixels);
  cl_mem image =
      clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, &desc, pixels, NULL);
  EXPECT(CL_SUCCESS, clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL));
  CHECK(element == size);
  for (int y = 1; y < HEIGHT; y++)
    for (int x = 1; x < WIDTH; x++) memcpy(pixels + (size_t)(y * WIDTH + x) * size, pixel, size);
  EXPECT(CL_SUCCESS, clEnqueueFillImage(queue, image, color, one, inner, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadImage(queue, image, CL_TRUE, zero, whole, 0, 0, back, 0, NULL, NULL));
  CHECK(!memcmp(back, pixels, WIDTH * HEIGHT * size));
  clReleaseMemObject(image);
}

static void check_fills(void) {
  static const float reals[][4] = {{0, 1, 0.5f, 0.25f},
                                   {-1, -0.3f, 2, -7},
                                   {0.001f, 0.0031308f, 0.2f, 0.9999f},
                                   {INFINITY, -INFINITY, 65503.3f, 1e-7f},
                                   {1 / 3.0f, 2 / 3.0f, 0.1f, 0.7f}};
  static const int32_t integers[][4] = {{0, 1, -1, 127},
                                        {128, 255, 256, -128},
                                        {-129, 32767, 32768, 65535},
                                        {65536, -32769, INT32_MAX, INT32_MIN}};
  cl_uint count = get_list(CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D);
  for (cl_uint i = 0; i < count; i++) {
    int before = failures;
    cl_image_format format = list[i];
    if (is_integer(format.image_channel_data_type))
      for (size_t c = 0; c < sizeof integers / sizeof *integers; c++)
        try_fill(&format, integers[c]);
    else
      for (size_t c = 0; c < sizeof reals / sizeof *reals; c++) try_fill(&format, reals[c]);
    if (failures > before)
      printf("  order 0x%x, type 0x%x\n", format.image_channel_order,
             format.image_channel_data_type);
  }
}

/* What is no number becomes 0 in normalised channels. */
static void check_nan(void) {
  static const float nan[4] = {NAN, NAN, NAN, NAN};
  const cl_image_format formats[] = {
      {CL_RGBA, CL_UNORM_INT8}, {CL_R, CL_SNORM_INT16}, {CL_sRGBA, CL_UNORM_INT8}};
  for (int i = 0; i < 3; i++) try_fill(&formats[i], nan);
}

/* --- Each can be made for what the list says --- */

static void check_creation(void) {
  cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);
  for (int t = 0; t < TYPES; t++)
    for (int u = 0; u < 3; u++) {
      cl_uint count = get_list(uses[u], types[t]);
      cl_image_desc desc = {types[t], 2, 2, 2, 2, 0, 0, 0, 0, {NULL}};
      if (types[t] == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = buffer;
      cl_mem_flags flags = desc.mem_object ? CL_MEM_READ_WRITE : uses[u];
      if (flags != uses[u]) continue;
      for (cl_uint i = 0; i < count; i++) {
        cl_int error;
        cl_mem image = clCreateImage(context, flags, &list[i], &desc, NULL, &error);
        EXPECT(CL_SUCCESS, error);
        clReleaseMemObject(image);
      }
    }
  clReleaseMemObject(buffer);
}

int main(void) {
  open_device();
  if (has_images()) {
    check_minimum();
    check_calls();
    check_packed();
    check_fills();
    check_nan();
    check_creation();
  }
  return finish();
}

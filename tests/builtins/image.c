/* Images in kernels, of all formats that there are, against a reference in double precision made
 * from the specification (OpenCL C 3.0, 6.15.15; formats: section 5.3.1.1 of the API). */
#include <math.h>
#include <stdbool.h>

#include "unit/cl_unit.h"
#include "folder.h"

enum { WIDTH = 5, HEIGHT = 4, LAYERS = 3, PIXELS = WIDTH * HEIGHT * LAYERS, ITEMS = 67 };

typedef _Float16 half;

/* --- Formats --- */

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
enum { FORMATS = sizeof formats / sizeof *formats };

/* The channels in memory: letters of what they are; i and l are red, green and blue, i alpha too.
 */
static const char *letters(cl_channel_order order) {
  switch (order) {
  case CL_R:
  case CL_DEPTH:
    return "r";
  case CL_A:
    return "a";
  case CL_RG:
    return "rg";
  case CL_RA:
    return "ra";
  case CL_RGB:
    return "rgb";
  case CL_RGBA:
  case CL_sRGBA:
    return "rgba";
  case CL_BGRA:
  case CL_sBGRA:
    return "bgra";
  case CL_ARGB:
    return "argb";
  case CL_ABGR:
    return "abgr";
  case CL_INTENSITY:
    return "i";
  case CL_LUMINANCE:
    return "l";
  default:
    CHECK(!"an order that the test knows");
    return "";
  }
}

static const struct type {
  cl_channel_type type;
  unsigned bytes;   /* of a channel; packed: of the pixel */
  double most;      /* of normalised ones, else 0 */
  char kind;        /* u, i, f */
  unsigned bits[4]; /* packed, from the highest */
} types[] = {
    {CL_SNORM_INT8, 1, 127, 'i', {0}},
    {CL_SNORM_INT16, 2, 32767, 'i', {0}},
    {CL_UNORM_INT8, 1, 255, 'u', {0}},
    {CL_UNORM_INT16, 2, 65535, 'u', {0}},
    {CL_SIGNED_INT8, 1, 0, 'i', {0}},
    {CL_SIGNED_INT16, 2, 0, 'i', {0}},
    {CL_SIGNED_INT32, 4, 0, 'i', {0}},
    {CL_UNSIGNED_INT8, 1, 0, 'u', {0}},
    {CL_UNSIGNED_INT16, 2, 0, 'u', {0}},
    {CL_UNSIGNED_INT32, 4, 0, 'u', {0}},
    {CL_HALF_FLOAT, 2, 0, 'f', {0}},
    {CL_FLOAT, 4, 0, 'f', {0}},
    {CL_UNORM_SHORT_565, 2, 1, 'u', {5, 6, 5, 0}},
    {CL_UNORM_SHORT_555, 2, 1, 'u', {5, 5, 5, 0}},
    {CL_UNORM_INT_101010, 4, 1, 'u', {10, 10, 10, 0}},
    {CL_UNORM_INT_101010_2, 4, 1, 'u', {10, 10, 10, 2}},
};
static const struct type *type_of(const cl_image_format *format) {
  for (unsigned i = 0; i < sizeof types / sizeof *types; i++)
    if (types[i].type == format->image_channel_data_type) return &types[i];
  CHECK(!"a type that the test knows");
  return NULL;
}

static bool is_srgb(const cl_image_format *f) {
  return f->image_channel_order == CL_sRGBA || f->image_channel_order == CL_sBGRA;
}

static unsigned pixel_size(const cl_image_format *f) {
  const struct type *type = type_of(f);
  return type->bits[0] ? type->bytes
                       : type->bytes * (unsigned)strlen(letters(f->image_channel_order));
}

/* The number in channel i, and what it is divided by. */
static double channel(const cl_image_format *f, const unsigned char *pixel, unsigned i,
                      double *most) {
  const struct type *type = type_of(f);
  int64_t number = 0;
  *most = type->most ? type->most : 1;
  if (type->bits[0]) {
    unsigned at = 0, all = 0;
    for (unsigned k = 0; k < 4; k++) all += type->bits[k];
    for (unsigned k = 0; k <= i; k++) at += type->bits[k];
    uint32_t bits = 0;
    memcpy(&bits, pixel, type->bytes);
    *most = (double)((1u << type->bits[i]) - 1);
    return bits >> (all - at) & ((1u << type->bits[i]) - 1);
  }
  pixel += i * type->bytes;
  if (type->kind == 'f') {
    half h;
    float single;
    memcpy(&h, pixel, sizeof h);
    if (type->bytes == 2) return (double)h;
    memcpy(&single, pixel, sizeof single);
    return single;
  }
  memcpy(&number, pixel, type->bytes);
  unsigned unused = 64 - 8 * type->bytes;
  if (type->kind == 'i') number = (int64_t)((uint64_t)number << unused) >> unused;
  return (double)number;
}

static double linear_of(double c) {
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void decode(const cl_image_format *f, const unsigned char *pixel, double out[4]) {
  const char *in = letters(f->image_channel_order);
  out[0] = out[1] = out[2] = 0;
  out[3] = 1;
  for (unsigned i = 0; in[i]; i++) {
    double most, c = channel(f, pixel, i, &most) / most;
    if (c < -1 && most > 1) c = -1;
    if (is_srgb(f) && in[i] != 'a') c = linear_of(c);
    for (unsigned k = 0; k < 4; k++)
      if (in[i] == "rgba"[k] || in[i] == 'i' || (in[i] == 'l' && k < 3)) out[k] = c;
  }
}

/* --- Sampling --- */

struct image {
  const cl_image_format *format;
  unsigned axes, layered; /* axes that are filtered; 1: the coordinate behind them is a layer */
  int size[3];
  unsigned char bytes[PIXELS * 16];
};
struct sampler {
  cl_bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
};

/* -1: outside */
static int address(cl_addressing_mode mode, int i, int n) {
  if (mode == CL_ADDRESS_REPEAT) return ((i % n) + n) % n;
  if (mode == CL_ADDRESS_MIRRORED_REPEAT) {
    i = ((i % (2 * n)) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
  }
  if (i >= 0 && i < n) return i;
  return mode == CL_ADDRESS_CLAMP ? -1 : i < 0 ? 0 : n - 1;
}

static void fetch(const struct image *image, cl_addressing_mode mode, const int at[3],
                  double out[4]) {
  int place[3] = {0, 0, 0};
  bool outside = false;
  for (unsigned k = 0; k < image->axes + image->layered; k++) {
    place[k] = address(k < image->axes ? mode : CL_ADDRESS_CLAMP_TO_EDGE, at[k], image->size[k]);
    outside |= place[k] < 0;
  }
  size_t pixel = (size_t)place[2] * (size_t)image->size[1] + (size_t)place[1];
  pixel = pixel * (size_t)image->size[0] + (size_t)place[0];
  const char *in = letters(image->format->image_channel_order);
  if (!outside) return decode(image->format, image->bytes + pixel * pixel_size(image->format), out);
  out[0] = out[1] = out[2] = 0;
  out[3] = !strchr(in, 'a') && !strchr(in, 'i') && image->format->image_channel_order != CL_DEPTH;
}

static void sample(const struct image *image, const struct sampler *s, const double u[3],
                   double out[4]) {
  int at[3] = {0, 0, 0};
  double fraction[3] = {0, 0, 0};
  bool linear = s->filter == CL_FILTER_LINEAR;
  for (unsigned k = 0; k < image->axes; k++) {
    double c = linear ? u[k] - 0.5 : u[k];
    at[k] = (int)floor(c);
    fraction[k] = linear ? c - floor(c) : 0;
  }
  if (image->layered) at[image->axes] = (int)nearbyint(u[image->axes]);
  for (unsigned k = 0; k < 4; k++) out[k] = 0;
  for (unsigned tap = 0; tap < 1u << image->axes; tap++) {
    double weight = 1, pixel[4];
    int near[3] = {at[0], at[1], at[2]};
    for (unsigned k = 0; k < image->axes; k++) {
      bool second = tap >> k & 1;
      weight *= second ? fraction[k] : 1 - fraction[k];
      near[k] += second;
    }
    if (weight == 0) continue;
    fetch(image, s->addressing, near, pixel);
    for (unsigned k = 0; k < 4; k++) out[k] += weight * pixel[k];
  }
}

/* --- Running --- */

static cl_program program;
static uint32_t seed = 1;

static uint32_t next(void) {
  return (seed = seed * 1664525u + 1013904223u) >> 8;
}

static const struct sort {
  const char *name;
  cl_mem_object_type type;
  unsigned axes, layered;
} sorts[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D, 1, 0}, {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 1},
    {"2d", CL_MEM_OBJECT_IMAGE2D, 2, 0}, {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, 1},
    {"3d", CL_MEM_OBJECT_IMAGE3D, 3, 0},
};

static void fill(struct image *image, const struct sort *sort, const cl_image_format *format) {
  static const int sizes[3] = {WIDTH, HEIGHT, LAYERS};
  const struct type *type = type_of(format);
  *image = (struct image){.format = format, .axes = sort->axes, .layered = sort->layered};
  for (unsigned k = 0; k < 3; k++) image->size[k] = k < sort->axes + sort->layered ? sizes[k] : 1;
  for (size_t i = 0; i < sizeof image->bytes; i++) image->bytes[i] = (unsigned char)next();
  for (size_t i = 0; type->kind == 'f' && i < sizeof image->bytes / type->bytes; i++) {
    float single = (float)((int)(next() % 4001) - 2000) / 512;
    half h = (half)single;
    memcpy(image->bytes + i * type->bytes, type->bytes == 2 ? (void *)&h : (void *)&single,
           type->bytes);
  }
}

static cl_mem create(const struct sort *sort, const struct image *image, bool writes) {
  cl_image_desc desc = {.image_type = sort->type, .image_width = WIDTH};
  if (sort->axes > 1) desc.image_height = HEIGHT;
  if (sort->axes > 2) desc.image_depth = LAYERS;
  if (sort->layered) desc.image_array_size = (size_t)image->size[sort->axes];
  cl_int error;
  cl_mem made =
      clCreateImage(context, CL_MEM_COPY_HOST_PTR | (writes ? CL_MEM_READ_WRITE : CL_MEM_READ_ONLY),
                    image->format, &desc, (void *)image->bytes, &error);
  OK(error);
  return made;
}

/* Runs a kernel; `at` are ITEMS coordinates of 16 bytes, `data` ITEMS results or inputs. */
static void run(const char *name, cl_mem image, cl_sampler sampler, const void *at, void *data) {
  const size_t bytes = ITEMS * 16, items = ITEMS;
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  OK(error);
  cl_mem places = new_buffer(context, CL_MEM_READ_WRITE, bytes);
  cl_mem results = new_buffer(context, CL_MEM_READ_WRITE, bytes);
  OK(clEnqueueWriteBuffer(queue, places, CL_TRUE, 0, bytes, at, 0, NULL, NULL));
  OK(clEnqueueWriteBuffer(queue, results, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  OK(clSetKernelArg(kernel, 0, sizeof image, &image));
  OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
  OK(clSetKernelArg(kernel, 2, sizeof places, &places));
  OK(clSetKernelArg(kernel, 3, sizeof results, &results));
  OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
  OK(clEnqueueReadBuffer(queue, results, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
  clReleaseMemObject(places);
  clReleaseMemObject(results);
  clReleaseKernel(kernel);
}

static cl_sampler make_sampler(const struct sampler *s) {
  cl_int error;
  cl_sampler made = clCreateSampler(context, s->normalized, s->addressing, s->filter, &error);
  OK(error);
  return made;
}

/* Coordinates in pixels: far from where the nearest pixel changes, some of them outside. */
static void choose(const struct image *image, const struct sampler *s, double u[3], float at[4]) {
  bool wraps = s->addressing == CL_ADDRESS_REPEAT || s->addressing == CL_ADDRESS_MIRRORED_REPEAT;
  for (unsigned k = 0; k < 3; k++) {
    int n = image->size[k], far = wraps ? 2 * n : 2;
    u[k] = (int)(next() % (unsigned)(n + 2 * far)) - far + 0.125 + 0.25 * (next() % 4);
    bool scaled = s->normalized && k < image->axes;
    at[k] = (float)(scaled ? u[k] / n : u[k]);
  }
  at[3] = 0;
}

/* `suffix`: of a function for integers, or null. */
static void check_samples(const struct sort *sort, const struct image *image, cl_mem mem,
                          const struct sampler *s, const char *suffix) {
  double u[ITEMS][3];
  float at[ITEMS][4], got[ITEMS][4];
  char name[64];
  memset(got, 0, sizeof got);
  for (unsigned i = 0; i < ITEMS; i++) choose(image, s, u[i], at[i]);
  snprintf(name, sizeof name, "sample_%s%s%s", sort->name, suffix ? "_" : "", suffix ? suffix : "");
  cl_sampler sampler = make_sampler(s);
  run(name, mem, sampler, at, got);
  clReleaseSampler(sampler);
  bool exact = s->filter == CL_FILTER_NEAREST && !is_srgb(image->format);
  for (unsigned i = 0; i < ITEMS; i++) {
    double expected[4];
    sample(image, s, u[i], expected);
    for (unsigned k = 0; k < 4; k++) {
      int bits;
      memcpy(&bits, &got[i][k], sizeof bits);
      double value = !suffix ? got[i][k] : *suffix == 'u' ? (double)(uint32_t)bits : bits;
      double most = suffix ? 0 : exact ? 1.8e-7 * fabs(expected[k]) : 1e-4;
      if (fabs(value - expected[k]) <= most) continue;
      fprintf(stderr,
              "%s, order %#x, type %#x, normalised %u, address %#x, filter %#x, (%g, %g, %g): "
              "component %u is %.9g, not %.9g\n",
              name, image->format->image_channel_order, image->format->image_channel_data_type,
              s->normalized, s->addressing, s->filter, u[i][0], u[i][1], u[i][2], k, value,
              expected[k]);
      exit(1);
    }
  }
}

/* By integers, inside: with a sampler and without. */
static void check_reads(const struct sort *sort, const struct image *image, cl_mem mem,
                        const char *kind, const char *suffix) {
  const struct sampler s = {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST};
  int at[ITEMS][4];
  float got[ITEMS][4];
  char name[64];
  memset(got, 0, sizeof got);
  for (unsigned i = 0; i < ITEMS; i++)
    for (unsigned k = 0; k < 4; k++)
      at[i][k] = k < 3 ? (int)(next() % (unsigned)image->size[k]) : 0;
  snprintf(name, sizeof name, "%s_%s%s%s", kind, sort->name, suffix ? "_" : "",
           suffix ? suffix : "");
  cl_sampler sampler = make_sampler(&s);
  run(name, mem, sampler, at, got);
  clReleaseSampler(sampler);
  for (unsigned i = 0; i < ITEMS; i++) {
    double expected[4];
    fetch(image, s.addressing, at[i], expected);
    for (unsigned k = 0; k < 4; k++) {
      int bits;
      memcpy(&bits, &got[i][k], sizeof bits);
      double value = !suffix ? got[i][k] : *suffix == 'u' ? (double)(uint32_t)bits : bits;
      double most = suffix ? 0 : is_srgb(image->format) ? 1e-5 : 1.8e-7 * fabs(expected[k]);
      CHECK(fabs(value - expected[k]) <= most);
    }
  }
}

/* Around a pixel, in loops: some places are outside, where the nearest pixel is read. */
static void check_sums(const struct image *image, cl_mem mem) {
  const struct sampler s = {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST};
  int at[ITEMS][4];
  float got[ITEMS][4];
  memset(got, 0, sizeof got);
  for (unsigned i = 0; i < ITEMS; i++) {
    at[i][0] = (int)(i % WIDTH), at[i][1] = (int)(i / WIDTH % HEIGHT);
    at[i][2] = 0, at[i][3] = (int)(i % 3);
  }
  cl_sampler sampler = make_sampler(&s);
  run("sum", mem, sampler, at, got);
  clReleaseSampler(sampler);
  for (unsigned i = 0; i < ITEMS; i++) {
    double expected[4] = {0}, pixel[4];
    for (int y = -2; y <= at[i][3]; y++)
      for (int x = -1; x <= 1; x++) {
        const int near[3] = {at[i][0] + x, at[i][1] + y, 0};
        fetch(image, s.addressing, near, pixel);
        for (unsigned k = 0; k < 4; k++) expected[k] += pixel[k];
      }
    for (unsigned k = 0; k < 4; k++) CHECK(fabs(got[i][k] - expected[k]) <= 1e-4);
  }
}

/* What is stored is the nearest number that the format has, of what is out of range the last. */
static void check_writes(const struct sort *sort, struct image *image, cl_mem mem,
                         const char *suffix) {
  const struct type *type = type_of(image->format);
  const char *in = letters(image->format->image_channel_order);
  int at[ITEMS][4], bits[ITEMS][4];
  float value[ITEMS][4];
  char name[64];
  int pixels = image->size[0] * image->size[1] * image->size[2];
  for (int i = 0; i < ITEMS; i++) {
    int p = i < pixels ? i : -1; /* behind the pixels: outside, nothing is written */
    at[i][0] = p < 0 ? WIDTH : p % image->size[0];
    at[i][1] = p < 0 ? 0 : p / image->size[0] % image->size[1];
    at[i][2] = p < 0 ? 0 : p / image->size[0] / image->size[1];
    at[i][3] = 0;
    for (unsigned k = 0; k < 4; k++) {
      value[i][k] = (float)((int)(next() % 3001) - 1500) / 1000;
      bits[i][k] = (int)(next() << 8) >> (next() % 25);
    }
  }
  snprintf(name, sizeof name, "write_%s%s%s", sort->name, suffix ? "_" : "", suffix ? suffix : "");
  const struct sampler s = {CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST};
  cl_sampler sampler = make_sampler(&s);
  float copy[ITEMS][4];
  memcpy(copy, suffix ? (void *)bits : (void *)value, sizeof copy);
  run(name, mem, sampler, at, copy);
  clReleaseSampler(sampler);
  const size_t origin[3] = {0, 0, 0},
               region[3] = {(size_t)image->size[0], (size_t)image->size[1], (size_t)image->size[2]};
  OK(clEnqueueReadImage(queue, mem, CL_TRUE, origin, region, 0, 0, image->bytes, 0, NULL, NULL));
  for (int i = 0; i < pixels && i < ITEMS; i++)
    for (unsigned c = 0; in[c]; c++) {
      double most, got = channel(image->format,
                                 image->bytes + (size_t)i * pixel_size(image->format), c, &most);
      unsigned k = in[c] == 'i' || in[c] == 'l' ? 0 : (unsigned)(strchr("rgba", in[c]) - "rgba");
      double wanted = !suffix          ? value[i][k]
                      : *suffix == 'u' ? (double)(uint32_t)bits[i][k]
                                       : bits[i][k];
      double low = type->kind == 'u' ? 0 : -most, high = most, off = 0;
      if (type->kind == 'f') {
        off = type->bytes == 2 ? 0x1p-11 * fabs(wanted) : 0;
        low = -4, high = 4;
      } else if (suffix) {
        high = ldexp(1, (int)(8 * type->bytes) - (type->kind == 'i')) - 1;
        low = type->kind == 'i' ? -high - 1 : 0;
      } else {
        wanted *= most;
        off = 0.5 + most * 0x1p-23; /* the product is rounded too */
      }
      wanted = wanted < low ? low : wanted > high ? high : wanted;
      if (fabs(got - wanted) > off) {
        fprintf(stderr, "%s, order %#x, type %#x: channel %u is %.9g, not %.9g\n", name,
                image->format->image_channel_order, image->format->image_channel_data_type, c, got,
                wanted);
        exit(1);
      }
    }
}

static void check_format(const struct format *format) {
  static const struct sampler samplers[] = {
      {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST},
      {CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST},
      {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST},
      {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_NEAREST},
      {CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_LINEAR},
      {CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR},
      {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR},
      {CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT, CL_FILTER_LINEAR},
  };
  const struct type *type = type_of(&format->cl);
  bool integers = type->kind != 'f' && !type->most;
  const char *suffix = !integers ? NULL : type->kind == 'i' ? "i" : "ui";
  for (unsigned i = 0; i < sizeof sorts / sizeof *sorts; i++) {
    const struct sort *sort = &sorts[i];
    if (format->planes_only || (integers && strcmp(sort->name, "2d") && strcmp(sort->name, "3d")))
      continue;
    struct image image;
    fill(&image, sort, &format->cl);
    cl_mem mem = create(sort, &image, format->writes);
    for (unsigned k = 0; k < (integers ? 4 : 8); k++)
      check_samples(sort, &image, mem, &samplers[k], suffix);
    check_reads(sort, &image, mem, "read", suffix);
    if (!integers && format->writes) check_reads(sort, &image, mem, "readwrite", suffix);
    if (!integers && !strcmp(sort->name, "2d")) check_sums(&image, mem);
    if (format->writes) check_writes(sort, &image, mem, suffix);
    clReleaseMemObject(mem);
  }
}

/* Samplers of the program, of a kernel, and handed to a function. */
static void check_literals(void) {
  const struct sampler same = {CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR},
                       own = {CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST};
  struct image image;
  double u[ITEMS][3], expected[4];
  float at[ITEMS][4], got[ITEMS][4];
  fill(&image, &sorts[2], &formats[0].cl);
  cl_mem mem = create(&sorts[2], &image, true);
  memset(got, 0, sizeof got);
  for (unsigned i = 0; i < ITEMS; i++) choose(&image, &own, u[i], at[i]);
  cl_sampler sampler = make_sampler(&same);
  run("literal", mem, sampler, at, got);
  for (unsigned i = 0; i < ITEMS; i++) {
    sample(&image, &own, u[i], expected);
    for (unsigned k = 0; k < 4; k++) CHECK(fabs(got[i][k] - expected[k]) < 1e-6);
  }
  clReleaseSampler(sampler);
  clReleaseMemObject(mem);
}

static void build(void) {
  char text[8192];
  FILE *file = open_kernels("image.cl");
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
  for (unsigned i = 0; i < FORMATS; i++) check_format(&formats[i]);
  check_literals();
  return 0;
}

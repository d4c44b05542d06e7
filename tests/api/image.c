/* Images: what can be made, of what, and what the queries say of it. */
#include "api.h"

#define INFO(type, mem, param)                                                                     \
  ({                                                                                               \
    type value_ = 0;                                                                               \
    EXPECT(CL_SUCCESS, clGetImageInfo(mem, param, sizeof value_, &value_, NULL));                  \
    value_;                                                                                        \
  })
#define MEM_INFO(type, mem, param)                                                                 \
  ({                                                                                               \
    type value_ = 0;                                                                               \
    EXPECT(CL_SUCCESS, clGetMemObjectInfo(mem, param, sizeof value_, &value_, NULL));              \
    value_;                                                                                        \
  })

static const cl_image_format rgba8 = {CL_RGBA, CL_UNORM_INT8}, r32f = {CL_R, CL_FLOAT};
static unsigned char pixels[1 << 16];

static cl_image_desc desc_of(cl_mem_object_type type) {
  return (cl_image_desc){.image_type = type,
                         .image_width = 7,
                         .image_height = 5,
                         .image_depth = 3,
                         .image_array_size = 4};
}

/* --- Sorts of images --- */

static const struct {
  cl_mem_object_type type;
  size_t height, depth, layers, planes, slice_pitch; /* as the queries say, for 4 bytes a pixel */
} sorts[] = {
    {CL_MEM_OBJECT_IMAGE1D, 0, 0, 0, 1, 0},    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 0, 0, 4, 4, 28},
    {CL_MEM_OBJECT_IMAGE2D, 5, 0, 0, 5, 0},    {CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 0, 4, 20, 140},
    {CL_MEM_OBJECT_IMAGE3D, 5, 3, 0, 15, 140},
};

static void check_sorts(void) {
  for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
    const cl_image_desc desc = desc_of(sorts[i].type);
    cl_int error;
    cl_mem image = clCreateImage(context, 0, &rgba8, &desc, NULL, &error);
    EXPECT(CL_SUCCESS, error);
    cl_image_format format = {0};
    EXPECT(CL_SUCCESS, clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
    CHECK(!memcmp(&format, &rgba8, sizeof format));
    CHECK(INFO(size_t, image, CL_IMAGE_ELEMENT_SIZE) == 4);
    CHECK(INFO(size_t, image, CL_IMAGE_WIDTH) == 7);
    CHECK(INFO(size_t, image, CL_IMAGE_HEIGHT) == sorts[i].height);
    CHECK(INFO(size_t, image, CL_IMAGE_DEPTH) == sorts[i].depth);
    CHECK(INFO(size_t, image, CL_IMAGE_ARRAY_SIZE) == sorts[i].layers);
    CHECK(INFO(size_t, image, CL_IMAGE_ROW_PITCH) == 28);
    CHECK(INFO(size_t, image, CL_IMAGE_SLICE_PITCH) == sorts[i].slice_pitch);
    CHECK(INFO(cl_mem, image, CL_IMAGE_BUFFER) == NULL);
    CHECK(INFO(cl_uint, image, CL_IMAGE_NUM_MIP_LEVELS) == 0);
    CHECK(INFO(cl_uint, image, CL_IMAGE_NUM_SAMPLES) == 0);
    CHECK(MEM_INFO(cl_mem_object_type, image, CL_MEM_TYPE) == sorts[i].type);
    CHECK(MEM_INFO(size_t, image, CL_MEM_SIZE) == 28 * sorts[i].planes);
    CHECK(MEM_INFO(cl_mem_flags, image, CL_MEM_FLAGS) == CL_MEM_READ_WRITE);
    CHECK(MEM_INFO(size_t, image, CL_MEM_OFFSET) == 0);
    EXPECT(CL_INVALID_VALUE, clGetImageInfo(image, CL_MEM_SIZE, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetImageInfo(image, CL_IMAGE_WIDTH, 1, &format, NULL));
    EXPECT(CL_SUCCESS, clReleaseMemObject(image));
  }
}

/* --- Refusals --- */

/* CL_INVALID_IMAGE_SIZE for sizes that are 0 or too large, in each dimension that the type has. */
static void check_sizes(void) {
  for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++)
    for (int dimension = 0; dimension < 4; dimension++)
      for (int large = 0; large < 2; large++) {
        cl_image_desc desc = desc_of(sorts[i].type);
        size_t *sizes[] = {&desc.image_width, &desc.image_height, &desc.image_depth,
                           &desc.image_array_size};
        const size_t has[] = {1, sorts[i].height, sorts[i].depth, sorts[i].layers};
        if (!has[dimension]) continue;
        *sizes[dimension] = large ? SIZE_MAX : 0;
        EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &rgba8, &desc, NULL, &error));
        *sizes[dimension] = (size_t)1 << (large ? 32 : 31);
        EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &rgba8, &desc, NULL, &error));
      }
  EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &rgba8, 4, 0, 0, NULL, &error));
  EXPECT_NULL(CL_INVALID_IMAGE_SIZE,
              clCreateImage3D(context, 0, &rgba8, 4, 4, 1, 0, 0, NULL, &error));
}

/* Each limit that the device names can be reached, and not passed. */
static void check_limits(void) {
  static const struct {
    cl_device_info query;
    cl_mem_object_type type;
    size_t least;
    int dimension;
  } limits[] = {
      {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_MEM_OBJECT_IMAGE1D, 16384, 0},
      {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_MEM_OBJECT_IMAGE2D, 16384, 0},
      {CL_DEVICE_IMAGE2D_MAX_HEIGHT, CL_MEM_OBJECT_IMAGE2D, 16384, 1},
      {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_MEM_OBJECT_IMAGE3D, 2048, 0},
      {CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_MEM_OBJECT_IMAGE3D, 2048, 1},
      {CL_DEVICE_IMAGE3D_MAX_DEPTH, CL_MEM_OBJECT_IMAGE3D, 2048, 2},
      {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, CL_MEM_OBJECT_IMAGE1D_ARRAY, 2048, 3},
      {CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, CL_MEM_OBJECT_IMAGE2D_ARRAY, 2048, 3},
  };
  for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
    cl_image_desc desc = {limits[i].type, 1, 1, 1, 1, 0, 0, 0, 0, {NULL}};
    size_t *sizes[] = {&desc.image_width, &desc.image_height, &desc.image_depth,
                       &desc.image_array_size};
    size_t most = 0;
    cl_int error;
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, limits[i].query, sizeof most, &most, NULL));
    CHECK(most >= limits[i].least);
    *sizes[limits[i].dimension] = most;
    cl_mem image = clCreateImage(context, 0, &rgba8, &desc, NULL, &error);
    EXPECT(CL_SUCCESS, error);
    clReleaseMemObject(image);
    *sizes[limits[i].dimension] = most + 1;
    EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &rgba8, &desc, NULL, &error));
  }
}

static void check_refusals(void) {
  cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D);
  const cl_image_format bad[] = {
      {0, CL_UNORM_INT8}, {CL_RGBA, 0}, {CL_RGB, CL_UNORM_INT8}, {CL_UNORM_INT8, CL_RGBA}};
  const cl_mem_properties none[] = {0}, some[] = {1, 2, 0};
  EXPECT_NULL(CL_INVALID_PROPERTY,
              clCreateImageWithProperties(context, some, 0, &rgba8, &desc, NULL, &error));
  cl_mem image = clCreateImageWithProperties(context, none, 0, &rgba8, &desc, NULL, NULL);
  size_t size = 0;
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(image, CL_MEM_PROPERTIES, 0, NULL, &size));
  CHECK(size == sizeof none);
  clReleaseMemObject(image);
  EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              clCreateImage(context, 0, NULL, &desc, NULL, &error));
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImage(context, 0, &bad[i], &desc, NULL, &error));
  const cl_image_format rare = {CL_RGBx, CL_FLOAT};
  EXPECT_NULL(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(context, 0, &rare, &desc, NULL, &error));
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba8, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateImage(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba8,
                                              &desc, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clCreateImage(context, 1ull << 40, &rgba8, &desc, NULL, &error));
  EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateImage(context, 0, &rgba8, &desc, pixels, &error));
  EXPECT_NULL(CL_INVALID_HOST_PTR,
              clCreateImage(context, CL_MEM_USE_HOST_PTR, &rgba8, &desc, NULL, &error));
  desc.num_mip_levels = 2;
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba8, &desc, NULL, &error));
  desc.num_mip_levels = 0, desc.num_samples = 1;
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba8, &desc, NULL, &error));
  desc.num_samples = 0, desc.image_type = CL_MEM_OBJECT_BUFFER;
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba8, &desc, NULL, &error));
}

/* --- Pitches --- */

static void check_pitches(void) {
  const size_t bad[] = {24, 30, SIZE_MAX, SIZE_MAX - 3, SIZE_MAX / 2 - 3};
  cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE3D);
  const cl_mem_flags copy = CL_MEM_COPY_HOST_PTR, use = CL_MEM_USE_HOST_PTR;
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    desc.image_row_pitch = bad[i], desc.image_slice_pitch = 0;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR,
                clCreateImage(context, copy, &rgba8, &desc, pixels, &error));
    EXPECT_NULL(CL_INVALID_IMAGE_SIZE,
                clCreateImage3D(context, copy, &rgba8, 7, 5, 3, bad[i], 0, pixels, &error));
    desc.image_row_pitch = 32, desc.image_slice_pitch = bad[i];
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR,
                clCreateImage(context, copy, &rgba8, &desc, pixels, &error));
  }
  desc.image_row_pitch = 32, desc.image_slice_pitch = 0;
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba8, &desc, NULL, &error));
  desc.image_row_pitch = 0, desc.image_slice_pitch = 160;
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba8, &desc, NULL, &error));
  desc.image_row_pitch = 32, desc.image_slice_pitch = 192;
  cl_mem image = clCreateImage(context, use, &rgba8, &desc, pixels, NULL);
  CHECK(INFO(size_t, image, CL_IMAGE_ROW_PITCH) == 32);
  CHECK(INFO(size_t, image, CL_IMAGE_SLICE_PITCH) == 192);
  CHECK(MEM_INFO(size_t, image, CL_MEM_SIZE) == 3 * 192);
  CHECK(MEM_INFO(void *, image, CL_MEM_HOST_PTR) == pixels);
  EXPECT(CL_SUCCESS, clReleaseMemObject(image));
}

/* --- Images of buffers and of images --- */

static void check_buffer_images(void) {
  cl_mem buffer = clCreateBuffer(context, CL_MEM_READ_ONLY, 1024, NULL, NULL), image;
  cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 256};
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  desc.mem_object = WRONG(cl_mem);
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  desc.mem_object = buffer, desc.image_width = 257;
  EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  desc.image_width = 256;
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateImage(context, CL_MEM_READ_WRITE, &r32f, &desc, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE,
              clCreateImage(context, CL_MEM_ALLOC_HOST_PTR, &r32f, &desc, NULL, &error));
  image = clCreateImage(context, CL_MEM_HOST_NO_ACCESS, &r32f, &desc, NULL, NULL);
  CHECK(INFO(cl_mem, image, CL_IMAGE_BUFFER) == buffer);
  CHECK(MEM_INFO(cl_mem, image, CL_MEM_ASSOCIATED_MEMOBJECT) == buffer);
  CHECK(MEM_INFO(cl_mem_flags, image, CL_MEM_FLAGS) == (CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS));
  CHECK(MEM_INFO(cl_uint, buffer, CL_MEM_REFERENCE_COUNT) == 2);
  clReleaseMemObject(image);
  /* The pitch of its row may be said, of whole pixels that the buffer has. */
  desc.image_row_pitch = 1024, desc.image_width = 250;
  image = clCreateImage(context, 0, &r32f, &desc, NULL, NULL);
  CHECK(image && INFO(size_t, image, CL_IMAGE_ROW_PITCH) == 1024);
  clReleaseMemObject(image);
  desc.image_row_pitch = 1028;
  EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  desc.image_row_pitch = 1002;
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  desc.image_row_pitch = 996;
  EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  desc.image_width = 256;
  desc.image_row_pitch = 0;
  for (size_t i = 0; i < sizeof sorts / sizeof *sorts; i++) {
    desc.image_type = sorts[i].type, desc.image_height = desc.image_depth = 1;
    desc.image_array_size = 1;
    if (sorts[i].type == CL_MEM_OBJECT_IMAGE2D) continue;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  }
  desc = (cl_image_desc){.image_type = CL_MEM_OBJECT_IMAGE2D,
                         .image_width = 15,
                         .image_height = 16,
                         .image_row_pitch = 64,
                         .mem_object = buffer};
  EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateImage(context, 0, &r32f, &desc, pixels, &error));
  image = clCreateImage(context, 0, &r32f, &desc, NULL, NULL);
  CHECK(INFO(size_t, image, CL_IMAGE_ROW_PITCH) == 64);
  clReleaseMemObject(image);
  desc.image_height = 17;
  EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  desc.image_height = 16, desc.image_row_pitch = 56;
  EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  desc.image_row_pitch = 63;
  EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  clReleaseMemObject(buffer);
  desc.mem_object = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 1024, pixels + 1, NULL);
  desc.image_row_pitch = 64;
  EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              clCreateImage(context, 0, &r32f, &desc, NULL, &error));
  clReleaseMemObject(desc.mem_object);
}

static void check_image_images(void) {
  cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D);
  const cl_image_format srgba = {CL_sRGBA, CL_UNORM_INT8}, bgra = {CL_BGRA, CL_UNORM_INT8},
                        depth = {CL_DEPTH, CL_FLOAT}, rgba16 = {CL_RGBA, CL_UNORM_INT16};
  cl_mem linear = clCreateImage(context, CL_MEM_READ_ONLY, &rgba8, &desc, NULL, NULL);
  desc.mem_object = linear;
  cl_mem view = clCreateImage(context, 0, &srgba, &desc, NULL, NULL);
  CHECK(view);
  CHECK(MEM_INFO(cl_mem, view, CL_MEM_ASSOCIATED_MEMOBJECT) == linear);
  CHECK(INFO(cl_mem, view, CL_IMAGE_BUFFER) == NULL);
  const cl_image_format *const others[] = {&bgra, &depth, &rgba16, &rgba8};
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImage(context, 0, others[i], &desc, NULL, &error));
  desc.image_width++;
  EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
              clCreateImage(context, 0, &srgba, &desc, NULL, &error));
  /* The view keeps what it is made of. */
  static const size_t origin[3] = {1, 2, 0}, region[3] = {1, 1, 1};
  const cl_uint in = 0x01020304;
  cl_uint out = 0;
  EXPECT(CL_SUCCESS,
         clEnqueueWriteImage(queue, linear, 1, origin, region, 0, 0, &in, 0, NULL, NULL));
  clReleaseMemObject(linear);
  EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, view, 1, origin, region, 0, 0, &out, 0, NULL, NULL));
  CHECK(out == in);
  clReleaseMemObject(view);
  desc = desc_of(CL_MEM_OBJECT_IMAGE2D);
  desc.mem_object = clCreateImage(context, 0, &r32f, &desc, NULL, NULL);
  view = clCreateImage(context, 0, &depth, &desc, NULL, NULL);
  CHECK(view);
  clReleaseMemObject(view);
  clReleaseMemObject(desc.mem_object);
}

/* Maps for writing of columns beside one another lie between the same rows; none may have a pixel
 * that another has (OpenCL 3.0 API, 5.5.4). */
static void check_maps_for_writing(void) {
  static const size_t left[3] = {0, 0, 0}, right[3] = {2, 0, 0}, between[3] = {1, 1, 0};
  static const size_t half[3] = {2, 2, 1};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 2};
  cl_int error;
  cl_mem image = clCreateImage(context, 0, &rgba8, &desc, NULL, &error);
  size_t row;
  void *a = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, left, half, &row, NULL, 0, NULL,
                              NULL, &error);
  CHECK(a && error == CL_SUCCESS);
  void *b = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, right, half,
                              &row, NULL, 0, NULL, NULL, &error);
  CHECK(b && error == CL_SUCCESS);
  const size_t one[3] = {1, 1, 1};
  EXPECT_NULL(CL_INVALID_OPERATION, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, between,
                                                      one, &row, NULL, 0, NULL, NULL, &error));
  EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image, a, 0, NULL, NULL));
  a = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_WRITE, between, one, &row, NULL, 0, NULL,
                        NULL, &error);
  CHECK(a && error == CL_SUCCESS);
  EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image, a, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image, b, 0, NULL, NULL));
  clReleaseMemObject(image);
}

int main(void) {
  open_device();
  if (has_images()) {
    check_sorts();
    check_sizes();
    check_limits();
    check_refusals();
    check_pitches();
    check_buffer_images();
    check_image_images();
    check_maps_for_writing();
  }
  return finish();
}

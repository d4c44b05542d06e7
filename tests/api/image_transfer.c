/* Reads, writes, copies and maps of images: random regions of images of every sort against a model
 * of what their pixels are, and regions and pitches at the edges. */
#include "api.h"

enum { LARGEST = 1 << 15, STEPS = 60 };

/* Pixels of 1, 2, 4, 8 and 16 bytes. */
static const cl_image_format formats[] = {{CL_R, CL_UNSIGNED_INT8},
                                          {CL_RGB, CL_UNORM_SHORT_565},
                                          {CL_BGRA, CL_UNORM_INT8},
                                          {CL_RG, CL_FLOAT},
                                          {CL_RGBA, CL_SIGNED_INT32}};

/* Width, height, depth and layers; the extent of a region's axes.  The second has a pitch. */
static const struct shape {
  cl_mem_object_type type;
  size_t width, height, depth, layers, extent[3];
} shapes[] = {
    {CL_MEM_OBJECT_IMAGE1D, 23, 0, 0, 0, {23, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_BUFFER, 19, 0, 0, 0, {19, 1, 1}},
    {CL_MEM_OBJECT_IMAGE1D_ARRAY, 11, 0, 0, 7, {11, 7, 1}},
    {CL_MEM_OBJECT_IMAGE2D, 13, 9, 0, 0, {13, 9, 1}},
    {CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 5, 0, 4, {6, 5, 4}},
    {CL_MEM_OBJECT_IMAGE3D, 7, 4, 5, 0, {7, 4, 5}},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, OWN = 0, COPIED, USED, OF_BUFFER, KINDS };

/* An image and its pixels, which follow one another in the model. */
struct image {
  cl_mem mem;
  const struct shape *shape;
  size_t pixel; /* bytes */
  bool layers_are_rows;
  unsigned char model[LARGEST], host[2 * LARGEST];
};

static struct image images[2];
static unsigned char user[4 * LARGEST], expected[4 * LARGEST];
static unsigned state = 1;

static size_t below(size_t limit) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % limit;
}

static unsigned char *at(struct image *image, size_t x, size_t y, size_t z) {
  const size_t *extent = image->shape->extent;
  return image->model + ((z * extent[1] + y) * extent[0] + x) * image->pixel;
}

/* --- Images with random pixels --- */

static bool has_slices(const struct shape *shape) {
  return shape->layers || shape->depth;
}

/* Sets the host's memory, with gaps between rows, to what the model has. */
static void put_in_host(struct image *image, size_t row, size_t slice) {
  const size_t *extent = image->shape->extent;
  memset(image->host, 0xee, sizeof image->host);
  for (size_t z = 0; z < extent[2]; z++)
    for (size_t y = 0; y < extent[1]; y++)
      memcpy(image->host + z * slice + y * (image->layers_are_rows ? slice : row),
             at(image, 0, y, z), extent[0] * image->pixel);
}

static void make(struct image *image, const struct shape *shape, unsigned f, int kind) {
  cl_image_desc desc = {.image_type = shape->type,
                        .image_width = shape->width,
                        .image_height = shape->height,
                        .image_depth = shape->depth,
                        .image_array_size = shape->layers};
  size_t pixel = (size_t)1 << f, row = (shape->width + 3) * pixel;
  size_t slice = row * ((shape->height ? shape->height : 1) + 1);
  cl_mem_flags flags = kind == COPIED ? CL_MEM_COPY_HOST_PTR
                       : kind == USED ? CL_MEM_USE_HOST_PTR
                                      : 0;
  const cl_mem_flags buffer_flags = CL_MEM_COPY_HOST_PTR;
  cl_int error;
  *image = (struct image){.shape = shape, .pixel = pixel};
  image->layers_are_rows = shape->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  for (size_t i = 0; i < sizeof image->model; i++) image->model[i] = (unsigned char)below(256);
  if (kind == COPIED || kind == USED || (kind == OF_BUFFER && shape->height)) {
    desc.image_row_pitch = row;
    if (has_slices(shape)) desc.image_slice_pitch = slice;
  }
  put_in_host(image, row, slice);
  if (kind == OF_BUFFER)
    desc.mem_object = clCreateBuffer(context, buffer_flags, sizeof image->host, image->host, NULL);
  image->mem =
      clCreateImage(context, flags, &formats[f], &desc, flags ? image->host : NULL, &error);
  EXPECT(CL_SUCCESS, error);
  if (desc.mem_object) clReleaseMemObject(desc.mem_object);
  static const size_t origin[3] = {0};
  if (kind == OWN)
    EXPECT(CL_SUCCESS, clEnqueueWriteImage(queue, image->mem, CL_TRUE, origin, shape->extent, 0, 0,
                                           image->model, 0, NULL, NULL));
}

/* --- Random commands --- */

static void choose_region(const struct image *image, size_t origin[3], size_t region[3]) {
  for (int i = 0; i < 3; i++) {
    size_t extent = image->shape->extent[i];
    region[i] = below(4) ? 1 + below(extent) : extent;
    origin[i] = below(extent - region[i] + 1);
  }
}

/* Pitches of the host's memory, 0 for the smallest, and what they stand for. */
struct pitches {
  size_t row, slice, row_step, slice_step, bytes;
};

static struct pitches choose_pitches(const struct image *image, const size_t region[3]) {
  struct pitches p = {0};
  size_t rows = image->layers_are_rows ? 1 : region[1];
  size_t row = region[0] * image->pixel, slice;
  if (below(2)) p.row = row = row + below(9);
  slice = row * rows;
  if (has_slices(image->shape) && below(2)) p.slice = slice = slice + below(9);
  p.row_step = image->layers_are_rows ? slice : row;
  p.slice_step = slice;
  p.bytes = (region[2] - 1) * slice + (region[1] - 1) * p.row_step + region[0] * image->pixel;
  return p;
}

/* Between the region of the model and memory with those pitches. */
static void move(struct image *image, const size_t origin[3], const size_t region[3],
                 unsigned char *memory, size_t row_step, size_t slice_step, bool to_model) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++) {
      unsigned char *pixels = at(image, origin[0], origin[1] + y, origin[2] + z);
      unsigned char *row = memory + z * slice_step + y * row_step;
      memcpy(to_model ? pixels : row, to_model ? row : pixels, region[0] * image->pixel);
    }
}

static void randomise(unsigned char *bytes, size_t size) {
  for (size_t i = 0; i < size; i++) bytes[i] = (unsigned char)below(256);
}

static void try_read(struct image *image) {
  size_t origin[3], region[3];
  choose_region(image, origin, region);
  struct pitches p = choose_pitches(image, region);
  memset(user, 0x55, sizeof user);
  memset(expected, 0x55, sizeof expected);
  move(image, origin, region, expected, p.row_step, p.slice_step, false);
  EXPECT(CL_SUCCESS, clEnqueueReadImage(queue, image->mem, CL_TRUE, origin, region, p.row, p.slice,
                                        user, 0, NULL, NULL));
  CHECK(!memcmp(user, expected, sizeof user));
}

static void try_write(struct image *image) {
  size_t origin[3], region[3];
  choose_region(image, origin, region);
  struct pitches p = choose_pitches(image, region);
  randomise(user, p.bytes);
  move(image, origin, region, user, p.row_step, p.slice_step, true);
  EXPECT(CL_SUCCESS, clEnqueueWriteImage(queue, image->mem, CL_TRUE, origin, region, p.row, p.slice,
                                         user, 0, NULL, NULL));
}

/* Between two images, of whatever sorts, or within one. */
static void try_copy(struct image *from, struct image *to) {
  size_t origin[3], region[3], target[3], fit[3];
  choose_region(from, origin, region);
  bool apart = from != to;
  for (int i = 0; i < 3; i++) {
    size_t extent = to->shape->extent[i];
    if (region[i] > extent) region[i] = extent;
    target[i] = below(extent - region[i] + 1);
    apart |= target[i] >= origin[i] + region[i] || origin[i] >= target[i] + region[i];
    fit[i] = region[i];
  }
  cl_int error = clEnqueueCopyImage(queue, from->mem, to->mem, origin, target, fit, 0, NULL, NULL);
  CHECK(error == (apart ? CL_SUCCESS : CL_MEM_COPY_OVERLAP));
  if (!apart) return;
  size_t row = region[0] * from->pixel, slice = row * region[1];
  move(from, origin, region, user, row, slice, false);
  move(to, target, region, user, row, slice, true);
}

static void try_buffer(struct image *image, bool to_image) {
  size_t origin[3], region[3], offset = below(40);
  choose_region(image, origin, region);
  size_t row = region[0] * image->pixel, slice = row * region[1], size = slice * region[2];
  randomise(user, offset + size + 8);
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, offset + size + 8, user, NULL);
  if (to_image) {
    EXPECT(CL_SUCCESS, clEnqueueCopyBufferToImage(queue, buffer, image->mem, offset, origin, region,
                                                  0, NULL, NULL));
    move(image, origin, region, user + offset, row, slice, true);
  } else {
    EXPECT(CL_SUCCESS, clEnqueueCopyImageToBuffer(queue, image->mem, buffer, origin, region, offset,
                                                  0, NULL, NULL));
    memcpy(expected, user, offset + size + 8);
    move(image, origin, region, expected + offset, row, slice, false);
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, offset + size + 8, user, 0, NULL, NULL));
    CHECK(!memcmp(user, expected, offset + size + 8));
  }
  EXPECT(CL_SUCCESS, clReleaseMemObject(buffer));
}

static void compare_rows(struct image *image, const size_t origin[3], const size_t region[3],
                         const unsigned char *memory, size_t row_step, size_t slice_step) {
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++)
      CHECK(!memcmp(memory + z * slice_step + y * row_step,
                    at(image, origin[0], origin[1] + y, origin[2] + z), region[0] * image->pixel));
}

static void try_map(struct image *image) {
  static const cl_map_flags all[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
                                     CL_MAP_WRITE_INVALIDATE_REGION};
  size_t origin[3], region[3], row = 0, slice = 99;
  cl_map_flags flags = all[below(4)];
  cl_int error;
  choose_region(image, origin, region);
  unsigned char *memory = clEnqueueMapImage(queue, image->mem, CL_TRUE, flags, origin, region, &row,
                                            &slice, 0, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  if (!memory) return;
  CHECK(row >= region[0] * image->pixel && (has_slices(image->shape) ? slice >= row : !slice));
  size_t row_step = image->layers_are_rows ? slice : row;
  if (flags != CL_MAP_WRITE_INVALIDATE_REGION)
    compare_rows(image, origin, region, memory, row_step, slice);
  if (flags != CL_MAP_READ) {
    for (size_t z = 0; z < region[2]; z++)
      for (size_t y = 0; y < region[1]; y++)
        randomise(memory + z * slice + y * row_step, region[0] * image->pixel);
    move(image, origin, region, memory, row_step, slice, true);
  }
  EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image->mem, memory, 0, NULL, NULL));
}

static void check_whole(struct image *image) {
  static const size_t origin[3] = {0};
  const size_t *extent = image->shape->extent;
  size_t size = extent[0] * extent[1] * extent[2] * image->pixel;
  EXPECT(CL_SUCCESS,
         clEnqueueReadImage(queue, image->mem, CL_TRUE, origin, extent, 0, 0, user, 0, NULL, NULL));
  CHECK(!memcmp(user, image->model, size));
}

static void random_commands(void) {
  int first = failures;
  for (int i = 0; i < STEPS && failures == first; i++) {
    struct image *image = &images[below(2)];
    switch (below(7)) {
    case 0:
      try_read(image);
      break;
    case 1:
      try_write(image);
      break;
    case 2:
      try_buffer(image, true);
      break;
    case 3:
      try_buffer(image, false);
      break;
    case 4:
      try_map(image);
      break;
    case 5:
      EXPECT(CL_SUCCESS, clEnqueueMigrateMemObjects(queue, 1, &image->mem,
                                                    CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
      break;
    default:
      try_copy(image, &images[below(2)]);
    }
  }
  for (int i = 0; i < 2; i++) {
    if (failures == first) check_whole(&images[i]);
    EXPECT(CL_SUCCESS, clReleaseMemObject(images[i].mem));
  }
}

static bool can_be(const struct shape *shape, int kind) {
  bool buffer = shape->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  return buffer                                 ? kind == OF_BUFFER
         : shape->type == CL_MEM_OBJECT_IMAGE2D ? true
                                                : kind != OF_BUFFER;
}

static void check_commands(void) {
  for (unsigned f = 0; f < 5; f++)
    for (int s = 0; s < SHAPES; s++)
      for (int kind = 0; kind < KINDS; kind++) {
        if (!can_be(&shapes[s], kind)) continue;
        const struct shape *other = &shapes[below(SHAPES)];
        int other_kind = other->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? OF_BUFFER : OWN;
        make(&images[0], &shapes[s], f, kind);
        make(&images[1], other, f, other_kind);
        int before = failures;
        random_commands();
        if (failures > before) printf("  format %u, shape %d, kind %d\n", f, s, kind);
      }
}

/* --- Regions and pitches that are none --- */

/* All commands with a region, which they have to refuse. */
static void expect_refused(const struct image *image, const size_t *origin, const size_t *region) {
  static const size_t none[3] = {0};
  cl_mem buffer = clCreateBuffer(context, 0, LARGEST, NULL, NULL), mem = image->mem;
  size_t row, slice;
  EXPECT(CL_INVALID_VALUE,
         clEnqueueReadImage(queue, mem, CL_TRUE, origin, region, 0, 0, user, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueWriteImage(queue, mem, CL_TRUE, origin, region, 0, 0, user, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueFillImage(queue, mem, user, origin, region, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueCopyImage(queue, mem, mem, origin, none, region, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueCopyImage(queue, mem, mem, none, origin, region, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueCopyImageToBuffer(queue, mem, buffer, origin, region, 0, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueCopyBufferToImage(queue, buffer, mem, 0, origin, region, 0, NULL, NULL));
  EXPECT_NULL(CL_INVALID_VALUE, clEnqueueMapImage(queue, mem, CL_TRUE, CL_MAP_READ, origin, region,
                                                  &row, &slice, 0, NULL, NULL, &error));
  clReleaseMemObject(buffer);
}

static void check_regions(struct image *image) {
  const size_t *extent = image->shape->extent;
  const size_t zero[3] = {0}, whole[3] = {extent[0], extent[1], extent[2]};
  expect_refused(image, NULL, whole);
  expect_refused(image, zero, NULL);
  for (int i = 0; i < 3; i++) {
    const size_t bad_origins[] = {1, extent[i], SIZE_MAX, SIZE_MAX - extent[i] + 1};
    const size_t bad_regions[] = {0, extent[i] + 1, SIZE_MAX, (size_t)1 << 63};
    for (int k = 0; k < 4; k++) {
      size_t origin[3] = {0}, region[3] = {extent[0], extent[1], extent[2]};
      origin[i] = bad_origins[k];
      expect_refused(image, origin, whole);
      region[i] = bad_regions[k];
      expect_refused(image, zero, region);
    }
  }
}

static void check_pitches(struct image *image) {
  const size_t zero[3] = {0}, *extent = image->shape->extent, row = extent[0] * image->pixel;
  const size_t least = row * (image->layers_are_rows ? 1 : extent[1]);
  /* The second half is for images that have slices; others have no slice pitch. */
  const size_t bad[][2] = {{row - 1, 0},     {1, 0},        {0, least - 1},
                           {row + 4, least}, {0, SIZE_MAX}, {SIZE_MAX, 0}};
  for (int k = 0; k < (has_slices(image->shape) ? 6 : 3); k++) {
    EXPECT(CL_INVALID_VALUE, clEnqueueReadImage(queue, image->mem, CL_TRUE, zero, extent, bad[k][0],
                                                bad[k][1], user, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueWriteImage(queue, image->mem, CL_TRUE, zero, extent,
                                                 bad[k][0], bad[k][1], user, 0, NULL, NULL));
  }
  EXPECT(CL_INVALID_VALUE,
         clEnqueueReadImage(queue, image->mem, CL_TRUE, zero, extent, 0, 0, NULL, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueWriteImage(queue, image->mem, CL_TRUE, zero, extent, 0, 0, NULL, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE,
         clEnqueueFillImage(queue, image->mem, NULL, zero, extent, 0, NULL, NULL));
}

static void check_buffers(struct image *image) {
  const size_t zero[3] = {0}, *extent = image->shape->extent;
  const size_t size = extent[0] * extent[1] * extent[2] * image->pixel;
  const size_t bad[] = {1, size, SIZE_MAX, SIZE_MAX - size + 1};
  cl_mem buffer = clCreateBuffer(context, 0, size, NULL, NULL);
  for (int k = 0; k < 4; k++) {
    EXPECT(CL_INVALID_VALUE, clEnqueueCopyImageToBuffer(queue, image->mem, buffer, zero, extent,
                                                        bad[k], 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueCopyBufferToImage(queue, buffer, image->mem, bad[k], zero,
                                                        extent, 0, NULL, NULL));
  }
  EXPECT(CL_INVALID_MEM_OBJECT,
         clEnqueueCopyImageToBuffer(queue, image->mem, image->mem, zero, extent, 0, 0, NULL, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT,
         clEnqueueCopyImageToBuffer(queue, buffer, buffer, zero, extent, 0, 0, NULL, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT,
         clEnqueueReadBuffer(queue, image->mem, CL_TRUE, 0, 1, user, 0, NULL, NULL));
  clReleaseMemObject(buffer);
}

static void check_maps(struct image *image) {
  const size_t zero[3] = {0}, *extent = image->shape->extent;
  size_t row, slice;
  EXPECT_NULL(CL_INVALID_VALUE, clEnqueueMapImage(queue, image->mem, CL_TRUE, CL_MAP_READ, zero,
                                                  extent, NULL, &slice, 0, NULL, NULL, &error));
  EXPECT_NULL(CL_INVALID_VALUE, clEnqueueMapImage(queue, image->mem, CL_TRUE, 1 << 20, zero, extent,
                                                  &row, &slice, 0, NULL, NULL, &error));
  cl_int error;
  void *memory = clEnqueueMapImage(queue, image->mem, CL_TRUE, CL_MAP_READ, zero, extent, &row,
                                   NULL, 0, NULL, NULL, &error);
  CHECK(has_slices(image->shape) ? !memory && error == CL_INVALID_VALUE : memory != NULL);
  if (memory) EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queue, image->mem, memory, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, image->mem, user, 0, NULL, NULL));
}

static void check_edges(void) {
  for (int s = 0; s < SHAPES; s++) {
    struct image *image = &images[0];
    make(image, &shapes[s], 2, shapes[s].type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? OF_BUFFER : OWN);
    check_regions(image);
    check_pitches(image);
    check_buffers(image);
    check_maps(image);
    check_whole(image);
    EXPECT(CL_SUCCESS, clReleaseMemObject(image->mem));
  }
}

/* --- What is asked of the host, and of formats --- */

static void check_flags(void) {
  static const size_t zero[3] = {0}, one[3] = {1, 1, 1};
  const cl_mem_flags flags[] = {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY,
                                CL_MEM_HOST_NO_ACCESS};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 8};
  size_t row;
  cl_int error;
  for (int i = 0; i < 3; i++) {
    cl_mem mem = clCreateImage(context, flags[i], &formats[2], &desc, NULL, &error);
    cl_int reads = i == 1 ? CL_SUCCESS : CL_INVALID_OPERATION;
    cl_int writes = i == 0 ? CL_SUCCESS : CL_INVALID_OPERATION;
    EXPECT(reads, clEnqueueReadImage(queue, mem, CL_TRUE, zero, one, 0, 0, user, 0, NULL, NULL));
    EXPECT(writes, clEnqueueWriteImage(queue, mem, CL_TRUE, zero, one, 0, 0, user, 0, NULL, NULL));
    void *memory = clEnqueueMapImage(queue, mem, CL_TRUE, CL_MAP_READ, zero, one, &row, NULL, 0,
                                     NULL, NULL, &error);
    CHECK(error == reads && !memory == !!reads);
    memory = clEnqueueMapImage(queue, mem, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, zero, one, &row,
                               NULL, 0, NULL, NULL, &error);
    CHECK(error == writes && !memory == !!writes);
    clReleaseMemObject(mem);
  }
}

static void check_mismatch(void) {
  static const size_t zero[3] = {0}, one[3] = {1, 1, 1};
  const cl_image_format other = {CL_RGBA, CL_UNORM_INT8};
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 8};
  cl_mem a = clCreateImage(context, 0, &formats[2], &desc, NULL, NULL);
  cl_mem b = clCreateImage(context, 0, &other, &desc, NULL, NULL);
  EXPECT(CL_IMAGE_FORMAT_MISMATCH, clEnqueueCopyImage(queue, a, b, zero, zero, one, 0, NULL, NULL));
  cl_mem buffer = clCreateBuffer(context, 0, 64, NULL, NULL);
  cl_image_desc of_buffer = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 8};
  of_buffer.mem_object = buffer;
  cl_mem c = clCreateImage(context, 0, &other, &of_buffer, NULL, NULL);
  EXPECT(CL_INVALID_MEM_OBJECT,
         clEnqueueCopyImageToBuffer(queue, c, buffer, zero, one, 32, 0, NULL, NULL));
  EXPECT(CL_INVALID_MEM_OBJECT,
         clEnqueueCopyBufferToImage(queue, buffer, c, 32, zero, one, 0, NULL, NULL));
  clReleaseMemObject(c);
  clReleaseMemObject(buffer);
  clReleaseMemObject(b);
  clReleaseMemObject(a);
}

int main(void) {
  open_device();
  if (has_images()) {
    check_commands();
    check_edges();
    check_flags();
    check_mismatch();
  }
  return finish();
}

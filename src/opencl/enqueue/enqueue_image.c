/* Image commands (sections 5.3.3 to 5.3.5): a region is a box of the image's bytes. */
#include "opencl/memory/image.h"
#include "runtime/device.h"
#include "runtime/memory/image_color.h"

cl_int mpl_validate_image(const char *function, cl_command_queue queue, cl_mem mem) {
  if (!(queue->device->device->info.offers & MPL_OFFERS_IMAGES))
    return mpl_refuse(CL_INVALID_OPERATION, function,
                      "the device has no images (CL_DEVICE_IMAGE_SUPPORT)");
  if (!mpl_valid(mem, MPL_MEM) || !mem->image)
    return mpl_refuse(CL_INVALID_MEM_OBJECT, function, "%p is not an image", (void *)mem);
  if (mem->context != queue->context)
    return mpl_refuse(CL_INVALID_CONTEXT, function,
                      "the image and the command-queue belong to different contexts");
  return CL_SUCCESS;
}

cl_int mpl_image_box(const char *function, cl_mem mem, const size_t *origin, const size_t *region,
                     struct mpl_side *box, size_t size[3]) {
  const struct mpl_image *image = mem->image;
  bool rows_are_layers = mem->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  const size_t steps[3] = {image->pixel_size,
                           rows_are_layers ? image->slice_pitch : image->row_pitch,
                           image->slice_pitch};
  const size_t extent[3] = {image->width, rows_are_layers ? image->array_size : image->height,
                            rows_are_layers ? 1 : image->depth * (size_t)image->array_size};
  if (!origin || !region) return mpl_refuse(CL_INVALID_VALUE, function, "origin or region is null");
  for (unsigned i = 0; i < 3; i++)
    if (!region[i] || region[i] > extent[i] || origin[i] > extent[i] - region[i])
      return mpl_refuse(CL_INVALID_VALUE, function,
                        "region %zu at origin %zu is 0 or exceeds the image, which has %zu in "
                        "dimension %u",
                        region[i], origin[i], extent[i], i);
  *box = (struct mpl_side){.mem = mem, .row = steps[1], .slice = steps[2]};
  for (unsigned i = 0; i < 3; i++) {
    box->start += origin[i] * steps[i];
    box->extent += (region[i] - 1) * steps[i];
    size[i] = region[i];
  }
  box->extent += steps[0];
  size[0] *= steps[0];
  return CL_SUCCESS;
}

/* --- Between an image and the host's memory --- */

/* Rows and slices of `size` in the host's memory; a pitch of 0 stands for the smallest. */
static cl_int host_box(const char *function, cl_mem image, const size_t size[3], size_t row_pitch,
                       size_t slice_pitch, const void *host, struct mpl_side *box) {
  bool rows_are_layers = image->type == CL_MEM_OBJECT_IMAGE1D_ARRAY;
  size_t least, last, rows = rows_are_layers ? 1 : size[1];
  if (!host) return mpl_refuse(CL_INVALID_VALUE, function, "ptr is null");
  if (slice_pitch && !mpl_image_has_slices(image))
    return mpl_refuse(CL_INVALID_VALUE, function, "a 1D or 2D image has no slice pitch");
  if (!row_pitch) row_pitch = size[0];
  bool bad = __builtin_mul_overflow(row_pitch, rows, &least) || row_pitch < size[0];
  if (!slice_pitch) slice_pitch = least;
  bad |= slice_pitch < least || __builtin_mul_overflow(slice_pitch, size[1] * size[2], &last);
  if (bad)
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "row pitch %zu or slice pitch %zu is less than a row or slice, or too large "
                      "for any memory",
                      row_pitch, slice_pitch);
  *box = (struct mpl_side){
      .host = host, .row = rows_are_layers ? slice_pitch : row_pitch, .slice = slice_pitch};
  return CL_SUCCESS;
}

cl_int CL_API_CALL clEnqueueReadImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                      const size_t *origin, const size_t *region, size_t row_pitch,
                                      size_t slice_pitch, void *ptr, cl_uint num_waits,
                                      const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side from, to;
  size_t size[3];
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_image(__func__, queue, image);
  if (!error) error = mpl_image_box(__func__, image, origin, region, &from, size);
  if (!error) error = host_box(__func__, image, size, row_pitch, slice_pitch, ptr, &to);
  if (!error) error = mpl_validate_host_access(__func__, image, true, false);
  if (error) return error;
  return mpl_enqueue_copy(queue, CL_COMMAND_READ_IMAGE, &to, &from, size, blocking, &deps);
}

cl_int CL_API_CALL clEnqueueWriteImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                       const size_t *origin, const size_t *region, size_t row_pitch,
                                       size_t slice_pitch, const void *ptr, cl_uint num_waits,
                                       const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side from, to;
  size_t size[3];
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_image(__func__, queue, image);
  if (!error) error = mpl_image_box(__func__, image, origin, region, &to, size);
  if (!error) error = host_box(__func__, image, size, row_pitch, slice_pitch, ptr, &from);
  if (!error) error = mpl_validate_host_access(__func__, image, false, true);
  if (error) return error;
  return mpl_enqueue_copy(queue, CL_COMMAND_WRITE_IMAGE, &to, &from, size, blocking, &deps);
}

/* --- Between images --- */

static bool same_format(const struct mpl_image *a, const struct mpl_image *b) {
  return a->channel_order == b->channel_order && a->channel_type == b->channel_type;
}

static bool regions_overlap(const size_t a[3], const size_t b[3], const size_t region[3]) {
  return mpl_overlap(a[0], b[0], region[0]) && mpl_overlap(a[1], b[1], region[1]) &&
         mpl_overlap(a[2], b[2], region[2]);
}

cl_int CL_API_CALL clEnqueueCopyImage(cl_command_queue queue, cl_mem from, cl_mem to,
                                      const size_t *from_origin, const size_t *to_origin,
                                      const size_t *region, cl_uint num_waits,
                                      const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side source, target;
  size_t size[3];
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_image(__func__, queue, from);
  if (!error) error = mpl_validate_image(__func__, queue, to);
  if (!error && !same_format(from->image, to->image))
    error = mpl_refuse(CL_IMAGE_FORMAT_MISMATCH, __func__,
                       "the images have different formats: only pixels of one format are copied");
  if (!error) error = mpl_image_box(__func__, from, from_origin, region, &source, size);
  if (!error) error = mpl_image_box(__func__, to, to_origin, region, &target, size);
  if (error) return error;
  if (from == to && regions_overlap(from_origin, to_origin, region))
    return mpl_refuse(CL_MEM_COPY_OVERLAP, __func__, "source and target overlap");
  return mpl_enqueue_copy(queue, CL_COMMAND_COPY_IMAGE, &target, &source, size, false, &deps);
}

/* --- Between an image and a buffer, where the region's rows follow one another --- */

static cl_int linear_box(const char *function, cl_mem buffer, cl_mem image, size_t offset,
                         const size_t size[3], struct mpl_side *box) {
  if (image->parent == buffer)
    return mpl_refuse(CL_INVALID_MEM_OBJECT, function, "the image shares the buffer's memory");
  size_t bytes = size[0] * size[1] * size[2]; /* at most those of the image */
  *box = (struct mpl_side){.mem = buffer,
                           .start = offset,
                           .extent = bytes,
                           .row = size[0],
                           .slice = size[0] * size[1]};
  return mpl_validate_range(function, buffer, offset, bytes);
}

cl_int CL_API_CALL clEnqueueCopyImageToBuffer(cl_command_queue queue, cl_mem image, cl_mem buffer,
                                              const size_t *origin, const size_t *region,
                                              size_t offset, cl_uint num_waits,
                                              const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side from, to;
  size_t size[3];
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_image(__func__, queue, image);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error) error = mpl_image_box(__func__, image, origin, region, &from, size);
  if (!error) error = linear_box(__func__, buffer, image, offset, size, &to);
  if (error) return error;
  return mpl_enqueue_copy(queue, CL_COMMAND_COPY_IMAGE_TO_BUFFER, &to, &from, size, false, &deps);
}

cl_int CL_API_CALL clEnqueueCopyBufferToImage(cl_command_queue queue, cl_mem buffer, cl_mem image,
                                              size_t offset, const size_t *origin,
                                              const size_t *region, cl_uint num_waits,
                                              const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side from, to;
  size_t size[3];
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_image(__func__, queue, image);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error) error = mpl_image_box(__func__, image, origin, region, &to, size);
  if (!error) error = linear_box(__func__, buffer, image, offset, size, &from);
  if (error) return error;
  return mpl_enqueue_copy(queue, CL_COMMAND_COPY_BUFFER_TO_IMAGE, &to, &from, size, false, &deps);
}

/* --- Fills --- */

cl_int CL_API_CALL clEnqueueFillImage(cl_command_queue queue, cl_mem image, const void *color,
                                      const size_t *origin, const size_t *region, cl_uint num_waits,
                                      const cl_event *waits, cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side to;
  size_t size[3];
  unsigned char pixel[MPL_LARGEST_PIXEL];
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_image(__func__, queue, image);
  if (!error && !color) error = mpl_refuse(CL_INVALID_VALUE, __func__, "fill_color is null");
  if (!error) error = mpl_image_box(__func__, image, origin, region, &to, size);
  if (error) return error;
  mpl_image_pixel(image->image, color, pixel);
  return mpl_enqueue_fill(queue, CL_COMMAND_FILL_IMAGE, &to, size, pixel, image->image->pixel_size,
                          &deps);
}

/* Images: clCreateImage and its like (section 5.3.1). */
#include "image.h"

#include <stdlib.h>

#include "opencl/device/device.h"
#include "runtime/device.h"
#include "runtime/memory/image_format.h"

/* The request of clCreateImage, made definite step by step. */
struct request {
  const char *function;
  cl_context context;
  cl_mem_flags flags;
  const cl_image_format *format;
  const cl_image_desc *desc;
  void *host_ptr;
  const struct mpl_image_sort *sort;
  struct mpl_image image;
};

size_t mpl_image_bytes(const struct mpl_image *image) {
  return image->slice_pitch * image->depth * image->array_size;
}

/* Up to the last pixel: what lies behind it in a host's memory need not be there. */
static size_t used_bytes(const struct mpl_image *image) {
  return mpl_image_bytes(image) - image->row_pitch + (size_t)image->width * image->pixel_size;
}

static cl_int bad_desc(const struct request *request, const char *why) {
  return mpl_refuse(CL_INVALID_IMAGE_DESCRIPTOR, request->function, "%s", why);
}

/* --- Images of another memory object's bytes --- */

/* Channel orders that see the same pixels (section 5.3.1.2, "Compatible Image Channel Orders"). */
static bool orders_compatible(cl_channel_order order, cl_channel_order parent) {
  static const cl_channel_order pairs[][2] = {
      {CL_sBGRA, CL_BGRA}, {CL_sRGBA, CL_RGBA}, {CL_sRGB, CL_RGB}, {CL_sRGBx, CL_RGBx}};
  bool compatible = order == CL_DEPTH && parent == CL_R;
  for (unsigned i = 0; i < sizeof pairs / sizeof *pairs; i++)
    compatible |= (order == pairs[i][0] && parent == pairs[i][1]) ||
                  (order == pairs[i][1] && parent == pairs[i][0]);
  return compatible;
}

static cl_int check_parent_image(const struct request *request) {
  const struct mpl_image *parent = request->desc->mem_object->image;
  const cl_image_desc *desc = request->desc;
  if (desc->image_width != parent->width || desc->image_height != parent->height ||
      (desc->image_row_pitch && desc->image_row_pitch != parent->row_pitch) ||
      request->format->image_channel_data_type != parent->channel_type ||
      !orders_compatible(request->format->image_channel_order, parent->channel_order))
    return mpl_refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, request->function,
                      "an image created from an image has the same size, pitch and channel type; "
                      "its channel order may differ in sRGB only, or be DEPTH for R");
  return CL_SUCCESS;
}

static cl_int check_parent(struct request *request) {
  cl_mem parent = request->desc->mem_object;
  cl_mem_object_type type = request->desc->image_type;
  if (!parent)
    return type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? bad_desc(request, "mem_object is no buffer")
                                                : CL_SUCCESS;
  if (!mpl_valid(parent, MPL_MEM) || parent->context != request->context)
    return bad_desc(request, "mem_object is no memory object of the context");
  bool of_buffer = parent->type == CL_MEM_OBJECT_BUFFER &&
                   (type == CL_MEM_OBJECT_IMAGE1D_BUFFER || type == CL_MEM_OBJECT_IMAGE2D);
  bool of_image = parent->type == CL_MEM_OBJECT_IMAGE2D && type == CL_MEM_OBJECT_IMAGE2D;
  if (!of_buffer && !of_image)
    return bad_desc(request, "1D buffer images are made of buffers, 2D images of these or of 2D "
                             "images, others of no memory object");
  if (!mpl_mem_inherit_flags(parent, &request->flags))
    return mpl_refuse(CL_INVALID_VALUE, request->function,
                      "flags 0x%llx allow more than those of mem_object, or ask for a host pointer",
                      (unsigned long long)request->flags);
  return of_image ? check_parent_image(request) : CL_SUCCESS;
}

/* --- Format, sizes, pitches --- */

static cl_int check_format(struct request *request) {
  const cl_image_format *format = request->format;
  struct mpl_image *image = &request->image;
  bool known =
      mpl_image_set_format(image, format->image_channel_order, format->image_channel_data_type);
  if (!known || (image->pixel_size & (image->pixel_size - 1)))
    return mpl_refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, request->function,
                      "channel order 0x%x does not go with channel type 0x%x",
                      format->image_channel_order, format->image_channel_data_type);
  unsigned wanted = mpl_image_wanted(request->flags);
  if ((mpl_image_access(format, request->desc->image_type) & wanted) == wanted) return CL_SUCCESS;
  return mpl_refuse(CL_IMAGE_FORMAT_NOT_SUPPORTED, request->function,
                    "channel order 0x%x with type 0x%x is not supported for such an image with "
                    "these flags: clGetSupportedImageFormats lists the formats",
                    format->image_channel_order, format->image_channel_data_type);
}

static size_t largest_width(const struct request *request) {
  size_t most = 0;
  if (request->sort->object == CL_MEM_OBJECT_IMAGE3D) return MPL_IMAGE_3D_MAX;
  if (request->sort->object != CL_MEM_OBJECT_IMAGE1D_BUFFER) return MPL_IMAGE_2D_MAX;
  for (cl_uint i = 0; i < request->context->num_devices; i++) {
    size_t max = mpl_image_buffer_max(&request->context->devices[i]->device->info);
    if (max > most) most = max;
  }
  return most;
}

static bool set_size(uint32_t *size, size_t asked, size_t most) {
  *size = (uint32_t)asked;
  return asked && asked <= most;
}

/* Sizes that the type does not have are 1. */
static cl_int set_sizes(struct request *request) {
  const cl_image_desc *desc = request->desc;
  struct mpl_image *image = &request->image;
  unsigned axes = request->sort->axes - request->sort->layered;
  size_t plane = axes == 3 ? MPL_IMAGE_3D_MAX : MPL_IMAGE_2D_MAX;
  bool good = set_size(&image->width, desc->image_width, largest_width(request));
  good &= set_size(&image->height, axes > 1 ? desc->image_height : 1, plane);
  good &= set_size(&image->depth, axes > 2 ? desc->image_depth : 1, MPL_IMAGE_3D_MAX);
  good &= set_size(&image->array_size, request->sort->layered ? desc->image_array_size : 1,
                   MPL_IMAGE_LAYERS_MAX);
  if (good) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_IMAGE_SIZE, request->function,
                    "%zu x %zu x %zu pixels, %zu layers: one of these is 0, or more than "
                    "CL_DEVICE_IMAGE..._MAX_... of the device",
                    desc->image_width, desc->image_height, desc->image_depth,
                    desc->image_array_size);
}

static cl_int set_row_pitch(struct request *request) {
  struct mpl_image *image = &request->image;
  cl_mem parent = request->desc->mem_object;
  bool of_buffer = parent && request->sort->object == CL_MEM_OBJECT_IMAGE2D;
  size_t least = (size_t)image->width * image->pixel_size, pitch = request->desc->image_row_pitch;
  /* That of a 1D image of a buffer has nothing to separate; a program may give it, as with other
   * implementations. */
  bool one_row = request->sort->object == CL_MEM_OBJECT_IMAGE1D_BUFFER;
  if (pitch && !request->host_ptr && !of_buffer && !one_row)
    return bad_desc(request, "a row pitch without host_ptr");
  if (parent && parent->image) pitch = parent->image->row_pitch;
  image->row_pitch = pitch ? pitch : least;
  if (image->row_pitch >= least && image->row_pitch % image->pixel_size == 0) return CL_SUCCESS;
  return mpl_refuse(of_buffer ? CL_INVALID_IMAGE_FORMAT_DESCRIPTOR : CL_INVALID_IMAGE_DESCRIPTOR,
                    request->function,
                    "row pitch %zu is less than a row of %zu bytes, or not a multiple of a pixel "
                    "of %u bytes",
                    pitch, least, image->pixel_size);
}

static cl_int set_slice_pitch(struct request *request) {
  struct mpl_image *image = &request->image;
  size_t pitch = request->desc->image_slice_pitch, least, all;
  bool has_slices = request->sort->layered || request->sort->axes == 3;
  if (pitch && !request->host_ptr) return bad_desc(request, "a slice pitch without host_ptr");
  if (__builtin_mul_overflow(image->row_pitch, image->height, &least))
    return bad_desc(request, "the row pitch is out of all bounds");
  image->slice_pitch = pitch && has_slices ? pitch : least;
  if (image->slice_pitch < least || image->slice_pitch % image->row_pitch)
    return bad_desc(request, "the slice pitch is less than a slice, or no multiple of the row's");
  if (__builtin_mul_overflow(image->slice_pitch, image->depth * (size_t)image->array_size, &all))
    return bad_desc(request, "the slice pitch is out of all bounds");
  return CL_SUCCESS;
}

/* That a 2D image of a buffer begins where the device says. */
static cl_int check_base(const struct request *request) {
  cl_mem parent = request->desc->mem_object;
  if (!parent || parent->image || request->sort->object != CL_MEM_OBJECT_IMAGE2D ||
      (uintptr_t)parent->host_ptr % (MPL_IMAGE_BASE_ALIGN * request->image.pixel_size) == 0)
    return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, request->function,
                    "host_ptr %p of the buffer is not aligned to "
                    "CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT pixels",
                    parent->host_ptr);
}

/* That the bytes are there. */
static cl_int check_bytes(const struct request *request) {
  size_t bytes = mpl_image_bytes(&request->image), room = mpl_mem_largest(request->context);
  cl_mem parent = request->desc->mem_object;
  if (parent && !parent->image && bytes > parent->size)
    return mpl_refuse(CL_INVALID_IMAGE_SIZE, request->function,
                      "the image needs %zu bytes; the buffer has %zu", bytes, parent->size);
  if (bytes > room)
    return mpl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, request->function,
                      "the image needs %zu bytes; CL_DEVICE_MAX_MEM_ALLOC_SIZE is %zu", bytes,
                      room);
  return CL_SUCCESS;
}

/* --- Together --- */

static cl_int check_context(const struct request *request, const cl_mem_properties *properties) {
  if (!mpl_valid(request->context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!mpl_images_offered(request->context))
    return mpl_refuse(CL_INVALID_OPERATION, request->function,
                      "no device of the context has images (CL_DEVICE_IMAGE_SUPPORT)");
  return mpl_mem_check_properties(properties);
}

static cl_int check(struct request *request) {
  const cl_image_desc *desc = request->desc;
  if (!mpl_mem_flags_good(request->flags))
    return mpl_refuse(CL_INVALID_VALUE, request->function, "flags 0x%llx exclude one another",
                      (unsigned long long)request->flags);
  if (!request->format)
    return mpl_refuse(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, request->function,
                      "image_format is null");
  if (!desc || !(request->sort = mpl_image_sort(desc->image_type)))
    return bad_desc(request, "image_desc is null, or its image_type is unknown");
  if (desc->num_mip_levels || desc->num_samples)
    return bad_desc(request, "mipmaps and samples are not supported: num_mip_levels and "
                             "num_samples must be 0");
  cl_int error = check_parent(request);
  if (!error) error = check_format(request);
  if (!error) error = set_sizes(request);
  if (!error && !desc->mem_object)
    error = mpl_mem_check_host_ptr(request->function, request->flags, request->host_ptr);
  if (!error && desc->mem_object && request->host_ptr)
    error = mpl_refuse(CL_INVALID_HOST_PTR, request->function,
                       "host_ptr and mem_object are both given: an image takes one of them");
  if (!error) error = set_row_pitch(request);
  if (!error) error = set_slice_pitch(request);
  if (!error) error = check_base(request);
  return error ? error : check_bytes(request);
}

static cl_int make(const struct request *request, const cl_mem_properties *properties,
                   cl_mem *result) {
  cl_mem mem = mpl_mem_new(request->context, request->sort->object, request->flags,
                           used_bytes(&request->image));
  if (!mem) return CL_OUT_OF_HOST_MEMORY;
  mem->image = malloc(sizeof *mem->image);
  mem->descriptors = calloc(request->context->num_memories, sizeof *mem->descriptors);
  bool has_room = mem->image && mem->descriptors;
  cl_int error = has_room ? mpl_mem_set_properties(mem, properties) : CL_OUT_OF_HOST_MEMORY;
  if (mem->image) *mem->image = request->image;
  if (!error && request->desc->mem_object)
    mpl_mem_attach(mem, request->desc->mem_object, 0);
  else if (!error)
    error = mpl_mem_allocate(request->function, mem, request->host_ptr);
  if (error)
    mpl_mem_free(mem);
  else
    *result = mem;
  return error;
}

static cl_int create(struct request *request, const cl_mem_properties *properties, cl_mem *mem) {
  cl_int error = check_context(request, properties);
  if (!error) error = check(request);
  return error ? error : make(request, properties, mem);
}

cl_mem CL_API_CALL clCreateImageWithProperties(cl_context context,
                                               const cl_mem_properties *properties,
                                               cl_mem_flags flags, const cl_image_format *format,
                                               const cl_image_desc *desc, void *host_ptr,
                                               cl_int *errcode_ret) {
  struct request request = {.function = __func__,
                            .context = context,
                            .flags = flags,
                            .format = format,
                            .desc = desc,
                            .host_ptr = host_ptr};
  cl_mem mem = NULL;
  cl_int error = create(&request, properties, &mem);
  return mpl_give(mem, error, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                 const cl_image_format *format, const cl_image_desc *desc,
                                 void *host_ptr, cl_int *errcode_ret) {
  return clCreateImageWithProperties(context, NULL, flags, format, desc, host_ptr, errcode_ret);
}

/* The functions of OpenCL 1.1 know no CL_INVALID_IMAGE_DESCRIPTOR. */
static cl_mem create_without_desc(cl_context context, cl_mem_flags flags,
                                  const cl_image_format *format, const cl_image_desc *desc,
                                  void *host_ptr, cl_int *errcode_ret) {
  cl_int error;
  cl_mem mem = clCreateImage(context, flags, format, desc, host_ptr, &error);
  return mpl_give(mem, error == CL_INVALID_IMAGE_DESCRIPTOR ? CL_INVALID_IMAGE_SIZE : error,
                  errcode_ret);
}

cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *format, size_t width, size_t height,
                                   size_t pitch, void *host_ptr, cl_int *errcode_ret) {
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                              .image_width = width,
                              .image_height = height,
                              .image_row_pitch = pitch};
  return create_without_desc(context, flags, format, &desc, host_ptr, errcode_ret);
}

cl_mem CL_API_CALL clCreateImage3D(cl_context context, cl_mem_flags flags,
                                   const cl_image_format *format, size_t width, size_t height,
                                   size_t depth, size_t row_pitch, size_t slice_pitch,
                                   void *host_ptr, cl_int *errcode_ret) {
  const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                              .image_width = width,
                              .image_height = height,
                              .image_depth = depth > 1 ? depth : 0, /* here 1 is too little */
                              .image_row_pitch = row_pitch,
                              .image_slice_pitch = slice_pitch};
  return create_without_desc(context, flags, format, &desc, host_ptr, errcode_ret);
}

/* Queries on images: their sorts and formats (sections 5.3.2, 5.3.7). */
#include <string.h>

#include "image.h"
#include "runtime/device.h"

static const struct mpl_image_sort sorts[] = {
#define MPL_IMAGE_OBJECT(object, type, depth_type, dim, axes, layered)                             \
  {CL_MEM_OBJECT_##object, type, depth_type, axes, layered},
#include "tables/image_objects.def"
};

const struct mpl_image_sort *mpl_image_sort(cl_mem_object_type object) {
  for (unsigned i = 0; i < sizeof sorts / sizeof *sorts; i++)
    if (sorts[i].object == object) return &sorts[i];
  return NULL;
}

enum { READ = MPL_IMAGE_READS, ALL = MPL_IMAGE_READS | MPL_IMAGE_WRITES | MPL_IMAGE_BOTH };
enum objects { ANY, PLANES };

static const struct row {
  cl_image_format format;
  unsigned access;
  enum objects objects;
} formats[] = {
#define MPL_IMAGE_FORMAT(order, type, access, objects) {{CL_##order, CL_##type}, access, objects},
#include "tables/image_formats.def"
};

enum { NUM_FORMATS = sizeof formats / sizeof *formats };

static unsigned access_of(const struct row *row, cl_mem_object_type object) {
  bool plane = object == CL_MEM_OBJECT_IMAGE2D || object == CL_MEM_OBJECT_IMAGE2D_ARRAY;
  return row->objects == ANY || plane ? row->access : 0;
}

unsigned mpl_image_access(const cl_image_format *format, cl_mem_object_type object) {
  for (unsigned i = 0; i < NUM_FORMATS; i++)
    if (!memcmp(&formats[i].format, format, sizeof *format)) return access_of(&formats[i], object);
  return 0;
}

unsigned mpl_image_wanted(cl_mem_flags flags) {
  return flags & CL_MEM_KERNEL_READ_AND_WRITE ? MPL_IMAGE_BOTH
         : flags & CL_MEM_READ_ONLY           ? MPL_IMAGE_READS
         : flags & CL_MEM_WRITE_ONLY          ? MPL_IMAGE_WRITES
                                              : MPL_IMAGE_READS | MPL_IMAGE_WRITES;
}

bool mpl_images_offered(cl_context context) {
  bool offered = false;
  for (cl_uint i = 0; i < context->num_devices; i++)
    offered |= (context->devices[i]->device->info.offers & MPL_OFFERS_IMAGES) != 0;
  return offered;
}

cl_int CL_API_CALL clGetSupportedImageFormats(cl_context context, cl_mem_flags flags,
                                              cl_mem_object_type type, cl_uint num_entries,
                                              cl_image_format *list, cl_uint *num_formats) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!mpl_image_sort(type) || (list && !num_entries))
    return mpl_refuse(CL_INVALID_VALUE, __func__,
                      "image_type 0x%x is unknown, or num_entries is 0 with a list of formats",
                      type);
  if (!mpl_mem_flags_good(flags & ~(cl_mem_flags)CL_MEM_KERNEL_READ_AND_WRITE))
    return mpl_refuse(CL_INVALID_VALUE, __func__, "flags 0x%llx exclude one another",
                      (unsigned long long)flags);
  unsigned wanted = mpl_image_wanted(flags);
  cl_uint count = 0;
  for (unsigned i = 0; i < NUM_FORMATS && mpl_images_offered(context); i++) {
    if ((access_of(&formats[i], type) & wanted) != wanted) continue;
    if (list && count < num_entries) list[count] = formats[i].format;
    count++;
  }
  if (num_formats) *num_formats = count;
  return CL_SUCCESS;
}

bool mpl_image_has_slices(cl_mem mem) {
  const struct mpl_image_sort *sort = mpl_image_sort(mem->type);
  return sort->layered || sort->axes == 3;
}

/* Sizes that the type has not are 0 here. */
cl_int CL_API_CALL clGetImageInfo(cl_mem mem, cl_image_info param_name, size_t size, void *value,
                                  size_t *size_ret) {
  if (!mpl_valid(mem, MPL_MEM) || !mem->image) return CL_INVALID_MEM_OBJECT;
  const struct mpl_image *image = mem->image;
  const struct mpl_image_sort *sort = mpl_image_sort(mem->type);
  unsigned axes = sort->axes - sort->layered;
  const cl_image_format format = {image->channel_order, image->channel_type};
  bool of_buffer = mem->parent && !mem->parent->image;
  switch (param_name) {
  case CL_IMAGE_FORMAT:
    return mpl_answer(&format, sizeof format, size, value, size_ret);
    MPL_QUERY(CL_IMAGE_ELEMENT_SIZE, size_t, image->pixel_size)
    MPL_QUERY(CL_IMAGE_ROW_PITCH, size_t, image->row_pitch)
    MPL_QUERY(CL_IMAGE_SLICE_PITCH, size_t, mpl_image_has_slices(mem) ? image->slice_pitch : 0)
    MPL_QUERY(CL_IMAGE_WIDTH, size_t, image->width)
    MPL_QUERY(CL_IMAGE_HEIGHT, size_t, axes > 1 ? image->height : 0)
    MPL_QUERY(CL_IMAGE_DEPTH, size_t, axes > 2 ? image->depth : 0)
    MPL_QUERY(CL_IMAGE_ARRAY_SIZE, size_t, sort->layered ? image->array_size : 0)
    MPL_QUERY(CL_IMAGE_BUFFER, cl_mem, of_buffer ? mem->parent : NULL)
    MPL_QUERY(CL_IMAGE_NUM_MIP_LEVELS, cl_uint, 0)
    MPL_QUERY(CL_IMAGE_NUM_SAMPLES, cl_uint, 0)
  default:
    return CL_INVALID_VALUE;
  }
}

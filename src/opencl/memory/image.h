/* Images.  Their bytes are kept as those of buffers are (buffer_memory.h), in one piece: rows
 * image->row_pitch apart, slices or layers image->slice_pitch.  mem->image has what kernels read of
 * them (abi/image.h), which is set where it says 1 for what the type has not. */
#ifndef MPL_OPENCL_IMAGE_H
#define MPL_OPENCL_IMAGE_H

#include "opencl/enqueue/enqueue_transfer.h"

/* A row of tables/image_objects.def. */
struct mpl_image_sort {
  cl_mem_object_type object;
  const char *type, *depth_type;
  unsigned axes;
  bool layered;
};

const struct mpl_image_sort *mpl_image_sort(cl_mem_object_type); /* null if it is no image */

/* What kernels may do with a format: bits. */
enum mpl_image_access { MPL_IMAGE_READS = 1, MPL_IMAGE_WRITES = 2, MPL_IMAGE_BOTH = 4 };
unsigned mpl_image_access(const cl_image_format *, cl_mem_object_type); /* 0: not offered */
unsigned mpl_image_wanted(cl_mem_flags); /* what images with these flags are for */

/* True for arrays and 3D images: they have a slice pitch. */
bool mpl_image_has_slices(cl_mem);

/* Whether a device of the context has images. */
bool mpl_images_offered(cl_context);

/* Where a device that refers to images (mpl_device_info.refers_to_images) has the descriptor, which is
 * made at first use and lives as long as the image; null if there is no room. */
void *mpl_image_descriptor(cl_mem, struct mpl_device *);
void mpl_image_forget(cl_mem); /* for mpl_mem_free */

/* From the first byte to behind the last row's padding. */
size_t mpl_image_bytes(const struct mpl_image *);

/* CL_INVALID_OPERATION, CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT or CL_SUCCESS for an image that a
 * command of the queue uses. */
cl_int mpl_validate_image(const char *function, cl_command_queue, cl_mem);

/* The bytes of a region: where they begin and how far apart rows and slices are, for 1D arrays
 * layers in place of rows; `size` has bytes, rows, slices.  CL_INVALID_VALUE for one that is null,
 * empty or leaves the image. */
cl_int mpl_image_box(const char *function, cl_mem, const size_t *origin, const size_t *region,
                     struct mpl_side *box, size_t size[3]);

#endif

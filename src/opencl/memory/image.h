/* Images.  Their bytes are kept like those of buffers (buffer_memory.h), in one piece: rows are
 * image->row_pitch apart, slices or layers image->slice_pitch.  mem->image is the descriptor that
 * kernels read (abi/image.h); sizes that the type does not have are 1. */
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

const struct mpl_image_sort *mpl_image_sort(cl_mem_object_type); /* null for other types */

/* The accesses of kernels that a format allows: bits. */
enum mpl_image_access { MPL_IMAGE_READS = 1, MPL_IMAGE_WRITES = 2, MPL_IMAGE_BOTH = 4 };
unsigned mpl_image_access(const cl_image_format *, cl_mem_object_type); /* 0: not offered */
unsigned mpl_image_wanted(cl_mem_flags); /* those that these flags ask for */

/* True for arrays and 3D images: they have a slice pitch. */
bool mpl_image_has_slices(cl_mem);

/* Whether a device of the context has images. */
bool mpl_images_offered(cl_context);

/* The address of the descriptor on a device that refers to images
 * (mpl_device_info.refers_to_images). It is made at first use and lives as long as the image; null
 * if there is no room. */
void *mpl_image_descriptor(cl_mem, struct mpl_device *);
void mpl_image_forget(cl_mem); /* for mpl_mem_free */

/* From the first byte to behind the last row's padding. */
size_t mpl_image_bytes(const struct mpl_image *);

/* CL_INVALID_OPERATION, CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT or CL_SUCCESS for an image that a
 * command of the queue uses. */
cl_int mpl_validate_image(const char *function, cl_command_queue, cl_mem);

/* The bytes of a region: their beginning, and the distances of rows and slices (of layers in place
 * of rows for 1D arrays); `size` has bytes, rows, slices.  CL_INVALID_VALUE for a region that is
 * null or empty or exceeds the image. */
cl_int mpl_image_box(const char *function, cl_mem, const size_t *origin, const size_t *region,
                     struct mpl_side *box, size_t size[3]);

#endif

/* The places of the bytes of buffers and images; "buffer" stands for both.
 *
 * A context has memories: the host's, in which its CPU devices work, and one for each device that
 * has its own.  A buffer has a place in each memory in which it was used, and a record of the
 * places at which each byte is up to date.  Commands of a context with hidden memory call
 * mpl_buffer_acquire as they begin.  With the host's memory alone there is nothing to do, nor for a
 * buffer over SVM (`data`), which all devices use in its place. */
#ifndef MPL_OPENCL_BUFFER_MEMORY_H
#define MPL_OPENCL_BUFFER_MEMORY_H

#include "opencl/objects.h"

struct mpl_device;

enum { MPL_HOST_MEMORY = 0 }; /* the first of a context's memories */

/* The bytes [offset, offset + size) of a buffer, as a command uses them. */
struct mpl_range {
  cl_mem mem; /* null: none */
  size_t offset, size;
  bool reads, writes;
};

static inline bool mpl_has_hidden_memory(cl_context context) {
  return context->num_memories > 1;
}

/* The context's memory in which the device works; below 0 for a device of another context. */
unsigned mpl_memory_of(cl_context, const struct mpl_device *);

/* The buffer's first byte in a memory, where a place is made at first use; null if there is no
 * room. */
void *mpl_buffer_place(cl_mem, unsigned memory);

/* Brings the bytes up to date in a memory if the command reads them, and marks other places as out
 * of date if it writes.  For a device's own memory it is called as the command is issued: by then
 * accesses of other devices have ended, and bytes that the device has do not move.  0 or an error.
 */
int mpl_buffer_acquire(const struct mpl_range *, unsigned memory);

/* The same for whole buffers, each read, and written if `writes` and its flags allow it. */
int mpl_buffers_acquire(const cl_mem *, cl_uint count, bool writes, unsigned memory);

/* True if a memory has all these bytes up to date. */
bool mpl_buffer_is_current(const struct mpl_range *, unsigned memory);
/* A copy has brought them there too. */
void mpl_buffer_set_current(const struct mpl_range *, unsigned memory);

/* For clCreateBuffer and clCreateImage: makes the first place.  0, or
 * CL_MEM_OBJECT_ALLOCATION_FAILURE and its like. */
cl_int mpl_buffer_memory_init(cl_mem, void *host_ptr);
/* Sets the first bytes of a buffer that nobody has used; the others do not matter. */
cl_int mpl_buffer_memory_set(cl_mem, void *bytes, size_t size);
void mpl_buffer_memory_free(cl_mem);

#endif

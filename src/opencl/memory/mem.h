/* Shared by all memory objects: buffers (mem.c) and images (image.c). */
#ifndef MPL_OPENCL_MEM_H
#define MPL_OPENCL_MEM_H

#include "opencl/objects.h"

/* The memory object that has the bytes: a buffer or an image that was not made from another one. */
static inline cl_mem mpl_mem_root(cl_mem mem) {
  while (mem->parent) mem = mem->parent;
  return mem;
}

/* Whether clCreate* takes these flags together (section 5.2.1, table 14). */
bool mpl_mem_flags_good(cl_mem_flags);

/* Sets the flags that an object inherits from its `parent`; false if the parent does not allow
 * those that it asks for (sections 5.2.1, 5.3.1). */
bool mpl_mem_inherit_flags(cl_mem parent, cl_mem_flags *);

/* CL_INVALID_HOST_PTR unless host_ptr is given exactly if the flags ask for it. */
cl_int mpl_mem_check_host_ptr(const char *function, cl_mem_flags, const void *host_ptr);

/* The most bytes that one memory object of the context can have. */
uint64_t mpl_mem_largest(cl_context);

/* A memory object without bytes, with one reference for the caller; null if there is no memory. */
cl_mem mpl_mem_new(cl_context, cl_mem_object_type, cl_mem_flags, size_t size);
void mpl_mem_free(cl_mem); /* with all that it has */

/* A command's reference, from the enqueue call to the command's end.  Threads that share the object
 * count it in places of their own: the count of clRetainMemObject would go from core to core.  Any
 * thread may pass the result to the release. */
unsigned char mpl_mem_hold(cl_mem);
void mpl_mem_let(cl_mem, unsigned char held);

/* Gives it bytes of its own according to its flags, with the contents of host_ptr. */
cl_int mpl_mem_allocate(const char *function, cl_mem, void *host_ptr);

/* Gives it the parent's bytes from `origin` on. */
void mpl_mem_attach(cl_mem, cl_mem parent, size_t origin);

/* No properties exist: CL_INVALID_PROPERTY for a list with one.  An empty list is kept. */
cl_int mpl_mem_check_properties(const cl_mem_properties *);
cl_int mpl_mem_set_properties(cl_mem, const cl_mem_properties *);

#endif

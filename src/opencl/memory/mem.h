/* What all memory objects share: buffers (mem.c) and images (image.c). */
#ifndef MPL_OPENCL_MEM_H
#define MPL_OPENCL_MEM_H

#include "opencl/objects.h"

/* The memory object that has the bytes: a buffer or an image that was made from no other one. */
static inline cl_mem mpl_mem_root(cl_mem mem) {
  while (mem->parent) mem = mem->parent;
  return mem;
}

/* Whether clCreate* takes these flags together (section 5.2.1, table 14). */
bool mpl_mem_flags_good(cl_mem_flags);

/* Sets what an object that is made from `parent` inherits; false if it may not have what it asks
 * for (sections 5.2.1, 5.3.1). */
bool mpl_mem_inherit_flags(cl_mem parent, cl_mem_flags *);

/* CL_INVALID_HOST_PTR unless host_ptr is there if, and only if, the flags want it. */
cl_int mpl_mem_check_host_ptr(const char *function, cl_mem_flags, const void *host_ptr);

/* The most bytes that one memory object of the context can have. */
uint64_t mpl_mem_largest(cl_context);

/* One without bytes, with one reference for the caller; null if there is no memory. */
cl_mem mpl_mem_new(cl_context, cl_mem_object_type, cl_mem_flags, size_t size);
void mpl_mem_free(cl_mem); /* whatever it has */

/* A command's reference, from its enqueuing to its end, which threads that share the object count
 * each in a place of its own: clRetainMemObject's count would go from core to core.  What it
 * returns is for the release, by whichever thread. */
unsigned char mpl_mem_hold(cl_mem);
void mpl_mem_let(cl_mem, unsigned char held);

/* Gives it bytes of its own, as its flags say, which are those at host_ptr. */
cl_int mpl_mem_allocate(const char *function, cl_mem, void *host_ptr);

/* Gives it the parent's bytes from `origin` on. */
void mpl_mem_attach(cl_mem, cl_mem parent, size_t origin);

/* No property is known: CL_INVALID_PROPERTY for a list with one.  An empty list is kept. */
cl_int mpl_mem_check_properties(const cl_mem_properties *);
cl_int mpl_mem_set_properties(cl_mem, const cl_mem_properties *);

#endif

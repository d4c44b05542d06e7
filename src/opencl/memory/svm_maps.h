/* What the host has mapped of coarse-grained SVM, for the check (OpenCL 3.0 API, 5.6.1: kernels and
 * commands may not use it meanwhile).  Fine-grained SVM needs no maps, and has none here. */
#ifndef MPL_OPENCL_SVM_MAPS_H
#define MPL_OPENCL_SVM_MAPS_H

#include "box.h"
#include "opencl/objects.h"
#include "runtime/mistakes/locate.h"

struct mpl_svm_map; /* one that lasts until its end's command, or the memory's */

/* The host calls for it.  Null: it is of no such memory, or nothing is checked. */
struct mpl_svm_map *mpl_svm_map_new(cl_context, const void *, size_t size, bool writes);
/* Its command is done: from here on it counts; or it is not, and then its end is.  Null is let
 * pass. */
void mpl_svm_map_made(struct mpl_svm_map *);
void mpl_svm_map_let(struct mpl_svm_map *);
/* The command of the end of the host's maps that begin there. */
void mpl_svm_unmapped(cl_context, const void *);
/* The memory is freed. */
void mpl_svm_maps_forget(cl_context, const void *base, size_t size);

/* A command is about to use a box of `extent` bytes that begins there: reports it if some of its
 * bytes are mapped. */
void mpl_svm_maps_look(cl_context, const char *command, const void *, const struct mpl_box *,
                       size_t extent, bool writes);

/* Calls `each` for every map of these bytes, with the part that is in them. */
void mpl_svm_maps_each(cl_context, const void *, size_t size,
                       void (*each)(void *data, const char *begin, const char *end, bool writes,
                                    const struct mpl_trace *made),
                       void *data);

#endif

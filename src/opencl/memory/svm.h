/* Shared virtual memory: the allocations of a context.  Host and devices use them at the same
 * addresses, so only their ranges are kept: for clSetKernelExecInfo, for the queries, and to refuse
 * ranges that exceed them. */
#ifndef MPL_OPENCL_SVM_H
#define MPL_OPENCL_SVM_H

#include "opencl/objects.h"

bool mpl_svm_offered(cl_context);    /* by one of its devices */
bool mpl_svm_everywhere(cl_context); /* by all */

/* Finds the allocation that holds [pointer, pointer + size); false if none does. */
bool mpl_svm_find(cl_context, const void *pointer, size_t size);

/* The allocation that has that byte; false if none does. */
bool mpl_svm_block(cl_context, const void *pointer, struct mpl_mapped *);

/* Whether the address is one of SVM or USM, which devices use as the host does. */
bool mpl_address_is_shared(cl_context, const void *pointer);

/* Frees an allocation by its first address; false for other addresses, without effect. */
bool mpl_svm_free(cl_context, void *pointer);

void mpl_svm_free_all(cl_context); /* when the context goes */

/* usm.c: the same for cl_intel_unified_shared_memory. */
void mpl_usm_free_all(cl_context);
bool mpl_usm_offered(cl_context); /* by one of its devices */

#endif

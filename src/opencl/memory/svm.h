/* Shared virtual memory: which allocations a context has.  Host and devices use them at the same
 * addresses, so what is kept is only where they are: for clSetKernelExecInfo, the queries, and to
 * refuse ranges that leave them. */
#ifndef MPL_OPENCL_SVM_H
#define MPL_OPENCL_SVM_H

#include "opencl/objects.h"

bool mpl_svm_offered(cl_context);    /* by one of its devices */
bool mpl_svm_everywhere(cl_context); /* by all */

/* Finds the allocation that holds [pointer, pointer + size); false if none does. */
bool mpl_svm_find(cl_context, const void *pointer, size_t size);

/* Whether devices use this address, of SVM or USM, as the host does. */
bool mpl_address_is_shared(cl_context, const void *pointer);

/* Frees an allocation by its first address; false (and nothing happens) if it is none. */
bool mpl_svm_free(cl_context, void *pointer);

void mpl_svm_free_all(cl_context); /* when the context goes */

/* usm.c: the same of cl_intel_unified_shared_memory. */
void mpl_usm_free_all(cl_context);
bool mpl_usm_offered(cl_context); /* by one of its devices */

#endif

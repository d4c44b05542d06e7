/* Buffers that kernels reach by addresses (cl_ext_buffer_device_address).  Each device of the
 * context has its own address of such a buffer, the same for the buffer's life.  Where memory is
 * hidden, a launch gets the buffers whose addresses it takes, so that their bytes are up to date on
 * its device. */
#ifndef MPL_OPENCL_ADDRESSES_H
#define MPL_OPENCL_ADDRESSES_H

#include "opencl/objects.h"

bool mpl_addresses_fixed(cl_context); /* all of its devices have them */

/* Makes the places of a buffer, which have addresses then.  0, or an error. */
cl_int mpl_addresses_make(cl_mem);
void mpl_addresses_forget(cl_mem); /* of any buffer */

/* For clGetMemObjectInfo: an address for each device of the context. */
cl_int mpl_addresses_answer(cl_mem, size_t size, void *value, size_t *size_ret);

/* The buffer that the address lies in, retained, or null.  For contexts with hidden memory. */
cl_mem mpl_addresses_find(cl_context, cl_ulong address);

#endif

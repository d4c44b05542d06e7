/* Pipes (section 5.4).  A pipe is a memory object whose bytes are a struct mpl_pipe (abi/pipe.h):
 * only kernels look into it. */
#include "abi/pipe.h"

#include <stdlib.h>

#include "buffer_memory.h"
#include "mem.h"
#include "opencl/device/device.h"
#include "runtime/device.h"

static bool offered(cl_context context) {
  for (cl_uint i = 0; i < context->num_devices; i++)
    if (context->devices[i]->device->info.offers & MPL_OFFERS_PIPES) return true;
  return false;
}

static cl_int check(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                    cl_uint max_packets, const cl_pipe_properties *properties) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  if (!offered(context))
    return mpl_refuse(CL_INVALID_OPERATION, "clCreatePipe", "no device of the context has pipes");
  if (flags & ~(cl_mem_flags)(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS))
    return mpl_refuse(CL_INVALID_VALUE, "clCreatePipe",
                      "flags 0x%llx: a pipe takes CL_MEM_READ_WRITE and CL_MEM_HOST_NO_ACCESS only",
                      (unsigned long long)flags);
  if (properties)
    return mpl_refuse(CL_INVALID_VALUE, "clCreatePipe", "properties must be null: pipes have none");
  if (!packet_size || packet_size > MPL_PIPE_PACKET_MAX || !max_packets)
    return mpl_refuse(CL_INVALID_PIPE_SIZE, "clCreatePipe",
                      "%u packets of %u bytes; CL_DEVICE_PIPE_MAX_PACKET_SIZE is %u", max_packets,
                      packet_size, MPL_PIPE_PACKET_MAX);
  if (mpl_pipe_size(packet_size, max_packets) > mpl_mem_largest(context))
    return mpl_refuse(CL_MEM_OBJECT_ALLOCATION_FAILURE, "clCreatePipe",
                      "%u packets of %u bytes; CL_DEVICE_MAX_MEM_ALLOC_SIZE is %llu", max_packets,
                      packet_size, (unsigned long long)mpl_mem_largest(context));
  return CL_SUCCESS;
}

/* Its head and slots, with nothing in it. */
static cl_int clear(cl_mem mem) {
  size_t size = mpl_pipe_packets(mem->max_packets);
  struct mpl_pipe *pipe = calloc(1, size);
  if (!pipe) return CL_OUT_OF_HOST_MEMORY;
  pipe->packet_size = mem->packet_size;
  pipe->max_packets = mem->max_packets;
  pipe->packets = size;
  cl_int error = mpl_buffer_memory_set(mem, pipe, size);
  free(pipe);
  return error;
}

cl_mem CL_API_CALL clCreatePipe(cl_context context, cl_mem_flags flags, cl_uint packet_size,
                                cl_uint max_packets, const cl_pipe_properties *properties,
                                cl_int *errcode_ret) {
  cl_int error = check(context, flags, packet_size, max_packets, properties);
  if (error) return mpl_give(NULL, error, errcode_ret);
  if (!flags) flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
  cl_mem mem =
      mpl_mem_new(context, CL_MEM_OBJECT_PIPE, flags, mpl_pipe_size(packet_size, max_packets));
  if (!mem) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  mem->packet_size = packet_size;
  mem->max_packets = max_packets;
  error = mpl_mem_allocate(__func__, mem, NULL);
  if (!error) error = clear(mem);
  if (error) {
    mpl_mem_free(mem);
    return mpl_give(NULL, error, errcode_ret);
  }
  return mpl_give(mem, CL_SUCCESS, errcode_ret);
}

cl_int CL_API_CALL clGetPipeInfo(cl_mem mem, cl_pipe_info param_name, size_t size, void *value,
                                 size_t *size_ret) {
  if (!mpl_valid(mem, MPL_MEM) || mem->type != CL_MEM_OBJECT_PIPE) return CL_INVALID_MEM_OBJECT;
  switch (param_name) {
    MPL_QUERY(CL_PIPE_PACKET_SIZE, cl_uint, mem->packet_size)
    MPL_QUERY(CL_PIPE_MAX_PACKETS, cl_uint, mem->max_packets)
    MPL_QUERY_ARRAY(CL_PIPE_PROPERTIES, cl_pipe_properties, 0, NULL)
  default:
    return CL_INVALID_VALUE;
  }
}

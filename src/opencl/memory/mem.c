/* Memory objects: buffers, sub-buffers and the common part of all. */
#include "mem.h"

#include <stdlib.h>
#include <string.h>

#include "addresses.h"
#include "buffer_memory.h"
#include "image.h"
#include "mem_watch.h"
#include "opencl/device/device.h"
#include "opencl/enqueue/enqueue.h"
#include "runtime/commands/sequence.h"
#include "runtime/device.h"
#include "svm.h"

#define ACCESS_FLAGS      (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY)
#define HOST_ACCESS_FLAGS (CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS)
#define HOST_PTR_FLAGS    (CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR)

static bool at_most_one(cl_mem_flags flags) {
  return !(flags & (flags - 1));
}

bool mpl_mem_flags_good(cl_mem_flags flags) {
  if (flags & ~(cl_mem_flags)(ACCESS_FLAGS | HOST_ACCESS_FLAGS | HOST_PTR_FLAGS)) return false;
  if (!at_most_one(flags & ACCESS_FLAGS) || !at_most_one(flags & HOST_ACCESS_FLAGS)) return false;
  return !(flags & CL_MEM_USE_HOST_PTR) ||
         !(flags & (CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR));
}

uint64_t mpl_mem_largest(cl_context context) {
  uint64_t size = 0;
  for (cl_uint i = 0; i < context->num_devices; i++)
    if (context->devices[i]->device->info.max_allocation > size)
      size = context->devices[i]->device->info.max_allocation;
  return size;
}

cl_int mpl_mem_check_host_ptr(const char *function, cl_mem_flags flags, const void *host_ptr) {
  if (!!host_ptr == !!(flags & (CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR))) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_HOST_PTR, function,
                    "host_ptr is needed with CL_MEM_USE_HOST_PTR or CL_MEM_COPY_HOST_PTR, and must "
                    "be null without");
}

cl_int mpl_mem_allocate(const char *function, cl_mem mem, void *host_ptr) {
  if (mem->flags & CL_MEM_USE_HOST_PTR) {
    mem->host_ptr = host_ptr;
    mem->uses_svm = mpl_svm_find(mem->context, host_ptr, 1);
    if (mem->uses_svm && !mpl_svm_find(mem->context, host_ptr, mem->size))
      return mpl_refuse(mem->image ? CL_INVALID_IMAGE_SIZE : CL_INVALID_BUFFER_SIZE, function,
                        "%zu bytes at %p exceed their SVM allocation", mem->size, host_ptr);
  }
  cl_int error = mpl_buffer_memory_init(mem, host_ptr);
  if (!error) mpl_mem_watch_new(mem);
  return error;
}

void mpl_mem_attach(cl_mem mem, cl_mem parent, size_t origin) {
  clRetainMemObject(parent);
  mem->parent = parent;
  mem->origin = parent->origin + origin;
  if (parent->data) mem->data = (char *)parent->data + origin;
  if (parent->host_ptr) mem->host_ptr = (char *)parent->host_ptr + origin;
  mem->uses_svm = parent->uses_svm;
}

cl_mem mpl_mem_new(cl_context context, cl_mem_object_type type, cl_mem_flags flags, size_t size) {
  cl_mem mem = calloc(1, sizeof *mem);
  if (!mem) return NULL;
  mpl_base_init(&mem->base, MPL_MEM);
  pthread_mutex_init(&mem->lock, NULL);
  mem->context = context;
  mem->type = type;
  mem->flags = flags & ACCESS_FLAGS ? flags : flags | CL_MEM_READ_WRITE;
  mem->size = size;
  clRetainContext(context);
  return mem;
}

void mpl_mem_free(cl_mem mem) {
  if (mem->destructors) mpl_sequence_seen_all(); /* the host hears that its commands have ended */
  while (mem->destructors) { /* the newest first */
    struct mpl_callback *callback = mem->destructors;
    mem->destructors = callback->next;
    ((void(CL_CALLBACK *)(cl_mem, void *))callback->function)(mem, callback->user_data);
    free(callback);
  }
  mpl_mappings_free(mem);
  mpl_addresses_forget(mem);
  mpl_mem_watch_free(mem);
  mpl_image_forget(mem);
  if (!mem->parent) mpl_buffer_memory_free(mem);
  if (mem->parent) clReleaseMemObject(mem->parent);
  pthread_mutex_destroy(&mem->lock);
  free(mem->properties);
  free(mem->image);
  free(atomic_load(&mem->holds));
  clReleaseContext(mem->context);
  mpl_object_free(mem);
}

cl_int mpl_mem_check_properties(const cl_mem_properties *properties) {
  return properties && properties[0] ? CL_INVALID_PROPERTY : CL_SUCCESS;
}

cl_int mpl_mem_set_properties(cl_mem mem, const cl_mem_properties *properties) {
  if (!properties) return CL_SUCCESS;
  size_t count = 0; /* as given, with the final 0 */
  while (properties[count]) count += 2;
  mem->num_properties = ++count;
  mem->properties = malloc(count * sizeof *properties);
  if (!mem->properties) return CL_OUT_OF_HOST_MEMORY;
  memcpy(mem->properties, properties, count * sizeof *properties);
  return CL_SUCCESS;
}

/* That of cl_ext_buffer_device_address is a property of buffers. */
static cl_int check_properties(const char *function, cl_context context,
                               const cl_mem_properties *properties) {
  if (!properties || properties[0] != CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT)
    return mpl_mem_check_properties(properties);
  if (properties[1] > CL_TRUE || properties[2])
    return mpl_refuse(CL_INVALID_PROPERTY, function,
                      "properties must be CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT alone, with CL_TRUE or "
                      "CL_FALSE");
  if (mpl_addresses_fixed(context)) return CL_SUCCESS;
  return mpl_refuse(CL_INVALID_OPERATION, function,
                    "a device of the context has no fixed addresses for buffers");
}

static cl_int check_buffer(const char *function, cl_context context,
                           const cl_mem_properties *properties, cl_mem_flags flags, size_t size,
                           const void *host_ptr) {
  if (!mpl_valid(context, MPL_CONTEXT)) return CL_INVALID_CONTEXT;
  cl_int error = check_properties(function, context, properties);
  if (error) return error;
  if (!mpl_mem_flags_good(flags))
    return mpl_refuse(CL_INVALID_VALUE, function, "flags 0x%llx exclude one another",
                      (unsigned long long)flags);
  if (!size || size > mpl_mem_largest(context))
    return mpl_refuse(CL_INVALID_BUFFER_SIZE, function,
                      "size is %zu bytes: it must be at least 1, and at most "
                      "CL_DEVICE_MAX_MEM_ALLOC_SIZE, which is %llu",
                      size, (unsigned long long)mpl_mem_largest(context));
  return mpl_mem_check_host_ptr(function, flags, host_ptr);
}

cl_mem CL_API_CALL clCreateBufferWithProperties(cl_context context,
                                                const cl_mem_properties *properties,
                                                cl_mem_flags flags, size_t size, void *host_ptr,
                                                cl_int *errcode_ret) {
  cl_int error = check_buffer(__func__, context, properties, flags, size, host_ptr);
  if (error) return mpl_give(NULL, error, errcode_ret);
  cl_mem mem = mpl_mem_new(context, CL_MEM_OBJECT_BUFFER, flags, size);
  if (!mem) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  error = mpl_mem_allocate(__func__, mem, host_ptr);
  if (!error) error = mpl_mem_set_properties(mem, properties);
  if (!error) error = mpl_addresses_make(mem);
  if (error) {
    mpl_mem_free(mem);
    return mpl_give(NULL, error, errcode_ret);
  }
  return mpl_give(mem, CL_SUCCESS, errcode_ret);
}

cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t size,
                                  void *host_ptr, cl_int *errcode_ret) {
  return clCreateBufferWithProperties(context, NULL, flags, size, host_ptr, errcode_ret);
}

/* Its own where given, else the parent's; access may be narrowed, not widened. */
bool mpl_mem_inherit_flags(cl_mem parent, cl_mem_flags *flags) {
  cl_mem_flags given = *flags, from = parent->flags;
  if ((given & HOST_PTR_FLAGS) || !mpl_mem_flags_good(given)) return false;
  if ((from & CL_MEM_WRITE_ONLY) && (given & (CL_MEM_READ_WRITE | CL_MEM_READ_ONLY))) return false;
  if ((from & CL_MEM_READ_ONLY) && (given & (CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY))) return false;
  if ((from & CL_MEM_HOST_WRITE_ONLY) && (given & CL_MEM_HOST_READ_ONLY)) return false;
  if ((from & CL_MEM_HOST_READ_ONLY) && (given & CL_MEM_HOST_WRITE_ONLY)) return false;
  if ((from & CL_MEM_HOST_NO_ACCESS) && (given & (CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY)))
    return false;
  if (!(given & ACCESS_FLAGS)) given |= from & ACCESS_FLAGS;
  if (!(given & HOST_ACCESS_FLAGS)) given |= from & HOST_ACCESS_FLAGS;
  *flags = given | (from & HOST_PTR_FLAGS);
  return true;
}

cl_mem CL_API_CALL clCreateSubBuffer(cl_mem parent, cl_mem_flags flags, cl_buffer_create_type type,
                                     const void *info, cl_int *errcode_ret) {
  if (!mpl_valid(parent, MPL_MEM) || parent->type != CL_MEM_OBJECT_BUFFER || parent->parent)
    return mpl_give(NULL, CL_INVALID_MEM_OBJECT, errcode_ret);
  const cl_buffer_region *region = info;
  if (!region || type != CL_BUFFER_CREATE_TYPE_REGION || !mpl_mem_inherit_flags(parent, &flags))
    return mpl_give(NULL, CL_INVALID_VALUE, errcode_ret);
  if (!region->size) return mpl_give(NULL, CL_INVALID_BUFFER_SIZE, errcode_ret);
  if (region->origin > parent->size || region->size > parent->size - region->origin)
    return mpl_give(NULL, mpl_refuse(CL_INVALID_VALUE, __func__, "the region exceeds the buffer"),
                    errcode_ret);
  if (region->origin % MPL_MEM_BASE_ALIGN)
    return mpl_give(NULL,
                    mpl_refuse(CL_MISALIGNED_SUB_BUFFER_OFFSET, __func__,
                               "origin %zu is not a multiple of %u", region->origin,
                               MPL_MEM_BASE_ALIGN),
                    errcode_ret);
  cl_mem mem = mpl_mem_new(parent->context, CL_MEM_OBJECT_BUFFER, flags, region->size);
  if (!mem) return mpl_give(NULL, CL_OUT_OF_HOST_MEMORY, errcode_ret);
  mpl_mem_attach(mem, parent, region->origin);
  return mpl_give(mem, CL_SUCCESS, errcode_ret);
}

MPL_RETAIN(clRetainMemObject, cl_mem, MPL_MEM, CL_INVALID_MEM_OBJECT)

cl_int CL_API_CALL clReleaseMemObject(cl_mem mem) {
  if (!mpl_valid(mem, MPL_MEM)) return CL_INVALID_MEM_OBJECT;
  mpl_mem_let(mem, 0);
  return CL_SUCCESS;
}

cl_int CL_API_CALL clSetMemObjectDestructorCallback(cl_mem mem,
                                                    void(CL_CALLBACK *function)(cl_mem, void *),
                                                    void *user_data) {
  if (!mpl_valid(mem, MPL_MEM)) return CL_INVALID_MEM_OBJECT;
  if (!function) return CL_INVALID_VALUE;
  return mpl_callback_push(&mem->lock, &mem->destructors, (void (*)(void))function, user_data);
}

cl_int CL_API_CALL clGetMemObjectInfo(cl_mem mem, cl_mem_info param_name, size_t size, void *value,
                                      size_t *size_ret) {
  if (!mpl_valid(mem, MPL_MEM)) return CL_INVALID_MEM_OBJECT;
  switch (param_name) {
  case CL_MEM_DEVICE_ADDRESS_EXT:
    return mpl_addresses_answer(mem, size, value, size_ret);
    MPL_QUERY(CL_MEM_TYPE, cl_mem_object_type, mem->type)
    MPL_QUERY(CL_MEM_FLAGS, cl_mem_flags, mem->flags)
    MPL_QUERY(CL_MEM_SIZE, size_t, mem->image ? mpl_image_bytes(mem->image) : mem->size)
    MPL_QUERY(CL_MEM_HOST_PTR, void *, mem->host_ptr)
    MPL_QUERY(CL_MEM_MAP_COUNT, cl_uint, atomic_load(&mem->map_count))
    MPL_QUERY(CL_MEM_REFERENCE_COUNT, cl_uint, atomic_load(&mem->base.refs))
    MPL_QUERY(CL_MEM_CONTEXT, cl_context, mem->context)
    MPL_QUERY(CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem, mem->parent)
    MPL_QUERY(CL_MEM_OFFSET, size_t, mem->image ? 0 : mem->origin) /* of a sub-buffer only */
    MPL_QUERY(CL_MEM_USES_SVM_POINTER, cl_bool, mem->uses_svm)
    MPL_QUERY_ARRAY(CL_MEM_PROPERTIES, cl_mem_properties, mem->num_properties, mem->properties)
  default:
    return CL_INVALID_VALUE;
  }
}

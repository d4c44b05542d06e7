/* Mapping: the host's memory is the device's, so a map is only a place in the order of commands,
 * and a record that clEnqueueUnmapMemObject checks against. */
#include <stdlib.h>

#include "enqueue.h"

struct mpl_mapping {
  struct mpl_mapping *next;
  void *pointer;
};

void mpl_mappings_free(cl_mem mem) {
  while (mem->mappings) {
    struct mpl_mapping *mapping = mem->mappings;
    mem->mappings = mapping->next;
    free(mapping);
  }
}

static void add_mapping(cl_mem mem, struct mpl_mapping *mapping) {
  pthread_mutex_lock(&mem->lock);
  mapping->next = mem->mappings;
  mem->mappings = mapping;
  pthread_mutex_unlock(&mem->lock);
  atomic_fetch_add(&mem->map_count, 1);
}

static struct mpl_mapping *take_mapping(cl_mem mem, void *pointer) {
  pthread_mutex_lock(&mem->lock);
  struct mpl_mapping **link = &mem->mappings;
  while (*link && (*link)->pointer != pointer) link = &(*link)->next;
  struct mpl_mapping *mapping = *link;
  if (mapping) *link = mapping->next;
  pthread_mutex_unlock(&mem->lock);
  if (mapping) atomic_fetch_sub(&mem->map_count, 1);
  return mapping;
}

static cl_int check_map(const char *function, cl_command_queue queue, cl_mem buffer,
                        cl_map_flags flags, size_t offset, size_t size,
                        const struct mpl_deps *deps) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  cl_int error = mpl_validate_enqueue(function, queue, deps);
  if (!error) error = mpl_validate_buffer(function, queue, buffer);
  if (error) return error;
  if ((flags & ~known) ||
      ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
    return mpl_refuse(CL_INVALID_VALUE, function, "flags 0x%llx are unknown or exclude one another",
                      (unsigned long long)flags);
  if (!size) return mpl_refuse(CL_INVALID_VALUE, function, "the region is empty");
  if ((error = mpl_validate_range(function, buffer, offset, size))) return error;
  return mpl_validate_host_access(function, buffer, flags & CL_MAP_READ,
                                  flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION));
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     cl_map_flags flags, size_t offset, size_t size,
                                     cl_uint num_waits, const cl_event *waits, cl_event *event,
                                     cl_int *errcode_ret) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_work_desc nothing = {0};
  struct mpl_mapping *mapping = NULL;
  void *pointer = NULL;
  cl_int error = check_map(__func__, queue, buffer, flags, offset, size, &deps);
  if (!error && !(mapping = malloc(sizeof *mapping))) error = CL_OUT_OF_HOST_MEMORY;
  if (!error) {
    pointer = mapping->pointer = (char *)buffer->data + offset;
    add_mapping(buffer, mapping);
    error = mpl_enqueue_command(queue, CL_COMMAND_MAP_BUFFER, &nothing, 0, blocking, &deps);
    if (error) {
      free(take_mapping(buffer, pointer));
      pointer = NULL;
    }
  }
  if (errcode_ret) *errcode_ret = error;
  return pointer;
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *pointer,
                                           cl_uint num_waits, const cl_event *waits,
                                           cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_work_desc nothing = {0};
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, mem);
  if (error) return error;
  struct mpl_mapping *mapping = take_mapping(mem, pointer);
  if (!mapping)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "%p was not mapped from this buffer", pointer);
  free(mapping);
  return mpl_enqueue_command(queue, CL_COMMAND_UNMAP_MEM_OBJECT, &nothing, 0, false, &deps);
}

#include "addresses.h"

#include <stdlib.h>

#include "buffer_memory.h"
#include "opencl/device/device.h"
#include "opencl/device/extensions.h"
#include "runtime/device.h"

bool mpl_addresses_fixed(cl_context context) {
  bool fixed = true;
  for (cl_uint i = 0; i < context->num_devices; i++)
    fixed &= (context->devices[i]->device->info.offers & MPL_OFFERS_ADDRESSES) != 0;
  return fixed;
}

static bool has_addresses(cl_mem mem) {
  return mem->num_properties > 1 && mem->properties[1] &&
         mem->properties[0] == CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT;
}

static void *place_on(cl_mem mem, cl_device_id device) {
  return mpl_buffer_place(mem, mpl_memory_of(mem->context, device->device));
}

cl_int mpl_addresses_make(cl_mem mem) {
  cl_context context = mem->context;
  if (!has_addresses(mem) || !mpl_has_hidden_memory(context)) return CL_SUCCESS;
  cl_int error = CL_SUCCESS;
  for (cl_uint i = 0; i < context->num_devices && !error; i++) {
    char *place = place_on(mem, context->devices[i]);
    if (!place) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
    mpl_lock(&context->lock);
    const struct mpl_mapped *known = mpl_map_find(&context->addresses, place);
    if (!known && !mpl_map_add(&context->addresses,
                               (struct mpl_mapped){.base = place, .size = mem->size, .owner = mem}))
      error = CL_OUT_OF_HOST_MEMORY;
    mpl_unlock(&context->lock);
  }
  return error;
}

void mpl_addresses_forget(cl_mem mem) {
  struct mpl_address_map *map = &mem->context->addresses;
  if (!has_addresses(mem)) return;
  mpl_lock(&mem->context->lock);
  for (size_t i = map->count; i-- > 0;)
    if (map->ranges[i].owner == mem) mpl_map_remove(map, &map->ranges[i]);
  mpl_unlock(&mem->context->lock);
}

/* False: its last reference is gone, and it leaves the map once its callbacks have run. */
static bool retain_living(cl_mem mem) {
  unsigned refs = atomic_load(&mem->base.refs);
  while (refs && !atomic_compare_exchange_weak(&mem->base.refs, &refs, refs + 1)) continue;
  return refs;
}

cl_mem mpl_addresses_find(cl_context context, cl_ulong address) {
  mpl_lock(&context->lock);
  const struct mpl_mapped *range =
      mpl_map_find(&context->addresses, (const void *)(uintptr_t)address);
  cl_mem mem = range ? range->owner : NULL;
  if (mem && !retain_living(mem)) mem = NULL;
  mpl_unlock(&context->lock);
  return mem;
}

cl_int mpl_addresses_answer(cl_mem mem, size_t size, void *value, size_t *size_ret) {
  if (!has_addresses(mem))
    return mpl_refuse(CL_INVALID_OPERATION, "clGetMemObjectInfo",
                      "the buffer was created without CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT");
  cl_uint count = mem->context->num_devices;
  cl_mem_device_address_ext *list = malloc(count * sizeof *list);
  if (!list) return CL_OUT_OF_HOST_MEMORY;
  for (cl_uint i = 0; i < count; i++) list[i] = (uintptr_t)place_on(mem, mem->context->devices[i]);
  cl_int error = mpl_answer(list, count * sizeof *list, size, value, size_ret);
  free(list);
  return error;
}

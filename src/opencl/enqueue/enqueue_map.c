/* Mapping.  Where all memory is the host's, a map is only a place in the order of commands, and a
 * record for the checks of clEnqueueUnmapMemObject.  An object in hidden memory is mapped at its
 * place in host memory: a map brings the bytes there, and an unmap brings those back that may have
 * been written. */
#include <stdlib.h>

#include "opencl/memory/image.h"
#include "opencl/memory/mem.h"
#include "opencl/memory/mem_watch.h"
#include "runtime/device.h"
#include "runtime/mistakes/host_mistake.h"

struct mpl_mapping {
  struct mpl_mapping *next;
  struct mpl_mapping *next_write; /* in write_maps */
  atomic_uint refs; /* the object's or who takes it from there, and under the check its command's */
  struct mpl_watched_map watched;
  void *pointer;
  struct mpl_range range; /* as the host uses it */
  struct mpl_box box;     /* of the object's */
};

/* A map or unmap of hidden memory. */
struct move {
  struct mpl_operation operation; /* by the queue's device, if that has the memory */
  struct mpl_range range;
};

static void drop(struct mpl_mapping *mapping) {
  if (atomic_fetch_sub(&mapping->refs, 1) != 1) return;
  free(mapping->watched.before);
  free(mapping);
}

/* --- Maps for writing, which must not overlap one another (OpenCL 3.0 API, 5.5.4) --- */

/* Within the object that has the bytes. */
static struct mpl_box box_of_bytes(const struct mpl_mapping *mapping) {
  struct mpl_box box = mapping->box;
  box.start += mapping->range.mem->origin;
  return box;
}

static bool overlap(const struct mpl_mapping *a, const struct mpl_mapping *b) {
  const struct mpl_box one = box_of_bytes(a), other = box_of_bytes(b);
  return one.start < other.start + b->range.size && other.start < one.start + a->range.size &&
         mpl_box_common(&one, &other) != SIZE_MAX;
}

/* False: another map for writing has some of its bytes. */
static bool add_write(struct mpl_mapping *mapping) {
  if (!mapping->range.writes) return true;
  cl_mem root = mpl_mem_root(mapping->range.mem);
  mpl_lock(&root->lock);
  struct mpl_mapping *other = root->write_maps;
  while (other && !overlap(mapping, other)) other = other->next_write;
  if (!other) {
    mapping->next_write = root->write_maps;
    root->write_maps = mapping;
  }
  mpl_unlock(&root->lock);
  return !other;
}

static void remove_write(struct mpl_mapping *mapping) {
  if (!mapping->range.writes) return;
  cl_mem root = mpl_mem_root(mapping->range.mem);
  mpl_lock(&root->lock);
  struct mpl_mapping **link = &root->write_maps;
  while (*link && *link != mapping) link = &(*link)->next_write;
  if (*link) *link = mapping->next_write;
  mpl_unlock(&root->lock);
}

void mpl_mappings_free(cl_mem mem) {
  while (mem->mappings) {
    struct mpl_mapping *mapping = mem->mappings;
    mem->mappings = mapping->next;
    remove_write(mapping);
    drop(mapping);
  }
}

static void add_mapping(cl_mem mem, struct mpl_mapping *mapping) {
  mpl_lock(&mem->lock);
  mapping->next = mem->mappings;
  mem->mappings = mapping;
  mpl_unlock(&mem->lock);
  atomic_fetch_add(&mem->map_count, 1);
}

static struct mpl_mapping *take_mapping(cl_mem mem, void *pointer) {
  mpl_lock(&mem->lock);
  struct mpl_mapping **link = &mem->mappings;
  while (*link && (*link)->pointer != pointer) link = &(*link)->next;
  struct mpl_mapping *mapping = *link;
  if (mapping) *link = mapping->next;
  mpl_unlock(&mem->lock);
  if (!mapping) return NULL;
  remove_write(mapping);
  atomic_fetch_sub(&mem->map_count, 1);
  return mapping;
}

static cl_int check_flags(const char *function, cl_mem mem, cl_map_flags flags) {
  const cl_map_flags known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
  if ((flags & ~known) ||
      ((flags & CL_MAP_WRITE_INVALIDATE_REGION) && (flags & (CL_MAP_READ | CL_MAP_WRITE))))
    return mpl_refuse(CL_INVALID_VALUE, function,
                      "map_flags 0x%llx are unknown, or exclude one another",
                      (unsigned long long)flags);
  return mpl_validate_host_access(function, mem, flags & CL_MAP_READ,
                                  flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION));
}

static void release_move(void *data) {
  clReleaseMemObject(((struct move *)data)->range.mem);
  free(data);
}

/* What the device has may still be under way, so the device copies; what it has not is brought to
 * it before. */
static int prepare_map(void *data, struct mpl_device *device) {
  struct move *move = data;
  unsigned memory = mpl_memory_of(move->range.mem->context, device);
  if (move->range.reads && memory != MPL_HOST_MEMORY &&
      !mpl_buffer_is_current(&move->range, MPL_HOST_MEMORY)) {
    const struct mpl_range read = {move->range.mem, move->range.offset, move->range.size, true,
                                   false};
    return mpl_buffer_acquire(&read, memory);
  }
  move->operation.copy.size[0] = 0;
  return mpl_buffer_acquire(&move->range, MPL_HOST_MEMORY);
}

static int finish_map(void *data, struct mpl_device *device) {
  struct move *move = data;
  if (move->operation.copy.size[0]) mpl_buffer_set_current(&move->range, MPL_HOST_MEMORY);
  return mpl_buffer_acquire(&move->range, MPL_HOST_MEMORY);
}

/* Later commands of the device come behind it. */
static int prepare_unmap(void *data, struct mpl_device *device) {
  struct move *move = data;
  unsigned memory = mpl_memory_of(move->range.mem->context, device);
  if (memory != MPL_HOST_MEMORY && mpl_buffer_is_current(&move->range, MPL_HOST_MEMORY))
    mpl_buffer_set_current(&move->range, memory);
  else
    move->operation.copy.size[0] = 0;
  return 0;
}

/* Makes `work` a copy between the queue's device and the host; nothing if they share memory. */
static cl_int make_move(cl_command_queue queue, const struct mpl_mapping *mapping, bool is_map,
                        struct mpl_work_desc *work) {
  const struct mpl_range *range = &mapping->range;
  *work = (struct mpl_work_desc){0};
  if (!mpl_has_hidden_memory(queue->context) || range->mem->data || (!is_map && !range->writes))
    return CL_SUCCESS;
  unsigned memory = mpl_memory_of(queue->context, queue->device->device);
  char *place = mpl_buffer_place(range->mem, memory);
  if (!place) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  const struct mpl_location there = {.base = place + range->offset},
                            here = {.base = mapping->pointer, .on_host = true};
  struct move *move = malloc(sizeof *move);
  if (!move) return CL_OUT_OF_HOST_MEMORY;
  *move = (struct move){.operation = {.kind = MPL_COPY,
                                      .copy = {.to = is_map ? here : there,
                                               .from = is_map ? there : here,
                                               .size = {range->size, 1, 1}}},
                        .range = *range};
  clRetainMemObject(range->mem);
  *work = (struct mpl_work_desc){.release = release_move,
                                 .data = move,
                                 .operation = &move->operation,
                                 .prepare = is_map ? prepare_map : prepare_unmap,
                                 .finish = is_map ? finish_map : NULL};
  return CL_SUCCESS;
}

/* --- Under the check, where all memory is the host's: it hears when a map begins and has ended --- */

static int watch_mapped(void *data, struct mpl_device *device) {
  struct mpl_mapping *mapping = data;
  mpl_mem_watch_mapped(mapping->range.mem, &mapping->watched);
  return 0;
}

static void release_mapping(void *data) {
  struct mpl_mapping *mapping = data;
  cl_mem mem = mapping->range.mem;
  drop(mapping);
  clReleaseMemObject(mem);
}

static void watch_map(struct mpl_mapping *mapping, struct mpl_work_desc *work) {
  const struct mpl_range *range = &mapping->range;
  mpl_mem_watch_map(range->mem, &mapping->watched, &mapping->box, range->size, range->writes);
  if (work->data) return;
  clRetainMemObject(range->mem);
  atomic_fetch_add(&mapping->refs, 1);
  *work = (struct mpl_work_desc){.run = watch_mapped, .release = release_mapping, .data = mapping};
}

static int watch_unmapped(void *data, struct mpl_device *device) {
  struct mpl_mapping *mapping = data;
  mpl_mem_watch_unmapped(mapping->range.mem, &mapping->watched);
  return 0;
}

static void release_unmapping(void *data) {
  struct mpl_mapping *mapping = data;
  mpl_mem_watch_forget(mapping->range.mem, &mapping->watched);
  release_mapping(mapping);
}

static void watch_unmap(struct mpl_mapping *mapping, struct mpl_work_desc *work) {
  mpl_mem_watch_unmap(mapping->range.mem, &mapping->watched);
  if (work->data) return;
  clRetainMemObject(mapping->range.mem);
  atomic_fetch_add(&mapping->refs, 1);
  *work = (struct mpl_work_desc){
      .run = watch_unmapped, .release = release_unmapping, .data = mapping};
}

/* It was not made. */
static void take_back(cl_mem mem, void *pointer) {
  struct mpl_mapping *mapping = take_mapping(mem, pointer);
  if (!mapping) return;
  if (mpl_host_is_checked()) {
    mpl_mem_watch_unmap(mem, &mapping->watched);
    mpl_mem_watch_forget(mem, &mapping->watched);
  }
  drop(mapping);
}

/* Maps a box of the bytes that `side` has, between whose rows others stay as they are. */
static cl_int map(const char *function, cl_command_queue queue, cl_command_type type,
                  const struct mpl_side *side, const size_t size[3], cl_map_flags flags,
                  bool blocking, const struct mpl_deps *deps, void **result) {
  const bool invalid = flags & CL_MAP_WRITE_INVALIDATE_REGION, writes = flags & CL_MAP_WRITE;
  const bool has_gaps = side->extent != size[0] * size[1] * size[2];
  struct mpl_work_desc work;
  char *pointer = mpl_buffer_place(side->mem, MPL_HOST_MEMORY);
  if (!pointer) return CL_MEM_OBJECT_ALLOCATION_FAILURE;
  pointer += side->start;
  struct mpl_mapping *mapping = malloc(sizeof *mapping);
  if (!mapping) return CL_OUT_OF_HOST_MEMORY;
  *mapping =
      (struct mpl_mapping){.refs = 1,
                           .pointer = pointer,
                           .range = {side->mem, side->start, side->extent,
                                     .reads = !invalid || has_gaps, .writes = invalid || writes},
                           .box = {side->start, {size[0], size[1], size[2]}, side->row,
                                   side->slice}};
  if (!add_write(mapping)) {
    drop(mapping);
    return mpl_refuse(CL_INVALID_OPERATION, function,
                      "some of the region is mapped for writing already");
  }
  add_mapping(side->mem, mapping);
  cl_int error = make_move(queue, mapping, true, &work);
  if (!error && mpl_host_is_checked()) watch_map(mapping, &work);
  if (!error) error = mpl_enqueue_command(queue, type, &work, 0, blocking, deps);
  if (error)
    take_back(side->mem, pointer);
  else
    *result = pointer;
  return error;
}

void *CL_API_CALL clEnqueueMapBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                                     cl_map_flags flags, size_t offset, size_t size,
                                     cl_uint num_waits, const cl_event *waits, cl_event *event,
                                     cl_int *errcode_ret) {
  struct mpl_deps deps = {num_waits, waits, event};
  const struct mpl_side side = {.mem = buffer, .start = offset, .extent = size};
  const size_t bytes[] = {size, 1, 1};
  void *pointer = NULL;
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_buffer(__func__, queue, buffer);
  if (!error && !size) error = mpl_refuse(CL_INVALID_VALUE, __func__, "size is 0");
  if (!error) error = mpl_validate_range(__func__, buffer, offset, size);
  if (!error) error = check_flags(__func__, buffer, flags);
  if (!error)
    error = map(__func__, queue, CL_COMMAND_MAP_BUFFER, &side, bytes, flags, blocking, &deps,
                &pointer);
  return mpl_give(pointer, error, errcode_ret);
}

/* The pitches are the image's own. */
void *CL_API_CALL clEnqueueMapImage(cl_command_queue queue, cl_mem image, cl_bool blocking,
                                    cl_map_flags flags, const size_t *origin, const size_t *region,
                                    size_t *row_pitch, size_t *slice_pitch, cl_uint num_waits,
                                    const cl_event *waits, cl_event *event, cl_int *errcode_ret) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_side side;
  size_t size[3];
  void *pointer = NULL;
  bool has_slices = false;
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_image(__func__, queue, image);
  if (!error) error = mpl_image_box(__func__, image, origin, region, &side, size);
  if (!error) error = check_flags(__func__, image, flags);
  if (!error) has_slices = mpl_image_has_slices(image);
  if (!error && (!row_pitch || (has_slices && !slice_pitch)))
    error = mpl_refuse(CL_INVALID_VALUE, __func__,
                       "image_row_pitch is null, or image_slice_pitch for an image with slices");
  if (!error)
    error = map(__func__, queue, CL_COMMAND_MAP_IMAGE, &side, size, flags, blocking, &deps,
                &pointer);
  if (!error) *row_pitch = image->image->row_pitch;
  if (!error && slice_pitch) *slice_pitch = has_slices ? image->image->slice_pitch : 0;
  return mpl_give(pointer, error, errcode_ret);
}

cl_int CL_API_CALL clEnqueueUnmapMemObject(cl_command_queue queue, cl_mem mem, void *pointer,
                                           cl_uint num_waits, const cl_event *waits,
                                           cl_event *event) {
  struct mpl_deps deps = {num_waits, waits, event};
  struct mpl_work_desc work;
  cl_int error = mpl_validate_enqueue(__func__, queue, &deps);
  if (!error) error = mpl_validate_mem(__func__, queue, mem);
  if (error) return error;
  struct mpl_mapping *mapping = take_mapping(mem, pointer);
  if (!mapping)
    return mpl_refuse(CL_INVALID_VALUE, __func__, "%p was not mapped from this memory object",
                      pointer);
  error = make_move(queue, mapping, false, &work);
  if (!error && mpl_host_is_checked()) watch_unmap(mapping, &work);
  drop(mapping);
  if (error) return error;
  return mpl_enqueue_command(queue, CL_COMMAND_UNMAP_MEM_OBJECT, &work, 0, false, &deps);
}

/* Memory: the host's, shared memory, patterns, images, answers. */
#include "arguments.h"

#include <string.h>

enum { ANSWER = 1 << 16 };

/* The answer's room is zeroed where it may be read: CL_PROGRAM_BINARIES takes pointers from there.
 */
void an_info(struct call *c, uint64_t low, uint64_t high) {
  static _Thread_local _Alignas(16) unsigned char answer[ANSWER];
  memset(answer, 0, 256);
  one_value(c, low, high);
  push(c, ONE_OF(c->random, 0, 1, 4, 8, 8, 64, 256, ANSWER, SIZE_MAX));
  push_pointer(c, one_in(c->random, 3) ? NULL : answer);
  push_pointer(c, one_in(c->random, 3) ? NULL : room(c, sizeof(size_t)));
}

void an_input(struct call *c, uint64_t unused, uint64_t code) {
  size_t *sizes = room(c, 4 * sizeof *sizes);
  for (int i = 0; i < 4; i++) sizes[i] = ONE_OF(c->random, 0, 1, 8, 16, 100, SIZE_MAX);
  may_answer(c, CL_INVALID_VALUE);
  push(c, ONE_OF(c->random, 0, 4, 8, 8, 16, 24, 25));
  push_pointer(c, one_in(c->random, 6) ? NULL : sizes);
}

void an_answer(struct call *c, uint64_t size, uint64_t unused) {
  may_answer(c, CL_INVALID_VALUE);
  push_pointer(c, one_in(c->random, 8) ? NULL : room(c, size));
}

/* There is room behind each for all that a command accepts: buffers and images are small. */
static void *host_place(struct call *c) {
  return host_memory + below(c->random, 64) * 64;
}

void host_pointer(struct call *c, uint64_t may_be_null, uint64_t code) {
  bool null = one_in(c->random, may_be_null ? 2 : 30);
  may_answer(c, (cl_int)code);
  if (null && !may_be_null) c->wrong = "the host's pointer is null";
  push_pointer(c, null ? NULL : host_place(c));
}

/* Of shared or unified memory, or the host's; commands may use it from here on. */
void shared_pointer(struct call *c, uint64_t may_be_null, uint64_t code) {
  may_answer(c, CL_INVALID_VALUE);
  may_answer(c, (cl_int)code);
  unsigned way = below(c->random, 16);
  void *pointer = way < 2 ? NULL : way < 5 ? host_place(c) : NULL;
  if (way >= 5) {
    int pinned = c->num_pinned;
    pointer = pinned_object(c, way < 11 ? SVM : USM);
    if (pointer) atomic_store(&c->pinned[pinned]->used, true);
  }
  if (!pointer && !may_be_null) c->wrong = "a pointer is null";
  push_pointer(c, pointer);
}

/* What no command has seen. */
void shared_release(struct call *c, uint64_t pool, uint64_t unused) {
  may_answer(c, CL_INVALID_VALUE);
  c->taken = one_in(c->random, 4) ? NULL : pool_take(c->random, (enum pool)pool);
  push_pointer(c, c->taken               ? atomic_load(&c->taken->object)
                  : one_in(c->random, 2) ? NULL
                                         : host_place(c));
}

void mapped_pointer(struct call *c, uint64_t unused, uint64_t code) {
  may_answer(c, CL_INVALID_VALUE);
  void *pointer = one_in(c->random, 8) ? NULL : pinned_object(c, MAPPED);
  push_pointer(c, pointer);
}

void a_pattern(struct call *c, uint64_t has_size, uint64_t unused) {
  bool null = one_in(c->random, 30);
  may_answer(c, CL_INVALID_VALUE);
  if (null) c->wrong = "the pattern is null";
  push_pointer(c, null ? NULL : room(c, 128));
  if (has_size) push(c, ONE_OF(c->random, 1, 1, 2, 4, 8, 16, 32, 64, 128, 0, 3, 256, SIZE_MAX));
}

void a_sub_buffer(struct call *c, uint64_t unused, uint64_t code) {
  cl_buffer_region *region = room(c, sizeof *region);
  region->origin = ONE_OF(c->random, 0, 0, 128, 256, 1024, 4096, 1, SIZE_MAX, SIZE_MAX - 127);
  region->size = ONE_OF(c->random, 1, 4, 64, 128, 1024, 4096, 0, SIZE_MAX);
  may_answer(c, CL_INVALID_VALUE);
  may_answer(c, CL_INVALID_BUFFER_SIZE);
  may_answer(c, CL_MISALIGNED_SUB_BUFFER_OFFSET);
  push(c, one_in(c->random, 20) ? 0 : CL_BUFFER_CREATE_TYPE_REGION);
  push_pointer(c, one_in(c->random, 20) ? NULL : region);
}

/* --- images --- */

static cl_image_format *new_format(struct call *c) {
  cl_image_format *format = room(c, sizeof *format);
  format->image_channel_order =
      (cl_channel_order)ONE_OF(c->random, CL_RGBA, CL_RGBA, CL_RGBA, CL_RGBA, CL_RGBA, CL_RGBA,
                               CL_R, CL_BGRA, CL_RG, CL_A, CL_DEPTH, CL_sRGBA, CL_RGB, 0, ~0u);
  format->image_channel_data_type = (cl_channel_type)ONE_OF(
      c->random, CL_UNSIGNED_INT8, CL_UNSIGNED_INT8, CL_UNSIGNED_INT8, CL_UNSIGNED_INT8, CL_FLOAT,
      CL_UNORM_INT8, CL_SIGNED_INT32, CL_HALF_FLOAT, CL_UNORM_SHORT_565, CL_UNORM_INT16, 0, ~0u);
  return format;
}

void a_format(struct call *c, uint64_t unused, uint64_t code) {
  push_pointer(c, one_in(c->random, 30) ? NULL : new_format(c));
}

static size_t number_of_pitch(struct call *c, bool host) {
  return host ? ONE_OF(c->random, 0, 0, 0, 8, 16, 64, 128, 256)
              : ONE_OF(c->random, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 64, 256, SIZE_MAX,
                       SIZE_MAX - 15, (uint64_t)1 << 48);
}

static size_t image_size(uint64_t *random) {
  return one_in(random, 12) ? ONE_OF(random, 0, SIZE_MAX, SIZE_MAX / 2 + 1, (uint64_t)1 << 40)
                            : ONE_OF(random, 1, 2, 4, 5, 8, 8, 8);
}

/* Flags, format, description, host pointer.  Pitches are the application's word for memory that it
 * has, so they are huge only where the driver has to refuse them. */
void an_image(struct call *c, uint64_t unused, uint64_t code) {
  cl_image_desc *desc = room(c, sizeof *desc);
  bool host = one_in(c->random, 3), on_parent = !host && one_in(c->random, 3);
  desc->image_type = (cl_mem_object_type)ONE_OF(
      c->random, CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D,
      CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D_ARRAY,
      CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_BUFFER, 0);
  desc->image_width = image_size(c->random);
  desc->image_height = image_size(c->random);
  desc->image_depth = image_size(c->random);
  desc->image_array_size = image_size(c->random);
  desc->image_row_pitch = number_of_pitch(c, host);
  desc->image_slice_pitch = !one_in(c->random, 4) ? 0 : number_of_pitch(c, host);
  if (one_in(c->random, 30)) desc->num_mip_levels = 1;
  const char *before = c->wrong;
  if (on_parent)
    desc->mem_object =
        some_handle(c, one_in(c->random, 3) ? IMAGES : BUFFERS, CL_INVALID_MEM_OBJECT);
  if (!desc->mem_object) c->wrong = before; /* there need not be one */
  some_flags(c, host ? CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR : CL_MEM_READ_WRITE, 0);
  if (host && one_in(c->random, 2)) c->args[c->num_args - 1] = CL_MEM_COPY_HOST_PTR;
  push_pointer(c, new_format(c));
  push_pointer(c, one_in(c->random, 30) ? NULL : desc);
  push_pointer(c, host ? host_place(c) : NULL);
}

/* Of clCreateImage2D and 3D. */
void an_old_image(struct call *c, uint64_t dims, uint64_t unused) {
  bool host = one_in(c->random, 3);
  push(c, host ? CL_MEM_COPY_HOST_PTR : CL_MEM_READ_WRITE);
  push_pointer(c, new_format(c));
  for (uint64_t i = 0; i < dims; i++) push(c, image_size(c->random));
  for (uint64_t i = 1; i < dims; i++) push(c, number_of_pitch(c, host));
  push_pointer(c, host ? host_place(c) : NULL);
}

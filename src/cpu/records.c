/* The checks of records.h.  A checksum is no signature: a binary may be right in all that the
 * loader reads, and have a kernel's name somewhere else. */
#include "cpu/records.h"

#include <string.h>

#include "abi/image.h"
#include "cpu/object.h"

enum {
  MOST_ARGS_SIZE = 1 << 24, /* bytes; of them no more stand behind the last argument than padding */
  MOST_PADDING = 4096,
};

struct loaded {
  const void *object;
  size_t size;
  uintptr_t bias;
};

static bool range_of(const struct loaded *in, const void *at, struct mpl_object_range *range) {
  return mpl_object_range(in->object, in->size, (uintptr_t)at - in->bias, range);
}

static bool holds(const struct loaded *in, const void *at, uint64_t count, uint64_t size,
                  uint64_t align) {
  struct mpl_object_range range;
  return !count || ((uintptr_t)at % align == 0 && range_of(in, at, &range) &&
                    range.end - ((uintptr_t)at - in->bias) >= count * size);
}

static bool is_text(const struct loaded *in, const char *text) {
  struct mpl_object_range range;
  return range_of(in, text, &range) && memchr(text, 0, range.end - ((uintptr_t)text - in->bias));
}

static bool is_code(const struct loaded *in, mpl_group_fn *function) {
  struct mpl_object_range range;
  return range_of(in, (const void *)function, &range) && range.is_code;
}

static bool is_power(uint32_t number) {
  return number && !(number & (number - 1));
}

/* The bytes that the run time writes into an argument's place. */
static bool is_right_size(const struct mpl_arg *arg) {
  switch ((enum mpl_arg_kind)arg->kind) {
  case MPL_ARG_VALUE:
  case MPL_ARG_UNSUPPORTED:
    return true;
  case MPL_ARG_IMAGE:
    return arg->size == sizeof(struct mpl_image);
  case MPL_ARG_POINTER:
  case MPL_ARG_LOCAL:
  case MPL_ARG_SAMPLER:
  case MPL_ARG_PIPE:
  case MPL_ARG_QUEUE:
    return arg->size == sizeof(uint64_t);
  }
  return false;
}

static bool are_args_sound(const struct loaded *in, const struct mpl_kernel *kernel) {
  uint64_t end = 0;
  if (!holds(in, kernel->args, kernel->num_args, sizeof *kernel->args, _Alignof(struct mpl_arg)))
    return false;
  for (uint32_t i = 0; i < kernel->num_args; i++) {
    const struct mpl_arg *arg = &kernel->args[i];
    uint64_t behind = (uint64_t)arg->offset + arg->size;
    if (!is_text(in, arg->name) || !is_text(in, arg->type_name) || !is_right_size(arg) ||
        !is_power(arg->align) || !is_power(arg->pointee_align) || arg->offset % arg->align ||
        behind > kernel->args_size || arg->address_space > 4 || arg->access > 3)
      return false;
    if (behind > end) end = behind;
  }
  return kernel->args_size <= MOST_ARGS_SIZE && kernel->args_size - end <= MOST_PADDING;
}

/* All three, or none. */
static bool is_size_of_group(const uint32_t size[3]) {
  return (size[0] && size[1] && size[2]) || (!size[0] && !size[1] && !size[2]);
}

static bool is_kernel_sound(const struct loaded *in, const struct mpl_kernel *kernel) {
  static const uint32_t sizes[] = {MPL_SUB_GROUP_SIZES};
  bool is_required = !kernel->reqd_sub_group, is_size = false;
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
    is_required |= kernel->reqd_sub_group == sizes[i];
    is_size |= kernel->sub_group == sizes[i];
  }
  return is_required && is_size && is_text(in, kernel->name) && is_text(in, kernel->attributes) &&
         is_code(in, kernel->run) && (!kernel->run_lone || is_code(in, kernel->run_lone)) &&
         is_size_of_group(kernel->reqd_local) && is_size_of_group(kernel->hint_local) &&
         kernel->local_size <= UINT32_MAX && are_args_sound(in, kernel);
}

static bool are_kernels_sound(const struct loaded *in, const struct mpl_kernel *kernels,
                              uint64_t count) {
  if (!holds(in, kernels, count, sizeof *kernels, _Alignof(struct mpl_kernel))) return false;
  for (uint64_t i = 0; i < count; i++)
    if (!is_kernel_sound(in, &kernels[i])) return false;
  return true;
}

bool mpl_records_are_sound(const struct mpl_object *table, const void *object, size_t size,
                           uintptr_t bias) {
  const struct loaded in = {object, size, bias};
  const struct mpl_kernel *const alone[] = {table->construct, table->destruct};
  for (int i = 0; i < 2; i++) /* they run without arguments */
    if (alone[i] && (!are_kernels_sound(&in, alone[i], 1) || alone[i]->num_args)) return false;
  return are_kernels_sound(&in, table->kernels, table->num_kernels) &&
         are_kernels_sound(&in, table->enqueued, table->num_blocks);
}

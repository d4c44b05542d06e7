/* Kernels in plain C: a kernel is a function in the same file as its host code, and the work-item
 * and group functions have OpenCL C's own names.
 *
 *   #include <maniple/group.h>
 *
 *   mpl_kernel(normalise, (float *) x) {
 *     size_t i = get_global_id(0);
 *     float sum = work_group_reduce_add(x[i]);
 *     x[i] /= sum;
 *   }
 *   ...
 *   int error = mpl_launch(normalise, mpl_1d(1024, 256), x);
 *
 * `maniple cc` compiles it to vector code; with any other C11 compiler (gcc, clang) each work-item
 * is a fibre, and mistakes with collectives are reported.  Kernels use the program's memory, so
 * pointers can be passed as they are. */
#ifndef MANIPLE_GROUP_H
#define MANIPLE_GROUP_H

#ifdef __cplusplus
#error "maniple/group.h is for C; in C++ there is <sycl/sycl.hpp>"
#endif

#include <maniple/maniple.h>
#include <string.h>

/* --- Types --------------------------------------------------------------------------------------
 */

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#ifdef __FLT16_MAX__
#define MPL_HAS_HALF 1
__extension__ typedef _Float16 half;
static inline uint16_t mpl_half_bits(half x MPL_MAYBE_UNDEFINED) {
  uint16_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}
static inline half mpl_half_of(uint16_t bits) {
  half x;
  memcpy(&x, &bits, sizeof x);
  return x;
}
#endif

/* A ballot. */
typedef struct {
  uint x, y, z, w;
} uint4;
static inline uint4 mpl_uint4_of(uint64_t bits) {
  return (uint4){(uint)bits, (uint)(bits >> 32), 0, 0};
}
static inline uint64_t mpl_uint4_bits(uint4 v) {
  return v.x | (uint64_t)v.y << 32;
}

/* --- Kernels ------------------------------------------------------------------------------------
 */

/* mpl_kernel(name, (type) parameter, ...) { body }
 *
 * Up to 16 parameters, each with its type in parentheses.  Defines the function `name` of one
 * work-item, which other kernels may call, and the record that mpl_launch needs. */
#define mpl_kernel(...) MPL_GROUP_CAT(MPL_KERNEL_, MPL_MORE_THAN_ONE(__VA_ARGS__))(__VA_ARGS__)

/* mpl_launch(name, range, arguments ...): runs the kernel and waits.  Returns 0 or an OpenCL error
 * code; mpl_error_text() then has a sentence. */
#define mpl_launch(...) MPL_GROUP_CAT(MPL_LAUNCH_, MPL_MORE_THAN_TWO(__VA_ARGS__))(__VA_ARGS__)

/* A variable that the work-items of a group share, inside a kernel: mpl_local float tile[256];
 * Undefined at the start of a group.  (A work-group runs on one thread.) */
#define mpl_local static _Thread_local

struct mpl_range {
  uint32_t dims;
  size_t global[3], local[3], offset[3];
  size_t local_memory; /* bytes for mpl_get_local_memory() */
};

/* With a local size of 0 the device chooses one. */
static inline struct mpl_range mpl_1d(size_t global, size_t local) {
  return (struct mpl_range){1, {global}, {local}, {0}, 0};
}
static inline struct mpl_range mpl_2d(size_t global_x, size_t global_y, size_t local_x,
                                      size_t local_y) {
  return (struct mpl_range){2, {global_x, global_y}, {local_x, local_y}, {0}, 0};
}
static inline struct mpl_range mpl_3d(size_t global_x, size_t global_y, size_t global_z,
                                      size_t local_x, size_t local_y, size_t local_z) {
  return (struct mpl_range){3, {global_x, global_y, global_z}, {local_x, local_y, local_z}, {0}, 0};
}
/* The same range, with so many bytes of local memory for each group. */
static inline struct mpl_range mpl_with_local(struct mpl_range range, size_t bytes) {
  range.local_memory = bytes;
  return range;
}

static inline int mpl_run_range(const struct mpl_kernel_record *kernel,
                                const struct mpl_range *range, void *args) {
  struct mpl_kernel_launch launch = {.kernel = kernel, .dims = range->dims, .args = args};
  for (int d = 0; d < 3; d++) {
    launch.global[d] = range->global[d];
    launch.local[d] = range->local[d];
    launch.offset[d] = range->offset[d];
  }
  launch.local_memory = range->local_memory;
  return mpl_run_kernel(&launch);
}

/* --- How mpl_kernel is made ----------------------------------------------------------------------
 */

#define MPL_GROUP_CAT(a, b)                                                   MPL_GROUP_CAT_(a, b)
#define MPL_GROUP_CAT_(a, b)                                                  a##b
#define MPL_ARG_18(a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q, r, ...) r
#define MPL_COUNT(...)                                                                             \
  MPL_ARG_18(__VA_ARGS__, 17, 16, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0)
#define MPL_MORE_THAN_ONE(...)                                                                     \
  MPL_ARG_18(__VA_ARGS__, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, 1, 1)
#define MPL_MORE_THAN_TWO(...)                                                                     \
  MPL_ARG_18(__VA_ARGS__, N, N, N, N, N, N, N, N, N, N, N, N, N, N, N, 2, 2, 2)

/* m(p) for each of up to 16. */
#define MPL_EACH(m, ...)       MPL_GROUP_CAT(MPL_EACH_, MPL_COUNT(__VA_ARGS__))(m, __VA_ARGS__)
#define MPL_EACH_1(m, p)       m(p)
#define MPL_EACH_2(m, p, ...)  m(p) MPL_EACH_1(m, __VA_ARGS__)
#define MPL_EACH_3(m, p, ...)  m(p) MPL_EACH_2(m, __VA_ARGS__)
#define MPL_EACH_4(m, p, ...)  m(p) MPL_EACH_3(m, __VA_ARGS__)
#define MPL_EACH_5(m, p, ...)  m(p) MPL_EACH_4(m, __VA_ARGS__)
#define MPL_EACH_6(m, p, ...)  m(p) MPL_EACH_5(m, __VA_ARGS__)
#define MPL_EACH_7(m, p, ...)  m(p) MPL_EACH_6(m, __VA_ARGS__)
#define MPL_EACH_8(m, p, ...)  m(p) MPL_EACH_7(m, __VA_ARGS__)
#define MPL_EACH_9(m, p, ...)  m(p) MPL_EACH_8(m, __VA_ARGS__)
#define MPL_EACH_10(m, p, ...) m(p) MPL_EACH_9(m, __VA_ARGS__)
#define MPL_EACH_11(m, p, ...) m(p) MPL_EACH_10(m, __VA_ARGS__)
#define MPL_EACH_12(m, p, ...) m(p) MPL_EACH_11(m, __VA_ARGS__)
#define MPL_EACH_13(m, p, ...) m(p) MPL_EACH_12(m, __VA_ARGS__)
#define MPL_EACH_14(m, p, ...) m(p) MPL_EACH_13(m, __VA_ARGS__)
#define MPL_EACH_15(m, p, ...) m(p) MPL_EACH_14(m, __VA_ARGS__)
#define MPL_EACH_16(m, p, ...) m(p) MPL_EACH_15(m, __VA_ARGS__)

/* A parameter is `(type) name`: with MPL_TYPED in front it is a declaration, with MPL_NAMED its
 * name. */
#define MPL_TYPED(...) __VA_ARGS__
#define MPL_NAMED(...)
#define MPL_FIELD(p)               MPL_TYPED p;
#define MPL_NEXT(p)                , MPL_TYPED p
#define MPL_USE(p)                 , MPL_NAMED p
#define MPL_ASSIGN(p)              MPL_GROUP_CAT_ASSIGN(MPL_NAMED p)
#define MPL_GROUP_CAT_ASSIGN(name) mpl_args_.name = name;
#define MPL_READ(p)                , MPL_READ_(MPL_NAMED p)
#define MPL_READ_(name)            mpl_args_->name
#define MPL_DROP_FIRST(first, ...) __VA_ARGS__
#define MPL_WITHOUT_COMMA(...)     MPL_DROP_FIRST(__VA_ARGS__)

#define MPL_RECORD_OF(k, bytes)                                                                    \
  MPL_KERNEL_RECORD static struct mpl_kernel_record mpl_record_##k = {                             \
      .version = MPL_KERNEL_RECORD_VERSION,                                                        \
      .name = #k,                                                                                  \
      .file = __FILE__,                                                                            \
      .line = __LINE__,                                                                            \
      .item = mpl_item_##k,                                                                        \
      .args_size = bytes,                                                                          \
  };

#define MPL_KERNEL_1(name)                                                                         \
  static void name(void);                                                                          \
  static void mpl_item_##name(void *mpl_args_) {                                                   \
    (void)mpl_args_;                                                                               \
    name();                                                                                        \
  }                                                                                                \
  MPL_RECORD_OF(name, 0)                                                                           \
  static inline __attribute__((unused)) int mpl_launch_##name(struct mpl_range range) {            \
    return mpl_run_range(&mpl_record_##name, &range, NULL);                                        \
  }                                                                                                \
  static void name(void)

#define MPL_KERNEL_N(name, ...)                                                                    \
  struct mpl_args_of_##name {                                                                      \
    MPL_EACH(MPL_FIELD, __VA_ARGS__)                                                               \
  };                                                                                               \
  static void name(MPL_WITHOUT_COMMA(MPL_NONE MPL_EACH(MPL_NEXT, __VA_ARGS__)));                   \
  static void mpl_item_##name(void *mpl_block_) {                                                  \
    const struct mpl_args_of_##name *mpl_args_ = mpl_block_;                                       \
    name(MPL_WITHOUT_COMMA(MPL_NONE MPL_EACH(MPL_READ, __VA_ARGS__)));                             \
  }                                                                                                \
  MPL_RECORD_OF(name, sizeof(struct mpl_args_of_##name))                                           \
  static inline __attribute__((unused)) int mpl_launch_##name(                                     \
      struct mpl_range mpl_range_ MPL_EACH(MPL_NEXT, __VA_ARGS__)) {                               \
    struct mpl_args_of_##name mpl_args_;                                                           \
    MPL_EACH(MPL_ASSIGN, __VA_ARGS__)                                                              \
    return mpl_run_range(&mpl_record_##name, &mpl_range_, &mpl_args_);                             \
  }                                                                                                \
  static void name(MPL_WITHOUT_COMMA(MPL_NONE MPL_EACH(MPL_NEXT, __VA_ARGS__)))

#define MPL_LAUNCH_2(name, range)      mpl_launch_##name(range)
#define MPL_LAUNCH_N(name, range, ...) mpl_launch_##name(range, __VA_ARGS__)

/* --- Work-item functions
 * -------------------------------------------------------------------------- */

#define get_work_dim                mpl_get_work_dim
#define get_global_size             mpl_get_global_size
#define get_global_id               mpl_get_global_id
#define get_global_offset           mpl_get_global_offset
#define get_global_linear_id        mpl_get_global_linear_id
#define get_local_size              mpl_get_local_size
#define get_enqueued_local_size     mpl_get_enqueued_local_size
#define get_local_id                mpl_get_local_id
#define get_local_linear_id         mpl_get_local_linear_id
#define get_num_groups              mpl_get_num_groups
#define get_group_id                mpl_get_group_id
#define get_sub_group_size          mpl_get_sub_group_size
#define get_max_sub_group_size      mpl_get_max_sub_group_size
#define get_num_sub_groups          mpl_get_num_sub_groups
#define get_enqueued_num_sub_groups mpl_get_enqueued_num_sub_groups
#define get_sub_group_id            mpl_get_sub_group_id
#define get_sub_group_local_id      mpl_get_sub_group_local_id

/* --- Barriers
 * ------------------------------------------------------------------------------------- */

#define CLK_LOCAL_MEM_FENCE  MPL_FENCE_LOCAL
#define CLK_GLOBAL_MEM_FENCE MPL_FENCE_GLOBAL
#define CLK_IMAGE_MEM_FENCE  MPL_FENCE_IMAGE
enum {
  memory_scope_work_item = MPL_SCOPE_WORK_ITEM,
  memory_scope_sub_group = MPL_SCOPE_SUB_GROUP,
  memory_scope_work_group = MPL_SCOPE_WORK_GROUP,
  memory_scope_device = MPL_SCOPE_DEVICE,
  memory_scope_all_devices = MPL_SCOPE_ALL_DEVICES,
};

#define barrier(flags)          mpl_work_group_barrier(flags, MPL_SCOPE_WORK_GROUP, MPL_SITE())
#define work_group_barrier(...) MPL_BARRIER_(work, __VA_ARGS__, MPL_SCOPE_WORK_GROUP, )
#define sub_group_barrier(...)  MPL_BARRIER_(sub, __VA_ARGS__, MPL_SCOPE_SUB_GROUP, )
#define MPL_BARRIER_(unit, flags, scope, ...) \
  mpl_##unit##_group_barrier(flags, scope, MPL_SITE())

/* --- Collectives: the function for a type, and then their names
 * ------------------------------------ */

#ifdef MPL_HAS_HALF
#define MPL_HALF(name) , half : mpl_##name##_of_half
#else
#define MPL_HALF(name)
#endif
#define MPL_INTEGER_LIST(name)                                                                     \
  int : mpl_##name##_int,                                                                          \
        uint : mpl_##name##_uint,                                                                  \
               long : mpl_##name##_long,                                                           \
                      ulong : mpl_##name##_ulong,                                                  \
                              long long : mpl_##name##_long,                                       \
                                          unsigned long long : mpl_##name##_ulong
#ifdef __CHAR_UNSIGNED__
#define MPL_CHAR(name) mpl_##name##_uchar
#else
#define MPL_CHAR(name) mpl_##name##_char
#endif
#define MPL_SMALL_LIST(name)                                                                       \
  char : MPL_CHAR(name),                                                                           \
         signed char : mpl_##name##_char,                                                          \
                       uchar : mpl_##name##_uchar,                                                 \
                               short : mpl_##name##_short,                                         \
                                       ushort : mpl_##name##_ushort
#define MPL_FLOATING_LIST(name)                                                                    \
  float : mpl_##name##_float, double : mpl_##name##_double MPL_HALF(name)
#define MPL_INTEGERS(name, x)        _Generic((x), MPL_INTEGER_LIST(name))
#define MPL_NUMBERS(name, x)         _Generic((x), MPL_INTEGER_LIST(name), MPL_FLOATING_LIST(name))
#define MPL_SCALAR_INTEGERS(name, x) _Generic((x), MPL_SMALL_LIST(name), MPL_INTEGER_LIST(name))
#define MPL_SCALARS(name, x)                                                                       \
  _Generic((x), MPL_SMALL_LIST(name), MPL_INTEGER_LIST(name), MPL_FLOATING_LIST(name))

/* The id of a broadcast: linear, or of two or three dimensions. */
#define MPL_LINEAR_ID(...)                  MPL_LINEAR_ID_(__VA_ARGS__, 3, 2, 1, )(__VA_ARGS__)
#define MPL_LINEAR_ID_(a, b, c, count, ...) MPL_LINEAR_ID_##count
#define MPL_LINEAR_ID_1(x)                  (x)
#define MPL_LINEAR_ID_2(x, y)               mpl_linear_id_of(x, y, 0, MPL_SITE())
#define MPL_LINEAR_ID_3(x, y, z)            mpl_linear_id_of(x, y, z, MPL_SITE())

#include <maniple/group_names.h>

#endif

/* How to write a case: one file that is both the kernel and its serial reference.
 *
 *   #ifdef __OPENCL_VERSION__
 *   kernel void sum(global int *out, global const int *in) {
 *     size_t at = get_global_linear_id();
 *     out[at] = work_group_reduce_add(in[at]);
 *   }
 *   #else
 *   #include "run/case.h"
 *   CASE(sum, int, int) {                       // kernel, type of in, type of out
 *     EACH(i) out[i] = sum_int(in, g->items);
 *   }
 *   #endif
 *
 * The driver gets the whole file, the host's compiler too.  The body of CASE is the reference: it
 * runs once per group, and in[i], out[i] are the elements of the work-item with local linear id i.
 * What may follow the types, by name, is in struct test_case. */
#ifndef TESTS_RUN_CASE_H
#define TESTS_RUN_CASE_H

#include <limits.h>
#include <math.h>
#include <string.h>

#include "run/host.h"

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef _Float16 half;

#define CASE_TYPES(X) X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong) X(half) X(float) X(double)
enum type {
#define X(T) TYPE_##T,
  CASE_TYPES(X)
#undef X
};

typedef void reference_fn(const struct group *g, const void *in, void *out);

struct test_case {
  const char *name, *file;
  reference_fn *reference;
  enum type in, out;
  unsigned in_per_item, out_per_item; /* elements per work-item; 0 means 1 */
  bool small;              /* inputs only from -9 to 9: for exact floating point and for indices */
  unsigned args;           /* so many int arguments follow out and in ... */
  int arg[8];              /* ... with these values; they are g->arg too */
  bool args_in_buffer;     /* one `global const int *` in their place */
  unsigned local_per_item; /* then a local pointer, so many bytes for each work-item */
  size_t max_items;        /* no larger groups than this; 0: any */
  bool uniform_only;       /* no ragged groups */
  bool no_offset;          /* no global offset */
  unsigned max_dims;       /* only 1-D or 1-D and 2-D shapes; 0: any */
  const char *options;     /* of the build; default -cl-std=CL3.0 */
  unsigned linked;         /* built in so many parts (-DPART=1 ...), the last one a library */
  bool sub_groups;         /* built for sub-groups of 8, 16, 32 and 64, with -DSUB_GROUP=N */
  const char *extension;   /* that it needs; without it the case is left out */
  struct test_case *next;
};

void register_case(struct test_case *c);

#define CASE(NAME, IN, OUT, ...)                                                                   \
  static void NAME##_typed(const struct group *g, const IN *in, OUT *out);                         \
  static void NAME##_reference(const struct group *g, const void *in, void *out) {                 \
    NAME##_typed(g, in, out);                                                                      \
  }                                                                                                \
  __attribute__((constructor)) static void NAME##_register(void) {                                 \
    static struct test_case c = {.name = #NAME, .file = __FILE__, .reference = NAME##_reference,   \
                                 .in = TYPE_##IN, .out = TYPE_##OUT, __VA_ARGS__};                 \
    register_case(&c);                                                                             \
  }                                                                                                \
  static void NAME##_typed(const struct group *g, const IN *in, OUT *out)

#define EACH(I) for (size_t I = 0; I < g->items; I++)

/* The sub-groups of a group, for cases with `sub_groups`; a last one may be short of work-items. */
struct sub_group { size_t id, first, end; }; /* work-items `first` to before `end`, by linear id */
static inline struct sub_group sub_group_of(const struct group *g, size_t id) {
  size_t first = id * g->sub_group, end = first + g->sub_group;
  return (struct sub_group){id, first, end < g->items ? end : g->items};
}
#define EACH_SUB_GROUP(S)                                                                          \
  for (struct sub_group S = sub_group_of(g, 0); S.first < g->items; S = sub_group_of(g, S.id + 1))
#define EACH_LANE(S, I) for (size_t I = (S).first; I < (S).end; I++)

/* The coordinates of a work-item in its group, from its local linear id. */
static inline size_t local_x(const struct group *g, size_t i) { return i % g->size[0]; }
static inline size_t local_y(const struct group *g, size_t i) { return i / g->size[0] % g->size[1]; }
static inline size_t local_z(const struct group *g, size_t i) { return i / g->size[0] / g->size[1]; }

/* Serial reductions; integers wrap as in OpenCL C. */
#define SERIAL(T, WIDE)                                                                            \
  static inline T sum_##T(const T *v, size_t n) {                                                  \
    WIDE sum = 0;                                                                                  \
    for (size_t i = 0; i < n; i++) sum += (WIDE)v[i];                                              \
    return (T)sum;                                                                                 \
  }                                                                                                \
  static inline T max_##T(const T *v, size_t n) {                                                  \
    T max = v[0];                                                                                  \
    for (size_t i = 1; i < n; i++) max = v[i] > max ? v[i] : max;                                  \
    return max;                                                                                    \
  }                                                                                                \
  static inline T min_##T(const T *v, size_t n) {                                                  \
    T min = v[0];                                                                                  \
    for (size_t i = 1; i < n; i++) min = v[i] < min ? v[i] : min;                                  \
    return min;                                                                                    \
  }
SERIAL(int, uint)
SERIAL(uint, uint)
SERIAL(long, ulong)
SERIAL(ulong, ulong)
SERIAL(float, float)
SERIAL(double, double)

/* Integer arithmetic that wraps. */
static inline int add(int a, int b) { return (int)((uint)a + (uint)b); }
static inline int sub(int a, int b) { return (int)((uint)a - (uint)b); }
static inline int mul(int a, int b) { return (int)((uint)a * (uint)b); }

#endif

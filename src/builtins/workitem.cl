/* Work-item functions (OpenCL C 3.0, 6.15.1): a dimension out of range answers 0 or 1 as listed. */
#include "sync.h"

#define QUERY(name, expression, otherwise) \
  MPL_INLINE size_t name(uint d) { return d < 3 ? expression : otherwise; }

MPL_INLINE uint get_work_dim(void) { return __mpl_launch()->work_dim; }
QUERY(get_global_size, __mpl_launch()->global_size[d], 1)
QUERY(get_global_offset, __mpl_launch()->global_offset[d], 0)
QUERY(get_enqueued_local_size, __mpl_launch()->local_size[d], 1)
QUERY(get_num_groups, __mpl_launch()->num_groups[d], 1)
QUERY(get_local_size, __mpl_group()->size[d], 1)
QUERY(get_group_id, __mpl_group()->id[d], 0)

MPL_INLINE size_t get_local_id(uint d) {
  return d == 0 ? __mpl_local_id_0() : d == 1 ? __mpl_local_id_1() : d == 2 ? __mpl_local_id_2() : 0;
}

/* The parts that all work-items share come first, so that they are computed once. */
MPL_INLINE size_t get_global_id(uint d) {
  if (d >= 3) return 0;
  size_t first = __mpl_launch()->global_offset[d] + __mpl_group()->id[d] * __mpl_launch()->local_size[d];
  return first + get_local_id(d);
}

MPL_INLINE size_t get_local_linear_id(void) { return __mpl_local_linear_id(); }

MPL_INLINE size_t get_global_linear_id(void) {
  const private struct mpl_launch *l = __mpl_launch();
  const private struct mpl_group *g = __mpl_group();
  size_t y = g->id[1] * l->local_size[1] + __mpl_local_id_1();
  size_t z = g->id[2] * l->local_size[2] + __mpl_local_id_2();
  size_t x = g->id[0] * l->local_size[0];
  return (z * l->global_size[1] + y) * l->global_size[0] + x + __mpl_local_id_0();
}

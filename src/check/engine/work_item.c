/* The work-item functions of maniple/kernel.h. */
#include "engine.h"

/* Outside a kernel all ids are 0 and all sizes 1. */
#define QUERY(type, name, expression, otherwise)                                                   \
  type name(uint32_t d) {                                                                          \
    const struct mpl_item *item = mpl_item_now;                                                    \
    if (d >= 3 || !item) return otherwise;                                                         \
    const struct mpl_launch *launch = item->run->launch;                                           \
    const struct mpl_group *group = item->run->group;                                              \
    (void)launch, (void)group;                                                                     \
    return expression;                                                                             \
  }
#define ONE(type, name, expression, otherwise)                                                     \
  type name(void) {                                                                                \
    const struct mpl_item *item = mpl_item_now;                                                    \
    return item ? (type)(expression) : otherwise;                                                  \
  }

QUERY(size_t, mpl_get_global_size, launch->global_size[d], 1)
QUERY(size_t, mpl_get_global_offset, launch->global_offset[d], 0)
QUERY(size_t, mpl_get_local_size, group->size[d], 1)
QUERY(size_t, mpl_get_enqueued_local_size, launch->local_size[d], 1)
QUERY(size_t, mpl_get_num_groups, launch->num_groups[d], 1)
QUERY(size_t, mpl_get_group_id, group->id[d], 0)
QUERY(size_t, mpl_get_local_id, item->local[d], 0)
QUERY(size_t, mpl_get_global_id,
      launch->global_offset[d] + group->id[d] * launch->local_size[d] + item->local[d], 0)

ONE(uint32_t, mpl_get_work_dim, item->run->launch->work_dim, 0)
ONE(size_t, mpl_get_local_linear_id, item->linear, 0)
ONE(void *, mpl_get_local_memory, (char *)item->run->group->local_base, NULL)

size_t mpl_get_global_linear_id(void) {
  const struct mpl_item *item = mpl_item_now;
  if (!item) return 0;
  const struct mpl_launch *l = item->run->launch;
  size_t at[3];
  for (unsigned d = 0; d < 3; d++)
    at[d] = item->run->group->id[d] * l->local_size[d] + item->local[d];
  return (at[2] * l->global_size[1] + at[1]) * l->global_size[0] + at[0];
}

static uint32_t sub_groups_of(const struct mpl_item *item, const uint64_t size[3]) {
  uint64_t lanes = item->run->sub_group_size;
  return (uint32_t)((size[0] * size[1] * size[2] + lanes - 1) / lanes);
}

/* one_sub_group.c wants to know whether a kernel asks. */
#define OF_SUB_GROUP(type, name, expression, otherwise)                                            \
  type name(void) {                                                                                \
    const struct mpl_item *item = mpl_item_now;                                                    \
    if (!item) return otherwise;                                                                   \
    item->run->knows_sub_groups = true;                                                            \
    return (type)(expression);                                                                     \
  }

OF_SUB_GROUP(uint32_t, mpl_get_sub_group_size, item->run->lanes[item->sub_group].count, 1)
OF_SUB_GROUP(uint32_t, mpl_get_max_sub_group_size, item->run->sub_group_size, 1)
OF_SUB_GROUP(uint32_t, mpl_get_num_sub_groups, item->run->num_lanes, 1)
OF_SUB_GROUP(uint32_t, mpl_get_enqueued_num_sub_groups,
             sub_groups_of(item, item->run->launch->local_size), 1)
ONE(uint32_t, mpl_get_sub_group_id, item->sub_group, 0) /* each sycl::sub_group asks for it */
OF_SUB_GROUP(uint32_t, mpl_get_sub_group_local_id, item->lane, 0)

uint64_t mpl_get_turns(void) {
  return mpl_item_now ? mpl_item_now->turns : 0;
}

void mpl_set_turns(uint64_t turns) {
  if (mpl_item_now) mpl_item_now->turns = turns;
}

void mpl_stop_launch(int error) {
  if (mpl_item_now) atomic_store(&mpl_item_now->run->check->error, error);
}

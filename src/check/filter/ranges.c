#include "ranges.h"

#include <string.h>

#include "abi/items.h"

enum { STAMP = sizeof(uint32_t) };

/* The questions of one access. */
struct look {
  const struct mpl_filter_group *group;
  const struct mpl_filter_steps *steps;
  uint32_t phase, own;
  bool is_local, reads, writes;
};

static struct mpl_filter_view view_of(const struct mpl_filter_group *group,
                                      const struct mpl_filter_range *range) {
  if (range->argument) return group->views[range->argument - 1];
  uint64_t units = range->whole >> range->shift,
           stamps = STAMP * (uint64_t)(range->base - (const char *)group->group.local_base);
  return (struct mpl_filter_view){.low = range->base,
                                  .units = units,
                                  .writable = units,
                                  .wrote = group->local_wrote + stamps,
                                  .read = group->local_read + stamps};
}

static bool is_unwritten(const char *at, uint64_t size) {
  for (uintptr_t word = (uintptr_t)at & ~(uintptr_t)3; word < (uintptr_t)at + size; word += 4)
    if (*(const uint32_t *)word == MPL_UNWRITTEN) return true;
  return false;
}

static bool is_in_order(const struct look *l, uint32_t stamp) {
  const struct mpl_filter_steps *steps = l->steps;
  return stamp == l->own || stamp - steps->from < steps->before || stamp - steps->low < steps->done;
}

static bool is_other(const struct look *l, uint32_t stamp) {
  return stamp >= l->phase && !is_in_order(l, stamp);
}

static bool is_wrong_writer(const struct look *l, uint32_t stamp) {
  if (!l->is_local || !l->reads) return is_other(l, stamp);
  uint32_t first = l->group->first;
  return stamp - first >= l->phase - first && !is_in_order(l, stamp);
}

static uint32_t read_by(const struct look *l, uint32_t stamp) {
  const struct mpl_filter_steps *steps = l->steps;
  if (!is_other(l, stamp)) return l->own;
  if (stamp - steps->from < l->group->num_items || stamp - steps->low < steps->next - steps->low)
    return steps->several;
  uint32_t several = l->phase + l->group->several;
  return stamp > several ? stamp : several;
}

static bool look_at_stamps(const struct look *l, uint32_t *wrote, uint32_t *read, uint64_t count) {
  for (uint64_t k = 0; k < count; k++) {
    if (is_wrong_writer(l, wrote[k]) || (l->writes && is_other(l, read[k]))) return false;
    if (l->writes)
      wrote[k] = l->own;
    else
      read[k] = read_by(l, read[k]);
  }
  return true;
}

bool mpl_filter_look_at_range(struct mpl_filter_group *group, const char *at, uint64_t size,
                              uint32_t item, const struct mpl_filter_range *range) {
  struct mpl_filter_view view = view_of(group, range);
  uint32_t kind = range->is_local ? MPL_FILTER_LOCAL : MPL_FILTER_GLOBAL;
  struct look l = {.group = group,
                   .steps = &group->steps[kind],
                   .phase = group->phase[kind],
                   .own = group->steps[kind].own + item,
                   .is_local = range->is_local,
                   .reads = range->flags & MPL_ACCESS_READ,
                   .writes = range->flags & MPL_ACCESS_WRITE};
  uint64_t from = (uint64_t)((uintptr_t)at - (uintptr_t)view.low), first = from >> range->shift,
           count = size >> range->shift, units = l.writes ? view.writable : view.units;
  if (!size) return true;
  if ((from | size) & (((uint64_t)1 << range->shift) - 1)) return false;
  if (first >= units || count > units - first) return false;
  if (!view.wrote) return true;
  if (l.reads && !l.is_local && range->flags & (MPL_ACCESS_USED | MPL_ACCESS_COPIED) &&
      is_unwritten(at, size))
    return false;
  return look_at_stamps(&l, (uint32_t *)view.wrote + first, (uint32_t *)view.read + first, count);
}

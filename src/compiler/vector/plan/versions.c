/* Which copies of a work-item loop there are. */
#include "plan.h"

/* Numbers that are assumed not to wrap from lane to lane are right for a lane alone.  Pointers that
 * meet may do so in one work-item too, and a scan has whole chunks in front of it. */
static bool may_go_alone(const struct mpl_lanes *lanes) {
  MPL_EACH_ACCESS(a, lanes)
  if (mpl_shared_place_of(lanes->items->ir, a.place).kind == MPL_PLACE_SCAN) return false;
  return !lanes->apart.count;
}

static void plan_wide(struct mpl_loop_versions *v, struct mpl_analyses *analyses) {
  unsigned width = mpl_lanes_of_rows(v->one.lanes);
  for (; width > v->one.lanes->width && v->num_wide < MPL_MOST_WIDE; width /= 2)
    v->wide[v->num_wide++] =
        (struct mpl_copy){mpl_lanes_for(analyses, width, true), .chunks = 1, .quiet = true};
}

void mpl_plan_versions(struct mpl_loop_versions *v, struct mpl_analyses *analyses,
                       const struct mpl_loop_choice *choice) {
  const struct mpl_item_loop *items = analyses->items;
  bool is_copy = items->pieces || items->limits.row_copy, one_copy = items->limits.one_copy;
  *v = (struct mpl_loop_versions){.masked = mpl_lanes_for(analyses, choice->width, false)};
  v->rest = (struct mpl_copy){v->masked, .chunks = 1, .masked = true, .quiet = !one_copy};
  if (!is_copy && !one_copy) v->num_rows = mpl_plan_row_versions(v->masked, choice, v->rows);
  v->single = !is_copy && mpl_leaves_single(v->masked, v->rows, v->num_rows);
  v->lone = one_copy && !v->single && may_go_alone(v->masked);
  if (one_copy) return;
  v->one = (struct mpl_copy){mpl_lanes_for(analyses, choice->width, true), .chunks = 1};
  v->again = mpl_begins_again(v->one.lanes);
  if (items->limits.one_chunk && !v->again) v->rest.chunks = 0;
  if (!items->limits.one_chunk && !v->again && mpl_chunks_at_a_time(v->one.lanes) > 1)
    v->several = (struct mpl_copy){v->one.lanes, mpl_chunks_at_a_time(v->one.lanes), .quiet = true};
  plan_wide(v, analyses);
}

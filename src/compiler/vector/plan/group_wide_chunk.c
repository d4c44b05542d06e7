/* Loops that read rows as long as the unit, in[n * get_local_size(0) + get_local_id(0)] for each n.
 *
 * Chunk after chunk takes a piece of every row, and the processor, which foresees lines that follow
 * one another, waits for memory at each piece.  So where all work-items' values fit the registers
 * they are one chunk, which reads row after row from end to end, and does once what all lanes
 * share.  There is a copy of the loop for each such number of work-items; others go on chunk by
 * chunk.
 *
 * A loop that takes nothing but rows mostly waits for memory: what it computes may lie in the first
 * cache, though not what it carries. */
#include "cost.h"
#include "plan.h"

struct whole_rows {
  const struct mpl_lanes *lanes;
  bool fit;    /* lanes are side by side everywhere, and nothing is done apart */
  bool rows;   /* the loop reads one in each iteration */
  bool shared; /* and something that all lanes share */
};

static bool is_row(const struct mpl_lanes *lanes, LLVMValueRef pointer, int64_t size) {
  struct mpl_steps steps = {.lanes = lanes};
  int64_t step = mpl_step_of(&steps, pointer, 0), chunk = size * lanes->width;
  mpl_steps_free(&steps);
  return step == MPL_ANY_STEP || step >= chunk || step <= -chunk;
}

static void look_at_access(struct whole_rows *r, const struct mpl_lane_access *a) {
  const struct mpl_lanes *lanes = r->lanes;
  const struct mpl_item_loop *items = lanes->items;
  if (mpl_is_slot(items->ir, a->place)) {
    r->fit &= mpl_shared_place_of(items->ir, a->place).kind != MPL_PLACE_SCAN;
    return;
  }
  r->fit &= !mpl_array_of(lanes, a->place) && (!a->stride || a->stride == a->size);
  if (a->store || items->inner[a->block] < 0) return;
  if (a->stride)
    r->rows |= is_row(lanes, a->place, a->size);
  else
    r->shared = true;
}

unsigned mpl_lanes_of_rows(const struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  struct whole_rows r = {.lanes = lanes};
  r.fit = items->num_loops == 1 && !lanes->loops[0].masked && !items->pieces &&
          !items->limits.one_chunk && !items->limits.plain && !mpl_begins_again(lanes) &&
          mpl_is_light(lanes);
  if (!r.fit) return 0;
  MPL_EACH_ACCESS(a, lanes) look_at_access(&r, &a);
  if (!r.fit || !r.rows) return 0;
  unsigned live = mpl_live_bytes(lanes, NULL), carried = mpl_carried_bytes(lanes, 0),
           all = mpl_all_bytes(items->ir->target), width = MPL_GIVEN_WHOLE_ROW,
           bytes = !r.shared && all < MPL_GIVEN_NEAR_ROW ? MPL_GIVEN_NEAR_ROW : all;
  while (width * live > bytes || width * carried > all) width /= 2;
  return width;
}

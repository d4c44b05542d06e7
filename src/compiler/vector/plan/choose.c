/* How many lanes the chunks of a loop have, or whether one work-item comes after another: what
 * costs least (price.c) of what there is a form for.  Only with the option VECTOR_COSTS: as fitted,
 * it is no better than the rules of width.c and profitability.c yet, which it is to replace. */
#include <stdlib.h>

#include "cost.h"
#include "plan.h"
#include "runtime/options.h"

enum { FEWEST = 4 };

/* No more than there are work-items that do a loop of their own: the others have theirs. */
static uint64_t parts_of(const struct mpl_item_loop *items) {
  uint64_t least = 0;
  for (unsigned b = items->first; b <= items->last; b++) {
    uint64_t at = items->in[b] ? mpl_part_at_id(items, b) : 0;
    if (at && (!least || at < least)) least = at;
  }
  return least;
}

/* --- what there is a form for --- */

/* Bytes from lane to lane of fields smaller than a word, as those of pixels; 0: there are none. */
static unsigned small_fields(const struct mpl_lanes *lanes) {
  enum { WORD = 4 };
  unsigned most = 0;
  for (struct mpl_fields *f = lanes->all_fields; f; f = f->next)
    if (f->count > 1 && f->size < WORD && (unsigned)abs(f->stride) > most)
      most = (unsigned)abs(f->stride);
  return most;
}

static bool parts(const struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  for (unsigned b = items->first; b <= items->last; b++)
    if (mpl_is_diverged(lanes, b)) return true;
  return false;
}

/* LLVM makes moves of single elements of what is shuffled if it is longer, and takes masks that are
 * vectors apart bit by bit if there are more lanes than a register has bytes.  Of rows of the
 * lanes' own, a power of two apart, all are in one set of the first cache. */
static unsigned most_lanes(const struct mpl_lanes *lanes, bool has_rows) {
  enum { SHUFFLED = 64 /* bytes */, FEW_FIELDS = 16 /* lanes */, WAYS = 8 };
  const struct mpl_item_loop *items = lanes->items;
  const struct mpl_target *target = items->ir->target;
  unsigned most = MPL_MOST_LANES, fields = small_fields(lanes), row = items->limits.row,
           one = target->register_bytes / 4;
  uint64_t own = parts_of(items);
  if (!target->mask_bits && parts(lanes)) most = target->register_bytes;
  while (fields && most > FEW_FIELDS && most * fields > SHUFFLED) most /= 2;
  while (row && most > FEWEST && most >= 2 * row) most /= 2;
  while (own >= 2 * FEWEST && most > own) most /= 2;
  struct mpl_steps steps = {.lanes = lanes};
  struct mpl_rows rows = mpl_count_rows(&steps);
  mpl_steps_free(&steps);
  unsigned least = rows.elsewhere ? one : FEWEST;
  while (rows.count && !has_rows && most > least && (most > WAYS || most * rows.count > 2 * WAYS))
    most /= 2;
  return most;
}

/* --- the choice --- */

/* Lanes of the type that most is computed with in one register. */
static unsigned lanes_of_register(const struct mpl_costs *costs) {
  uint64_t of[4] = {0};
  unsigned size = 2;
  for (unsigned l = 0; l <= costs->num_loops; l++)
    for (enum mpl_cost row = 0; row < MPL_NUM_COSTS; row++)
      for (unsigned s = 0; s < 4 && mpl_cost_table[row].each == MPL_EACH_REGISTER; s++)
        of[s] += costs->loops[l].count[row][MPL_ALL_LANES][s] * costs->loops[l].trip_count;
  for (unsigned s = 0; s < 4; s++)
    if (of[s] > of[size]) size = s;
  unsigned lanes = costs->target->register_bytes >> size;
  return lanes < FEWEST ? FEWEST : lanes;
}

void mpl_choose_lanes(const struct mpl_lanes *lanes, bool has_rows,
                      struct mpl_loop_choice *choice) {
  unsigned set = (unsigned)mpl_option_number(MPL_OPTION_VECTOR_WIDTH);
  unsigned most = most_lanes(lanes, has_rows);
  struct mpl_costs costs;
  mpl_costs_find(&costs, lanes);
  costs.has_rows = has_rows;
  uint64_t least = UINT64_MAX; /* of as many work-items as a chunk may have */
  for (unsigned width = FEWEST; width <= most; width *= 2) {
    uint64_t cost = mpl_cost_of_chunk(&costs, width) * (MPL_MOST_LANES / width);
    if (cost < least) choice->width = width;
    if (cost < least) least = cost;
  }
  choice->narrow = lanes_of_register(&costs);
  if (set) choice->width = set;
  if (choice->narrow > choice->width) choice->narrow = choice->width;
  choice->refused = !set && mpl_items_pay(&costs, choice->width);
  mpl_dump_costs(&costs, lanes->items, most);
  mpl_costs_free(&costs);
}

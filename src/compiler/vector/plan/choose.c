/* How many lanes the chunks of a loop have, or that one work-item comes after another: what costs
 * least (price.c) of what there is a form for. */
#include "plan.h"
#include "runtime/options.h"

/* --- where work-items part --- */

static bool leads_to_loop(const struct mpl_item_loop *items, unsigned block, unsigned meet,
                          unsigned depth) {
  if (block == meet || !items->in[block] || depth > MPL_DEEPEST) return false;
  for (unsigned l = 0; l < items->num_loops; l++)
    if (items->loops[l].header == block) return true;
  MPL_EACH_EDGE(to, &items->cfg->succs[block]) {
    if (to > block && leads_to_loop(items, to, meet, depth + 1)) return true;
  }
  return false;
}

/* At the end of the block those work-items before and from so many on do loops of their own:
 * `if (id < 16)`.  0: they do not. */
static uint64_t part_at_id(const struct mpl_item_loop *items, unsigned block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[block]);
  if (items->inner[block] >= 0 || !LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return 0;
  LLVMValueRef asks = LLVMGetCondition(end);
  if (!LLVMIsAICmpInst(asks) || !LLVMIsAConstantInt(LLVMGetOperand(asks, 1))) return 0;
  LLVMIntPredicate by = LLVMGetICmpPredicate(asks);
  uint64_t at = LLVMConstIntGetZExtValue(LLVMGetOperand(asks, 1));
  if (mpl_through_casts(LLVMGetOperand(asks, 0)) != items->counter) return 0;
  if (by == LLVMIntUGT || by == LLVMIntSGT)
    at++;
  else if (by != LLVMIntULT && by != LLVMIntSLT)
    return 0;
  for (unsigned s = 0; s < 2; s++)
    if (!leads_to_loop(items, items->cfg->succs[block].to[s], items->cfg->ipdom[block], 0))
      return 0;
  return at;
}

/* No more than there are work-items that do a loop of their own: the others have theirs. */
static uint64_t parts_of(const struct mpl_item_loop *items) {
  uint64_t least = 0;
  MPL_EACH_ITEM_BLOCK(b, items) {
    uint64_t at = part_at_id(items, b);
    if (at && (!least || at < least)) least = at;
  }
  return least;
}

/* --- what there is a form for --- */

static bool parts(const struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  for (unsigned b = items->first; b <= items->last; b++)
    if (mpl_is_diverged(lanes, b)) return true;
  return false;
}

/* What a filter looks at, and a call for the pixels of all lanes, has a bit for each lane in a
 * word. */
static unsigned lanes_of_word(const struct mpl_module_ir *ir) {
  enum { WORD = 64 };
  return ir->filters || ir->many_images ? WORD : MPL_MOST_LANES;
}

/* Where lanes part there is a copy under masks, which does groups that are less than a chunk as long
 * as whole ones; and LLVM takes masks that are vectors apart bit by bit if there are more lanes than
 * a register has bytes. */
static unsigned most_lanes(const struct mpl_lanes *lanes) {
  const struct mpl_item_loop *items = lanes->items;
  const struct mpl_target *target = items->ir->target;
  unsigned most = lanes_of_word(items->ir), row = items->limits.row;
  uint64_t own = parts_of(items);
  unsigned parted = target->mask_bits ? MPL_GIVEN_PARTED : target->register_bytes;
  if (parts(lanes) && most > parted) most = parted;
  while (row && most > MPL_FEWEST_LANES && most >= 2 * row) most /= 2;
  while (own >= 2 * MPL_FEWEST_LANES && most > own) most /= 2;
  return most;
}

/* Chunks of more lanes have accesses that are side by side no more: of places in rows of a tile that are
 * numbered through, by id / 16 and id % 16, above all. */
static unsigned lanes_beside(const struct mpl_lanes *lanes) {
  unsigned most = MPL_MOST_LANES;
  MPL_EACH_ACCESS(a, lanes) {
    unsigned beside = a.stride == MPL_ANY_STRIDE ? mpl_guessed_lanes(lanes, &a) : most;
    if (beside < most) most = beside;
  }
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
  return lanes < MPL_FEWEST_LANES ? MPL_FEWEST_LANES : lanes;
}

unsigned mpl_required_row(const struct mpl_ir_kernel *kernel) {
  return kernel->reqd_local[kernel->flags & MPL_KERNEL_ALONG_Y   ? 1
                            : kernel->flags & MPL_KERNEL_ALONG_Z ? 2
                                                                 : 0];
}

struct cheapest {
  unsigned width;
  uint64_t cost; /* of as many work-items as a chunk may have */
};

/* The costs of chunks: of up to `beside` lanes, and of more, if there may be more. */
struct costs {
  struct mpl_costs few, many;
  unsigned beside;
};

static void measure(struct costs *costs, struct mpl_analyses *analyses, const struct mpl_lanes *lanes,
                    unsigned most, bool has_rows) {
  costs->beside = lanes_beside(lanes);
  unsigned more = lanes->width;
  while (more <= costs->beside) more *= 2;
  for (unsigned k = 0; k < 1u + (more <= most); k++) {
    struct mpl_costs *part = k ? &costs->many : &costs->few;
    const struct mpl_lanes *of = k ? mpl_lanes_for(analyses, more, true) : lanes;
    mpl_costs_find(part, of);
    part->has_rows = has_rows;
    part->has_pieces = has_rows && mpl_takes_pieces(of);
    part->narrow = lanes_of_register(part);
  }
}

static const struct mpl_costs *costs_for(const struct costs *costs, unsigned width) {
  return width <= costs->beside || !costs->many.target ? &costs->few : &costs->many;
}

/* More lanes have to gain `gain` percent. */
static struct cheapest find_cheapest(const struct costs *costs, unsigned most, unsigned gain) {
  struct cheapest best = {.cost = UINT64_MAX / 2};
  for (unsigned width = MPL_FEWEST_LANES; width <= most; width *= 2) {
    uint64_t cost = mpl_cost_in_rows(costs_for(costs, width), width) * (MPL_MOST_LANES / width);
    if (cost * (100 + gain) / 100 < best.cost) best = (struct cheapest){width, cost};
  }
  return best;
}

uint64_t mpl_chosen_cost(const struct mpl_loop_choice *choice, unsigned lanes) {
  unsigned k = 0;
  while (k + 1 < MPL_NUM_WIDTHS && lanes > (unsigned)MPL_FEWEST_LANES << k) k++;
  return choice->costs[k];
}

void mpl_choose_lanes(struct mpl_analyses *analyses, bool has_rows, struct mpl_loop_choice *choice) {
  const struct mpl_target *target = analyses->items->ir->target;
  const struct mpl_lanes *lanes = /* of a number of no consequence */
      mpl_lanes_for(analyses, target->register_bytes / MPL_WORD, true);
  unsigned set = (unsigned)mpl_option_number(MPL_OPTION_VECTOR_WIDTH);
  unsigned most = most_lanes(lanes), word = lanes_of_word(lanes->items->ir);
  struct costs costs = {0};
  mpl_measure_code(lanes, &choice->size);
  measure(&costs, analyses, lanes, most, has_rows);
  struct cheapest best = find_cheapest(&costs, most, MPL_GIVEN_GAIN);
  choice->width = best.width;
  choice->large = find_cheapest(&costs, most, MPL_GIVEN_GAIN_OF_LARGE).width;
  choice->refused = mpl_cost_of_item(&costs.few) * MPL_MOST_LANES <= best.cost && !set;
  if (set) choice->width = set < word ? set : word;
  if (set) choice->large = choice->width;
  for (unsigned k = 0; k < MPL_NUM_WIDTHS; k++)
    choice->costs[k] =
        mpl_cost_of_chunk(costs_for(&costs, MPL_FEWEST_LANES << k), MPL_FEWEST_LANES << k);
  choice->narrow = costs.few.narrow < choice->width ? costs.few.narrow : choice->width;
  mpl_dump_costs(&costs.few, lanes->items, most);
  mpl_costs_free(&costs.few);
  mpl_costs_free(&costs.many);
}

/* Short rows: lanes of one chunk lie in several rows.
 *
 * The splitter leaves a loop over rows around the loop that is widened (split/emit/frames.c).  Where
 * rows are shorter than a chunk most lanes would have nothing to do.  So the body gets a copy that
 * is one loop over all work-items, whose ids are computed from the linear one; it is widened as any
 * other, and which of the two runs is chosen when the group's size is known.
 *
 * Where a row is half a chunk, values differ in each half as they do in the loop over x: what is
 * consecutive there is one access for each half (multi_row_access.c).  Else there is no stride, and
 * every access is a gather: done for rows so short that it pays.
 *
 * A row of just one chunk, the commonest short one, asks for no further chunks: its copy is of the
 * loop over rows too, where it has no loop inside and begins at a known place.  So where there are
 * barriers, between which work is short: elsewhere rows are mostly long, or what they do is.
 *
 * Rows of half a chunk that fill a register are chunks of their own: what differs from row to row
 * is the same for all of its lanes then, branches above all, and two rows would be two registers
 * anyway.  Such a copy comes before that for rows of any length, but where lanes leave loops one
 * after another.  Rows that have no copy are several chunks of that for shorter ones.
 *
 * Tiles in local memory have chunks as long as their rows even if these fill half a register: what
 * some lanes have stored is not handed on to a load of all.
 *
 * All copies of a loop have room for so much code (ROW_COPIES).  Kept is what takes rows of any
 * length, then those of chunks of one row with which rows cost least, then what there is room for.
 * Where no copy takes it, a row of one work-item has the loop that was there: a chunk of one lane
 * costs as much as one of all. */
#include <string.h>

#include "plan.h"
#include "steps.h"

enum { DEEPEST = 3 }; /* loops that are looked at */

/* What a copy costs: all instructions, and the accesses that only the loop over a row does without
 * a gather, those in loops more; of these, how many pieces do without too, and how many others are
 * of what is smaller than a word, which no processor gathers.  True for `apart` if there are such
 * that pieces do not save, for `local` if there are accesses to local memory, and for `assumes` if
 * something is taken for granted that differs from row to row. */
struct price {
  uint64_t instructions, gathers, in_pieces, one_by_one;
  unsigned count;
  bool apart, local, assumes;
};

struct short_rows {
  const struct mpl_lanes *lanes;
  struct mpl_map by_row; /* values that differ from row to row -> 1 */
  struct price price;
  unsigned narrow; /* lanes of one register */
};

bool mpl_find_rows(const struct mpl_item_loop *items, struct mpl_rows_around *r) {
  LLVMBasicBlockRef latch = items->cfg->blocks[items->latch];
  *r = (struct mpl_rows_around){0};
  r->row = mpl_block_before(items->counter, latch);
  r->row_latch = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(latch), 1);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(r->row_latch);
  r->row_id = LLVMGetFirstInstruction(r->row);
  if (!LLVMIsAPHINode(r->row_id) || LLVMCountIncoming(r->row_id) != 2 ||
      LLVMGetNumSuccessors(end) != 2 || LLVMGetSuccessor(end, 0) != r->row)
    return false;
  r->post = LLVMGetSuccessor(end, 1);
  r->count = LLVMGetOperand(LLVMGetCondition(end), 1);
  r->pre = mpl_block_before(r->row_id, r->row_latch);
  r->first = LLVMGetNextInstruction(r->row_id);
  r->second = LLVMGetNextInstruction(r->first);
  MPL_EACH_INSTRUCTION(i, r->row)
  if (LLVMGetInstructionOpcode(i) == LLVMMul) r->begin = i;
  MPL_EACH_INSTRUCTION(i, r->row_latch)
  if (LLVMIsASelectInst(i)) r->size_first = LLVMGetOperand(LLVMGetOperand(i, 0), 1);
  return r->begin && r->size_first;
}

static bool is_used(const struct mpl_rows_around *r, LLVMValueRef id) {
  MPL_EACH_USER(user, id)
  if (LLVMGetInstructionParent(user) != r->row_latch) return true;
  return false;
}

/* The rows around the loop, of which its work-items have to know theirs. */
static bool asks_for_rows(const struct mpl_item_loop *items, struct mpl_rows_around *r) {
  return mpl_find_rows(items, r) && (is_used(r, r->first) || is_used(r, r->second));
}

/* What is the same in a row and differs from row to row.  Twice, for what loops carry round. */
static void find_by_row(struct short_rows *r, const struct mpl_rows_around *around) {
  mpl_map_set(&r->by_row, around->first, 1);
  mpl_map_set(&r->by_row, around->second, 1);
  mpl_map_set(&r->by_row, around->begin, 1);
  for (unsigned turn = 0; turn < 2; turn++)
    MPL_EACH_ITEM_INSTRUCTION(i, r->lanes->items)
  for (int k = 0; k < LLVMGetNumOperands(i); k++)
    if (mpl_map_has(&r->by_row, LLVMGetOperand(i, k))) mpl_map_set(&r->by_row, i, 1);
}

/* In a copy for rows of a known length, is the value of a piece's first lane computed from what all
 * lanes have (multi_row_access.c)? */
static bool is_known(const void *data, LLVMValueRef value) {
  const struct short_rows *r = data;
  const struct mpl_item_loop *items = r->lanes->items;
  return value == items->counter || !mpl_is_made_inside(items, value) ||
         (!mpl_stride_of(r->lanes, value) && !mpl_map_has(&r->by_row, value));
}

static void weigh(struct short_rows *r) {
  const struct mpl_lanes *lanes = r->lanes;
  const struct mpl_item_loop *items = lanes->items;
  struct price *price = &r->price;
  MPL_EACH_ITEM_INSTRUCTION(i, items) {
    unsigned block = mpl_cfg_block_of(items->cfg, i), depth = mpl_loop_depth(items, items->inner[block]);
    uint64_t times = (uint64_t)1 << 3 * (depth < DEEPEST ? depth : DEEPEST);
    price->count++;
    price->instructions += times;
    price->assumes |= mpl_map_has(&lanes->assumed, i) && mpl_map_has(&r->by_row, i);
    struct mpl_lane_access a;
    if (!mpl_access_of(lanes, i, &a) || a.stride == MPL_ANY_STRIDE || mpl_array_of(lanes, a.place) ||
        mpl_is_slot(items->ir, a.place) || (!a.stride && !mpl_map_has(&r->by_row, a.place)))
      continue;
    price->gathers += times;
    price->local |= mpl_space_of(a.place) == MPL_LOCAL_SPACE;
    if (mpl_is_made_of(a.place, MPL_INTEGER | MPL_ADDRESS | MPL_POINTER, is_known, r))
      price->in_pieces += times;
    else if (a.size < MPL_WORD)
      price->one_by_one += times;
    price->apart |= a.stride && !mpl_is_beside(a.stride, a.size);
  }
}

/* False: there are none, or the loop does not ask for them. */
static bool find(struct short_rows *r, const struct mpl_lanes *lanes) {
  struct mpl_rows_around around;
  *r = (struct short_rows){.lanes = lanes};
  if (!asks_for_rows(lanes->items, &around)) return false;
  find_by_row(r, &around);
  weigh(r);
  mpl_map_free(&r->by_row);
  return true;
}

static bool takes_pieces(const struct price *price) {
  return price->count <= MPL_GIVEN_IN_PIECES && !price->apart && !price->assumes;
}

bool mpl_takes_pieces(const struct mpl_lanes *lanes) {
  struct short_rows r;
  return !find(&r, lanes) || takes_pieces(&r.price);
}

/* A chunk of one short row takes as many instructions as a chunk of several, which has more to do:
 * it puts together what memory has side by side in each row only. */
static bool row_chunks_pay(const struct price *price, unsigned width) {
  return price->instructions <
         MPL_GIVEN_PIECE * price->in_pieces +
             MPL_GIVEN_GATHERED * width * (price->gathers - price->in_pieces);
}

static bool pieces_pay(const struct price *price) {
  return takes_pieces(price) && price->in_pieces >= price->one_by_one &&
         (price->in_pieces || !price->gathers);
}

/* A loop that goes on until the last lane has left it: two rows at a time wait less. */
static bool lanes_leave(const struct mpl_lanes *lanes) {
  for (unsigned l = 0; l < lanes->items->num_loops; l++)
    if (mpl_is_ragged(lanes, (int)l)) return true;
  return false;
}

static bool is_any_length(const struct short_rows *r) {
  return !LLVMIsAConstantInt(r->lanes->items->count);
}

/* Chunks of one row each, of a known length. */
static bool takes_row_chunks(const struct short_rows *r, unsigned length) {
  return is_any_length(r) && (length >= r->narrow || !pieces_pay(&r->price) ||
                              row_chunks_pay(&r->price, r->lanes->width));
}

/* The copies that gain something, in the order in which they are asked for. */
struct versions {
  const struct mpl_loop_choice *choice;
  const struct mpl_target *target;
  struct mpl_row_version list[MPL_MOST_COPIES];
  unsigned count;
};

static void add(struct versions *v, struct mpl_row_version version) {
  if (v->count < MPL_MOST_COPIES) v->list[v->count++] = version;
}

/* Rows of half a chunk, a quarter, and so on. */
static void add_halves(struct versions *v, const struct short_rows *r, unsigned length,
                       unsigned shortest) {
  for (; length >= shortest; length /= 2) {
    bool whole = takes_row_chunks(r, length);
    if (!whole && !pieces_pay(&r->price)) break;
    add(v, (struct mpl_row_version){.whole = whole, .lanes = length});
  }
}

static void find_versions(struct versions *v, const struct short_rows *r) {
  const struct mpl_lanes *lanes = r->lanes;
  const struct mpl_item_loop *items = lanes->items;
  const struct price *price = &r->price;
  unsigned half = lanes->width / 2, shortest = r->narrow < MPL_GIVEN_ROW ? r->narrow : MPL_GIVEN_ROW;
  if (shortest > half) shortest = half;
  uint64_t most = lanes->width * price->instructions /
                  (price->instructions + MPL_GIVEN_GATHERING * (price->gathers + 1));
  bool leaves = lanes_leave(lanes), first = takes_row_chunks(r, half) && !leaves,
       any = leaves || !takes_row_chunks(r, shortest);
  if (first) add_halves(v, r, half, half);
  if (any && most >= MPL_GIVEN_SHORTEST) add(v, (struct mpl_row_version){.most = most});
  if (!items->limits.alone && !items->num_loops && is_any_length(r))
    add(v, (struct mpl_row_version){.whole = true, .lanes = lanes->width});
  if (!first || half > shortest) add_halves(v, r, first ? half / 2 : half, shortest);
  /* What some lanes have stored is not handed to a load of all: tiles want chunks as long as their
   * rows. */
  if (!price->local || any || !is_any_length(r)) return;
  for (unsigned length = shortest / 2; length >= MPL_GIVEN_SHORTEST; length /= 2)
    add(v, (struct mpl_row_version){.whole = true, .lanes = length});
}

/* Lanes of its chunks. */
static unsigned lanes_of(const struct versions *v, unsigned which) {
  return v->list[which].whole ? v->list[which].lanes : v->choice->width;
}

/* What follows `lanes`, of the copies and of the loop itself. */
static unsigned next_lanes(const struct versions *v, unsigned lanes) {
  unsigned next = v->choice->width;
  for (unsigned k = 0; k < v->count; k++)
    if (v->list[k].lanes > lanes && v->list[k].lanes < next) next = v->list[k].lanes;
  return next;
}

static bool is_shortest(const struct versions *v, unsigned lanes) {
  for (unsigned k = 0; k < v->count; k++)
    if (v->list[k].lanes && v->list[k].lanes < lanes) return false;
  return true;
}

/* The longest row that costs less in chunks of `lanes` than in one of `next`. */
static unsigned longest_row(const struct mpl_loop_choice *choice, unsigned lanes, unsigned next) {
  uint64_t chunks = (mpl_chosen_cost(choice, next) - 1) / mpl_chosen_cost(choice, lanes),
           most = (next - 1) / lanes;
  if (chunks > most) chunks = most;
  return chunks > 1 ? lanes * (unsigned)chunks : lanes;
}

/* Rows that have no copy are several chunks of a shorter one's, where these cost less than a chunk
 * of what is next; the shortest takes what is shorter still, under a mask.  One that has no row of
 * more than a chunk is no loop over chunks. */
static void take_others(struct versions *v) {
  for (unsigned k = 0; k < v->count; k++) {
    struct mpl_row_version *version = &v->list[k];
    unsigned lanes = version->lanes, next = next_lanes(v, lanes);
    if (!version->whole || lanes == v->choice->width) continue;
    bool shortest = is_shortest(v, lanes);
    if (!shortest) version->least = lanes;
    if (next > 2 * lanes)
      version->most = 1 + longest_row(v->choice, lanes, next);
    else if (shortest)
      version->most = 1 + lanes;
  }
}

/* Those of the list whose bits are set. */
static struct versions only(const struct versions *v, unsigned kept) {
  struct versions some = {.choice = v->choice, .target = v->target};
  for (unsigned k = 0; k < v->count; k++)
    if (kept >> k & 1) add(&some, v->list[k]);
  return some;
}

/* --- which there is room for --- */

/* The lanes that a row of this length has, in the first copy that takes it or in the loop itself.
 */
static unsigned lanes_for(const struct versions *v, unsigned length) {
  for (unsigned k = 0; k < v->count; k++) {
    const struct mpl_row_version *version = &v->list[k];
    if (version->most ? length >= version->least && length < version->most
                      : length == version->lanes)
      return version->lanes;
  }
  return v->choice->width;
}

/* A row in chunks of so many lanes; under a mask if it has fewer. */
static uint64_t cost_of_row(const struct mpl_loop_choice *choice, unsigned length, unsigned lanes) {
  uint64_t cost = mpl_chosen_cost(choice, lanes);
  return length < lanes ? cost * (100 + MPL_GIVEN_MASKED) / 100 : cost * (length / lanes);
}

static uint64_t least_cost_of_row(const struct mpl_loop_choice *choice, unsigned length,
                                  unsigned shortest) {
  uint64_t least = UINT64_MAX;
  for (unsigned lanes = shortest; lanes <= choice->width; lanes *= 2) {
    uint64_t cost = cost_of_row(choice, length, lanes);
    if (cost < least) least = cost;
  }
  return least;
}

/* Percent of what rows could cost, of all lengths that halves of a chunk have together, with copies
 * that have one row a chunk each.  A copy is to gain something. */
static uint64_t cost_of_rows(struct versions v, unsigned shortest) {
  uint64_t sum = 0;
  take_others(&v);
  for (unsigned length = v.choice->width / 2; length >= shortest; length /= 2)
    sum += 100 * cost_of_row(v.choice, length, lanes_for(&v, length)) /
           least_cost_of_row(v.choice, length, shortest);
  return sum * (100 + MPL_GIVEN_GAIN * v.count);
}

/* Is there room for those whose bits are set? */
static bool has_room(const struct versions *v, unsigned kept) {
  uint64_t sum = 0;
  for (unsigned k = 0; k < v->count; k++)
    if (kept >> k & 1) sum += mpl_size_of_loop(v->target, v->choice, lanes_of(v, k));
  return sum <= (uint64_t)(MPL_GIVEN_ROW_COPIES / v->target->register_bytes);
}

/* Of the chunks of one row that are shorter than the loop's own, those that there is room for
 * beside those that are kept, and with which rows cost least. */
static unsigned cheapest(const struct versions *v, unsigned kept) {
  unsigned halves = 0, shortest = v->choice->width, best = 0;
  for (unsigned k = 0; k < v->count; k++) {
    if (!v->list[k].whole || v->list[k].lanes == v->choice->width) continue;
    halves |= 1u << k;
    if (v->list[k].lanes < shortest) shortest = v->list[k].lanes;
  }
  uint64_t least = UINT64_MAX;
  for (unsigned set = halves;; set = (set - 1) & halves) {
    uint64_t cost = cost_of_rows(only(v, set), shortest);
    if (cost < least && has_room(v, kept | set)) {
      least = cost;
      best = set;
    }
    if (!set) return best;
  }
}

/* Keeps those that there is room for: what takes all rows that are short enough, then chunks of one
 * row, then of several. */
static void keep_small(struct versions *v) {
  unsigned kept = 0;
  for (int turn = 0; turn < 2; turn++) {
    for (unsigned k = 0; k < v->count; k++) {
      bool asked = turn ? lanes_of(v, k) == v->choice->width : !v->list[k].lanes;
      if (asked && has_room(v, kept | 1u << k)) kept |= 1u << k;
    }
    if (!turn) kept |= cheapest(v, kept);
  }
  *v = only(v, kept);
}

unsigned mpl_plan_row_versions(const struct mpl_lanes *lanes, const struct mpl_loop_choice *choice,
                               struct mpl_row_version versions[MPL_MOST_COPIES]) {
  struct short_rows r;
  struct versions found = {.choice = choice, .target = lanes->items->ir->target};
  if (lanes->items->limits.row >= lanes->width || !find(&r, lanes)) return 0;
  r.narrow = choice->narrow;
  find_versions(&found, &r);
  keep_small(&found);
  take_others(&found);
  memcpy(versions, found.list, found.count * sizeof *versions);
  return found.count;
}

bool mpl_leaves_single(const struct mpl_lanes *lanes, const struct mpl_row_version *versions,
                       unsigned count) {
  struct mpl_rows_around around;
  for (unsigned k = 0; k < count; k++)
    if (versions[k].most && !versions[k].least) return false;
  return lanes->items->limits.row <= 1 && asks_for_rows(lanes->items, &around);
}

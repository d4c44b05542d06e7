/* Blocks that are passed by where no lane is, turns of all lanes, and votes that a branch chooses. */
#include "flow.h"

#include <stdlib.h>

#include "compiler/analysis/cost_table.h"
#include "compiler/vector/lanes/forms.h"

/* --- blocks that are passed by: what takes long, and what is rare --- */

/* The branch that leads there says so, as by __builtin_expect(). */
static bool is_rare(const struct mpl_item_loop *items, unsigned block) {
  enum { MOST = 4 }; /* a name or two, and the weight of each side */
  LLVMValueRef parts[MOST];
  if (items->cfg->preds[block].count != 1) return false;
  LLVMValueRef end =
      LLVMGetBasicBlockTerminator(items->cfg->blocks[items->cfg->preds[block].to[0]]);
  LLVMValueRef said = mpl_metadata_of(items->ir, end, "prof");
  unsigned count = said ? (unsigned)LLVMGetMDNodeNumOperands(said) : 0;
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || count < 3 || count > MOST) return false;
  LLVMGetMDNodeOperands(said, parts);
  bool second = LLVMGetSuccessor(end, 1) == items->cfg->blocks[block];
  uint64_t own = LLVMConstIntGetZExtValue(parts[count - 2 + second]);
  return LLVMConstIntGetZExtValue(parts[count - 1 - second]) / MPL_GIVEN_RARE > own;
}

static bool is_function(LLVMValueRef i) {
  return LLVMIsACallInst(i) && mpl_ir_is_pure_call(i) && !LLVMGetIntrinsicID(LLVMGetCalledValue(i));
}

static bool takes_long(const struct mpl_item_loop *items, unsigned block) {
  unsigned time = 0;
  MPL_EACH_INSTRUCTION(i, items->cfg->blocks[block])
  time += is_function(i) ? MPL_GIVEN_LONG : mpl_accessed_place(i) ? MPL_GIVEN_LONG_ACCESS : 1;
  return time >= MPL_GIVEN_LONG;
}

static bool is_header(const struct mpl_item_loop *items, unsigned block) {
  return items->inner[block] >= 0 && items->loops[items->inner[block]].header == block;
}

/* Do all lanes that there are come to it, by one way? */
static bool all_come_to(const struct mpl_lanes *lanes, unsigned block) {
  const struct mpl_item_loop *items = lanes->items;
  unsigned before = items->cfg->count;
  MPL_EACH_EDGE(from, &items->cfg->preds[block]) {
    if (from >= block) continue; /* where a loop goes on, some stay */
    if (before < items->cfg->count) return false;
    before = from;
  }
  if (!mpl_is_diverged(lanes, before)) return mpl_part_behind(lanes, before) < 0;
  return items->cfg->succs[before].count == 1 && !is_header(items, before) && all_come_to(lanes, before);
}

/* Of whole chunks LLVM knows that some lane is where all are. */
static enum mpl_pass pass_of(const struct mpl_lanes *lanes, unsigned block, bool whole) {
  if (!lanes->blocks[block].diverged || (!whole && all_come_to(lanes, block))) return MPL_PASS_NEVER;
  return is_rare(lanes->items, block)      ? MPL_PASS_RARE
         : takes_long(lanes->items, block) ? MPL_PASS_LONG
                                           : MPL_PASS_NEVER;
}

/* --- turns of all lanes --- */

static bool accesses_lanes(const struct mpl_lanes *lanes, unsigned block) {
  struct mpl_lane_access a;
  MPL_EACH_INSTRUCTION(i, lanes->items->cfg->blocks[block])
  if (mpl_access_of(lanes, i, &a) && a.stride && !mpl_array_of(lanes, a.place)) return true;
  return false;
}

/* Not of filters: what they look at is much code. */
static bool takes_full_turns(const struct mpl_lanes *lanes, unsigned l) {
  const struct mpl_item_loop *items = lanes->items;
  const struct mpl_inner_loop *loop = &items->loops[l];
  unsigned count = 0, block = loop->header;
  if (!lanes->loops[l].masked || loop->last != block || items->limits.plain || items->limits.one_copy ||
      items->ir->filters)
    return false;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(items->cfg->blocks[block]);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end)) return false;
  if (!mpl_stride_at(lanes, LLVMGetCondition(end), block))
    return false; /* they leave it together */
  MPL_EACH_INSTRUCTION(i, items->cfg->blocks[block]) {
    count++;
    if (mpl_is_bound(lanes, i) || mpl_is_lanes_call(i)) return false;
  }
  return count <= MPL_GIVEN_FULL_TURN && accesses_lanes(lanes, block);
}

/* --- votes --- */

/* Does the result decide on operands of the next time that the call is come to?  Then the next vote goes on
 * with a constant, if a branch chooses it. */
static bool is_carried_round(const struct mpl_item_loop *items, LLVMValueRef call) {
  enum { MOST = 256 };
  LLVMValueRef stack[MOST] = {call};
  struct mpl_map seen = {0};
  bool found = false;
  for (unsigned depth = 1, steps = 1; depth && steps < MOST && !found;) {
    LLVMValueRef value = stack[--depth];
    MPL_EACH_USER(user, value) {
      if (steps == MOST) break;
      found |= user == call;
      if (!mpl_is_made_inside(items, user) || !mpl_map_add(&seen, user)) continue;
      stack[depth++] = user;
      steps++;
    }
  }
  mpl_map_free(&seen);
  return found;
}

/* --- all of a copy --- */

void mpl_plan_flow(struct mpl_flow_plan *plan, const struct mpl_lanes *lanes, bool whole) {
  const struct mpl_item_loop *items = lanes->items;
  *plan = (struct mpl_flow_plan){.pass = mpl_allocate(items->cfg->count, sizeof *plan->pass),
                                 .full_turns = mpl_allocate(items->num_loops + 1, sizeof *plan->full_turns)};
  MPL_EACH_ITEM_BLOCK(b, items) plan->pass[b] = pass_of(lanes, b, whole);
  for (unsigned l = 0; l < items->num_loops && whole; l++) plan->full_turns[l] = takes_full_turns(lanes, l);
  MPL_EACH_ITEM_INSTRUCTION(i, items)
  if (mpl_is_lanes_call(i) && is_carried_round(items, i)) mpl_map_set(&plan->chosen, i, 1);
}

void mpl_flow_plan_free(struct mpl_flow_plan *plan) {
  free(plan->pass);
  free(plan->full_turns);
  mpl_map_free(&plan->chosen);
}

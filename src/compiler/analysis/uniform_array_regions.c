/* What regions make of uniform arrays: which are stored to too late to be one, and which stores a region
 * begins with are done once. */
#include <stdlib.h>

#include "markers.h"
#include "regions.h"
#include "uniform_arrays.h"

/* --- writes that regions make once --- */

/* The last store to an array in what the region's first block begins with and is the same for all;
 * or null. */
static LLVMValueRef last_done_once(struct mpl_uniform_arrays *arrays, struct mpl_regions *r,
                                   unsigned region) {
  LLVMValueRef sync = r->list[region].sync, last = NULL;
  if (mpl_is_of_one_item(r, region)) return NULL;
  MPL_EACH_INSTRUCTION(i, r->cfg.blocks[r->list[region].head]) {
    bool of_sync = i == sync && (mpl_is_in_place(mpl_marker_of(i)) ||
                                 LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVoidTypeKind);
    if (of_sync || LLVMIsAPHINode(i) || (LLVMIsACallInst(i) && mpl_is_hint(i))) continue;
    if (mpl_uniform_array_written(arrays, i))
      last = i;
    else if (LLVMIsATerminatorInst(i) || !mpl_is_uniform(&r->shapes, i) ||
             (i != sync && (mpl_marker_of(i) || mpl_has_effect(i))))
      break;
  }
  return last;
}

/* Nothing is left to do in the region, and the edge out of it hands nothing over. */
static bool ends_behind(struct mpl_regions *r, unsigned region, LLVMValueRef last) {
  LLVMValueRef end = LLVMGetNextInstruction(last);
  const struct mpl_region *at = &r->list[region];
  if (!LLVMIsATerminatorInst(end) || LLVMGetNumSuccessors(end) != 1 || at->num_exits != 1 ||
      at->exits[0] < 0)
    return false;
  const struct mpl_region *next = &r->list[at->exits[0]];
  LLVMBasicBlockRef head = r->cfg.blocks[next->head];
  return !next->sync && LLVMGetSuccessor(end, 0) == head &&
         !LLVMIsAPHINode(LLVMGetFirstInstruction(head));
}

static bool cut(struct mpl_uniform_arrays *arrays, struct mpl_regions *r) {
  bool any = false;
  for (unsigned k = 0; k < r->count; k++) {
    LLVMValueRef last = last_done_once(arrays, r, k);
    if (!last || ends_behind(r, k, last)) continue;
    mpl_map_set(&arrays->begins, mpl_ir_split(LLVMGetNextInstruction(last), "once"), 1);
    any = true;
  }
  return any;
}

/* --- which are --- */

/* How one region uses an array. */
struct use {
  struct mpl_uniform_arrays *arrays;
  struct mpl_regions *r;
  LLVMValueRef array, once; /* what is done once ends there; or null */
  unsigned region;
};

/* What the block does with the array behind what is done once, from `loaded` on: true if it stores
 * there behind a load.  `loaded` says afterwards whether it has loaded. */
static bool stores_late(const struct use *u, unsigned block, bool *loaded) {
  bool late = false, skip = u->once && block == u->r->list[u->region].head;
  MPL_EACH_INSTRUCTION(i, u->r->cfg.blocks[block]) {
    LLVMValueRef pointer = skip ? NULL : mpl_array_used_at(i);
    skip &= i != u->once;
    if (!pointer || mpl_uniform_array_of(u->arrays, pointer) != u->array) continue;
    if (LLVMIsALoadInst(i))
      *loaded = true;
    else
      late |= *loaded;
  }
  return late;
}

/* Blocks behind which a load of the array may have been, up to where nothing is new. */
static bool region_stores_late(const struct use *u) {
  const struct mpl_region *region = &u->r->list[u->region];
  MPL_ARRAY(bool, before, u->r->cfg.count);
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned n = 0; n < region->num_blocks; n++) {
      unsigned b = region->blocks[n];
      const struct mpl_edges *succs = &u->r->cfg.succs[b];
      bool loaded = before[b];
      if (stores_late(u, b, &loaded)) return true;
      for (unsigned s = 0; loaded && s < succs->count; s++) {
        unsigned to = succs->to[s];
        bool inside = u->r->of_block[to] == u->region && to != region->head;
        if (!inside || before[to]) continue;
        before[to] = changed = true;
      }
    }
  }
  return false;
}

/* Which regions use the pointer, or one computed from it; `writes`: store there. */
static void find_users(struct mpl_regions *r, LLVMValueRef pointer, bool *uses, bool *writes) {
  MPL_EACH_USER(user, pointer) {
    if (LLVMIsAGetElementPtrInst(user)) find_users(r, user, uses, writes);
    unsigned region = mpl_region_of(r, user);
    if (region >= r->count || !mpl_array_used_at(user)) continue;
    uses[region] = true;
    writes[region] |= mpl_array_written_at(user) != NULL;
  }
}

static bool is_one(struct mpl_uniform_arrays *arrays, struct mpl_regions *r, LLVMValueRef array) {
  MPL_ARRAY(bool, uses, r->count);
  MPL_ARRAY(bool, writes, r->count);
  unsigned count = 0, at = 0;
  if (r->masked) return false;
  find_users(r, array, uses, writes);
  for (unsigned k = 0; k < r->count; k++) {
    struct use use = {arrays, r, array, last_done_once(arrays, r, k), k};
    if (!uses[k]) continue;
    count++;
    at = k;
    if (writes[k] && (mpl_is_of_one_item(r, k) || region_stores_late(&use))) return false;
  }
  return count > 1 || (count && mpl_region_repeats(r, at)); /* or nothing lives on */
}

bool mpl_uniform_arrays_settle(struct mpl_uniform_arrays *arrays, struct mpl_regions *r) {
  bool changed = false;
  MPL_EACH_INSTRUCTION(i, r->cfg.blocks[0]) {
    if (!mpl_is_uniform_array(arrays, i) || is_one(arrays, r, i)) continue;
    mpl_map_set(&arrays->is, i, 0);
    changed = true;
  }
  return changed || cut(arrays, r);
}

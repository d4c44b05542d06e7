#include "regions.h"

#include <stdlib.h>

#include "markers.h"

static bool is_sync(const struct mpl_regions *r, LLVMValueRef i) {
  enum mpl_marker marker = mpl_marker_of(i);
  return r->cuts_lanes ? mpl_is_sync(marker) : mpl_is_group_sync(marker);
}

/* Cuts blocks so that every sync call is the first instruction of its block, and that a region
 * comes before it, even an empty one: on the way out of it the sync's operand is handed over. */
static bool split_at_syncs(const struct mpl_regions *r, LLVMValueRef function) {
  bool cut = false;
  LLVMBasicBlockRef first =
      LLVMGetSuccessor(LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(function)), 0);
  if (is_sync(r, LLVMGetFirstInstruction(first)))
    cut = mpl_ir_split(LLVMGetFirstInstruction(first), "sync") != NULL;
  MPL_EACH_BLOCK(block, function) {
    MPL_EACH_INSTRUCTION(i, block) {
      if (!is_sync(r, i) || i == LLVMGetFirstInstruction(block)) continue;
      cut = mpl_ir_split(i, "sync") != NULL;
      break; /* the rest is in the new block, which comes next */
    }
  }
  return cut;
}

static bool begins_with_sync(const struct mpl_regions *r, LLVMBasicBlockRef block) {
  return is_sync(r, LLVMGetFirstInstruction(block));
}

/* Block 0 is the set-up block, outside all regions; block 1 is the first region's head.  A block is
 * its own region's head where two regions meet.  What leads back to a loop's header is known late:
 * if it is of another region, what follows from the header is found again. */
static void find_heads(struct mpl_regions *r, unsigned *owner, bool *is_head) {
  struct mpl_cfg *cfg = &r->cfg;
  MPL_ARRAY(bool, known, cfg->count);
  for (unsigned b = 1; b < cfg->count; b++)
    known[b] = is_head[b] || b == 1 || begins_with_sync(r, cfg->blocks[b]);
  for (unsigned b = 1; b < cfg->count; b++) {
    const struct mpl_edges *preds = &cfg->preds[b], *succs = &cfg->succs[b];
    unsigned from = b, next = b;
    is_head[b] = known[b];
    for (unsigned p = 0; p < preds->count; p++) {
      if (preds->to[p] >= b) continue;
      is_head[b] |= from < b && owner[preds->to[p]] != owner[from];
      from = preds->to[p];
    }
    owner[b] = is_head[b] ? b : owner[from];
    MPL_EACH_EDGE(to, succs) {
      if (to > next || is_head[to] || owner[to] == owner[b]) continue;
      known[next = to] = true;
    }
    if (next < b) b = next - 1;
  }
}

static void add_exit(struct mpl_region *region, int to) {
  for (unsigned k = 0; k < region->num_exits; k++)
    if (region->exits[k] == to) return;
  MPL_APPEND(region->exits, region->num_exits) = to;
}

static void find_exits(struct mpl_regions *r) {
  for (unsigned k = 0; k < r->count; k++) {
    struct mpl_region *region = &r->list[k];
    for (unsigned n = 0; n < region->num_blocks; n++) {
      unsigned b = region->blocks[n];
      if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(r->cfg.blocks[b])))
        add_exit(region, MPL_REGION_END);
      MPL_EACH_EDGE(to, &r->cfg.succs[b]) {
        if (to == r->list[r->of_block[to]].head) add_exit(region, r->of_block[to]);
      }
    }
    for (unsigned e = 0; e < region->num_exits; e++) {
      if (region->exits[e] < 0) continue;
      struct mpl_edges *preds = &r->list[region->exits[e]].preds;
      MPL_APPEND(preds->to, preds->count) = k;
    }
  }
}

/* Counts, up to two, the different ways on from a block: the region's exits that can be reached
 * without passing `meet`, and `meet` itself if it is in the region. */
static unsigned ways_on(struct mpl_regions *r, unsigned from, unsigned meet) {
  struct mpl_cfg *cfg = &r->cfg;
  unsigned region = r->of_block[from], depth = 0, found = 0;
  int first = 0;
  MPL_ARRAY(bool, seen, cfg->count);
  MPL_ARRAY(unsigned, stack, cfg->count + 1);
  if (meet < cfg->count && r->of_block[meet] == region && meet != r->list[region].head) {
    seen[meet] = true;
    found = 1;
    first = MPL_REGION_END - 1; /* no region's number */
  }
  stack[depth++] = from;
  while (depth && found < 2) {
    unsigned b = stack[--depth];
    if (LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(cfg->blocks[b])) &&
        (!found || first != MPL_REGION_END)) {
      found++;
      first = MPL_REGION_END;
    }
    MPL_EACH_EDGE(to, &cfg->succs[b]) {
      if (to == r->list[r->of_block[to]].head) {
        if (!found || first != (int)r->of_block[to]) found++;
        first = r->of_block[to];
      } else if (!seen[to] && r->of_block[to] == region) {
        seen[to] = true;
        stack[depth++] = to;
      }
    }
  }
  return found;
}

/* Where an exit varies, work-items go on one by one until they meet again: from the regions between
 * a varying branch and where its sides meet, each has its own continuation. */
static void find_masked(struct mpl_regions *r) {
  for (unsigned k = 0; k < r->count && r->masked; k++)
    r->list[k].masked = r->shapes.diverged[r->list[k].head];
  for (unsigned k = 0; k < r->count && r->masked; k++) {
    struct mpl_region *region = &r->list[k];
    region->scheduled_exit = region->masked || region->varying_exit;
    for (unsigned e = 0; e < region->num_exits; e++)
      region->scheduled_exit |= region->exits[e] >= 0 && r->list[region->exits[e]].masked;
  }
}

/* An exit varies if a varying branch decides on it.  Then the block where the branch's sides meet
 * has to be a head, where those who come first wait: true if one was not. */
static bool find_varying_exits(struct mpl_regions *r, bool *is_head) {
  bool new_head = false;
  for (unsigned k = 0; k < r->count; k++) {
    struct mpl_region *region = &r->list[k];
    if (region->num_exits < 2) continue;
    for (unsigned n = 0; n < region->num_blocks; n++) {
      unsigned b = region->blocks[n], meet = r->cfg.ipdom[b];
      if (!r->shapes.varying_branch[b] || ways_on(r, b, meet) < 2) continue;
      region->varying_exit = true;
      if (meet == r->cfg.count || is_head[meet]) continue;
      is_head[meet] = new_head = true;
    }
    r->masked |= region->varying_exit;
  }
  return new_head;
}

static void free_regions(struct mpl_regions *r) {
  for (unsigned k = 0; k < r->count; k++) {
    free(r->list[k].blocks);
    free(r->list[k].exits);
    free(r->list[k].preds.to);
  }
  free(r->list);
  free(r->of_block);
}

/* The regions of these heads, and of those that follow from them. */
static void divide(struct mpl_regions *r, bool *is_head) {
  unsigned n = r->cfg.count;
  MPL_ARRAY(unsigned, owner, n);
  find_heads(r, owner, is_head);
  r->count = 0;
  r->masked = false;
  r->of_block = mpl_allocate(n, sizeof *r->of_block);
  for (unsigned b = 1; b < n; b++) r->count += is_head[b];
  r->list = mpl_allocate(r->count, sizeof *r->list);
  MPL_ARRAY(unsigned, region_of_head, n);
  for (unsigned b = 1, next = 0; b < n; b++) {
    if (!is_head[b]) continue;
    region_of_head[b] = next;
    r->list[next].head = b;
    r->list[next++].sync =
        begins_with_sync(r, r->cfg.blocks[b]) ? LLVMGetFirstInstruction(r->cfg.blocks[b]) : NULL;
  }
  r->of_block[0] = UINT32_MAX;
  for (unsigned b = 1; b < n; b++) { /* a head comes before its region's blocks */
    struct mpl_region *region = &r->list[r->of_block[b] = region_of_head[owner[b]]];
    MPL_APPEND(region->blocks, region->num_blocks) = b;
  }
  find_exits(r);
}

static bool only_decides(struct mpl_regions *r, unsigned block) {
  LLVMBasicBlockRef at = r->cfg.blocks[block];
  MPL_EACH_INSTRUCTION(i, at) {
    bool handed = i == LLVMGetFirstInstruction(at) && is_sync(r, i);
    if (handed || LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i)) continue;
    if (!mpl_is_uniform(&r->shapes, i) || mpl_has_effect(i)) return false;
  }
  return !r->shapes.varying_branch[block];
}

/* Where all work-items find that nothing is left to do in a region, as at the end of a loop around
 * a barrier, the other way is a region of its own: none of them has to ask.  True if one is new. */
static bool find_decisions(struct mpl_regions *r, bool *is_head) {
  bool new_head = false;
  for (unsigned k = 0; k < r->count && !r->masked; k++) {
    unsigned b = r->list[k].head;
    const struct mpl_edges *succs = &r->cfg.succs[b];
    if (succs->count != 2 || !only_decides(r, b)) continue;
    for (unsigned n = 0; n < 2; n++) {
      unsigned to = succs->to[n], other = succs->to[!n];
      if (r->of_block[to] == k && !is_head[to] && other == r->list[r->of_block[other]].head &&
          !LLVMIsAPHINode(LLVMGetFirstInstruction(r->cfg.blocks[to])))
        is_head[to] = new_head = true;
    }
  }
  return new_head;
}

static void find(struct mpl_regions *r, LLVMValueRef function) {
  r->cut = split_at_syncs(r, function);
  mpl_cfg_build(&r->cfg, function);
  mpl_shapes_find(&r->shapes, &r->cfg, function, &r->arrays);
  MPL_ARRAY(bool, is_head, r->cfg.count);
  for (unsigned b = 1; b < r->cfg.count; b++)
    is_head[b] = mpl_map_has(&r->arrays.begins, r->cfg.blocks[b]);
  divide(r, is_head);
  while (find_varying_exits(r, is_head) || (!r->cuts_lanes && find_decisions(r, is_head))) {
    free_regions(r);
    divide(r, is_head);
  }
  find_masked(r);
}

void mpl_regions_find(struct mpl_regions *r, LLVMValueRef function) {
  *r = (struct mpl_regions){0};
  find(r, function);
}

void mpl_regions_find_in_items(struct mpl_regions *r, LLVMValueRef function) {
  *r = (struct mpl_regions){.cuts_lanes = true};
  find(r, function);
}

static void forget(struct mpl_regions *r) {
  free_regions(r);
  mpl_shapes_free(&r->shapes);
  mpl_cfg_free(&r->cfg);
}

void mpl_regions_find_with_arrays(struct mpl_regions *r, LLVMValueRef function) {
  *r = (struct mpl_regions){0};
  mpl_uniform_arrays_begin(&r->arrays, function);
  find(r, function);
  while (r->arrays.is.count && mpl_uniform_arrays_settle(&r->arrays, r)) {
    forget(r);
    find(r, function);
  }
}

void mpl_regions_free(struct mpl_regions *r) {
  forget(r);
  mpl_uniform_arrays_free(&r->arrays);
}

bool mpl_region_repeats(const struct mpl_regions *r, unsigned region) {
  MPL_ARRAY(bool, seen, r->count);
  MPL_ARRAY(unsigned, stack, r->count + 1);
  unsigned depth = 0;
  stack[depth++] = region;
  while (depth) {
    const struct mpl_edges *preds = &r->list[stack[--depth]].preds;
    MPL_EACH_EDGE(from, preds) {
      if (from == region) return true;
      if (!seen[from]) stack[depth++] = from;
      seen[from] = true;
    }
  }
  return false;
}

unsigned mpl_region_of(const struct mpl_regions *r, LLVMValueRef instruction) {
  unsigned block = mpl_cfg_block_of(&r->cfg, instruction);
  return block < r->cfg.count ? r->of_block[block] : UINT32_MAX;
}

bool mpl_is_of_one_item(const struct mpl_regions *r, unsigned region) {
  LLVMValueRef sync = r->list[region].sync;
  return sync && mpl_marker_of(sync) == MPL_MARK_ONE;
}

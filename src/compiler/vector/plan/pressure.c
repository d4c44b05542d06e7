/* Values that live at the same time, which have to fit the registers. */
#include <stdlib.h>

#include "cost.h"

unsigned mpl_lane_bytes(LLVMTypeRef type) {
  switch (LLVMGetTypeKind(type)) {
  case LLVMDoubleTypeKind:
  case LLVMPointerTypeKind:
    return 8;
  case LLVMFloatTypeKind:
  case LLVMHalfTypeKind: /* computed as float */
    return 4;
  case LLVMIntegerTypeKind:
    return LLVMGetIntTypeWidth(type) == 1 ? 0 : (LLVMGetIntTypeWidth(type) + 7) / 8;
  case LLVMVectorTypeKind:
    return LLVMGetVectorSize(type) * mpl_lane_bytes(LLVMGetElementType(type));
  default:
    return 0;
  }
}

unsigned mpl_carried_bytes(const struct mpl_lanes *lanes, unsigned l) {
  const struct mpl_item_loop *items = lanes->items;
  unsigned bytes = 0;
  MPL_EACH_PHI(i, items->cfg->blocks[items->loops[l].header])
  if (mpl_varies(lanes, i)) bytes += mpl_lane_bytes(LLVMTypeOf(i));
  return bytes;
}

/* The number of the use in the order of instructions, or 0: it is elsewhere. */
static unsigned last_use(const struct mpl_item_loop *items, struct mpl_map *numbers,
                         const unsigned *ends, LLVMValueRef value, LLVMValueRef user) {
  unsigned own = mpl_cfg_block_of(items->cfg, value), at = mpl_own_block(items, user), last;
  if (at == items->cfg->count) return 0;
  last = (unsigned)mpl_map_get(numbers, user, 0);
  for (unsigned k = 0; LLVMIsAPHINode(user) && k < LLVMCountIncoming(user); k++) {
    if (LLVMGetIncomingValue(user, k) != value) continue;
    at = (unsigned)mpl_map_get(&items->cfg->index, LLVMGetIncomingBlock(user, k), 0);
    if (ends[at] > last) last = ends[at];
  }
  for (int l = items->inner[at]; l >= 0; l = items->loops[l].parent)
    if (mpl_is_outside(&items->loops[l], own) && ends[items->loops[l].last] > last)
      last = ends[items->loops[l].last];
  return last;
}

/* What begins to live, and ends, at each number. */
static void find_lives(const struct mpl_lanes *lanes, struct mpl_map *numbers, const unsigned *ends,
                       int64_t *grows) {
  MPL_EACH_ITEM_INSTRUCTION(i, lanes->items) {
    unsigned last = 0, bytes = mpl_varies(lanes, i) ? mpl_lane_bytes(LLVMTypeOf(i)) : 0;
    if (!bytes || LLVMIsAAllocaInst(i)) continue;
    MPL_EACH_USER(user, i) {
      unsigned at = last_use(lanes->items, numbers, ends, i, user);
      if (at > last) last = at;
    }
    unsigned begin = (unsigned)mpl_map_get(numbers, i, 0);
    if (last <= begin) continue;
    grows[begin] += bytes;
    grows[last] -= bytes;
  }
}

unsigned mpl_live_bytes(const struct mpl_lanes *lanes, unsigned *of_loops) {
  const struct mpl_item_loop *items = lanes->items;
  struct mpl_map numbers = {0};
  unsigned count = 0, *ends = mpl_allocate(items->cfg->count, sizeof *ends), most = 0;
  MPL_EACH_ITEM_BLOCK(b, items) {
    MPL_EACH_INSTRUCTION(i, items->cfg->blocks[b]) mpl_map_set(&numbers, i, ++count);
    ends[b] = count;
  }
  int64_t *grows = mpl_allocate(count + 2, sizeof *grows), live = 0;
  find_lives(lanes, &numbers, ends, grows);
  for (unsigned b = items->first, k = 1; b <= items->last; b++) {
    unsigned loop = items->inner[b] < 0 ? items->num_loops : (unsigned)items->inner[b];
    for (; items->in[b] && k <= ends[b]; k++) {
      live += grows[k];
      if (live > most) most = (unsigned)live;
      if (of_loops && live > of_loops[loop]) of_loops[loop] = (unsigned)live;
    }
  }
  mpl_map_free(&numbers);
  free(ends);
  free(grows);
  return most;
}

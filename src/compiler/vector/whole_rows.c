/* Loops that read rows as long as the unit, in[n * get_local_size(0) + get_local_id(0)] for each n.
 *
 * Chunk after chunk takes a piece of every row, and the processor, which foresees lines that follow
 * one another, waits for memory at each piece.  So where all work-items' values fit the registers
 * they are one chunk, which reads row after row from end to end, and does once what all lanes
 * share.  There is a copy of the loop for each such number of work-items; others go on chunk by
 * chunk.
 *
 * A loop that takes nothing but rows mostly waits for memory: what it carries may lie in the first
 * cache. */
#include "widen.h"

enum { MOST_INSTRUCTIONS = 32, WIDEST = 256, NEAR = 2048 /* bytes */ };

struct whole_rows {
  struct mpl_widen *w;
  unsigned instructions;
  bool fit;    /* lanes are side by side everywhere, and nothing is done apart */
  bool rows;   /* the loop reads one in each iteration */
  bool shared; /* and something that all lanes share */
};

static bool is_row(struct mpl_widen *w, LLVMValueRef pointer, int64_t size) {
  int64_t step = mpl_step_of(w, pointer, 0), chunk = size * w->width;
  return step == MPL_ANY_STEP || step >= chunk || step <= -chunk;
}

static void look_at_access(struct whole_rows *r, LLVMValueRef i, unsigned block) {
  struct mpl_widen *w = r->w;
  bool store = LLVMIsAStoreInst(i) != NULL;
  LLVMValueRef pointer = mpl_accessed_place(i);
  int64_t size = (int64_t)LLVMABISizeOfType(w->ir->layout, mpl_accessed_type(i));
  if (mpl_is_slot(w->ir, pointer)) {
    r->fit &= mpl_shared_place_of(w->ir, pointer).kind != MPL_PLACE_SCAN;
    return;
  }
  int stride = mpl_stride_at(w, pointer, block);
  r->fit &= !mpl_array_of(w, pointer) && (!stride || stride == size);
  if (store || w->inner[block] < 0) return;
  if (stride)
    r->rows |= is_row(w, pointer, size);
  else
    r->shared = true;
}

static void look_at_block(struct whole_rows *r, unsigned block) {
  struct mpl_widen *w = r->w;
  r->fit &= !w->diverged[block] && !w->tested[block] && !mpl_has_bound(w, block);
  MPL_EACH_INSTRUCTION(i, w->cfg->blocks[block]) {
    r->instructions += !LLVMIsATerminatorInst(i);
    r->fit &= !mpl_keeps_busy(i);
    if (mpl_accessed_place(i)) look_at_access(r, i, block);
  }
}

unsigned mpl_lanes_of_rows(struct mpl_widen *w) {
  struct whole_rows r = {.w = w};
  r.fit = w->num_loops == 1 && !w->loops[0].masked && !w->pieces && !w->one_chunk && !w->plain;
  for (unsigned b = w->first; b <= w->last && r.fit; b++)
    if (w->in[b]) look_at_block(&r, b);
  if (!r.fit || !r.rows || r.instructions > MOST_INSTRUCTIONS) return 0;
  unsigned live = mpl_live_bytes(w), bytes = mpl_all_bytes(w->ir->target), lanes = WIDEST;
  if (!r.shared && bytes < NEAR) bytes = NEAR;
  while (lanes * live > bytes) lanes /= 2;
  return lanes;
}

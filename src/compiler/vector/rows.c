/* Short rows: lanes of one chunk lie in several rows.
 *
 * The splitter leaves a loop over rows around the loop that is widened (skeleton.c).  Where rows
 * are shorter than a chunk most lanes would have nothing to do.  So the body gets a copy that is
 * one loop over all work-items, whose ids are computed from the linear one; it is widened as any
 * other, and which of the two runs is chosen when the group's size is known.
 *
 * Where a row is half a chunk, values differ in each half as they do in the loop over x: what is
 * consecutive there is one access for each half (pieces.c).  Else there is no stride, and every
 * access is a gather: done for rows so short that it pays.
 *
 * A row of just one chunk, the commonest short one, asks for no further chunks: its copy is of the
 * loop over rows too, where it has no loop inside and begins at a known place.  So where there are
 * barriers, between which work is short: elsewhere rows are mostly long, or what they do is.
 *
 * Rows of half a chunk that fill a register are chunks of their own: what differs from row to row
 * is the same for all of its lanes then, branches above all, and two rows would be two registers
 * anyway.  Such a copy comes before that for rows of
 * any length, but where lanes leave loops one after another.
 *
 * Large kernels have no such copies.  There a row of one work-item has the loop that was there: a
 * chunk of one lane costs as much as one of all. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#include "widen.h"

enum { GATHERING = 60, DEEPEST = 3, SHORTEST = 8, FARTHEST = 16, WORD = 4 /* bytes */ };

/* The blocks and values around the loop, and what its copy has in their place. */
struct rows {
  struct mpl_widen *w;
  LLVMBasicBlockRef pre, row, row_latch, post;
  LLVMValueRef row_id, count;        /* counts to `count` */
  LLVMValueRef first, second, begin; /* two ids, and the linear one that the row begins with */
  LLVMValueRef size_first;
  struct mpl_map by_row;         /* values that differ from row to row -> 1 */
  struct mpl_map values, blocks; /* of the body -> of its copy */
};

#define EACH_IN_LOOP(i, w)                                                                         \
  for (unsigned b_of_##i = (w)->first; b_of_##i <= (w)->last; b_of_##i++)                          \
    if ((w)->in[b_of_##i]) MPL_EACH_INSTRUCTION(i, (w)->cfg->blocks[b_of_##i])

static bool find_rows(struct rows *r) {
  struct mpl_widen *w = r->w;
  LLVMBasicBlockRef latch = w->cfg->blocks[w->latch];
  for (unsigned k = 0; k < LLVMCountIncoming(w->counter); k++)
    if (LLVMGetIncomingBlock(w->counter, k) != latch) r->row = LLVMGetIncomingBlock(w->counter, k);
  r->row_latch = LLVMGetSuccessor(LLVMGetBasicBlockTerminator(latch), 1);
  LLVMValueRef end = LLVMGetBasicBlockTerminator(r->row_latch);
  r->row_id = LLVMGetFirstInstruction(r->row);
  if (!LLVMIsAPHINode(r->row_id) || LLVMCountIncoming(r->row_id) != 2 ||
      LLVMGetNumSuccessors(end) != 2 || LLVMGetSuccessor(end, 0) != r->row)
    return false;
  r->post = LLVMGetSuccessor(end, 1);
  r->count = LLVMGetOperand(LLVMGetCondition(end), 1);
  for (unsigned k = 0; k < 2; k++)
    if (LLVMGetIncomingBlock(r->row_id, k) != r->row_latch)
      r->pre = LLVMGetIncomingBlock(r->row_id, k);
  r->first = LLVMGetNextInstruction(r->row_id);
  r->second = LLVMGetNextInstruction(r->first);
  MPL_EACH_INSTRUCTION(i, r->row)
  if (LLVMGetInstructionOpcode(i) == LLVMMul) r->begin = i;
  MPL_EACH_INSTRUCTION(i, r->row_latch)
  if (LLVMIsASelectInst(i)) r->size_first = LLVMGetOperand(LLVMGetOperand(i, 0), 1);
  return r->begin && r->size_first;
}

static bool is_used(struct rows *r, LLVMValueRef id) {
  for (LLVMUseRef use = LLVMGetFirstUse(id); use; use = LLVMGetNextUse(use))
    if (LLVMGetInstructionParent(LLVMGetUser(use)) != r->row_latch) return true;
  return false;
}

/* What is the same in a row and differs from row to row.  Twice, for what loops carry round. */
static void find_by_row(struct rows *r) {
  mpl_map_set(&r->by_row, r->first, 1);
  mpl_map_set(&r->by_row, r->second, 1);
  mpl_map_set(&r->by_row, r->begin, 1);
  for (unsigned turn = 0; turn < 2; turn++) EACH_IN_LOOP(i, r->w)
  for (int k = 0; k < LLVMGetNumOperands(i); k++)
    if (mpl_map_has(&r->by_row, LLVMGetOperand(i, k))) mpl_map_set(&r->by_row, i, 1);
}

/* In a copy for rows of a known length, is the value of a piece's first lane computed from what all
 * lanes have (pieces.c)? */
static bool is_known(struct rows *r, LLVMValueRef value, unsigned depth) {
  struct mpl_widen *w = r->w;
  if (!LLVMIsAInstruction(value) || value == w->counter) return true;
  unsigned block = mpl_cfg_block_of(w->cfg, value);
  if (block >= w->cfg->count || !w->in[block]) return true;
  if (!mpl_stride_of(w, value) && !mpl_map_has(&r->by_row, value)) return true;
  if (depth > FARTHEST || !mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS | MPL_POINTER))
    return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_known(r, LLVMGetOperand(value, k), depth + 1)) return false;
  return true;
}

/* What a copy costs: all instructions, and the accesses that only the loop over a row does without
 * a gather, those in loops more; of these, how many pieces do without too, and how many others are
 * of what is smaller than a word, which no processor gathers.  True for `apart` if there are such
 * that pieces do not save. */
struct price {
  uint64_t instructions, gathers, in_pieces, one_by_one;
  unsigned count;
  bool apart;
};

static struct price weigh(struct rows *r) {
  struct mpl_widen *w = r->w;
  struct price price = {0};
  EACH_IN_LOOP(i, w) {
    unsigned depth = 0, block = mpl_cfg_block_of(w->cfg, i);
    for (int l = w->inner[block]; l >= 0 && depth < DEEPEST; l = w->loops[l].parent) depth++;
    price.count++;
    price.instructions += (uint64_t)1 << 3 * depth;
    LLVMValueRef pointer = mpl_accessed_place(i);
    if (!pointer) continue;
    int stride = mpl_stride_at(w, pointer, block);
    if (mpl_array_of(w, pointer) || mpl_is_slot(w->ir, pointer) || stride == MPL_ANY_STRIDE)
      continue;
    if (!stride && !mpl_map_has(&r->by_row, pointer)) continue;
    uint64_t size = LLVMABISizeOfType(w->ir->layout, mpl_accessed_type(i)),
             times = (uint64_t)1 << 3 * depth;
    price.gathers += times;
    if (is_known(r, pointer, 0)) price.in_pieces += times;
    else if (size < WORD) price.one_by_one += times;
    price.apart |= stride && !mpl_is_beside(stride, (int)size);
  }
  return price;
}

static bool assumes_of_rows(struct rows *r) {
  EACH_IN_LOOP(i, r->w)
  if (mpl_map_has(&r->w->assumed, i) && mpl_map_has(&r->by_row, i)) return true;
  return false;
}

static bool takes_pieces(struct rows *r, const struct price *price) {
  return price->count <= MPL_MOST_COPIED && !price->apart && !assumes_of_rows(r);
}

static bool pieces_pay(const struct price *price) {
  return price->in_pieces >= price->one_by_one && (price->in_pieces || !price->gathers);
}

bool mpl_takes_pieces(struct mpl_widen *w) {
  struct rows r = {.w = w};
  if (!find_rows(&r) || !(is_used(&r, r.first) || is_used(&r, r.second))) return true;
  find_by_row(&r);
  struct price price = weigh(&r);
  bool takes = takes_pieces(&r, &price);
  mpl_map_free(&r.by_row);
  return takes;
}

/* --- the copy --- */

static LLVMValueRef value_of(struct rows *r, LLVMValueRef value) {
  uintptr_t *at = mpl_map_at(&r->values, value, 0, false);
  return at ? (LLVMValueRef)*at : value;
}

/* A private array is each copy's own; the splitter's slots are not. */
static void copy_array(struct rows *r, LLVMValueRef alloca) {
  if (!alloca || mpl_is_slot(r->w->ir, alloca) || mpl_map_has(&r->values, alloca)) return;
  LLVMValueRef copy = LLVMInstructionClone(alloca);
  LLVMPositionBuilderBefore(r->w->b, alloca);
  LLVMInsertIntoBuilder(r->w->b, copy);
  mpl_map_set(&r->values, alloca, (uintptr_t)copy);
}

static LLVMBasicBlockRef copy_of(struct rows *r, LLVMBasicBlockRef block) {
  return (LLVMBasicBlockRef)mpl_map_get(&r->blocks, block, 0);
}

static void copy_block(struct rows *r, LLVMBasicBlockRef block) {
  struct mpl_widen *w = r->w;
  LLVMBasicBlockRef copy = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "rows");
  mpl_map_set(&r->blocks, block, (uintptr_t)copy);
  MPL_EACH_INSTRUCTION(i, block) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      copy_array(r, LLVMIsAAllocaInst(LLVMGetOperand(i, k)));
    if (mpl_map_has(&r->values, i)) continue; /* an id */
    LLVMValueRef new = LLVMInstructionClone(i);
    LLVMPositionBuilderAtEnd(w->b, copy);
    LLVMInsertIntoBuilder(w->b, new);
    mpl_map_set(&r->values, i, (uintptr_t) new);
  }
}

static void rename_operands(struct rows *r, LLVMBasicBlockRef block) {
  MPL_EACH_INSTRUCTION(i, copy_of(r, block)) {
    unsigned succs = LLVMIsATerminatorInst(i) ? LLVMGetNumSuccessors(i) : 0;
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      if (!LLVMValueIsBasicBlock(LLVMGetOperand(i, k)))
        LLVMSetOperand(i, k, value_of(r, LLVMGetOperand(i, k)));
    for (unsigned s = 0; s < succs; s++) {
      uintptr_t *to = mpl_map_at(&r->blocks, LLVMGetSuccessor(i, s), 0, false);
      if (to) LLVMSetSuccessor(i, s, (LLVMBasicBlockRef)*to);
    }
  }
  for (unsigned p = 0; p < r->w->cfg->count; p++) {
    LLVMBasicBlockRef from = r->w->cfg->blocks[p];
    uintptr_t *now = mpl_map_at(&r->blocks, from, 0, false);
    if (now) mpl_ir_replace_incoming(copy_of(r, block), from, (LLVMBasicBlockRef)*now);
  }
}

static LLVMValueRef short_number(struct mpl_widen *w, LLVMValueRef value) {
  return LLVMBuildTrunc(w->b, value, w->ir->i32, "");
}

/* The ids of the work-item with the linear one `linear`: both have less than 32 bits.  Rows of
 * `lanes` work-items, a power of two, need no division. */
static void compute_ids(struct rows *r, LLVMValueRef linear, unsigned lanes) {
  struct mpl_widen *w = r->w;
  LLVMValueRef id = short_number(w, linear), size = short_number(w, w->count),
               size_first = short_number(w, r->size_first);
  if (lanes) size = LLVMConstInt(w->ir->i32, lanes, false);
  LLVMValueRef row = LLVMBuildUDiv(w->b, id, size, "");
  const LLVMValueRef ids[][2] = {{w->counter, LLVMBuildURem(w->b, id, size, "")},
                                 {r->first, LLVMBuildURem(w->b, row, size_first, "")},
                                 {r->second, LLVMBuildUDiv(w->b, row, size_first, "")}};
  for (unsigned k = 0; k < 3; k++)
    mpl_map_set(&r->values, ids[k][0], (uintptr_t)LLVMBuildZExt(w->b, ids[k][1], w->ir->i64, ""));
  for (LLVMUseRef use = LLVMGetFirstUse(r->begin); use; use = LLVMGetNextUse(use))
    mpl_map_set(&r->values, LLVMGetUser(use), (uintptr_t)linear); /* plus the counter */
}

/* What is behind the loops gets a value from the one that ran.  Of an earlier copy there is a phi
 * already. */
static void merge(struct rows *r, LLVMValueRef value, LLVMBasicBlockRef end) {
  struct mpl_widen *w = r->w;
  LLVMValueRef phi = NULL, own = value_of(r, value);
  for (LLVMUseRef use = LLVMGetFirstUse(value), next; use; use = next) {
    next = LLVMGetNextUse(use);
    LLVMValueRef user = LLVMGetUser(use);
    unsigned at = mpl_cfg_block_of(w->cfg, user);
    if (at >= w->cfg->count || w->in[at]) continue; /* of the loop, or of a copy */
    if (LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == r->post) {
      LLVMAddIncoming(user, &own, &end, 1);
      return;
    }
    if (!phi) {
      LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(r->post));
      phi = LLVMBuildPhi(w->b, LLVMTypeOf(value), "");
    }
    for (int k = 0; k < LLVMGetNumOperands(user); k++)
      if (LLVMGetOperand(user, k) == value) LLVMSetOperand(user, k, phi);
  }
  if (!phi) return;
  LLVMValueRef values[] = {value, own};
  LLVMBasicBlockRef from[] = {r->row_latch, end};
  LLVMAddIncoming(phi, values, from, 2);
}

/* from pre: the copy, if `condition` and there are several rows; else on to the rows. */
static void choose(struct rows *r, LLVMBasicBlockRef which, LLVMBasicBlockRef copy,
                   LLVMValueRef condition) {
  struct mpl_widen *w = r->w;
  LLVMValueRef several = LLVMBuildICmp(w->b, LLVMIntUGT, r->count, mpl_const64(w->ir, 1), "");
  LLVMBuildCondBr(w->b, LLVMBuildAnd(w->b, condition, several, ""), copy, r->row);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(r->pre);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
    if (LLVMGetSuccessor(jump, s) == r->row) LLVMSetSuccessor(jump, s, which);
  mpl_ir_replace_incoming(r->row, r->pre, which);
  r->pre = which; /* of the next copy */
}

/* The loop over all work-items, entered at `enter`; left for what is behind the rows. */
static LLVMValueRef build(struct rows *r, LLVMBasicBlockRef enter, unsigned lanes) {
  struct mpl_widen *w = r->w;
  LLVMBasicBlockRef top = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "item"),
                    end = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "short.end");
  LLVMPositionBuilderAtEnd(w->b, end);
  LLVMBuildBr(w->b, r->post);
  LLVMPositionBuilderAtEnd(w->b, enter);
  LLVMValueRef items = LLVMBuildNUWMul(w->b, r->count, w->count, "items"),
               zero = mpl_const64(w->ir, 0);
  LLVMBuildBr(w->b, top);
  LLVMPositionBuilderAtEnd(w->b, top);
  LLVMValueRef linear = LLVMBuildPhi(w->b, w->ir->i64, "linear");
  compute_ids(r, linear, lanes);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b]) copy_block(r, w->cfg->blocks[b]);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b]) rename_operands(r, w->cfg->blocks[b]);
  LLVMBasicBlockRef header = copy_of(r, w->cfg->blocks[w->header]),
                    latch = copy_of(r, w->cfg->blocks[w->latch]);
  LLVMPositionBuilderAtEnd(w->b, top);
  LLVMBuildBr(w->b, header);
  LLVMInstructionEraseFromParent(LLVMGetBasicBlockTerminator(latch));
  LLVMPositionBuilderAtEnd(w->b, latch);
  LLVMValueRef next = LLVMBuildNUWAdd(w->b, linear, mpl_const64(w->ir, 1), ""),
               more = LLVMBuildICmp(w->b, LLVMIntULT, next, items, ""),
               branch = LLVMBuildCondBr(w->b, more, top, end);
  LLVMValueRef counts[] = {zero, next};
  LLVMBasicBlockRef from[] = {enter, latch};
  LLVMAddIncoming(linear, counts, from, 2);
  EACH_IN_LOOP(i, w) merge(r, i, end);
  return branch;
}

static void note_strides(struct rows *r, struct mpl_pieces *copy) {
  struct mpl_widen *w = r->w;
  const LLVMValueRef ids[] = {w->counter, r->first, r->second};
  for (unsigned k = 0; k < 3; k++) copy->ids[k] = value_of(r, ids[k]);
  EACH_IN_LOOP(i, w) {
    int stride = mpl_stride_of(w, i);
    if (stride != MPL_ANY_STRIDE) mpl_map_set(&copy->strides, value_of(r, i), (uintptr_t)stride);
  }
}

static void forget_copy(struct rows *r) {
  mpl_map_free(&r->values);
  mpl_map_free(&r->blocks);
  r->values = r->blocks = (struct mpl_map){0};
}

/* For rows of just `lanes` work-items, or, if that is 0, of less than `most`. */
static void add_copy(struct rows *r, struct mpl_pieces *copy, unsigned lanes, uint64_t most) {
  struct mpl_widen *w = r->w;
  LLVMContextRef context = w->ir->context;
  LLVMBasicBlockRef which = LLVMAppendBasicBlockInContext(context, w->function, "which"),
                    enter = LLVMAppendBasicBlockInContext(context, w->function, "short");
  *copy = (struct mpl_pieces){.lanes = lanes};
  LLVMPositionBuilderAtEnd(w->b, which);
  LLVMValueRef hold = lanes ? mpl_all_hold(w) : NULL,
               condition = LLVMBuildICmp(w->b, lanes ? LLVMIntEQ : LLVMIntULT, w->count,
                                         mpl_const64(w->ir, lanes ? lanes : most), "");
  if (hold) condition = LLVMBuildAnd(w->b, condition, hold, "");
  choose(r, which, enter, condition);
  copy->latch = build(r, enter, lanes);
  if (lanes) note_strides(r, copy);
  forget_copy(r);
}

/* The loops over rows and over one of `lanes` work-items; entered at `enter`. */
static LLVMValueRef build_whole(struct rows *r, LLVMBasicBlockRef enter, unsigned lanes) {
  struct mpl_widen *w = r->w;
  mpl_map_set(&r->values, w->count, (uintptr_t)mpl_const64(w->ir, lanes));
  copy_block(r, r->row);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b]) copy_block(r, w->cfg->blocks[b]);
  copy_block(r, r->row_latch);
  rename_operands(r, r->row);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b]) rename_operands(r, w->cfg->blocks[b]);
  rename_operands(r, r->row_latch);
  mpl_ir_replace_incoming(copy_of(r, r->row), r->pre, enter);
  LLVMPositionBuilderAtEnd(w->b, enter);
  LLVMBuildBr(w->b, copy_of(r, r->row));
  EACH_IN_LOOP(i, w) merge(r, i, copy_of(r, r->row_latch));
  return LLVMGetBasicBlockTerminator(copy_of(r, w->cfg->blocks[w->latch]));
}

static void add_whole_copy(struct rows *r, struct mpl_pieces *copy, unsigned lanes) {
  struct mpl_widen *w = r->w;
  LLVMBasicBlockRef which = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "which"),
                    enter = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "whole");
  *copy = (struct mpl_pieces){.whole = true, .lanes = lanes};
  LLVMPositionBuilderAtEnd(w->b, which);
  LLVMValueRef length = mpl_const64(w->ir, lanes);
  choose(r, which, enter, LLVMBuildICmp(w->b, LLVMIntEQ, w->count, length, ""));
  copy->latch = build_whole(r, enter, lanes);
  forget_copy(r);
}

/* A loop that goes on until the last lane has left it: two rows at a time wait less. */
static bool lanes_leave(struct mpl_widen *w) {
  for (unsigned l = 0; l < w->num_loops; l++)
    if (mpl_is_ragged(w, (int)l)) return true;
  return false;
}

unsigned mpl_copy_for_rows(struct mpl_widen *w, unsigned narrow,
                           struct mpl_pieces copies[MPL_MOST_COPIES]) {
  struct rows r = {.w = w};
  unsigned count = 0;
  LLVMSetCurrentDebugLocation2(w->b, NULL);
  if (w->row >= w->width || !find_rows(&r)) return 0;
  if (!is_used(&r, r.first) && !is_used(&r, r.second)) return 0;
  find_by_row(&r);
  struct price price = weigh(&r);
  uint64_t most =
      w->width * price.instructions / (price.instructions + GATHERING * (price.gathers + 1));
  unsigned half = w->width / 2;
  bool halves =
      half >= narrow && price.count <= MPL_MOST_COPIED && !LLVMIsAConstantInt(w->count);
  bool first = halves && !lanes_leave(w);
  if (first) add_whole_copy(&r, &copies[count++], half);
  if (price.count <= MPL_MOST_COPIED && most > 1) add_copy(&r, &copies[count++], 0, most);
  bool short_work = !w->alone && !w->num_loops && price.count <= MPL_MOST_COPIED;
  if (short_work && !LLVMIsAConstantInt(w->count))
    add_whole_copy(&r, &copies[count++], w->width);
  bool pieces = takes_pieces(&r, &price) && pieces_pay(&price);
  if (halves && !first) add_whole_copy(&r, &copies[count++], half);
  if (halves) half /= 2;
  for (unsigned lanes = half; pieces && count < MPL_MOST_COPIES; lanes /= 2) {
    if (lanes < SHORTEST && lanes != w->width / 2) break;
    add_copy(&r, &copies[count++], lanes, 0);
  }
  mpl_map_free(&r.by_row);
  return count;
}

bool mpl_leaves_single(struct mpl_widen *w) {
  struct rows r = {.w = w};
  return (w->one_copy || weigh(&r).count > MPL_MOST_COPIED) && w->row <= 1 && find_rows(&r) &&
         (is_used(&r, r.first) || is_used(&r, r.second));
}

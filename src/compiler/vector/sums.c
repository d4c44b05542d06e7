/* Places that all work-items share: the splitter's slots.
 *
 * A uniform value that a loop hands on is stored by any lane that is there.  A sum, to which each
 * work-item adds (operands of a reduce, votes), becomes a vector of sums, which is folded behind
 * the loop: its operation is one of integers, which may be combined in any order. */
#include "compiler/analysis/algebra.h"
#include "widen.h"

struct mpl_sum {
  LLVMValueRef place, lanes; /* the splitter's, and the one of all lanes */
  struct mpl_collective does;
  bool is_vote;
};

static LLVMValueRef slot_data(struct mpl_widen *w, LLVMValueRef pointer) {
  unsigned kind =
      LLVMGetMDKindIDInContext(w->ir->context, MPL_SLOT_PLACE, sizeof MPL_SLOT_PLACE - 1);
  return LLVMIsAAllocaInst(pointer) ? LLVMGetMetadata(pointer, kind) : NULL;
}

bool mpl_is_slot(struct mpl_widen *w, LLVMValueRef pointer) {
  return slot_data(w, pointer) != NULL;
}

bool mpl_is_sum(struct mpl_widen *w, LLVMValueRef pointer) {
  LLVMValueRef data = slot_data(w, pointer);
  return data && LLVMGetMDNodeNumOperands(data) == MPL_SUM_FIELDS;
}

static struct mpl_sum *sum_at(struct mpl_widen *w, LLVMValueRef place) {
  for (unsigned k = 0; k < w->num_sums; k++)
    if (w->sums[k].place == place) return &w->sums[k];
  LLVMValueRef fields[MPL_SUM_FIELDS];
  unsigned values[MPL_SUM_FIELDS];
  LLVMGetMDNodeOperands(slot_data(w, place), fields);
  for (unsigned k = 0; k < MPL_SUM_FIELDS; k++)
    values[k] = (unsigned)LLVMConstIntGetZExtValue(fields[k]);
  w->sums = mpl_grow(w->sums, &w->sums_capacity, w->num_sums + 1, sizeof *w->sums);
  struct mpl_sum *sum = &w->sums[w->num_sums++];
  *sum = (struct mpl_sum){.place = place, .is_vote = values[MPL_SUM_IS_VOTE]};
  sum->does = (struct mpl_collective){.operation = values[MPL_SUM_OPERATION],
                                      .is_signed = values[MPL_SUM_IS_SIGNED],
                                      .type = LLVMGetAllocatedType(place)};
  LLVMBasicBlockRef at = LLVMGetInsertBlock(w->b);
  LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(w->function)));
  sum->lanes = LLVMBuildAlloca(w->b, mpl_vector_type(w, sum->does.type), "sums");
  LLVMPositionBuilderAtEnd(w->b, at);
  return sum;
}

LLVMValueRef mpl_load_sum(struct mpl_widen *w, LLVMValueRef place) {
  LLVMValueRef lanes = sum_at(w, place)->lanes;
  return LLVMBuildLoad2(w->b, LLVMGetAllocatedType(lanes), lanes, "");
}

/* The place is memory even if no lane is there: nothing is stored then, with no branch. */
void mpl_store_slot(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef place) {
  bool sum = mpl_is_sum(w, place);
  if (sum) place = sum_at(w, place)->lanes;
  if (w->mask && (sum || w->mask != w->all)) {
    LLVMValueRef old = LLVMBuildLoad2(w->b, LLVMTypeOf(value), place, "");
    LLVMValueRef here = sum ? w->mask : mpl_any_lane(w, w->mask);
    value = LLVMBuildSelect(w->b, here, value, old, "");
  }
  LLVMBuildStore(w->b, value, place);
}

void mpl_begin_sums(struct mpl_widen *w) {
  for (unsigned k = 0; k < w->num_sums; k++) {
    LLVMValueRef none = mpl_identity(&w->sums[k].does);
    LLVMBuildStore(w->b, mpl_splat(w, none), w->sums[k].lanes);
  }
}

/* Each step combines with the lane at half the distance: all lanes have the result, so that the
 * next loop, which wants it in a vector, need not take it out of one. */
static LLVMValueRef fold(struct mpl_widen *w, const struct mpl_sum *sum, LLVMValueRef lanes) {
  LLVMTypeRef type = sum->does.type;
  if (sum->is_vote) {
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(lanes));
    if (type != w->ir->i1) lanes = LLVMBuildICmp(w->b, LLVMIntNE, lanes, none, "");
    LLVMValueRef any = mpl_any_lane(w, lanes);
    return type == w->ir->i1 ? any : LLVMBuildZExt(w->b, any, type, "");
  }
  for (unsigned distance = w->width / 2; distance; distance /= 2) {
    LLVMValueRef from[256];
    for (unsigned k = 0; k < w->width; k++) from[k] = LLVMConstInt(w->ir->i32, k ^ distance, false);
    LLVMValueRef other = LLVMBuildShuffleVector(w->b, lanes, LLVMGetPoison(LLVMTypeOf(lanes)),
                                                LLVMConstVector(from, w->width), "");
    lanes = mpl_combine(w->b, &sum->does, lanes, other);
  }
  return LLVMBuildExtractElement(w->b, lanes, LLVMConstInt(w->ir->i64, 0, false), "");
}

void mpl_fold_sums(struct mpl_widen *w) {
  for (unsigned k = 0; k < w->num_sums; k++) {
    struct mpl_sum *sum = &w->sums[k];
    LLVMValueRef lanes = LLVMBuildLoad2(w->b, LLVMGetAllocatedType(sum->lanes), sum->lanes, "");
    LLVMValueRef before = LLVMBuildLoad2(w->b, sum->does.type, sum->place, "");
    LLVMBuildStore(w->b, mpl_combine(w->b, &sum->does, before, fold(w, sum, lanes)), sum->place);
  }
}

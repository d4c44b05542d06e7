/* Places that all work-items share: the splitter's slots.
 *
 * A uniform value that a loop hands on is stored by any lane that is there.  A sum, to which each
 * work-item adds (operands of a reduce, votes), becomes a vector of sums, which is folded behind
 * the loop: its operation is one of integers, which may be combined in any order.
 *
 * A scan's load, combine and store (group_ops.c) become steps: a lane is combined with the lane so
 * many before it, which may be one of the chunk before, and the distance doubles.  In the end a lane
 * has its own operand and those of the W - 1 lanes before it; so what is missing is the result of the
 * same lane in the chunk before (src/builtins/group.h). */
#include "compiler/analysis/algebra.h"
#include "widen.h"

#include <stdlib.h>

enum { MOST_STEPS = 8 };

struct mpl_sum {
  LLVMValueRef place, lanes[MPL_MOST_CHUNKS]; /* the splitter's, and those of all lanes, by chunk */
  struct mpl_collective does;
  bool is_vote, is_scan;
  LLVMValueRef left[MOST_STEPS]; /* of a scan: what each step began with in the chunk before */
};

static struct mpl_sum *sum_at(struct mpl_widen *w, LLVMValueRef place) {
  for (unsigned k = 0; k < w->num_sums; k++)
    if (w->sums[k].place == place) return &w->sums[k];
  struct mpl_shared_place is = mpl_shared_place_of(w->ir, place);
  if (is.kind < MPL_PLACE_SUM) abort();
  w->sums = mpl_grow(w->sums, &w->sums_capacity, w->num_sums + 1, sizeof *w->sums);
  struct mpl_sum *sum = &w->sums[w->num_sums++];
  *sum = (struct mpl_sum){.place = place,
                          .is_vote = is.kind == MPL_PLACE_VOTE,
                          .is_scan = is.kind == MPL_PLACE_SCAN};
  sum->does = (struct mpl_collective){.operation = is.operation,
                                      .is_signed = is.is_signed,
                                      .type = LLVMGetAllocatedType(place)};
  return sum;
}

/* The sums of the chunk that is made: several that run at a time do not wait for one another, but
 * where they scan. */
static LLVMValueRef lanes_at(struct mpl_widen *w, LLVMValueRef place) {
  struct mpl_sum *sum = sum_at(w, place);
  LLVMValueRef *lanes = &sum->lanes[sum->is_scan ? 0 : w->chunk];
  if (!*lanes) *lanes = mpl_entry_alloca(w, mpl_vector_type(w, sum->does.type), "sums");
  return *lanes;
}

static LLVMValueRef load(struct mpl_widen *w, LLVMValueRef lanes) {
  return LLVMBuildLoad2(w->b, LLVMGetAllocatedType(lanes), lanes, "");
}

LLVMValueRef mpl_moved_up(struct mpl_widen *w, LLVMValueRef lanes, LLVMValueRef none,
                          unsigned by) {
  LLVMValueRef from[256];
  for (unsigned k = 0; k < w->width; k++)
    from[k] = LLVMConstInt(w->ir->i32, k < by ? w->width : k - by, false);
  return LLVMBuildShuffleVector(w->b, lanes, none, LLVMConstVector(from, w->width), "");
}

/* Lanes `by` further; those before them are the last ones of `left`. */
static LLVMValueRef shifted(struct mpl_widen *w, LLVMValueRef lanes, LLVMValueRef left,
                            unsigned by) {
  LLVMValueRef from[256];
  for (unsigned k = 0; k < w->width; k++)
    from[k] = LLVMConstInt(w->ir->i32, w->width - by + k, false);
  return LLVMBuildShuffleVector(w->b, left, lanes, LLVMConstVector(from, w->width), "");
}

/* `with` is what a lane carries on.  What came before its operand. */
static LLVMValueRef scan(struct mpl_widen *w, LLVMValueRef with, LLVMValueRef place) {
  LLVMValueRef results = lanes_at(w, place), lanes = mpl_vector(w, LLVMGetOperand(with, 1));
  struct mpl_sum *sum = sum_at(w, place);
  if (w->mask)
    lanes = LLVMBuildSelect(w->b, w->mask, lanes, mpl_splat(w, mpl_identity(&sum->does)), "");
  for (unsigned k = 0; 1u << k < w->width; k++) {
    if (!sum->left[k]) sum->left[k] = mpl_entry_alloca(w, mpl_vector_type(w, sum->does.type), "sums");
    LLVMValueRef left = shifted(w, lanes, load(w, sum->left[k]), 1u << k);
    LLVMBuildStore(w->b, lanes, sum->left[k]);
    lanes = mpl_combine(w->b, &sum->does, left, lanes);
  }
  LLVMValueRef before = load(w, results);
  lanes = mpl_combine(w->b, &sum->does, before, lanes);
  LLVMBuildStore(w->b, lanes, results);
  mpl_map_set(&w->vectors, with, (uintptr_t)lanes);
  return shifted(w, lanes, before, 1);
}

static LLVMValueRef stored_to(LLVMValueRef place, LLVMBasicBlockRef block) {
  for (LLVMUseRef use = LLVMGetFirstUse(place); use; use = LLVMGetNextUse(use)) {
    LLVMValueRef store = LLVMIsAStoreInst(LLVMGetUser(use));
    if (store && LLVMGetInstructionParent(store) == block) return LLVMGetOperand(store, 0);
  }
  abort();
}

LLVMValueRef mpl_load_sum(struct mpl_widen *w, LLVMValueRef of) {
  LLVMValueRef place = LLVMGetOperand(of, 0);
  struct mpl_sum *sum = sum_at(w, place);
  if (w->sum_lanes) return mpl_splat(w, mpl_identity(&sum->does));
  if (!sum->is_scan) return load(w, lanes_at(w, place));
  return scan(w, stored_to(place, LLVMGetInstructionParent(of)), place);
}

/* Of lanes, or of one of them for all: where none is there the place keeps what it holds, which
 * takes no branch. */
static LLVMValueRef blended(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef place,
                            LLVMValueRef mask) {
  if (!mask) return value;
  LLVMValueRef old = LLVMBuildLoad2(w->b, LLVMTypeOf(value), place, "");
  return LLVMBuildSelect(w->b, mask, value, old, "");
}

/* A chunk's sums wait for those before by one operation only.  LLVM would make (sum + x) + y of
 * sum + (x + y), unless it does not know that it is an addition: its code generator does. */
static LLVMValueRef added(struct mpl_widen *w, LLVMValueRef value) {
  static const struct {
    LLVMOpcode opcode;
    const char *name;
  } known[] = {{LLVMAdd, "llvm.vp.add"},
               {LLVMMul, "llvm.vp.mul"},
               {LLVMAnd, "llvm.vp.and"},
               {LLVMOr, "llvm.vp.or"},
               {LLVMXor, "llvm.vp.xor"}};
  LLVMValueRef operand = LLVMIsABinaryOperator(value) ? LLVMGetOperand(value, 1) : NULL;
  bool same = operand && LLVMIsAInstruction(operand) &&
              LLVMGetInstructionOpcode(operand) == LLVMGetInstructionOpcode(value);
  for (unsigned k = 0; same && k < sizeof known / sizeof *known; k++) {
    if (known[k].opcode != LLVMGetInstructionOpcode(value)) continue;
    LLVMValueRef args[] = {mpl_vector(w, LLVMGetOperand(value, 0)), mpl_vector(w, operand),
                           LLVMConstAllOnes(mpl_vector_type(w, w->ir->i1)),
                           LLVMConstInt(w->ir->i32, w->width, false)};
    return mpl_call_intrinsic(w->ir, w->b, known[k].name, LLVMTypeOf(args[0]), args, 4);
  }
  return mpl_vector(w, value);
}

/* A wider chunk's, which has begun with nothing. */
static void store_wide_sum(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef place) {
  struct mpl_sum *sum = sum_at(w, place);
  LLVMValueRef lanes = mpl_vector(w, value);
  unsigned width = w->width;
  for (unsigned half = width / 2; half >= w->sum_lanes; half /= 2)
    lanes = mpl_combine(w->b, &sum->does, mpl_part_of(w, lanes, 0, half),
                        mpl_part_of(w, lanes, half, half));
  w->width = w->sum_lanes;
  LLVMValueRef sums = lanes_at(w, place);
  LLVMBuildStore(w->b, mpl_combine(w->b, &sum->does, load(w, sums), lanes), sums);
  w->width = width;
}

void mpl_store_sum(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef place) {
  if (sum_at(w, place)->is_scan) return;
  if (w->sum_lanes) {
    store_wide_sum(w, value, place);
    return;
  }
  LLVMValueRef sums = lanes_at(w, place);
  LLVMBuildStore(w->b, blended(w, added(w, value), sums, w->mask), sums);
}

void mpl_store_slot(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef vector,
                    LLVMValueRef place) {
  LLVMValueRef any = w->mask == w->all ? NULL : mpl_any_lane(w, w->mask),
               store = LLVMBuildStore(w->b, blended(w, value, place, any), place);
  if (vector && !any) mpl_store_spread(w, store, vector);
}

void mpl_begin_sums(struct mpl_widen *w) {
  for (unsigned k = 0; k < w->num_sums; k++) {
    LLVMValueRef none = mpl_identity(&w->sums[k].does);
    for (unsigned step = 0; step < MOST_STEPS && w->sums[k].left[step]; step++)
      LLVMBuildStore(w->b, mpl_splat(w, none), w->sums[k].left[step]);
    if (w->sums[k].is_scan)
      none = LLVMBuildLoad2(w->b, w->sums[k].does.type, w->sums[k].place, "");
    for (unsigned c = 0; c < MPL_MOST_CHUNKS && w->sums[k].lanes[c]; c++)
      LLVMBuildStore(w->b, mpl_splat(w, none), w->sums[k].lanes[c]);
  }
}

/* The result in all lanes of a register, since each step there combines with the lane at half the
 * distance; a vote's is a scalar. */
static LLVMValueRef fold(struct mpl_widen *w, const struct mpl_sum *sum, LLVMValueRef lanes) {
  LLVMTypeRef type = sum->does.type;
  if (sum->is_vote) {
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(lanes));
    if (type != w->ir->i1) lanes = LLVMBuildICmp(w->b, LLVMIntNE, lanes, none, "");
    LLVMValueRef any = mpl_any_lane(w, lanes);
    return type == w->ir->i1 ? any : LLVMBuildZExt(w->b, any, type, "");
  }
  unsigned count = mpl_lanes_of_register(w->ir->target, type, w->width);
  for (unsigned half = w->width / 2; half >= count; half /= 2)
    lanes = mpl_combine(w->b, &sum->does, mpl_part_of(w, lanes, 0, half),
                        mpl_part_of(w, lanes, half, half));
  for (unsigned distance = count / 2; distance; distance /= 2) {
    LLVMValueRef from[256];
    for (unsigned k = 0; k < count; k++) from[k] = LLVMConstInt(w->ir->i32, k ^ distance, false);
    LLVMValueRef other = LLVMBuildShuffleVector(w->b, lanes, LLVMGetPoison(LLVMTypeOf(lanes)),
                                                LLVMConstVector(from, count), "");
    lanes = mpl_combine(w->b, &sum->does, lanes, other);
  }
  return lanes;
}

static LLVMValueRef all_chunks(struct mpl_widen *w, const struct mpl_sum *sum) {
  LLVMValueRef lanes[MPL_MOST_CHUNKS];
  unsigned count = 0;
  for (; count < MPL_MOST_CHUNKS && sum->lanes[count]; count++)
    lanes[count] = load(w, sum->lanes[count]);
  for (; count > 1; count = (count + 1) / 2)
    for (unsigned c = 0; c < count / 2; c++)
      lanes[c] = mpl_combine(w->b, &sum->does, lanes[c], lanes[count - 1 - c]);
  return lanes[0];
}

void mpl_fold_sums(struct mpl_widen *w) {
  for (unsigned k = 0; k < w->num_sums; k++) {
    struct mpl_sum *sum = &w->sums[k];
    LLVMValueRef lanes = all_chunks(w, sum);
    if (sum->is_scan) {
      lanes = LLVMBuildExtractElement(w->b, lanes, mpl_const64(w->ir, w->width - 1), "");
      LLVMBuildStore(w->b, lanes, sum->place);
      continue;
    }
    LLVMValueRef before = LLVMBuildLoad2(w->b, sum->does.type, sum->place, "");
    LLVMValueRef all = fold(w, sum, lanes), zero = LLVMConstNull(w->ir->i64), spread;
    if (sum->is_vote) {
      LLVMBuildStore(w->b, mpl_combine(w->b, &sum->does, before, all), sum->place);
      continue;
    }
    LLVMValueRef one = LLVMBuildExtractElement(w->b, all, zero, "");
    LLVMValueRef store =
        LLVMBuildStore(w->b, mpl_combine(w->b, &sum->does, before, one), sum->place);
    if ((spread = mpl_load_spread(w, before))) {
      spread = mpl_part_of(w, spread, 0, LLVMGetVectorSize(LLVMTypeOf(all)));
      mpl_store_spread(w, store, mpl_combine(w->b, &sum->does, spread, all));
    }
  }
}

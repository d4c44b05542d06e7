/* Places that all work-items share: the splitter's slots.
 *
 * A uniform value that a loop hands on is stored by any lane that is there.  A sum, to which each
 * work-item adds (operands of a reduce, votes), becomes a vector of sums, which is folded behind
 * the loop: its operation is one of integers, which may be combined in any order.
 *
 * A scan's load, combine and store (group_ops.c) become steps: a lane is combined with the lane so
 * many before it, which may be one of the chunk before, and the distance doubles.  In the end a
 * lane has its own operand and those of the W - 1 lanes before it; so what is missing is the result
 * of the same lane in the chunk before (src/builtins/group/group.h). */
#include "compiler/analysis/algebra.h"
#include "memory.h"

#include <stdlib.h>

enum { MOST_STEPS = 8 };

struct mpl_sum {
  LLVMValueRef place, lanes[MPL_MOST_CHUNKS]; /* the splitter's, and those of all lanes, by chunk */
  struct mpl_collective does;
  enum mpl_place_kind kind;
  LLVMValueRef left[MOST_STEPS]; /* of a scan: what each step began with in the chunk before */
};

static struct mpl_sum *sum_at(struct mpl_emit *e, LLVMValueRef place) {
  for (unsigned k = 0; k < e->num_sums; k++)
    if (e->sums[k].place == place) return &e->sums[k];
  struct mpl_shared_place is = mpl_shared_place_of(e->ir, place);
  if (is.kind < MPL_PLACE_SUM) abort();
  struct mpl_sum *sum = &MPL_APPEND(e->sums, e->num_sums);
  *sum = (struct mpl_sum){place, .kind = is.kind};
  sum->does = (struct mpl_collective){.operation = is.operation,
                                      .is_signed = is.is_signed,
                                      .type = LLVMGetAllocatedType(place)};
  return sum;
}

/* The sums of the chunk that is made: several that run at a time do not wait for one another, but
 * where they scan. */
static LLVMValueRef lanes_at(struct mpl_emit *e, struct mpl_sum *sum) {
  LLVMValueRef *lanes = &sum->lanes[sum->kind == MPL_PLACE_SCAN ? 0 : e->chunk];
  if (!*lanes) *lanes = mpl_entry_alloca(e, mpl_vector_type(e, sum->does.type), "sums");
  return *lanes;
}

static LLVMValueRef load(struct mpl_emit *e, LLVMValueRef lanes) {
  return LLVMBuildLoad2(e->b, LLVMGetAllocatedType(lanes), lanes, "");
}

LLVMValueRef mpl_moved_up(struct mpl_emit *e, LLVMValueRef lanes, LLVMValueRef none,
                          unsigned by) {
  int from[MPL_MOST_LANES];
  for (unsigned k = 0; k < e->width; k++) from[k] = (int)(k < by ? e->width : k - by);
  return mpl_shuffle(e->b, lanes, none, from, e->width);
}

/* Lanes `by` further; those before them are the last ones of `left`. */
static LLVMValueRef shifted(struct mpl_emit *e, LLVMValueRef lanes, LLVMValueRef left,
                            unsigned by) {
  return mpl_elements(e->b, left, lanes, e->width - by, e->width);
}

/* `with` is what a lane carries on.  What came before its operand. */
static LLVMValueRef scan(struct mpl_emit *e, LLVMValueRef with, struct mpl_sum *sum) {
  LLVMValueRef results = lanes_at(e, sum), lanes = mpl_vector(e, LLVMGetOperand(with, 1));
  if (e->mask)
    lanes = LLVMBuildSelect(e->b, e->mask, lanes, mpl_splat(e, mpl_identity(&sum->does)), "");
  for (unsigned k = 0; 1u << k < e->width; k++) {
    if (!sum->left[k])
      sum->left[k] = mpl_entry_alloca(e, mpl_vector_type(e, sum->does.type), "sums");
    LLVMValueRef left = shifted(e, lanes, load(e, sum->left[k]), 1u << k);
    LLVMBuildStore(e->b, lanes, sum->left[k]);
    lanes = mpl_combine(e->b, &sum->does, left, lanes);
  }
  LLVMValueRef before = load(e, results);
  lanes = mpl_combine(e->b, &sum->does, before, lanes);
  LLVMBuildStore(e->b, lanes, results);
  mpl_set_vector(e, with, lanes);
  return shifted(e, lanes, before, 1);
}

static LLVMValueRef stored_to(LLVMValueRef place, LLVMBasicBlockRef block) {
  MPL_EACH_USER(user, place) {
    LLVMValueRef store = LLVMIsAStoreInst(user);
    if (store && LLVMGetInstructionParent(store) == block) return LLVMGetOperand(store, 0);
  }
  abort();
}

void mpl_load_sum(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef of) {
  LLVMValueRef place = LLVMGetOperand(of, 0);
  struct mpl_sum *sum = sum_at(e, place);
  mpl_set_vector(e, of,
                 e->sum_lanes                  ? mpl_splat(e, mpl_identity(&sum->does))
                 : sum->kind != MPL_PLACE_SCAN ? load(e, lanes_at(e, sum))
                 : scan(e, stored_to(place, LLVMGetInstructionParent(of)), sum));
}

/* Of lanes, or of one of them for all: where none is there the place keeps what it holds, which
 * takes no branch. */
static LLVMValueRef blended(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef place,
                            LLVMValueRef mask) {
  if (!mask) return value;
  LLVMValueRef old = LLVMBuildLoad2(e->b, LLVMTypeOf(value), place, "");
  return LLVMBuildSelect(e->b, mask, value, old, "");
}

/* A chunk's sums wait for those before by one operation only.  LLVM would make (sum + x) + y of
 * sum + (x + y), unless it does not know that it is an addition: its code generator does. */
static LLVMValueRef added(struct mpl_emit *e, LLVMValueRef value) {
  static const struct {
    LLVMOpcode opcode;
    const char *name;
  } known[] = {{LLVMAdd, "llvm.vp.add"},
               {LLVMMul, "llvm.vp.mul"},
               {LLVMAnd, "llvm.vp.and"},
               {LLVMOr, "llvm.vp.or"},
               {LLVMXor, "llvm.vp.xor"}};
  LLVMValueRef operand = LLVMIsABinaryOperator(value) ? LLVMGetOperand(value, 1) : NULL;
  bool same = operand && mpl_is_op(operand, LLVMGetInstructionOpcode(value));
  for (unsigned k = 0; same && k < sizeof known / sizeof *known; k++) {
    if (known[k].opcode != LLVMGetInstructionOpcode(value)) continue;
    LLVMValueRef args[] = {mpl_vector(e, LLVMGetOperand(value, 0)), mpl_vector(e, operand),
                           mpl_full_mask(e, NULL),
                           LLVMConstInt(e->ir->i32, e->width, false)};
    return mpl_call_intrinsic(e->b, known[k].name, LLVMTypeOf(args[0]), args, 4);
  }
  return mpl_vector(e, value);
}

static LLVMValueRef halve(struct mpl_emit *e, const struct mpl_sum *sum, LLVMValueRef lanes,
                          unsigned half) {
  LLVMValueRef first = mpl_part_of(e, lanes, 0, half);
  return mpl_combine(e->b, &sum->does, first, mpl_part_of(e, lanes, half, half));
}

/* A wider chunk's, which has begun with nothing. */
static void store_wide_sum(struct mpl_emit *e, LLVMValueRef value, struct mpl_sum *sum) {
  LLVMValueRef lanes = mpl_vector(e, value);
  unsigned width = e->width;
  for (unsigned half = width / 2; half >= e->sum_lanes; half /= 2)
    lanes = halve(e, sum, lanes, half);
  e->width = e->sum_lanes;
  LLVMValueRef sums = lanes_at(e, sum);
  LLVMBuildStore(e->b, mpl_combine(e->b, &sum->does, load(e, sums), lanes), sums);
  e->width = width;
}

void mpl_store_sum(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  LLVMValueRef value = LLVMGetOperand(store, 0);
  struct mpl_sum *sum = sum_at(e, LLVMGetOperand(store, 1));
  if (sum->kind == MPL_PLACE_SCAN) return;
  if (e->sum_lanes) {
    store_wide_sum(e, value, sum);
    return;
  }
  LLVMValueRef sums = lanes_at(e, sum);
  LLVMBuildStore(e->b, blended(e, added(e, value), sums, e->mask), sums);
}

void mpl_store_slot(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef vector,
                    LLVMValueRef place) {
  LLVMValueRef any = e->mask == e->all ? NULL : mpl_any_lane(e, e->mask),
               store = LLVMBuildStore(e->b, blended(e, value, place, any), place);
  if (vector && !any) mpl_store_spread(e, store, vector);
}

void mpl_begin_sums(struct mpl_emit *e) {
  for (unsigned k = 0; k < e->num_sums; k++) {
    LLVMValueRef none = mpl_identity(&e->sums[k].does);
    for (unsigned step = 0; step < MOST_STEPS && e->sums[k].left[step]; step++)
      LLVMBuildStore(e->b, mpl_splat(e, none), e->sums[k].left[step]);
    if (e->sums[k].kind == MPL_PLACE_SCAN)
      none = LLVMBuildLoad2(e->b, e->sums[k].does.type, e->sums[k].place, "");
    for (unsigned c = 0; c < MPL_MOST_CHUNKS && e->sums[k].lanes[c]; c++)
      LLVMBuildStore(e->b, mpl_splat(e, none), e->sums[k].lanes[c]);
  }
}

/* The result in all lanes of a register, since each step there combines with the lane at half the
 * distance; a vote's is a scalar. */
static LLVMValueRef fold(struct mpl_emit *e, const struct mpl_sum *sum, LLVMValueRef lanes) {
  LLVMTypeRef type = sum->does.type;
  if (sum->kind == MPL_PLACE_VOTE) {
    LLVMValueRef none = LLVMConstNull(LLVMTypeOf(lanes));
    if (type != e->ir->i1) lanes = LLVMBuildICmp(e->b, LLVMIntNE, lanes, none, "");
    LLVMValueRef any = mpl_any_lane(e, lanes);
    return type == e->ir->i1 ? any : LLVMBuildZExt(e->b, any, type, "");
  }
  unsigned count = mpl_lanes_of_register(e->ir->target, type, e->width);
  for (unsigned half = e->width / 2; half >= count; half /= 2)
    lanes = halve(e, sum, lanes, half);
  for (unsigned distance = count / 2; distance; distance /= 2) {
    int from[MPL_MOST_LANES];
    for (unsigned k = 0; k < count; k++) from[k] = (int)(k ^ distance);
    lanes = mpl_combine(e->b, &sum->does, lanes, mpl_shuffle(e->b, lanes, NULL, from, count));
  }
  return lanes;
}

static LLVMValueRef all_chunks(struct mpl_emit *e, const struct mpl_sum *sum) {
  LLVMValueRef lanes[MPL_MOST_CHUNKS];
  unsigned count = 0;
  for (; count < MPL_MOST_CHUNKS && sum->lanes[count]; count++)
    lanes[count] = load(e, sum->lanes[count]);
  for (; count > 1; count = (count + 1) / 2)
    for (unsigned c = 0; c < count / 2; c++)
      lanes[c] = mpl_combine(e->b, &sum->does, lanes[c], lanes[count - 1 - c]);
  return lanes[0];
}

void mpl_fold_sums(struct mpl_emit *e) {
  for (unsigned k = 0; k < e->num_sums; k++) {
    struct mpl_sum *sum = &e->sums[k];
    LLVMValueRef lanes = all_chunks(e, sum);
    if (sum->kind == MPL_PLACE_SCAN) {
      lanes = LLVMBuildExtractElement(e->b, lanes, mpl_const64(e->ir, e->width - 1), "");
      LLVMBuildStore(e->b, lanes, sum->place);
      continue;
    }
    LLVMValueRef before = LLVMBuildLoad2(e->b, sum->does.type, sum->place, "");
    LLVMValueRef all = fold(e, sum, lanes), zero = LLVMConstNull(e->ir->i64), one = all, spread;
    if (sum->kind != MPL_PLACE_VOTE) one = LLVMBuildExtractElement(e->b, all, zero, "");
    one = mpl_combine(e->b, &sum->does, before, one);
    LLVMValueRef store = LLVMBuildStore(e->b, one, sum->place);
    if (sum->kind != MPL_PLACE_VOTE && (spread = mpl_load_spread(e, before))) {
      spread = mpl_part_of(e, spread, 0, LLVMGetVectorSize(LLVMTypeOf(all)));
      mpl_store_spread(e, store, mpl_combine(e->b, &sum->does, spread, all));
    }
  }
}

/* Sub-group functions in a chunk that is a sub-group: those take part that the mask says.
 *
 * The library's functions (src/builtins/sync.h) take operands in arrays, which LLVM turns into
 * registers when these are inlined. */
#include <string.h>

#include "compiler/analysis/algebra.h"
#include "widen.h"

bool mpl_is_lanes_call(LLVMValueRef i) {
  enum mpl_marker marker = mpl_marker_of(i);
  return mpl_is_sync(marker) && mpl_markers[marker].scope == MPL_SCOPE_LANES;
}

const char *mpl_cannot_call_lanes(LLVMValueRef call) {
  for (unsigned k = 0; k < mpl_marker_row(call)->own; k++) {
    LLVMTypeKind kind = LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, k)));
    bool vector = kind == LLVMVectorTypeKind && mpl_marker_of(call) != MPL_MARK_LANES_BROADCAST;
    if (vector || kind == LLVMPointerTypeKind) return "a sub-group function of a vector type";
  }
  return NULL;
}

static LLVMValueRef bits_of(struct mpl_widen *w, LLVMValueRef mask) {
  LLVMTypeRef bits = LLVMIntTypeInContext(w->ir->context, w->width);
  return LLVMBuildZExtOrBitCast(w->b, LLVMBuildBitCast(w->b, mask, bits, ""), w->ir->i64, "");
}

static LLVMValueRef all_lanes(struct mpl_widen *w) {
  return mpl_const64(w->ir, UINT64_MAX >> (64 - w->width));
}

/* A bit for each lane that takes part. */
static LLVMValueRef active_lanes(struct mpl_widen *w) {
  return w->mask ? bits_of(w, w->mask) : all_lanes(w);
}

/* Lanes that take no part may have poisoned operands, which must not spoil what is computed from
 * all. */
static LLVMValueRef operand_of(struct mpl_widen *w, LLVMValueRef call, unsigned k) {
  LLVMValueRef vector = mpl_vector(w, LLVMGetOperand(call, k));
  return w->mask ? LLVMBuildFreeze(w->b, vector, "") : vector;
}

/* Room for whole registers. */
static LLVMValueRef make_array(struct mpl_widen *w, LLVMTypeRef type) {
  uint64_t bytes = (LLVMABISizeOfType(w->ir->layout, type) * w->width + 63) / 64 * 64;
  return mpl_entry_alloca(w, LLVMArrayType2(w->ir->i8, bytes), "operands");
}

static LLVMValueRef store_operand(struct mpl_widen *w, LLVMValueRef vector) {
  LLVMValueRef array = make_array(w, LLVMGetElementType(LLVMTypeOf(vector)));
  LLVMSetAlignment(LLVMBuildStore(w->b, vector, array), 64);
  return array;
}

/* An operand that should be the same for all that take part: the first one's. */
static LLVMValueRef shared_operand(struct mpl_widen *w, LLVMValueRef call, unsigned k) {
  LLVMValueRef value = LLVMGetOperand(call, k);
  if (!mpl_stride_at(w, value, mpl_cfg_block_of(w->cfg, call))) return mpl_scalar(w, value);
  LLVMValueRef args[] = {active_lanes(w), LLVMConstInt(w->ir->i1, 0, false)};
  LLVMValueRef first = mpl_call_intrinsic(w->ir, w->b, "llvm.cttz", w->ir->i64, args, 2);
  first = LLVMBuildAnd(w->b, first, mpl_const64(w->ir, w->width - 1), "");
  return LLVMBuildExtractElement(w->b, operand_of(w, call, k), first, "");
}

/* An id that no lane has must still not read outside. */
static LLVMValueRef broadcast(struct mpl_widen *w, LLVMValueRef call) {
  LLVMValueRef value = LLVMGetOperand(call, 0), id = shared_operand(w, call, 1);
  if (!mpl_stride_at(w, value, mpl_cfg_block_of(w->cfg, call))) return mpl_scalar(w, value);
  LLVMValueRef last = LLVMConstInt(LLVMTypeOf(id), w->width - 1, false);
  id = LLVMBuildAnd(w->b, id, last, "");
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVectorTypeKind)
    return mpl_take_lane(w, operand_of(w, call, 0), LLVMTypeOf(value),
                         LLVMBuildZExtOrBitCast(w->b, id, w->ir->i64, ""));
  if (LLVMIsAConstant(id) || LLVMGetNumArgOperands(call) < 3)
    return LLVMBuildExtractElement(w->b, operand_of(w, call, 0), id, "");
  LLVMValueRef args[] = {store_operand(w, operand_of(w, call, 0)),
                         LLVMConstInt(w->ir->i32, w->width, false), id};
  return mpl_call(w->b, mpl_combine_of(call), LLVMTypeOf(call), args, 3);
}

/* Lanes that take no part need not be told apart where they can be given an operand that changes
 * nothing, or where nobody else is asked for theirs. */
static LLVMValueRef store_operands(struct mpl_widen *w, LLVMValueRef call, LLVMValueRef *args) {
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  struct mpl_collective does;
  bool permutes = marker->own > 1, known = !permutes && mpl_lanes_collective_of(call, &does);
  for (unsigned k = 0; k < marker->own; k++) {
    LLVMValueRef vector;
    if (known && w->mask)
      vector = LLVMBuildSelect(w->b, w->mask, mpl_vector(w, LLVMGetOperand(call, k)),
                               mpl_splat(w, mpl_identity(&does)), "");
    else
      vector = operand_of(w, call, k);
    args[k] = store_operand(w, vector);
  }
  return known || permutes ? all_lanes(w) : active_lanes(w);
}

/* Which lanes meet the condition: those of `any`, `all` and a ballot. */
static LLVMValueRef vote(struct mpl_widen *w, LLVMValueRef call) {
  LLVMValueRef operand = LLVMGetOperand(call, 0), mask;
  if (LLVMIsAZExtInst(operand) && LLVMTypeOf(LLVMGetOperand(operand, 0)) == w->ir->i1) {
    mask = mpl_vector(w, LLVMGetOperand(operand, 0));
  } else {
    LLVMValueRef vector = mpl_vector(w, operand);
    mask = LLVMBuildICmp(w->b, LLVMIntNE, vector, LLVMConstNull(LLVMTypeOf(vector)), "");
  }
  if (w->mask) mask = LLVMBuildSelect(w->b, w->mask, mask, LLVMConstNull(LLVMTypeOf(mask)), "");
  return bits_of(w, mask);
}

/* Does the result decide on operands of the next time that the call is come to? */
static bool is_carried_round(struct mpl_widen *w, LLVMValueRef call) {
  enum { MOST = 256 };
  LLVMValueRef stack[MOST] = {call};
  struct mpl_map seen = {0};
  bool found = false;
  for (unsigned depth = 1, steps = 1; depth && steps < MOST && !found;) {
    LLVMValueRef value = stack[--depth];
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && steps < MOST; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      found |= user == call;
      unsigned block = mpl_cfg_block_of(w->cfg, user);
      if (block >= w->cfg->count || !w->in[block] || mpl_map_has(&seen, user)) continue;
      mpl_map_set(&seen, user, 1);
      stack[depth++] = user;
      steps++;
    }
  }
  mpl_map_free(&seen);
  return found;
}

/* A condition as 1 or 0, by a branch that LLVM leaves where it is, since the one side is likely:
 * what waits for the result, the next vote among it, goes on with a constant. */
static LLVMValueRef choose(struct mpl_widen *w, LLVMValueRef is, LLVMTypeRef type, bool likely) {
  LLVMContextRef c = w->ir->context;
  LLVMBasicBlockRef from = LLVMGetInsertBlock(w->b),
                    rare = LLVMAppendBasicBlockInContext(c, w->function, "rare"),
                    on = LLVMAppendBasicBlockInContext(c, w->function, "on");
  LLVMValueRef branch = LLVMBuildCondBr(w->b, is, likely ? on : rare, likely ? rare : on);
  mpl_set_weights(w->ir, branch, likely ? 1000 : 1, likely ? 1 : 1000);
  LLVMPositionBuilderAtEnd(w->b, rare);
  LLVMBuildBr(w->b, on);
  LLVMPositionBuilderAtEnd(w->b, on);
  LLVMValueRef result = LLVMBuildPhi(w->b, type, ""),
               values[] = {LLVMConstInt(type, !likely, false), LLVMConstInt(type, likely, false)};
  LLVMBasicBlockRef ways[] = {rare, from};
  LLVMAddIncoming(result, values, ways, 2);
  return result;
}

static bool is_named(const char *name, const char *wanted) {
  size_t length = strlen(wanted);
  return !strncmp(name, wanted, length) && (!name[length] || name[length] == '.');
}

/* Null: it is none. */
static LLVMValueRef result_of_vote(struct mpl_widen *w, LLVMValueRef call) {
  const char *name = LLVMGetValueName(mpl_combine_of(call));
  bool any = is_named(name, "lanes_any"), all = is_named(name, "lanes_all");
  if (!any && !all) return is_named(name, "lanes_ballot") ? vote(w, call) : NULL;
  LLVMValueRef is = LLVMBuildICmp(w->b, any ? LLVMIntNE : LLVMIntEQ, vote(w, call),
                                  any ? mpl_const64(w->ir, 0) : active_lanes(w), "");
  if (is_carried_round(w, call)) return choose(w, is, LLVMTypeOf(call), all);
  return LLVMBuildZExt(w->b, is, LLVMTypeOf(call), "");
}

static LLVMValueRef combine(struct mpl_widen *w, LLVMValueRef call) {
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  LLVMTypeRef type = LLVMTypeOf(call);
  LLVMValueRef args[5], voted = marker->own == 1 ? result_of_vote(w, call) : NULL;
  unsigned count = marker->own + 1;
  if (voted) return voted;
  args[count++] = store_operands(w, call, args);
  args[marker->own] = LLVMConstInt(w->ir->i32, w->width, false);
  if (LLVMGetNumArgOperands(call) > marker->own + 1)
    args[count++] = shared_operand(w, call, marker->own);
  LLVMValueRef result =
      mpl_call(w->b, mpl_combine_of(call), marker->in_place ? w->ir->void_type : type, args, count);
  if (!marker->in_place) return result;
  result = LLVMBuildLoad2(w->b, mpl_vector_type(w, type), args[0], "");
  LLVMSetAlignment(result, 64);
  return result;
}

bool mpl_widen_lanes_call(struct mpl_widen *w, LLVMValueRef call) {
  if (!mpl_is_lanes_call(call)) return false;
  const struct mpl_marker_row *marker = mpl_marker_row(call);
  if (marker->does == MPL_DOES_NOTHING) return true; /* lanes do everything together */
  LLVMValueRef result = marker->does == MPL_DOES_BROADCAST ? broadcast(w, call)
                        : marker->does == MPL_DOES_ACTIVE  ? active_lanes(w)
                                                           : combine(w, call);
  mpl_map_set(marker->in_place ? &w->vectors : &w->scalars, call, (uintptr_t)result);
  return true;
}

/* What accesses of all lanes of a chunk are made of (access.c). */
#include "compiler/analysis/indexed.h"
#include "memory.h"

/* Of two types, as accesses under masks are. */
#define INTRINSIC(e, name, types, args)                                                            \
  mpl_call_overloaded((e)->b, name, types, 2, args, sizeof args / sizeof *args)

LLVMValueRef mpl_nowhere(struct mpl_emit *e, LLVMTypeRef type) {
  return LLVMBuildAddrSpaceCast(e->b, e->nowhere, type, ""); /* none if it is of that type */
}

/* Where an access of one place for all lanes goes when there may be none. */
LLVMValueRef mpl_safe_place(struct mpl_emit *e, LLVMValueRef pointer) {
  if (e->mask == e->all) return pointer; /* there is one */
  LLVMValueRef nowhere = mpl_nowhere(e, LLVMTypeOf(pointer));
  return LLVMBuildSelect(e->b, mpl_any_lane(e, e->mask), pointer, nowhere, "");
}

LLVMValueRef mpl_masked_load(struct mpl_emit *e, LLVMTypeRef vector, LLVMValueRef at,
                             unsigned align, LLVMValueRef mask) {
  LLVMTypeRef types[] = {vector, LLVMTypeOf(at)};
  LLVMValueRef args[] = {at, LLVMConstInt(e->ir->i32, align, false), mask, LLVMGetPoison(vector)};
  return INTRINSIC(e, "llvm.masked.load", types, args);
}

void mpl_masked_store(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef at, unsigned align,
                      LLVMValueRef mask) {
  LLVMTypeRef types[] = {LLVMTypeOf(value), LLVMTypeOf(at)};
  LLVMValueRef args[] = {value, at, LLVMConstInt(e->ir->i32, align, false), mask};
  INTRINSIC(e, "llvm.masked.store", types, args);
}

static LLVMValueRef low_bits(struct mpl_emit *e, LLVMValueRef value, unsigned number) {
  return LLVMBuildAnd(e->b, value, mpl_splat(e, mpl_const32(e->ir, number)), "");
}

/* Words in which indexed elements are, and in *within bytes before each.  A word's index does not
 * overflow where the element's does not: what is below a word is added up apart.  The first word is not
 * found by llvm.ptrmask, whose result LLVM's alias analysis takes to be the very place that is masked. */
static LLVMValueRef indexed_words(struct mpl_emit *e, const struct mpl_indexed *at, unsigned size,
                                  LLVMValueRef *within) {
  LLVMValueRef in_word = mpl_const64(e->ir, MPL_WORD - 1),
               log = mpl_splat(e, mpl_const32(e->ir, size == 1 ? 2 : 1));
  LLVMValueRef rest = LLVMBuildPtrToInt(e->b, at->base, e->ir->i64, "");
  rest = LLVMBuildAnd(e->b, rest, in_word, "");
  LLVMValueRef back = LLVMBuildNeg(e->b, rest, ""),
               words = LLVMBuildGEP2(e->b, e->ir->i8, at->base, &back, 1, "");
  rest = LLVMBuildTrunc(e->b, rest, e->ir->i32, "");
  LLVMValueRef below = low_bits(e, at->index, MPL_WORD / size - 1);
  below = LLVMBuildMul(e->b, below, mpl_splat(e, mpl_const32(e->ir, size)), "");
  below = LLVMBuildAdd(e->b, below, mpl_splat(e, rest), "");
  *within = low_bits(e, below, MPL_WORD - 1);
  below = LLVMBuildLShr(e->b, below, mpl_splat(e, mpl_const32(e->ir, 2)), "");
  LLVMValueRef word = LLVMBuildAdd(e->b, LLVMBuildAShr(e->b, at->index, log, ""), below, "");
  word = LLVMBuildSExt(e->b, word, mpl_vector_type(e, e->ir->i64), "");
  return LLVMBuildGEP2(e->b, e->ir->i32, words, &word, 1, "");
}

static LLVMValueRef words_of(struct mpl_emit *e, LLVMValueRef at, unsigned size,
                             LLVMValueRef *within) {
  struct mpl_indexed indexed;
  if (mpl_is_indexed(e->ir->layout, e->b, at, &indexed) && LLVMABISizeOfType(e->ir->layout, indexed.step) == size)
    return indexed_words(e, &indexed, size, within);
  LLVMValueRef place = LLVMBuildPtrToInt(e->b, at, mpl_vector_type(e, e->ir->i64), ""),
               in = mpl_splat(e, mpl_const64(e->ir, MPL_WORD - 1));
  *within = LLVMBuildAnd(e->b, place, in, "");
  *within = LLVMBuildTrunc(e->b, *within, mpl_vector_type(e, e->ir->i32), "");
  place = LLVMBuildAnd(e->b, place, LLVMConstNot(in), "");
  return LLVMBuildIntToPtr(e->b, place, LLVMTypeOf(at), "");
}

LLVMValueRef mpl_gather_words(struct mpl_emit *e, enum mpl_keep_out by, LLVMTypeRef vector, LLVMValueRef at) {
  unsigned size = (unsigned)LLVMABISizeOfType(e->ir->layout, LLVMGetElementType(vector));
  LLVMTypeRef words = mpl_vector_type(e, e->ir->i32),
              bits = mpl_integers(e, size, e->width);
  LLVMValueRef shift, places = words_of(e, at, size, &shift), value;
  shift = LLVMBuildShl(e->b, shift, mpl_splat(e, mpl_const32(e->ir, 3)), "");
  value = mpl_gather(e, by, words, places, MPL_WORD);
  value = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, value, shift, ""), bits, "");
  return LLVMBuildBitCast(e->b, value, vector, "");
}

/* Lanes that are not there load what one loads that is; if none is, what nobody owns. */
static LLVMValueRef keep_to_lanes(struct mpl_emit *e, const struct mpl_indexed *at) {
  LLVMValueRef some = LLVMBuildExtractElement(e->b, at->index, mpl_some_lane(e), ""), index;
  if (e->mask != e->all)
    some = LLVMBuildSelect(e->b, mpl_any_lane(e, e->mask), some, mpl_const32(e->ir, 0), "");
  index = LLVMBuildSelect(e->b, e->mask, at->index, mpl_splat(e, some), "");
  index = LLVMBuildSExt(e->b, index, mpl_vector_type(e, e->ir->i64), "");
  return LLVMBuildGEP2(e->b, at->step, mpl_safe_place(e, at->base), &index, 1, "");
}

/* Where a processor does not gather, a mask would be a branch for each lane: none asks. */
LLVMValueRef mpl_gather(struct mpl_emit *e, enum mpl_keep_out by, LLVMTypeRef vector, LLVMValueRef at,
                        unsigned align) {
  LLVMTypeRef types[] = {vector, LLVMTypeOf(at)}, element = LLVMGetElementType(vector);
  LLVMValueRef mask = mpl_full_mask(e, e->mask);
  struct mpl_indexed indexed;
  bool each = !e->ir->target->least_gathered && e->width % 2 == 0 && (!e->mask || e->width >= MPL_GIVEN_INDEXED) &&
              mpl_is_indexed(e->ir->layout, e->b, at, &indexed);
  if (each && !e->mask) return mpl_load_each(e->b, element, &indexed, align);
  if (e->mask && by == MPL_BY_PLACE) {
    LLVMValueRef nowhere = each ? NULL : mpl_splat(e, mpl_nowhere(e, LLVMGetElementType(types[1])));
    at = each ? keep_to_lanes(e, &indexed) : LLVMBuildSelect(e->b, mask, at, nowhere, "");
    mask = mpl_full_mask(e, NULL);
  }
  LLVMValueRef args[] = {at, LLVMConstInt(e->ir->i32, align, false), mask,
                         LLVMGetPoison(vector)};
  return INTRINSIC(e, "llvm.masked.gather", types, args);
}

static LLVMTypeRef unit_type(const struct mpl_scattered *s) {
  return LLVMGetElementType(LLVMTypeOf(s->units[0]));
}

LLVMValueRef mpl_unit_place(struct mpl_emit *e, const struct mpl_scattered *s, LLVMValueRef first,
                            unsigned unit) {
  LLVMValueRef by = mpl_const64(e->ir, unit);
  return unit ? LLVMBuildGEP2(e->b, unit_type(s), first, &by, 1, "") : first;
}

unsigned mpl_unit_align(struct mpl_emit *e, const struct mpl_scattered *s, unsigned unit) {
  unsigned size = (unsigned)LLVMABISizeOfType(e->ir->layout, unit_type(s));
  return unit && s->align > size ? size : s->align;
}

void mpl_scatter_row(struct mpl_emit *e, enum mpl_keep_out by, const struct mpl_scattered *s) {
  if (e->mask && by == MPL_BY_TURN) {
    mpl_scatter_in_turn(e, s);
    return;
  }
  for (unsigned u = 0; u < s->count; u++) {
    LLVMValueRef at = mpl_unit_place(e, s, s->places, u),
                 align = LLVMConstInt(e->ir->i32, mpl_unit_align(e, s, u), false);
    LLVMTypeRef types[] = {LLVMTypeOf(s->units[u]), LLVMTypeOf(at)};
    LLVMValueRef args[] = {s->units[u], at, align, mpl_full_mask(e, e->mask)};
    INTRINSIC(e, "llvm.masked.scatter", types, args);
  }
}

void mpl_scatter(struct mpl_emit *e, enum mpl_keep_out by, LLVMValueRef value, LLVMValueRef at, unsigned align) {
  mpl_scatter_row(e, by, &(struct mpl_scattered){{value}, 1, at, align});
}

/* A place in a variable of the program, or in one of several, whose size LLVM knows. */
static bool is_in_variable(LLVMValueRef at, unsigned depth) {
  enum { CHOICE = 3 }; /* as deep as so many steps: there are many ways then */
  if (LLVMIsAConstant(at) || LLVMIsAAllocaInst(at)) return true;
  if (depth >= MPL_DEEPEST) return false;
  if (LLVMIsAGetElementPtrInst(at) || LLVMIsACastInst(at) || LLVMIsAFreezeInst(at))
    return is_in_variable(LLVMGetOperand(at, 0), depth + 1);
  if (!LLVMIsASelectInst(at) && !LLVMIsAPHINode(at)) return false;
  for (int k = LLVMIsASelectInst(at) ? 1 : 0; k < LLVMGetNumOperands(at); k++)
    if (is_in_variable(LLVMGetOperand(at, (unsigned)k), depth + CHOICE)) return true;
  return false;
}

/* One element after another, in a loop, or only the last one if there are no lanes: of a masked load that
 * the processor does not have LLVM makes a branch for each element. */
static LLVMValueRef load_in_turn(struct mpl_emit *e, LLVMTypeRef vector, LLVMValueRef at, unsigned align,
                                 LLVMValueRef mask, LLVMValueRef lanes) {
  LLVMTypeRef type = LLVMGetElementType(vector), i8 = e->ir->i8;
  unsigned count = LLVMGetVectorSize(vector), size = (unsigned)LLVMABISizeOfType(e->ir->layout, type);
  LLVMTypeRef flags = LLVMVectorType(i8, count);
  LLVMValueRef is_there = mpl_entry_alloca(e, flags, "is.there"), to = mpl_entry_alloca(e, vector, "elements");
  LLVMBuildStore(e->b, LLVMBuildZExt(e->b, mask, flags, ""), is_there);
  LLVMValueRef first = LLVMBuildSelect(e->b, mpl_any_lane(e, lanes), mpl_const64(e->ir, 0),
                                       mpl_const64(e->ir, count - 1), "");
  struct mpl_versions v;
  LLVMBasicBlockRef before = LLVMGetInsertBlock(e->b);
  mpl_begin_versions(e, &v, NULL, "turn", NULL, "loaded");
  LLVMBasicBlockRef top = LLVMGetInsertBlock(e->b);
  LLVMValueRef k = LLVMBuildPhi(e->b, e->ir->i64, "");
  LLVMValueRef flag = LLVMBuildLoad2(e->b, i8, LLVMBuildGEP2(e->b, i8, is_there, &k, 1, ""), "");
  LLVMValueRef place = LLVMBuildGEP2(e->b, type, at, &k, 1, "");
  flag = LLVMBuildICmp(e->b, LLVMIntNE, flag, LLVMConstInt(i8, 0, false), "");
  place = LLVMBuildSelect(e->b, flag, place, mpl_nowhere(e, LLVMTypeOf(at)), "");
  LLVMValueRef element = mpl_aligned_load(e->b, type, place, align < size ? align : size);
  LLVMBuildStore(e->b, element, LLVMBuildGEP2(e->b, type, to, &k, 1, ""));
  LLVMValueRef next = LLVMBuildAdd(e->b, k, mpl_const64(e->ir, 1), ""), values[] = {first, next};
  LLVMBasicBlockRef from[] = {before, top};
  LLVMAddIncoming(k, values, from, 2);
  LLVMValueRef again = LLVMBuildICmp(e->b, LLVMIntULT, next, mpl_const64(e->ir, count), "");
  mpl_repeat_version(e, &v, again, top);
  LLVMValueRef branch = LLVMGetBasicBlockTerminator(top);
  mpl_set_loop_property(e->ir, branch, "llvm.loop.unroll.disable", true);
  mpl_keep_from_vectorizer(e->ir, branch);
  return LLVMBuildLoad2(e->b, vector, to, "");
}

/* What lies in one page with what one of `lanes` loads is there, whether or not it is a lane's.  (LLVM, which
 * sees a load of as many bytes as the variable has, would take the place for the variable's begin.) */
LLVMValueRef mpl_load_beside(struct mpl_emit *e, enum mpl_keep_out by, LLVMTypeRef vector, LLVMValueRef at,
                             unsigned align, LLVMValueRef mask, LLVMValueRef lanes) {
  enum { PAGE = 4096 };
  struct mpl_versions v;
  if (!lanes) return mpl_aligned_load(e->b, vector, at, align);
  if (by == MPL_BY_MASK) return mpl_masked_load(e, vector, at, align, mask);
  uint64_t most = PAGE - LLVMABISizeOfType(e->ir->layout, vector);
  LLVMValueRef place = LLVMBuildPtrToInt(e->b, LLVMBuildFreeze(e->b, at, ""), e->ir->i64, ""),
               inside = LLVMBuildAnd(e->b, place, mpl_const64(e->ir, PAGE - 1), ""), all, some;
  inside = LLVMBuildICmp(e->b, LLVMIntULE, inside, mpl_const64(e->ir, most), "");
  inside = LLVMBuildAnd(e->b, inside, mpl_any_lane(e, lanes), "");
  mpl_begin_versions(e, &v, inside, "page", "pages", "loaded");
  all = mpl_aligned_load(e->b, vector, is_in_variable(at, 0) ? mpl_hidden(e, at) : at, align);
  mpl_last_version(e, &v);
  some = load_in_turn(e, vector, at, align, mask, lanes);
  mpl_end_versions(e, &v);
  return mpl_of_two(e, &v, all, some);
}

LLVMValueRef mpl_load_shared(struct mpl_emit *e, LLVMValueRef load, LLVMValueRef at) {
  LLVMValueRef value = LLVMInstructionClone(load);
  LLVMSetOperand(value, 0, mpl_safe_place(e, at));
  LLVMInsertIntoBuilder(e->b, value);
  return value;
}

LLVMValueRef mpl_load_at(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load, LLVMValueRef at,
                         bool uniform) {
  LLVMTypeRef vector = mpl_vector_type(e, LLVMTypeOf(load));
  if (uniform) {
    LLVMValueRef value = mpl_load_shared(e, load, at);
    if (e->mask && e->mask != e->all) /* or no lane's, which others take too (border_loads.c) */
      value = LLVMBuildSelect(e->b, mpl_any_lane(e, e->mask), value,
                              mpl_of_none(LLVMTypeOf(value)), "");
    return mpl_splat(e, value);
  }
  LLVMValueRef lanes = r->beside == MPL_BY_VALUE ? NULL : e->mask;
  return mpl_load_beside(e, r->beside, vector, at, LLVMGetAlignment(load), lanes, lanes);
}

bool mpl_ask_for_all(struct mpl_emit *e, const struct mpl_recipe *r, struct mpl_versions *v) {
  if (!r->all_or_some || !e->mask) return false;
  mpl_begin_versions(e, v, mpl_all_lanes(e, e->mask), "all", "some", "after");
  return true;
}

LLVMValueRef mpl_repeated(struct mpl_emit *e, LLVMValueRef lanes, unsigned times) {
  const struct mpl_pick pick = {e->width * times, times, .outer = 1};
  return times == 1 ? lanes : mpl_pick(e->b, lanes, NULL, &pick);
}

void mpl_store_beside(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef value,
                      LLVMValueRef at, unsigned align, unsigned units) {
  struct mpl_versions v;
  bool asks = mpl_ask_for_all(e, r, &v);
  if (!e->mask || asks) mpl_aligned_store(e->b, value, at, align);
  if (!e->mask) return;
  if (asks) mpl_last_version(e, &v);
  mpl_masked_store(e, value, at, align, mpl_repeated(e, e->mask, units));
  if (asks) mpl_end_versions(e, &v);
}

void mpl_store_at(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store,
                  LLVMValueRef value, LLVMValueRef at) {
  unsigned align = LLVMGetAlignment(store);
  if (!e->mask || r->beside != MPL_BY_VALUE) {
    mpl_store_beside(e, r, value, at, align, 1);
    return;
  }
  value = mpl_choose(e, e->mask, value, mpl_aligned_load(e->b, LLVMTypeOf(value), at, align));
  mpl_aligned_store(e->b, value, at, align);
}

/* --- lanes that go down in memory --- */

static LLVMValueRef backwards(struct mpl_emit *e, LLVMValueRef vector) {
  const struct mpl_pick pick = {e->width, .first = (int)e->width - 1, .outer = -1};
  return vector ? mpl_pick(e->b, vector, NULL, &pick) : NULL;
}

/* The lowest is where the last lane's is. */
LLVMValueRef mpl_load_along(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef load, LLVMValueRef at) {
  LLVMValueRef mask = e->mask, value;
  if (r->stride >= 0) return mpl_load_at(e, r, load, at, !r->stride);
  e->mask = backwards(e, mask);
  value = backwards(e, mpl_load_at(e, r, load, mpl_last_lane(e, at, r->stride), false));
  e->mask = mask;
  return value;
}

void mpl_store_along(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store,
                     LLVMValueRef value, LLVMValueRef at) {
  LLVMValueRef mask = e->mask;
  if (r->stride > 0) {
    mpl_store_at(e, r, store, value, at);
    return;
  }
  e->mask = backwards(e, mask);
  value = backwards(e, value);
  mpl_store_at(e, r, store, value, mpl_last_lane(e, at, r->stride));
  e->mask = mask;
}

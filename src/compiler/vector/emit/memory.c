/* Loads and stores of all lanes of a chunk. */
#include "memory.h"

enum { WORD = 4 /* bytes */ };

static LLVMValueRef all_lanes(struct mpl_emit *e) {
  return LLVMConstAllOnes(mpl_vector_type(e, e->ir->i1));
}

static LLVMValueRef intrinsic(struct mpl_emit *e, const char *name, size_t length,
                              LLVMTypeRef *types, LLVMValueRef *args, unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, length);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(e->ir->module, id, types, 2);
  return LLVMBuildCall2(e->b, LLVMGlobalGetValueType(function), function, args, count, "");
}

#define INTRINSIC(w, name, types, args)                                                            \
  intrinsic(w, name, sizeof name - 1, types, args, sizeof args / sizeof *args)

LLVMValueRef mpl_nowhere(struct mpl_emit *e, LLVMTypeRef type) {
  if (LLVMTypeOf(e->nowhere) == type) return e->nowhere;
  return LLVMBuildAddrSpaceCast(e->b, e->nowhere, type, "");
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

static LLVMValueRef gather_words(struct mpl_emit *e, LLVMTypeRef vector, LLVMValueRef at) {
  unsigned size = (unsigned)LLVMABISizeOfType(e->ir->layout, LLVMGetElementType(vector));
  LLVMTypeRef places = mpl_vector_type(e, e->ir->i64), words = mpl_vector_type(e, e->ir->i32),
              bits = mpl_vector_type(e, LLVMIntTypeInContext(e->ir->context, 8 * size));
  LLVMValueRef in = mpl_splat(e, mpl_const64(e->ir, WORD - 1)), place, shift, value;
  place = LLVMBuildPtrToInt(e->b, at, places, "");
  shift = LLVMBuildTrunc(e->b, LLVMBuildAnd(e->b, place, in, ""), words, "");
  shift = LLVMBuildShl(e->b, shift, mpl_splat(e, mpl_const32(e->ir, 3)), "");
  place = LLVMBuildAnd(e->b, place, LLVMBuildNot(e->b, in, ""), "");
  value = mpl_gather(e, words, LLVMBuildIntToPtr(e->b, place, LLVMTypeOf(at), ""), WORD);
  value = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, value, shift, ""), bits, "");
  return LLVMBuildBitCast(e->b, value, vector, "");
}

/* Where a mask would be a branch for each lane, lanes that are not there load what nobody owns, and
 * none asks. */
LLVMValueRef mpl_gather(struct mpl_emit *e, LLVMTypeRef vector, LLVMValueRef at, unsigned align) {
  LLVMTypeRef types[] = {vector, LLVMTypeOf(at)};
  LLVMValueRef mask = e->mask ? e->mask : all_lanes(e);
  if (mpl_is_in_word(e->items, LLVMGetElementType(vector), align))
    return gather_words(e, vector, at);
  if (e->mask &&
      !mpl_does_from(e->items, LLVMGetElementType(vector), e->ir->target->least_gathered)) {
    LLVMTypeRef pointer = LLVMGetElementType(types[1]);
    at = LLVMBuildSelect(e->b, mask, at, mpl_splat(e, mpl_nowhere(e, pointer)), "");
    mask = all_lanes(e);
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

void mpl_scatter_row(struct mpl_emit *e, const struct mpl_scattered *s) {
  if (e->mask && !mpl_knows_scatter(e->items, unit_type(s))) {
    mpl_scatter_in_turn(e, s);
    return;
  }
  for (unsigned u = 0; u < s->count; u++) {
    LLVMValueRef at = mpl_unit_place(e, s, s->places, u),
                 align = LLVMConstInt(e->ir->i32, mpl_unit_align(e, s, u), false);
    LLVMTypeRef types[] = {LLVMTypeOf(s->units[u]), LLVMTypeOf(at)};
    LLVMValueRef args[] = {s->units[u], at, align, e->mask ? e->mask : all_lanes(e)};
    INTRINSIC(e, "llvm.masked.scatter", types, args);
  }
}

void mpl_scatter(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef at, unsigned align) {
  mpl_scatter_row(e, &(struct mpl_scattered){{value}, 1, at, align});
}

/* An access of a part of each unit. */
struct part {
  LLVMTypeRef units, bits; /* integers for all lanes: whole ones, and as large as the access */
  LLVMValueRef shift;
};

static struct part part_of(struct mpl_emit *e, LLVMValueRef access, LLVMValueRef inside) {
  unsigned unit = 8 * mpl_array_unit(e->lanes, mpl_accessed_place(access)),
           own = 8 * (unsigned)LLVMABISizeOfType(e->ir->layout, mpl_accessed_type(access));
  LLVMTypeRef whole = LLVMIntTypeInContext(e->ir->context, unit);
  inside = LLVMBuildMul(e->b, inside, mpl_const64(e->ir, 8), "");
  return (struct part){mpl_vector_type(e, whole),
                       mpl_vector_type(e, LLVMIntTypeInContext(e->ir->context, own)),
                       mpl_splat(e, LLVMBuildIntCast2(e->b, inside, whole, false, ""))};
}

/* From a private array, whose lanes are side by side; there is memory for all of them, so a mask is
 * asked for only where places differ. */
static void load_own(struct mpl_emit *e, LLVMValueRef load, bool uniform) {
  LLVMTypeRef type = LLVMTypeOf(load), vector = mpl_vector_type(e, type);
  unsigned size = (unsigned)LLVMABISizeOfType(e->ir->layout, type);
  LLVMValueRef inside, value,
      at = mpl_array_place(e, LLVMGetOperand(load, 0), size, uniform, &inside);
  if (uniform && inside) {
    struct part part = part_of(e, load, inside);
    value = LLVMBuildLoad2(e->b, part.units, at, "");
    LLVMSetAlignment(value, size);
    value = LLVMBuildTrunc(e->b, LLVMBuildLShr(e->b, value, part.shift, ""), part.bits, "");
    value = LLVMBuildBitCast(e->b, value, vector, "");
  } else if (uniform && e->mask == e->all) {
    value = LLVMBuildLoad2(e->b, vector, at, "");
    LLVMSetAlignment(value, size);
  } else if (uniform) {
    value = mpl_masked_load(e, vector, at, size, e->mask);
  } else {
    value = mpl_gather(e, vector, at, size);
  }
  mpl_map_set(&e->vectors, load, (uintptr_t)value);
}

/* Frozen, because a poison part would make all of the unit poison (LLVM LangRef, "Poison Values"):
 * the fourth component of a 3-component vector is one. */
static void store_part(struct mpl_emit *e, LLVMValueRef store, LLVMValueRef value, LLVMValueRef at,
                       LLVMValueRef inside) {
  struct part part = part_of(e, store, inside);
  LLVMValueRef old = LLVMBuildLoad2(e->b, part.units, at, ""), new, hole;
  LLVMSetAlignment(old, 8);
  old = LLVMBuildFreeze(e->b, old, "");
  value = LLVMBuildFreeze(e->b, value, "");
  new = LLVMBuildZExt(e->b, LLVMBuildBitCast(e->b, value, part.bits, ""), part.units, "");
  hole = LLVMBuildZExt(e->b, LLVMConstAllOnes(part.bits), part.units, "");
  hole = LLVMBuildNot(e->b, LLVMBuildShl(e->b, hole, part.shift, ""), "");
  hole = LLVMBuildAnd(e->b, old, hole, "");
  new = LLVMBuildOr(e->b, hole, LLVMBuildShl(e->b, new, part.shift, ""), "");
  if (e->mask) new = mpl_choose(e, e->mask, new, old);
  LLVMSetAlignment(LLVMBuildStore(e->b, new, at), 8);
}

static void store_own(struct mpl_emit *e, LLVMValueRef store, bool uniform) {
  LLVMValueRef inside, value = mpl_vector(e, LLVMGetOperand(store, 0));
  unsigned size = (unsigned)LLVMABISizeOfType(e->ir->layout, LLVMTypeOf(LLVMGetOperand(store, 0)));
  LLVMValueRef at = mpl_array_place(e, LLVMGetOperand(store, 1), size, uniform, &inside);
  if (!uniform)
    mpl_scatter(e, value, at, size);
  else if (inside)
    store_part(e, store, value, at, inside);
  else if (e->mask == e->all)
    LLVMSetAlignment(LLVMBuildStore(e->b, value, at), size);
  else
    mpl_masked_store(e, value, at, size, e->mask);
}

/* What lies in one page with what one of `lanes` loads is there, whether or not it is a lane's. */
LLVMValueRef mpl_load_beside(struct mpl_emit *e, LLVMTypeRef vector, LLVMValueRef at,
                             unsigned align, LLVMValueRef mask, LLVMValueRef lanes) {
  enum { PAGE = 4096 };
  static const char *const names[] = {"page", "pages", "loaded"};
  LLVMBasicBlockRef blocks[3];
  if (mpl_knows_masked(e->items, LLVMGetElementType(vector)))
    return mpl_masked_load(e, vector, at, align, mask);
  for (unsigned k = 0; k < 3; k++)
    blocks[k] = LLVMAppendBasicBlockInContext(e->ir->context, e->function, names[k]);
  uint64_t most = PAGE - LLVMABISizeOfType(e->ir->layout, vector);
  LLVMValueRef place = LLVMBuildPtrToInt(e->b, LLVMBuildFreeze(e->b, at, ""), e->ir->i64, ""),
               inside = LLVMBuildAnd(e->b, place, mpl_const64(e->ir, PAGE - 1), ""), values[2];
  inside = LLVMBuildICmp(e->b, LLVMIntULE, inside, mpl_const64(e->ir, most), "");
  inside = LLVMBuildAnd(e->b, inside, mpl_any_lane(e, lanes), "");
  LLVMBuildCondBr(e->b, inside, blocks[0], blocks[1]);
  LLVMPositionBuilderAtEnd(e->b, blocks[0]);
  values[0] = LLVMBuildLoad2(e->b, vector, at, "");
  LLVMSetAlignment(values[0], align);
  LLVMBuildBr(e->b, blocks[2]);
  LLVMPositionBuilderAtEnd(e->b, blocks[1]);
  values[1] = mpl_masked_load(e, vector, at, align, mask);
  LLVMBuildBr(e->b, blocks[2]);
  LLVMPositionBuilderAtEnd(e->b, blocks[2]);
  LLVMValueRef value = LLVMBuildPhi(e->b, vector, "");
  LLVMAddIncoming(value, values, blocks, 2);
  return value;
}

/* All lanes' from one place, or side by side from there on. */
LLVMValueRef mpl_load_at(struct mpl_emit *e, LLVMValueRef load, LLVMValueRef at, bool uniform) {
  LLVMTypeRef vector = mpl_vector_type(e, LLVMTypeOf(load));
  if (uniform) {
    LLVMValueRef value = LLVMInstructionClone(load);
    LLVMSetOperand(value, 0, mpl_safe_place(e, at));
    LLVMInsertIntoBuilder(e->b, value);
    if (e->mask && e->mask != e->all) /* or no lane's, which others take too (clamped_loads.c) */
      value = LLVMBuildSelect(e->b, mpl_any_lane(e, e->mask), value,
                              mpl_of_none(LLVMTypeOf(value)), "");
    return mpl_splat(e, value);
  }
  if (!e->mask || mpl_is_element(e->ir, load)) {
    LLVMValueRef value = LLVMBuildLoad2(e->b, vector, at, "");
    LLVMSetAlignment(value, LLVMGetAlignment(load));
    return value;
  }
  return mpl_load_beside(e, vector, at, LLVMGetAlignment(load), e->mask, e->mask);
}

bool mpl_ask_for_all(struct mpl_emit *e, const struct mpl_recipe *r, struct mpl_all_or_some *o) {
  static const char *const names[] = {"all", "some", "after"};
  if (!r->all_or_some || !e->mask) return false;
  LLVMValueRef all = mpl_all_lanes(e, e->mask);
  for (unsigned k = 0; k < 3; k++)
    o->blocks[k] = LLVMAppendBasicBlockInContext(e->ir->context, e->function, names[k]);
  LLVMBuildCondBr(e->b, all, o->blocks[0], o->blocks[1]);
  LLVMPositionBuilderAtEnd(e->b, o->blocks[0]);
  return true;
}

void mpl_else_some(struct mpl_emit *e, struct mpl_all_or_some *o) {
  o->blocks[0] = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, o->blocks[2]);
  LLVMPositionBuilderAtEnd(e->b, o->blocks[1]);
}

void mpl_end_some(struct mpl_emit *e, struct mpl_all_or_some *o) {
  o->blocks[1] = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, o->blocks[2]);
  LLVMPositionBuilderAtEnd(e->b, o->blocks[2]);
}

/* Side by side. */
static void store_at(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store,
                     LLVMValueRef value, LLVMValueRef at) {
  unsigned align = LLVMGetAlignment(store);
  struct mpl_all_or_some o;
  if (e->mask && !mpl_is_element(e->ir, store)) {
    bool asks = mpl_ask_for_all(e, r, &o);
    if (asks) {
      LLVMSetAlignment(LLVMBuildStore(e->b, value, at), align);
      mpl_else_some(e, &o);
    }
    mpl_masked_store(e, value, at, align, e->mask);
    if (asks) mpl_end_some(e, &o);
    return;
  }
  if (e->mask) {
    LLVMValueRef old = LLVMBuildLoad2(e->b, LLVMTypeOf(value), at, "");
    LLVMSetAlignment(old, align);
    value = mpl_choose(e, e->mask, value, old);
  }
  LLVMSetAlignment(LLVMBuildStore(e->b, value, at), align);
}

/* --- lanes that go down in memory --- */

static LLVMValueRef backwards(struct mpl_emit *e, LLVMValueRef vector) {
  LLVMValueRef each[256];
  for (unsigned k = 0; vector && k < e->width; k++)
    each[k] = LLVMConstInt(e->ir->i32, e->width - 1 - k, false);
  return !vector ? NULL
                 : LLVMBuildShuffleVector(e->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                          LLVMConstVector(each, e->width), "");
}

/* Where the last lane's is, of `size` bytes; `at` is the first one's. */
static LLVMValueRef lowest(struct mpl_emit *e, LLVMValueRef at, int size) {
  LLVMValueRef by = mpl_const64(e->ir, (uint64_t)-(int64_t)(size * (int)(e->width - 1)));
  return LLVMBuildGEP2(e->b, e->ir->i8, at, &by, 1, "");
}

LLVMValueRef mpl_load_along(struct mpl_emit *e, LLVMValueRef load, LLVMValueRef at, int stride) {
  LLVMValueRef mask = e->mask, value;
  if (stride >= 0) return mpl_load_at(e, load, at, !stride);
  e->mask = backwards(e, mask);
  value = backwards(e, mpl_load_at(e, load, lowest(e, at, -stride), false));
  e->mask = mask;
  return value;
}

void mpl_store_along(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store,
                     LLVMValueRef value, LLVMValueRef at) {
  LLVMValueRef mask = e->mask;
  if (r->stride > 0) {
    store_at(e, r, store, value, at);
    return;
  }
  e->mask = backwards(e, mask);
  value = backwards(e, value);
  store_at(e, r, store, value, lowest(e, at, -r->stride));
  e->mask = mask;
}

/* Places that are used behind a branch are computed there: a base and indices then go into the
 * instruction that gathers. */
static LLVMValueRef here(struct mpl_emit *e, LLVMValueRef pointers) {
  if (!LLVMIsAGetElementPtrInst(pointers)) return pointers;
  LLVMValueRef copy = LLVMInstructionClone(pointers);
  LLVMInsertIntoBuilder(e->b, copy);
  return copy;
}

/* --- loads, by their recipes --- */

static void set_vector(struct mpl_emit *e, LLVMValueRef load, LLVMValueRef vector) {
  mpl_map_set(&e->vectors, load, (uintptr_t)vector);
}

static void load_one_place(struct mpl_emit *e, LLVMValueRef load) {
  LLVMValueRef value = LLVMInstructionClone(load);
  LLVMSetOperand(value, 0, mpl_safe_place(e, mpl_scalar(e, LLVMGetOperand(load, 0))));
  LLVMInsertIntoBuilder(e->b, value);
  mpl_map_set(&e->scalars, load, (uintptr_t)value);
}

static LLVMValueRef load_apart(struct mpl_emit *e, enum mpl_form_of_access form, LLVMValueRef load,
                               LLVMValueRef pointers) {
  if (form == MPL_RECIPE_ROW_LOADS) return mpl_load_rows(e, load);
  return mpl_gather(e, mpl_vector_type(e, LLVMTypeOf(load)), here(e, pointers),
                    LLVMGetAlignment(load));
}

static LLVMValueRef load_speculated(struct mpl_emit *e, const struct mpl_recipe *r,
                                    LLVMValueRef load) {
  LLVMValueRef pointers = mpl_vector(e, LLVMGetOperand(load, 0)), values[3] = {NULL};
  struct mpl_guess guess;
  mpl_guess(e, r, load, &guess);
  LLVMBasicBlockRef from[] = {guess.beside, NULL, NULL};
  LLVMPositionBuilderAtEnd(e->b, guess.beside);
  values[0] = mpl_load_at(e, load, guess.at, guess.uniform);
  from[0] = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, guess.after);
  LLVMPositionBuilderAtEnd(e->b, guess.apart);
  if (r->clamped) values[2] = mpl_load_stopped(e, load, &from[2]);
  values[1] = load_apart(e, r->otherwise, load, pointers);
  from[1] = LLVMGetInsertBlock(e->b);
  LLVMBuildBr(e->b, guess.after);
  if (values[2]) {
    LLVMPositionBuilderAtEnd(e->b, from[2]);
    LLVMBuildBr(e->b, guess.after);
  }
  LLVMPositionBuilderAtEnd(e->b, guess.after);
  LLVMValueRef value = LLVMBuildPhi(e->b, mpl_vector_type(e, LLVMTypeOf(load)), "");
  LLVMAddIncoming(value, values, from, values[2] ? 3 : 2);
  return value;
}

void mpl_widen_load(struct mpl_emit *e, LLVMValueRef load) {
  const struct mpl_recipe *r = mpl_recipe_of(e->recipes, load, e->full_turn);
  LLVMValueRef pointer = LLVMGetOperand(load, 0);
  switch (r->form) {
  case MPL_RECIPE_OWN_UNITS:
  case MPL_RECIPE_OWN_PLACES:
    load_own(e, load, r->form == MPL_RECIPE_OWN_UNITS);
    return;
  case MPL_RECIPE_SUM:
    set_vector(e, load, mpl_load_sum(e, load));
    return;
  case MPL_RECIPE_ONE_PLACE:
    load_one_place(e, load);
    return;
  case MPL_RECIPE_PIECES:
    set_vector(e, load, mpl_load_pieces(e, load, r->stride));
    return;
  case MPL_RECIPE_FIELDS:
    set_vector(e, load, mpl_widen_field_load(e, r, load));
    return;
  case MPL_RECIPE_WIDE:
  case MPL_RECIPE_REVERSED:
    set_vector(e, load, mpl_load_along(e, load, mpl_scalar(e, pointer), r->stride));
    return;
  case MPL_RECIPE_FOUR_WORDS:
    mpl_load_four_words(e, r->vector);
    return;
  case MPL_RECIPE_SMALL_VECTOR:
    mpl_load_small_vector(e, r, load);
    return;
  case MPL_RECIPE_SPECULATED:
    if (r->vector)
      mpl_load_small_vector(e, r, load);
    else
      set_vector(e, load, load_speculated(e, r, load));
    return;
  default:
    set_vector(e, load, load_apart(e, r->form, load, mpl_vector(e, pointer)));
  }
}

LLVMValueRef mpl_some_lane(struct mpl_emit *e) {
  if (!e->mask) return mpl_const64(e->ir, 0);
  LLVMTypeRef type = LLVMIntTypeInContext(e->ir->context, e->width);
  LLVMValueRef args[] = {LLVMBuildBitCast(e->b, e->mask, type, ""),
                         LLVMConstInt(e->ir->i1, 0, false)};
  LLVMValueRef lane = mpl_call_intrinsic(e->ir, e->b, "llvm.cttz", type, args, 2);
  lane = LLVMBuildIntCast2(e->b, lane, e->ir->i64, false, "");
  return LLVMBuildAnd(e->b, lane, mpl_const64(e->ir, e->width - 1), "");
}

/* All lanes write to one place: the value of one of them stays there. */
static LLVMValueRef one_value(struct mpl_emit *e, LLVMValueRef value, unsigned block) {
  if (!mpl_stride_at(e->lanes, value, block)) return mpl_scalar(e, value);
  LLVMValueRef vector = mpl_vector(e, value), last = mpl_const64(e->ir, e->width - 1),
               lane = e->mask ? mpl_some_lane(e) : last;
  return LLVMBuildExtractElement(e->b, vector, lane, "");
}

static void store_one_place(struct mpl_emit *e, LLVMValueRef store, unsigned block) {
  LLVMValueRef value = one_value(e, LLVMGetOperand(store, 0), block),
               at = mpl_safe_place(e, mpl_scalar(e, LLVMGetOperand(store, 1)));
  LLVMSetAlignment(LLVMBuildStore(e->b, value, at), LLVMGetAlignment(store));
}

static void store_slot(struct mpl_emit *e, LLVMValueRef store, unsigned block) {
  LLVMValueRef value = LLVMGetOperand(store, 0),
               vector = mpl_stride_at(e->lanes, value, block) ? NULL : mpl_vector(e, value);
  mpl_store_slot(e, one_value(e, value, block), vector, LLVMGetOperand(store, 1));
}

static void store_apart(struct mpl_emit *e, enum mpl_form_of_access form, LLVMValueRef store,
                        LLVMValueRef value, LLVMValueRef pointers) {
  if (form == MPL_RECIPE_IN_TURN)
    mpl_each_lane(e, store);
  else
    mpl_scatter(e, value, pointers, LLVMGetAlignment(store));
}

static void store_speculated(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store,
                             LLVMValueRef value, LLVMValueRef pointers) {
  struct mpl_guess guess;
  mpl_guess(e, r, store, &guess);
  LLVMPositionBuilderAtEnd(e->b, guess.beside);
  store_at(e, r, store, value, guess.at);
  LLVMBuildBr(e->b, guess.after);
  LLVMPositionBuilderAtEnd(e->b, guess.apart);
  store_apart(e, r->otherwise, store, value, here(e, pointers));
  LLVMBuildBr(e->b, guess.after);
  LLVMPositionBuilderAtEnd(e->b, guess.after);
}

/* Places that vary. */
static void store_varying(struct mpl_emit *e, const struct mpl_recipe *r, LLVMValueRef store) {
  if (r->vector) {
    if (store == r->vector->members[r->vector->count - 1]) mpl_store_small_vector(e, r, store);
    return;
  }
  LLVMValueRef value = mpl_vector(e, LLVMGetOperand(store, 0)),
               pointers = mpl_vector(e, LLVMGetOperand(store, 1));
  if (r->form == MPL_RECIPE_SPECULATED)
    store_speculated(e, r, store, value, pointers);
  else
    store_apart(e, r->form, store, value, pointers);
}

void mpl_widen_store(struct mpl_emit *e, LLVMValueRef store) {
  const struct mpl_recipe *r = mpl_recipe_of(e->recipes, store, e->full_turn);
  unsigned block = mpl_cfg_block_of(e->items->cfg, store);
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1);
  switch (r->form) {
  case MPL_RECIPE_OWN_UNITS:
  case MPL_RECIPE_OWN_PLACES:
    store_own(e, store, r->form == MPL_RECIPE_OWN_UNITS);
    return;
  case MPL_RECIPE_SUM:
    mpl_store_sum(e, value, pointer);
    return;
  case MPL_RECIPE_SLOT:
    store_slot(e, store, block);
    return;
  case MPL_RECIPE_ONE_PLACE:
    store_one_place(e, store, block);
    return;
  case MPL_RECIPE_PIECES:
    mpl_store_pieces(e, r, store);
    return;
  case MPL_RECIPE_FIELDS:
    mpl_widen_field_store(e, r, store);
    return;
  case MPL_RECIPE_WIDE:
  case MPL_RECIPE_REVERSED:
    value = mpl_vector(e, value);
    mpl_store_along(e, r, store, value, mpl_scalar(e, pointer));
    return;
  default:
    store_varying(e, r, store);
  }
}

/* Each line that the lanes are in; of lanes that are anywhere, none. */
void mpl_widen_prefetch(struct mpl_emit *e, LLVMValueRef prefetch) {
  enum { LINE = 64 };
  LLVMValueRef pointer = LLVMGetOperand(prefetch, 0);
  int64_t stride = mpl_stride_at(e->lanes, pointer, mpl_cfg_block_of(e->items->cfg, prefetch));
  if (stride == MPL_ANY_STRIDE || stride < 0 || stride > LINE) return;
  LLVMValueRef first = mpl_scalar(e, pointer);
  for (int64_t at = 0; at == 0 || at < stride * e->width; at += LINE) {
    LLVMValueRef copy = LLVMInstructionClone(prefetch), by = mpl_const64(e->ir, (uint64_t)at);
    LLVMSetOperand(copy, 0, LLVMBuildGEP2(e->b, e->ir->i8, first, &by, 1, ""));
    LLVMInsertIntoBuilder(e->b, copy);
  }
}

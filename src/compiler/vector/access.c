/* Loads and stores of all lanes of a chunk. */
#include "widen.h"

enum { WORD = 4 /* bytes */ };

static LLVMValueRef all_lanes(struct mpl_widen *w) {
  return LLVMConstAllOnes(mpl_vector_type(w, w->ir->i1));
}

static LLVMValueRef intrinsic(struct mpl_widen *w, const char *name, size_t length,
                              LLVMTypeRef *types, LLVMValueRef *args, unsigned count) {
  unsigned id = LLVMLookupIntrinsicID(name, length);
  LLVMValueRef function = LLVMGetIntrinsicDeclaration(w->ir->module, id, types, 2);
  return LLVMBuildCall2(w->b, LLVMGlobalGetValueType(function), function, args, count, "");
}

#define INTRINSIC(w, name, types, args)                                                            \
  intrinsic(w, name, sizeof name - 1, types, args, sizeof args / sizeof *args)

LLVMValueRef mpl_nowhere(struct mpl_widen *w, LLVMTypeRef type) {
  if (LLVMTypeOf(w->nowhere) == type) return w->nowhere;
  return LLVMBuildAddrSpaceCast(w->b, w->nowhere, type, "");
}

/* Where an access of one place for all lanes goes when there may be none. */
LLVMValueRef mpl_safe_place(struct mpl_widen *w, LLVMValueRef pointer) {
  if (w->mask == w->all) return pointer; /* there is one */
  LLVMValueRef nowhere = mpl_nowhere(w, LLVMTypeOf(pointer));
  return LLVMBuildSelect(w->b, mpl_any_lane(w, w->mask), pointer, nowhere, "");
}

LLVMValueRef mpl_masked_load(struct mpl_widen *w, LLVMTypeRef vector, LLVMValueRef at,
                             unsigned align, LLVMValueRef mask) {
  LLVMTypeRef types[] = {vector, LLVMTypeOf(at)};
  LLVMValueRef args[] = {at, LLVMConstInt(w->ir->i32, align, false), mask, LLVMGetPoison(vector)};
  return INTRINSIC(w, "llvm.masked.load", types, args);
}

void mpl_masked_store(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef at, unsigned align,
                      LLVMValueRef mask) {
  LLVMTypeRef types[] = {LLVMTypeOf(value), LLVMTypeOf(at)};
  LLVMValueRef args[] = {value, at, LLVMConstInt(w->ir->i32, align, false), mask};
  INTRINSIC(w, "llvm.masked.store", types, args);
}

/* Of what the processor does for elements from that size on; 0: for none. */
static bool does_from(struct mpl_widen *w, LLVMTypeRef element, unsigned least) {
  return least && LLVMABISizeOfType(w->ir->layout, element) >= least;
}

/* Does the processor load such elements under a mask?  Else LLVM makes a branch for each lane, which
 * is often mistaken. */
static bool knows_element(struct mpl_widen *w, LLVMTypeRef element) {
  return does_from(w, element, w->ir->target->least_masked);
}

/* What the processor does not scatter, the lanes that are there store one after another. */
static bool knows_scatter(struct mpl_widen *w, LLVMTypeRef element) {
  return does_from(w, element, w->ir->target->least_scattered);
}

bool mpl_stores_in_turn(struct mpl_widen *w, LLVMValueRef store) {
  return !knows_scatter(w, LLVMTypeOf(LLVMGetOperand(store, 0)));
}

/* An element that lies in one word, since it is aligned to its size: the processor gathers words,
 * and what else is in that word is in its page too. */
static bool is_in_word(struct mpl_widen *w, LLVMTypeRef element, unsigned align) {
  uint64_t size = LLVMABISizeOfType(w->ir->layout, element);
  return w->ir->target->mask_bits && size < WORD && align >= size && mpl_fits_memory(element);
}

bool mpl_gathers_words(struct mpl_widen *w, LLVMValueRef access) {
  return LLVMIsALoadInst(access) && is_in_word(w, LLVMTypeOf(access), LLVMGetAlignment(access));
}

static LLVMValueRef gather_words(struct mpl_widen *w, LLVMTypeRef vector, LLVMValueRef at) {
  unsigned size = (unsigned)LLVMABISizeOfType(w->ir->layout, LLVMGetElementType(vector));
  LLVMTypeRef places = mpl_vector_type(w, w->ir->i64), words = mpl_vector_type(w, w->ir->i32),
              bits = mpl_vector_type(w, LLVMIntTypeInContext(w->ir->context, 8 * size));
  LLVMValueRef in = mpl_splat(w, mpl_const64(w->ir, WORD - 1)), place, shift, value;
  place = LLVMBuildPtrToInt(w->b, at, places, "");
  shift = LLVMBuildTrunc(w->b, LLVMBuildAnd(w->b, place, in, ""), words, "");
  shift = LLVMBuildShl(w->b, shift, mpl_splat(w, mpl_const32(w->ir, 3)), "");
  place = LLVMBuildAnd(w->b, place, LLVMBuildNot(w->b, in, ""), "");
  value = mpl_gather(w, words, LLVMBuildIntToPtr(w->b, place, LLVMTypeOf(at), ""), WORD);
  value = LLVMBuildTrunc(w->b, LLVMBuildLShr(w->b, value, shift, ""), bits, "");
  return LLVMBuildBitCast(w->b, value, vector, "");
}

/* Where a mask would be a branch for each lane, lanes that are not there load what nobody owns, and
 * none asks. */
LLVMValueRef mpl_gather(struct mpl_widen *w, LLVMTypeRef vector, LLVMValueRef at, unsigned align) {
  LLVMTypeRef types[] = {vector, LLVMTypeOf(at)};
  LLVMValueRef mask = w->mask ? w->mask : all_lanes(w);
  if (is_in_word(w, LLVMGetElementType(vector), align)) return gather_words(w, vector, at);
  if (w->mask && !does_from(w, LLVMGetElementType(vector), w->ir->target->least_gathered)) {
    LLVMTypeRef pointer = LLVMGetElementType(types[1]);
    at = LLVMBuildSelect(w->b, mask, at, mpl_splat(w, mpl_nowhere(w, pointer)), "");
    mask = all_lanes(w);
  }
  LLVMValueRef args[] = {at, LLVMConstInt(w->ir->i32, align, false), mask,
                         LLVMGetPoison(vector)};
  return INTRINSIC(w, "llvm.masked.gather", types, args);
}

static LLVMTypeRef unit_type(const struct mpl_scattered *s) {
  return LLVMGetElementType(LLVMTypeOf(s->units[0]));
}

LLVMValueRef mpl_unit_place(struct mpl_widen *w, const struct mpl_scattered *s, LLVMValueRef first,
                            unsigned unit) {
  LLVMValueRef by = mpl_const64(w->ir, unit);
  return unit ? LLVMBuildGEP2(w->b, unit_type(s), first, &by, 1, "") : first;
}

unsigned mpl_unit_align(struct mpl_widen *w, const struct mpl_scattered *s, unsigned unit) {
  unsigned size = (unsigned)LLVMABISizeOfType(w->ir->layout, unit_type(s));
  return unit && s->align > size ? size : s->align;
}

void mpl_scatter_row(struct mpl_widen *w, const struct mpl_scattered *s) {
  if (w->mask && !knows_scatter(w, unit_type(s))) {
    mpl_scatter_in_turn(w, s);
    return;
  }
  for (unsigned u = 0; u < s->count; u++) {
    LLVMValueRef at = mpl_unit_place(w, s, s->places, u),
                 align = LLVMConstInt(w->ir->i32, mpl_unit_align(w, s, u), false);
    LLVMTypeRef types[] = {LLVMTypeOf(s->units[u]), LLVMTypeOf(at)};
    LLVMValueRef args[] = {s->units[u], at, align, w->mask ? w->mask : all_lanes(w)};
    INTRINSIC(w, "llvm.masked.scatter", types, args);
  }
}

void mpl_scatter(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef at, unsigned align) {
  mpl_scatter_row(w, &(struct mpl_scattered){{value}, 1, at, align});
}

/* An access of a part of each unit. */
struct part {
  LLVMTypeRef units, bits; /* integers for all lanes: whole ones, and as large as the access */
  LLVMValueRef shift;
};

static struct part part_of(struct mpl_widen *w, LLVMValueRef access, LLVMValueRef inside) {
  unsigned unit = 8 * mpl_array_unit(w, mpl_accessed_place(access)),
           own = 8 * (unsigned)LLVMABISizeOfType(w->ir->layout, mpl_accessed_type(access));
  LLVMTypeRef whole = LLVMIntTypeInContext(w->ir->context, unit);
  inside = LLVMBuildMul(w->b, inside, mpl_const64(w->ir, 8), "");
  return (struct part){mpl_vector_type(w, whole),
                       mpl_vector_type(w, LLVMIntTypeInContext(w->ir->context, own)),
                       mpl_splat(w, LLVMBuildIntCast2(w->b, inside, whole, false, ""))};
}

/* From a private array, whose lanes are side by side; there is memory for all of them, so a mask is
 * asked for only where places differ. */
static void load_own(struct mpl_widen *w, LLVMValueRef load, bool uniform) {
  LLVMTypeRef type = LLVMTypeOf(load), vector = mpl_vector_type(w, type);
  unsigned size = (unsigned)LLVMABISizeOfType(w->ir->layout, type);
  LLVMValueRef inside, value,
      at = mpl_array_place(w, LLVMGetOperand(load, 0), size, uniform, &inside);
  if (uniform && inside) {
    struct part part = part_of(w, load, inside);
    value = LLVMBuildLoad2(w->b, part.units, at, "");
    LLVMSetAlignment(value, size);
    value = LLVMBuildTrunc(w->b, LLVMBuildLShr(w->b, value, part.shift, ""), part.bits, "");
    value = LLVMBuildBitCast(w->b, value, vector, "");
  } else if (uniform && w->mask == w->all) {
    value = LLVMBuildLoad2(w->b, vector, at, "");
    LLVMSetAlignment(value, size);
  } else if (uniform) {
    value = mpl_masked_load(w, vector, at, size, w->mask);
  } else {
    value = mpl_gather(w, vector, at, size);
  }
  mpl_map_set(&w->vectors, load, (uintptr_t)value);
}

/* Frozen, because a poison part would make all of the unit poison (LLVM LangRef, "Poison Values"):
 * the fourth component of a 3-component vector is one. */
static void store_part(struct mpl_widen *w, LLVMValueRef store, LLVMValueRef value, LLVMValueRef at,
                       LLVMValueRef inside) {
  struct part part = part_of(w, store, inside);
  LLVMValueRef old = LLVMBuildLoad2(w->b, part.units, at, ""), new, hole;
  LLVMSetAlignment(old, 8);
  old = LLVMBuildFreeze(w->b, old, "");
  value = LLVMBuildFreeze(w->b, value, "");
  new = LLVMBuildZExt(w->b, LLVMBuildBitCast(w->b, value, part.bits, ""), part.units, "");
  hole = LLVMBuildZExt(w->b, LLVMConstAllOnes(part.bits), part.units, "");
  hole = LLVMBuildNot(w->b, LLVMBuildShl(w->b, hole, part.shift, ""), "");
  new = LLVMBuildOr(w->b, LLVMBuildAnd(w->b, old, hole, ""),
                    LLVMBuildShl(w->b, new, part.shift, ""), "");
  if (w->mask) new = mpl_choose(w, w->mask, new, old);
  LLVMSetAlignment(LLVMBuildStore(w->b, new, at), 8);
}

static void store_own(struct mpl_widen *w, LLVMValueRef store, bool uniform) {
  LLVMValueRef inside, value = mpl_vector(w, LLVMGetOperand(store, 0));
  unsigned size = (unsigned)LLVMABISizeOfType(w->ir->layout, LLVMTypeOf(LLVMGetOperand(store, 0)));
  LLVMValueRef at = mpl_array_place(w, LLVMGetOperand(store, 1), size, uniform, &inside);
  if (!uniform)
    mpl_scatter(w, value, at, size);
  else if (inside)
    store_part(w, store, value, at, inside);
  else if (w->mask == w->all)
    LLVMSetAlignment(LLVMBuildStore(w->b, value, at), size);
  else
    mpl_masked_store(w, value, at, size, w->mask);
}

/* The group's own memory is there for lanes that are not, and nobody else writes it meanwhile.  So
 * what is loaded needs no mask, and what is stored is the whole vector, with what was there: the
 * next loop's load waits for a store under a mask until that is in the cache. */
bool mpl_is_element(struct mpl_widen *w, LLVMValueRef access) {
  unsigned kind =
      LLVMGetMDKindIDInContext(w->ir->context, MPL_SLOT_ELEMENT, sizeof MPL_SLOT_ELEMENT - 1);
  return LLVMGetMetadata(access, kind) != NULL;
}

/* What lies in one page with what a lane loads is there, whether or not it is a lane's. */
LLVMValueRef mpl_load_beside(struct mpl_widen *w, LLVMTypeRef vector, LLVMValueRef at,
                             unsigned align, LLVMValueRef mask) {
  enum { PAGE = 4096 };
  static const char *const names[] = {"page", "pages", "loaded"};
  LLVMBasicBlockRef blocks[3];
  if (knows_element(w, LLVMGetElementType(vector)))
    return mpl_masked_load(w, vector, at, align, mask);
  for (unsigned k = 0; k < 3; k++)
    blocks[k] = LLVMAppendBasicBlockInContext(w->ir->context, w->function, names[k]);
  uint64_t most = PAGE - LLVMABISizeOfType(w->ir->layout, vector);
  LLVMValueRef place = LLVMBuildPtrToInt(w->b, LLVMBuildFreeze(w->b, at, ""), w->ir->i64, ""),
               inside = LLVMBuildAnd(w->b, place, mpl_const64(w->ir, PAGE - 1), ""), values[2];
  inside = LLVMBuildICmp(w->b, LLVMIntULE, inside, mpl_const64(w->ir, most), "");
  inside = LLVMBuildAnd(w->b, inside, mpl_any_lane(w, w->mask), "");
  LLVMBuildCondBr(w->b, inside, blocks[0], blocks[1]);
  LLVMPositionBuilderAtEnd(w->b, blocks[0]);
  values[0] = LLVMBuildLoad2(w->b, vector, at, "");
  LLVMSetAlignment(values[0], align);
  LLVMBuildBr(w->b, blocks[2]);
  LLVMPositionBuilderAtEnd(w->b, blocks[1]);
  values[1] = mpl_masked_load(w, vector, at, align, mask);
  LLVMBuildBr(w->b, blocks[2]);
  LLVMPositionBuilderAtEnd(w->b, blocks[2]);
  LLVMValueRef value = LLVMBuildPhi(w->b, vector, "");
  LLVMAddIncoming(value, values, blocks, 2);
  return value;
}

/* All lanes' from one place, or side by side from there on. */
LLVMValueRef mpl_load_at(struct mpl_widen *w, LLVMValueRef load, LLVMValueRef at, bool uniform) {
  LLVMTypeRef vector = mpl_vector_type(w, LLVMTypeOf(load));
  if (uniform) {
    LLVMValueRef value = LLVMInstructionClone(load);
    LLVMSetOperand(value, 0, mpl_safe_place(w, at));
    LLVMInsertIntoBuilder(w->b, value);
    if (w->mask && w->mask != w->all) /* or no lane's, which others take too (stops.c) */
      value = LLVMBuildSelect(w->b, mpl_any_lane(w, w->mask), value,
                              mpl_of_none(LLVMTypeOf(value)), "");
    return mpl_splat(w, value);
  }
  if (!w->mask || mpl_is_element(w, load)) {
    LLVMValueRef value = LLVMBuildLoad2(w->b, vector, at, "");
    LLVMSetAlignment(value, LLVMGetAlignment(load));
    return value;
  }
  return mpl_load_beside(w, vector, at, LLVMGetAlignment(load), w->mask);
}

/* Do all lanes come by there that are in a loop, which most leave together? */
static bool is_for_all(struct mpl_widen *w, unsigned block) {
  int l = w->inner[block];
  if (l < 0 || !w->loops[l].masked || w->loops[l].parted) return false;
  unsigned b = w->loops[l].header;
  while (b < block) b = w->cfg->ipdom[b];
  return b == block;
}

/* In what is left of a work-item loop never all are. */
bool mpl_ask_for_all(struct mpl_widen *w, LLVMValueRef access, struct mpl_all_or_some *o) {
  static const char *const names[] = {"all", "some", "after"};
  if (!w->mask || w->all || w->ir->target->mask_bits || w->plain) return false;
  if (!is_for_all(w, mpl_cfg_block_of(w->cfg, access))) return false;
  LLVMValueRef all = mpl_all_lanes(w, w->mask);
  for (unsigned k = 0; k < 3; k++)
    o->blocks[k] = LLVMAppendBasicBlockInContext(w->ir->context, w->function, names[k]);
  LLVMBuildCondBr(w->b, all, o->blocks[0], o->blocks[1]);
  LLVMPositionBuilderAtEnd(w->b, o->blocks[0]);
  return true;
}

void mpl_else_some(struct mpl_widen *w, struct mpl_all_or_some *o) {
  o->blocks[0] = LLVMGetInsertBlock(w->b);
  LLVMBuildBr(w->b, o->blocks[2]);
  LLVMPositionBuilderAtEnd(w->b, o->blocks[1]);
}

void mpl_end_some(struct mpl_widen *w, struct mpl_all_or_some *o) {
  o->blocks[1] = LLVMGetInsertBlock(w->b);
  LLVMBuildBr(w->b, o->blocks[2]);
  LLVMPositionBuilderAtEnd(w->b, o->blocks[2]);
}

/* Side by side. */
static void store_at(struct mpl_widen *w, LLVMValueRef store, LLVMValueRef value, LLVMValueRef at) {
  unsigned align = LLVMGetAlignment(store);
  struct mpl_all_or_some o;
  if (w->mask && !mpl_is_element(w, store)) {
    bool asks = mpl_ask_for_all(w, store, &o);
    if (asks) {
      LLVMSetAlignment(LLVMBuildStore(w->b, value, at), align);
      mpl_else_some(w, &o);
    }
    mpl_masked_store(w, value, at, align, w->mask);
    if (asks) mpl_end_some(w, &o);
    return;
  }
  if (w->mask) {
    LLVMValueRef old = LLVMBuildLoad2(w->b, LLVMTypeOf(value), at, "");
    LLVMSetAlignment(old, align);
    value = mpl_choose(w, w->mask, value, old);
  }
  LLVMSetAlignment(LLVMBuildStore(w->b, value, at), align);
}

/* --- lanes that go down in memory --- */

static LLVMValueRef backwards(struct mpl_widen *w, LLVMValueRef vector) {
  LLVMValueRef each[256];
  for (unsigned k = 0; vector && k < w->width; k++)
    each[k] = LLVMConstInt(w->ir->i32, w->width - 1 - k, false);
  return !vector ? NULL
                 : LLVMBuildShuffleVector(w->b, vector, LLVMGetPoison(LLVMTypeOf(vector)),
                                          LLVMConstVector(each, w->width), "");
}

/* Where the last lane's is, of `size` bytes; `at` is the first one's. */
static LLVMValueRef lowest(struct mpl_widen *w, LLVMValueRef at, int size) {
  LLVMValueRef by = mpl_const64(w->ir, (uint64_t)-(int64_t)(size * (int)(w->width - 1)));
  return LLVMBuildGEP2(w->b, w->ir->i8, at, &by, 1, "");
}

LLVMValueRef mpl_load_along(struct mpl_widen *w, LLVMValueRef load, LLVMValueRef at, int stride) {
  LLVMValueRef mask = w->mask, value;
  if (stride >= 0) return mpl_load_at(w, load, at, !stride);
  w->mask = backwards(w, mask);
  value = backwards(w, mpl_load_at(w, load, lowest(w, at, -stride), false));
  w->mask = mask;
  return value;
}

void mpl_store_along(struct mpl_widen *w, LLVMValueRef store, LLVMValueRef value, LLVMValueRef at,
                     int stride) {
  LLVMValueRef mask = w->mask;
  if (stride > 0) {
    store_at(w, store, value, at);
    return;
  }
  w->mask = backwards(w, mask);
  store_at(w, store, backwards(w, value), lowest(w, at, -stride));
  w->mask = mask;
}

/* Places that are used behind a branch are computed there: a base and indices then go into the
 * instruction that gathers. */
static LLVMValueRef here(struct mpl_widen *w, LLVMValueRef pointers) {
  if (!LLVMIsAGetElementPtrInst(pointers)) return pointers;
  LLVMValueRef copy = LLVMInstructionClone(pointers);
  LLVMInsertIntoBuilder(w->b, copy);
  return copy;
}

static LLVMValueRef load_apart(struct mpl_widen *w, LLVMValueRef load, LLVMValueRef pointers) {
  LLVMTypeRef vector = mpl_vector_type(w, LLVMTypeOf(load));
  LLVMValueRef rows = mpl_load_rows(w, load);
  return rows ? rows : mpl_gather(w, vector, here(w, pointers), LLVMGetAlignment(load));
}

static LLVMValueRef gather_load(struct mpl_widen *w, LLVMValueRef load, LLVMValueRef pointers) {
  LLVMTypeRef vector = mpl_vector_type(w, LLVMTypeOf(load));
  struct mpl_guess guess;
  if (!mpl_guess(w, load, (unsigned)LLVMABISizeOfType(w->ir->layout, LLVMTypeOf(load)), &guess))
    return load_apart(w, load, pointers);
  LLVMValueRef values[3];
  LLVMBasicBlockRef from[] = {guess.beside, NULL, NULL};
  LLVMPositionBuilderAtEnd(w->b, guess.beside);
  values[0] = mpl_load_at(w, load, guess.at, guess.uniform);
  from[0] = LLVMGetInsertBlock(w->b);
  LLVMBuildBr(w->b, guess.after);
  LLVMPositionBuilderAtEnd(w->b, guess.apart);
  values[2] = guess.uniform ? NULL : mpl_load_stopped(w, load, &from[2]);
  values[1] = load_apart(w, load, pointers);
  from[1] = LLVMGetInsertBlock(w->b);
  LLVMBuildBr(w->b, guess.after);
  if (values[2]) {
    LLVMPositionBuilderAtEnd(w->b, from[2]);
    LLVMBuildBr(w->b, guess.after);
  }
  LLVMPositionBuilderAtEnd(w->b, guess.after);
  LLVMValueRef value = LLVMBuildPhi(w->b, vector, "");
  LLVMAddIncoming(value, values, from, values[2] ? 3 : 2);
  return value;
}

static void scatter_store(struct mpl_widen *w, LLVMValueRef store, LLVMValueRef value,
                          LLVMValueRef pointers) {
  struct mpl_guess guess;
  unsigned size = (unsigned)LLVMABISizeOfType(w->ir->layout, LLVMGetElementType(LLVMTypeOf(value)));
  bool guesses = mpl_guess(w, store, size, &guess);
  if (guesses) {
    LLVMPositionBuilderAtEnd(w->b, guess.beside);
    store_at(w, store, value, guess.at);
    LLVMBuildBr(w->b, guess.after);
    LLVMPositionBuilderAtEnd(w->b, guess.apart);
    pointers = here(w, pointers);
  }
  if (w->mask && mpl_stores_in_turn(w, store))
    mpl_each_lane(w, store);
  else
    mpl_scatter(w, value, pointers, LLVMGetAlignment(store));
  if (!guesses) return;
  LLVMBuildBr(w->b, guess.after);
  LLVMPositionBuilderAtEnd(w->b, guess.after);
}

void mpl_widen_load(struct mpl_widen *w, LLVMValueRef load) {
  unsigned block = mpl_cfg_block_of(w->cfg, load);
  LLVMValueRef pointer = LLVMGetOperand(load, 0), value;
  LLVMTypeRef type = LLVMTypeOf(load);
  int stride = mpl_stride_at(w, pointer, block), size = (int)LLVMABISizeOfType(w->ir->layout, type);
  if (mpl_array_of(w, pointer)) {
    load_own(w, load, stride == 0);
    return;
  }
  if (mpl_is_sum(w->ir, pointer)) {
    mpl_map_set(&w->vectors, load, (uintptr_t)mpl_load_sum(w, load));
    return;
  }
  if (!stride) {
    value = LLVMInstructionClone(load);
    LLVMSetOperand(value, 0, mpl_safe_place(w, mpl_scalar(w, pointer)));
    LLVMInsertIntoBuilder(w->b, value);
    mpl_map_set(&w->scalars, load, (uintptr_t)value);
    return;
  }
  if (mpl_load_pieces(w, load)) return;
  struct mpl_fields *fields = (struct mpl_fields *)mpl_map_get(&w->fields, load, 0);
  if (fields && mpl_may_widen_fields(w, fields)) {
    value = mpl_widen_field_load(w, fields, load);
  } else if (mpl_is_beside(stride, size)) {
    value = mpl_load_along(w, load, mpl_scalar(w, pointer), stride);
  } else {
    if (mpl_load_whole(w, load)) return;
    value = gather_load(w, load, mpl_vector(w, pointer));
  }
  mpl_map_set(&w->vectors, load, (uintptr_t)value);
}

LLVMValueRef mpl_some_lane(struct mpl_widen *w) {
  if (!w->mask) return mpl_const64(w->ir, 0);
  LLVMTypeRef type = LLVMIntTypeInContext(w->ir->context, w->width);
  LLVMValueRef args[] = {LLVMBuildBitCast(w->b, w->mask, type, ""),
                         LLVMConstInt(w->ir->i1, 0, false)};
  LLVMValueRef lane = mpl_call_intrinsic(w->ir, w->b, "llvm.cttz", type, args, 2);
  lane = LLVMBuildIntCast2(w->b, lane, w->ir->i64, false, "");
  return LLVMBuildAnd(w->b, lane, mpl_const64(w->ir, w->width - 1), "");
}

/* All lanes write to one place: the value of one of them stays there. */
static LLVMValueRef one_value(struct mpl_widen *w, LLVMValueRef value, unsigned block) {
  if (!mpl_stride_at(w, value, block)) return mpl_scalar(w, value);
  LLVMValueRef vector = mpl_vector(w, value), last = mpl_const64(w->ir, w->width - 1),
               lane = w->mask ? mpl_some_lane(w) : last;
  return LLVMBuildExtractElement(w->b, vector, lane, "");
}

void mpl_widen_store(struct mpl_widen *w, LLVMValueRef store) {
  unsigned block = mpl_cfg_block_of(w->cfg, store);
  LLVMValueRef value = LLVMGetOperand(store, 0), pointer = LLVMGetOperand(store, 1), new;
  LLVMTypeRef type = LLVMTypeOf(value);
  int stride = mpl_stride_at(w, pointer, block), size = (int)LLVMABISizeOfType(w->ir->layout, type);
  if (mpl_array_of(w, pointer)) {
    store_own(w, store, stride == 0);
    return;
  }
  if (mpl_is_sum(w->ir, pointer)) {
    mpl_store_sum(w, value, pointer);
    return;
  }
  if (mpl_is_slot(w->ir, pointer)) {
    LLVMValueRef vector = mpl_stride_at(w, value, block) ? NULL : mpl_vector(w, value);
    mpl_store_slot(w, one_value(w, value, block), vector, pointer);
    return;
  }
  if (!stride) {
    value = one_value(w, value, block);
    new = LLVMBuildStore(w->b, value, mpl_safe_place(w, mpl_scalar(w, pointer)));
    LLVMSetAlignment(new, LLVMGetAlignment(store));
    return;
  }
  if (mpl_store_pieces(w, store)) return;
  struct mpl_fields *fields = (struct mpl_fields *)mpl_map_get(&w->fields, store, 0);
  if (fields && mpl_may_widen_fields(w, fields)) {
    mpl_widen_field_store(w, fields, store);
    return;
  }
  if (mpl_is_beside(stride, size))
    mpl_store_along(w, store, mpl_vector(w, value), mpl_scalar(w, pointer), stride);
  else if (!mpl_store_whole(w, store))
    scatter_store(w, store, mpl_vector(w, value), mpl_vector(w, pointer));
}

/* Each line that the lanes are in; of lanes that are anywhere, none. */
void mpl_widen_prefetch(struct mpl_widen *w, LLVMValueRef prefetch) {
  enum { LINE = 64 };
  LLVMValueRef pointer = LLVMGetOperand(prefetch, 0);
  int64_t stride = mpl_stride_at(w, pointer, mpl_cfg_block_of(w->cfg, prefetch));
  if (stride == MPL_ANY_STRIDE || stride < 0 || stride > LINE) return;
  LLVMValueRef first = mpl_scalar(w, pointer);
  for (int64_t at = 0; at == 0 || at < stride * w->width; at += LINE) {
    LLVMValueRef copy = LLVMInstructionClone(prefetch), by = mpl_const64(w->ir, (uint64_t)at);
    LLVMSetOperand(copy, 0, LLVMBuildGEP2(w->b, w->ir->i8, first, &by, 1, ""));
    LLVMInsertIntoBuilder(w->b, copy);
  }
}

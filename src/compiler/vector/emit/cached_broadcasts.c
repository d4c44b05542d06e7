/* What all lanes share, in every lane of a vector.
 *
 * The result of a reduction is made in vector registers, and the next loop wants it there again:
 *
 *   for each chunk: sums += v;  r = fold(sums);  for each chunk: v = {r, r, ...} ^ ids
 *
 * A chain of reductions in small groups takes as long as this way does; with r in a register of
 * scalars, two moves between register classes and a broadcast are a third of it.  So a slot to
 * which such a result comes is kept twice, as a scalar and in all lanes of one register, and what
 * is computed from it on the way to a vector is a vector too.  LLVM drops what nobody reads. */
#include "values.h"

static LLVMValueRef lanes_of(struct mpl_spread *s, LLVMValueRef slot) {
  return (LLVMValueRef)mpl_map_get(&s->lanes, slot, 0);
}

static bool is_cheap(LLVMValueRef value) {
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMAdd:
  case LLVMSub:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    return true;
  default:
    return false;
  }
}

/* Is it read from such a slot, or computed from what is? */
static bool comes_from_lanes(struct mpl_spread *s, LLVMValueRef value, unsigned depth) {
  if (!LLVMIsAInstruction(value) || depth == MPL_DEEPEST) return false;
  if (LLVMIsALoadInst(value)) return mpl_map_has(&s->lanes, LLVMGetOperand(value, 0));
  for (int k = 0; is_cheap(value) && k < LLVMGetNumOperands(value); k++)
    if (comes_from_lanes(s, LLVMGetOperand(value, k), depth + 1)) return true;
  return false;
}

static bool is_stored_from_lanes(struct mpl_spread *s, LLVMValueRef slot) {
  MPL_EACH_USER(user, slot) {
    LLVMValueRef store = LLVMIsAStoreInst(user);
    if (store && comes_from_lanes(s, LLVMGetOperand(store, 0), 0)) return true;
  }
  return false;
}

/* Only this function reads and writes it. */
static bool is_own(LLVMValueRef slot) {
  MPL_EACH_USER(user, slot) {
    if (!LLVMIsALoadInst(user) && !LLVMIsAStoreInst(user)) return false;
  }
  return true;
}

void mpl_spread_begin(struct mpl_spread *s, struct mpl_module_ir *ir, LLVMValueRef function,
                      unsigned width) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
  *s = (struct mpl_spread){.ir = ir, .function = function, .width = width};
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (bool changed = true; changed;) {
    changed = false;
    MPL_EACH_INSTRUCTION(slot, entry) {
      if (!mpl_is_slot(ir, slot) || lanes_of(s, slot) || !is_own(slot)) continue;
      LLVMTypeRef type = LLVMGetAllocatedType(slot);
      if (mpl_shared_place_of(ir, slot).kind != MPL_PLACE_SUM && !is_stored_from_lanes(s, slot))
        continue;
      LLVMPositionBuilderBefore(b, slot);
      LLVMTypeRef vector = LLVMVectorType(type, mpl_lanes_of_register(ir->target, type, width));
      LLVMValueRef lanes = LLVMBuildAlloca(b, vector, "spread");
      mpl_map_set(&s->lanes, slot, (uintptr_t)lanes);
      changed = true;
    }
  }
  LLVMDisposeBuilder(b);
}

/* Beside the load of a slot that is kept in lanes; leaves the builder there. */
static LLVMValueRef load_lanes(struct mpl_spread *s, LLVMBuilderRef b, LLVMValueRef load) {
  LLVMValueRef known = (LLVMValueRef)mpl_map_get(&s->loads, load, 0),
               lanes = lanes_of(s, LLVMGetOperand(load, 0));
  if (known) return known;
  LLVMPositionBuilderBefore(b, load);
  known = LLVMBuildLoad2(b, LLVMGetAllocatedType(lanes), lanes, "");
  mpl_map_set(&s->loads, load, (uintptr_t)known);
  return known;
}

LLVMValueRef mpl_load_spread(struct mpl_emit *e, LLVMValueRef value) {
  struct mpl_spread *s = e->spread;
  LLVMValueRef load = LLVMIsALoadInst(value);
  if (!load || !lanes_of(s, LLVMGetOperand(load, 0)) || s->width != e->width) return NULL;
  LLVMBasicBlockRef at = LLVMGetInsertBlock(e->b);
  LLVMValueRef lanes = load_lanes(s, e->b, load);
  mpl_continue_at(e, at);
  unsigned count = LLVMGetVectorSize(LLVMTypeOf(lanes));
  if (count == e->width) return lanes;
  return mpl_pick(e->b, lanes, NULL, &(struct mpl_pick){e->width, count, .inner = 1});
}

bool mpl_computes_spread(struct mpl_emit *e, LLVMValueRef value) {
  return e->spread->width == e->width && !LLVMIsALoadInst(value) &&
         comes_from_lanes(e->spread, value, 0);
}

void mpl_store_spread(struct mpl_emit *e, LLVMValueRef store, LLVMValueRef vector) {
  LLVMValueRef lanes = lanes_of(e->spread, LLVMGetOperand(store, 1));
  if (!lanes || e->spread->width != e->width) return;
  unsigned count = LLVMGetVectorSize(LLVMGetAllocatedType(lanes));
  LLVMBuildStore(e->b, mpl_part_of(e, vector, 0, count), lanes);
  mpl_map_set(&e->spread->stores, store, 1);
}

/* In front of `store`, in all lanes: what is handed from slot to slot between loops stays there. */
static LLVMValueRef spread_out(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef store,
                               unsigned depth) {
  LLVMValueRef operands[2], lanes;
  if (!comes_from_lanes(e->spread, value, depth)) {
    lanes = mpl_splat(e, value);
  } else if (LLVMIsALoadInst(value)) {
    lanes = load_lanes(e->spread, e->b, value);
    LLVMPositionBuilderBefore(e->b, store);
  } else {
    for (unsigned k = 0; k < 2; k++)
      operands[k] = spread_out(e, LLVMGetOperand(value, k), store, depth + 1);
    lanes = LLVMBuildBinOp(e->b, LLVMGetInstructionOpcode(value), operands[0], operands[1], "");
  }
  return lanes;
}

/* The other stores to such slots. */
void mpl_spread_end(struct mpl_spread *s) {
  struct mpl_emit e = {.ir = s->ir, .spread = s};
  e.b = LLVMCreateBuilderInContext(s->ir->context);
  MPL_EACH_INSTRUCTION_OF(i, s->function) {
    LLVMValueRef store = LLVMIsAStoreInst(i),
                 lanes = store ? lanes_of(s, LLVMGetOperand(i, 1)) : NULL;
    if (!lanes || mpl_map_has(&s->stores, store)) continue;
    e.width = LLVMGetVectorSize(LLVMGetAllocatedType(lanes));
    LLVMPositionBuilderBefore(e.b, store);
    LLVMBuildStore(e.b, spread_out(&e, LLVMGetOperand(store, 0), store, 0), lanes);
  }
  LLVMDisposeBuilder(e.b);
  mpl_map_free(&s->lanes);
  mpl_map_free(&s->loads);
  mpl_map_free(&s->stores);
}

/* Loads along rows of the lanes' own, a[row * n + k] for each k, where the processor gathers
 * slowly.
 *
 * Each lane's row begins where it does before the loop, and all lanes are as far along it.  So the
 * begins are taken out of their vector once, in front of the loop, and in the loop each lane's
 * element is a scalar's load; LLVM makes one load of several iterations' then.  The address of a
 * gather would be a vector of 64-bit sums in each iteration, out of which it takes one lane after
 * another. */
#include "memory.h"

enum { DEEPEST = 6, MOST_TERMS = 8 };

struct row {
  struct mpl_emit *e;
  int loop;
  LLVMValueRef begins; /* of all lanes */
  LLVMValueRef along;  /* bytes that all lanes share */
};

static bool is_in_loop(struct row *r, LLVMValueRef value) {
  struct mpl_inner_loop *l = &r->e->lanes->items->loops[r->loop];
  if (!LLVMIsAInstruction(value)) return false;
  unsigned block = mpl_cfg_block_of(r->e->lanes->items->cfg, value);
  return block < r->e->lanes->items->cfg->count && !mpl_is_outside(l, block);
}

/* No iteration changes it. */
static bool is_fixed(struct row *r, LLVMValueRef value, unsigned depth) {
  if (!is_in_loop(r, value)) return true;
  if (depth == DEEPEST || !mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS)) return false;
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (!is_fixed(r, LLVMGetOperand(value, k), depth + 1)) return false;
  return true;
}

/* What a number is the sum of, once it has 64 bits. */
struct terms {
  LLVMValueRef list[MOST_TERMS];
  bool is_signed[MOST_TERMS]; /* how it is extended */
  unsigned count;
};

static bool find_terms(struct row *r, LLVMValueRef value, bool is_signed, struct terms *t) {
  bool narrow = LLVMGetIntTypeWidth(LLVMTypeOf(value)) < 64;
  if (is_fixed(r, value, 0) || !mpl_stride_of(r->e->lanes, value)) {
    if (t->count == MOST_TERMS) return false;
    t->is_signed[t->count] = is_signed;
    t->list[t->count++] = value;
    return true;
  }
  if (!LLVMIsAInstruction(value)) return false;
  LLVMValueRef of = LLVMGetOperand(value, 0);
  switch (LLVMGetInstructionOpcode(value)) {
  case LLVMSExt:
  case LLVMZExt:
    return !narrow && find_terms(r, of, LLVMIsASExtInst(value) != NULL, t);
  case LLVMAdd:
    if (narrow && !(is_signed ? LLVMGetNSW(value) : LLVMGetNUW(value))) return false;
    return find_terms(r, of, is_signed, t) &&
           find_terms(r, LLVMGetOperand(value, 1), is_signed, t);
  default:
    return false;
  }
}

/* Adds `size` times the index to the one or to the other. */
static void add_terms(struct row *r, const struct terms *t, uint64_t size) {
  struct mpl_emit *e = r->e;
  LLVMValueRef by = mpl_const64(e->ir, size);
  for (unsigned k = 0; k < t->count; k++) {
    bool varies = mpl_stride_of(e->lanes, t->list[k]) != 0;
    LLVMTypeRef type = varies ? mpl_vector_type(e, e->ir->i64) : e->ir->i64;
    LLVMValueRef term = varies ? mpl_vector(e, t->list[k]) : mpl_scalar(e, t->list[k]);
    term = LLVMBuildIntCast2(e->b, term, type, t->is_signed[k], "");
    term = LLVMBuildMul(e->b, term, varies ? mpl_splat(e, by) : by, "");
    if (varies)
      r->begins = LLVMBuildGEP2(e->b, e->ir->i8, r->begins, &term, 1, "");
    else
      r->along = LLVMBuildAdd(e->b, r->along, term, "");
  }
}

static bool find_row(struct row *r, LLVMValueRef pointer) {
  enum { STEPS = 3 };
  struct mpl_emit *e = r->e;
  struct terms terms[STEPS];
  uint64_t sizes[STEPS];
  unsigned steps = 0;
  while (is_in_loop(r, pointer)) {
    if (!LLVMIsAGetElementPtrInst(pointer) || LLVMGetNumOperands(pointer) != 2 || steps == STEPS)
      return false;
    terms[steps].count = 0;
    if (!find_terms(r, LLVMGetOperand(pointer, 1), true, &terms[steps])) return false;
    sizes[steps++] = LLVMABISizeOfType(e->ir->layout, LLVMGetGEPSourceElementType(pointer));
    pointer = LLVMGetOperand(pointer, 0);
  }
  if (!steps) return false;
  r->begins = mpl_vector(e, pointer);
  r->along = mpl_const64(e->ir, 0);
  for (unsigned s = steps; s--;) add_terms(r, &terms[s], sizes[s]);
  return true;
}

LLVMValueRef mpl_load_rows(struct mpl_emit *e, LLVMValueRef load) {
  unsigned block = mpl_cfg_block_of(e->items->cfg, load);
  struct row r = {.e = e, .loop = e->items->inner[block]};
  LLVMTypeRef type = LLVMTypeOf(load);
  if (e->ir->target->mask_bits || e->mask || r.loop < 0 || !find_row(&r, LLVMGetOperand(load, 0)))
    return NULL;
  LLVMValueRef value = LLVMGetPoison(mpl_vector_type(e, type));
  for (unsigned k = 0; k < e->width; k++) {
    LLVMValueRef lane = mpl_const32(e->ir, k),
                 at = LLVMBuildExtractElement(e->b, r.begins, lane, "");
    at = LLVMBuildGEP2(e->b, e->ir->i8, at, &r.along, 1, "");
    LLVMValueRef element = LLVMBuildLoad2(e->b, type, at, "");
    LLVMSetAlignment(element, LLVMGetAlignment(load));
    value = LLVMBuildInsertElement(e->b, value, element, lane, "");
  }
  return value;
}

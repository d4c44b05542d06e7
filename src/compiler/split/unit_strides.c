/* Strides that are arguments: x[i * incx].
 *
 * A library's function takes any; a program hands over 1 mostly.  Then elements lie side by side,
 * and there is a second function for it, in which the stride is a constant: wide accesses take an
 * eighth of the time of gathers.  A stride in bytes is to be the size of an element.
 *
 * The length of a row is a stride too, of work-items that have a row each, but is hardly ever 1: in
 * x[row * n + k] something else counts elements, a loop or an id. */
#include "unit_strides.h"

#include "compiler/analysis/cost_table.h"
#include "compiler/analysis/loops.h"

struct search {
  struct mpl_flow flow;
  LLVMValueRef found[MPL_MOST_STRIDES]; /* of one place */
  unsigned count;
};

static bool is_setup(const struct search *s, LLVMValueRef value) {
  return LLVMGetInstructionParent(value) == s->flow.cfg.blocks[0];
}

/* The same small number, as a longer or shorter one perhaps. */
static bool is_same(LLVMValueRef value) {
  return LLVMIsASExtInst(value) || LLVMIsAZExtInst(value) || LLVMIsATruncInst(value) ||
         LLVMIsAFreezeInst(value);
}

/* The argument that the number is; or null. */
static LLVMValueRef argument_of(const struct search *s, LLVMValueRef value) {
  while (is_same(value)) value = LLVMGetOperand(value, 0);
  if (!LLVMIsALoadInst(value) || !is_setup(s, value)) return NULL;
  LLVMValueRef place = LLVMGetOperand(value, 0);
  if (LLVMIsAGetElementPtrInst(place)) place = LLVMGetOperand(place, 0);
  return LLVMIsALoadInst(place) ? value : NULL; /* of the arguments' block */
}

/* Of a product: the argument that it is one with, and the other operand; or null. */
static LLVMValueRef stride_in(const struct search *s, LLVMValueRef value, LLVMValueRef *other) {
  if (!mpl_is_op(value, LLVMMul)) return NULL;
  for (unsigned k = 0; k < 2; k++) {
    LLVMValueRef argument = argument_of(s, LLVMGetOperand(value, k));
    if (!argument) continue;
    *other = LLVMGetOperand(value, !k);
    return argument;
  }
  return NULL;
}

/* What a loop begins to count with; or null.  Work-items that leave it one after another step alike
 * until then. */
static LLVMValueRef first_of(struct search *s, LLVMValueRef phi) {
  for (unsigned k = 0; LLVMIsAPHINode(phi) && k < LLVMCountIncoming(phi); k++) {
    LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
    if (mpl_map_get(&s->flow.cfg.index, from, 0) < mpl_cfg_block_of(&s->flow.cfg, phi))
      return LLVMGetIncomingValue(phi, k);
  }
  return NULL;
}

/* Does it count elements without a stride: a loop, or an id? */
static bool counts(struct search *s, LLVMValueRef value, unsigned depth) {
  LLVMValueRef other, first = first_of(s, value);
  if (!LLVMIsAInstruction(value) || is_setup(s, value) || stride_in(s, value, &other)) return false;
  if (first && !mpl_is_uniform(&s->flow.shapes, first)) return counts(s, first, depth + 1);
  if (depth >= MPL_DEEPEST || !mpl_only_computes(value, MPL_INTEGER | MPL_ADDRESS))
    return LLVMIsAPHINode(value) || !mpl_is_uniform(&s->flow.shapes, value);
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (counts(s, LLVMGetOperand(value, (unsigned)k), depth + 1)) return true;
  return false;
}

static void note(struct search *s, LLVMValueRef stride) {
  for (unsigned k = 0; k < s->count; k++)
    if (s->found[k] == stride) return;
  if (s->count < MPL_MOST_STRIDES) s->found[s->count++] = stride;
}

/* What an operand is if strides are one. */
static bool with_ones(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  struct search *s = *(struct search *const *)data;
  LLVMValueRef other = first_of(s, value), stride = other ? NULL : stride_in(s, value, &other);
  *shape = mpl_shape_of(&s->flow.shapes, value);
  if (shape->kind != MPL_VARYING) return true;
  if (!other) return false;
  *shape = mpl_shape_by(&s->flow.shapes, other, with_ones, data);
  if (stride && shape->kind == MPL_STRIDED && shape->stride) note(s, stride);
  return true;
}

static void add(struct mpl_unit_strides *u, LLVMValueRef stride, uint64_t one) {
  for (unsigned k = 0; k < u->count; k++)
    if (u->list[k] == stride) return;
  if (u->count == MPL_MOST_STRIDES) return;
  u->list[u->count] = stride;
  u->ones[u->count++] = one;
}

/* The strides with which the place, of `size` bytes, would be beside its neighbours'. */
static void look_at(struct search *s, LLVMValueRef place, uint64_t size,
                    struct mpl_unit_strides *u) {
  s->count = 0;
  struct mpl_shape shape = mpl_shape_by(&s->flow.shapes, place, with_ones, &s);
  if (!s->count || shape.kind != MPL_STRIDED || shape.stride < 1 || counts(s, place, 0)) return;
  uint64_t bytes = (uint64_t)shape.stride, one = size / bytes;
  if (bytes > MPL_GIVEN_FIELDS * size) return;
  if (bytes > size ? bytes % size : size % bytes) return;
  if (one > 1 && s->count > 1) return; /* which of them? */
  for (unsigned k = 0; k < s->count; k++) add(u, s->found[k], one ? one : 1);
}

static void find(LLVMValueRef function, LLVMTargetDataRef layout, struct mpl_unit_strides *u) {
  struct search s = {0};
  *u = (struct mpl_unit_strides){0};
  mpl_flow_find(&s.flow, function);
  MPL_EACH_INSTRUCTION_OF(i, function) {
    LLVMValueRef place = mpl_accessed_place(i);
    if (place) look_at(&s, place, LLVMABISizeOfType(layout, mpl_accessed_type(i)), u);
  }
  mpl_flow_free(&s.flow);
}

/* Constants are the second operands of products. */
static void set(LLVMValueRef value, uint64_t number) {
  MPL_EACH_USER(user, value) {
    if (is_same(user)) set(user, number);
    if (mpl_is_op(user, LLVMMul) && LLVMGetOperand(user, 0) == value) {
      LLVMSetOperand(user, 0, LLVMGetOperand(user, 1));
      LLVMSetOperand(user, 1, value);
    }
  }
  LLVMReplaceAllUsesWith(value, LLVMConstInt(LLVMTypeOf(value), number, false));
}

LLVMValueRef mpl_copy_for_unit_strides(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel,
                                       struct mpl_unit_strides *of_group, unsigned *length) {
  unsigned own = mpl_length_of(kernel->group);
  struct mpl_unit_strides u;
  if (ir->filters || own > MPL_GIVEN_UNIT_LENGTH || *length + own > MPL_GIVEN_UNIT_LENGTHS)
    return NULL;
  find(kernel->group, ir->layout, of_group);
  if (!of_group->count) return NULL;
  *length += own;
  LLVMValueRef copy = mpl_copy_group(kernel, "mpl_unit.");
  find(copy, ir->layout, &u);
  for (unsigned k = 0; k < u.count; k++) set(u.list[k], u.ones[k]);
  return copy;
}

LLVMValueRef mpl_are_unit_strides(LLVMBuilderRef b, const struct mpl_unit_strides *u) {
  LLVMValueRef all = NULL;
  for (unsigned k = 0; k < u->count; k++) {
    LLVMValueRef one = LLVMConstInt(LLVMTypeOf(u->list[k]), u->ones[k], false),
                 is = LLVMBuildICmp(b, LLVMIntEQ, u->list[k], one, "");
    all = all ? LLVMBuildAnd(b, all, is, "") : is;
  }
  return all;
}

/* Which kernels do not depend on how their range is divided into groups.
 *
 * Host programs that know GPUs or single threads launch kernels in groups of one work-item, or a
 * few, for which a chunk of lanes is mostly empty.  Where the work-items ask for nothing but their
 * global ids, meet nowhere, and share no local memory, no program can tell that the groups were
 * larger; the run time makes them so (cpu/launch.c).
 *
 * A global id is offset + group id * local size + local id (builtins/workitem.cl).  What is
 * added, subtracted, multiplied by a constant or used as an index has such a product and local id
 * in it some number of times; where it is used for anything else, both equally often. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "abi/kernel.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "source.h"

enum { DIMENSIONS = 3 };

/* How often the group's first id (without the offset) and the local id are in a value. */
struct form {
  int64_t first[DIMENSIONS], local[DIMENSIONS];
};

struct finder {
  struct mpl_module_ir *ir;
  LLVMValueRef function;
  struct mpl_map index; /* value -> place in `list`, and one more */
  struct form *list;
  size_t count;
};

static bool is_whole(const struct form *form) {
  return !memcmp(form->first, form->local, sizeof form->first);
}

static void add(struct form *to, const struct form *form, int64_t times) {
  for (unsigned d = 0; d < DIMENSIONS; d++) {
    to->first[d] = (int64_t)((uint64_t)to->first[d] + (uint64_t)form->first[d] * (uint64_t)times);
    to->local[d] = (int64_t)((uint64_t)to->local[d] + (uint64_t)form->local[d] * (uint64_t)times);
  }
}

static LLVMValueRef shortened(LLVMValueRef value) {
  while (LLVMIsATruncInst(value)) value = LLVMGetOperand(value, 0);
  return value;
}

/* Which of a field's three numbers a load reads; -1: it reads another. */
static int dimension_of(const struct finder *f, LLVMValueRef value, unsigned param, size_t field) {
  int64_t offset;
  if (!LLVMIsALoadInst(value) || LLVMTypeOf(value) != f->ir->i64) return -1;
  LLVMValueRef base = mpl_base_of(f->ir, LLVMGetOperand(value, 0), &offset);
  if (base != LLVMGetParam(f->function, param)) return -1;
  offset -= (int64_t)field;
  return offset < 0 || offset % 8 || offset >= 8 * DIMENSIONS ? -1 : (int)(offset / 8);
}

static int group_of(const struct finder *f, LLVMValueRef value) {
  return dimension_of(f, value, 1, offsetof(struct mpl_group, id));
}

static int size_of(const struct finder *f, LLVMValueRef value) {
  return dimension_of(f, value, 0, offsetof(struct mpl_launch, local_size));
}

/* group id * local size, of one dimension; or -1 */
static int first_of(const struct finder *f, LLVMValueRef value) {
  if (!mpl_is_op(value, LLVMMul)) return -1;
  LLVMValueRef a = shortened(LLVMGetOperand(value, 0)), b = shortened(LLVMGetOperand(value, 1));
  int group = group_of(f, a), size = size_of(f, b);
  if (group < 0) {
    group = group_of(f, b);
    size = size_of(f, a);
  }
  return group == size ? group : -1;
}

/* A part of such products only. */
static bool is_multiplied(const struct finder *f, LLVMValueRef value, unsigned depth) {
  MPL_EACH_USER(user, value) {
    bool good = LLVMIsATruncInst(user) ? depth < MPL_DEEPEST && is_multiplied(f, user, depth + 1)
                                       : first_of(f, user) >= 0;
    if (!good) return false;
  }
  return true;
}

static struct form form_of(struct finder *f, LLVMValueRef value);

/* Adds `times` an operand. */
static void add_operand(struct finder *f, LLVMValueRef i, unsigned operand, int64_t times,
                        struct form *form) {
  struct form own = form_of(f, LLVMGetOperand(i, operand));
  add(form, &own, times);
}

static void add_place(struct finder *f, LLVMValueRef i, struct form *form) {
  add_operand(f, i, 0, 1, form);
  MPL_EACH_INDEX(index, i, f->ir->layout)
  if (!index.is_member) add_operand(f, i, index.operand, (int64_t)index.bytes, form);
}

/* A constant that the operand behind the first is; else 0. */
static int64_t constant_of(LLVMValueRef i) {
  LLVMValueRef by = LLVMGetNumOperands(i) == 2 ? LLVMIsAConstantInt(LLVMGetOperand(i, 1)) : NULL;
  return by && LLVMGetIntTypeWidth(LLVMTypeOf(by)) <= 64 ? LLVMConstIntGetSExtValue(by) : 0;
}

/* Is it a sum of its operands?  These are added to `form`. */
static bool add_sum(struct finder *f, LLVMValueRef i, struct form *form) {
  int64_t by = constant_of(i);
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMAdd:
  case LLVMSub:
    add_operand(f, i, 0, 1, form);
    add_operand(f, i, 1, LLVMGetInstructionOpcode(i) == LLVMAdd ? 1 : -1, form);
    return true;
  case LLVMMul:
    if (by) add_operand(f, i, 0, by, form);
    return by;
  case LLVMShl:
    if (by > 0 && by < 63) add_operand(f, i, 0, (int64_t)1 << by, form);
    return by > 0 && by < 63;
  case LLVMTrunc:
    add_operand(f, i, 0, 1, form);
    return true;
  case LLVMGetElementPtr:
    add_place(f, i, form);
    return true;
  default:
    return false;
  }
}

static struct form compute(struct finder *f, LLVMValueRef i) {
  struct form form = {0};
  enum mpl_marker marker = mpl_marker_of(i);
  int first = first_of(f, i);
  if (first >= 0)
    form.first[first] = 1;
  else if (mpl_is_local_id(marker))
    form.local[marker - MPL_MARK_LOCAL_ID_0] = 1;
  else
    add_sum(f, i, &form);
  return form;
}

static struct form form_of(struct finder *f, LLVMValueRef value) {
  if (!LLVMIsAInstruction(value)) return (struct form){0};
  uintptr_t at = mpl_map_get(&f->index, value, 0);
  if (at) return f->list[at - 1];
  struct form form = compute(f, value);
  MPL_APPEND(f->list, f->count) = form;
  mpl_map_set(&f->index, value, f->count);
  return form;
}

/* The instruction is such a sum, or each operand has both equally often. */
static bool keeps_whole(struct finder *f, LLVMValueRef i) {
  struct form none = {0};
  bool whole = true;
  if (first_of(f, i) >= 0 || add_sum(f, i, &none)) return true;
  for (int k = 0; k < LLVMGetNumOperands(i) && whole; k++) {
    struct form form = form_of(f, LLVMGetOperand(i, (unsigned)k));
    whole = is_whole(&form);
  }
  return whole;
}

static bool is_local_memory(LLVMValueRef value, unsigned depth) {
  if (LLVMIsAGlobalVariable(value))
    return mpl_is_program_local(value) || mpl_space_of(value) == MPL_LOCAL_SPACE;
  if (!LLVMIsAConstantExpr(value) || depth == MPL_DEEPEST) return LLVMIsAConstantExpr(value);
  for (int k = 0; k < LLVMGetNumOperands(value); k++)
    if (is_local_memory(LLVMGetOperand(value, (unsigned)k), depth + 1)) return true;
  return false;
}

static bool is_of_launch(const struct finder *f, LLVMValueRef pointer) {
  while (LLVMIsAGetElementPtrInst(pointer)) pointer = LLVMGetOperand(pointer, 0);
  return pointer == LLVMGetParam(f->function, 0) || pointer == LLVMGetParam(f->function, 1);
}

/* Of the launch and the group: nothing that the groups decide but parts of ids. */
static bool read_is_harmless(const struct finder *f, LLVMValueRef load) {
  int64_t offset;
  LLVMValueRef pointer = LLVMGetOperand(load, 0), base = mpl_base_of(f->ir, pointer, &offset);
  if (!is_of_launch(f, pointer)) return true;
  if (group_of(f, load) >= 0 || size_of(f, load) >= 0) return is_multiplied(f, load, 0);
  return base == LLVMGetParam(f->function, 0) &&
         (offset < (int64_t)offsetof(struct mpl_launch, local_size) ||
          offset >= (int64_t)offsetof(struct mpl_launch, args));
}

/* It is in local memory, or others may read anything of the launch or the group. */
static bool hands_on(const struct finder *f, LLVMValueRef i) {
  bool address = LLVMIsAGetElementPtrInst(i) || LLVMIsALoadInst(i);
  for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
    if (is_local_memory(operand, 0) || (is_of_launch(f, operand) && !(address && !k))) return true;
  }
  return false;
}

static bool is_harmless(struct finder *f, LLVMValueRef i) {
  enum mpl_marker marker = mpl_marker_of(i);
  if (mpl_is_sync(marker) || hands_on(f, i)) return false;
  if (mpl_is_id(marker)) return mpl_is_local_id(marker);
  if (LLVMIsALoadInst(i) && !read_is_harmless(f, i)) return false;
  return keeps_whole(f, i);
}

static bool depends_on_none(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel) {
  struct finder f = {.ir = ir, .function = kernel->group};
  bool good = !kernel->uses_lanes && !kernel->reqd_local[0];
  for (unsigned i = 0; i < kernel->num_args; i++) good &= kernel->args[i].kind != MPL_ARG_LOCAL;
  MPL_EACH_INSTRUCTION_OF(i, kernel->group) good = good && is_harmless(&f, i);
  mpl_map_free(&f.index);
  free(f.list);
  return good;
}

bool mpl_find_free_kernels(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel) {
  if (ir->filters || !depends_on_none(ir, kernel)) return false;
  kernel->flags |= MPL_KERNEL_ANY_GROUPS;
  mpl_remark(ir, kernel->group, "its groups may be of any size");
  return false; /* but for the flag */
}

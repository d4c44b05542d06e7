/* Kernels in C and C++ have one argument, a block that the program makes up.  What their filters
 * look at is memory of roots (abi/filter.h): pointers of which it is known before a launch where
 * they stand.  Each is like an argument of an OpenCL kernel to what is behind this. */
#include "abi/filter.h"
#include "compiler/analysis/markers.h"
#include "filter.h"
#include "items.h"

enum { MOST_ROOTS = 64, MOST_DEPTH = 4 };

struct search {
  struct mpl_module_ir *ir;
  struct mpl_ir_kernel *kernel;
  struct mpl_map seen; /* phis and selects */
};

/* --- Where a pointer stands --- */

static bool is_gep(LLVMValueRef value) {
  return LLVMIsAGetElementPtrInst(value) ||
         (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

/* The base that `pointer` is a known number of bytes behind. */
static LLVMValueRef known_base(struct mpl_module_ir *ir, LLVMValueRef pointer, uint64_t *offset) {
  int64_t sum = 0;
  while (LLVMIsAAddrSpaceCastInst(pointer) ||
         (is_gep(pointer) && mpl_add_indices(ir->layout, pointer, &sum)))
    pointer = LLVMGetOperand(pointer, 0);
  *offset = (uint64_t)sum;
  return pointer;
}

/* Does it stand there in the launch (0), or the group (1)? */
static bool is_loaded_from(struct mpl_module_ir *ir, LLVMValueRef load, unsigned parameter,
                           LLVMTypeRef type, unsigned field) {
  uint64_t offset;
  if (!LLVMIsALoadInst(load)) return false;
  LLVMValueRef base = known_base(ir, LLVMGetOperand(load, 0), &offset);
  enum mpl_marker marker = parameter ? MPL_MARK_GROUP : MPL_MARK_LAUNCH; /* yet, on GPUs */
  return (base == LLVMGetParam(mpl_function_of(load), parameter) || mpl_marker_of(base) == marker) &&
         offset == LLVMOffsetOfElement(ir->layout, type, field);
}

bool mpl_is_dynamic_local(struct mpl_module_ir *ir, LLVMValueRef load) {
  return is_loaded_from(ir, load, 1, ir->group_type, MPL_GROUP_LOCAL_BASE);
}

/* --- The list --- */

static bool is_same(const struct mpl_ir_root *a, const struct mpl_ir_root *b) {
  return a->kind == b->kind && a->from == b->from && a->offset == b->offset &&
         a->variable == b->variable;
}

/* Its number, from 1 on; 0 if there are too many. */
static unsigned number_of(struct search *s, const struct mpl_ir_root *root) {
  struct mpl_ir_kernel *kernel = s->kernel;
  for (unsigned k = 0; k < kernel->num_args; k++)
    if (is_same(&kernel->roots[k], root)) return k + 1;
  if (kernel->num_args == MOST_ROOTS) return 0;
  if (!kernel->roots) {
    kernel->args = mpl_allocate(MOST_ROOTS, sizeof *kernel->args);
    kernel->roots = mpl_allocate(MOST_ROOTS, sizeof *kernel->roots);
  }
  kernel->args[kernel->num_args].kind =
      root->kind == MPL_ROOT_LOCAL ? MPL_ARG_LOCAL : MPL_ARG_POINTER;
  kernel->roots[kernel->num_args++] = *root;
  return kernel->num_args;
}

static unsigned find(struct search *s, LLVMValueRef base, unsigned depth);

static bool is_block(struct mpl_module_ir *ir, LLVMValueRef base) {
  return is_loaded_from(ir, base, 0, ir->launch_type, MPL_LAUNCH_ARGS);
}

bool mpl_is_behind_block(struct mpl_module_ir *ir, LLVMValueRef pointer, uint64_t *bytes) {
  return is_block(ir, known_base(ir, pointer, bytes));
}

static unsigned find_loaded(struct search *s, LLVMValueRef load, unsigned depth) {
  struct mpl_ir_root root = {.kind = MPL_ROOT_BLOCK};
  if (is_block(s->ir, load)) {
    root = (struct mpl_ir_root){.kind = MPL_ROOT_ARGS, .size = s->kernel->args_size};
    return root.size ? number_of(s, &root) : 0;
  }
  if (mpl_is_dynamic_local(s->ir, load)) {
    root.kind = MPL_ROOT_LOCAL;
    return number_of(s, &root);
  }
  if (LLVMTypeOf(load) != s->ir->ptr || mpl_is_seen_by_others(load)) return 0;
  LLVMValueRef base = known_base(s->ir, LLVMGetOperand(load, 0), &root.offset);
  if (is_block(s->ir, base)) {
    if (root.offset + sizeof(uint64_t) > s->kernel->args_size) return 0;
  } else {
    root.kind = MPL_ROOT_MEMORY;
    root.from = find(s, base, depth + 1);
    if (!root.from || s->kernel->roots[root.from - 1].kind == MPL_ROOT_LOCAL) return 0;
  }
  return number_of(s, &root);
}

/* Of several all are the same; what is null is nowhere. */
static unsigned find_chosen(struct search *s, LLVMValueRef base, unsigned depth) {
  bool is_phi = LLVMIsAPHINode(base);
  unsigned count = is_phi ? LLVMCountIncoming(base) : 2, found = 0;
  if (!mpl_map_add(&s->seen, base)) return 0;
  for (unsigned k = 0; k < count; k++) {
    LLVMValueRef from = is_phi ? LLVMGetIncomingValue(base, k) : LLVMGetOperand(base, k + 1);
    while (is_gep(from) || LLVMIsAAddrSpaceCastInst(from)) from = LLVMGetOperand(from, 0);
    bool is_null = LLVMIsAConstant(from) && LLVMIsNull(from);
    if (is_null || mpl_map_has(&s->seen, from)) continue; /* it is found by another way */
    unsigned one = find(s, from, depth);
    if (!one || (found && one != found)) return 0;
    found = one;
  }
  return found;
}

static unsigned find_variable(struct search *s, LLVMValueRef variable) {
  LLVMTypeRef type = LLVMGlobalGetValueType(variable);
  if (LLVMIsThreadLocal(variable) || !LLVMTypeIsSized(type)) return 0;
  struct mpl_ir_root root = {.kind = MPL_ROOT_GLOBAL,
                             .size = LLVMABISizeOfType(s->ir->layout, type),
                             .variable = variable};
  return root.size ? number_of(s, &root) : 0;
}

static unsigned find(struct search *s, LLVMValueRef base, unsigned depth) {
  if (depth > MOST_DEPTH) return 0;
  if (LLVMIsALoadInst(base)) return find_loaded(s, base, depth);
  if (LLVMIsAPHINode(base) || LLVMIsASelectInst(base)) return find_chosen(s, base, depth);
  return LLVMIsAGlobalVariable(base) ? find_variable(s, base) : 0;
}

bool mpl_is_in_block(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel,
                     LLVMValueRef pointer, LLVMValueRef size) {
  uint64_t offset, bytes = LLVMIsAConstantInt(size) ? LLVMConstIntGetZExtValue(size) : UINT64_MAX;
  return mpl_is_behind_block(ir, pointer, &offset) && offset <= kernel->args_size &&
         bytes <= kernel->args_size - offset;
}

unsigned mpl_find_root(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel, LLVMValueRef base) {
  struct search s = {.ir = ir, .kernel = kernel};
  unsigned number = find(&s, base, 0);
  mpl_map_free(&s.seen);
  return number;
}

/* What a block only reads comes from memory where it keeps a few values too many for the registers.
 *
 *   x[k] = x[k] * x[k] + c, for as many k as there are registers
 *
 * LLVM's register allocator weighs a value by its uses: it keeps the c that all share, and moves
 * some x to memory and back in each step, which the next step waits for.  An operation may take one
 * of its operands from memory for nothing.  Such loads are volatile, or LLVM would make one of all;
 * behind its passes that keeps it from nothing else. */
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/analysis/target.h"
#include "compiler/plugin.h"

enum { SHARED = 4 /* operations */, LOWEST = 16 /* bytes of the smallest register */ };

struct pressure {
  LLVMTargetDataRef layout;
  LLVMBuilderRef b;
  unsigned unit, registers;
  LLVMBasicBlockRef block;
  struct mpl_map live; /* values, behind what is looked at */
  unsigned sum, most;  /* registers: of what is live, and of that at most */
};

static unsigned registers_of(const struct pressure *p, LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (!mpl_is_vector_type(type) || LLVMIsAConstant(value)) return 0;
  unsigned bytes = (unsigned)LLVMABISizeOfType(p->layout, type);
  return bytes < LOWEST ? 0 : bytes < p->unit ? 1 : bytes / p->unit;
}

static void set_live(struct pressure *p, LLVMValueRef value, bool live) {
  unsigned registers = registers_of(p, value);
  if (!registers) return;
  uintptr_t *at = mpl_map_at(&p->live, value, 0, true);
  if (*at == live) return;
  *at = live;
  p->sum += live ? registers : -registers;
  if (p->sum > p->most) p->most = p->sum;
}

/* The phi of a block is of those that come to it. */
static bool leaves(const struct pressure *p, LLVMValueRef value) {
  MPL_EACH_USER(user, value) {
    if (LLVMGetInstructionParent(user) != p->block || LLVMIsAPHINode(user)) return true;
  }
  return false;
}

/* Fills in `most`; what is live in front of the block's instructions is in `live` then. */
static void look_at(struct pressure *p) {
  MPL_EACH_INSTRUCTION(i, p->block) {
    if (registers_of(p, i) && leaves(p, i)) set_live(p, i, true);
    for (int k = 0; k < LLVMGetNumOperands(i) && !LLVMIsAPHINode(i); k++) {
      LLVMValueRef value = LLVMGetOperand(i, k);
      if (registers_of(p, value) && leaves(p, value)) set_live(p, value, true);
    }
  }
  for (LLVMValueRef i = LLVMGetLastInstruction(p->block); i && !LLVMIsAPHINode(i);
       i = LLVMGetPreviousInstruction(i)) {
    set_live(p, i, false);
    for (int k = 0; k < LLVMGetNumOperands(i); k++) set_live(p, LLVMGetOperand(i, k), true);
  }
}

static bool is_fma(LLVMValueRef i) {
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  unsigned id = callee ? LLVMGetIntrinsicID(callee) : 0;
  return id && (id == LLVMLookupIntrinsicID("llvm.fma", 8) ||
                id == LLVMLookupIntrinsicID("llvm.fmuladd", 12));
}

/* May the operation take that operand from memory? */
static bool may_read(LLVMValueRef i, LLVMValueRef value) {
  unsigned times = 0;
  for (int k = 0; k < LLVMGetNumOperands(i); k++) times += LLVMGetOperand(i, k) == value;
  if (times != 1) return false;
  switch (LLVMGetInstructionOpcode(i)) {
  case LLVMFAdd:
  case LLVMFMul:
  case LLVMAdd:
  case LLVMMul:
  case LLVMAnd:
  case LLVMOr:
  case LLVMXor:
    return true;
  case LLVMFSub:
  case LLVMSub:
    return LLVMGetOperand(i, 1) == value;
  default:
    return is_fma(i);
  }
}

/* How many operations may read it, if all do and it is from elsewhere. */
static unsigned readers_of(const struct pressure *p, LLVMValueRef value) {
  unsigned count = 0;
  if (LLVMIsAInstruction(value) ? LLVMGetInstructionParent(value) == p->block
                                : !LLVMIsAArgument(value))
    return 0;
  MPL_EACH_USER(user, value) {
    if (LLVMGetInstructionParent(user) != p->block || !may_read(user, value)) return 0;
    count++;
  }
  return count;
}

static void read_from_memory(struct pressure *p, LLVMValueRef value) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(LLVMGetBasicBlockParent(p->block));
  LLVMTypeRef type = LLVMTypeOf(value);
  LLVMPositionBuilderBefore(p->b, LLVMGetFirstInstruction(entry));
  LLVMValueRef place = LLVMBuildAlloca(p->b, type, "");
  LLVMValueRef behind = LLVMIsAInstruction(value) ? LLVMGetNextInstruction(value) : NULL;
  if (!behind) behind = LLVMGetNextInstruction(place);
  while (LLVMIsAPHINode(behind)) behind = LLVMGetNextInstruction(behind);
  LLVMPositionBuilderBefore(p->b, behind);
  LLVMValueRef store = LLVMBuildStore(p->b, value, place);
  MPL_EACH_INSTRUCTION(i, p->block) {
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
      if (LLVMGetOperand(i, k) != value || i == store) continue;
      LLVMPositionBuilderBefore(p->b, i);
      LLVMValueRef load = LLVMBuildLoad2(p->b, type, place, "");
      LLVMSetVolatile(load, true);
      LLVMSetOperand(i, k, load);
    }
  }
}

/* Of what is live, what most operations read and is not chosen yet; or null.  In the order of the code: that
 * of a map by addresses would differ from build to build. */
static LLVMValueRef most_read(const struct pressure *p, const LLVMValueRef *chosen,
                              unsigned count) {
  unsigned most = SHARED - 1;
  LLVMValueRef best = NULL;
  MPL_EACH_INSTRUCTION(i, p->block) for (int k = 0; k < LLVMGetNumOperands(i); k++) {
    LLVMValueRef value = LLVMGetOperand(i, k);
    unsigned known = 0;
    if (!mpl_map_get(&p->live, value, 0)) continue;
    while (known < count && chosen[known] != value) known++;
    if (known < count || readers_of(p, value) <= most) continue;
    most = readers_of(p, value);
    best = value;
  }
  return best;
}

/* So many of them that the others fit the registers; or none. */
static void relieve(struct pressure *p) {
  enum { MOST = 4 };
  LLVMValueRef chosen[MOST];
  unsigned over = p->most - p->registers, count = 0;
  while (over) {
    LLVMValueRef value = count < MOST ? most_read(p, chosen, count) : NULL;
    if (!value) return;
    unsigned less = registers_of(p, value);
    over = over > less ? over - less : 0;
    chosen[count++] = value;
  }
  while (count-- > 0) read_from_memory(p, chosen[count]);
}

void mpl_relieve_registers(LLVMModuleRef module) {
  MPL_BUILDER(b, LLVMGetModuleContext(module));
  const struct mpl_target *target = mpl_target_of(mpl_target_model(module));
  struct pressure p = {.layout = LLVMGetModuleDataLayout(module),
                       .b = b,
                       .unit = target->register_bytes,
                       .registers = target->registers};
  MPL_EACH_FUNCTION(f, module) {
    if (LLVMIsDeclaration(f) || strncmp(LLVMGetValueName(f), "mpl_", 4)) continue;
    MPL_EACH_BLOCK(block, f) {
      p.block = block;
      p.sum = p.most = 0;
      look_at(&p);
      if (p.most > p.registers) relieve(&p);
      mpl_map_free(&p.live);
    }
  }
}

/* Blocks that no work-item comes to: all ways from them lead to `unreachable`, as that for another
 * case of a switch that has them all.  They are in no loop of work-items; but what is there, such
 * as a store that LLVM has moved out of a loop, uses values of which copies of that loop know
 * nothing. So they are emptied first.
 *
 * A loop without an end may be what the program wants: it is no way to `unreachable`.  Nor is what
 * the host stops (split/emit/sub_group_driver.c). */
#include <stdlib.h>

#include "compiler/analysis/cfg.h"
#include "compiler/passes.h"
#include "expand.h"

struct ends {
  struct mpl_cfg cfg;
  bool *dead; /* by block: it leads to `unreachable`; then, nowhere else */
  unsigned *list;
};

static bool may_stop(LLVMValueRef i) {
  LLVMValueRef callee = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
  return callee && !LLVMIsAInlineAsm(callee) && (!LLVMIsAFunction(callee) || mpl_is_trap(i));
}

static bool is_unreachable(struct ends *e, unsigned block) {
  return LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(e->cfg.blocks[block])) != NULL;
}

/* All that lead to the `count` blocks of the list become `dead` or not. */
static void spread_back(struct ends *e, unsigned count, bool dead) {
  while (count) {
    struct mpl_edges *preds = &e->cfg.preds[e->list[--count]];
    MPL_EACH_EDGE(from, preds) {
      if (e->dead[from] == dead) continue;
      e->dead[from] = dead;
      e->list[count++] = from;
    }
  }
}

static void find(struct ends *e) {
  unsigned count = 0;
  for (unsigned k = 0; k < e->cfg.count; k++)
    if (is_unreachable(e, k)) e->dead[k] = true, e->list[count++] = k;
  spread_back(e, count, true);
  count = 0;
  for (unsigned k = 0; k < e->cfg.count; k++) {
    bool lives = !e->dead[k] || !k;
    MPL_EACH_INSTRUCTION(i, e->cfg.blocks[k]) lives |= may_stop(i);
    if (lives) e->dead[k] = false, e->list[count++] = k;
  }
  spread_back(e, count, false);
}

static bool empty(LLVMBuilderRef b, LLVMBasicBlockRef block) {
  if (mpl_is_dead_end(block)) return false;
  mpl_empty_block(block);
  LLVMPositionBuilderAtEnd(b, block);
  LLVMBuildUnreachable(b);
  return true;
}

bool mpl_empty_dead_ends(struct mpl_module_ir *ir, LLVMValueRef function) {
  bool any = false;
  MPL_EACH_BLOCK(block, function)
  any |= LLVMIsAUnreachableInst(LLVMGetBasicBlockTerminator(block)) != NULL;
  if (!any) return false;
  struct ends e = {0};
  mpl_cfg_build(&e.cfg, function);
  e.dead = mpl_allocate(e.cfg.count, sizeof *e.dead);
  e.list = mpl_allocate(2 * (size_t)e.cfg.count, sizeof *e.list);
  find(&e);
  MPL_BUILDER(b, ir->context);
  any = false;
  for (unsigned k = 0; k < e.cfg.count; k++)
    if (e.dead[k]) any |= empty(b, e.cfg.blocks[k]);
  mpl_cfg_free(&e.cfg);
  free(e.dead);
  free(e.list);
  return any;
}

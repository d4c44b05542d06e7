/* For the checking engine: in which iteration a work-item comes to a collective.  All of a group
 * have to come in the same one (OpenCL C, "each iteration of the loop"; SYCL, "different
 * iterations").
 *
 * Loops around collectives, and around calls that lead to some, count their iterations.  In front
 * of each such call the engine is told of all of them, some bits for each loop, the innermost in the
 * lowest.  Calls within calls go on from what their caller has told, and a function that returns
 * tells the engine what it was told before.
 *
 * This is done on what clang has made, where a loop of the source is one.  Later two loops may have
 * become one that turns back from two ends, and in other programs (goto, SPIR-V) they may be so from
 * the start: whoever goes round the inner one more often than others does nothing wrong.  So loops
 * count that turn back from one end only, and those of which clang says, by metadata, that they are
 * one loop of the source.  Nor does one end count at which others come together and bring different
 * values, in SPIR-V from an optimiser: they may have been ends. */
#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "abi/items.h"
#include "compiler/analysis/cfg.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"
#include "items.h"

struct loop {
  bool *in; /* the blocks */
  unsigned header, size;
  LLVMValueRef count; /* a variable */
};

struct turns {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  bool of_host;          /* of a program in C or C++ */
  struct mpl_map reach;  /* functions that lead to a collective */
  LLVMValueRef get, set; /* of a host: the engine's functions */
  LLVMValueRef told;  /* of an OpenCL program: the description for MPL_MARK_AT, once it is wanted */
  struct mpl_cfg cfg; /* of the function */
  struct loop *loops; /* the outermost first */
  size_t num_loops;
  bool changed;
};

/* --- Blocks that lead to a collective --- */

static LLVMValueRef called_by(LLVMValueRef i) {
  bool is_call = LLVMIsACallInst(i) || LLVMIsAInvokeInst(i);
  return is_call ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
}

/* mpl_work_group_same and its like are none. */
static bool is_host_collective(LLVMValueRef function) {
  const char *name = LLVMGetValueName(function);
  return LLVMIsDeclaration(function) &&
         (!strncmp(name, "mpl_work_group_", 15) || !strncmp(name, "mpl_sub_group_", 14)) &&
         !strstr(name, "_group_same");
}

static bool is_collective(const struct turns *t, LLVMValueRef i, LLVMValueRef callee) {
  if (t->of_host) return is_host_collective(callee);
  if (mpl_marker_of(i) != MPL_MARK_AT) return false;
  unsigned kind = mpl_described_kind(LLVMGetOperand(i, 0));
  return kind != MPL_FUNCTION_EXPECT && kind != MPL_FUNCTION_EVENT && kind != MPL_FUNCTION_SCOPE;
}

static bool leads_to_collective(struct turns *t, LLVMValueRef i) {
  LLVMValueRef callee = called_by(i);
  return callee && (mpl_map_has(&t->reach, callee) || is_collective(t, i, callee));
}

static void add_callers(struct turns *t, LLVMValueRef function, bool is_seed) {
  MPL_EACH_USER(user, function) {
    if (!LLVMIsAInstruction(user) || called_by(user) != function) continue;
    if (is_seed && !is_collective(t, user, function)) continue;
    LLVMValueRef caller = mpl_function_of(user);
    if (!mpl_map_add(&t->reach, caller)) continue;
    add_callers(t, caller, false);
  }
}

/* --- Loops --- */

/* Clang's own word that two ends of loops are of one loop of the source; or null. */
static LLVMValueRef loop_of_source(struct turns *t, unsigned latch) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(t->cfg.blocks[latch]);
  return mpl_metadata_of(t->ir, end, "llvm.loop");
}

/* Backwards from the ends to the head.  False if it can be entered elsewhere. */
static bool fill_loop(struct turns *t, struct loop *loop) {
  const struct mpl_cfg *cfg = &t->cfg;
  MPL_EACH_EDGE(from, &cfg->preds[loop->header])
  if (from >= loop->header) mpl_cfg_mark_loop(cfg, loop->header, from, loop->in);
  for (unsigned b = 0; b < cfg->count; b++) loop->size += loop->in[b];
  return !loop->in[0];
}

static bool has_collective(struct turns *t, const struct loop *loop) {
  for (unsigned b = 0; b < t->cfg.count; b++) {
    if (!loop->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, t->cfg.blocks[b]) {
      if (leads_to_collective(t, i)) return true;
    }
  }
  return false;
}

static bool is_one_loop(struct turns *t, unsigned header) {
  LLVMValueRef of = NULL;
  unsigned ends = 0, end = 0;
  bool is_of_source = true;
  MPL_EACH_EDGE(latch, &t->cfg.preds[header]) {
    if (latch < header) continue;
    LLVMValueRef is = loop_of_source(t, latch);
    is_of_source &= is && (!of || is == of);
    of = is;
    end = latch;
    ends++;
  }
  if (ends && is_of_source) return true;
  return ends == 1 && !LLVMIsAPHINode(LLVMGetFirstInstruction(t->cfg.blocks[end]));
}

static int by_size(const void *a, const void *b) {
  const struct loop *x = a, *y = b;
  return (x->size < y->size) - (x->size > y->size);
}

static void find_loops(struct turns *t) {
  for (unsigned h = 0; h < t->cfg.count; h++) {
    if (!is_one_loop(t, h)) continue;
    struct loop loop = {.in = mpl_allocate(t->cfg.count, sizeof *loop.in), .header = h};
    if (fill_loop(t, &loop) && has_collective(t, &loop)) {
      MPL_APPEND(t->loops, t->num_loops) = loop;
    } else {
      free(loop.in);
    }
  }
  if (t->num_loops) qsort(t->loops, t->num_loops, sizeof *t->loops, by_size);
}

/* --- Counting --- */

/* From 1 on; begun anew in front of the loop. */
static void count(struct turns *t, struct loop *loop, LLVMValueRef entry) {
  struct mpl_module_ir *ir = t->ir;
  LLVMPositionBuilderBefore(t->b, entry);
  LLVMSetCurrentDebugLocation2(t->b, NULL);
  loop->count = LLVMBuildAlloca(t->b, ir->i64, "turns");
  MPL_EACH_EDGE(from, &t->cfg.preds[loop->header]) {
    if (loop->in[from]) continue;
    LLVMPositionBuilderBefore(t->b, LLVMGetBasicBlockTerminator(t->cfg.blocks[from]));
    LLVMBuildStore(t->b, mpl_const64(ir, 0), loop->count);
  }
  LLVMPositionBuilderBefore(t->b, mpl_behind_phis(t->cfg.blocks[loop->header]));
  LLVMValueRef n = LLVMBuildLoad2(t->b, ir->i64, loop->count, "");
  LLVMBuildStore(t->b, LLVMBuildAdd(t->b, n, mpl_const64(ir, 1), ""), loop->count);
}

static void tell(struct turns *t, LLVMValueRef before, LLVMValueRef value) {
  LLVMPositionBuilderBefore(t->b, before);
  if (t->of_host) {
    mpl_call(t->b, t->set, t->ir->void_type, &value, 1);
  } else {
    if (!t->told) t->told = mpl_describe_turns(t->ir);
    LLVMValueRef args[] = {t->told, value};
    mpl_build_marker(t->ir, t->b, MPL_MARK_AT, t->ir->void_type, args, 2);
  }
}

/* `base` and the turns of the loops that the block is in. */
static LLVMValueRef turns_at(struct turns *t, LLVMValueRef i, LLVMValueRef base) {
  struct mpl_module_ir *ir = t->ir;
  unsigned block = mpl_cfg_block_of(&t->cfg, i);
  LLVMPositionBuilderBefore(t->b, i);
  LLVMSetCurrentDebugLocation2(t->b, NULL);
  for (size_t k = 0; k < t->num_loops; k++) {
    if (!t->loops[k].in[block]) continue;
    LLVMValueRef n = LLVMBuildLoad2(t->b, ir->i64, t->loops[k].count, "");
    n = LLVMBuildAnd(t->b, n, mpl_const64(ir, (1 << MPL_TURN_BITS) - 1), "");
    base = LLVMBuildShl(t->b, base, mpl_const64(ir, MPL_TURN_BITS), "");
    base = LLVMBuildOr(t->b, base, n, "");
  }
  return base;
}

static LLVMValueRef read_base(struct turns *t, LLVMValueRef entry) {
  LLVMPositionBuilderBefore(t->b, entry);
  LLVMSetCurrentDebugLocation2(t->b, NULL);
  if (t->of_host) return mpl_call(t->b, t->get, t->ir->i64, NULL, 0);
  return mpl_build_marker(t->ir, t->b, MPL_MARK_TURNS, t->ir->i64, NULL, 0);
}

static void count_in_loops(struct turns *t) {
  LLVMValueRef entry = LLVMGetFirstInstruction(t->cfg.blocks[0]);
  LLVMValueRef base = read_base(t, entry);
  for (size_t k = 0; k < t->num_loops; k++) count(t, &t->loops[k], entry);
  for (unsigned k = 0; k < t->cfg.count; k++) {
    MPL_EACH_INSTRUCTION(i, t->cfg.blocks[k]) {
      if (LLVMIsAReturnInst(i))
        tell(t, i, base);
      else if (leads_to_collective(t, i))
        tell(t, i, turns_at(t, i, base));
    }
  }
  t->changed = true;
}

static void look_at(struct turns *t, LLVMValueRef function) {
  mpl_cfg_build(&t->cfg, function);
  find_loops(t);
  if (t->num_loops) count_in_loops(t);
  for (size_t k = 0; k < t->num_loops; k++) free(t->loops[k].in);
  t->num_loops = 0;
  mpl_cfg_free(&t->cfg);
}

static bool count_turns(struct turns *t) {
  t->b = LLVMCreateBuilderInContext(t->ir->context);
  MPL_EACH_FUNCTION(f, t->ir->module) {
    bool is_seed = t->of_host ? is_host_collective(f) : LLVMIsDeclaration(f);
    if (is_seed) add_callers(t, f, true);
  }
  MPL_EACH_FUNCTION(f, t->ir->module) {
    if (!LLVMIsDeclaration(f) && mpl_map_has(&t->reach, f)) look_at(t, f);
  }
  free(t->loops);
  mpl_map_free(&t->reach);
  LLVMDisposeBuilder(t->b);
  return t->changed;
}

bool mpl_count_turns(struct mpl_module_ir *ir) {
  if (!ir->checked || ir->plain) return false;
  struct turns t = {.ir = ir};
  return count_turns(&t);
}

static LLVMValueRef declare(struct mpl_module_ir *ir, const char *name, LLVMTypeRef type) {
  LLVMValueRef function = LLVMGetNamedFunction(ir->module, name);
  if (function) return function;
  function = LLVMAddFunction(ir->module, name, type);
  mpl_add_attribute(function, "nounwind");
  return function;
}

void mpl_count_turns_of_host(LLVMModuleRef module) {
  bool any = false;
  MPL_EACH_FUNCTION(f, module) any |= is_host_collective(f);
  if (!any) return;
  struct mpl_module_ir ir = {0};
  mpl_ir_begin(&ir, module);
  struct turns t = {.ir = &ir, .of_host = true};
  t.get = declare(&ir, "mpl_get_turns", LLVMFunctionType(ir.i64, NULL, 0, false));
  t.set = declare(&ir, "mpl_set_turns", LLVMFunctionType(ir.void_type, &ir.i64, 1, false));
  count_turns(&t);
  mpl_ir_end(&ir);
}

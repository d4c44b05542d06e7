/* Loops with several entries get one: a guard, to which all ways to the entries lead, and which goes on to the
 * one that is meant.  ("Node splitting" would copy code instead; J. Janssen and H. Corporaal, "Making Graphs
 * Reducible with Controlled Node Splitting", 1997.)  Values live in memory meanwhile, so that there are no phis
 * to hand on.  LLVM has such a pass, fix-irreducible, which takes switches for branches, and in version 21
 * makes endless loops of three entries. */
#include <stdlib.h>

#include "compiler/analysis/cfg.h"
#include "source.h"

/* A part of the control flow, with every way from one of its blocks to another. */
struct cycle {
  bool *in;
  unsigned *entries, num_entries; /* blocks that others lead to */
};

static void free_cycle(struct cycle *c) {
  free(c->in);
  free(c->entries);
}

/* That of a header: the blocks behind it in order that it leads to, and that lead to it.  Those before it are of
 * loops around (order.c). */
static void find_cycle(struct cycle *c, const struct mpl_cfg *cfg, unsigned header) {
  MPL_ARRAY(bool, leads, cfg->count);
  *c = (struct cycle){.in = mpl_allocate(cfg->count, sizeof *c->in)};
  for (unsigned b = 0; b < header; b++) c->in[b] = leads[b] = true;
  mpl_cfg_reach(cfg, header, c->in);
  MPL_EACH_EDGE(from, &cfg->preds[header])
  if (from >= header) mpl_cfg_mark_loop(cfg, header, from, leads);
  for (unsigned b = 0; b < cfg->count; b++) c->in[b] &= leads[b] && b >= header;
  for (unsigned b = header; b < cfg->count; b++) {
    bool enters = false;
    MPL_EACH_EDGE(from, &cfg->preds[b]) enters |= !c->in[from];
    if (c->in[b] && enters) MPL_APPEND(c->entries, c->num_entries) = b;
  }
}

/* The first cycle that has several entries, outer ones before inner ones; or one without. */
static struct cycle find_irreducible(const struct mpl_cfg *cfg) {
  for (unsigned b = 1; b < cfg->count; b++) {
    struct cycle c;
    if (!mpl_cfg_is_header(cfg, b)) continue;
    find_cycle(&c, cfg, b);
    if (c.num_entries > 1) return c;
    free_cycle(&c);
  }
  return (struct cycle){0};
}

struct guard {
  LLVMBasicBlockRef block;
  LLVMValueRef *means; /* of each entry but the last: a bool in memory */
};

/* The way from a block by its successor's number leads to the guard. */
static void redirect(struct mpl_module_ir *ir, const struct guard *g, const struct cycle *c, LLVMValueRef end,
                     unsigned successor, unsigned entry) {
  LLVMBasicBlockRef at = LLVMGetSuccessor(end, successor);
  MPL_BUILDER(builder, ir->context);
  LLVMBasicBlockRef way = LLVMInsertBasicBlockInContext(ir->context, at, "");
  LLVMPositionBuilderAtEnd(builder, way);
  for (unsigned k = 0; k + 1 < c->num_entries; k++)
    LLVMBuildStore(builder, LLVMConstInt(ir->i1, k == entry, false), g->means[k]);
  LLVMBuildBr(builder, g->block);
  LLVMSetSuccessor(end, successor, way);
}

static void begin_guard(struct mpl_module_ir *ir, struct guard *g, const struct cycle *c, const struct mpl_cfg *cfg) {
  MPL_BUILDER(builder, ir->context);
  LLVMPositionBuilderBefore(builder, LLVMGetFirstInstruction(cfg->blocks[0]));
  g->means = mpl_allocate(c->num_entries, sizeof *g->means);
  for (unsigned k = 0; k + 1 < c->num_entries; k++) g->means[k] = LLVMBuildAlloca(builder, ir->i1, "");
  g->block = LLVMInsertBasicBlockInContext(ir->context, cfg->blocks[c->entries[0]], "");
}

/* One question after another: the last has both answers. */
static void finish_guard(struct mpl_module_ir *ir, struct guard *g, const struct cycle *c,
                         const struct mpl_cfg *cfg) {
  LLVMBasicBlockRef at = g->block;
  MPL_BUILDER(builder, ir->context);
  for (unsigned k = 0; k + 1 < c->num_entries; k++) {
    LLVMBasicBlockRef entry = cfg->blocks[c->entries[k]], last = cfg->blocks[c->entries[k + 1]];
    bool is_last = k + 2 == c->num_entries;
    LLVMPositionBuilderAtEnd(builder, at);
    LLVMValueRef meant = LLVMBuildLoad2(builder, ir->i1, g->means[k], "");
    at = is_last ? last : LLVMInsertBasicBlockInContext(ir->context, entry, "");
    LLVMBuildCondBr(builder, meant, entry, at);
  }
  free(g->means);
}

static void give_one_entry(struct mpl_module_ir *ir, const struct mpl_cfg *cfg, const struct cycle *c) {
  struct guard guard;
  begin_guard(ir, &guard, c, cfg);
  for (unsigned k = 0; k < c->num_entries; k++) {
    LLVMBasicBlockRef entry = cfg->blocks[c->entries[k]];
    for (unsigned b = 0; b < cfg->count; b++) {
      LLVMValueRef end = LLVMGetBasicBlockTerminator(cfg->blocks[b]);
      for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
        if (LLVMGetSuccessor(end, s) == entry) redirect(ir, &guard, c, end, s, k);
    }
  }
  finish_guard(ir, &guard, c, cfg);
}

/* False: there is none left. */
static bool fix_one(struct mpl_module_ir *ir, LLVMValueRef function) {
  MPL_CFG(cfg, function);
  MPL_FREED(free_cycle) struct cycle cycle = find_irreducible(&cfg);
  if (cycle.num_entries) give_one_entry(ir, &cfg, &cycle);
  return cycle.num_entries;
}

/* LLVM's passes leave functions alone that are optnone. */
static bool is_irreducible(LLVMValueRef function) {
  if (LLVMIsDeclaration(function) || mpl_has_attribute(function, "optnone")) return false;
  MPL_CFG(cfg, function);
  MPL_FREED(free_cycle) struct cycle cycle = find_irreducible(&cfg);
  return cycle.num_entries;
}

void mpl_fix_irreducible(struct mpl_module_ir *ir) {
  bool fixes = false;
  MPL_EACH_FUNCTION(f, ir->module) fixes |= is_irreducible(f);
  if (!fixes) return;
  mpl_run_llvm_passes(ir, "function(reg2mem)");
  MPL_EACH_FUNCTION(f, ir->module)
    if (is_irreducible(f))
      while (fix_one(ir, f)) {}
  mpl_run_llvm_passes(ir, "function(mem2reg)");
}

/* Finds the work-item loops that can be widened. */
#include "widen.h"

#include <stdlib.h>

#include "compiler/expand/expand.h"
#include "compiler/passes.h"
#include "runtime/options.h"

static const char without_end[] = "a loop without an end"; /* why it is not widened */

/* Is it the branch at the end of one? */
static bool is_work_item_loop(struct mpl_module_ir *ir, LLVMValueRef end) {
  return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
         LLVMGetMetadata(end, LLVMGetMDKindIDInContext(ir->context, MPL_WORK_ITEM_LOOP,
                                                       sizeof MPL_WORK_ITEM_LOOP - 1));
}

/* The loop whose latch ends in `end`: its blocks, and what counts.  False, with the reason in w->why,
 * if it is none. */
static bool find_loop(struct mpl_widen *w, LLVMValueRef end) {
  struct mpl_cfg *cfg = w->cfg;
  LLVMValueRef more = LLVMGetCondition(end), next = LLVMGetOperand(more, 0);
  w->latch = mpl_cfg_block_of(cfg, end);
  if (w->latch >= cfg->count) { /* no work-item comes to its end */
    w->why = without_end;
    return false;
  }
  w->header = (unsigned)mpl_map_get(&cfg->index, LLVMGetSuccessor(end, 0), 0);
  w->counter = LLVMGetOperand(next, 0);
  w->count = LLVMGetOperand(more, 1);
  w->first = w->header;
  w->last = w->latch;
  unsigned *stack = mpl_allocate(cfg->count + 1, sizeof *stack), depth = 0;
  w->in[w->header] = true;
  if (!w->in[w->latch]) {
    w->in[w->latch] = true;
    stack[depth++] = w->latch;
  }
  while (depth) {
    unsigned b = stack[--depth];
    if (b > w->last) w->last = b;
    for (unsigned p = 0; p < cfg->preds[b].count; p++) {
      unsigned from = cfg->preds[b].to[p];
      if (w->in[from]) continue;
      w->in[from] = true;
      stack[depth++] = from;
    }
  }
  free(stack);
  bool counts = LLVMIsAPHINode(w->counter) &&
                LLVMGetInstructionParent(w->counter) == cfg->blocks[w->header];
  if (!counts) w->why = "it does not count work-items";
  return counts;
}

/* An edge to where nothing leads back from, and which is no dead end (dead_ends.c). */
static bool may_stay_away(struct mpl_widen *w, unsigned block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[block]);
  for (unsigned s = 0; block != w->latch && s < LLVMGetNumSuccessors(end); s++) {
    unsigned to = w->cfg->succs[block].to[s];
    if (!w->in[to] && !mpl_is_dead_end(w->cfg->blocks[to])) return true;
  }
  return false;
}

static const char *cannot_widen(struct mpl_widen *w) {
  for (unsigned l = 0; l < w->num_loops; l++)
    if (mpl_may_wait(w, l)) return "a loop that may wait for another work-item";
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    if (!w->lanes && may_stay_away(w, b)) return without_end;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      const char *why = mpl_is_lanes_call(i) ? mpl_cannot_call_lanes(i) : NULL;
      if (LLVMIsALoadInst(i) && mpl_is_slot(w->ir, LLVMGetOperand(i, 0)) &&
          !mpl_is_sum(w->ir, LLVMGetOperand(i, 0)))
        why = "what one work-item hands to the next";
      if (why) {
        mpl_tell(w->ir, i, MPL_FACT_CAUSE, "%s", why);
        return why;
      }
      if (b == w->first && LLVMIsAPHINode(i) && i != w->counter) return "a value carried round";
      if (LLVMIsATerminatorInst(i) && !LLVMIsABranchInst(i) && !LLVMIsASwitchInst(i))
        return "an end of its own";
    }
  }
  return NULL;
}

/* Which values and branches are alike among lanes; false (and `why`): it cannot be widened. */
bool mpl_find_lanes(struct mpl_widen *w) {
  mpl_map_free(&w->index);
  mpl_map_free(&w->differing);
  mpl_fields_free(w);
  mpl_map_free(&w->bounds);
  w->index = w->fields = w->differing = w->bounds = (struct mpl_map){0};
  w->all_fields = NULL;
  w->num_loops = 0;
  w->num_shapes = 0;
  for (unsigned b = 0; b < w->cfg->count; b++) {
    w->blocks[b] = w->ends[b] = NULL;
    w->diverged[b] = w->joins[b] = w->tested[b] = false;
    w->inner[b] = -1;
  }
  if (!mpl_lanes_find(w) || (w->why = cannot_widen(w))) return false;
  mpl_fields_find(w);
  return true;
}

static LLVMValueRef make_nowhere(struct mpl_widen *w) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(w->function);
  LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(entry));
  LLVMValueRef nowhere = LLVMBuildAlloca(w->b, LLVMArrayType2(w->ir->i64, 16), "nowhere");
  LLVMSetAlignment(nowhere, 64);
  return nowhere;
}

static void begin(struct mpl_widen *w, struct mpl_module_ir *ir, struct mpl_cfg *cfg,
                  LLVMValueRef function) {
  unsigned n = cfg->count;
  *w = (struct mpl_widen){.ir = ir, .cfg = cfg, .function = function};
  w->told = !mpl_ir_hears(ir->context, "maniple-widen:");
  w->b = LLVMCreateBuilderInContext(ir->context);
  w->in = mpl_allocate(n, sizeof *w->in);
  w->diverged = mpl_allocate(n, sizeof *w->diverged);
  w->joins = mpl_allocate(n, sizeof *w->joins);
  w->tested = mpl_allocate(n, sizeof *w->tested);
  w->inner = mpl_allocate(n, sizeof *w->inner);
  w->loops = mpl_allocate(n, sizeof *w->loops);
  w->part_of = mpl_allocate(n, sizeof *w->part_of);
  w->parts = mpl_allocate(n, sizeof *w->parts);
  w->blocks = mpl_allocate(n, sizeof *w->blocks);
  w->ends = mpl_allocate(n, sizeof *w->ends);
  w->masks = mpl_allocate(n, sizeof *w->masks);
}

static void end(struct mpl_widen *w) {
  LLVMDisposeBuilder(w->b);
  mpl_fields_free(w);
  struct mpl_map *const maps[] = {&w->index,   &w->assumed, &w->arrays,  &w->kinds,
                                  &w->edges,   &w->scalars, &w->vectors, &w->handed,
                                  &w->wholes,  &w->starts,  &w->differing, &w->bounds};
  for (unsigned k = 0; k < sizeof maps / sizeof *maps; k++) mpl_map_free(maps[k]);
  free(w->shapes);
  free(w->apart);
  free(w->sums);
  free(w->in);
  free(w->diverged);
  free(w->joins);
  free(w->tested);
  free(w->inner);
  free(w->loops);
  free(w->part_of);
  free(w->parts);
  free(w->blocks);
  free(w->ends);
  free(w->masks);
}

/* Whether lanes pay is looked at where branches on ids are tested. */
static bool lanes_pay(struct mpl_widen *w) {
  w->together = true;
  bool pay = mpl_find_lanes(w) && mpl_lanes_pay(w);
  w->together = false;
  mpl_map_free(&w->assumed);
  w->assumed = (struct mpl_map){0};
  w->num_apart = 0;
  return mpl_find_lanes(w) && pay;
}

/* The loop that ends in the branch `latch`. */
static bool widen(struct mpl_spread *spread, const struct mpl_plan *plan, LLVMValueRef latch,
                  struct mpl_pieces *pieces) {
  struct mpl_ir_kernel *kernel = plan->kernel;
  struct mpl_module_ir *ir = spread->ir;
  struct mpl_cfg cfg;
  struct mpl_widen w;
  struct mpl_pieces copies[MPL_MOST_COPIES];
  unsigned num_copies = 0;
  mpl_cfg_build(&cfg, spread->function);
  begin(&w, ir, &cfg, spread->function);
  w.spread = spread;
  w.row = mpl_required_row(kernel);
  w.width = pieces && pieces->whole ? pieces->lanes : spread->width;
  w.alone = plan->alone;
  w.one_chunk = pieces && pieces->whole;
  w.pieces = w.one_chunk ? NULL : pieces;
  w.told |= w.one_chunk;
  w.one_copy = plan->economy != MPL_ALL_COPIES;
  w.plain = plan->economy >= MPL_PLAIN;
  w.one_at_a_time = plan->many;
  bool found = find_loop(&w, latch);
  if (found && mpl_find_lanes(&w) && !pieces && !lanes_pay(&w)) {
    w.why = "one work-item after another is estimated to be faster";
  } else if (!w.why) {
    if (!pieces && !w.one_copy) num_copies = mpl_copy_for_rows(&w, plan->narrow, copies);
    w.single = !pieces && mpl_leaves_single(&w);
    w.nowhere = make_nowhere(&w);
    mpl_build_chunks(&w);
  }
  if (w.why) {
    mpl_tell(ir, latch, MPL_FACT_NOT_WIDENED, "not widened: %s", w.why);
  } else {
    const char *rows = w.one_chunk ? ", each a row" : w.pieces ? ", of several rows" : "";
    mpl_tell(ir, latch, MPL_FACT_WIDENED, "%u lanes at a time%s", w.width, rows);
    mpl_tell_flow(&w);
    if (kernel->widest < w.width) kernel->widest = w.width;
  }
  bool widened = !w.why || w.nowhere;
  end(&w);
  mpl_cfg_free(&cfg);
  for (unsigned k = 0; k < num_copies; k++) {
    widen(spread, plan, copies[k].latch, &copies[k]);
    mpl_map_free(&copies[k].strides);
  }
  return widened;
}

struct ends {
  LLVMValueRef *list;
  size_t count, capacity;
};

static struct ends find_ends(struct mpl_module_ir *ir, LLVMValueRef function) {
  struct ends ends = {0};
  MPL_EACH_BLOCK(block, function) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || !is_work_item_loop(ir, end)) continue;
    ends.list = mpl_grow(ends.list, &ends.capacity, ends.count + 1, sizeof *ends.list);
    ends.list[ends.count++] = end;
  }
  return ends;
}

/* As the copy of whole chunks has them if bounds of loops are tested there: lanes are side by side
 * in these loops then. */
static bool find_weighed(struct mpl_widen *w) {
  w->together = true;
  if (mpl_find_lanes(w) && w->bounds.count) return true;
  w->together = false;
  return mpl_find_lanes(w);
}

static void weigh(struct mpl_module_ir *ir, LLVMValueRef function, const struct ends *ends,
                  struct mpl_work *work) {
  struct mpl_cfg cfg;
  mpl_cfg_build(&cfg, function);
  for (size_t e = 0; e < ends->count; e++) {
    struct mpl_widen w;
    begin(&w, ir, &cfg, function);
    w.told = true;
    if (find_loop(&w, ends->list[e]) && find_weighed(&w))
      mpl_weigh_loop(&w, ends->count == 1, work);
    end(&w);
  }
  mpl_cfg_free(&cfg);
}

/* Each access to one is there for each layout of pixels. */
static bool has_image(const struct mpl_ir_kernel *kernel) {
  for (unsigned i = 0; i < kernel->num_args; i++)
    if (kernel->args[i].kind == MPL_ARG_IMAGE) return true;
  return false;
}

/* A kernel's loops are copied for several chunks at a time if there are no more: each copy takes
 * time to compile, and gains 2 % at most where a group's time is divided among so many. */
enum { FEW_LOOPS = 8 };

static struct mpl_plan plan_function(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                                     LLVMValueRef function) {
  struct mpl_plan plan = {.target = ir->target, .kernel = kernel, .function = function};
  struct ends ends = find_ends(ir, function);
  weigh(ir, function, &ends, &plan.work);
  plan.alone = ends.count == 1;
  plan.many = ends.count > FEW_LOOPS;
  plan.width = mpl_choose_width(kernel, ir->target, &plan.work);
  plan.narrow = mpl_narrow_width(ir->target, &plan.work, plan.width);
  if (ir->many_images && has_image(kernel)) plan.economy = MPL_ONE_COPY;
  if (kernel->keeps_vectors) plan.economy = MPL_ONE_ITEM;
  free(ends.list);
  return plan;
}

/* One of many regions, whose loops have no copies, and lanes of one register: there are very many,
 * and each has few turns. */
static struct mpl_plan plan_piece(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                                  LLVMValueRef function) {
  struct mpl_plan plan = plan_function(ir, kernel, function);
  plan.alone = false;
  plan.width = plan.narrow;
  if (plan.economy < MPL_ONE_COPY) plan.economy = MPL_ONE_COPY;
  return plan;
}

static void tell_economy(struct mpl_module_ir *ir, const struct mpl_plan *plan) {
  static const char *const said[] = {
      [MPL_ONE_COPY] = "the program is large: no copies of loops for whole chunks",
      [MPL_PLAIN] = "the program is large: no copies of loops for whole chunks, lanes of one "
                    "register, and nothing guessed of places",
      [MPL_ONE_ITEM] = "the program is too large to be widened: one work-item after another",
  };
  if (plan->kernel->keeps_vectors)
    mpl_tell(ir, plan->function, MPL_FACT_SAVED, "%s: one work-item after another",
             plan->kernel->keeps_vectors);
  else if (plan->economy)
    mpl_tell(ir, plan->function, MPL_FACT_SAVED, "%s", said[plan->economy]);
}

static bool widen_function(struct mpl_module_ir *ir, const struct mpl_plan *plan) {
  struct mpl_spread spread;
  bool changed = false;
  tell_economy(ir, plan);
  if (plan->economy == MPL_ONE_ITEM) return changed;
  struct ends ends = find_ends(ir, plan->function);
  mpl_spread_begin(&spread, ir, plan->function,
                   plan->economy == MPL_PLAIN ? plan->narrow : plan->width);
  for (size_t e = 0; e < ends.count; e++) changed |= widen(&spread, plan, ends.list[e], NULL);
  mpl_spread_end(&spread);
  free(ends.list);
  return changed;
}

static bool widen_kernels(struct mpl_module_ir *ir) {
  unsigned count = 0, most = 0;
  for (unsigned k = 0; k < ir->num_kernels; k++) most += 2 + ir->kernels[k].num_pieces;
  struct mpl_plan *plans = mpl_allocate(most + 1, sizeof *plans);
  bool changed = false;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    struct mpl_ir_kernel *kernel = &ir->kernels[k];
    if (kernel->uses_lanes) continue;
    plans[count++] = plan_function(ir, kernel, kernel->group);
    if (kernel->along_x) plans[count++] = plan_function(ir, kernel, kernel->along_x);
    for (unsigned p = 0; p < kernel->num_pieces; p++)
      plans[count++] = plan_piece(ir, kernel, kernel->pieces[p]);
  }
  mpl_plan_sizes(plans, count);
  for (unsigned k = 0; k < count; k++) changed |= widen_function(ir, &plans[k]);
  free(plans);
  return changed;
}

/* --- sub-groups --- */

static bool widen_lanes(struct mpl_module_ir *ir, LLVMValueRef function, LLVMValueRef latch,
                        unsigned lanes, LLVMValueRef whole) {
  struct mpl_cfg cfg;
  struct mpl_widen w;
  struct mpl_spread none = {0};
  mpl_cfg_build(&cfg, function);
  begin(&w, ir, &cfg, function);
  w.spread = &none;
  w.width = lanes;
  w.lanes = true;
  w.exact = !whole;
  w.whole = whole;
  w.told |= !whole; /* it is the second copy */
  if (find_loop(&w, latch) && mpl_find_lanes(&w)) {
    w.nowhere = make_nowhere(&w);
    mpl_build_chunk(&w);
  }
  if (w.why) {
    mpl_report(ir, latch, "a kernel that calls sub-group functions has %s", w.why);
  } else if (whole) {
    mpl_tell_flow(&w);
  }
  bool good = !w.why;
  end(&w);
  mpl_cfg_free(&cfg);
  return good;
}

bool mpl_widen_sub_group(struct mpl_module_ir *ir, LLVMValueRef function, unsigned lanes,
                         LLVMValueRef whole) {
  bool good = true;
  struct ends ends = find_ends(ir, function);
  for (size_t e = 0; e < ends.count && good; e++)
    good = widen_lanes(ir, function, ends.list[e], lanes, whole) &&
           widen_lanes(ir, function, ends.list[e], lanes, NULL);
  free(ends.list);
  return good;
}

/* Registers of results that a block makes. */
static uint64_t length_of(struct mpl_module_ir *ir, LLVMBasicBlockRef block) {
  enum { REGISTER = 64 };
  uint64_t sum = 0;
  MPL_EACH_INSTRUCTION(i, block) {
    LLVMTypeRef type = mpl_accessed_type(i);
    if (LLVMTypeIsSized(type)) sum += LLVMABISizeOfType(ir->layout, type) / REGISTER;
  }
  return sum;
}

/* LLVM's schedulers and its search for vectors in straight code take time that grows with the square
 * of a block's length: 10 of 11 s for a double16 that sub-groups of 64 broadcast, a quarter for
 * clFFT's transform of 2401 numbers.  What they gain in such blocks, 1 %, is not worth that. */
static void spare_long_blocks(struct mpl_module_ir *ir) {
  enum { LONG = 1000 };
  static const char *const options[] = {"-post-RA-scheduler=false", "-enable-misched=false",
                                        "-vectorize-slp=false"};
  static bool done;
  MPL_EACH_FUNCTION(f, ir->module) MPL_EACH_BLOCK(block, f) {
    if (done || length_of(ir, block) < LONG) continue;
    for (size_t k = 0; k < sizeof options / sizeof *options; k++)
      mpl_set_llvm_option(ir, options[k]);
    mpl_tell(ir, f, MPL_FACT_SAVED, "a block is long: instructions stay in their order, and no "
                                    "further vectors are looked for");
    done = true;
  }
}

bool mpl_widen_loops(struct mpl_module_ir *ir) {
  bool changed = false, widens = mpl_option_number(MPL_OPTION_VECTOR_WIDTH) != 1;
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    LLVMValueRef group = ir->kernels[k].group;
    mpl_tell(ir, group, MPL_FACT_KERNEL, "%s", widens ? "" : "not widened");
    if (ir->kernels[k].uses_lanes)
      ir->kernels[k].widest = ir->kernels[k].sub_group; /* by the splitter */
  }
  if (widens) changed |= widen_kernels(ir);
  changed |= mpl_lower_target_math(ir);
  spare_long_blocks(ir);
  return changed;
}

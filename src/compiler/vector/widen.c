/* Finds the work-item loops that can be widened. */
#include <stdlib.h>

#include "compiler/passes.h"
#include "compiler/plugin.h"
#include "emit/values.h"
#include "runtime/options.h"

static LLVMValueRef make_nowhere(struct mpl_emit *e) {
  LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(e->function);
  LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(entry));
  LLVMValueRef nowhere = LLVMBuildAlloca(e->b, LLVMArrayType2(e->ir->i64, 16), "nowhere");
  LLVMSetAlignment(nowhere, 64);
  return nowhere;
}

static void begin(struct mpl_emit *e, const struct mpl_item_loop *items, struct mpl_spread *spread) {
  unsigned n = items->cfg->count;
  *e = (struct mpl_emit){.ir = items->ir,
                         .items = items,
                         .function = items->function,
                         .spread = spread};
  e->told = !mpl_ir_hears(e->ir->context, "maniple-widen:");
  e->b = LLVMCreateBuilderInContext(e->ir->context);
  e->copies = mpl_allocate(n, sizeof *e->copies);
  e->part_ends = mpl_allocate(n, sizeof *e->part_ends);
  e->masked = mpl_allocate(items->num_loops + 1, sizeof *e->masked);
}

static void end(struct mpl_emit *e) {
  for (size_t k = e->num_past; k--;) /* those that nothing asked for */
    if (!LLVMGetFirstUse(e->past[k])) LLVMInstructionEraseFromParent(e->past[k]);
  struct mpl_map *const maps[] = {&e->assumed, &e->edges,  &e->scalars, &e->vectors,
                                  &e->starts,  &e->arrays, &e->handed};
  for (unsigned k = 0; k < sizeof maps / sizeof *maps; k++) mpl_map_free(maps[k]);
  mpl_chunk_free(e);
  LLVMDisposeBuilder(e->b);
  free(e->apart.list);
  free(e->past);
  free(e->sums);
  free(e->copies);
  free(e->part_ends);
  free(e->masked);
}

static bool widen(struct mpl_spread *, const struct mpl_plan *, LLVMValueRef latch,
                  struct mpl_pieces *, const struct mpl_loop_choice *);

/* Makes the loop's copies, and then those of its copies for short rows. */
static void emit(struct mpl_analyses *analyses, struct mpl_spread *spread,
                 const struct mpl_plan *plan, const struct mpl_loop_choice *choice) {
  const struct mpl_item_loop *items = analyses->items;
  unsigned width = choice->width;
  struct mpl_loop_versions versions;
  struct mpl_pieces copies[MPL_MOST_COPIES];
  struct mpl_emit e;
  mpl_plan_versions(&versions, analyses, choice);
  mpl_dump_versions(&versions);
  begin(&e, items, spread);
  e.told |= items->limits.row_copy || plan->quiet;
  mpl_emit_by(&e, versions.masked);
  mpl_copy_for_rows(&e, versions.rows, versions.num_rows, copies);
  e.nowhere = make_nowhere(&e);
  mpl_build_chunks(&e, &versions);
  const char *rows = items->limits.row_copy  ? ", each a row"
                     : items->pieces         ? ", of several rows"
                                             : "";
  LLVMValueRef latch = LLVMGetBasicBlockTerminator(items->cfg->blocks[items->latch]);
  if (!plan->quiet) {
    mpl_tell(items->ir, latch, MPL_FACT_WIDENED, "%u lanes at a time%s", width, rows);
    mpl_tell_flow(mpl_told_copy(&versions));
  }
  if (plan->kernel->widest < width) plan->kernel->widest = width;
  end(&e);
  for (unsigned k = 0; k < versions.num_rows; k++) {
    widen(spread, plan, copies[k].latch, &copies[k], choice);
    mpl_map_free(&copies[k].strides);
  }
  mpl_versions_free(&versions);
}

/* The loop that ends in the branch `latch`; `pieces`: a copy for short rows, or null.  True if code
 * was made. */
static bool widen(struct mpl_spread *spread, const struct mpl_plan *plan, LLVMValueRef latch,
                  struct mpl_pieces *pieces, const struct mpl_loop_choice *of) {
  bool row = pieces && pieces->whole;
  struct mpl_loop_choice choice = *of;
  struct mpl_cfg cfg;
  mpl_cfg_build(&cfg, spread->function);
  struct mpl_item_loop items = {.ir = spread->ir,
                                .cfg = &cfg,
                                .function = spread->function,
                                .pieces = row ? NULL : pieces,
                                .limits = {.row = mpl_required_row(plan->kernel),
                                           .alone = plan->alone,
                                           .one_copy = plan->economy != MPL_ALL_COPIES,
                                           .one_at_a_time = plan->many || row,
                                           .plain = plan->economy >= MPL_PLAIN,
                                           .row_copy = row,
                                           .one_chunk = row && pieces->one_chunk}};
  struct mpl_analyses analyses = {.items = &items};
  mpl_item_loop_find(&items, latch);
  const char *why = items.refusal;
  choice.width = row ? pieces->lanes : mpl_planned_lanes(plan, of);
  items.limits.one_chunk |= items.count && mpl_is_constant(items.count, choice.width);
  if (!why && choice.refused)
    why = "one work-item after another is estimated to be faster";
  if (!why)
    emit(&analyses, spread, plan, &choice);
  else if (!plan->quiet)
    mpl_tell(items.ir, latch, MPL_FACT_NOT_WIDENED, "not widened: %s", why);
  mpl_analyses_free(&analyses);
  mpl_item_loop_free(&items);
  mpl_cfg_free(&cfg);
  return !why;
}

static void find_loops(struct mpl_plan *plan) {
  MPL_EACH_BLOCK(block, plan->function) {
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    if (!end || !mpl_is_work_item_loop(plan->ir, end)) continue;
    MPL_APPEND(plan->loops, plan->num_loops) = (struct mpl_loop_plan){.latch = end};
  }
}

static void choose(struct mpl_plan *plan, const struct mpl_cfg *cfg, struct mpl_loop_plan *loop) {
  const struct mpl_ir_kernel *kernel = plan->kernel;
  struct mpl_item_loop items = {.ir = plan->ir,
                                .cfg = cfg,
                                .function = plan->function,
                                .limits = {.row = mpl_required_row(kernel)}};
  struct mpl_analyses analyses = {.items = &items};
  mpl_item_loop_find(&items, loop->latch);
  if (!items.refusal) mpl_choose_lanes(&analyses, kernel->has_rows, &loop->choice);
  mpl_analyses_free(&analyses);
  mpl_item_loop_free(&items);
}

/* Each access to one is there for each layout of pixels. */
static bool has_image(const struct mpl_ir_kernel *kernel) {
  for (unsigned i = 0; i < kernel->num_args; i++)
    if (kernel->args[i].kind == MPL_ARG_IMAGE) return true;
  return false;
}

static struct mpl_plan plan_function(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                                     LLVMValueRef function) {
  struct mpl_plan plan = {.ir = ir, .kernel = kernel, .function = function};
  struct mpl_cfg cfg;
  find_loops(&plan);
  mpl_cfg_build(&cfg, function);
  for (size_t k = 0; k < plan.num_loops; k++) choose(&plan, &cfg, &plan.loops[k]);
  mpl_cfg_free(&cfg);
  plan.alone = plan.num_loops == 1;
  plan.many = plan.num_loops > MPL_GIVEN_FEW_LOOPS;
  plan.quiet = function == kernel->few || function == kernel->unit;
  if (ir->many_images && has_image(kernel)) plan.economy = MPL_ONE_COPY;
  if (kernel->keeps_vectors) plan.economy = MPL_ONE_ITEM;
  return plan;
}

/* One of many regions, whose loops have no copies, and lanes of one register: there are very many,
 * and each has few turns. */
static struct mpl_plan plan_piece(struct mpl_module_ir *ir, struct mpl_ir_kernel *kernel,
                                  LLVMValueRef function) {
  struct mpl_plan plan = plan_function(ir, kernel, function);
  plan.alone = false;
  plan.narrow = true;
  if (plan.economy < MPL_ONE_COPY) plan.economy = MPL_ONE_COPY;
  return plan;
}

/* Lanes of most of its loops that have a form for lanes. */
static unsigned usual_lanes(const struct mpl_plan *plan) {
  enum { FEWEST = 4 };
  unsigned best = FEWEST, most = 0;
  for (size_t k = 0; k < plan->num_loops; k++) {
    unsigned width = mpl_planned_lanes(plan, &plan->loops[k].choice), count = 0;
    for (size_t l = 0; l < plan->num_loops; l++)
      count += mpl_planned_lanes(plan, &plan->loops[l].choice) == width;
    if (!width || count <= most) continue;
    most = count;
    best = width;
  }
  return best;
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

/* LLVM's register allocator looks for the region in which a value is worth a register, for each
 * value and each register; where it has come to so many blocks it may as well split the value. */
static void mark_large(struct mpl_module_ir *ir, LLVMValueRef function) {
  mpl_set_attribute_value(function, MPL_LARGE, "");
  mpl_set_llvm_option(ir, "-grow-region-complexity-budget=100");
}

static bool widen_function(struct mpl_module_ir *ir, const struct mpl_plan *plan) {
  struct mpl_spread spread;
  bool changed = false;
  tell_economy(ir, plan);
  if (plan->economy == MPL_ONE_ITEM) return changed;
  mpl_spread_begin(&spread, ir, plan->function, usual_lanes(plan));
  for (size_t k = 0; k < plan->num_loops; k++)
    changed |= widen(&spread, plan, plan->loops[k].latch, NULL, &plan->loops[k].choice);
  if (changed) mpl_set_attribute_value(plan->function, MPL_WIDENED, "");
  if (plan->economy && changed) mark_large(ir, plan->function);
  mpl_spread_end(&spread);
  return changed;
}

static bool widen_kernels(struct mpl_module_ir *ir) {
  unsigned count = 0, most = 0;
  MPL_EACH_KERNEL(kernel, ir) most += MPL_MOST_SPLIT + kernel->num_pieces;
  struct mpl_plan *plans = mpl_allocate(most + 1, sizeof *plans);
  bool changed = false;
  MPL_EACH_KERNEL(kernel, ir) {
    if (kernel->uses_lanes) continue;
    LLVMValueRef own[MPL_MOST_SPLIT];
    unsigned functions = mpl_split_functions(kernel, own);
    for (unsigned f = 0; f < functions; f++) plans[count++] = plan_function(ir, kernel, own[f]);
    for (unsigned p = 0; p < kernel->num_pieces; p++)
      plans[count++] = plan_piece(ir, kernel, kernel->pieces[p]);
  }
  mpl_plan_sizes(plans, count);
  for (unsigned k = 0; k < count; k++) changed |= widen_function(ir, &plans[k]);
  for (unsigned k = 0; k < count; k++) free(plans[k].loops);
  free(plans);
  /* Chunks are counted from 0 by their lanes, and what is read beside each other has the same base:
   * LLVM's search for cheaper addresses would be 8 % of a build and gain nothing. */
  if (changed) mpl_set_llvm_option(ir, "-disable-lsr");
  return changed;
}

/* --- sub-groups --- */

static bool widen_lanes(struct mpl_module_ir *ir, LLVMValueRef function, LLVMValueRef latch,
                        unsigned lanes, LLVMValueRef whole) {
  struct mpl_cfg cfg;
  struct mpl_spread none = {0};
  mpl_cfg_build(&cfg, function);
  struct mpl_item_loop items = {.ir = ir,
                                .cfg = &cfg,
                                .function = function,
                                .sub_group = true,
                                .exact = !whole,
                                .whole = whole};
  struct mpl_analyses analyses = {.items = &items};
  mpl_item_loop_find(&items, latch);
  const char *why = items.refusal;
  if (why) {
    mpl_report(ir, latch, "a kernel that calls sub-group functions has %s", why);
  } else {
    struct mpl_copy copy;
    struct mpl_emit e;
    mpl_plan_chunk(&copy, mpl_lanes_for(&analyses, lanes, false), !whole);
    mpl_dump_copy(&copy);
    begin(&e, &items, &none);
    e.told |= !whole; /* it is the second copy */
    mpl_emit_by(&e, copy.recipes.lanes);
    e.nowhere = make_nowhere(&e);
    mpl_build_chunk(&e, &copy);
    if (whole) mpl_tell_flow(&copy);
    end(&e);
    mpl_copy_free(&copy);
  }
  mpl_analyses_free(&analyses);
  mpl_item_loop_free(&items);
  mpl_cfg_free(&cfg);
  return !why;
}

bool mpl_widen_sub_group(struct mpl_module_ir *ir, LLVMValueRef function, unsigned lanes,
                         LLVMValueRef whole) {
  bool good = true;
  struct mpl_plan plan = {.ir = ir, .function = function};
  find_loops(&plan);
  for (size_t k = 0; k < plan.num_loops && good; k++)
    good = widen_lanes(ir, function, plan.loops[k].latch, lanes, whole) &&
           widen_lanes(ir, function, plan.loops[k].latch, lanes, NULL);
  free(plan.loops);
  return good;
}

bool mpl_widen_loops(struct mpl_module_ir *ir) {
  bool changed = false, widens = mpl_option_number(MPL_OPTION_VECTOR_WIDTH) != 1;
  MPL_EACH_KERNEL(kernel, ir) {
    LLVMValueRef group = kernel->group;
    mpl_tell(ir, group, MPL_FACT_KERNEL, "%s", widens ? "" : "not widened");
    if (kernel->uses_lanes) kernel->widest = kernel->sub_group; /* by the splitter */
  }
  if (widens) changed |= widen_kernels(ir);
  changed |= mpl_end_pixel_calls(ir);
  return mpl_lower_target_math(ir) || changed;
}

/* Finds the work-item loops that can be widened, and puts a loop over chunks in front of each,
 * which then does what is left. */
#include "widen.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/passes.h"
#include "runtime/options.h"

bool mpl_is_work_item_loop(struct mpl_module_ir *ir, LLVMValueRef end) {
  return LLVMIsABranchInst(end) && LLVMIsConditional(end) &&
         LLVMGetMetadata(end, LLVMGetMDKindIDInContext(ir->context, MPL_WORK_ITEM_LOOP,
                                                       sizeof MPL_WORK_ITEM_LOOP - 1));
}

/* The loop whose latch ends in `end`: its blocks, and what counts. */
static bool find_loop(struct mpl_widen *w, LLVMValueRef end) {
  struct mpl_cfg *cfg = w->cfg;
  LLVMValueRef more = LLVMGetCondition(end), next = LLVMGetOperand(more, 0);
  w->latch = mpl_cfg_block_of(cfg, end);
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
  return LLVMIsAPHINode(w->counter) &&
         LLVMGetInstructionParent(w->counter) == cfg->blocks[w->header];
}

static const char *cannot_widen(struct mpl_widen *w) {
  for (unsigned l = 0; l < w->num_loops; l++)
    if (mpl_may_wait(w, l)) return "a loop that may wait for another work-item";
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
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

/* --- the chunks --- */

/* Copies of the loop: for several whole chunks, for one, and for what is left, under a mask. */
struct copy {
  unsigned chunks;
  LLVMBasicBlockRef before, first, last; /* the last is open at its end */
  LLVMValueRef counter;
  struct mpl_map scalars; /* of a sub-group: of what is used behind the loop */
};

/* Values that all lanes share and something behind the loop asks for. */
static bool is_used_behind(struct mpl_widen *w, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
    unsigned at = mpl_cfg_block_of(w->cfg, LLVMGetUser(use));
    if (at < w->cfg->count && !w->in[at]) return true;
  }
  return false;
}

/* What the splitter knows to be uniform may look varying to us: any lane's, as the first's. */
static LLVMValueRef any_value(struct mpl_widen *w, LLVMValueRef value) {
  LLVMValueRef scalar = (LLVMValueRef)mpl_map_get(&w->scalars, value, 0);
  if (scalar) return scalar;
  LLVMPositionBuilderAtEnd(w->b, w->ends[w->latch]);
  return mpl_take_lane(w, mpl_vector(w, value), LLVMTypeOf(value), mpl_const64(w->ir, 0));
}

/* Where such a value is until then. */
static LLVMValueRef handed_place(struct mpl_widen *w, LLVMValueRef value) {
  LLVMValueRef known = (LLVMValueRef)mpl_map_get(&w->handed, value, 0);
  if (!known) {
    known = mpl_entry_alloca(w, LLVMTypeOf(value), "handed");
    mpl_map_set(&w->handed, value, (uintptr_t)known);
  }
  return known;
}

/* Of one of the copy's chunks, behind those that it has. */
static bool make_chunk(struct mpl_widen *w, struct copy *copy) {
  mpl_widen_flow(w);
  if (w->why) return false;
  LLVMValueRef counter = mpl_scalar(w, w->counter);
  LLVMBasicBlockRef first = w->blocks[w->header];
  if (w->chunk) {
    LLVMPositionBuilderAtEnd(w->b, copy->last);
    LLVMValueRef distance = LLVMConstInt(LLVMTypeOf(counter), w->chunk * w->width, false),
                 own = LLVMBuildNUWAdd(w->b, copy->counter, distance, "");
    LLVMBuildBr(w->b, first);
    LLVMAddIncoming(counter, &own, &copy->last, 1);
  } else {
    copy->first = first;
    copy->counter = counter;
  }
  copy->last = w->ends[w->latch];
  LLVMPositionBuilderAtEnd(w->b, copy->last);
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      if (!is_used_behind(w, i)) continue;
      if (w->lanes)
        mpl_map_set(&copy->scalars, i, (uintptr_t)any_value(w, i));
      else
        LLVMBuildStore(w->b, any_value(w, i), handed_place(w, i));
    }
  }
  mpl_map_free(&w->edges);
  mpl_map_free(&w->scalars);
  mpl_map_free(&w->vectors);
  w->edges = w->scalars = w->vectors = (struct mpl_map){0};
  return true;
}

/* For the work-items from `start` on. */
static bool make_copy(struct mpl_widen *w, struct copy *copy, unsigned chunks, LLVMValueRef start) {
  *copy = (struct copy){.chunks = chunks};
  copy->before = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "before");
  w->before = chunks > 1 ? copy->before : NULL;
  w->start = start;
  w->top = NULL;
  for (w->chunk = 0; w->chunk < chunks; w->chunk++) {
    if (!make_chunk(w, copy)) {
      LLVMDeleteBasicBlock(copy->before);
      return false;
    }
    w->top = copy->first;
  }
  mpl_close_counted(w, copy->last, chunks);
  LLVMPositionBuilderAtEnd(w->b, copy->before);
  LLVMBuildBr(w->b, copy->first);
  LLVMAddIncoming(copy->counter, &start, &copy->before, 1);
  w->chunk = 0;
  w->before = NULL;
  return true;
}

/* The old loop uses its own value. */
static void use_again(struct mpl_widen *w, LLVMValueRef phi, LLVMValueRef own) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b])
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
      if (LLVMGetOperand(i, k) == phi) LLVMSetOperand(i, k, own);
  }
}

/* What is behind the loop gets such a value from the chunk that was last. */
static void hand_on(struct mpl_widen *w, LLVMBasicBlockRef post, LLVMBasicBlockRef fold) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      if (!mpl_map_has(&w->handed, i)) continue;
      LLVMPositionBuilderBefore(w->b, LLVMGetBasicBlockTerminator(fold));
      LLVMValueRef new = LLVMBuildLoad2(w->b, LLVMTypeOf(i), handed_place(w, i), "");
      LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(post));
      LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(i), "");
      LLVMReplaceAllUsesWith(i, phi);
      use_again(w, phi, i);
      LLVMValueRef values[] = {i, new};
      LLVMBasicBlockRef from[] = {w->cfg->blocks[w->latch], fold};
      LLVMAddIncoming(phi, values, from, 2);
    }
  }
}

/* --- what is assumed --- */

/* Has the number grown by its stride from the first work-item to the last, and so, since it wraps
 * at most once, from each to the next? */
static LLVMValueRef holds(struct mpl_widen *w, LLVMValueRef value, LLVMValueRef last) {
  LLVMTypeRef type = w->ir->i64;
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(w->count)), ends[2];
  ends[0] = mpl_value_for(w, value, zero);
  ends[1] = mpl_value_for(w, value, last);
  if (LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind)
    for (unsigned k = 0; k < 2; k++) ends[k] = LLVMBuildPtrToInt(w->b, ends[k], type, "");
  LLVMValueRef grown =
      LLVMBuildMul(w->b, last, mpl_const64(w->ir, (uint64_t)(int64_t)mpl_stride_of(w, value)), "");
  LLVMValueRef is[2];
  for (int s = 0; s < 2; s++) { /* as a signed number, and as an unsigned one */
    LLVMValueRef first = LLVMBuildIntCast2(w->b, ends[0], type, s, ""),
                 end = LLVMBuildIntCast2(w->b, ends[1], type, s, "");
    is[s] = LLVMBuildICmp(w->b, LLVMIntEQ, LLVMBuildSub(w->b, end, first, ""), grown, "");
  }
  return LLVMBuildAnd(w->b, is[0], is[1], "");
}

/* Null if nothing is assumed. */
LLVMValueRef mpl_all_hold(struct mpl_widen *w) {
  LLVMValueRef all = NULL, last = NULL;
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      if (!mpl_map_has(&w->assumed, i) || !mpl_stride_of(w, i) ||
          mpl_stride_of(w, i) == MPL_ANY_STRIDE)
        continue;
      if (!last)
        last = LLVMBuildSub(w->b, w->count, LLVMConstInt(LLVMTypeOf(w->count), 1, false), "last");
      LLVMValueRef is = holds(w, i, last);
      all = all ? LLVMBuildAnd(w->b, all, is, "") : is;
    }
  }
  return all;
}

/* enter -> the chunks, or, if what is assumed does not hold, the old loop, which LLVM takes away
 * where nothing is assumed. */
static void enter_chunks(struct mpl_widen *w, LLVMBasicBlockRef enter, LLVMBasicBlockRef go,
                         LLVMValueRef assumed) {
  LLVMBasicBlockRef header = w->cfg->blocks[w->header], before = NULL,
                    old = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "old");
  for (unsigned k = 0; k < LLVMCountIncoming(w->counter); k++)
    if (LLVMGetIncomingBlock(w->counter, k) != w->cfg->blocks[w->latch])
      before = LLVMGetIncomingBlock(w->counter, k);
  LLVMPositionBuilderAtEnd(w->b, enter);
  if (assumed)
    LLVMBuildCondBr(w->b, assumed, go, old);
  else
    LLVMBuildBr(w->b, go);
  LLVMPositionBuilderAtEnd(w->b, old);
  LLVMBuildBr(w->b, header);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
  for (unsigned s = 0; s < LLVMGetNumSuccessors(jump); s++)
    if (LLVMGetSuccessor(jump, s) == header) LLVMSetSuccessor(jump, s, enter);
  mpl_ir_replace_incoming(header, before, old);
}

/* LLVM shall not unroll what has its number of chunks already, and may drop what does nothing. */
static void mark_loop(struct mpl_widen *w, LLVMValueRef branch) {
  static const char *const properties[] = {"llvm.loop.unroll.disable", "llvm.loop.mustprogress"};
  LLVMContextRef c = w->ir->context;
  LLVMMetadataRef self = LLVMTemporaryMDNode(c, NULL, 0), operands[3] = {self};
  for (unsigned k = 0; k < 2; k++) {
    LLVMMetadataRef name = LLVMMDStringInContext2(c, properties[k], strlen(properties[k]));
    operands[k + 1] = LLVMMDNodeInContext2(c, &name, 1);
  }
  LLVMMetadataRef loop = LLVMMDNodeInContext2(c, operands, 3);
  mpl_set_metadata(w->ir, branch, "llvm.loop", loop);
  LLVMMetadataReplaceAllUsesWith(self, loop);
}

/* At the builder: the copy, if there are work-items for it. */
static void run(struct mpl_widen *w, struct copy *copy, LLVMValueRef start, LLVMValueRef end,
                bool loop) {
  LLVMBasicBlockRef then = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "then");
  LLVMBuildCondBr(w->b, LLVMBuildICmp(w->b, LLVMIntNE, start, end, ""), copy->before, then);
  LLVMPositionBuilderAtEnd(w->b, copy->last);
  if (loop) {
    LLVMValueRef step = LLVMConstInt(LLVMTypeOf(start), copy->chunks * w->width, false),
                 next = LLVMBuildNUWAdd(w->b, copy->counter, step, ""),
                 more = LLVMBuildICmp(w->b, LLVMIntULT, next, end, "");
    mark_loop(w, LLVMBuildCondBr(w->b, more, copy->first, then));
    LLVMAddIncoming(copy->counter, &next, &copy->last, 1);
  } else {
    LLVMBuildBr(w->b, then);
  }
  LLVMPositionBuilderAtEnd(w->b, then);
}

static LLVMValueRef lanes_below(struct mpl_widen *w, LLVMValueRef count) {
  LLVMTypeRef type = w->ir->i32;
  LLVMValueRef each[256];
  for (unsigned k = 0; k < w->width; k++) each[k] = LLVMConstInt(type, k, false);
  count = LLVMBuildTrunc(w->b, count, type, "");
  return LLVMBuildICmp(w->b, LLVMIntULT, LLVMConstVector(each, w->width), mpl_splat(w, count),
                       "here");
}

static bool keeps_busy(LLVMValueRef i) {
  LLVMOpcode opcode = LLVMGetInstructionOpcode(i);
  if (opcode == LLVMLoad || opcode == LLVMStore) return LLVMGetVolatile(i);
  if (opcode != LLVMCall)
    return (opcode >= LLVMUDiv && opcode <= LLVMFRem) || opcode == LLVMAtomicRMW ||
           opcode == LLVMAtomicCmpXchg;
  LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(i));
  return !callee || !LLVMGetIntrinsicID(callee);
}

/* Short loops that nothing else keeps busy do several chunks at a time, each with sums of its own:
 * four registers of the widest that there are. */
static unsigned chunks_at_a_time(struct mpl_widen *w) {
  enum { MOST_INSTRUCTIONS = 32, BYTES = 256 };
  unsigned instructions = 0, bytes = 1;
  if (w->num_loops) return 1;
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    if (w->diverged[b]) return 1;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      LLVMValueRef value = LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 0) : i;
      bool empty = LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMVoidTypeKind;
      instructions += !LLVMIsATerminatorInst(i);
      if (keeps_busy(i)) return 1;
      if (empty || mpl_stride_of(w, value) != MPL_ANY_STRIDE) continue;
      unsigned size = (unsigned)LLVMABISizeOfType(w->ir->layout, LLVMTypeOf(value));
      if (size > bytes) bytes = size;
    }
  }
  if (instructions > MOST_INSTRUCTIONS) return 1;
  unsigned chunks = BYTES / (bytes * w->width);
  return chunks < 1 ? 1 : chunks > MPL_MOST_CHUNKS ? MPL_MOST_CHUNKS : chunks;
}

static void build(struct mpl_widen *w) {
  LLVMContextRef context = w->ir->context;
  LLVMBasicBlockRef enter = LLVMAppendBasicBlockInContext(context, w->function, "chunks"),
                    go = LLVMAppendBasicBlockInContext(context, w->function, "go"), fold;
  struct copy several, one, rest;
  LLVMTypeRef type = LLVMTypeOf(w->count);
  unsigned most = chunks_at_a_time(w);
  LLVMPositionBuilderAtEnd(w->b, enter);
  LLVMValueRef zero = LLVMConstNull(type), ends[2];
  for (unsigned k = 0; k < 2; k++) {
    unsigned step = w->width * (k ? 1 : most);
    LLVMValueRef mask = LLVMConstInt(type, ~(uint64_t)(step - 1), true);
    ends[k] = LLVMBuildAnd(w->b, w->count, mask, "whole");
  }
  LLVMValueRef here = lanes_below(w, LLVMBuildSub(w->b, w->count, ends[1], ""));
  LLVMValueRef assumed = mpl_all_hold(w), begin = most > 1 ? ends[0] : zero;
  if (!make_copy(w, &one, 1, begin)) {
    LLVMDeleteBasicBlock(enter);
    LLVMDeleteBasicBlock(go);
    return;
  }
  w->told = true;
  if (most > 1) make_copy(w, &several, most, zero);
  w->all = here;
  make_copy(w, &rest, 1, ends[1]);
  enter_chunks(w, enter, go, assumed);
  LLVMPositionBuilderAtEnd(w->b, go);
  mpl_begin_sums(w);
  if (most > 1) run(w, &several, zero, ends[0], true);
  run(w, &one, begin, ends[1], true);
  run(w, &rest, ends[1], w->count, false);
  fold = LLVMGetInsertBlock(w->b);
  mpl_fold_sums(w);
  LLVMBasicBlockRef post =
      LLVMGetSuccessor(LLVMGetBasicBlockTerminator(w->cfg->blocks[w->latch]), 1);
  LLVMBuildBr(w->b, post);
  hand_on(w, post, fold);
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
  w->inner = mpl_allocate(n, sizeof *w->inner);
  w->loops = mpl_allocate(n, sizeof *w->loops);
  w->part_of = mpl_allocate(n, sizeof *w->part_of);
  w->parts = mpl_allocate(n, sizeof *w->parts);
  w->blocks = mpl_allocate(n, sizeof *w->blocks);
  w->ends = mpl_allocate(n, sizeof *w->ends);
  for (unsigned b = 0; b < n; b++) w->inner[b] = -1;
}

static void end(struct mpl_widen *w) {
  LLVMDisposeBuilder(w->b);
  mpl_fields_free(w);
  struct mpl_map *const maps[] = {&w->index, &w->assumed, &w->arrays,  &w->kinds,
                                  &w->edges, &w->scalars, &w->vectors, &w->handed};
  for (unsigned k = 0; k < sizeof maps / sizeof *maps; k++) mpl_map_free(maps[k]);
  free(w->shapes);
  free(w->sums);
  free(w->in);
  free(w->diverged);
  free(w->joins);
  free(w->inner);
  free(w->loops);
  free(w->part_of);
  free(w->parts);
  free(w->blocks);
  free(w->ends);
}

/* The loop that ends in the branch `latch`. */
static bool widen(struct mpl_spread *spread, const struct mpl_ir_kernel *kernel, LLVMValueRef latch,
                  struct mpl_pieces *pieces) {
  struct mpl_module_ir *ir = spread->ir;
  struct mpl_cfg cfg;
  struct mpl_widen w;
  struct mpl_pieces copies[MPL_MOST_COPIES];
  unsigned num_copies = 0;
  mpl_cfg_build(&cfg, spread->function);
  begin(&w, ir, &cfg, spread->function);
  w.spread = spread;
  w.row = mpl_required_row(kernel);
  w.width = spread->width;
  w.pieces = pieces;
  if (!find_loop(&w, latch)) {
    w.why = "it does not count work-items";
  } else if (mpl_lanes_find(&w) && !(w.why = cannot_widen(&w))) {
    if (!pieces) num_copies = mpl_copy_for_rows(&w, copies);
    w.nowhere = make_nowhere(&w);
    mpl_fields_find(&w);
    build(&w);
  }
  if (w.why) {
    mpl_tell(ir, latch, MPL_FACT_NOT_WIDENED, "not widened: %s", w.why);
  } else {
    mpl_tell(ir, latch, MPL_FACT_WIDENED, "%u lanes at a time%s", w.width,
             pieces ? ", of several rows" : "");
    mpl_tell_flow(&w);
  }
  bool widened = !w.why || w.nowhere;
  end(&w);
  mpl_cfg_free(&cfg);
  for (unsigned k = 0; k < num_copies; k++) {
    widen(spread, kernel, copies[k].latch, &copies[k]);
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
    if (!end || !mpl_is_work_item_loop(ir, end)) continue;
    ends.list = mpl_grow(ends.list, &ends.capacity, ends.count + 1, sizeof *ends.list);
    ends.list[ends.count++] = end;
  }
  return ends;
}

static bool widen_kernel(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel) {
  bool changed = mpl_expand_copies(ir, kernel->group);
  struct ends ends = find_ends(ir, kernel->group);
  struct mpl_spread spread;
  mpl_spread_begin(&spread, ir, kernel->group, mpl_choose_width(ir, kernel));
  for (size_t e = 0; e < ends.count; e++) changed |= widen(&spread, kernel, ends.list[e], NULL);
  mpl_spread_end(&spread);
  free(ends.list);
  return changed;
}

/* --- sub-groups --- */

/* The loop goes, and `copy` stands in its place. */
static void replace_loop(struct mpl_widen *w, struct copy *copy, LLVMBasicBlockRef post) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      LLVMTypeRef type = LLVMTypeOf(i);
      LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
      if (type != w->ir->void_type) LLVMReplaceAllUsesWith(i, one ? one : LLVMGetPoison(type));
    }
  }
  mpl_ir_replace_incoming(post, w->cfg->blocks[w->latch], copy->last);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b]) MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) LLVMInstructionEraseFromParent(i);
  for (unsigned b = w->first; b <= w->last; b++)
    if (w->in[b]) LLVMDeleteBasicBlock(w->cfg->blocks[b]);
}

/* What is behind the loop gets a value from it or from the chunk in front of it. */
static void choose_value(struct mpl_widen *w, LLVMBasicBlockRef post, struct copy *copy) {
  for (unsigned b = w->first; b <= w->last; b++) {
    if (!w->in[b]) continue;
    MPL_EACH_INSTRUCTION(i, w->cfg->blocks[b]) {
      LLVMValueRef one = (LLVMValueRef)mpl_map_get(&copy->scalars, i, 0);
      if (!one) continue;
      LLVMPositionBuilderBefore(w->b, LLVMGetFirstInstruction(post));
      LLVMValueRef phi = LLVMBuildPhi(w->b, LLVMTypeOf(i), ""), values[] = {i, one};
      LLVMBasicBlockRef from[] = {w->cfg->blocks[w->latch], copy->last};
      LLVMReplaceAllUsesWith(i, phi);
      use_again(w, phi, i);
      LLVMAddIncoming(phi, values, from, 2);
    }
  }
}

/* One chunk in front of the loop, entered if the sub-group is a whole one, and what is assumed of
 * it holds; or (no `whole`) in place of the loop. */
static void build_chunk(struct mpl_widen *w) {
  LLVMBasicBlockRef header = w->cfg->blocks[w->header], before = NULL;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(w->cfg->blocks[w->latch]);
  LLVMBasicBlockRef post = LLVMGetSuccessor(end, 1);
  for (unsigned k = 0; k < LLVMCountIncoming(w->counter); k++)
    if (LLVMGetIncomingBlock(w->counter, k) != w->cfg->blocks[w->latch])
      before = LLVMGetIncomingBlock(w->counter, k);
  LLVMValueRef jump = LLVMGetBasicBlockTerminator(before);
  LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(w->count));
  struct copy copy;
  LLVMPositionBuilderBefore(w->b, jump);
  LLVMValueRef assumed = w->whole ? mpl_all_hold(w) : NULL, goes = w->whole;
  if (assumed) goes = LLVMBuildAnd(w->b, goes, assumed, "");
  if (!w->whole) w->all = lanes_below(w, w->count);
  if (!make_copy(w, &copy, 1, zero)) return;
  LLVMPositionBuilderAtEnd(w->b, copy.last);
  LLVMBuildBr(w->b, post);
  LLVMPositionBuilderBefore(w->b, jump);
  if (w->whole) {
    LLVMBasicBlockRef old = LLVMAppendBasicBlockInContext(w->ir->context, w->function, "any");
    LLVMBuildCondBr(w->b, goes, copy.before, old);
    LLVMPositionBuilderAtEnd(w->b, old);
    LLVMBuildBr(w->b, header);
    mpl_ir_replace_incoming(header, before, old);
    choose_value(w, post, &copy);
  } else {
    LLVMBuildBr(w->b, copy.before);
    replace_loop(w, &copy, post);
  }
  LLVMInstructionEraseFromParent(jump);
  mpl_map_free(&copy.scalars);
}

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
  if (!find_loop(&w, latch)) {
    w.why = "it does not count work-items";
  } else if (mpl_lanes_find(&w) && !(w.why = cannot_widen(&w))) {
    w.nowhere = make_nowhere(&w);
    mpl_fields_find(&w);
    build_chunk(&w);
  }
  if (w.why) {
    mpl_tell(ir, latch, MPL_FACT_NOT_WIDENED, "not widened: %s", w.why);
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
  mpl_expand_copies(ir, function);
  struct ends ends = find_ends(ir, function);
  for (size_t e = 0; e < ends.count && good; e++)
    good = widen_lanes(ir, function, ends.list[e], lanes, whole) &&
           widen_lanes(ir, function, ends.list[e], lanes, NULL);
  free(ends.list);
  return good;
}

/* The places of components in a private array are each work-item's own, and what is in the setup is
 * made once for all. */
static void leave_setup(LLVMValueRef function, LLVMBuilderRef b) {
  LLVMBasicBlockRef setup = LLVMGetEntryBasicBlock(function);
  LLVMValueRef at =
      LLVMGetFirstInstruction(LLVMGetSuccessor(LLVMGetBasicBlockTerminator(setup), 0));
  while (LLVMIsAPHINode(at)) at = LLVMGetNextInstruction(at);
  LLVMPositionBuilderBefore(b, at);
  MPL_EACH_INSTRUCTION(i, setup) {
    LLVMValueRef of = i;
    while (LLVMIsAGetElementPtrInst(of)) of = LLVMGetOperand(of, 0);
    if (of == i || !LLVMIsAAllocaInst(of)) continue;
    LLVMInstructionRemoveFromParent(i);
    LLVMInsertIntoBuilder(b, i);
  }
}

/* In front of `one-item`: behind it, what only one work-item has computed dominates what all do. */
bool mpl_split_vectors(struct mpl_module_ir *ir) {
  bool changed = false;
  LLVMBuilderRef b = LLVMCreateBuilderInContext(ir->context);
  for (unsigned k = 0; k < ir->num_kernels && mpl_option_number(MPL_OPTION_VECTOR); k++) {
    if (!mpl_ir_scalarize(ir->kernels[k].group)) continue;
    leave_setup(ir->kernels[k].group, b);
    changed = true;
  }
  LLVMDisposeBuilder(b);
  return changed;
}

bool mpl_widen_loops(struct mpl_module_ir *ir) {
  bool changed = false, widens = mpl_option_number(MPL_OPTION_VECTOR);
  for (unsigned k = 0; k < ir->num_kernels; k++) {
    LLVMValueRef group = ir->kernels[k].group;
    mpl_tell(ir, group, MPL_FACT_KERNEL, "%s", widens ? "" : "left to LLVM's vectoriser");
    if (widens && !ir->kernels[k].uses_lanes) changed |= widen_kernel(ir, &ir->kernels[k]);
  }
  return changed;
}

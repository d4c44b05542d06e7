/* Finds loops that step from a work-item's id, and splits them. */
#include "grid_stride.h"

#include <stdlib.h>

#include "abi/kernel.h"
#include "compiler/analysis/markers.h"

/* Numbers that are looked at are from 0 to 2^31 - 1. */
static LLVMValueRef strip(LLVMValueRef value) { return mpl_through_casts(value, 31); }

static bool is_word(LLVMValueRef value) {
  LLVMTypeRef type = LLVMTypeOf(value);
  if (LLVMGetTypeKind(type) != LLVMIntegerTypeKind) return false;
  return LLVMGetIntTypeWidth(type) == 32 || LLVMGetIntTypeWidth(type) == 64;
}

static bool is_uniform(struct mpl_grid_stride *m, LLVMValueRef value) {
  return is_word(value) && mpl_is_uniform(m->shapes, value);
}

static bool is_add(LLVMValueRef value) {
  return LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
}

/* Local id in x, and a uniform number more. */
static bool match_first(struct mpl_grid_stride *m, LLVMValueRef first) {
  LLVMValueRef value = strip(first);
  m->base = NULL;
  if (is_add(value)) {
    LLVMValueRef a = strip(LLVMGetOperand(value, 0)), b = strip(LLVMGetOperand(value, 1));
    bool swap = mpl_marker_of(b) == MPL_MARK_LOCAL_ID_0;
    m->base = swap ? a : b;
    value = swap ? b : a;
    if (!is_uniform(m, m->base)) return false;
  }
  return mpl_marker_of(value) == MPL_MARK_LOCAL_ID_0;
}

static bool match_counter(struct mpl_grid_stride *m, LLVMValueRef next) {
  LLVMValueRef sum = strip(next);
  if (!is_add(sum)) return false;
  for (unsigned k = 0; k < 2; k++) {
    LLVMValueRef phi = strip(LLVMGetOperand(sum, k)), step = LLVMGetOperand(sum, !k);
    if (!LLVMIsAPHINode(phi) || LLVMGetInstructionParent(phi) != m->body) continue;
    if (!is_word(phi) || !is_uniform(m, step)) continue;
    bool own = LLVMGetIncomingBlock(phi, 0) == m->body;
    if (strip(LLVMGetIncomingValue(phi, !own)) != sum) continue;
    m->counter = phi;
    m->step = step;
    return match_first(m, LLVMGetIncomingValue(phi, own));
  }
  return false;
}

/* Does `condition`, if it is `truth`, say value < end, with a uniform end? */
static bool match_less(struct mpl_grid_stride *m, LLVMValueRef condition, bool truth,
                       LLVMValueRef *value, LLVMValueRef *end, bool *is_signed) {
  if (!LLVMIsAICmpInst(condition)) return false;
  LLVMIntPredicate is = LLVMGetICmpPredicate(condition);
  *value = LLVMGetOperand(condition, 0);
  *end = LLVMGetOperand(condition, 1);
  if (!is_word(*value)) return false;
  if (is_uniform(m, *value)) { /* end > value */
    *end = *value;
    *value = LLVMGetOperand(condition, 1);
    is = is == LLVMIntUGT   ? LLVMIntULT
         : is == LLVMIntSGT ? LLVMIntSLT
         : is == LLVMIntULE ? LLVMIntUGE
         : is == LLVMIntSLE ? LLVMIntSGE
                            : LLVMIntEQ;
  }
  *is_signed = is == LLVMIntSLT || is == LLVMIntSGE;
  bool less = is == LLVMIntULT || is == LLVMIntSLT, not_less = is == LLVMIntUGE || is == LLVMIntSGE;
  return (truth ? less : not_less) && is_uniform(m, *end);
}

static bool match_condition(struct mpl_grid_stride *m, LLVMValueRef condition, bool truth) {
  LLVMValueRef next;
  return match_less(m, condition, truth, &next, &m->end, &m->is_signed) && match_counter(m, next);
}

/* The guard asks of the first value what the loop asks of the others. */
static bool match_guard(struct mpl_grid_stride *m, LLVMValueRef choice) {
  LLVMValueRef first, end;
  bool is_signed, truth = LLVMGetSuccessor(choice, 0) == m->enter;
  if (!match_less(m, LLVMGetCondition(choice), truth, &first, &end, &is_signed)) return false;
  bool own = LLVMGetIncomingBlock(m->counter, 0) == m->body;
  LLVMValueRef begin = strip(LLVMGetIncomingValue(m->counter, own));
  bool same = strip(first) == begin || (mpl_marker_of(begin) == MPL_MARK_LOCAL_ID_0 &&
                                        mpl_marker_of(strip(first)) == MPL_MARK_LOCAL_ID_0);
  return same && end == m->end && is_signed == m->is_signed;
}

/* Outside of the loop its values are used through phis of `leave` only. */
static bool is_closed(struct mpl_grid_stride *m) {
  MPL_EACH_INSTRUCTION(i, m->body) {
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef user = LLVMGetUser(use);
      LLVMBasicBlockRef at = LLVMGetInstructionParent(user);
      if (at != m->body && (at != m->leave || !LLVMIsAPHINode(user))) return false;
    }
  }
  return true;
}

static bool has_one_successor(LLVMBasicBlockRef block, LLVMBasicBlockRef successor) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  return LLVMIsABranchInst(end) && !LLVMIsConditional(end) && LLVMGetSuccessor(end, 0) == successor;
}

bool mpl_match_grid_stride(struct mpl_grid_stride *m, unsigned b) {
  struct mpl_cfg *cfg = m->cfg;
  m->body = cfg->blocks[b];
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->body);
  if (!LLVMIsABranchInst(end) || !LLVMIsConditional(end) || cfg->preds[b].count != 2) return false;
  bool again = LLVMGetSuccessor(end, 0) == m->body; /* when the condition is true */
  if (LLVMGetSuccessor(end, !again) != m->body) return false;
  m->leave = LLVMGetSuccessor(end, again);
  unsigned enter = cfg->preds[b].to[cfg->preds[b].to[0] == b];
  unsigned leave = mpl_map_get(&cfg->index, m->leave, 0);
  if (enter == b || cfg->preds[enter].count != 1 || cfg->preds[leave].count != 1) return false;
  unsigned guard = cfg->preds[enter].to[0];
  m->enter = cfg->blocks[enter];
  m->guard = cfg->blocks[guard];
  LLVMValueRef choice = LLVMGetBasicBlockTerminator(m->guard);
  return m->leave != m->body && has_one_successor(m->enter, m->body) &&
         LLVMGetFirstInstruction(m->enter) == LLVMGetBasicBlockTerminator(m->enter) &&
         LLVMIsABranchInst(choice) && LLVMIsConditional(choice) &&
         LLVMGetSuccessor(choice, 0) != LLVMGetSuccessor(choice, 1) &&
         !m->shapes->diverged[guard] && m->shapes->varying_branch[guard] &&
         match_condition(m, LLVMGetCondition(end), again) && match_guard(m, choice) && is_closed(m);
}

/* --- the change --- */

struct change {
  struct mpl_grid_stride *m;
  LLVMBuilderRef b;
  LLVMBasicBlockRef round, rest, none; /* the uniform loop; what is left; none is left */
  struct mpl_map copies;               /* value of the body -> that of the uniform loop */
  LLVMValueRef size, base, step, end;  /* 64 bits: of the group in x; of the loop */
};

static LLVMValueRef wide(struct change *c, LLVMValueRef value, bool is_signed) {
  return LLVMBuildIntCast2(c->b, value, c->m->ir->i64, is_signed, "");
}

/* Is the round with these values of the counter, `at` beyond the local ids, one of all work-items?
 */
static LLVMValueRef is_common_round(struct change *c, LLVMValueRef at) {
  return LLVMBuildICmp(c->b, LLVMIntSLE, LLVMBuildAdd(c->b, at, c->size, ""), c->end, "");
}

/* Rounds that all work-items begin below 2^31: in these the counter is the sum it looks like, in
 * whatever width it is computed.  Fills in what the uniform loop counts with; returns whether it
 * runs at all. */
static LLVMValueRef build_limits(struct change *c) {
  struct mpl_module_ir *ir = c->m->ir;
  LLVMValueRef zero = mpl_const64(ir, 0), highest = mpl_const64(ir, INT32_MAX);
  LLVMValueRef group = LLVMGetParam(LLVMGetBasicBlockParent(c->m->guard), 1);
  LLVMValueRef indices[] = {zero, LLVMConstInt(ir->i32, MPL_GROUP_SIZE, false), zero};
  LLVMValueRef at = LLVMBuildInBoundsGEP2(c->b, ir->group_type, group, indices, 3, "");
  c->size = LLVMBuildLoad2(c->b, ir->i64, at, "size.x");
  c->base = c->m->base ? wide(c, c->m->base, false) : zero;
  c->step = wide(c, c->m->step, false);
  c->end = wide(c, c->m->end, c->m->is_signed);
  LLVMIntPredicate less = c->m->is_signed ? LLVMIntSLT : LLVMIntULT;
  LLVMValueRef low = LLVMBuildICmp(c->b, less, c->end, highest, "");
  c->end = LLVMBuildSelect(c->b, low, c->end, highest, "");
  LLVMValueRef limits[] = {
      LLVMBuildICmp(c->b, LLVMIntULE, c->base, highest, ""),
      LLVMBuildICmp(c->b, LLVMIntULE, c->step, highest, ""),
      LLVMBuildICmp(c->b, LLVMIntNE, c->step, zero, ""),
  };
  LLVMValueRef runs = is_common_round(c, c->base);
  for (unsigned k = 0; k < 3; k++) runs = LLVMBuildAnd(c->b, runs, limits[k], "");
  return runs;
}

static LLVMValueRef copy_of(struct change *c, LLVMValueRef value) {
  return (LLVMValueRef)mpl_map_get(&c->copies, value, (uintptr_t)value);
}

static LLVMValueRef phi_of(struct change *c, LLVMTypeRef type, LLVMValueRef first,
                           LLVMBasicBlockRef from, LLVMValueRef second,
                           LLVMBasicBlockRef second_from) {
  LLVMValueRef phi = LLVMBuildPhi(c->b, type, ""), values[] = {first, second};
  LLVMBasicBlockRef blocks[] = {from, second_from};
  LLVMAddIncoming(phi, values, blocks, second ? 2 : 1);
  return phi;
}

static LLVMValueRef incoming(LLVMValueRef phi, LLVMBasicBlockRef from) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) return LLVMGetIncomingValue(phi, k);
  abort();
}

/* The uniform loop, up to its branch; returns the counter beyond the local id. */
static LLVMValueRef copy_body(struct change *c, LLVMValueRef id) {
  struct mpl_grid_stride *m = c->m;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->body);
  LLVMPositionBuilderAtEnd(c->b, c->round);
  LLVMValueRef at = phi_of(c, m->ir->i64, c->base, m->guard, NULL, NULL);
  MPL_EACH_INSTRUCTION(i, m->body) {
    if (!LLVMIsAPHINode(i)) break;
    if (i == m->counter) continue;
    LLVMValueRef phi = phi_of(c, LLVMTypeOf(i), incoming(i, m->enter), m->guard, NULL, NULL);
    mpl_map_set(&c->copies, i, (uintptr_t)phi);
  }
  LLVMValueRef counter = LLVMBuildAdd(c->b, id, at, "");
  counter = LLVMBuildIntCast2(c->b, counter, LLVMTypeOf(m->counter), false, "counter");
  mpl_map_set(&c->copies, m->counter, (uintptr_t)counter);
  MPL_EACH_INSTRUCTION(i, m->body) {
    if (LLVMIsAPHINode(i) || i == end) continue;
    LLVMValueRef copy = LLVMInstructionClone(i);
    for (int k = 0; k < LLVMGetNumOperands(copy); k++)
      LLVMSetOperand(copy, k, copy_of(c, LLVMGetOperand(copy, k)));
    LLVMInsertIntoBuilder(c->b, copy);
    mpl_map_set(&c->copies, i, (uintptr_t)copy);
  }
  MPL_EACH_INSTRUCTION(i, m->body) {
    if (!LLVMIsAPHINode(i)) break;
    if (i == m->counter) continue;
    LLVMValueRef next = copy_of(c, incoming(i, m->body));
    LLVMAddIncoming(copy_of(c, i), &next, &c->round, 1);
  }
  return at;
}

static void set_incoming(LLVMValueRef phi, LLVMBasicBlockRef from, LLVMValueRef value) {
  for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
    if (LLVMGetIncomingBlock(phi, k) == from) LLVMSetOperand(phi, k, value);
}

/* Behind the uniform loop: values go on with what it has made, if it has run. */
static void join(struct change *c) {
  struct mpl_grid_stride *m = c->m;
  LLVMValueRef end = LLVMGetBasicBlockTerminator(m->body);
  LLVMValueRef choice = LLVMGetBasicBlockTerminator(m->guard);
  bool first = LLVMGetSuccessor(choice, 0) == m->enter, again = LLVMGetSuccessor(end, 0) == m->body;
  LLVMBasicBlockRef past = LLVMGetSuccessor(choice, first);
  LLVMPositionBuilderAtEnd(c->b, c->round);
  LLVMValueRef other = copy_of(c, LLVMGetCondition(end));
  if (first != again) other = LLVMBuildNot(c->b, other, "");
  LLVMPositionBuilderAtEnd(c->b, c->rest);
  LLVMValueRef go = phi_of(c, m->ir->i1, LLVMGetCondition(choice), m->guard, other, c->round);
  LLVMValueRef executed = phi_of(c, m->ir->i1, LLVMConstInt(m->ir->i1, 0, false), m->guard,
                                 LLVMConstInt(m->ir->i1, 1, false), c->round);
  MPL_EACH_INSTRUCTION(i, m->body) {
    if (!LLVMIsAPHINode(i)) break;
    LLVMValueRef begin = phi_of(c, LLVMTypeOf(i), incoming(i, m->enter), m->guard,
                                copy_of(c, incoming(i, m->body)), c->round);
    set_incoming(i, m->enter, begin);
  }
  MPL_EACH_INSTRUCTION(i, m->leave) {
    if (!LLVMIsAPHINode(i)) break;
    LLVMValueRef value = incoming(i, m->body);
    LLVMValueRef made = phi_of(c, LLVMTypeOf(i), LLVMConstNull(LLVMTypeOf(i)), m->guard,
                               copy_of(c, value), c->round);
    LLVMAddIncoming(i, &made, &c->none, 1);
  }
  LLVMBasicBlockRef targets[] = {first ? m->enter : c->none, first ? c->none : m->enter};
  LLVMBuildCondBr(c->b, go, targets[0], targets[1]);
  LLVMPositionBuilderAtEnd(c->b, c->none);
  LLVMBuildCondBr(c->b, executed, m->leave, past);
  mpl_ir_replace_incoming(past, m->guard, c->none);
}

void mpl_split_grid_stride(struct mpl_grid_stride *m) {
  LLVMContextRef context = m->ir->context;
  struct change c = {.m = m, .b = LLVMCreateBuilderInContext(context)};
  LLVMValueRef choice = LLVMGetBasicBlockTerminator(m->guard);
  LLVMValueRef first = incoming(m->counter, m->enter), id = strip(first);
  if (m->base) {
    LLVMValueRef a = strip(LLVMGetOperand(id, 0)), b = strip(LLVMGetOperand(id, 1));
    id = mpl_marker_of(a) == MPL_MARK_LOCAL_ID_0 ? a : b;
  }
  c.round = LLVMInsertBasicBlockInContext(context, m->enter, "round");
  c.rest = LLVMInsertBasicBlockInContext(context, m->enter, "rest");
  c.none = LLVMInsertBasicBlockInContext(context, m->enter, "none");
  LLVMPositionBuilderBefore(c.b, choice);
  LLVMValueRef runs = build_limits(&c), at = copy_body(&c, id);
  join(&c);
  LLVMPositionBuilderAtEnd(c.b, c.round);
  LLVMValueRef next = LLVMBuildAdd(c.b, at, c.step, "");
  LLVMAddIncoming(at, &next, &c.round, 1);
  LLVMBuildCondBr(c.b, is_common_round(&c, next), c.round, c.rest);
  LLVMPositionBuilderBefore(c.b, choice);
  LLVMBuildCondBr(c.b, runs, c.round, c.rest);
  LLVMInstructionEraseFromParent(choice);
  LLVMDisposeBuilder(c.b);
  mpl_map_free(&c.copies);
}

/* Versions of code, and of loops (versions.h). */
#include "versions.h"

enum { FIRST, LAST, OTHERS };

LLVMValueRef mpl_begin_versions(struct mpl_emit *e, struct mpl_versions *v, LLVMValueRef condition,
                                const char *name, const char *last, const char *after) {
  LLVMBasicBlockRef first = mpl_new_block(e, name);
  *v = (struct mpl_versions){.count = OTHERS, .now = FIRST};
  if (last) v->last = mpl_new_block(e, last);
  v->after = mpl_new_block(e, after);
  v->from[LAST] = LLVMGetInsertBlock(e->b);
  LLVMBasicBlockRef otherwise = v->last ? v->last : v->after;
  LLVMValueRef branch = condition ? LLVMBuildCondBr(e->b, condition, first, otherwise)
                                  : LLVMBuildBr(e->b, first);
  LLVMPositionBuilderAtEnd(e->b, first);
  return branch;
}

static void leave(struct mpl_emit *e, struct mpl_versions *v) {
  v->from[v->now] = LLVMGetInsertBlock(e->b); /* there may be blocks in it */
  LLVMBuildBr(e->b, v->after);
}

void mpl_last_version(struct mpl_emit *e, struct mpl_versions *v) {
  leave(e, v);
  LLVMPositionBuilderAtEnd(e->b, v->last);
  v->now = LAST;
}

void mpl_insert_version(struct mpl_emit *e, struct mpl_versions *v, LLVMValueRef condition,
                        const char *name) {
  v->last = mpl_new_block(e, "apart");
  v->now = v->count++;
  LLVMBasicBlockRef own = mpl_new_block(e, name);
  LLVMBuildCondBr(e->b, LLVMBuildFreeze(e->b, condition, ""), own, v->last);
  LLVMPositionBuilderAtEnd(e->b, own);
}

void mpl_repeat_version(struct mpl_emit *e, struct mpl_versions *v, LLVMValueRef again,
                        LLVMBasicBlockRef top) {
  v->from[v->now] = LLVMGetInsertBlock(e->b);
  LLVMBuildCondBr(e->b, again, top, v->after);
  LLVMPositionBuilderAtEnd(e->b, v->after);
}

void mpl_end_versions(struct mpl_emit *e, struct mpl_versions *v) {
  leave(e, v);
  LLVMPositionBuilderAtEnd(e->b, v->after);
}

LLVMValueRef mpl_of_versions(struct mpl_emit *e, struct mpl_versions *v, LLVMValueRef *values) {
  return mpl_phi(e->b, values, v->from, v->count);
}

LLVMValueRef mpl_of_two(struct mpl_emit *e, struct mpl_versions *v, LLVMValueRef first,
                        LLVMValueRef last) {
  return mpl_of_versions(e, v, (LLVMValueRef[]){first, last});
}

/* --- of a loop --- */

void mpl_put_in_front(LLVMBasicBlockRef first, LLVMBasicBlockRef from, LLVMBasicBlockRef with,
                      LLVMBasicBlockRef last) {
  mpl_replace_operand(LLVMGetBasicBlockTerminator(from), LLVMBasicBlockAsValue(first),
                      LLVMBasicBlockAsValue(with));
  mpl_ir_replace_incoming(first, from, last);
}

/* Of an earlier version there is a phi already. */
void mpl_meet_behind(struct mpl_emit *e, LLVMBasicBlockRef post, LLVMBasicBlockRef latch, LLVMValueRef own,
                     LLVMValueRef new, LLVMBasicBlockRef from) {
  const struct mpl_cfg *cfg = e->items->cfg;
  LLVMValueRef phi = NULL, values[] = {own, new};
  LLVMBasicBlockRef blocks[] = {latch, from};
  MPL_EACH_USER(user, own) {
    unsigned at = mpl_cfg_block_of(cfg, user);
    if (at >= cfg->count || e->items->in[at]) continue; /* of the loop, or of a version */
    if (LLVMIsAPHINode(user) && LLVMGetInstructionParent(user) == post) {
      LLVMAddIncoming(user, &new, &from, 1);
      return;
    }
    if (!phi) {
      LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(post));
      phi = LLVMBuildPhi(e->b, LLVMTypeOf(own), "");
    }
    mpl_replace_operand(user, own, phi);
  }
  if (phi) LLVMAddIncoming(phi, values, blocks, 2);
}

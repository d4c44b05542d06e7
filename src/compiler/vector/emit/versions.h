/* What is there in several versions: each runs where its condition holds, and is made by what follows from
 * that; where none holds the last one runs, which takes nothing for granted. */
#ifndef MPL_COMPILER_EMIT_VERSIONS_H
#define MPL_COMPILER_EMIT_VERSIONS_H

#include "emit.h"

/* --- of a piece of code --- */

/* At the builder: the first version, where `condition` (null: always) holds.  Names: of its block, of the last
 * one's (null: it does nothing), and of what is behind them.  Returns the branch. */
LLVMValueRef mpl_begin_versions(struct mpl_emit *, struct mpl_versions *, LLVMValueRef condition,
                                const char *name, const char *last, const char *after);
void mpl_last_version(struct mpl_emit *, struct mpl_versions *);
/* In the last one, of which there is only the condition yet: one in front of it. */
void mpl_insert_version(struct mpl_emit *, struct mpl_versions *, LLVMValueRef condition, const char *name);
void mpl_end_versions(struct mpl_emit *, struct mpl_versions *);
/* The same where it may run once more, from `top` on. */
void mpl_repeat_version(struct mpl_emit *, struct mpl_versions *, LLVMValueRef again, LLVMBasicBlockRef top);
/* Behind them: what each has made, in the order of `from`; and of two, the first and the last. */
LLVMValueRef mpl_of_versions(struct mpl_emit *, struct mpl_versions *, LLVMValueRef *values);
LLVMValueRef mpl_of_two(struct mpl_emit *, struct mpl_versions *, LLVMValueRef first,
                        LLVMValueRef last);

/* --- of a loop --- */

/* From block `from` on it goes to `with` in place of the loop's `first` block, to which it goes on from `last`
 * if at all. */
void mpl_put_in_front(LLVMBasicBlockRef first, LLVMBasicBlockRef from, LLVMBasicBlockRef with,
                      LLVMBasicBlockRef last);
/* What is behind the loop, from `post` on, gets `own` from the loop, which is left at `latch`, and `new` from
 * its version, which is left at `from`. */
void mpl_meet_behind(struct mpl_emit *, LLVMBasicBlockRef post, LLVMBasicBlockRef latch, LLVMValueRef own,
                     LLVMValueRef new, LLVMBasicBlockRef from);

#endif

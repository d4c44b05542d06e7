/* What LLVM-C lacks, behind C functions (shim.cpp). */
#ifndef MPL_COMPILER_SHIM_H
#define MPL_COMPILER_SHIM_H

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* That of LLVM: 19 and later. */
unsigned mpl_ir_version(void);

/* Prints a message behind a word, "error" or "warning", in clang's form, at an instruction's source
 * line, or at its function's if it has none.  Of an instruction in a header of the C++ library or
 * of SYCL it is the program's line that leads to it. */
void mpl_ir_say(LLVMValueRef where, const char *word, const char *message);

/* Splits a block before an instruction; returns the new second half. */
LLVMBasicBlockRef mpl_ir_split(LLVMValueRef before, const char *name);

/* A new block in front of `join`, where the paths from two of its predecessors meet. */
LLVMBasicBlockRef mpl_ir_meet(LLVMBasicBlockRef join, LLVMBasicBlockRef a, LLVMBasicBlockRef b, const char *name);

/* Turns constant expressions that use `global` into instructions. */
void mpl_ir_expand_constants(LLVMValueRef global);

/* Constant expressions that use `global` and that nothing uses are gone. */
void mpl_ir_drop_dead_constants(LLVMValueRef global);

/* Gives a value the name of another, which has none then. */
void mpl_ir_take_name(LLVMValueRef value, LLVMValueRef of);

/* Gives `function` the name, attributes, and users of another, which becomes internal. */
void mpl_ir_take_place(LLVMValueRef function, LLVMValueRef of);

/* Vectors become their elements, in loads and stores too. */
bool mpl_ir_scalarize(LLVMValueRef function);

/* Pointers of the address space `any` are of the one that they are known to come from. */
void mpl_ir_infer_spaces(LLVMValueRef function, unsigned any);

/* A copy of a function, internal to the module. */
LLVMValueRef mpl_ir_clone(LLVMValueRef function);

/* Phis of `block` have `now` as their predecessor in place of `before`. */
void mpl_ir_replace_incoming(LLVMBasicBlockRef block, LLVMBasicBlockRef before, LLVMBasicBlockRef now);

/* A new block on the way from one block to another. */
LLVMBasicBlockRef mpl_ir_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to, const char *name);

/* Peels the first iteration off the loop that begins at `header`.  Empty exit blocks are removed,
 * so that the ways out of that iteration, out of the loop, and past both meet in one block.  False if
 * LLVM cannot. */
bool mpl_ir_peel(LLVMBasicBlockRef header);

/* For each case of a switch in the loop that begins at `header`, on what is known before the loop, a
 * copy of the loop in which that is a constant; the loop itself is for all other values.  False if
 * LLVM cannot. */
bool mpl_ir_unswitch(LLVMBasicBlockRef header, LLVMValueRef on);

/* Copies of the body of the loop that begins at `header`, one behind the other, without a test between;
 * what is left of its iterations is done by a loop behind it, or in front.  If it is known to run at most
 * `all` times, no loop is left.  For loops that all run equally often, whatever they call: LLVM by
 * itself leaves alone what has convergent calls.  Neither loop is unrolled again.  False if it is not
 * known before the loop how often it runs, or that this is a few times only. */
bool mpl_ir_unroll(LLVMBasicBlockRef header, unsigned copies, unsigned all);

/* Tells LLVM to unroll the inner loops that run so often, as is known, that they become at most `most`
 * instructions. */
void mpl_ir_unroll_small(LLVMValueRef function, unsigned most);

/* A loop that the program wants unrolled, and of which it is not known yet how often it runs, is left
 * alone by LLVM's pass that takes whole loops apart, until that is allowed again. */
void mpl_ir_keep_loops(LLVMModuleRef module);
void mpl_ir_allow_loops(LLVMModuleRef module);

/* As mpl_ir_unswitch, of all that is reached from a block, which becomes the one that decides; it has
 * one way in and no phis; for `only` this case, unless that is null.  Where those begin is written to
 * `cases`, in their order.  All other values lead to `general`, or if that is null to what was there,
 * whose switches stay what they are; returned is where that begins. */
LLVMBasicBlockRef mpl_ir_unswitch_from(LLVMBasicBlockRef block, LLVMValueRef on, LLVMValueRef only,
                                       LLVMBasicBlockRef general, LLVMBasicBlockRef *cases);

/* Makes the blocks, entered at the first one only, a function of their own, which is never inlined;
 * null if LLVM cannot. */
LLVMValueRef mpl_ir_outline(LLVMBasicBlockRef *blocks, unsigned count);

/* Takes nsw, inbounds and the like off an instruction. */
void mpl_ir_drop_promises(LLVMValueRef instruction);

/* True for a call that touches no memory and has no other effect. */
bool mpl_ir_is_pure_call(LLVMValueRef call);

/* Makes `function` carry the debug-info subprogram of `from`, which loses it. */
void mpl_ir_take_subprogram(LLVMValueRef function, LLVMValueRef from);

/* For a debugger: a variable of the pointer's function has the name and type of a global one, and
 * is where the pointer says. */
void mpl_ir_declare(LLVMValueRef variable, LLVMValueRef pointer);

/* Links the definitions of a bitcode module that `module` lacks, and no others, unless it is no bitcode or
 * for another kind of processor.  Takes the buffer over. */
enum mpl_linked { MPL_LINKED, MPL_LINK_DAMAGED, MPL_LINK_FOREIGN };
enum mpl_linked mpl_ir_link_needed(LLVMModuleRef module, LLVMMemoryBufferRef bitcode);

/* A copy of a module with the definitions that `copied` wants; the rest are declarations.  It shares
 * the types, files and units of the debug information, and has none of the module's other named
 * metadata. */
LLVMModuleRef mpl_ir_copy_part(LLVMModuleRef module, bool (*copied)(LLVMValueRef global, void *data),
                               void *data);

/* Links `part`, which is taken over, into `module`; false if it does not fit. */
bool mpl_ir_link(LLVMModuleRef module, LLVMModuleRef part);

/* Makes calls of a function's invokes, and forgets what is then unreachable. */
void mpl_ir_drop_unwinding(LLVMValueRef function);

/* A remark at an instruction's source line, or at its function's if it has none; without lines, as in
 * the built-in library, there is none.  clang shows it for -Rpass=PASS, or -Rpass-missed=PASS. */
void mpl_ir_remark(LLVMValueRef where, const char *pass, bool missed, const char *message);
/* Does anybody want remarks of that name? */
bool mpl_ir_hears(LLVMContextRef, const char *pass);

/* Has the processor of a function instructions that gather words, and does LLVM think well of them?
 * Else a gather becomes a load for each lane, and one under a mask a branch for each. */
bool mpl_ir_gathers(LLVMValueRef function);

/* Another function in place of one, whose memory is kept, so that nothing else gets its address. */
void mpl_ir_move_away(LLVMValueRef function);

/* Forgets all that named metadata says. */
void mpl_ir_drop_named_metadata(LLVMModuleRef module, const char *name);

/* Forgets source lines, where they were kept for messages of the passes only: what is behind them
 * takes time for each. */
void mpl_ir_drop_lines(LLVMModuleRef module);

/* Of the code, without attributes and metadata. */
uint64_t mpl_ir_fingerprint(LLVMModuleRef module);

/* A word that a function keeps while it exists: 0 at first. */
unsigned *mpl_ir_note(LLVMValueRef function);

/* The section that a function or variable is put into, by its attribute or a pragma; or null. */
const char *mpl_ir_section(LLVMValueRef global);

/* The functions are called when what the module becomes a part of is loaded, before its
 * constructors, and when it goes. */
void mpl_ir_at_load(LLVMModuleRef module, LLVMValueRef begin, LLVMValueRef end);

/* A mangled name as a person reads it; free with LLVMDisposeMessage. */
char *mpl_ir_demangle(const char *name);

#ifdef __cplusplus
}
#endif
#endif

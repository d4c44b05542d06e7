/* The processor that code is for, as the rows of tables/targets.def have it. */
#ifndef MPL_COMPILER_TARGET_H
#define MPL_COMPILER_TARGET_H

#include <llvm-c/Core.h>
#include <stdbool.h>

#include "map.h"

enum { MPL_WORD = 4 /* bytes: what is smaller is gathered, and joined, in words */ };
struct mpl_target {
  unsigned row; /* enum mpl_target_row (target_rows.h) */
  const char *name;
  char vector_abi;         /* enum mpl_archive_abi */
  unsigned register_bytes; /* of the widest vector registers */
  unsigned registers;      /* their number */
  unsigned unit_bytes;     /* of a vector, that one operation computes at once */
  bool mask_bits;          /* conditions of vectors are bits, not lanes of ones */
  /* Bytes of the smallest elements that it loads, stores or moves for some lanes; 0: none. */
  unsigned least_gathered, least_scattered, least_masked;
  unsigned most_interleaved; /* fields that one load takes apart and one store puts together */
  unsigned every_second;     /* registers, at most, of which LLVM multiplies every second lane; 0: it is its own */
  bool counted;              /* instructions were counted, and fewer are what is wanted */
};

/* The row for a function, or for none (null): never null. */
const struct mpl_target *mpl_target_of(LLVMValueRef function);
/* Lanes load from places of their own at once, whatever the mask; else rows of theirs are loaded along, and
 * small elements by themselves. */
static inline bool mpl_gathers_under_masks(const struct mpl_target *target) {
  return target->mask_bits && target->least_gathered;
}
/* All bytes of the vector registers. */
static inline unsigned mpl_all_bytes(const struct mpl_target *target) {
  return target->register_bytes * target->registers;
}
/* Integers of the type in one of them, or `most` if that is less. */
unsigned mpl_lanes_of_register(const struct mpl_target *, LLVMTypeRef, unsigned most);

/* A function that says for which processor it is, as all of a program do; null: none is defined. */
LLVMValueRef mpl_target_model(LLVMModuleRef);
/* The function becomes one for the model's processor; false if it is for one already. */
bool mpl_target_adopt(LLVMValueRef function, LLVMValueRef model);
/* Vectors of the code fill whole registers, whatever LLVM's tuning prefers. */
void mpl_target_use_whole_registers(const struct mpl_target *, LLVMValueRef function);
/* What LLVM shall not make of a function and of those that it calls.  Instructions that AVX has no form of
 * (tables/targets.def).  And gathers of loads in straight code whose results it puts together, where the function
 * asks for none nor calls one that does, since loads are faster; nor anywhere where the processor's gathers are
 * slow.  (A function that LLVM inlines is compiled for its caller's processor: with a caller's no, each lane of a
 * gather becomes a branch.)  True if one of them asks for a gather.  The map has the answer for each function that
 * was asked for. */
bool mpl_target_tune(const struct mpl_target *, LLVMValueRef function, struct mpl_map *gathers);
/* In functions that prefer half of them (clang's -mprefer-vector-width=256), whole registers are used by
 * those alone that are called with, or call with, vectors that fill them: caller and callee agree on how
 * these are passed. */
void mpl_target_use_half_registers(LLVMModuleRef);

/* Makes a function that is for any x86-64 processor one for a level, tuned for this machine; false:
 * it is not for any. */
bool mpl_target_raise(LLVMValueRef function, unsigned level);

#endif

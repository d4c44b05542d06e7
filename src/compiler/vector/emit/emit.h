/* Emission: a work-item loop becomes loops over chunks of W work-items whose values are vectors.
 * What is alike among lanes (lanes/) and which copies there are (plan/) is decided before. */
#ifndef MPL_COMPILER_EMIT_H
#define MPL_COMPILER_EMIT_H

#include "compiler/vector/plan/plan.h"
#include "compiler/vector/plan/recipes.h"

/* Of a group function: cached_broadcasts.c. */
struct mpl_spread {
  struct mpl_module_ir *ir;
  LLVMValueRef function;
  unsigned width;
  struct mpl_map lanes;  /* slot -> its vector with the value in all lanes */
  struct mpl_map loads;  /* load of such a slot -> that of its vector */
  struct mpl_map stores; /* stores to slots beside which the vector is stored -> 1 */
};

/* Of code that runs where a condition holds: versions.h. */
struct mpl_versions {
  LLVMBasicBlockRef last, after;
  LLVMBasicBlockRef from[3]; /* where versions end: the first, the last, and one between them */
  unsigned count, now;
};

/* Of an inner loop that has masks: masked_loop.c. */
struct mpl_masked_loop {
  struct leaving *list;
  unsigned count;
  LLVMBasicBlockRef top, before; /* the new header, and the block that enters it */
  LLVMValueRef active;           /* the lanes that are in the loop; at `top` */
  LLVMValueRef some;             /* whether there is one; at `top` */

  /* Behind turns of all lanes (full_mask_loop.c). */
  LLVMValueRef stay, left;   /* who goes on, and who does not; null: there were no such turns */
  struct mpl_map next, made; /* phi of the header -> what it goes on with; value -> those lanes' */
  struct mpl_versions on;    /* where somebody goes on */
};

/* Of a block of the loop. */
struct mpl_block_copy {
  LLVMBasicBlockRef begin, end; /* its new ones; where its instructions end; null: it has none */
  LLVMValueRef mask;            /* who is there; null for all */
};

struct mpl_emit {
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef function;
  const struct mpl_item_loop *items;
  const struct mpl_lanes *lanes; /* of the copy that is made */
  const struct mpl_recipes *recipes; /* of the copy that is made */
  bool full_turn;                /* what is made is turns of all lanes (full_mask_loop.c) */
  unsigned width;                /* of the vectors that are made: its lanes, or those of a piece */
  struct mpl_spread *spread;

  /* assumptions.c: of all copies so far */
  struct mpl_map assumed;
  struct mpl_aparts apart;

  /* Of one chunk. */
  struct mpl_block_copy *copies;   /* per block */
  LLVMBasicBlockRef *part_ends;    /* per part: where its code goes on */
  struct mpl_masked_loop *masked;  /* per inner loop */
  struct mpl_map edges;            /* (from, 1 + to): mask of an edge into a diverged block */
  struct mpl_map blends;           /* (phi of a part's meet, part): what the part hands over */
  struct mpl_map scalars, vectors; /* value -> its new ones */
  struct mpl_map starts;           /* speculate_contiguous.c: (value, ...): what is known of it */
  LLVMValueRef all;                /* lanes that there are; null: every one */
  LLVMValueRef mask;               /* at the builder; null: every lane */

  /* Of a copy. */
  unsigned chunk;                  /* of several at a time: which one */
  LLVMBasicBlockRef before,
      top; /* vector_inductions.c: in front of their loop, or null; its begin */
  LLVMValueRef start;              /* and the counter there */
  struct mpl_map counted;          /* value -> phi of its vector, and back */

  /* Of the loop. */
  struct mpl_map arrays;           /* private array -> the one of all lanes */
  struct mpl_map handed;           /* value used behind the loop -> its place until then */
  struct mpl_sum *sums;            /* sums.c */
  unsigned num_sums;
  unsigned sum_lanes;              /* that sums have in a wider chunk, or 0 */
  LLVMValueRef *past;              /* phis behind blocks that are passed by */
  size_t num_past;
  LLVMValueRef nowhere;            /* memory that accesses of no lane go to */
  LLVMBasicBlockRef mixed;         /* where a chunk goes on whose lanes fail such a test */
  bool told; /* what became of each line: nobody asks, or the next copy says it */
  unsigned masked_line;            /* that was told last */
};

/* What a value has become, as far as it is made; null: nothing. */
static inline LLVMValueRef mpl_made(const struct mpl_emit *e, LLVMValueRef value, bool vector) {
  return (LLVMValueRef)mpl_map_get(vector ? &e->vectors : &e->scalars, value, 0);
}
static inline void mpl_set_value(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef now, bool vector) {
  mpl_map_set(vector ? &e->vectors : &e->scalars, value, (uintptr_t)now);
}
static inline void mpl_set_vector(struct mpl_emit *e, LLVMValueRef value, LLVMValueRef vector) {
  mpl_map_set(&e->vectors, value, (uintptr_t)vector);
}
static inline LLVMBasicBlockRef mpl_new_block(struct mpl_emit *e, const char *name) {
  return LLVMAppendBasicBlockInContext(e->ir->context, e->function, name);
}

/* The analysis that what follows is made by. */
void mpl_emit_by(struct mpl_emit *, const struct mpl_lanes *);

/* --- loop_versions.c --- */

/* The loop over chunks in front of the loop, which stays for where an assumption fails. */
void mpl_build_chunks(struct mpl_emit *, const struct mpl_loop_versions *);

/* --- sub_group_chunk.c --- */

/* The one chunk of a sub-group, in front of the loop, or in its place. */
void mpl_build_chunk(struct mpl_emit *, const struct mpl_copy *);

/* --- short_row_versions.c --- */

/* Makes the copies of the loop, and of that over rows around it, that are work-item loops
 * themselves. */
void mpl_copy_for_rows(struct mpl_emit *, const struct mpl_row_version *, unsigned count,
                       struct mpl_pieces *copies);

/* --- flow.c: the vector code of the loop's blocks --- */

void mpl_widen_flow(struct mpl_emit *);
void mpl_chunk_free(struct mpl_emit *);

/* --- filter/filter.c: a call of MPL_MARK_FILTER --- */

void mpl_widen_filter(struct mpl_emit *, LLVMValueRef call);

/* --- report.c: what became of an instruction; and branches and loops, of a copy --- */

void mpl_tell_instruction(struct mpl_emit *, LLVMValueRef instruction);
void mpl_tell_flow(const struct mpl_copy *);

/* --- assumptions.c --- */

/* Does what is assumed hold, of this copy and of those before?  At the builder; null if nothing is.
 */
LLVMValueRef mpl_all_hold(struct mpl_emit *);

#endif

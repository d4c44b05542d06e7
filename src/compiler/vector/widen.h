/* Widening: a work-item loop becomes a loop over chunks of W work-items whose values are vectors.
 *
 * The splitter leaves loops of independent iterations that count work-items one beside the other
 * (skeleton.c).  Relative to such a loop a value is uniform (the same for all lanes of a chunk),
 * strided (it grows by a constant from lane to lane) or varying.  Uniform branches stay branches;
 * varying ones are linearised under masks: Karrenberg and Hack, "Whole-Function Vectorization"
 * (CGO 2011), Moll and Hack, "Partial Control-Flow Linearization" (PLDI 2018).
 *
 *   lanes.c    which values are uniform, strided, varying; which blocks only some lanes may reach
 *   chunks.c   the loop over chunks
 *   assume.c   what is assumed of numbers and pointers, and tested in front of the loop
 *   counters.c loops' counters that step by what all lanes share
 *   parts.c    those blocks in pieces with one way in and one way out
 *   waits.c    loops that must stay as they are
 *   flow.c     blocks and phis
 *   edges.c    the masks of edges
 *   masked_loop.c  loops that lanes leave at different iterations
 *   whole_turns.c  as long as all lanes stay in them
 *   values.c   a value as a scalar or as a vector; arithmetic; calls
 *   products.c upper halves of products
 *   target_math.c  instructions that math functions ask for
 *   compound.c values of several components
 *   each_lane.c  what has no vector form
 *   copies.c   private arrays that are copied as a whole
 *   access.c   loads and stores
 *   whole.c    small vectors at places that vary
 *   own_rows.c  loads along rows of the lanes' own
 *   guess.c    accesses that are wide ones in most chunks
 *   bounds.c   loops that begin or end at clamped places
 *   stops.c    loads of lanes that stop at a border
 *   counted.c  what grows from work-item to work-item
 *   sums.c     what work-items add up, and hand on
 *   spread.c   what all lanes share, kept in all lanes of a vector
 *   lane_calls.c  sub-group functions
 *   width.c    how many lanes a chunk has
 *   worth.c    whether they pay
 *   handed.c   what iterations hand on through memory
 *   components.c  vectors of the program
 *   budget.c   how much code they may become
 *   rows.c     rows that are shorter than a chunk
 *   whole_rows.c  loops that read rows as long as the unit
 *   pieces.c   accesses of chunks of such rows
 *   facts.c    what is said of each source line */
#ifndef MPL_COMPILER_VECTOR_WIDEN_H
#define MPL_COMPILER_VECTOR_WIDEN_H

#include "compiler/analysis/markers.h"
#include "compiler/analysis/shape.h"
#include "compiler/analysis/slots.h"
#include "compiler/analysis/target.h"

enum {
  MPL_ANY_STRIDE = INT32_MIN, /* of no constant: the value varies */
  MPL_MOST_STRIDE = 1 << 24,
  MPL_MOST_CHUNKS = 4, /* at a time */
};

/* A loop inside of the work-item loop. */
struct mpl_inner_loop {
  unsigned header, last; /* its blocks are numbered from the one to the other */
  int parent;            /* index of the loop around it, or -1 */
  bool masked;           /* its lanes may leave at different iterations, or not all enter it */
  bool parted;           /* masked: what all lanes do in it was done before (whole_turns.c) */
  LLVMBasicBlockRef top, before; /* masked: the new header, and the block that enters it */
  LLVMValueRef active;           /* masked: the lanes that are in the loop; at `top` */
  LLVMValueRef some;             /* masked: whether there is one; at `top` */
};

/* Diverged blocks that hang together: entered from one block, left for one. */
struct mpl_part {
  unsigned from, meet;
  unsigned first, last;
  LLVMBasicBlockRef at; /* where its code goes on */
};

/* Where an access is, but for a constant: a pointer, or so many elements of `size` behind it. */
struct mpl_root {
  LLVMValueRef pointer, index;
  int64_t size;
  bool is_signed;
};

/* Accesses of one block to `stride` bytes from lane to lane that belong together. */
enum { MPL_MOST_FIELDS = 16 };
struct mpl_fields {
  struct mpl_fields *next;
  struct mpl_root root;
  LLVMValueRef base, members[MPL_MOST_FIELDS];
  int64_t shift, offsets[MPL_MOST_FIELDS], low, high; /* bytes from the root; `shift`: the base */
  unsigned count;
  int size, stride;
  bool store;
};

/* Pointers that are the same, or at least so many bytes apart. */
struct mpl_apart {
  LLVMValueRef a, b;
  int bytes;
};

/* Of a group function: spread.c. */
struct mpl_spread {
  struct mpl_module_ir *ir;
  LLVMValueRef function;
  unsigned width;
  struct mpl_map lanes;  /* slot -> its vector with the value in all lanes */
  struct mpl_map loads;  /* load of such a slot -> that of its vector */
  struct mpl_map stores; /* stores to slots beside which the vector is stored -> 1 */
};

/* A loop over all work-items of short rows, or over one row that is a whole chunk. */
struct mpl_pieces {
  LLVMValueRef latch;     /* the branch at its end */
  bool whole;             /* it is the latter: no ids and strides */
  unsigned lanes;         /* so many are one row; 0: it is not known how many */
  LLVMValueRef ids[3];
  struct mpl_map strides; /* of values, from lane to lane of a piece */
};

struct mpl_widen {
  struct mpl_module_ir *ir;
  struct mpl_spread *spread;
  struct mpl_cfg *cfg;
  LLVMBuilderRef b;
  LLVMValueRef function, counter, count; /* counts from its first value to `count` */
  unsigned width;
  bool alone;   /* the function's only work-item loop */
  unsigned row; /* work-items that whole rows have, or 0: the kernel does not say */
  unsigned header, latch, first, last; /* blocks of the work-item loop: first to last */
  bool *in;                            /* per block: in the loop */

  /* lanes.c */
  struct mpl_map index;     /* value of the loop -> place in `shapes` */
  struct mpl_shape *shapes; /* from lane to lane */
  size_t num_shapes, shapes_capacity;
  struct mpl_map assumed;   /* values whose numbers must not wrap while the loop runs
                               -> 1, or of a counter 2 */
  struct mpl_apart *apart;  /* what must be apart while the loop runs */
  size_t num_apart, apart_capacity;
  bool *diverged;           /* per block: only some lanes may be there */
  bool *joins;              /* per block: lanes meet there that came by different ways */
  bool *tested;             /* per block: its branch is taken to be the same for all, and tested */
  bool *clean;              /* per block, or null: nothing is changed before it ends */
  struct mpl_map bounds;    /* bounds.c: value that is taken to grow by a stride, and tested -> 1 */
  bool together;            /* branches on ids are tested where that can be */
  int *inner;               /* per block: innermost loop around it, or -1 */
  struct mpl_inner_loop *loops;
  unsigned num_loops;

  /* parts.c */
  int *part_of; /* per block, or -1 */
  struct mpl_part *parts;
  unsigned num_parts;

  /* fields.c */
  struct mpl_map fields; /* load or store -> its struct mpl_fields */
  struct mpl_fields *all_fields;

  /* flow.c */
  LLVMBasicBlockRef *blocks;            /* per block: its new one */
  LLVMBasicBlockRef *ends;              /* per block: where its instructions end */
  LLVMValueRef *masks;                  /* per block: who is there; null for all */
  struct mpl_map edges;                 /* (from, 1 + to): mask of an edge into a diverged block */
  struct mpl_map scalars, vectors;      /* value -> its new ones */
  LLVMValueRef all;                     /* lanes that there are; null: every one */
  LLVMValueRef mask;                    /* at the builder; null: every lane */
  struct mpl_map arrays;                /* private array -> the one of all lanes */
  struct mpl_map kinds;                 /* private array -> 1 + its unit; 1: for each lane one */
  struct mpl_map differing;             /* private arrays in which lanes have different values */
  struct mpl_map wholes;                /* whole.c: store -> the first of its small vector */
  struct mpl_map starts;                /* guess.c: (value, ...): what is known of it */
  struct mpl_map handed;                /* value used behind the loop -> its place until then */
  unsigned chunk;                       /* of several at a time: which one */
  LLVMBasicBlockRef before, top;        /* counted.c: in front of their loop, or null; its begin */
  LLVMValueRef start;                   /* and the counter there */
  struct mpl_map counted;               /* value -> phi of its vector, and back */
  struct mpl_sum *sums;                 /* sums.c */
  unsigned num_sums;
  unsigned sum_lanes;                   /* that sums have in a wider chunk, or 0 */
  size_t sums_capacity;
  struct mpl_pieces *pieces;            /* or null */
  LLVMValueRef nowhere;                 /* memory that accesses of no lane go to */
  LLVMBasicBlockRef enter;              /* in front of chunks of which masks are guessed, or null */
  LLVMValueRef hope;                    /* without which such guesses fail; null: there are none */
  LLVMBasicBlockRef mixed;              /* where a chunk goes on whose lanes fail such a test */
  const char *why; /* it cannot be widened, and this is why */
  bool one_copy;   /* under a mask, of all chunks (budget.c) */
  bool one_at_a_time; /* no copy does several chunks */
  bool one_chunk;  /* and that is all work-items that there are */
  bool single;     /* rows may have one work-item: the loop that stays has these */
  bool plain;      /* nothing is guessed */
  bool told;       /* what became of each line: nobody asks, or the next copy is the same */
  unsigned masked_line; /* that was told last */

  /* Of sub-groups, all of whose lanes are one chunk. */
  bool lanes;         /* sub-group functions may be called */
  bool exact;         /* nothing may be assumed */
  LLVMValueRef whole; /* a condition that is true here, or null */
};

/* lanes.c: false (and `why`) if the loop's control flow cannot be widened. */
bool mpl_lanes_find(struct mpl_widen *);
int mpl_stride_of(struct mpl_widen *, LLVMValueRef value);
/* Elements of `size` bytes, one after the other, up or down. */
static inline bool mpl_is_beside(int stride, int size) {
  return stride == size || stride == -size;
}
/* From the first lane to the last one it is less than half the way round a number of so many bits. */
static inline bool mpl_is_short_of_half(const struct mpl_widen *w, int64_t stride, unsigned bits) {
  uint64_t by = (uint64_t)(stride < 0 ? -stride : stride) * (w->width - 1);
  return bits >= 64 || by < (uint64_t)1 << (bits - 1);
}
/* Can it be computed from the counter in front of the loop? */
bool mpl_is_known_before(struct mpl_widen *, LLVMValueRef value);
/* As seen from `block`: what a masked loop computes varies behind it. */
int mpl_stride_at(struct mpl_widen *, LLVMValueRef value, unsigned block);
/* The block at whose end all lanes of the loop go on in it, or all leave it, by what they share; or
 * -1. */
int mpl_left_together_at(struct mpl_widen *, const struct mpl_inner_loop *);

/* widen.c: which values and branches are alike among lanes; false (and `why`): it cannot be widened.
 */
bool mpl_find_lanes(struct mpl_widen *);

/* chunks.c: the loop over chunks in front of the loop, which stays for where an assumption fails;
 * of sub-groups, one chunk. */
void mpl_build_chunks(struct mpl_widen *);
void mpl_build_chunk(struct mpl_widen *);
bool mpl_keeps_busy(LLVMValueRef); /* no need for more at a time */

/* waits.c */
bool mpl_may_wait(struct mpl_widen *, unsigned loop);

/* A comparison of ids with what all share, or several: mostly the same for a whole chunk. */
bool mpl_asks_for_ids(struct mpl_widen *, LLVMValueRef condition, unsigned block);

/* parts.c: true if more blocks had to become diverged; what is known of lanes is out of date then.
 */
bool mpl_parts_find(struct mpl_widen *);
static inline bool mpl_is_diverged(struct mpl_widen *w, unsigned block) {
  return w->in[block] && w->diverged[block];
}
/* Of a block that all reach: the part that its branch leads into by several ways, which are told
 * apart by masks; or -1. */
int mpl_part_behind(struct mpl_widen *, unsigned block);

/* flow.c: makes the vector code of the loop's blocks. */
void mpl_widen_flow(struct mpl_widen *);
LLVMValueRef mpl_any_lane(struct mpl_widen *, LLVMValueRef mask);
LLVMValueRef mpl_all_lanes(struct mpl_widen *, LLVMValueRef mask); /* is every one there? */

/* values.c */
/* It has to be done lane by lane. */
bool mpl_has_no_vector_form(struct mpl_widen *, LLVMValueRef instruction);
void mpl_widen_instruction(struct mpl_widen *, LLVMValueRef instruction);
LLVMValueRef mpl_scalar(struct mpl_widen *, LLVMValueRef value); /* lane 0's; of uniform, strided */
LLVMValueRef mpl_vector(struct mpl_widen *, LLVMValueRef value); /* at the builder */
/* 0, stride, 2 * stride ... */
LLVMValueRef mpl_steps(struct mpl_widen *, LLVMTypeRef, int64_t stride);
/* What a select takes that asks whether the sub-group is a whole one, where it is. */
static inline bool mpl_is_known_choice(const struct mpl_widen *w, LLVMValueRef i) {
  return w->whole && LLVMIsASelectInst(i) && LLVMGetOperand(i, 0) == w->whole;
}

/* Back to where a block is added to: in front of its branch, if it has one (phis are filled last). */
static inline void mpl_continue_at(struct mpl_widen *w, LLVMBasicBlockRef block) {
  LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
  if (end)
    LLVMPositionBuilderBefore(w->b, end);
  else
    LLVMPositionBuilderAtEnd(w->b, block);
}

/* compound.c: of any type but labels and the like */
LLVMTypeRef mpl_vector_type(struct mpl_widen *, LLVMTypeRef);
LLVMValueRef mpl_splat(struct mpl_widen *, LLVMValueRef scalar);
/* What lanes have that are not there, which none asks for.  Floats are 0: of any bits some are
 * denormal numbers, for each of which an instruction took 150 cycles on an Intel Xeon, in such lanes
 * too. */
LLVMValueRef mpl_of_none(LLVMTypeRef);
LLVMValueRef mpl_part_of(struct mpl_widen *, LLVMValueRef vector, unsigned first, unsigned lanes);
LLVMValueRef mpl_joined(struct mpl_widen *, LLVMValueRef a, LLVMValueRef b); /* of one length */
LLVMValueRef mpl_choose(struct mpl_widen *, LLVMValueRef mask, LLVMValueRef, LLVMValueRef other);
LLVMValueRef mpl_take_lane(struct mpl_widen *, LLVMValueRef wide, LLVMTypeRef, LLVMValueRef lane);
LLVMValueRef mpl_put_lane(struct mpl_widen *, LLVMValueRef wide, LLVMValueRef value,
                          LLVMValueRef lane);
/* An instruction that takes components apart or puts them together; null: it is none. */
LLVMValueRef mpl_widen_component(struct mpl_widen *, LLVMValueRef instruction);
bool mpl_has_components(LLVMValueRef instruction);

/* products.c: the vector, or null: it is none. */
LLVMValueRef mpl_high_product(struct mpl_widen *, LLVMValueRef instruction);

/* each_lane.c */
void mpl_each_lane(struct mpl_widen *, LLVMValueRef instruction);
bool mpl_is_combined(struct mpl_widen *, LLVMValueRef instruction);
bool mpl_combine_atomic(struct mpl_widen *, LLVMValueRef atomic); /* false: it has to be each_lane */

/* lane_calls.c: sub-group functions; null and false for other calls */
const char *mpl_cannot_call_lanes(LLVMValueRef call);
bool mpl_widen_lanes_call(struct mpl_widen *, LLVMValueRef call);
bool mpl_is_lanes_call(LLVMValueRef);

/* facts.c: what the code says that was made for an instruction since `mpl_tell_begin`; and branches
 * and loops. */
struct mpl_told {
  LLVMBasicBlockRef block;
  LLVMValueRef last;
};
struct mpl_told mpl_tell_begin(struct mpl_widen *);
void mpl_tell_end(struct mpl_widen *, LLVMValueRef instruction, struct mpl_told before);
void mpl_tell_flow(struct mpl_widen *);

/* filter/filter.c: a call of MPL_MARK_FILTER */
void mpl_widen_filter(struct mpl_widen *, LLVMValueRef call);

/* access.c */
void mpl_widen_load(struct mpl_widen *, LLVMValueRef load);
void mpl_widen_store(struct mpl_widen *, LLVMValueRef store);
void mpl_widen_prefetch(struct mpl_widen *, LLVMValueRef prefetch);
/* From one place for all lanes, or side by side from there on. */
LLVMValueRef mpl_load_at(struct mpl_widen *, LLVMValueRef load, LLVMValueRef at, bool uniform);
bool mpl_is_element(struct mpl_widen *, LLVMValueRef access); /* of what a context keeps */
/* The same with `stride` bytes from lane to lane: as many as an element has, up or down, or none. */
LLVMValueRef mpl_load_along(struct mpl_widen *, LLVMValueRef load, LLVMValueRef at, int stride);
void mpl_store_along(struct mpl_widen *, LLVMValueRef store, LLVMValueRef value, LLVMValueRef at,
                     int stride);

LLVMValueRef mpl_some_lane(struct mpl_widen *); /* that is there; if none is, any */
LLVMValueRef mpl_nowhere(struct mpl_widen *, LLVMTypeRef pointer); /* what no lane accesses */
/* Where an access of one place for all lanes goes when there may be none. */
LLVMValueRef mpl_safe_place(struct mpl_widen *, LLVMValueRef pointer);
LLVMValueRef mpl_gather(struct mpl_widen *, LLVMTypeRef, LLVMValueRef places, unsigned align);
bool mpl_gathers_words(struct mpl_widen *, LLVMValueRef access); /* that its elements are in */
bool mpl_stores_in_turn(struct mpl_widen *, LLVMValueRef store); /* if there is a mask */
void mpl_scatter(struct mpl_widen *, LLVMValueRef, LLVMValueRef places, unsigned align);
/* What each lane stores from its place on: units of one type, one behind the other. */
struct mpl_scattered {
  LLVMValueRef units[2]; /* of all lanes each */
  unsigned count;
  LLVMValueRef places;
  unsigned align;
};
void mpl_scatter_row(struct mpl_widen *, const struct mpl_scattered *);
void mpl_scatter_in_turn(struct mpl_widen *, const struct mpl_scattered *); /* each_lane.c */
/* Where a unit is, if the first is there, for a lane or for all; and what it is aligned to. */
LLVMValueRef mpl_unit_place(struct mpl_widen *, const struct mpl_scattered *, LLVMValueRef first,
                            unsigned unit);
unsigned mpl_unit_align(struct mpl_widen *, const struct mpl_scattered *, unsigned unit);
LLVMValueRef mpl_masked_load(struct mpl_widen *, LLVMTypeRef, LLVMValueRef at, unsigned align,
                             LLVMValueRef mask);
/* The same, of lanes that `w->mask` has too: also where the processor has no such load. */
LLVMValueRef mpl_load_beside(struct mpl_widen *, LLVMTypeRef, LLVMValueRef at, unsigned align,
                             LLVMValueRef mask);
/* Where masks are vectors, asks whether every lane is there, if most often they are: the builder is
 * where all are then, and behind mpl_else_some where some are; false, and it is where it was, if
 * there is nothing to gain.  Some processors take a dozen cycles for a store under a mask. */
struct mpl_all_or_some { LLVMBasicBlockRef blocks[3]; };
bool mpl_ask_for_all(struct mpl_widen *, LLVMValueRef access, struct mpl_all_or_some *);
void mpl_else_some(struct mpl_widen *, struct mpl_all_or_some *);
void mpl_end_some(struct mpl_widen *, struct mpl_all_or_some *);
void mpl_masked_store(struct mpl_widen *, LLVMValueRef value, LLVMValueRef at, unsigned align,
                      LLVMValueRef mask);

/* guess.c: of an access whose places vary, at the builder, which is left open in front of: the way
 * of lanes that are side by side, `size` bytes each, from `at` on, or all there; the other way; and
 * where they meet.  False: nothing is guessed. */
struct mpl_guess {
  LLVMBasicBlockRef beside, apart, after;
  LLVMValueRef at;
  bool uniform;
};
bool mpl_guess(struct mpl_widen *, LLVMValueRef access, unsigned size, struct mpl_guess *);

/* bounds.c: the shape of a value that varies where it is taken not to be clamped, and tested; false:
 * it is not. */
bool mpl_guess_bound(struct mpl_widen *, LLVMValueRef value, unsigned block, struct mpl_shape *);
/* The same of the order of two numbers that grow by one stride: they are taken not to wrap. */
bool mpl_guess_order(struct mpl_widen *, LLVMValueRef compares, int64_t stride);
bool mpl_is_bound(struct mpl_widen *, LLVMValueRef value);
bool mpl_has_bound(struct mpl_widen *, unsigned block);
/* The test of one that the builder is behind. */
LLVMValueRef mpl_bound_fails(struct mpl_widen *, LLVMValueRef value);

/* stops.c: of such a load, at the builder, which is left open where the test for it has failed; and
 * `from`, open too, has the value.  Null: it is none. */
LLVMValueRef mpl_load_stopped(struct mpl_widen *, LLVMValueRef load, LLVMBasicBlockRef *from);

/* whole.c: with the first of them, all loads of the components of a small vector; with the last of
 * them, all stores.  False: it is none. */
bool mpl_load_whole(struct mpl_widen *, LLVMValueRef load);
bool mpl_store_whole(struct mpl_widen *, LLVMValueRef store);

/* fields.c */
int mpl_guessed_stride(struct mpl_widen *, LLVMValueRef access); /* with no code */

/* arrays.c */
enum mpl_array_kind { MPL_NO_ARRAY, MPL_SHARED_ARRAY, MPL_INTERLEAVED_ARRAY, MPL_ITEMS_ARRAY };
enum mpl_array_kind mpl_array_kind(struct mpl_widen *, LLVMValueRef);
/* Of shapes as they are known: does an array lose its one copy for all lanes? */
bool mpl_arrays_part(struct mpl_widen *, unsigned block);
/* The interleaved array that the pointer points into, or null. */
LLVMValueRef mpl_array_of(struct mpl_widen *, LLVMValueRef pointer);
unsigned mpl_array_unit(struct mpl_widen *, LLVMValueRef pointer); /* bytes, of such a pointer */
/* Where an element of all lanes is: one vector of units (uniform), or a vector of places.  `inside`:
 * the bytes in front of it in its unit, if it is smaller; these are in the places of a vector. */
LLVMValueRef mpl_array_place(struct mpl_widen *, LLVMValueRef pointer, unsigned size, bool uniform,
                             LLVMValueRef *inside);
uint64_t mpl_array_size(struct mpl_widen *, LLVMValueRef alloca); /* of one lane's, in bytes */
LLVMValueRef mpl_wide_array(struct mpl_widen *, LLVMValueRef alloca);
LLVMValueRef mpl_entry_alloca(struct mpl_widen *, LLVMTypeRef, const char *name);

/* counted.c */
/* The value for the work-item that `counter` counts, at the builder: of one that is known before. */
LLVMValueRef mpl_value_for(struct mpl_widen *, LLVMValueRef value, LLVMValueRef counter);
LLVMValueRef mpl_counted(struct mpl_widen *, LLVMValueRef strided); /* its vector, or null */
void mpl_close_counted(struct mpl_widen *, LLVMBasicBlockRef last, unsigned chunks);

/* sums.c */
LLVMValueRef mpl_load_sum(struct mpl_widen *, LLVMValueRef load);
void mpl_store_sum(struct mpl_widen *, LLVMValueRef value, LLVMValueRef place);
/* `vector`: the value in all lanes; or null. */
void mpl_store_slot(struct mpl_widen *, LLVMValueRef value, LLVMValueRef vector,
                    LLVMValueRef place);
/* Lanes `by` further; those before them get `none`. */
LLVMValueRef mpl_moved_up(struct mpl_widen *, LLVMValueRef lanes, LLVMValueRef none, unsigned by);
void mpl_begin_sums(struct mpl_widen *); /* in front of the chunks, and */
void mpl_fold_sums(struct mpl_widen *);  /* behind them: at the builder */

/* spread.c */
void mpl_spread_begin(struct mpl_spread *, struct mpl_module_ir *, LLVMValueRef function,
                      unsigned width);
void mpl_spread_end(struct mpl_spread *);
/* Of a load from a slot in front of the loop; null: the slot has none. */
LLVMValueRef mpl_load_spread(struct mpl_widen *, LLVMValueRef value);
bool mpl_computes_spread(struct mpl_widen *, LLVMValueRef value); /* from such a load */
void mpl_store_spread(struct mpl_widen *, LLVMValueRef store, LLVMValueRef vector);
/* own_rows.c: null: it is no such load. */
LLVMValueRef mpl_load_rows(struct mpl_widen *, LLVMValueRef load);
/* rows.c: copies of the loop and of that over rows around it, for short rows; how many. */
enum { MPL_MOST_COPIES = 5, MPL_MOST_COPIED = 200 /* instructions */ };
unsigned mpl_copy_for_rows(struct mpl_widen *, unsigned narrow /* so many lanes fill a register */,
                           struct mpl_pieces copies[MPL_MOST_COPIES]);
/* Are there rows around the loop that may have one work-item, and too much code for a copy? */
bool mpl_leaves_single(struct mpl_widen *);
bool mpl_takes_pieces(struct mpl_widen *); /* chunks may be of whole short rows, or there are none */

/* Of the loops that are nested deepest: rows of a lane's own; some of the loops have none. */
struct mpl_rows {
  unsigned depth, count;
  bool elsewhere;
};
/* width.c: what a kernel's loops do, */
struct mpl_work {
  uint64_t of[4];     /* operations on 1, 2, 4, 8 bytes; those in loops count more */
  unsigned registers; /* that a chunk should have for a loop that waits */
  unsigned of_rows;   /* the same where groups have rows: also if the loop has few turns */
  unsigned live;      /* most bytes of a lane at the same time */
  unsigned carried;   /* most bytes of a lane from one iteration of a loop to the next */
  unsigned arrays;    /* bytes of a lane's private arrays */
  unsigned instructions;
  uint64_t bytes;     /* of what varies, of a lane */
  unsigned each_lane; /* instructions that have no vector form */
  unsigned fields;    /* bytes from lane to lane of fields smaller than a word, or 0 */
  bool apart;         /* an access of lanes that are not side by side */
  bool parted;        /* some lanes go another way than others */
  bool rows_alone;    /* chunks are of one row, however short that is */
  struct mpl_rows rows;
  uint64_t parts;     /* work-items before this one do another loop than those behind; or 0 */
};
/* `alone`: there is no other. */
void mpl_weigh_loop(struct mpl_widen *, bool alone, struct mpl_work *);
/* and the number of lanes for that, and for no more than fill a register. */
unsigned mpl_choose_width(const struct mpl_ir_kernel *, const struct mpl_target *,
                          const struct mpl_work *);
unsigned mpl_narrow_width(const struct mpl_target *, const struct mpl_work *, unsigned width);
unsigned mpl_live_bytes(struct mpl_widen *); /* of a lane, at the same time, at most */
/* Work-items of whole rows, or 0: the kernel does not say. */
unsigned mpl_required_row(const struct mpl_ir_kernel *);

/* budget.c: what is saved of a function's code; a later one saves what those before it do. */
enum mpl_economy { MPL_ALL_COPIES, MPL_ONE_COPY, MPL_PLAIN, MPL_ONE_ITEM };
/* A function that is to be widened. */
struct mpl_plan {
  const struct mpl_target *target;
  struct mpl_ir_kernel *kernel;
  LLVMValueRef function;
  struct mpl_work work;
  unsigned width, narrow; /* lanes; and if they are to fill a register only */
  enum mpl_economy economy;
  bool alone;   /* one work-item loop is all that it has, */
  bool many;    /* or so many that none does several chunks at a time */
};
void mpl_plan_sizes(struct mpl_plan *, unsigned count); /* of a program's: sets `economy` */

/* handed.c: notes the loads and stores of a loop, without those inside, by which one iteration hands
 * on to the next. */
void mpl_find_handed(struct mpl_widen *, int loop, struct mpl_map *handed);

/* worth.c: with what is known of lanes if branches on ids are tested: more than one work-item after
 * another? */
bool mpl_lanes_pay(struct mpl_widen *);
/* How a value grows in each iteration of the loop: of addresses in bytes, or MPL_ANY_STEP. */
#define MPL_ANY_STEP INT64_MIN
int64_t mpl_step_of(struct mpl_widen *, LLVMValueRef value, int loop);
bool mpl_is_ragged(struct mpl_widen *, int loop); /* lanes leave it at quite different iterations */
/* whole_rows.c: if the unit's only loop reads rows as long as it, so many work-items may be one
 * chunk; or 0. */
unsigned mpl_lanes_of_rows(struct mpl_widen *);
/* Rows that a loop's lanes walk along at the same time, each along its own ones, if these are as far
 * apart from lane to lane; of the loops that are nested deepest, the one that has most. */
void mpl_count_rows(struct mpl_widen *, struct mpl_rows *);

/* whole_turns.c: is loop `l` one that has no mask as long as all lanes are in it? */
bool mpl_may_take_whole_turns(struct mpl_widen *, unsigned l);

/* counters.c: is that the low word, perhaps times a power of two, of an inner loop's counter that
 * stays a word if the loop's end and step are small? */
bool mpl_counts_on(struct mpl_widen *, LLVMValueRef part);
/* Are they, from the first work-item to the `last`?  At the builder. */
LLVMValueRef mpl_counter_holds(struct mpl_widen *, LLVMValueRef part, LLVMValueRef last);

/* assume.c: does what is assumed hold?  At the builder; null if nothing is. */
LLVMValueRef mpl_all_hold(struct mpl_widen *);

/* pieces.c: false if it is no id, or access that is the same or side by side, in each piece. */
bool mpl_widen_id(struct mpl_widen *, LLVMValueRef id);
bool mpl_load_pieces(struct mpl_widen *, LLVMValueRef load);
bool mpl_store_pieces(struct mpl_widen *, LLVMValueRef store);

/* fields.c */
void mpl_fields_find(struct mpl_widen *);
void mpl_fields_free(struct mpl_widen *);
bool mpl_may_widen_fields(struct mpl_widen *, const struct mpl_fields *);
LLVMValueRef mpl_widen_field_load(struct mpl_widen *, struct mpl_fields *, LLVMValueRef load);
void mpl_widen_field_store(struct mpl_widen *, struct mpl_fields *, LLVMValueRef store);

/* target_math.c: is it such a function; its vector form, of one to three vectors of any width; and all
 * calls that are left, of scalars. */
enum { MPL_TARGET_OPERANDS = 3 };
bool mpl_is_target_math(LLVMValueRef callee);
LLVMValueRef mpl_target_math(struct mpl_module_ir *, LLVMBuilderRef, LLVMValueRef callee,
                             LLVMValueRef *operands, unsigned count);

#endif

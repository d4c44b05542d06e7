/* What is decided of a kernel's work-item loops before code is made: how many lanes, whether they
 * pay, which copies.  Nothing here changes code. */
#ifndef MPL_COMPILER_PLAN_H
#define MPL_COMPILER_PLAN_H

#include "cost.h"

enum { MPL_MOST_CHUNKS = 4 /* at a time */, MPL_MOST_WIDE = 3 };

/* --- choose.c --- */

/* Of a work-item loop. */
enum { MPL_FEWEST_LANES = 4, MPL_NUM_WIDTHS = 6 /* 4, 8, ... MPL_MOST_LANES */ };
struct mpl_loop_choice {
  unsigned width, narrow; /* lanes; and if they are to fill a register only, */
  unsigned large;         /* or there is too much code for copies */
  bool refused;           /* one work-item after another is faster */
  struct mpl_code_size size;
  uint64_t costs[MPL_NUM_WIDTHS]; /* of a chunk of each, if groups are long */
};
uint64_t mpl_chosen_cost(const struct mpl_loop_choice *, unsigned lanes);
/* With what is known of lanes if branches on ids are tested: what costs least (price.c) of what
 * there is a form for. */
void mpl_choose_lanes(struct mpl_analyses *, bool has_rows, struct mpl_loop_choice *);
/* Work-items of whole rows, or 0: the kernel does not say. */
unsigned mpl_required_row(const struct mpl_ir_kernel *);

/* --- budget.c --- */

struct mpl_loop_plan {
  LLVMValueRef latch; /* its branch */
  struct mpl_loop_choice choice;
};
/* A function that is to be widened. */
struct mpl_plan {
  struct mpl_module_ir *ir;
  struct mpl_ir_kernel *kernel;
  LLVMValueRef function;
  struct mpl_loop_plan *loops;
  size_t num_loops;
  enum mpl_economy economy;
  bool narrow;  /* no more lanes than fill a register */
  bool alone;   /* one work-item loop is all that it has, */
  bool many;    /* or so many that none does several chunks at a time */
  bool quiet;   /* what becomes of its lines is told of another function */
};
void mpl_plan_sizes(struct mpl_plan *, unsigned count); /* of a program's: sets `economy` */
/* Registers of results of one copy. */
uint64_t mpl_size_of_loop(const struct mpl_target *, const struct mpl_loop_choice *,
                          unsigned lanes);
unsigned mpl_planned_lanes(const struct mpl_plan *, const struct mpl_loop_choice *);

/* --- group_wide_chunk.c --- */

/* If the unit's only loop reads rows as long as it, so many work-items may be one chunk; or 0. */
unsigned mpl_lanes_of_rows(const struct mpl_lanes *);

/* --- short_rows.c --- */

/* The blocks and values of the loop over rows around a work-item loop. */
struct mpl_rows_around {
  LLVMBasicBlockRef pre, row, row_latch, post;
  LLVMValueRef row_id, count;        /* counts to `count` */
  LLVMValueRef first, second, begin; /* two ids, and the linear one that the row begins with */
  LLVMValueRef size_first;
};
bool mpl_find_rows(const struct mpl_item_loop *, struct mpl_rows_around *);

/* A copy of the loop for short rows: of the loops over rows and over one (`whole`), by chunks of
 * `lanes`; or of one over all work-items.  For rows of `least` work-items and less than `most`, or,
 * if that is 0, of just `lanes`. */
struct mpl_row_version {
  bool whole;
  unsigned lanes;
  uint64_t least, most;
};
enum { MPL_MOST_COPIES = 8 /* halves of MPL_MOST_LANES down to 4, and two */ };
/* How many there are. */
unsigned mpl_plan_row_versions(const struct mpl_lanes *, const struct mpl_loop_choice *,
                               struct mpl_row_version versions[MPL_MOST_COPIES]);
/* Are there rows around the loop that may have one work-item, and no copy for these? */
bool mpl_leaves_single(const struct mpl_lanes *, const struct mpl_row_version *, unsigned count);
/* Chunks may be of whole short rows, or there are none. */
bool mpl_takes_pieces(const struct mpl_lanes *);

/* --- versions.c --- */

/* A copy of a work-item loop. */
struct mpl_copy {
  struct mpl_recipes recipes; /* by what is known of lanes, or taken for granted */
  unsigned chunks;            /* at a time; 0: there is no such copy */
  bool quiet;                 /* another one says what becomes of each line */
};
/* Lanes may be missing; else chunks are whole. */
static inline bool mpl_is_masked(const struct mpl_copy *copy) {
  return copy->recipes.masks == MPL_MASKS_ALWAYS;
}

/* Which copies of a work-item loop there are, and when each runs.  Of whole chunks: one of all
 * work-items, where these are so many (`wide`); several at a time; one at a time.  Under a mask:
 * what is left (`rest`), and whole chunks whose lanes part (`again`); or all chunks, one after another,
 * where there is no other copy.  The loop as it was, where what is assumed does not hold. */
struct mpl_loop_versions {
  bool lone;   /* of one copy: each work-item is a chunk where what is assumed does not hold */
  bool single; /* rows may have one work-item: the loop that stays has these */
  bool again;
  struct mpl_copy rest, one, several, wide[MPL_MOST_WIDE];
  unsigned num_wide;
  const struct mpl_lanes *masked;               /* of chunks under a mask */
  struct mpl_row_version rows[MPL_MOST_COPIES]; /* in front of all these */
  unsigned num_rows;
};
/* Short loops, of all lanes, that nothing keeps busy. */
bool mpl_is_light(const struct mpl_lanes *);
/* Chunks may fail what was taken to be the same for all their lanes, and begin again. */
bool mpl_begins_again(const struct mpl_lanes *);
void mpl_plan_versions(struct mpl_loop_versions *, struct mpl_analyses *,
                       const struct mpl_loop_choice *);
void mpl_versions_free(struct mpl_loop_versions *);
/* That which says what becomes of each line. */
const struct mpl_copy *mpl_told_copy(const struct mpl_loop_versions *);
/* The only one of a sub-group, which is a chunk: of all lanes, or (`masked`) of those that are there. */
void mpl_plan_chunk(struct mpl_copy *, const struct mpl_lanes *, bool masked);
void mpl_copy_free(struct mpl_copy *);

/* --- dump.c --- */

/* Where passes are dumped: plan.txt. */
void mpl_dump_versions(const struct mpl_loop_versions *);
void mpl_dump_copy(const struct mpl_copy *);

#endif

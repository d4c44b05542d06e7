/* What a work-item loop costs, in lanes of any number and one work-item after another: a sum of
 * rows of tables/costs.def, which have one unit, sixteenths of a cycle. */
#ifndef MPL_COMPILER_COST_H
#define MPL_COMPILER_COST_H

#include "compiler/analysis/cost_table.h"
#include "recipes.h"
#include "steps.h"

/* How many of a chunk's lanes are there where something is done. */
enum mpl_fill {
  MPL_ALL_LANES,
  MPL_SOME_LANES,   /* lanes have parted, outside of loops */
  MPL_RAGGED_LANES, /* they leave a loop one after another, */
  MPL_FEW_LANES,    /* or several, or read meanwhile what is their own */
  MPL_NUM_FILLS
};

/* Of an inner loop, without those inside of it; or of the rest of the work-item loop. */
struct mpl_loop_costs {
  int parent;          /* the loop around it; -1: the rest */
  uint64_t trip_count; /* as estimated */
  bool simple;         /* one work-item alone does several iterations at a time */
  bool ragged;         /* lanes leave it at quite different iterations */
  bool left;           /* they leave it one after another: whether some are left is known late */
  bool writes, looks;  /* they write where they walk; they read what is their own */
  bool has[MPL_NUM_FILLS];
  unsigned operations;
  unsigned live;    /* bytes of a lane at the same time, at most, */
  unsigned carried; /* and from one iteration to the next */
  /* Sixteenths of a cycle from what an iteration gets of the last one to what it hands on; and from
   * its begin to its end, of lanes. */
  unsigned lane_chain, item_chain, path;
  uint64_t item;                                   /* of one work-item's operations */
  unsigned count[MPL_NUM_COSTS][MPL_NUM_FILLS][4]; /* of lanes' operations; on 1, 2, 4, 8 bytes */
};

struct mpl_costs {
  const struct mpl_target *target;
  struct mpl_loop_costs *loops; /* `num_loops`, and the rest */
  unsigned num_loops;
  unsigned narrow; /* lanes of the type that most is computed with in one register */
  unsigned arrays; /* bytes of a lane's private arrays */
  unsigned own_rows; /* that lanes walk along, each along its own */
  bool has_rows;   /* groups have rows, which chunks should not be much longer than, */
  bool has_pieces; /* unless a chunk may have several */
};
/* What code is made of (budget.c). */
struct mpl_code_size {
  unsigned instructions;
  uint64_t bytes;     /* of what varies, of a lane */
  unsigned each_lane; /* instructions that have no vector form */
};
void mpl_measure_code(const struct mpl_lanes *, struct mpl_code_size *); /* adds */
/* By lanes as they are known for some width, which hardly matters. */
void mpl_costs_find(struct mpl_costs *, const struct mpl_lanes *);
void mpl_costs_free(struct mpl_costs *);

/* --- price.c --- */

/* Of a chunk of so many lanes; the same where groups, or their rows, are as long as they mostly
 * are; and of one work-item alone. */
uint64_t mpl_cost_of_chunk(const struct mpl_costs *, unsigned width);
uint64_t mpl_cost_in_rows(const struct mpl_costs *, unsigned width);
uint64_t mpl_cost_of_item(const struct mpl_costs *);

/* --- cost_rows.c --- */

/* The row of what an instruction does in lanes; MPL_NUM_COSTS: none. */
enum mpl_cost mpl_cost_row(const struct mpl_recipes *, LLVMValueRef);

/* --- dump.c --- */

/* Adds what was counted to costs.txt where passes are dumped (bench/kernels/fit.py); `most`: so
 * many lanes there is a form for. */
void mpl_dump_costs(const struct mpl_costs *, const struct mpl_item_loop *, unsigned most);

/* --- chains.c --- */

void mpl_find_chains(struct mpl_steps *, struct mpl_costs *, const struct mpl_recipes *);

/* --- pressure.c --- */

/* Bytes of a lane that live at the same time, at most; `of_loops`, or null: of each loop and of the
 * rest. */
unsigned mpl_live_bytes(const struct mpl_lanes *, unsigned *of_loops);
/* Bytes that a lane hands on from one iteration of the loop to the next. */
unsigned mpl_carried_bytes(const struct mpl_lanes *, unsigned loop);
/* Of a lane's in vectors; 0 for what masks are made of. */
unsigned mpl_lane_bytes(LLVMTypeRef);

#endif

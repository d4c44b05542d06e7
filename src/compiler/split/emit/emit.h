/* Makes what a plan says: nothing here asks why.
 *
 *   frames    per region: pre (group operation, uniform values), work-item loops, post (what next)
 *   values    each use of a value of another region, as the plan has it get there */
#ifndef MPL_COMPILER_SPLIT_EMIT_H
#define MPL_COMPILER_SPLIT_EMIT_H

#include "compiler/split/plan/plan.h"

struct mpl_frame { /* the blocks and values around one region; of another site: pre, body, ids */
  LLVMBasicBlockRef pre, row, body, latch, row_latch, post;
  LLVMValueRef ids[3], row_id, rows;
  LLVMValueRef linear;             /* its place in slots: in the unit, in the order of the loops */
  LLVMValueRef group_linear, lane; /* linear in the group; in the sub-group, 32 bits */
  LLVMValueRef next;               /* phi over the exits' edges, if there are several */
  LLVMValueRef at;                 /* masked: where the work-item stands */
  LLVMValueRef result;             /* of a reduce or broadcast that the region begins with */
};

struct mpl_split {
  const struct mpl_split_unit *unit;
  const struct mpl_split_plan *plan;
  struct mpl_module_ir *ir;
  LLVMBuilderRef b;
  LLVMValueRef function; /* the unit's; or the driver */
  LLVMBasicBlockRef setup, end, schedule;
  LLVMValueRef items, padded, size[3], rows, scratch; /* of the work-group */
  LLVMValueRef is_whole;    /* of a sub-group: whether it is a whole one, */
  LLVMValueRef first, here; /* its first work-item, how many there are, */
  LLVMValueRef first_id[3]; /* and local ids of the first */
  LLVMValueRef *places;     /* by slot: the variable, or the array that all share; or null */
  struct mpl_frame *frames; /* by site */
  struct mpl_map copies;    /* (value, site) -> the value to use there */
  struct mpl_map bases;     /* (slot, site) -> address of its array */
  struct mpl_map combines;  /* function that combines operands -> number of sync points */
};

/* --- emit.c --- */
/* Reads the group's sizes at the end of the set-up block; the plan may be made behind it. */
void mpl_emit_begin(struct mpl_split *, const struct mpl_split_unit *);
/* All of the unit's function. */
void mpl_emit_split(struct mpl_split *, const struct mpl_split_plan *);
void mpl_emit_end(struct mpl_split *);
void mpl_read_group(struct mpl_split *); /* of e->function, at the builder */

/* --- arrays.c: in front of the plan --- */
/* Fills in the arrays of the unit.  Their addresses are computed where they are used; units of those
 * that each work-item has lie side by side. */
void mpl_keep_arrays(struct mpl_split *, struct mpl_split_unit *);

/* --- frames.c --- */
LLVMBasicBlockRef mpl_append_block(struct mpl_split *, const char *name);
LLVMValueRef mpl_add_phi(struct mpl_split *, LLVMBasicBlockRef at, const char *name,
                         LLVMValueRef first, LLVMBasicBlockRef from);
/* One step of a counted loop, at the end of `from`: back to `to`, or on to `after`; its branch. */
LLVMValueRef mpl_count_on(struct mpl_split *, LLVMBasicBlockRef from, LLVMValueRef counter,
                          LLVMValueRef count, LLVMBasicBlockRef to, LLVMBasicBlockRef after);
/* The three ids of a linear one. */
void mpl_divide_id(struct mpl_split *, LLVMValueRef linear, LLVMValueRef size_x,
                   LLVMValueRef size_y, LLVMValueRef ids[3]);
void mpl_build_frames(struct mpl_split *);
LLVMBasicBlockRef mpl_build_edge(struct mpl_split *, unsigned region, int to);

/* --- schedule.c --- */
void mpl_connect_frames(struct mpl_split *); /* what follows each region */

/* --- values.c --- */
void mpl_before_region(struct mpl_split *, mpl_site); /* the builder: at the end of `pre` */
void mpl_rewrite_values(struct mpl_split *);
LLVMValueRef mpl_value_in(struct mpl_split *, LLVMValueRef value, mpl_site);
LLVMValueRef mpl_slot_address(struct mpl_split *, const struct mpl_slot *); /* at the builder */
LLVMValueRef mpl_slot_base(struct mpl_split *, const struct mpl_slot *, mpl_site);
LLVMValueRef mpl_read_slot(struct mpl_split *, const struct mpl_slot *, mpl_site, LLVMTypeRef);
/* In front of an instruction in the region's loop. */
void mpl_write_slot(struct mpl_split *, const struct mpl_slot *, unsigned region,
                    LLVMValueRef value, LLVMValueRef before);

/* --- group_ops.c --- */
/* What is stored for a work-item's operand; for a sum, with all before. */
LLVMValueRef mpl_accumulate(struct mpl_split *, const struct mpl_slot *, LLVMValueRef operand);
/* Of sub-groups, in the driver. */
LLVMValueRef mpl_build_group_operation(struct mpl_split *, LLVMValueRef sync);
void mpl_emit_group_operation(struct mpl_split *, unsigned region);
/* Behind a sync a filter's stamps are of another phase: at the builder, in the group's function. */
void mpl_begin_filter_phase(struct mpl_split *, LLVMValueRef sync);

/* --- outline.c: kernels of very many regions in pieces --- */
void mpl_outline_regions(struct mpl_split *);

/* --- sub_group_driver.c --- */
/* The group function, which calls the unit's for all sub-groups of the work-group. */
void mpl_build_driver(const struct mpl_split_plan *);

#endif

/* Splitting one kernel: what contexts.c plans, skeleton.c builds and values.c fills in.
 *
 *   plan      which values cross from one region to another, and where each lives meanwhile
 *   skeleton  per region: pre (group operation, uniform loads), work-item loops, post (what next)
 *   values    each use of a value of another region reads it from its slot, or computes it again */
#ifndef MPL_COMPILER_SPLIT_H
#define MPL_COMPILER_SPLIT_H

#include "compiler/analysis/markers.h"
#include "compiler/analysis/regions.h"

enum mpl_slot_kind {
  MPL_SLOT_VALUE,   /* stored where it is computed */
  MPL_SLOT_PHI,     /* of a head: stored on the edges that lead there */
  MPL_SLOT_OPERAND, /* of a sync: stored on the edges that lead there; a scan's result too */
  MPL_SLOT_SUM,     /* of a reduce: operands, combined on the edges that lead there */
  MPL_SLOT_ARRAY,   /* a private array, one per work-item; or one for all */
  MPL_SLOT_NEXT,    /* the region where a work-item goes on, in masked kernels */
};

/* Where a value lives between regions: one place (an alloca of the group function, that LLVM turns
 * into a register) if it is uniform, else an array over the work-items in the group's scratch. */
struct mpl_slot {
  enum mpl_slot_kind kind;
  LLVMValueRef value;
  LLVMTypeRef type;        /* as stored: i1 as i8 */
  bool varying, unused;    /* unused: another slot does its work */
  struct mpl_slot *joined; /* of a phi, or null: the slot whose memory it shares */
  bool is_joined;          /* a phi has joined it */
  LLVMValueRef reduce;     /* of a sum: the sync point that asks for it */
  bool is_vote;            /* of a sum: it counts the conditions that decide */
  LLVMValueRef scan;       /* of an operand, or null: the sync point whose results it holds, since
                              the loop in front scans; `place` is what that loop carries */
  unsigned region;         /* where it is defined */
  unsigned size;           /* bytes per work-item */
  unsigned unit;           /* of an array whose units lie beside those of other work-items, or 0 */
  unsigned offset;         /* of its array in scratch, per (padded) work-item */
  uint64_t *live;          /* bit per region: read there, or passed through to where it is */
  uint64_t *occupied;      /* bit per region: live, or written */
  LLVMValueRef place;      /* the alloca of a uniform one, or the uniform array itself */
};

struct mpl_frame {     /* the blocks and values around one region */
  bool loop, uses_ids; /* work-item loop; separate ids of the dimensions are asked for */
  bool broadcasts_one; /* begins with a broadcast of what broadcast_one.c computes there */
  LLVMBasicBlockRef pre, row, body, latch, row_latch, post;
  LLVMValueRef ids[3], row_id, rows;
  LLVMValueRef linear;             /* its place in slots: in the unit, in the order of the loops */
  LLVMValueRef group_linear, lane; /* linear in the group; in the sub-group, 32 bits */
  LLVMValueRef next;               /* phi over the exits' edges, if there are several */
  LLVMValueRef at;                 /* masked: where the work-item stands */
  struct mpl_slot *sum; /* to which the edges to the region add, or on which they scan, or null */
  LLVMValueRef result;  /* of a reduce or broadcast that the region begins with */
};

enum { SCRATCH_ALIGN = 64 }; /* of the group's scratch memory (abi/kernel.h) */

struct mpl_split {
  struct mpl_module_ir *ir;
  struct mpl_ir_kernel *kernel;
  LLVMValueRef function;    /* that is split */
  unsigned lanes;           /* the unit is a sub-group of so many work-items; 0: the work-group */
  LLVMValueRef is_whole;    /* of a sub-group: whether it is a whole one */
  LLVMValueRef first, here; /* of a sub-group: its first work-item and how many there are */
  LLVMValueRef first_id[3]; /* local ids of the first work-item */
  unsigned inner;           /* of the work-group: the dimension that the inner loop counts */
  bool along_x;             /* which is x, whatever memory wants */
  struct mpl_regions regions;
  LLVMBuilderRef b;
  LLVMBasicBlockRef setup, end, schedule;
  LLVMValueRef items, padded, size[3], rows, scratch;
  uint64_t align; /* of the private variable that is aligned most; scratch is at least so */
  struct mpl_slot **slots;
  unsigned num_slots;
  size_t slots_capacity;
  struct mpl_map slot_of; /* value -> slot; (sync, 1 + 2 * k): of its operand k */
  struct mpl_slot *next;  /* of masked kernels */
  unsigned states;        /* of sub-groups that are cut: offset of their continuations in scratch */
  struct mpl_map needs;   /* (value, region) -> seen by the planner */
  struct mpl_map copies;  /* (value, region) -> the value to use there */
  struct mpl_map bases;   /* (slot, region) -> address of its array */
  struct mpl_map combines; /* function that combines operands -> number of sync points */
  struct mpl_frame *frames;
};

/* split.c */
void mpl_read_group(struct mpl_split *); /* at the builder */

/* arrays.c: of an array that gets a slot; 0: what one work-item has stays in one piece */
unsigned mpl_interleave_array(struct mpl_split *, LLVMValueRef alloca);
/* It divides bytes by a unit's: a shift. */
bool mpl_counts_units(LLVMValueRef);

/* contexts.c */
void mpl_plan_contexts(struct mpl_split *);
struct mpl_slot *mpl_slot_of(struct mpl_split *, LLVMValueRef value);
struct mpl_slot *mpl_operand_slot(struct mpl_split *, LLVMValueRef sync, unsigned operand);
bool mpl_is_shared(struct mpl_split *, LLVMValueRef value); /* one value for all work-items */
/* Takes from `left` what it costs to compute the value again: its price, if work-items do not share
 * it, and those of its operands, unless it is free.  It goes no deeper than `left` lasts: a program
 * may chain as many instructions as it likes. */
typedef unsigned mpl_price(struct mpl_split *, LLVMValueRef);
bool mpl_affords(struct mpl_split *, LLVMValueRef value, mpl_price *, unsigned *left);
/* The slot to which the edges to `region` add, or on whose operands they scan. */
struct mpl_slot *mpl_sum_slot(struct mpl_split *, int region);
/* The region's loop visits one work-item of each row only. */
static inline bool mpl_is_one_item(struct mpl_split *s, unsigned region) {
  LLVMValueRef sync = s->regions.list[region].sync;
  return sync && mpl_marker_of(sync) == MPL_MARK_ONE;
}
/* The slot is read in `region`: it is in use from there back to where it is written. */
void mpl_live_in(struct mpl_split *, struct mpl_slot *, unsigned region);
/* `value` is used in `region`: finds it a slot, or slots for what it can be computed from. */
void mpl_need(struct mpl_split *, LLVMValueRef value, unsigned region);

/* slots.c: first what shares a slot, then where in scratch memory each is. */
void mpl_share_slots(struct mpl_split *);
void mpl_place_slots(struct mpl_split *);
/* What the edge hands over to the phi is in the phi's slot already. */
bool mpl_is_in_its_place(struct mpl_split *, const struct mpl_slot *phi, LLVMValueRef incoming);
bool mpl_is_written_from(struct mpl_split *, const struct mpl_slot *phi, unsigned region);

/* elements.c: of the private array that the address is in, if each work-item has its own in scratch
 * memory and nothing but loads and stores use it; or null */
struct mpl_slot *mpl_element_slot(struct mpl_split *, LLVMValueRef pointer);
/* The load's element has not changed where `region` begins, and it only follows the load's region. */
bool mpl_is_element_kept(struct mpl_split *, LLVMValueRef load, unsigned region);
/* The value, a load of one, is loaded again in `region`. */
bool mpl_can_reload(struct mpl_split *, LLVMValueRef value, unsigned region);

/* broadcast_one.c: one work-item's value of a broadcast, computed for it alone */
bool mpl_can_broadcast_one(struct mpl_split *, LLVMValueRef value, unsigned region);
void mpl_need_one(struct mpl_split *, LLVMValueRef value, unsigned region);
LLVMValueRef mpl_build_one(struct mpl_split *, LLVMValueRef value, unsigned region,
                           LLVMValueRef linear_id);

/* dimension.c */
unsigned mpl_inner_dimension(struct mpl_split *);

/* skeleton.c */
void mpl_build_frames(struct mpl_split *);
void mpl_connect_frames(struct mpl_split *);
LLVMBasicBlockRef mpl_build_edge(struct mpl_split *, unsigned region, int to);

/* values.c */
void mpl_rewrite_values(struct mpl_split *);
LLVMValueRef mpl_value_in(struct mpl_split *, LLVMValueRef value, unsigned region);
LLVMValueRef mpl_slot_address(struct mpl_split *, struct mpl_slot *); /* at the builder */
LLVMValueRef mpl_slot_base(struct mpl_split *, struct mpl_slot *, unsigned region);
/* The address of that work-item's element, at the builder. */
LLVMValueRef mpl_slot_element(struct mpl_split *, const struct mpl_slot *, LLVMValueRef base,
                              LLVMValueRef linear);
/* The load or store, which is of a work-item's element of the slot. */
LLVMValueRef mpl_mark_element(struct mpl_split *, const struct mpl_slot *, LLVMValueRef access);

/* outline.c: kernels of very many regions in pieces */
void mpl_outline_regions(struct mpl_split *);

/* sub_group_driver.c: the group function, which calls the function of one sub-group for all of the
 * work-group. */
void mpl_build_driver(struct mpl_split *);

/* The unit stops at this region: the driver goes on when all sub-groups, or others, have run. */
static inline bool mpl_is_cut(const struct mpl_split *s, unsigned region) {
  LLVMValueRef sync = s->regions.list[region].sync;
  return s->lanes && sync && mpl_is_group_sync(mpl_marker_of(sync));
}

/* group_ops.c */
LLVMValueRef mpl_add_to_sum(struct mpl_split *, struct mpl_slot *, LLVMValueRef operand);
LLVMValueRef mpl_scan_operand(struct mpl_split *, struct mpl_slot *, LLVMValueRef operand);
LLVMValueRef mpl_build_group_operation(struct mpl_split *, LLVMValueRef sync);
void mpl_emit_group_operation(struct mpl_split *, unsigned region);
/* Behind a sync a filter's stamps are of another phase: at the builder, in the group's function. */
void mpl_begin_filter_phase(struct mpl_split *, LLVMValueRef sync);

#endif

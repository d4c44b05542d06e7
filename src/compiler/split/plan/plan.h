/* The plan of a function that is split at its sync points: what becomes of each region, of each value
 * that crosses from one to another, and of each sync point.  All of it is decided here, and nothing
 * here changes code; emit/ makes what the plan says. */
#ifndef MPL_COMPILER_SPLIT_PLAN_H
#define MPL_COMPILER_SPLIT_PLAN_H

#include "compiler/analysis/algebra.h"
#include "compiler/analysis/markers.h"
#include "compiler/analysis/regions.h"

enum { MPL_SCRATCH_ALIGN = 64 }; /* of the group's scratch memory (abi/kernel.h), at least */

/* A private array whose contents live on from region to region. */
struct mpl_kept_array {
  LLVMValueRef alloca;
  unsigned unit; /* bytes that lie beside those of other work-items; 0: it stays in one piece */
  bool shared;   /* one does for all work-items */
};

/* What is split: the group function of a kernel, or the function of one of its sub-groups. */
struct mpl_split_unit {
  struct mpl_module_ir *ir;
  struct mpl_ir_kernel *kernel;
  LLVMValueRef function;
  LLVMBasicBlockRef setup;
  unsigned lanes; /* work-items of the sub-group; 0: it is the work-group */
  unsigned items; /* of the work-group, which is one row; 0: any number */
  unsigned inner; /* of the work-group: the dimension that the inner loop counts */
  uint64_t align; /* of its scratch memory: of the private variable that is aligned most */
  struct mpl_regions regions;
  struct mpl_kept_array *arrays;
  unsigned num_arrays;
};

/* Where a value lives between regions. */
struct mpl_slot {
  enum mpl_slot_kind {
    MPL_SLOT_VALUE,   /* stored where it is computed */
    MPL_SLOT_PHI,     /* of a head: stored on the edges that lead there */
    MPL_SLOT_OPERAND, /* of a sync: stored on the edges that lead there; a scan's result too */
    MPL_SLOT_ARRAY,   /* a private array */
    MPL_SLOT_NEXT,    /* the region where a work-item goes on, in masked kernels */
  } kind;
  enum mpl_storage {
#define MPL_STORAGE(id, ...) MPL_IN_##id,
#include "tables/split.def"
  } storage;
  unsigned number; /* among the plan's slots */
  LLVMValueRef value;
  LLVMTypeRef type;                 /* as stored: i1 as i8 */
  unsigned region;                  /* where it is defined */
  unsigned size;                    /* bytes: of one work-item, or of what there is one of */
  unsigned unit;                    /* of struct mpl_kept_array */
  unsigned offset;                  /* in scratch, per (padded) work-item */
  struct mpl_slot *joined;          /* of a phi, or null: the slot whose memory it shares */
  bool is_joined;                   /* a phi has joined it */
  struct mpl_collective collective; /* of a scan, sum or vote */
  uint64_t *live; /* bit per region: read there, or passed through to where it is */
};

/* Each work-item has its own. */
static inline bool mpl_is_of_items(const struct mpl_slot *slot) {
  return slot->storage == MPL_IN_ITEMS || slot->storage == MPL_IN_SCAN;
}
/* Loops combine operands with it. */
static inline bool mpl_is_accumulated(const struct mpl_slot *slot) {
  return slot->storage == MPL_IN_SUM || slot->storage == MPL_IN_VOTE;
}
static inline bool mpl_is_live_in(const struct mpl_slot *slot, unsigned region) {
  return slot->live[region / 64] >> region % 64 & 1;
}

/* Where a value is used: in the region of that number; or, with the number of regions added, for
 * the one work-item that a broadcast in front of the region asks for. */
typedef unsigned mpl_site;

/* How a value gets to a site. */
enum mpl_way {
  MPL_UNPLANNED,
  MPL_WAY_SAME,   /* it is there */
  MPL_WAY_ID,     /* an id, which the loop counts */
  MPL_WAY_RESULT, /* of the sync point that the region begins with */
  MPL_WAY_SLOT,   /* read from its slot */
  MPL_WAY_PLACE,  /* of a private array: the address of the work-item's own */
  MPL_WAY_AGAIN,  /* computed again */
};

/* An edge from one region to another, or to the end: what is stored on it. */
struct mpl_handover {
  LLVMValueRef value;
  const struct mpl_slot *slot;
};
struct mpl_region_edge {
  unsigned block, successor;
  int to;
  struct mpl_handover *list;
  unsigned count;
};

struct mpl_region_plan {
  enum mpl_visit {
#define MPL_VISIT(id, ...) MPL_VISIT_##id,
#include "tables/split.def"
  } visit;
  enum mpl_group_work {
#define MPL_GROUP_WORK(id, ...) MPL_WORK_##id,
#include "tables/split.def"
  } work;
  bool uses_ids;        /* separate ids of the dimensions are asked for */
  bool cut;             /* of a sub-group, which stops here until the others, or some, have come */
  bool writes;          /* values of each work-item */
  unsigned piece_end;   /* behind the last region of a function that begins with this one; or 0 */
  struct mpl_slot *sum; /* that the edges to it combine operands with, or scan; or null */
  struct mpl_region_edge *edges; /* that leave it */
  unsigned num_edges;
};

struct mpl_split_plan {
  const struct mpl_split_unit *unit;
  struct mpl_region_plan *regions;
  struct mpl_slot **slots;
  unsigned num_slots;
  struct mpl_slot *next;  /* of masked kernels */
  uint64_t bytes;         /* of scratch memory, for each work-item */
  uint64_t states;        /* of sub-groups that are cut: offset of where each goes on */
  struct mpl_map slot_of; /* value -> slot; (sync, 1 + k): of its operand k */
  struct mpl_map ways;    /* (value, site) -> enum mpl_way */
};

/* The dimensions of which the function asks for local ids: bits. */
unsigned mpl_dimensions_asked(LLVMValueRef function);
/* Which dimension the inner loop over work-items counts, for struct mpl_split_unit. */
unsigned mpl_inner_dimension(const struct mpl_split_unit *);
/* Bytes of scratch, and all else, for a unit that stays as it is while the plan is used. */
void mpl_plan_split(struct mpl_split_plan *, const struct mpl_split_unit *);
void mpl_plan_free(struct mpl_split_plan *);
/* As remarks; and as text, split.txt beside the IR behind each pass, where passes are dumped. */
void mpl_tell_plan(const struct mpl_split_plan *);
void mpl_dump_plan(const struct mpl_split_plan *);

enum mpl_way mpl_way_to(const struct mpl_split_plan *, LLVMValueRef value, mpl_site);
/* Where the value lives: its own slot, or that of the operand that it replaces; or null. */
struct mpl_slot *mpl_slot_of(const struct mpl_split_plan *, LLVMValueRef value);
struct mpl_slot *mpl_operand_slot(const struct mpl_split_plan *, LLVMValueRef sync, unsigned k);

#endif

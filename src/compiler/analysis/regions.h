/* Regions: the parts of a kernel between sync points.
 *
 * A region is a head block and what is reached from it without passing another head.  Heads are the
 * entry, the blocks that begin with a sync point, and the blocks in which paths from two regions
 * meet.  So every block belongs to one region, no code is copied, and a barrier in a loop, in a
 * conditional or in an inlined function is no special case. */
#ifndef MPL_COMPILER_REGIONS_H
#define MPL_COMPILER_REGIONS_H

#include "cfg.h"
#include "shape.h"
#include "uniform_arrays.h"

enum { MPL_REGION_END = -1 }; /* the exit of a work-item that returns */

struct mpl_region {
  unsigned head;             /* block */
  LLVMValueRef sync;         /* the sync call that it begins with, or null */
  unsigned *blocks;          /* its blocks, head first, in reverse post order */
  unsigned num_blocks;
  int *exits;                /* distinct regions that follow, MPL_REGION_END among them */
  unsigned num_exits;
  struct mpl_edges preds;    /* regions that this one follows */
  bool varying_exit;         /* work-items may leave to different regions */
  bool masked;               /* only some work-items may be here, the others elsewhere */
  bool scheduled_exit;       /* work-items leave their continuations behind */
};

struct mpl_regions {
  struct mpl_cfg cfg;
  struct mpl_shapes shapes;
  struct mpl_region *list;
  unsigned count;
  unsigned *of_block;        /* block -> region */
  bool masked;               /* some region is */
  bool cut;                  /* blocks were split, so that sync points begin one */
  bool cuts_lanes;           /* sub-group functions are sync points too, not calls in regions */
  struct mpl_uniform_arrays arrays;
};

void mpl_regions_find(struct mpl_regions *, LLVMValueRef function);
void mpl_regions_find_in_items(struct mpl_regions *, LLVMValueRef function); /* cuts_lanes */
/* And the private arrays of which one copy does; what is done once for them is cut off. */
void mpl_regions_find_with_arrays(struct mpl_regions *, LLVMValueRef function);
void mpl_regions_free(struct mpl_regions *);

/* One work-item (of each row) goes through the region alone. */
bool mpl_is_of_one_item(const struct mpl_regions *, unsigned region);

/* Work-items may come to the region again. */
bool mpl_region_repeats(const struct mpl_regions *, unsigned region);

/* The region an instruction stands in; UINT32_MAX for the set-up block. */
unsigned mpl_region_of(const struct mpl_regions *, LLVMValueRef instruction);

#endif

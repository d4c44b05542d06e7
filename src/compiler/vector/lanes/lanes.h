/* What is alike among the lanes of a chunk: relative to the work-item loop a value is uniform (the
 * same for all lanes of a chunk), strided (it grows by a constant from lane to lane) or varying.
 * Uniform branches stay branches; varying ones are linearised under masks: Karrenberg and Hack,
 * "Whole-Function Vectorization" (CGO 2011), Moll and Hack, "Partial Control-Flow Linearization"
 * (PLDI 2018).
 *
 * An analysis is for one width, and either takes nothing for granted or (`together`) takes branches
 * on ids and clamped bounds to be the same for a whole chunk, which is tested where the chunk runs.
 * It changes no code, and nothing changes it once it was made. */
#ifndef MPL_COMPILER_LANES_H
#define MPL_COMPILER_LANES_H

#include "compiler/analysis/markers.h"
#include "compiler/analysis/shape.h"
#include "item_loop.h"

enum {
  MPL_ANY_STRIDE = INT32_MIN, /* of no constant: the value varies */
  MPL_MOST_STRIDE = 1 << 24,
};

/* Diverged blocks that hang together: entered from one block, left for one. */
struct mpl_part {
  unsigned from, meet;
  unsigned first, last;
};

/* Of an inner loop. */
struct mpl_lane_loop {
  bool masked;  /* its lanes may leave at different iterations, or not all enter */
  int together; /* the block at whose end all lanes of the loop go on in it, or all leave it, by what
                   they share; or -1 */
  int counted;  /* the block whose branch ends a turn of the loop alike for all lanes that come to it, where
                   lanes leave elsewhere as well (`for (k = 0; k < n; k++) if (...) break;`); or -1 */
};

struct mpl_lane_block {
  bool diverged; /* only some lanes may be there */
  bool joins;    /* lanes meet there that came by different ways */
  bool tested;   /* its branch is taken to be the same for all, and tested */
  bool clean;    /* while the analysis is made: nothing is changed before it ends */
  int part;      /* or -1 */
};

/* Pairs of pointers that are the same, or at least so many bytes apart. */
struct mpl_aparts {
  struct mpl_apart {
    LLVMValueRef a, b;
    int bytes;
  } *list;
  size_t count;
};
void mpl_add_apart(struct mpl_aparts *, struct mpl_apart); /* interleave_groups.c */

struct mpl_lanes {
  const struct mpl_item_loop *items;
  unsigned width;
  bool together;

  struct mpl_map index;     /* value of the loop -> place in `shapes` */
  struct mpl_shape *shapes; /* from lane to lane */
  size_t num_shapes;
  struct mpl_map assumed;   /* values whose numbers must not wrap while the loop runs
                               -> 1, or of a counter 2 */
  struct mpl_aparts apart;  /* what must be apart while the loop runs */
  struct mpl_map bounds;    /* bounds.c: value that is taken to grow by a stride, and tested -> 1 */
  struct mpl_map differing; /* private arrays in which lanes have different values */

  struct mpl_lane_block *blocks;
  struct mpl_lane_loop *loops;
  struct mpl_part *parts;
  unsigned num_parts;

  struct mpl_map fields; /* load or store -> its struct mpl_fields (interleave_groups.h) */
  struct mpl_fields *all_fields;
};

/* The analyses of a loop, each made once. */
enum { MPL_MOST_ANALYSES = 12 };
struct mpl_analyses {
  const struct mpl_item_loop *items;
  struct mpl_lanes *list[MPL_MOST_ANALYSES];
  unsigned count;
};
const struct mpl_lanes *mpl_lanes_for(struct mpl_analyses *, unsigned width, bool together);
void mpl_analyses_free(struct mpl_analyses *);

/* --- shapes.c --- */

int mpl_stride_of(const struct mpl_lanes *, LLVMValueRef value);
static inline bool mpl_varies(const struct mpl_lanes *lanes, LLVMValueRef value) {
  return mpl_stride_of(lanes, value) == MPL_ANY_STRIDE;
}
/* As seen from `block`: what a masked loop computes varies behind it. */
int mpl_stride_at(const struct mpl_lanes *, LLVMValueRef value, unsigned block);
bool mpl_leaves_mask(const struct mpl_lanes *, unsigned from, unsigned to);
/* Can it be computed from the counter in front of the loop? */
bool mpl_is_known_before(const struct mpl_lanes *, LLVMValueRef value);
/* A comparison of ids with what all share, or several: mostly the same for a whole chunk. */
bool mpl_asks_for_ids(const struct mpl_lanes *, LLVMValueRef condition, unsigned block);
/* Elements of `size` bytes, one after the other, up or down. */
static inline bool mpl_is_beside(int stride, int size) {
  return stride == size || stride == -size;
}
/* From the first lane to the last one it is less than half the way round a number of so many bits.
 */
static inline bool mpl_is_short_of_half(const struct mpl_lanes *lanes, int64_t stride,
                                        unsigned bits) {
  uint64_t by = (uint64_t)(stride < 0 ? -stride : stride) * (lanes->width - 1);
  return bits >= 64 || by < (uint64_t)1 << (bits - 1);
}

/* --- divergent_regions.c --- */

static inline bool mpl_is_diverged(const struct mpl_lanes *lanes, unsigned block) {
  return lanes->items->in[block] && lanes->blocks[block].diverged;
}
/* Of a block that all reach: the part that its branch leads into by several ways, which are told
 * apart by masks; or -1. */
int mpl_part_behind(const struct mpl_lanes *, unsigned block);

/* Does the block end in a branch by what lanes do not share? */
bool mpl_branch_varies(const struct mpl_lanes *, unsigned block);

/* --- bounds.c --- */

bool mpl_is_bound(const struct mpl_lanes *, LLVMValueRef value);

/* --- private_arrays.c --- */

enum mpl_array_kind { MPL_NO_ARRAY, MPL_SHARED_ARRAY, MPL_INTERLEAVED_ARRAY, MPL_ITEMS_ARRAY };
enum mpl_array_kind mpl_array_kind(const struct mpl_lanes *, LLVMValueRef);
/* The interleaved array that the pointer points into, or null. */
LLVMValueRef mpl_array_of(const struct mpl_lanes *, LLVMValueRef pointer);
unsigned mpl_array_unit(const struct mpl_lanes *, LLVMValueRef pointer); /* bytes */
uint64_t mpl_array_size(const struct mpl_lanes *,
                        LLVMValueRef alloca); /* of one lane's, in bytes */

#endif

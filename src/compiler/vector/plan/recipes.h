/* What is decided of a copy of a work-item loop, once: the form of each access, and its control flow.  Emission
 * (emit/access.c, emit/flow.c), costs and the report read it. */
#ifndef MPL_COMPILER_RECIPES_H
#define MPL_COMPILER_RECIPES_H

#include "compiler/analysis/cost_table.h"
#include "compiler/vector/lanes/forms.h"
#include "compiler/vector/lanes/interleave_groups.h"
#include "flow.h"

enum mpl_form_of_access {
#define MPL_RECIPE(id, ...) MPL_RECIPE_##id,
#include "tables/recipes.def"
  MPL_NUM_RECIPES
};

/* Components of one small vector, or fields side by side, at places that vary: small_vectors.c. */
enum { MPL_NEAR_VECTOR = 2 * MPL_LARGEST_VECTOR - 1 /* accesses that may be near one */ };
struct mpl_small_vector {
  LLVMValueRef base, members[MPL_NEAR_VECTOR];
  int64_t offsets[MPL_NEAR_VECTOR], low;
  unsigned count, size, bytes, align;
};

/* At a border lanes stop, since the index is clamped, or go round.  Then `along` grows by `stride`, and `value`
 * is what the mask, the same for all lanes, leaves of it: a remainder by a power of two, if its ones are at the
 * end. */
struct mpl_border {
  enum { MPL_NO_BORDER, MPL_CLAMPED, MPL_WRAPPED } kind;
  LLVMValueRef value, along, mask;
  int stride;
};

/* How lanes that are not there are kept from memory. */
enum mpl_keep_out {
  MPL_BY_MASK,  /* the processor takes one for units of that size */
  MPL_BY_PAGE,  /* a load side by side: of what lies in one page, all; else one element after another */
  MPL_BY_VALUE, /* an element of a context: it is there for them too, and what it has is stored again */
  MPL_BY_PLACE, /* a gather: they look elsewhere */
  MPL_BY_TURN,  /* a scatter: lanes that are there store one after another */
};
/* Of units of so many bytes. */
enum mpl_keep_out mpl_gathers_by(const struct mpl_target *, unsigned size);
enum mpl_keep_out mpl_scatters_by(const struct mpl_target *, unsigned size);

struct mpl_recipe {
  enum mpl_form_of_access form;
  /* Bytes from lane to lane of its place, as known, or, of what is speculated, as taken to be; of
   * pieces, in each piece. */
  int stride;
  bool masked;   /* only some lanes may be there */
  enum mpl_keep_out beside, apart; /* what is done side by side, and at places of their own */
  struct mpl_border border; /* speculated: where that fails, lanes at a border may be told apart */
  bool all_or_some; /* masked: mostly all lanes are there, which is asked */
  enum mpl_form_of_access otherwise; /* of what is speculated */
  const struct mpl_fields *fields;
  unsigned at_once; /* interleaved: lanes of one instruction */
  const struct mpl_small_vector *vector;
};

static inline bool mpl_is_speculated(const struct mpl_recipe *r) {
  return r->form == MPL_RECIPE_SPECULATED || r->form == MPL_RECIPE_SPECULATED_PLACE;
}

/* Which blocks of a copy have masks. */
enum mpl_masks {
  MPL_MASKS_NEVER,    /* as costs are estimated */
  MPL_MASKS_DIVERGED, /* whole chunks */
  MPL_MASKS_ALWAYS,   /* what is left of the work-items */
};

struct mpl_recipes {
  const struct mpl_lanes *lanes;
  enum mpl_masks masks;
  struct mpl_flow_plan flow;
  struct mpl_map of; /* (access, 0), or (access, 1) in turns of all lanes -> place in `list`, + 1 */
  struct mpl_recipe *list;
  size_t count;
  struct mpl_small_vector **vectors;
  size_t num_vectors;
};
void mpl_recipes_find(struct mpl_recipes *, const struct mpl_lanes *, enum mpl_masks);
void mpl_recipes_free(struct mpl_recipes *);
/* Of a load or store; `full_turn`: where all lanes of its loop are. */
const struct mpl_recipe *mpl_recipe_of(const struct mpl_recipes *, LLVMValueRef access,
                                       bool full_turn);

/* --- small_vectors.c --- */

/* The small vector of which `first`, whose place varies, is the first access that is come to;
 * false: of none.  `taken`: the stores that others have. */
bool mpl_small_vector_of(struct mpl_module_ir *, LLVMValueRef first, const struct mpl_map *taken,
                         struct mpl_small_vector *);

/* --- row_loads.c: loads along rows of the lanes' own, a[row * n + k] for each k --- */

enum { MPL_MOST_TERMS = 8, MPL_ROW_STEPS = 3 };
/* What a number is the sum of, once it has 64 bits. */
struct mpl_row_terms {
  LLVMValueRef list[MPL_MOST_TERMS];
  bool is_signed[MPL_MOST_TERMS]; /* how it is extended */
  unsigned count;
  uint64_t size; /* bytes that it counts */
};
struct mpl_row_load {
  LLVMValueRef pointer; /* known in front of the loop */
  struct mpl_row_terms steps[MPL_ROW_STEPS];
  unsigned count;
};
bool mpl_row_load_of(const struct mpl_lanes *, LLVMValueRef load, struct mpl_row_load *);

/* --- border_loads.c --- */

/* The operand that the value grows with, the only one that differs from lane to lane; or -1. */
int mpl_grows_with(const struct mpl_lanes *, LLVMValueRef value, unsigned block);
struct mpl_border mpl_border_of(const struct mpl_lanes *, const struct mpl_lane_access *load);

/* --- multi_row_access.c --- */

bool mpl_is_piece_id(const struct mpl_item_loop *, LLVMValueRef value);
/* Bytes from lane to lane of a piece of a chunk of several rows, if that is what counts. */
int mpl_stride_in_piece(const struct mpl_lanes *, LLVMValueRef pointer, unsigned block);

#endif

/* Which dimension the inner one of the loops over work-items counts.
 *
 * Work-items of a region are independent, so any order is right.  Lanes lie along the dimension in
 * which memory is consecutive: mostly x, but y in `a[get_global_id(0) * n + get_global_id(1)]`. */
#include <stdlib.h>

#include "compiler/analysis/cost_table.h"
#include "compiler/analysis/loops.h"
#include "compiler/analysis/target.h"
#include "plan.h"

enum { DEEPEST = 3 };

/* How values differ between work-items that differ in one dimension's id only.  For costs: what a
 * loop carries round is taken as it enters. */
struct along {
  const struct mpl_split_unit *u;
  unsigned dimension;
  struct mpl_map index; /* value -> place in `list` */
  struct mpl_shape *list;
  size_t count;
};

static bool known(const void *data, LLVMValueRef value, struct mpl_shape *shape) {
  struct along *a = *(struct along *const *)data;
  uintptr_t *at = mpl_map_at(&a->index, value, 0, false);
  *shape = at ? a->list[*at] : mpl_shape_of(&a->u->regions.shapes, value);
  return true;
}

static struct mpl_shape shape_along(struct along *a, LLVMValueRef i) {
  struct mpl_shape shape = {.kind = MPL_UNSEEN}, varying = {.kind = MPL_VARYING, .bits = 64}, other;
  enum mpl_marker marker = mpl_marker_of(i);
  if (mpl_is_uniform(&a->u->regions.shapes, i)) return mpl_uniform;
  if (marker == MPL_MARK_LOCAL_LINEAR_ID && !a->dimension) return mpl_by_ones;
  if (mpl_is_local_id(marker))
    return marker == MPL_MARK_LOCAL_ID_0 + a->dimension ? mpl_by_ones : mpl_uniform;
  if (LLVMIsACallInst(i) && (marker || !mpl_ir_is_pure_call(i))) return varying;
  if (LLVMIsAAllocaInst(i)) return varying;
  if (!LLVMIsAPHINode(i)) return mpl_shape_computed(a->u->ir->layout, i, known, &a);
  for (unsigned k = 0; k < LLVMCountIncoming(i); k++) {
    LLVMValueRef value = LLVMGetIncomingValue(i, k);
    if (LLVMIsAInstruction(value) && !mpl_map_has(&a->index, value)) continue;
    known(&a, value, &other);
    shape = mpl_shape_join(shape, other);
  }
  return shape;
}

static uint64_t of_row(const struct mpl_target *target, enum mpl_cost row, int64_t size) {
  const struct mpl_cost_row *costs = &mpl_cost_table[row];
  uint64_t each = mpl_cost_of_lanes(target, row);
  if (costs->each == MPL_EACH_LANE) return each * MPL_GIVEN_ROW;
  if (costs->each != MPL_EACH_REGISTER) return each;
  return each * MPL_GIVEN_ROW * (uint64_t)size / target->unit_bytes;
}

/* Of an access of as many work-items as rows mostly have: one place, side by side, fields, for which
 * what lies between is read too, or each its own place, if that costs less.  There a store takes no
 * longer than a load: what counts are the lines of the cache, and a transposition takes the same
 * time either way. */
static uint64_t cost(struct along *a, LLVMValueRef i) {
  const struct mpl_target *target = a->u->ir->target;
  struct mpl_shape shape;
  int64_t size = (int64_t)LLVMABISizeOfType(a->u->ir->layout, mpl_accessed_type(i));
  bool store = LLVMIsAStoreInst(i) != NULL;
  known(&a, mpl_accessed_place(i), &shape);
  int64_t stride = shape.kind == MPL_STRIDED ? llabs(shape.stride) : 0;
  uint64_t gather = of_row(target, size < MPL_WORD ? MPL_COST_GATHER_SMALL : MPL_COST_GATHER, size),
           fields = of_row(target, MPL_COST_FIELD, stride);
  if (shape.kind == MPL_VARYING) return gather;
  if (!stride) return of_row(target, store ? MPL_COST_STORE : MPL_COST_SHARED_LOAD, size);
  if (stride != size) return fields < gather ? fields : gather;
  return of_row(target, store ? MPL_COST_STORE : MPL_COST_LOAD, size);
}

/* The set-up block is of no region. */
static bool is_of_one_item(const struct mpl_regions *r, unsigned block) {
  return r->of_block[block] < r->count && mpl_is_of_one_item(r, r->of_block[block]);
}

/* Of as many rows: one work-item of each is a loop of its own along x, a lane along others. */
static uint64_t cost_of_rows(struct along *a, LLVMValueRef i, bool one_item) {
  if (!one_item) return MPL_GIVEN_ROW * cost(a, i);
  if (a->dimension) return cost(a, i);
  return MPL_GIVEN_ROW *
         mpl_cost_table[LLVMIsAStoreInst(i) ? MPL_COST_STORE : MPL_COST_LOAD].item;
}

/* Of all accesses, those in loops more. */
static uint64_t cost_along(const struct mpl_split_unit *u, const struct mpl_loops *loops,
                           unsigned dimension) {
  const struct mpl_regions *r = &u->regions;
  struct along a = {.u = u, .dimension = dimension};
  uint64_t sum = 0;
  for (unsigned b = 0; b < r->cfg.count; b++) {
    unsigned depth = 0;
    for (unsigned l = 0; l < loops->count; l++) depth += depth < DEEPEST && loops->list[l].in[b];
    MPL_EACH_INSTRUCTION(i, r->cfg.blocks[b]) {
      mpl_map_set(&a.index, i, a.count);
      MPL_APPEND(a.list, a.count) = (struct mpl_shape){0};
      a.list[a.count - 1] = shape_along(&a, i);
      LLVMValueRef pointer = mpl_accessed_place(i);
      if (!pointer || mpl_is_uniform(&r->shapes, pointer)) continue;
      sum += cost_of_rows(&a, i, is_of_one_item(r, b)) << 3 * depth;
    }
  }
  mpl_map_free(&a.index);
  free(a.list);
  return sum;
}

unsigned mpl_dimensions_asked(LLVMValueRef function) {
  unsigned asked = 0;
  MPL_EACH_INSTRUCTION_OF(i, function) {
    enum mpl_marker marker = mpl_marker_of(i);
    if (mpl_is_local_id(marker)) asked |= 1u << (marker - MPL_MARK_LOCAL_ID_0);
  }
  return asked;
}

/* What the kernel does where work-items meet depends on no order of them. */
static bool may_choose(const struct mpl_regions *r) {
  for (unsigned k = 0; k < r->count; k++) {
    enum mpl_marker marker = r->list[k].sync ? mpl_marker_of(r->list[k].sync) : MPL_MARK_BARRIER;
    if (marker != MPL_MARK_BARRIER && marker != MPL_MARK_ONE) return false;
  }
  return true;
}

unsigned mpl_inner_dimension(const struct mpl_split_unit *u) {
  unsigned asked = u->lanes ? 0 : mpl_dimensions_asked(u->function), best = 0;
  uint64_t costs[3] = {0};
  if (asked <= 1 || !may_choose(&u->regions)) return 0;
  MPL_LOOPS(loops, &u->regions.cfg);
  for (unsigned d = 0; d < 3; d++) {
    unsigned size = u->kernel->reqd_local[d];
    /* Along others all do the same. */
    costs[d] = asked >> d & 1 ? cost_along(u, &loops, d) : UINT64_MAX / 2;
    if (size && size < MPL_GIVEN_ROW && asked >> d & 1) costs[d] *= MPL_GIVEN_ROW / size;
  }
  for (unsigned d = 1; d < 3; d++)
    if (asked >> d & 1 && costs[d] + costs[d] * MPL_GIVEN_GAIN_OF_TURN / 100 < costs[best]) best = d;
  return best;
}

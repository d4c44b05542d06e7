/* The function around the regions: what it reads at its begin, the places of slots, its attributes. */
#include "emit.h"

#include <stdlib.h>

#include "abi/kernel.h"
#include "compiler/analysis/slots.h"

/* Field `index` of an array of three in struct mpl_group. */
static LLVMValueRef group_field(struct mpl_split *e, unsigned field, unsigned index,
                                const char *name) {
  LLVMValueRef indices[] = {mpl_const64(e->ir, 0), mpl_const32(e->ir, field),
                            mpl_const64(e->ir, index)};
  LLVMValueRef at =
      LLVMBuildInBoundsGEP2(e->b, e->ir->group_type, LLVMGetParam(e->function, 1), indices, 3, "");
  LLVMValueRef value = LLVMBuildLoad2(e->b, e->ir->i64, at, name);
  mpl_mark(e->ir, value, "invariant.load");
  return value;
}

/* The run time aligns it for vectors; variables of the programmer's may want more. */
static LLVMValueRef aligned(struct mpl_split *e, LLVMValueRef scratch) {
  if (e->unit->align <= MPL_SCRATCH_ALIGN) return scratch;
  LLVMValueRef at = LLVMBuildPtrToInt(e->b, scratch, e->ir->i64, "");
  LLVMValueRef behind =
      LLVMBuildAnd(e->b, LLVMBuildNeg(e->b, at, ""), mpl_const64(e->ir, e->unit->align - 1), "");
  return mpl_offset(e->ir, e->b, scratch, behind);
}

/* Of a group whose number of work-items is known. */
static void set_sizes(struct mpl_split *e) {
  for (unsigned d = 0; d < 3; d++) e->size[d] = mpl_const64(e->ir, d ? 1 : e->unit->items);
}

static void read_sizes(struct mpl_split *e) {
  static const char *const names[] = {"size.x", "size.y", "size.z"};
  unsigned dims = e->unit->kernel->dims ? e->unit->kernel->dims : 3;
  for (unsigned d = 0; d < 3; d++)
    e->size[d] = d < dims ? group_field(e, MPL_GROUP_SIZE, d, names[d]) : mpl_const64(e->ir, 1);
}

void mpl_read_group(struct mpl_split *e) {
  (e->unit->items ? set_sizes : read_sizes)(e);
  e->rows = LLVMBuildNUWMul(e->b, e->size[1], e->size[2], "rows");
  e->items = LLVMBuildNUWMul(e->b, e->rows, e->size[0], "items");
  /* Up to a multiple of 64, written so that LLVM sees a multiple and that it is not 0. */
  LLVMValueRef last = LLVMBuildNUWSub(e->b, e->items, mpl_const64(e->ir, 1), "");
  LLVMValueRef full = LLVMBuildOr(e->b, last, mpl_const64(e->ir, 63), "");
  e->padded = LLVMBuildNUWAdd(e->b, full, mpl_const64(e->ir, 1), "padded");
  e->scratch = mpl_load_field(e->b, e->ir->group_type, LLVMGetParam(e->function, 1),
                              MPL_GROUP_SCRATCH, "scratch");
  e->scratch = aligned(e, e->scratch);
}

static LLVMValueRef unit_field(struct mpl_split *e, enum mpl_unit_field field, const char *name) {
  return mpl_load_field(e->b, e->ir->unit_type, LLVMGetParam(e->function, 1), field, name);
}

/* Its lanes are all there, and their ids are as affine in the lane as addresses want them. */
static LLVMValueRef is_whole(struct mpl_split *e) {
  LLVMValueRef lanes = mpl_const64(e->ir, e->unit->lanes),
               end = LLVMBuildAdd(e->b, e->first_id[0], lanes, "");
  LLVMValueRef full = LLVMBuildICmp(e->b, LLVMIntEQ, e->here, lanes, "full");
  LLVMValueRef in_row = LLVMBuildICmp(e->b, LLVMIntULE, end, e->size[0], "in.row");
  bool asked = false;
  for (unsigned k = 0; k < e->unit->regions.count; k++) asked |= e->plan->regions[k].uses_ids;
  return asked ? LLVMBuildAnd(e->b, full, in_row, "whole") : full;
}

static void read_sub_group(struct mpl_split *e) {
  static const char *const names[] = {"first.x", "first.y", "first.z"};
  LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(e->setup));
  mpl_read_group(e);
  e->first = unit_field(e, MPL_UNIT_FIRST, "first");
  for (unsigned d = 0; d < 3; d++) e->first_id[d] = unit_field(e, MPL_UNIT_X + d, names[d]);
  e->here = LLVMBuildZExt(e->b, unit_field(e, MPL_UNIT_HERE, ""), e->ir->i64, "here");
  e->is_whole = is_whole(e);
}

/* What the places of slots that all share are, for those who look at the loops later. */
static void mark_place(struct mpl_split *e, const struct mpl_slot *slot) {
  static const enum mpl_place_kind kinds[] = {
      [MPL_IN_VARIABLE] = MPL_PLACE_VALUE, [MPL_IN_SHARED] = MPL_PLACE_ARRAY,
      [MPL_IN_SCAN] = MPL_PLACE_SCAN,      [MPL_IN_SUM] = MPL_PLACE_SUM,
      [MPL_IN_VOTE] = MPL_PLACE_VOTE,
  };
  const struct mpl_collective *c = &slot->collective;
  struct mpl_shared_place place = {kinds[slot->storage], c->operation, c->is_signed};
  if (slot->storage == MPL_IN_VOTE)
    place.operation = slot->type == e->ir->i1 ? MPL_OP_or : MPL_OP_add;
  mpl_mark_shared_place(e->ir, e->places[slot->number], &place);
}

/* Those of sub-groups are in the work-group's scratch memory. */
static void make_places(struct mpl_split *e) {
  e->places = mpl_allocate(e->plan->num_slots, sizeof *e->places);
  LLVMPositionBuilderBefore(e->b, LLVMGetFirstInstruction(e->setup));
  for (unsigned h = 0; h < e->plan->num_slots && !e->unit->lanes; h++) {
    const struct mpl_slot *slot = e->plan->slots[h];
    if (slot->storage == MPL_IN_ITEMS || slot->storage == MPL_IN_NOWHERE) continue;
    e->places[h] =
        slot->storage == MPL_IN_SHARED ? slot->value : LLVMBuildAlloca(e->b, slot->type, "uniform");
    mark_place(e, slot);
  }
}

/* Work-item loops stay loops: a group is small, and a call of memset or memcpy for each pass over
 * it costs more than the pass.  Not for sub-groups: their loops are of constant length, and a
 * function with these attributes is not inlined into the driver, which has none. */
static void mark_function(LLVMValueRef function) {
  static const char *const names[] = {"no-builtin-memset", "no-builtin-memcpy", MPL_GROUP_FUNCTION};
  for (unsigned k = 0; k < sizeof names / sizeof *names; k++)
    mpl_set_attribute_value(function, names[k], "");
}

void mpl_emit_begin(struct mpl_split *e, const struct mpl_split_unit *unit) {
  *e = (struct mpl_split){.unit = unit,
                          .ir = unit->ir,
                          .b = LLVMCreateBuilderInContext(unit->ir->context),
                          .function = unit->function,
                          .setup = unit->setup};
  e->frames = mpl_allocate(2 * unit->regions.count, sizeof *e->frames);
  LLVMPositionBuilderBefore(e->b, LLVMGetBasicBlockTerminator(e->setup));
  if (!unit->lanes) mpl_read_group(e);
}

/* Loops count the ids now.  LLVM would drop the calls too, but not from what is compiled as it
 * stands, at -O0. */
static void erase_ids(LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (mpl_is_id(mpl_marker_of(i)) && !LLVMGetFirstUse(i)) LLVMInstructionEraseFromParent(i);
  }
}

void mpl_emit_split(struct mpl_split *e, const struct mpl_split_plan *plan) {
  e->plan = plan;
  if (e->unit->lanes) read_sub_group(e);
  make_places(e);
  mpl_build_frames(e);
  mpl_rewrite_values(e);
  mpl_connect_frames(e);
  if (!e->unit->lanes) mark_function(e->function);
  erase_ids(e->function);
  mpl_outline_regions(e);
}

void mpl_emit_end(struct mpl_split *e) {
  for (unsigned k = 0; k < e->unit->regions.count; k++)
    if (e->unit->regions.list[k].sync) LLVMDeleteInstruction(e->unit->regions.list[k].sync);
  free(e->frames);
  free(e->places);
  mpl_map_free(&e->copies);
  mpl_map_free(&e->bases);
  mpl_map_free(&e->combines);
  LLVMDisposeBuilder(e->b);
}

#include "markers.h"

#include <string.h>

const struct mpl_marker_row mpl_markers[] = {
    [MPL_NO_MARKER] = {.item_id = MPL_ITEM_NO_ID},
#define MPL_MARKER(id, name, match, kind, scope, result, own, in_place, does, item_id, filter, one) \
  [MPL_MARK_##id] = {name,                                                                         \
                     MPL_MATCH_##match,                                                            \
                     MPL_KIND_##kind,                                                              \
                     MPL_SCOPE_##scope,                                                            \
                     MPL_RESULT_##result,                                                          \
                     own,                                                                          \
                     in_place,                                                                     \
                     MPL_DOES_##does,                                                              \
                     MPL_ITEM_##item_id,                                                           \
                     MPL_FILTER_##filter,                                                          \
                     MPL_ONE_##one},
#include "tables/markers.def"
};

enum { COUNT = sizeof mpl_markers / sizeof *mpl_markers };

static enum mpl_marker find(const char *name) {
  for (unsigned m = 1; m < COUNT; m++) {
    const struct mpl_marker_row *row = &mpl_markers[m];
    if (row->match == MPL_MATCH_PREFIX ? !strncmp(name, row->name, strlen(row->name))
                                       : !strcmp(name, row->name))
      return m;
  }
  return MPL_NO_MARKER;
}

enum mpl_marker mpl_marker_of(LLVMValueRef instruction) {
  LLVMValueRef callee = mpl_callee_of(instruction);
  if (!callee || !LLVMIsDeclaration(callee)) return MPL_NO_MARKER;
  unsigned *note = mpl_ir_note(callee); /* the marker behind COUNT, once it is known */
  if (!*note) *note = COUNT + find(LLVMGetValueName(callee));
  return *note - COUNT;
}

LLVMValueRef mpl_build_marker(struct mpl_module_ir *ir, LLVMBuilderRef b, enum mpl_marker marker,
                              LLVMTypeRef result, LLVMValueRef *args, unsigned count) {
  return mpl_call_named(ir->module, b, mpl_markers[marker].name, result, args, count);
}

void mpl_build_stop(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef condition, LLVMValueRef group) {
  LLVMValueRef args[] = {[MPL_STOP_CONDITION] = condition, [MPL_STOP_GROUP] = group};
  mpl_build_marker(ir, b, MPL_MARK_FILTER_STOP, ir->void_type, args, MPL_STOP_OPERANDS);
}

LLVMValueRef mpl_combine_of(LLVMValueRef sync) {
  LLVMValueRef combine = LLVMGetOperand(sync, LLVMGetNumArgOperands(sync) - 1);
  while (LLVMIsAConstantExpr(combine)) combine = LLVMGetOperand(combine, 0);
  return combine;
}

LLVMValueRef mpl_parameter_of(struct mpl_module_ir *ir, const struct mpl_ir_kernel *kernel,
                              enum mpl_marker marker) {
  switch (marker) {
  case MPL_MARK_LAUNCH:
    return LLVMGetParam(kernel->group, 0);
  case MPL_MARK_GROUP:
    return LLVMGetParam(kernel->group, 1);
  case MPL_MARK_LANES_SIZE:
    return mpl_const32(ir, kernel->sub_group);
  default:
    return NULL;
  }
}

bool mpl_uses_lanes(LLVMValueRef function) {
  MPL_EACH_INSTRUCTION_OF(i, function) {
    if (mpl_marker_row(i)->scope == MPL_SCOPE_LANES) return true;
  }
  return false;
}

bool mpl_is_look(LLVMValueRef instruction) {
  enum mpl_marker marker = mpl_marker_of(instruction);
  return marker == MPL_MARK_FILTER || marker == MPL_MARK_FILTER_STOP ||
         marker == MPL_MARK_FILTER_LANES;
}

uint64_t mpl_filter_fences(struct mpl_module_ir *ir, LLVMValueRef sync) {
  return mpl_noted_number(ir, sync, MPL_FILTER_FENCES);
}

/* Pixels of all lanes by one call (builtins/image/image_pixel.h): in a program that accesses images in
 * many places the code for each layout of pixels stands in the function, not at each access. */
#include "values.h"

/* Whole registers, component behind component. */
static LLVMValueRef make_room(struct mpl_emit *e, LLVMTypeRef lane) {
  uint64_t bytes = (LLVMABISizeOfType(e->ir->layout, lane) * e->width + 63) / 64 * 64;
  return mpl_entry_alloca(e, LLVMArrayType2(e->ir->i8, bytes), "pixels");
}

static LLVMValueRef put_down(struct mpl_emit *e, LLVMValueRef operand) {
  LLVMValueRef room = make_room(e, LLVMTypeOf(operand));
  LLVMSetAlignment(LLVMBuildStore(e->b, mpl_vector(e, operand), room), 64);
  return room;
}

static LLVMValueRef active_lanes(struct mpl_emit *e) {
  if (!e->mask) return mpl_const64(e->ir, UINT64_MAX >> (64 - e->width));
  LLVMTypeRef bits = LLVMIntTypeInContext(e->ir->context, e->width);
  return LLVMBuildZExtOrBitCast(e->b, LLVMBuildBitCast(e->b, e->mask, bits, ""), e->ir->i64, "");
}

bool mpl_widen_pixel_call(struct mpl_emit *e, LLVMValueRef call) {
  if (!mpl_is_called_pixel(mpl_callee_of(call))) return false;
  LLVMValueRef image = LLVMGetOperand(call, 0);
  if (mpl_stride_at(e->lanes, image, mpl_cfg_block_of(e->items->cfg, call))) return false;
  bool writes = LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMVoidTypeKind;
  LLVMTypeRef type = LLVMTypeOf(writes ? LLVMGetOperand(call, 3) : call);
  LLVMValueRef args[] = {mpl_scalar(e, image),
                         put_down(e, LLVMGetOperand(call, 1)),
                         put_down(e, LLVMGetOperand(call, 2)),
                         active_lanes(e),
                         LLVMConstInt(e->ir->i32, e->width, false),
                         writes ? put_down(e, LLVMGetOperand(call, 3)) : make_room(e, type)};
  mpl_call(e->b, mpl_combine_of(call), e->ir->void_type, args, sizeof args / sizeof *args);
  if (writes) return true;
  LLVMValueRef read = mpl_aligned_load(e->b, mpl_vector_type(e, type), args[5], 64);
  mpl_map_set(&e->vectors, call, (uintptr_t)read);
  return true;
}

void mpl_end_pixel_calls(struct mpl_module_ir *ir) {
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!mpl_is_called_pixel(f)) continue;
    for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use)) {
      LLVMValueRef call = LLVMGetUser(use);
      unsigned last = LLVMGetNumArgOperands(call) - 1;
      LLVMSetOperand(call, last, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(call, last))));
    }
  }
}

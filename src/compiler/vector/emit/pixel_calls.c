/* Pixels of all lanes by one call (builtins/image/image_pixel.h): in a program that accesses images in
 * many places the code for each layout of pixels stands in the function, not at each access. */
#include "values.h"

static LLVMValueRef put_down(struct mpl_emit *e, LLVMValueRef operand) {
  return mpl_put_down(e, mpl_vector(e, operand), LLVMTypeOf(operand), "pixels");
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
                         mpl_active_lanes(e),
                         LLVMConstInt(e->ir->i32, e->width, false),
                         writes ? put_down(e, LLVMGetOperand(call, 3)) : mpl_lanes_room(e, type, "pixels")};
  mpl_call(e->b, mpl_combine_of(call), e->ir->void_type, args, sizeof args / sizeof *args);
  if (writes) return true;
  LLVMValueRef read = mpl_aligned_load(e->b, mpl_vector_type(e, type), args[5], 64);
  mpl_set_vector(e, call, read);
  return true;
}

bool mpl_end_pixel_calls(struct mpl_module_ir *ir) {
  bool any = false;
  MPL_EACH_FUNCTION(f, ir->module) {
    if (!mpl_is_called_pixel(f)) continue;
    MPL_EACH_USER(call, f) {
      unsigned last = LLVMGetNumArgOperands(call) - 1;
      LLVMSetOperand(call, last, LLVMConstNull(LLVMTypeOf(LLVMGetOperand(call, last))));
      any = true;
    }
  }
  return any;
}

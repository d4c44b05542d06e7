/* printf on a GPU: the packed arguments go into a ring of the launch (struct mpl_gpu_ring), which the
 * host prints when it has ended.  What begins behind the ring's end is lost: printf answers -1. */
#include <stddef.h>

#include "abi/gpu.h"
#include "compiler/analysis/markers.h"
#include "compiler/passes.h"

static LLVMValueRef field(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef base,
                          LLVMValueRef offset, uint64_t more) {
  return mpl_offset(ir, b, base, LLVMBuildAdd(b, offset, mpl_const64(ir, more), ""));
}

LLVMValueRef mpl_gpu_print(struct mpl_module_ir *ir, LLVMBuilderRef b, LLVMValueRef format,
                           LLVMValueRef args, uint64_t size) {
  LLVMValueRef launch = mpl_build_marker(ir, b, MPL_MARK_LAUNCH, ir->ptr, NULL, 0);
  LLVMValueRef ring = mpl_load_field(b, ir->launch_type, launch, MPL_LAUNCH_HOST, "ring");
  LLVMValueRef used = mpl_offset(ir, b, ring, mpl_const64(ir, offsetof(struct mpl_gpu_ring, used)));
  LLVMValueRef place =
      LLVMBuildAtomicRMW(b, LLVMAtomicRMWBinOpAdd, used, mpl_const64(ir, MPL_GPU_RECORD + size),
                         LLVMAtomicOrderingMonotonic, false);
  LLVMValueRef most = mpl_const64(ir, MPL_GPU_RING);
  LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntULT, place, most, "");
  LLVMValueRef in_ring = LLVMBuildSelect(b, fits, place, mpl_const64(ir, MPL_GPU_LOST), "");
  LLVMValueRef at =
      LLVMBuildAdd(b, in_ring, mpl_const64(ir, sizeof(struct mpl_gpu_ring)), "");
  format = LLVMBuildPtrToInt(b, format, ir->i64, "");
  LLVMBuildStore(b, format, field(ir, b, ring, at, 0));
  LLVMBuildStore(b, mpl_const64(ir, size), field(ir, b, ring, at, 8));
  if (size)
    LLVMBuildMemCpy(b, field(ir, b, ring, at, MPL_GPU_RECORD), 8, args, 8, mpl_const64(ir, size));
  return LLVMBuildSelect(b, fits, mpl_const32(ir, 0), mpl_const32(ir, ~0u), "");
}

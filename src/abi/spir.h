/* What the modules have in common that the passes take from either front end: clang, and the reader of
 * SPIR-V (src/spirv). */
#ifndef MPL_ABI_SPIR_H
#define MPL_ABI_SPIR_H

/* llvm::CallingConv::SPIR_KERNEL and PTX_Kernel, of which LLVM's C API has no names. */
enum { MPL_SPIR_KERNEL = 76, MPL_PTX_KERNEL = 71 };

#endif

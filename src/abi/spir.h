/* What the modules have in common that the passes take from either front end: clang, and the reader of
 * SPIR-V (src/spirv). */
#ifndef MPL_ABI_SPIR_H
#define MPL_ABI_SPIR_H

enum { MPL_SPIR_KERNEL = 76 }; /* llvm::CallingConv::SPIR_KERNEL, of which LLVM's C API has no name */

#endif

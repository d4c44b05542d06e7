// What LLVM leaves out in kernels, and in functions that are large (vector/plan/budget.c): passes that
// find little there, and take much of the time that building takes.
#ifndef MPL_COMPILER_LEFT_OUT_H
#define MPL_COMPILER_LEFT_OUT_H

#include <llvm/IR/PassInstrumentation.h>

void mpl_leave_out_passes(llvm::PassInstrumentationCallbacks &callbacks);

#endif

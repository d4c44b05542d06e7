// What LLVM leaves out in the functions that are large (budget.c): passes that find little there, and
// take much of the time that building takes.
#ifndef MPL_COMPILER_LARGE_H
#define MPL_COMPILER_LARGE_H

#include <llvm/IR/PassInstrumentation.h>

void mpl_leave_out_passes(llvm::PassInstrumentationCallbacks &callbacks);

#endif

// What the plugin has done with each loop of a program for a GPU (loops.cpp, products.cpp,
// strides.cpp).
#ifndef MPL_COMPILER_GPU_LOOPS_H
#define MPL_COMPILER_GPU_LOOPS_H

#include <llvm/Transforms/Scalar/LoopPassManager.h>

struct GpuLoopPass : llvm::PassInfoMixin<GpuLoopPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                              llvm::LoopStandardAnalysisResults &known, llvm::LPMUpdater &updater);
};

// Products that the iteration before has left are used (products.cpp).
struct GpuProductsPass : llvm::PassInfoMixin<GpuProductsPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                              llvm::LoopStandardAnalysisResults &known, llvm::LPMUpdater &updater);
};

// Loops that write between their reads get a copy for places that are apart; what it loads comes
// first in the end (early_loads.cpp).
struct GpuVersionPass : llvm::PassInfoMixin<GpuVersionPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};
struct GpuEarlyLoadsPass : llvm::PassInfoMixin<GpuEarlyLoadsPass> {
  llvm::PreservedAnalyses run(llvm::Function &function, llvm::FunctionAnalysisManager &manager);
};

// The last of loops, for a module that LLVM is done with (strides.cpp); the back end's strength
// reduction is to be off.
void mpl_gpu_reduce_loops(llvm::Module &module, llvm::ModuleAnalysisManager &manager);

#endif

// What the plugin has done with each loop of a program for a GPU (loops.cpp).
#ifndef MPL_COMPILER_GPU_LOOPS_H
#define MPL_COMPILER_GPU_LOOPS_H

#include <llvm/Transforms/Scalar/LoopPassManager.h>

struct GpuLoopPass : llvm::PassInfoMixin<GpuLoopPass> {
  llvm::PreservedAnalyses run(llvm::Loop &loop, llvm::LoopAnalysisManager &manager,
                              llvm::LoopStandardAnalysisResults &known, llvm::LPMUpdater &updater);
};

#endif

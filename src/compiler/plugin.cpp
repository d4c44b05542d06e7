// Where clang calls maniple's passes.
#include "plugin.h"

#include "gpu/loops.h"
#include "left_out.h"

#include <llvm/IR/Module.h>
#include <llvm/IR/PassInstrumentation.h>
#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Passes/PassPlugin.h>
#include <llvm/Transforms/Scalar/InferAddressSpaces.h>

using namespace llvm;

namespace {
struct ManiplePass : PassInfoMixin<ManiplePass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &) {
    mpl_permit_undefined(wrap(&module));
    if (mpl_compile_records(wrap(&module))) return PreservedAnalyses::none();
    if (!mpl_run_passes(wrap(&module))) exit(1); // what went wrong is said by now
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};

// Behind LLVM's passes.
struct BackEndPass : PassInfoMixin<BackEndPass> {
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &manager) {
    if (!Triple(module.getTargetTriple()).isNVPTX()) {
      mpl_tell_volatile(wrap(&module));
      mpl_load_lanes(wrap(&module));
      mpl_order_merges(wrap(&module));
      mpl_estimate_inverse_roots(wrap(&module));
      mpl_convert_rounded(wrap(&module));
      mpl_relieve_registers(wrap(&module));
      return PreservedAnalyses::none();
    }
    mpl_gpu_finish(wrap(&module));
    manager.invalidate(module, PreservedAnalyses::none());
    mpl_gpu_reduce_loops(module, manager);
    manager.invalidate(module, PreservedAnalyses::none());
    createModuleToFunctionPassAdaptor(InferAddressSpacesPass()).run(module, manager);
    createModuleToFunctionPassAdaptor(GpuEarlyLoadsPass()).run(module, manager);
    mpl_gpu_finish_numbers(wrap(&module));
    mpl_gpu_pad_constants(wrap(&module));
    return PreservedAnalyses::none();
  }
  static bool isRequired() { return true; }
};
} // namespace

extern "C" LLVM_ATTRIBUTE_VISIBILITY_DEFAULT PassPluginLibraryInfo llvmGetPassPluginInfo() {
  return {LLVM_PLUGIN_API_VERSION, "maniple", "1", [](PassBuilder &builder) {
            mpl_tell_read();
            builder.registerPipelineStartEPCallback(
                [](ModulePassManager &manager, OptimizationLevel) { manager.addPass(ManiplePass()); });
            builder.registerOptimizerLastEPCallback(
                // The rest: since LLVM 20 the phase of a link.
                [](ModulePassManager &manager, OptimizationLevel, auto...) { manager.addPass(BackEndPass()); });
            builder.registerLateLoopOptimizationsEPCallback(
                [](LoopPassManager &manager, OptimizationLevel) { manager.addPass(GpuLoopPass()); });
            builder.registerVectorizerStartEPCallback(
                [](FunctionPassManager &manager, OptimizationLevel) { manager.addPass(GpuVersionPass()); });
            // Bitcode is written as the front end made it, without the passes.
            PassInstrumentationCallbacks *callbacks = builder.getPassInstrumentationCallbacks();
            if (!callbacks) return;
            mpl_leave_out_passes(*callbacks);
            callbacks->registerBeforeNonSkippedPassCallback([](StringRef pass, Any ir) {
              const Module **module = any_cast<const Module *>(&ir);
              if (module && pass == "BitcodeWriterPass") mpl_mend_front_end(wrap(*module));
            });
          }};
}

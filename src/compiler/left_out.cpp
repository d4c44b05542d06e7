// Which passes of LLVM's a function has.
#include "left_out.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Module.h>
#include <llvm/TargetParser/Triple.h>

#include "plugin.h"

using namespace llvm;

namespace {
const struct {
  const char *pass, *of[3];
} kept[] = {
#define MPL_LEFT_OUT(pass, of_all, of_widened, of_large) {pass, {of_all, of_widened, of_large}},
#include "tables/left_out.def"
};

// What a pass is run on.
struct Subject {
  const void *key; // what counts its runs: the module, the function, or the loop's header
  const Module *module;
  unsigned column;
};

Subject place_of(Any ir) {
  if (const Module **module = any_cast<const Module *>(&ir)) return {*module, *module, 0};
  const void *key = nullptr;
  const Function *function = nullptr;
  if (const Function **is = any_cast<const Function *>(&ir)) {
    key = function = *is;
  } else if (const Loop **loop = any_cast<const Loop *>(&ir)) {
    key = (*loop)->getHeader();
    function = (*loop)->getHeader()->getParent();
  }
  if (!function) return {};
  unsigned column = function->hasFnAttribute(MPL_LARGE) ? 2 : function->hasFnAttribute(MPL_WIDENED);
  return {key, function->getParent(), column};
}

// Kernels only, for this processor: what a program in C or C++ has besides them is as clang has it, and a
// GPU's loops are scalar.
bool has_widened(const Module *module) {
  return mpl_is_opencl(wrap(module)) && !Triple(module->getTargetTriple()).isNVPTX();
}

bool is_to_run(StringRef pass, Any ir) {
  static DenseMap<std::pair<size_t, const void *>, size_t> counts;
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
    if (pass != kept[k].pass) continue;
    Subject at = place_of(ir);
    if (!at.key || !(at.column == 2 || has_widened(at.module))) return true;
    StringRef runs = kept[k].of[at.column];
    return runs[std::min(counts[{k, at.key}]++, runs.size() - 1)] == 'y';
  }
  return true;
}
} // namespace

void mpl_leave_out_passes(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(is_to_run);
}

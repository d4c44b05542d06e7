// Which passes of LLVM's a function has.
#include "left_out.h"

#include <llvm/ADT/StringMap.h>
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
  StringRef name; // of the function; empty: the module
  const Module *module;
  unsigned column;
};

Subject place_of(Any ir) {
  if (const Module **module = any_cast<const Module *>(&ir)) return {"", *module, 0};
  const Function *function = nullptr;
  if (const Function **is = any_cast<const Function *>(&ir))
    function = *is;
  else if (const Loop **loop = any_cast<const Loop *>(&ir))
    function = (*loop)->getHeader()->getParent();
  if (!function) return {};
  unsigned column = function->hasFnAttribute(MPL_LARGE) ? 2 : function->hasFnAttribute(MPL_WIDENED);
  return {function->getName(), function->getParent(), column};
}

// Kernels only, for this processor: what a program in C or C++ has besides them is as clang has it, and a
// GPU's loops are scalar.
bool has_widened(const Module *module) {
  return mpl_is_opencl(wrap(module)) && !Triple(module->getTargetTriple()).isNVPTX();
}

// Runs are counted by name: a function may lie where one was that is gone, in some builds and not in others.
bool is_to_run(StringRef pass, Any ir) {
  static StringMap<size_t> counts[std::size(kept)];
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
    if (pass != kept[k].pass) continue;
    Subject at = place_of(ir);
    if (!at.module || !(at.column == 2 || has_widened(at.module))) return true;
    StringRef runs = kept[k].of[at.column];
    return runs[std::min(counts[k][at.name]++, runs.size() - 1)] == 'y';
  }
  return true;
}
} // namespace

void mpl_leave_out_passes(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(is_to_run);
}

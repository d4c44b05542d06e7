// Which passes of LLVM's a large function has.
#include "large.h"

#include <llvm/ADT/DenseMap.h>
#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Function.h>

#include "plugin.h"

using namespace llvm;

namespace {
const struct {
  const char *pass, *runs;
} kept[] = {
#define MPL_IN_LARGE(pass, runs) {pass, runs},
#include "tables/in_large.def"
};

// The function that it is run on, and what counts its runs: the function, or the loop's header.
const Function *function_of(Any ir, const void **key) {
  if (const Function **function = any_cast<const Function *>(&ir)) {
    *key = *function;
    return *function;
  }
  const Loop **loop = any_cast<const Loop *>(&ir);
  if (!loop) return nullptr;
  *key = (*loop)->getHeader();
  return (*loop)->getHeader()->getParent();
}

bool is_to_run(StringRef pass, Any ir) {
  static DenseMap<std::pair<size_t, const void *>, size_t> counts;
  for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
    if (pass != kept[k].pass) continue;
    const void *key = nullptr;
    const Function *function = function_of(ir, &key);
    if (!function || !function->hasFnAttribute(MPL_LARGE)) return true;
    StringRef runs = kept[k].runs;
    return runs[std::min(counts[{k, key}]++, runs.size() - 1)] == 'y';
  }
  return true;
}
} // namespace

void mpl_leave_out_passes(PassInstrumentationCallbacks &callbacks) {
  callbacks.registerShouldRunOptionalPassCallback(is_to_run);
}

#include "instruction_set.h"

#include <string.h>
#include <sys/utsname.h>

#include "abi/x86_64_level.h"
#include "compiler/analysis/ir.h"
#include "compiler/analysis/target.h"
#include "maniple/kernel.h"

bool mpl_is_own_target(LLVMModuleRef module) {
  struct utsname own;
  const char *target = LLVMGetTarget(module);
  return !uname(&own) && !strncmp(target, own.machine, strlen(own.machine));
}

uint32_t mpl_choose_instruction_set(LLVMModuleRef module) {
  unsigned level = mpl_x86_64_level();
  bool chosen = false;
  if (level < 2) return 0;
  MPL_EACH_FUNCTION(f, module) chosen |= !LLVMIsDeclaration(f) && mpl_target_raise(f, level);
  return chosen ? level << MPL_RECORD_LEVEL_SHIFT : 0;
}

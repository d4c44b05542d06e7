#include "instruction_set.h"

#include <llvm-c/TargetMachine.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include "abi/x86_64_level.h"
#include "compiler/analysis/ir.h"
#include "maniple/kernel.h"

bool mpl_is_own_target(LLVMModuleRef module) {
  struct utsname own;
  const char *target = LLVMGetTarget(module);
  return !uname(&own) && !strncmp(target, own.machine, strlen(own.machine));
}

#ifdef __x86_64__

/* What clang's -march=x86-64-v2 to -v4 turn on, beside what all x86-64 processors have. */
#define BASE "+cmov,+cx8,+fxsr,+mmx,+sse,+sse2,+x87"
#define V2   BASE ",+crc32,+cx16,+popcnt,+sahf,+sse3,+sse4.1,+sse4.2,+ssse3"
#define V3   V2 ",+avx,+avx2,+bmi,+bmi2,+f16c,+fma,+lzcnt,+movbe,+xsave"
#define V4   V3 ",+avx512bw,+avx512cd,+avx512dq,+avx512f,+avx512vl,+evex512"

static const struct {
  const char *name, *features;
} levels[] = {
    {"x86-64", BASE}, {"x86-64", BASE}, {"x86-64-v2", V2}, {"x86-64-v3", V3}, {"x86-64-v4", V4}};

uint32_t mpl_choose_instruction_set(LLVMModuleRef module) {
  unsigned level = mpl_x86_64_level();
  bool chosen = false;
  if (level < 2) return 0;
  char *own = LLVMGetHostCPUName();
  MPL_EACH_FUNCTION(f, module) {
    if (LLVMIsDeclaration(f) || strcmp(mpl_attribute_value(f, "target-cpu"), "x86-64")) continue;
    chosen = true;
    mpl_set_attribute_value(f, "target-cpu", levels[level].name);
    mpl_set_attribute_value(f, "target-features", levels[level].features);
    mpl_set_attribute_value(f, "tune-cpu", own);
  }
  LLVMDisposeMessage(own);
  return chosen ? level << MPL_RECORD_LEVEL_SHIFT : 0;
}

#else

uint32_t mpl_choose_instruction_set(LLVMModuleRef module) {
  return 0;
}

#endif

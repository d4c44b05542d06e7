/* Which row of tables/targets.def a function is for, by what clang writes into functions: the
 * options of each row lead to that row, and some processors to theirs. targets CLANG */
#include <llvm-c/IRReader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "compiler/analysis/ir.h"
#include "compiler/analysis/target.h"

static int failures;

/* Of what target.c takes from ir.c and shim.cpp. */
const char *mpl_attribute_value(LLVMValueRef function, const char *name) {
  unsigned length;
  LLVMAttributeRef found = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name,
                                                         (unsigned)strlen(name));
  return found ? LLVMGetStringAttributeValue(found, &length) : "";
}
void mpl_set_attribute_value(LLVMValueRef function, const char *name, const char *value) {
  LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(function));
  LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                          LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), value,
                                                    (unsigned)strlen(value)));
}
/* LLVM's answer, as its tables of tunings have it for the processors below. */
bool mpl_ir_gathers(LLVMValueRef function) {
  const char *tuning = mpl_attribute_value(function, "tune-cpu");
  if (!*tuning) tuning = mpl_attribute_value(function, "target-cpu");
  return !strcmp(tuning, "skylake") || !strcmp(tuning, "alderlake");
}

static LLVMModuleRef compile(LLVMContextRef context, const char *clang, const char *options) {
  char command[1024], *problem = NULL;
  static char text[1 << 20];
  snprintf(command, sizeof command,
           "echo 'void f(void) {}' | %s --target=x86_64-linux-gnu %s -x c - -S -emit-llvm -o -",
           clang, options);
  FILE *pipe = popen(command, "r");
  if (!pipe) return NULL;
  size_t size = fread(text, 1, sizeof text - 1, pipe);
  text[size] = 0;
  if (pclose(pipe)) return NULL;
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(text, size, "f");
  LLVMModuleRef module = NULL;
  if (LLVMParseIRInContext(context, buffer, &module, &problem)) puts(problem);
  return module;
}

static void expect(const char *name, const char *options, const char *got) {
  if (!strcmp(name, got)) return;
  printf("'%s' is for %s, and taken to be for %s\n", options, name, got);
  failures++;
}

static void check(LLVMContextRef context, const char *clang, const char *name,
                  const char *options) {
  LLVMModuleRef module = compile(context, clang, options);
  LLVMValueRef model = module ? mpl_target_model(module) : NULL;
  expect(name, options, model ? mpl_target_of(model)->name : "nothing: clang failed");
  if (module) LLVMDisposeModule(module);
}

static void check_levels(LLVMContextRef context, const char *clang) {
  static const char *const names[] = {"sse4.2", "sse4.2", "avx2", "avx512"};
  LLVMModuleRef module = compile(context, clang, "-mtune=generic");
  LLVMValueRef f = mpl_target_model(module);
  for (unsigned level = 1; level <= 4; level++) {
    char options[64];
    snprintf(options, sizeof options, level > 1 ? "-march=x86-64-v%u" : "-march=x86-64", level);
    LLVMModuleRef same = compile(context, clang, options);
    mpl_set_attribute_value(f, "target-cpu", "x86-64");
    if (!mpl_target_raise(f, level)) expect("raised", options, "not raised");
    mpl_set_attribute_value(f, "tune-cpu", "generic");
    expect(names[level - 1], options, mpl_target_of(f)->name);
    /* All that clang turns on, but for what only the system decides. */
    const char *features = mpl_attribute_value(f, "target-features");
    char *wanted = strdup(mpl_attribute_value(mpl_target_model(same), "target-features"));
    for (char *word = strtok(wanted, ","); word; word = strtok(NULL, ","))
      if (!strstr(features, word)) expect(word, options, "without it");
    free(wanted);
    LLVMDisposeModule(same);
  }
  if (mpl_target_raise(f, 4)) expect("kept", "what is for a level already", "raised");
  LLVMDisposeModule(module);
}

int main(int argc, char **argv) {
  if (argc != 2) return 2;
  LLVMContextRef context = LLVMContextCreate();
#define MPL_TARGET(id, name, processor, features, gathering, abi, bytes, count, unit, bits,        \
                   gathered, scattered, masked, interleaved, every_second, counted, options, what) \
  if (*options) check(context, argv[1], name, options);
#include "tables/targets.def"
  check(context, argv[1], "sse4.2", "-march=x86-64");
  check(context, argv[1], "avx2", "-march=sandybridge");
  check(context, argv[1], "avx2", "-march=haswell");
  check(context, argv[1], "avx2", "-march=znver3");
  check(context, argv[1], "avx2-gather", "-march=alderlake");
  check(context, argv[1], "zen4", "-march=znver4");
  check(context, argv[1], "avx512", "-march=sapphirerapids");
  check(context, argv[1], "avx512-slow-gather", "-march=skylake-avx512");
  check(context, argv[1], "avx512-slow-gather", "-march=icelake-server");
  check(context, argv[1], "avx2-gather", "-march=skylake");
  check(context, argv[1], "avx512-256", "-march=sapphirerapids -mprefer-vector-width=256");
  check(context, argv[1], "avx512", "-march=knl -mprefer-vector-width=256");
  check(context, argv[1], "avx2", "-march=sapphirerapids -mno-evex512");
  check(context, argv[1], "avx512", "-march=sapphirerapids -mprefer-vector-width=512");
  check(context, argv[1], "avx2-gather", "-march=skylake -mprefer-vector-width=256");
#define AARCH64 "--target=aarch64-linux-gnu -mcpu="
  check(context, argv[1], "neon", AARCH64 "cortex-a72");
  check(context, argv[1], "neon", AARCH64 "neoverse-v1");
  check(context, argv[1], "neon", AARCH64 "neoverse-v1 -msve-vector-bits=512");
  check(context, argv[1], "sve256", AARCH64 "neoverse-v1 -msve-vector-bits=256");
  check(context, argv[1], "sve128", AARCH64 "neoverse-v2 -msve-vector-bits=128");
  expect("sse4.2", "nothing", mpl_target_of(NULL)->name);
  check_levels(context, argv[1]);
  LLVMContextDispose(context);
  return failures != 0;
}

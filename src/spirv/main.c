/* The tool that makes LLVM bitcode of a SPIR-V module, as clang makes it of OpenCL C.
 *
 *   spirv-reader LACKS TARGET ROUNDED [lines] [NUMBER=BITS]... < module > bitcode
 *     LACKS        what the device does not have, of enum mpl_offer
 *     TARGET       a GPU's (MPL_NVPTX, abi/gpu.h); "host": this processor; else a file: bitcode that
 *                  clang has made for another processor, whose first function is for it
 *     ROUNDED      1: as with -cl-fp32-correctly-rounded-divide-sqrt
 *     lines        instructions have places in the source (lines.c)
 *     NUMBER=BITS  a specialisation constant, its bits in hexadecimal
 *
 * What is wrong goes to standard error, one sentence, and the exit status is 1. */
#include <errno.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "abi/gpu.h"
#include "builtins/archive.h"
#include "read.h"

static void *read_input(size_t *size) {
  size_t room = 1 << 16, got;
  char *data = mpl_spirv_allocate(room, 1);
  *size = 0;
  while ((got = fread(data + *size, 1, room - *size, stdin)) > 0) {
    *size += got;
    if (*size < room) continue;
    data = realloc(data, room *= 2);
    if (!data) mpl_spirv_fail("out of memory");
  }
  return data;
}

static char vector_abi(const char *features) {
  if (strstr(features, "+avx512f") && strstr(features, "+evex512")) return MPL_ARCHIVE_512;
  return strstr(features, "+avx,") || strstr(features, "+avx2") ? MPL_ARCHIVE_256 : MPL_ARCHIVE_128;
}

/* The processor's, as clang's -march=native has them. */
static char *choose_host(mpl_spirv r) {
  LLVMInitializeNativeTarget();
  r->cpu = LLVMGetHostCPUName();
  r->features = LLVMGetHostCPUFeatures();
  r->vector_abi = vector_abi(r->features);
  return LLVMGetDefaultTargetTriple();
}

static const char *attribute_text(LLVMValueRef function, const char *name) {
  unsigned length;
  LLVMAttributeRef text = LLVMGetStringAttributeAtIndex(function, LLVMAttributeFunctionIndex, name,
                                                        (unsigned)strlen(name));
  return text ? LLVMGetStringAttributeValue(text, &length) : "";
}

static char *choose_as_model(mpl_spirv r, const char *path) {
  LLVMMemoryBufferRef file;
  LLVMModuleRef module;
  char *problem;
  if (LLVMCreateMemoryBufferWithContentsOfFile(path, &file, &problem))
    mpl_spirv_fail("there is no target '%s': %s", path, problem);
  if (LLVMParseBitcodeInContext2(r->context, file, &module) || !LLVMGetFirstFunction(module))
    mpl_spirv_fail("no function in '%s' names its processor", path);
  LLVMInitializeNativeTarget();
  LLVMValueRef model =
      LLVMGetFirstFunction(module); /* its attributes live as long as the context */
  r->cpu = attribute_text(model, "target-cpu");
  r->features = attribute_text(model, "target-features");
  r->vector_abi = vector_abi(r->features);
  char *triple = LLVMCreateMessage(LLVMGetTarget(module));
  LLVMDisposeModule(module);
  LLVMDisposeMemoryBuffer(file);
  return triple;
}

static char *choose_gpu(mpl_spirv r, const char *chip, const char *version) {
  static char features[80], cpu[32];
  LLVMInitializeNVPTXTargetInfo();
  LLVMInitializeNVPTXTarget();
  LLVMInitializeNVPTXTargetMC();
  snprintf(cpu, sizeof cpu, "%s", chip);
  snprintf(features, sizeof features, "+%s,+%s", version, chip);
  r->cpu = cpu;
  r->features = features;
  r->vector_abi = MPL_ARCHIVE_NVPTX;
  return LLVMCreateMessage("nvptx64-nvidia-cuda");
}

static void set_target(mpl_spirv r, const char *name) {
  char *triple, *problem, chip[32], version[32];
  LLVMTargetRef target;
  if (!strcmp(name, "host"))
    triple = choose_host(r);
  else if (sscanf(name, MPL_NVPTX "%31s %31s", chip, version) == 2)
    triple = choose_gpu(r, chip, version);
  else
    triple = choose_as_model(r, name);
  if (LLVMGetTargetFromTriple(triple, &target, &problem)) mpl_spirv_fail("%s", problem);
  LLVMTargetMachineRef machine =
      LLVMCreateTargetMachine(target, triple, r->cpu, r->features, LLVMCodeGenLevelDefault,
                              LLVMRelocPIC, LLVMCodeModelDefault);
  r->layout = LLVMCreateTargetDataLayout(machine);
  LLVMSetTarget(r->module, triple);
  LLVMSetModuleDataLayout(r->module, r->layout);
  LLVMDisposeTargetMachine(machine);
}

static void read_arguments(mpl_spirv r, int argc, char **argv) {
  struct mpl_spirv_specialization *list = mpl_spirv_allocate((size_t)argc, sizeof *list);
  if (argc < 4) mpl_spirv_fail("the reader was called without arguments");
  r->lacks = (uint32_t)strtoul(argv[1], NULL, 10);
  r->rounded = !strcmp(argv[3], "1");
  r->lines.wanted = argc > 4 && !strcmp(argv[4], "lines");
  int first = r->lines.wanted ? 5 : 4;
  for (int i = first; i < argc; i++) {
    char *equals;
    list[i - first].number = (uint32_t)strtoul(argv[i], &equals, 10);
    if (*equals != '=') mpl_spirv_fail("unknown argument '%s'", argv[i]);
    list[i - first].bits = strtoull(equals + 1, NULL, 16);
  }
  r->specializations = list;
  r->num_specializations = (unsigned)(argc - first);
}

/* Copies of built-in variables go, and what nobody reads of them: the compiler's passes see which
 * ids a kernel asks for. */
static void simplify(mpl_spirv r) {
  LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
  LLVMErrorRef error = LLVMRunPasses(r->module, "function(sroa,early-cse,adce)", NULL, options);
  if (error) mpl_spirv_fail("%s", LLVMGetErrorMessage(error));
  LLVMDisposePassBuilderOptions(options);
}

int main(int argc, char **argv) {
  struct mpl_spirv_reader reader = {.context = LLVMContextCreate()};
  size_t size;
  const char *why;
  void *data = read_input(&size);
  uint32_t *words = mpl_spirv_copy(data, size, &why);
  if (!words) mpl_spirv_fail("%s", why ? why : "out of memory");
  mpl_spirv_open(&reader.binary, words, size / sizeof *words);
  read_arguments(&reader, argc, argv);
  reader.module = LLVMModuleCreateWithNameInContext("SPIR-V", reader.context);
  set_target(&reader, argv[2]);
  mpl_spirv_read(&reader);
  simplify(&reader);
  LLVMMemoryBufferRef bitcode = LLVMWriteBitcodeToMemoryBuffer(reader.module);
  size_t length = LLVMGetBufferSize(bitcode);
  if (fwrite(LLVMGetBufferStart(bitcode), 1, length, stdout) != length || fflush(stdout))
    mpl_spirv_fail("the bitcode cannot be written: %s", strerror(errno));
  return 0;
}

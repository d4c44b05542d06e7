/* What only helps a compiler or another sort of device is taken out of modules before the validator
 * sees it (src/spirv/hints.h); what remains gives the same values.  An extension that nobody knows
 * is named, whatever the validator would say of it. */
#include "assemble.h"

#define HEAD "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\n"

/* out[i] is twice out[i] + i, four times over. */
#define TYPES                                                                                      \
  "%void = OpTypeVoid\n%bool = OpTypeBool\n%int = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n"        \
  "%float = OpTypeFloat 32\n%int_0 = OpConstant %int 0\n%int_1 = OpConstant %int 1\n"              \
  "%int_4 = OpConstant %int 4\n%long_4 = OpConstant %long 4\n"                                     \
  "%long3 = OpTypeVector %long 3\n%input = OpTypePointer Input %long3\n"                           \
  "%pointer = OpTypePointer CrossWorkgroup %int\n%place = OpTypePointer Function %int\n"           \
  "%type = OpTypeFunction %void %pointer\n%ids = OpVariable %input Input\n"
#define BEGIN                                                                                      \
  "%out = OpFunctionParameter %pointer\n%begin = OpLabel\n"                                        \
  "%a = OpVariable %place Function\n%b = OpVariable %place Function\n"                             \
  "%all = OpLoad %long3 %ids\n%id = OpCompositeExtract %long %all 0\n"                             \
  "%i = OpUConvert %int %id\n%at = OpInBoundsPtrAccessChain %pointer %out %id\n"

static const char aliasing[] =
    HEAD "OpCapability MemoryAccessAliasingINTEL\n"
         "OpExtension \"SPV_INTEL_memory_access_aliasing\"\n"
         "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %ids\n"
         "%text = OpString \"domain\"\nOpName %list \"list\"\nOpName %scope \"scope\"\n"
         "OpDecorate %ids BuiltIn GlobalInvocationId\nOpDecorateId %call AliasScopeINTEL %list\n"
         "%domain = OpAliasDomainDeclINTEL %text\n%scope = OpAliasScopeDeclINTEL %domain\n"
         "%list = OpAliasScopeListDeclINTEL %scope\n%none = OpAliasScopeListDeclINTEL\n" TYPES
         "%k = OpFunction %void None %type\n" BEGIN
         "%call = OpLoad %int %at Aligned|AliasScopeINTELMask|NoAliasINTELMask 4 %list %none\n"
         "OpStore %a %call AliasScopeINTELMask %list\n"
         "OpCopyMemory %b %a Aligned|AliasScopeINTELMask 4 %list Aligned|NoAliasINTELMask 4 %none\n"
         "OpCopyMemorySized %a %b %long_4 Volatile|Aligned|NoAliasINTELMask 4 %list\n"
         "%old = OpLoad %int %a Nontemporal|Aligned 4\n%sum = OpIAdd %int %old %i\n"
         "%two = OpIAdd %int %sum %sum\nOpStore %at %two Aligned|NoAliasINTELMask 4 %list\n"
         "OpReturn\nOpFunctionEnd\n";

/* The format is a pointer to an array; nothing is printed, and the result is 0. */
static const char formats[] =
    HEAD "OpCapability Int8\n%std = OpExtInstImport \"OpenCL.std\"\n"
         "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %ids\n"
         "OpDecorate %ids BuiltIn GlobalInvocationId\nOpDecorate %format Constant\n" TYPES
         "%char = OpTypeInt 8 0\n%char_0 = OpConstant %char 0\n"
         "%chars = OpTypeArray %char %long_4\n%string = OpTypePointer UniformConstant %chars\n"
         "%empty = OpConstantComposite %chars %char_0 %char_0 %char_0 %char_0\n"
         "%format = OpVariable %string UniformConstant %empty\n"
         "%k = OpFunction %void None %type\n" BEGIN
         "%printed = OpExtInst %int %std printf %format %i %i\n"
         "%old = OpLoad %int %at Aligned 4\n%both = OpIAdd %int %old %printed\n"
         "%sum = OpIAdd %int %both %i\n%two = OpIAdd %int %sum %sum\n"
         "OpStore %at %two Aligned 4\nOpReturn\nOpFunctionEnd\n";

static const char loops[] =
    HEAD "OpCapability FPGALoopControlsINTEL\nOpCapability UnstructuredLoopControlsINTEL\n"
         "OpCapability OptNoneINTEL\nOpCapability KernelAttributesINTEL\n"
         "OpCapability FPGAKernelAttributesINTEL\n"
         "OpExtension \"SPV_INTEL_fpga_loop_controls\"\nOpExtension \"SPV_INTEL_optnone\"\n"
         "OpExtension \"SPV_INTEL_unstructured_loop_controls\"\n"
         "OpExtension \"SPV_INTEL_kernel_attributes\"\n"
         "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %ids\n"
         "OpExecutionMode %k MaxWorkgroupSizeINTEL 64 1 1\n"
         "OpExecutionMode %k SchedulerTargetFmaxMhzINTEL 300\n"
         "OpDecorate %ids BuiltIn GlobalInvocationId\n" TYPES
         "%k = OpFunction %void OptNoneINTEL|DontInline %type\n" BEGIN
         "%first = OpLoad %int %at Aligned 4\nOpStore %a %first\nOpBranch %loop\n"
         "%loop = OpLabel\n%n = OpPhi %int %int_0 %begin %next %body\n"
         "OpLoopMerge %end %body DependencyLength|PartialCount|InitiationIntervalINTEL|"
         "MaxConcurrencyINTEL 4 2 1 8\nOpBranch %body\n"
         "%body = OpLabel\n%old = OpLoad %int %a\n%next = OpIAdd %int %n %int_1\n"
         "%one = OpISub %int %next %n\n%same = OpIMul %int %old %one\nOpStore %a %same\n"
         "%more = OpULessThan %bool %next %int_4\n"
         "OpBranchConditional %more %loop %end\n%end = OpLabel\n"
         "%last = OpLoad %int %a\n%sum = OpIAdd %int %last %i\n"
         "%two = OpIAdd %int %sum %sum\nOpStore %at %two Aligned 4\n"
         "OpLoopControlINTEL 1\nOpBranch %out_of_here\n%out_of_here = OpLabel\n"
         "OpReturn\nOpFunctionEnd\n";

/* Of younger extensions spirv-as has no names: 6441 to 6443 are caches' (a word with ! is itself),
 * 6169 and 6170 errors of functions. */
static const char numbers[] = HEAD
    "OpCapability FPFastMathModeINTEL\n!0x00020011 !6441\n!0x00020011 !6169\n"
    "OpExtension \"SPV_INTEL_fp_fast_math_mode\"\nOpExtension \"SPV_INTEL_cache_controls\"\n"
    "OpExtension \"SPV_INTEL_fp_max_error\"\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %ids\n"
    "OpDecorate %sum FPFastMathMode AllowContractFastINTEL|AllowReassocINTEL|NotNaN\n"
    "!0x00050047 %at !6442 !0 !1\n!0x00050047 %at !6443 !0 !3\n!0x00040047 %sum !6170 !0x40800000\n"
    "OpDecorate %ids BuiltIn GlobalInvocationId\n" TYPES "%k = OpFunction %void None %type\n" BEGIN
    "%old = OpLoad %int %at Aligned 4\n%x = OpConvertUToF %float %old\n"
    "%y = OpConvertUToF %float %i\n%sum = OpFAdd %float %x %y\n"
    "%whole = OpConvertFToU %int %sum\n%two = OpIAdd %int %whole %whole\n"
    "OpStore %at %two Aligned 4\nOpReturn\nOpFunctionEnd\n";

/* Instructions of extensions that validators do not know, by number. */
static const char others[] = HEAD
    "OpCapability Int16\n!0x00020011 !6141\n!0x00020011 !6144\n!0x00020011 !5935\n"
    "!0x00020011 !6115\n!0x00020011 !5817\n!0x00020011 !4466\n!0x00020011 !5821\n"
    "OpExtension \"SPV_INTEL_split_barrier\"\nOpExtension \"SPV_EXT_arithmetic_fence\"\n"
    "OpExtension \"SPV_INTEL_usm_storage_classes\"\nOpExtension \"SPV_INTEL_bfloat16_conversion\"\n"
    "OpExtension \"SPV_INTEL_variable_length_array\"\nOpExtension \"SPV_KHR_float_controls\"\n"
    "OpExtension \"SPV_INTEL_float_controls2\"\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %ids\n"
    "OpExecutionMode %k ContractionOff\n!0x00040010 %k !4461 !32\n" /* SignedZeroInfNanPreserve */
    "OpDecorate %length SpecId 1\n"
    "!0x00050047 %k !5822 !32 !0\n" /* FunctionRoundingModeINTEL: to the nearest */
    "OpDecorate %ids BuiltIn GlobalInvocationId\n" TYPES
    "%short = OpTypeInt 16 0\n!0x00040020 %only !5936 %int\n" /* a pointer to DeviceOnlyINTEL */
    "%length = OpSpecConstant %int 4\n%int_2 = OpConstant %int 2\n%float_3 = OpConstant %float 3\n"
    "%acquire = OpConstant %int 0x202\n%release = OpConstant %int 0x204\n"
    "%k = OpFunction %void None %type\n" BEGIN "%x = OpConvertUToF %float %i\n"
    "!0x000416ba %place %array %length\n" /* VariableLengthArrayINTEL */
    "%last = OpInBoundsPtrAccessChain %place %array %int_1\n"
    "%device = OpBitcast %only %at\n"
    "!0x0004172e %pointer %again %device\n" /* PtrCastToCrossWorkgroupINTEL */
    "%old = OpLoad %int %again Aligned 4\n"
    "!0x000417fe %int_2 %int_2 %release\n" /* ControlBarrierArriveINTEL */
    "OpStore %last %old Aligned 4\n"
    "!0x000417ff %int_2 %int_2 %acquire\n" /* ControlBarrierWaitINTEL */
    "!0x00041801 %float %fenced %x\n"   /* ArithmeticFenceEXT */
    "!0x000417e4 %short %small %fenced\n" /* ConvertFToBF16INTEL: numbers below 64 are whole */
    "!0x000417e5 %float %large %small\n"  /* ConvertBF16ToFINTEL */
    "%whole = OpConvertFToU %int %large\n%first = OpLoad %int %last\n"
    "%sum = OpIAdd %int %first %whole\n%two = OpIAdd %int %sum %sum\n"
    "OpStore %at %two Aligned 4\nOpReturn\nOpFunctionEnd\n";

static void test_values(const char *text) {
  enum { COUNT = 64 };
  cl_int error, values[COUNT];
  cl_program program = il_build("1.4", text);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  CHECK(kernel);
  if (!kernel) return;
  for (int i = 0; i < COUNT; i++) values[i] = 3 * i + 1;
  run_on(kernel, values, COUNT, COUNT);
  for (int i = 0; i < COUNT; i++) CHECK(values[i] == 2 * (4 * i + 1));
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

/* out[i] as a float is made a bfloat16: to the nearest, the even one of two, and NaN stays one. */
static void test_bfloat(void) {
  static const char text[] = HEAD
      "OpCapability Int16\n!0x00020011 !6115\nOpExtension \"SPV_INTEL_bfloat16_conversion\"\n"
      "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %ids\n"
      "OpDecorate %ids BuiltIn GlobalInvocationId\n" TYPES
      "%short = OpTypeInt 16 0\n%k = OpFunction %void None %type\n" BEGIN
      "%old = OpLoad %int %at Aligned 4\n%x = OpBitcast %float %old\n"
      "!0x000417e4 %short %small %x\n%wide = OpUConvert %int %small\n"
      "OpStore %at %wide Aligned 4\nOpReturn\nOpFunctionEnd\n";
  static const struct {
    unsigned bits, rounded;
  } rows[] = {{0x3f800000, 0x3f80}, {0x3f808000, 0x3f80}, {0x3f808001, 0x3f81},
              {0x3f818000, 0x3f82}, {0x3f817fff, 0x3f81}, {0x7f800001, 0x7fc0},
              {0x7fffffff, 0x7fff}, {0xff7fffff, 0xff80}, {0x00000001, 0x0000},
              {0x80000000, 0x8000}, {0x7f800000, 0x7f80}, {0x00018000, 0x0002}};
  enum { COUNT = sizeof rows / sizeof *rows };
  cl_int error, values[COUNT];
  cl_program program = il_build("1.4", text);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  CHECK(kernel);
  if (!kernel) return;
  for (int i = 0; i < COUNT; i++) values[i] = (cl_int)rows[i].bits;
  run_on(kernel, values, COUNT, COUNT);
  for (int i = 0; i < COUNT; i++) CHECK((unsigned)values[i] == rows[i].rounded);
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

/* Each is refused; the log has the first word, and not the second. */
static void test_refused(void) {
  static const struct {
    const char *word, *not, *text;
  } rows[] = {
      {"SPV_INTEL_of_tomorrow", "error:", /* the number is no instruction that anybody knows */
       HEAD "OpExtension \"SPV_INTEL_of_tomorrow\"\nOpMemoryModel Physical64 OpenCL\n"
            "!0x00027d00 !7\n"},
      {"a newer one takes it", "SPV_",
       HEAD "OpMemoryModel Physical64 OpenCL\n%1 = OpTypeVoid\n"
            "%2 = OpTypeFunction %1 %3\n"},
      {"length is no constant", "spirv-val",
       HEAD "!0x00020011 !5817\nOpExtension \"SPV_INTEL_variable_length_array\"\n"
            "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %ids\n"
            "OpDecorate %ids BuiltIn GlobalInvocationId\n" TYPES
            "%k = OpFunction %void None %type\n" BEGIN "%x = OpConvertUToF %float %i\n"
            "!0x000416ba %place %array %i\nOpStore %array %i\nOpReturn\nOpFunctionEnd\n"},
      {"FunctionDenormModeINTEL", "SPV_", /* to 0 */
       HEAD "!0x00020011 !5821\nOpExtension \"SPV_INTEL_float_controls2\"\n"
            "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %ids\n"
            "OpDecorate %ids BuiltIn GlobalInvocationId\n!0x00050047 %k !5823 !32 !1\n" TYPES
            "%k = OpFunction %void None %type\n" BEGIN "OpReturn\nOpFunctionEnd\n"},
      {"spirv-val (SPIRV-Tools v", "unknown hash",
       HEAD "OpMemoryModel Physical64 OpenCL\n%1 = OpTypeVoid\n%2 = OpTypeFunction %1 %3\n"},
  };
  static char log[65536];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cl_program program = il_program("1.0", rows[i].text);
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    bool good = strstr(log, rows[i].word) && !strstr(log, rows[i].not );
    CHECK(good);
    if (!good) printf("for %s: %s\n", rows[i].word, log);
    clReleaseProgram(program);
  }
}

/* Masks and instructions that are cut off stay as they are, for the validator to refuse. */
static void test_cut(void) {
  size_t size;
  unsigned char *module = assemble("1.4", aliasing, &size);
  for (size_t at = 20; at + 4 <= size; at += 4) {
    uint32_t word, bits = 0x30000;
    memcpy(&word, module + at, sizeof word);
    if ((word & 0xffff) != 61 && (word & 0xffff) != 62 && (word & 0xffff) != 63) continue;
    unsigned last = (word >> 16) - 1;
    if (last < 3 || at + 4 * (last + 1) > size) continue;
    unsigned char *copy = malloc(size);
    memcpy(copy, module, size);
    memcpy(copy + at + 4 * last, &bits,
           sizeof bits); /* a mask without its ids, or an id that is none */
    cl_int error;
    cl_program program = clCreateProgramWithIL(context, copy, size, &error);
    CHECK(program);
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    clReleaseProgram(program);
    free(copy);
  }
  free(module);
}

int main(void) {
  need_assembler();
  open_device();
  test_values(aliasing);
  test_values(formats);
  test_values(loops);
  test_values(numbers);
  test_values(others);
  test_bfloat();
  test_refused();
  test_cut();
  return finish();
}

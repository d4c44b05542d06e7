/* Named barriers: sub-groups of a work-group of 128 that meet while others go on, in phases, more
 * of them than meet, in a loop that makes new ones, through functions; and modules that must not
 * be. */
#include "assemble.h"

enum { GLOBAL = 256, LOCAL = 128, TURNS = 100 };

#define HEAD                                                                                       \
  "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\nOpCapability NamedBarrier\n"   \
  "OpMemoryModel Physical64 OpenCL\n"

#define TYPES                                                                                      \
  "%void = OpTypeVoid\n%bool = OpTypeBool\n%int = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n"        \
  "%long3 = OpTypeVector %long 3\n%nb = OpTypeNamedBarrier\n"                                      \
  "%ptr = OpTypePointer CrossWorkgroup %int\n%fn = OpTypeFunction %void %ptr\n"                    \
  "%c0 = OpConstant %int 0\n%c1 = OpConstant %int 1\n%c2 = OpConstant %int 2\n"                    \
  "%c3 = OpConstant %int 3\n%c32 = OpConstant %int 32\n"                                           \
  "%c100 = OpConstant %int 100\n%c127 = OpConstant %int 127\n%c128 = OpConstant %int 128\n"        \
  "%c128l = OpConstant %long 128\n%c264 = OpConstant %int 264\n%c520 = OpConstant %int 520\n"

/* Semantics: 264 acquires and releases local memory, 520 global memory.  Scopes: 1 device, 2
 * work-group. */
static const char head[] =
    HEAD "OpEntryPoint Kernel %phases \"phases\" %gid %lid %sg %sgs\n"
         "OpEntryPoint Kernel %pairs \"pairs\" %gid %lane %sg\n"
         "OpEntryPoint Kernel %turns \"turns\" %gid %lid %sgs\n"
         "OpEntryPoint Kernel %calls \"calls\" %gid %lid %sgs\n"
         "OpDecorate %gid BuiltIn GlobalInvocationId\nOpDecorate %lid BuiltIn LocalInvocationId\n"
         "OpDecorate %sg BuiltIn SubgroupId\nOpDecorate %sgs BuiltIn NumSubgroups\n"
         "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\n" TYPES
         "%in_long3 = OpTypePointer Input %long3\n%in_int = OpTypePointer Input %int\n"
         "%gid = OpVariable %in_long3 Input\n%lid = OpVariable %in_long3 Input\n"
         "%sg = OpVariable %in_int Input\n%sgs = OpVariable %in_int Input\n"
         "%lane = OpVariable %in_int Input\n"
         "%ints = OpTypeArray %int %c128l\n%local_ints = OpTypePointer Workgroup %ints\n"
         "%local = OpTypePointer Workgroup %int\n%own = OpTypePointer Function %nb\n"
         "%seen = OpVariable %local_ints Workgroup\n%came = OpVariable %local Workgroup\n%went = "
         "OpVariable %local Workgroup\n"
         "%make_fn = OpTypeFunction %nb %int\n%wait_fn = OpTypeFunction %void %nb\n";

/* %iX, %lX: the global and local id; %aX: where the answer goes; %sX, %oX: places of seen[local id]
 * and seen[local id ^ mask]. */
#define START(X, mask, variables)                                                                  \
  "%p" X " = OpFunctionParameter %ptr\n%b" X " = OpLabel\n" variables "%g3" X                      \
  " = OpLoad %long3 %gid\n%i" X " = OpCompositeExtract %long %g3" X " 0\n"                         \
  "%a" X " = OpInBoundsPtrAccessChain %ptr %p" X " %i" X "\n"                                      \
  "%l3" X " = OpLoad %long3 %lid\n%ll" X " = OpCompositeExtract %long %l3" X " 0\n"                \
  "%l" X " = OpUConvert %int %ll" X "\n%m" X " = OpBitwiseXor %int %l" X " " mask "\n"             \
  "%s" X " = OpInBoundsAccessChain %local %seen %l" X "\n"                                         \
  "%o" X " = OpInBoundsAccessChain %local %seen %m" X "\n"

/* out = seen[127 - l] of the whole group; the low half then adds three rounds of seen[l ^ 32],
 * where each round meets twice, while the high half waits once; then all meet again. */
static const char phases[] = "%phases = OpFunction %void None %fn\n" START(
    "P", "%c32",
    "") "%nP = OpLoad %int %sgs\n%hP = OpUDiv %int %nP %c2\n%restP = OpISub %int %nP %hP\n"
        "%all = OpNamedBarrierInitialize %nb %nP\n%low = OpNamedBarrierInitialize %nb %hP\n"
        "%high = OpNamedBarrierInitialize %nb %restP\n"
        "%backP = OpISub %int %c127 %lP\n%atP = OpInBoundsAccessChain %local %seen %backP\n"
        "%tripleP = OpIMul %int %lP %c3\nOpStore %sP %tripleP Aligned 4\n"
        "OpMemoryNamedBarrier %all %c2 %c264\n%xP = OpLoad %int %atP Aligned 4\n"
        "OpMemoryNamedBarrier %all %c2 %c264\n"
        "%gP = OpLoad %int %sg\n%isP = OpULessThan %bool %gP %hP\n"
        "OpSelectionMerge %joinP None\nOpBranchConditional %isP %lowP %highP\n"
        "%lowP = OpLabel\nOpBranch %loopP\n%loopP = OpLabel\n"
        "%kP = OpPhi %int %c0 %lowP %k1P %loopP\n%sumP = OpPhi %int %xP %lowP %sum1P %loopP\n"
        "%kkP = OpIMul %int %kP %c100\n%vP = OpIAdd %int %kkP %lP\nOpStore %sP %vP Aligned 4\n"
        "OpMemoryNamedBarrier %low %c2 %c264\n%yP = OpLoad %int %oP Aligned 4\n"
        "%sum1P = OpIAdd %int %sumP %yP\nOpMemoryNamedBarrier %low %c2 %c264\n"
        "%k1P = OpIAdd %int %kP %c1\n%moreP = OpULessThan %bool %k1P %c3\n"
        "OpLoopMerge %endP %loopP None\nOpBranchConditional %moreP %loopP %endP\n"
        "%endP = OpLabel\nOpBranch %joinP\n"
        "%highP = OpLabel\nOpMemoryNamedBarrier %high %c1 %c520\nOpBranch %joinP\n"
        "%joinP = OpLabel\n%outP = OpPhi %int %sum1P %endP %xP %highP\n"
        "OpMemoryNamedBarrier %all %c1 %c520\nOpStore %aP %outP Aligned "
        "4\nOpReturn\nOpFunctionEnd\n";

/* All sub-groups meet in pairs, whichever come: out = 1 unless more have gone on than have come in
 * pairs. */
static const char pairs[] =
    "%pairs = OpFunction %void None %fn\n%pQ = OpFunctionParameter %ptr\n%bQ = OpLabel\n"
    "%g3Q = OpLoad %long3 %gid\n%iQ = OpCompositeExtract %long %g3Q 0\n"
    "%aQ = OpInBoundsPtrAccessChain %ptr %pQ %iQ\n%nQ = OpLoad %int %lane\n"
    "%sgQ = OpLoad %int %sg\n%orQ = OpBitwiseOr %int %nQ %sgQ\n"
    "%zeroQ = OpIEqual %bool %orQ %c0\n%firstQ = OpIEqual %bool %nQ %c0\n"
    "OpSelectionMerge %clearedQ None\nOpBranchConditional %zeroQ %clearQ %clearedQ\n"
    "%clearQ = OpLabel\nOpAtomicStore %came %c2 %c0 %c0\nOpAtomicStore %went %c2 %c0 %c0\n"
    "OpBranch %clearedQ\n%clearedQ = OpLabel\n%two = OpNamedBarrierInitialize %nb %c2\n"
    "OpSelectionMerge %cameQ None\nOpBranchConditional %firstQ %comeQ %cameQ\n"
    "%comeQ = OpLabel\n%beforeQ = OpAtomicIIncrement %int %came %c2 %c264\nOpBranch %cameQ\n"
    "%cameQ = OpLabel\nOpMemoryNamedBarrier %two %c2 %c264\n"
    "OpSelectionMerge %goneQ None\nOpBranchConditional %firstQ %goQ %goneQ\n"
    "%goQ = OpLabel\n%wentQ = OpAtomicIIncrement %int %went %c2 %c264\n"
    "%nowQ = OpAtomicLoad %int %came %c2 %c264\n%oddQ = OpBitwiseAnd %int %nowQ %c1\n"
    "%evenQ = OpISub %int %nowQ %oddQ\n%rightQ = OpULessThan %bool %wentQ %evenQ\n"
    "%isQ = OpSelect %int %rightQ %c1 %c0\nOpBranch %goneQ\n"
    "%goneQ = OpLabel\n%outQ = OpPhi %int %c1 %cameQ %isQ %goQ\n"
    "OpMemoryNamedBarrier %two %c2 %c264\nOpStore %aQ %outQ Aligned 4\nOpReturn\n"
    "OpFunctionEnd\n";

/* A new barrier in each of 100 turns, at which all meet behind the one of the turn before; out =
 * the sum of seen[l ^ 127]. */
static const char turns[] = "%turns = OpFunction %void None %fn\n" START(
    "T", "%c127",
    "") "%nT = OpLoad %int %sgs\n"
        "%begin = OpNamedBarrierInitialize %nb %nT\nOpBranch %loopT\n%loopT = OpLabel\n"
        "%kT = OpPhi %int %c0 %bT %k1T %loopT\n%sumT = OpPhi %int %c0 %bT %sum1T %loopT\n"
        "%last = OpPhi %nb %begin %bT %new %loopT\n%new = OpNamedBarrierInitialize %nb %nT\n"
        "%vT = OpIAdd %int %kT %lT\nOpStore %sT %vT Aligned 4\n"
        "OpMemoryNamedBarrier %last %c2 %c264\n%yT = OpLoad %int %oT Aligned 4\n"
        "%sum1T = OpIAdd %int %sumT %yT\nOpMemoryNamedBarrier %new %c2 %c264\n"
        "%k1T = OpIAdd %int %kT %c1\n%moreT = OpULessThan %bool %k1T %c100\n"
        "OpLoopMerge %endT %loopT None\nOpBranchConditional %moreT %loopT %endT\n"
        "%endT = OpLabel\nOpStore %aT %sum1T Aligned 4\nOpReturn\nOpFunctionEnd\n";

/* Two barriers of one instruction, from a function; one is kept in a variable. */
static const char calls[] =
    "%make = OpFunction %nb None %make_fn\n%pM = OpFunctionParameter %int\n%bM = OpLabel\n"
    "%made = OpNamedBarrierInitialize %nb %pM\nOpReturnValue %made\nOpFunctionEnd\n"
    "%wait = OpFunction %void None %wait_fn\n%pW = OpFunctionParameter %nb\n%bW = OpLabel\n"
    "OpMemoryNamedBarrier %pW %c2 %c264\nOpReturn\nOpFunctionEnd\n"
    "%calls = OpFunction %void None %fn\n" START(
        "C", "%c127",
        "%keep = OpVariable %own Function\n") "%nC = OpLoad %int %sgs\n"
                                              "%allC = OpFunctionCall %nb %make %nC\n%oneC = "
                                              "OpFunctionCall %nb %make %c1\n"
                                              "OpStore %keep %allC\nOpStore %sC %lC Aligned 4\n%w0 "
                                              "= OpFunctionCall %void %wait %oneC\n"
                                              "%keptC = OpLoad %nb %keep\n%w1 = OpFunctionCall "
                                              "%void %wait %keptC\n"
                                              "%w2 = OpFunctionCall %void %wait %oneC\n%xC = "
                                              "OpLoad %int %oC Aligned 4\n"
                                              "OpStore %aC %xC Aligned "
                                              "4\nOpReturn\nOpFunctionEnd\n";

static int want_phases(int local) {
  int sum = (127 - local) * 3;
  for (int k = 0; k < 3 && local < LOCAL / 2; k++) sum += k * 100 + (local ^ 32);
  return sum;
}

static int want_pairs(int local) {
  (void)local;
  return 1;
}

static int want_turns(int local) {
  return TURNS * (local ^ 127) + TURNS * (TURNS - 1) / 2;
}

static int want_calls(int local) {
  return local ^ 127;
}

static void run(cl_program program, const char *name, int (*want)(int local)) {
  cl_int error, values[GLOBAL];
  cl_kernel kernel = clCreateKernel(program, name, &error);
  CHECK(kernel);
  if (!kernel) return;
  for (int i = 0; i < GLOBAL; i++) values[i] = -1;
  run_on(kernel, values, GLOBAL, LOCAL);
  for (int i = 0, wrong = 0; i < GLOBAL && !wrong; i++) {
    wrong = values[i] != want(i % LOCAL);
    CHECK(!wrong);
    if (wrong) printf("%s: work-item %d has %d\n", name, i, values[i]);
  }
  clReleaseKernel(kernel);
}

static void check_answers(void) {
  static char text[1 << 14];
  snprintf(text, sizeof text, "%s%s%s%s%s", head, phases, pairs, turns, calls);
  cl_program program = il_build("1.1", text);
  run(program, "phases", want_phases);
  run(program, "pairs", want_pairs);
  run(program, "turns", want_turns);
  run(program, "calls", want_calls);
  clReleaseProgram(program);
}

/* Not built, and the log says why. */
static void check_bad(void) {
#define KERNEL(parameter)                                                                          \
  HEAD "OpEntryPoint Kernel %k \"k\"\n" TYPES "%on = OpTypeFunction %void %int " parameter "\n"    \
       "%k = OpFunction %void None %on\n%n = OpFunctionParameter %int\n%p = "                      \
       "OpFunctionParameter " parameter "\n%b = OpLabel\n"
#define END "OpReturn\nOpFunctionEnd\n"
  static const struct {
    const char *text, *word;
  } rows[] = {
      {KERNEL("%ptr") "%x = OpNamedBarrierInitialize %nb %c128l\n" END, "32-bit"},
      {KERNEL("%ptr") "%x = OpNamedBarrierInitialize %int %c1\n" END, "OpNamedBarrier"},
      {KERNEL("%ptr") "OpMemoryNamedBarrier %c1 %c2 %c264\n" END, "OpMemoryNamedBarrier"},
      {KERNEL("%nb") "OpMemoryNamedBarrier %p %c2 %c264\n" END, "parameter"},
      {"OpCapability Addresses\nOpCapability Kernel\nOpMemoryModel Physical64 OpenCL\n"
       "%nb = OpTypeNamedBarrier\n",
       "NamedBarrier"},
  };
  for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
    static char log[65536];
    cl_program program = il_program("1.1", rows[i].text);
    cl_int error = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    CHECK(error == CL_BUILD_PROGRAM_FAILURE);
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, rows[i].word));
    if (!strstr(log, rows[i].word)) printf("module %u: %s\n", i, log);
    clReleaseProgram(program);
  }
}

static void check_queries(void) {
  char extensions[8192];
  cl_uint most = 0;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
  CHECK(strstr(extensions, "cl_khr_subgroup_named_barrier"));
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR, sizeof most, &most, NULL));
  CHECK(most >= 8);
}

int main(void) {
  need_assembler();
  open_device();
  check_queries();
  check_answers();
  check_bad();
  return finish();
}

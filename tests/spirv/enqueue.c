/* Device-side enqueue in SPIR-V: functions with what they work on, local memory, ranges of three
 * dimensions, events, markers; and the queries. */
#include "assemble.h"

/* What is enqueued gets two numbers by a pointer, the second of which it adds at the first. */
#define HEAD(entries)                                                                              \
  "OpCapability Addresses\nOpCapability Kernel\nOpCapability DeviceEnqueue\n"                      \
  "OpCapability SubgroupDispatch\nOpCapability Int64\nOpCapability Int8\n"                         \
  "OpCapability GenericPointer\nOpMemoryModel Physical64 OpenCL\n" entries                         \
  "OpDecorate %id BuiltIn GlobalInvocationId\nOpDecorate %id Constant\n"                           \
  "%void = OpTypeVoid\n%bool = OpTypeBool\n%char = OpTypeInt 8 0\n%int = OpTypeInt 32 0\n"         \
  "%long = OpTypeInt 64 0\n%v3 = OpTypeVector %long 3\n%input = OpTypePointer Input %v3\n"         \
  "%id = OpVariable %input Input\n%global = OpTypePointer CrossWorkgroup %int\n"                   \
  "%chars = OpTypePointer Generic %char\n%private_chars = OpTypePointer Function %char\n"          \
  "%local_chars = OpTypePointer Workgroup %char\n%local_int = OpTypePointer Workgroup %int\n"      \
  "%queue = OpTypeQueue\n%event = OpTypeDeviceEvent\n%event_at = OpTypePointer Function %event\n"  \
  "%event_any = OpTypePointer Generic %event\n"                                                    \
  "%int_0 = OpConstant %int 0\n%int_1 = OpConstant %int 1\n%int_2 = OpConstant %int 2\n"           \
  "%int_3 = OpConstant %int 3\n%int_4 = OpConstant %int 4\n%int_8 = OpConstant %int 8\n"           \
  "%int_16 = OpConstant %int 16\n%int_32 = OpConstant %int 32\n%int_999 = OpConstant %int 999\n"   \
  "%int_max = OpConstant %int 1000000000\n%long_0 = OpConstant %long 0\n"                          \
  "%long_1 = OpConstant %long 1\n%long_2 = OpConstant %long 2\n%long_3 = OpConstant %long 3\n"     \
  "%long_4 = OpConstant %long 4\n%long_6 = OpConstant %long 6\n%array = OpTypeArray %long "        \
  "%int_3\n"                                                                                       \
  "%array2 = OpTypeArray %long %int_2\n%range = OpTypeStruct %int %array %array %array\n"          \
  "%pair = OpTypeStruct %global %int\n%pair_at = OpTypePointer Function %pair\n"                   \
  "%pair_any = OpTypePointer Generic %pair\n%global_at = OpTypePointer Function %global\n"         \
  "%int_at = OpTypePointer Function %int\n%global_any = OpTypePointer Generic %global\n"           \
  "%int_any = OpTypePointer Generic %int\n%no_events = OpConstantNull %event_any\n"                \
  "%anywhere = OpConstantNull %array\n%from = OpConstantComposite %array2 %long_1 %long_2\n"       \
  "%whole = OpConstantComposite %array2 %long_6 %long_4\n"                                         \
  "%group = OpConstantComposite %array2 %long_3 %long_2\n"                                         \
  "%child_type = OpTypeFunction %void %chars\n"                                                    \
  "%local_type = OpTypeFunction %void %chars %local_chars %local_chars\n"                          \
  "%kernel_type = OpTypeFunction %void %global %queue\n"

/* x = x * 10 + number */
#define CHILD                                                                                      \
  "%child = OpFunction %void None %child_type\n%c = OpFunctionParameter %chars\n%c0 = OpLabel\n"   \
  "%cp = OpBitcast %pair_any %c\n%ca = OpInBoundsPtrAccessChain %global_any %cp %int_0 %int_0\n"   \
  "%cb = OpInBoundsPtrAccessChain %int_any %cp %int_0 %int_1\n%cx = OpLoad %global %ca Aligned "   \
  "8\n"                                                                                            \
  "%cn = OpLoad %int %cb Aligned 4\n%cv = OpLoad %int %cx Aligned 4\n"                             \
  "%ten = OpIAdd %int %int_8 %int_2\n%cw = OpIMul %int %cv %ten\n%cs = OpIAdd %int %cw %cn\n"      \
  "OpStore %cx %cs Aligned 4\nOpReturn\nOpFunctionEnd\n"

/* Each of a group: its place in local memory; then the sum of a neighbour's, to x[place of all]. */
#define CHILD_WITH_LOCALS                                                                          \
  "%child2 = OpFunction %void None %local_type\n%d = OpFunctionParameter %chars\n"                 \
  "%l1 = OpFunctionParameter %local_chars\n%l2 = OpFunctionParameter %local_chars\n%d0 = "         \
  "OpLabel\n"                                                                                      \
  "%dp = OpBitcast %pair_any %d\n%da = OpInBoundsPtrAccessChain %global_any %dp %int_0 %int_0\n"   \
  "%dx = OpLoad %global %da Aligned 8\n%i1 = OpBitcast %local_int %l1\n"                           \
  "%i2 = OpBitcast %local_int %l2\n%dids = OpLoad %v3 %id Aligned 32\n"                            \
  "%dx0 = OpCompositeExtract %long %dids 0\n%dx1 = OpCompositeExtract %long %dids 1\n"             \
  "%a0 = OpISub %long %dx0 %long_1\n%a1 = OpISub %long %dx1 %long_2\n"                             \
  "%g0 = OpUMod %long %a0 %long_3\n%g1 = OpUMod %long %a1 %long_2\n"                               \
  "%row = OpIMul %long %g1 %long_3\n%own = OpIAdd %long %row %g0\n"                                \
  "%number = OpUConvert %int %own\n%p1 = OpInBoundsPtrAccessChain %local_int %i1 %own\n"           \
  "%p2 = OpInBoundsPtrAccessChain %local_int %i2 %own\nOpStore %p1 %number Aligned 4\n"            \
  "%tens = OpIMul %int %number %int_16\nOpStore %p2 %tens Aligned 4\n"                             \
  "OpControlBarrier %int_2 %int_2 %int_max_memory\n"                                               \
  "%next0 = OpIAdd %long %own %long_1\n%next = OpUMod %long %next0 %long_6\n"                      \
  "%q1 = OpInBoundsPtrAccessChain %local_int %i1 %next\n"                                          \
  "%q2 = OpInBoundsPtrAccessChain %local_int %i2 %next\n%w1 = OpLoad %int %q1 Aligned 4\n"         \
  "%w2 = OpLoad %int %q2 Aligned 4\n%sum = OpIAdd %int %w1 %w2\n"                                  \
  "%rows = OpIMul %long %a1 %long_6\n%place = OpIAdd %long %rows %a0\n"                            \
  "%to = OpInBoundsPtrAccessChain %global %dx %place\nOpStore %to %sum Aligned 4\n"                \
  "OpReturn\nOpFunctionEnd\n"

#define PAIR_OF(x, name, number)                                                                   \
  name "p = OpInBoundsPtrAccessChain %global_at " name " %int_0 %int_0\n" name                     \
       "n = OpInBoundsPtrAccessChain %int_at " name " %int_0 %int_1\nOpStore " name "p " x         \
       " Aligned 8\nOpStore " name "n " number " Aligned 4\n" name                                 \
       "c = OpBitcast %private_chars " name "\n" name "g = OpPtrCastToGeneric %chars " name "c\n"
#define PAIR(name, number) PAIR_OF("%x", name, number)

/* 2 waits for 1, 3 for a marker behind 2; 1 waits for what is said last, and its times are wanted.
 * Two markers without an event are nothing. */
#define EVENTS                                                                                     \
  "%events = OpFunction %void None %kernel_type\n%x = OpFunctionParameter %global\n"               \
  "%q = OpFunctionParameter %queue\n%e0 = OpLabel\n%first = OpVariable %pair_at Function\n"        \
  "%second = OpVariable %pair_at Function\n%third = OpVariable %pair_at Function\n"                \
  "%ev0 = OpVariable %event_at Function\n%ev1 = OpVariable %event_at Function\n"                   \
  "%ev2 = OpVariable %event_at Function\n%ev3 = OpVariable %event_at Function\n"                   \
  "%any0 = OpPtrCastToGeneric %event_any %ev0\n%any1 = OpPtrCastToGeneric %event_any %ev1\n"       \
  "%any2 = OpPtrCastToGeneric %event_any %ev2\n%any3 = OpPtrCastToGeneric %event_any %ev3\n" PAIR( \
      "%first", "%int_1") PAIR("%second", "%int_2")                                                \
      PAIR("%third",                                                                               \
           "%int_3") "%one = OpBuildNDRange %range %long_1 %long_0 %long_0\n%user = "              \
                     "OpCreateUserEvent %event\n"                                                  \
                     "OpStore %ev0 %user Aligned 8\nOpRetainEvent %user\nOpReleaseEvent %user\n"   \
                     "%s1 = OpEnqueueKernel %int %q %int_0 %one %int_1 %any0 %any1 %child "        \
                     "%firstg %int_16 %int_8\n"                                                    \
                     "%s2 = OpEnqueueKernel %int %q %int_0 %one %int_1 %any1 %any2 %child "        \
                     "%secondg %int_16 %int_8\n"                                                   \
                     "%s3 = OpEnqueueMarker %int %q %int_1 %any2 %any3\n"                          \
                     "%s4 = OpEnqueueKernel %int %q %int_0 %one %int_1 %any3 %no_events %child "   \
                     "%thirdg %int_16 %int_32\n"                                                   \
                     "%s5 = OpEnqueueMarker %int %q %int_0 %no_events %no_events\n"                \
                     "%s6 = OpEnqueueMarker %int %q %int_1 %any2 %no_events\n%timed = OpLoad "     \
                     "%event %ev1 Aligned 8\n"                                                     \
                     "%times = OpInBoundsPtrAccessChain %global %x %int_2\n"                       \
                     "OpCaptureEventProfilingInfo %timed %int_1 %times\n"                          \
                     "%good = OpIsValidEvent %bool %user\nOpStore %firstn %int_999 Aligned 4\n"    \
                     "OpSetUserEventStatus %user %int_0\nOpReleaseEvent %user\n"                   \
                     "%r1 = OpBitwiseOr %int %s1 %s2\n%r2 = OpBitwiseOr %int %s3 %s4\n"            \
                     "%r3 = OpBitwiseOr %int %s5 %s6\n%r4 = OpBitwiseOr %int %r1 %r2\n"            \
                     "%r = OpBitwiseOr %int %r3 %r4\n"                                             \
                     "%rr = OpSelect %int %good %r %int_999\n%x1 = OpInBoundsPtrAccessChain "      \
                     "%global %x %int_1\n"                                                         \
                     "OpStore %x1 %rr Aligned 4\nOpReturn\nOpFunctionEnd\n"

/* As CHILD, and enqueues one more with 2. */
#define CHILD_WITH_CHILD                                                                           \
  "%parent = OpFunction %void None %child_type\n%mc = OpFunctionParameter %chars\n%m0 = "          \
  "OpLabel\n%inner = OpVariable %pair_at Function\n%mp = OpBitcast %pair_any %mc\n"                \
  "%ma = OpInBoundsPtrAccessChain %global_any %mp %int_0 %int_0\n"                                 \
  "%mx = OpLoad %global %ma Aligned 8\nOpStore %mx %int_1 Aligned 4\n" PAIR_OF(                    \
      "%mx", "%inner", "%int_2") "%inner_over = OpBuildNDRange %range %long_1 %long_0 %long_0\n"   \
                                 "%inner_queue = OpGetDefaultQueue %queue\n"                       \
                                 "%m1 = OpEnqueueKernel %int %inner_queue %int_0 %inner_over "     \
                                 "%int_0 %no_events %no_events "                                   \
                                 "%child %innerg %int_16 %int_8\nOpReturn\nOpFunctionEnd\n"

/* Without events a marker waits for all that is in the queue, children of what is there too. */
#define BEHIND                                                                                     \
  "%behind = OpFunction %void None %kernel_type\n%bx = OpFunctionParameter %global\n"              \
  "%bq = OpFunctionParameter %queue\n%b0 = OpLabel\n%outer = OpVariable %pair_at Function\n"       \
  "%last = OpVariable %pair_at Function\n%marked = OpVariable %event_at Function\n"                \
  "%marked_any = OpPtrCastToGeneric %event_any %marked\n" PAIR_OF("%bx", "%outer", "%int_1")       \
      PAIR_OF("%bx", "%last", "%int_3") "%over1 = OpBuildNDRange %range %long_1 %long_0 %long_0\n" \
                                        "%b1 = OpEnqueueKernel %int %bq %int_0 %over1 %int_0 "     \
                                        "%no_events %no_events %parent %outerg "                   \
                                        "%int_16 %int_8\n%b2 = OpEnqueueMarker %int %bq %int_0 "   \
                                        "%no_events %marked_any\n"                                 \
                                        "%b3 = OpEnqueueKernel %int %bq %int_0 %over1 %int_1 "     \
                                        "%marked_any %no_events %child %lastg "                    \
                                        "%int_16 %int_8\n%br1 = OpBitwiseOr %int %b1 %b2\n%br = "  \
                                        "OpBitwiseOr %int %br1 %b3\n"                              \
                                        "%bx1 = OpInBoundsPtrAccessChain %global %bx "             \
                                        "%int_1\nOpStore %bx1 %br Aligned 4\n"                     \
                                        "OpReturn\nOpFunctionEnd\n"

#define LOCALS                                                                                     \
  "%locals = OpFunction %void None %kernel_type\n%lx = OpFunctionParameter %global\n"              \
  "%lq = OpFunctionParameter %queue\n%e1 = OpLabel\n%it = OpVariable %pair_at Function\n"          \
  "%itp = OpInBoundsPtrAccessChain %global_at %it %int_0 %int_0\nOpStore %itp %lx Aligned 8\n"     \
  "%itc = OpBitcast %private_chars %it\n%itg = OpPtrCastToGeneric %chars %itc\n"                   \
  "%both = OpBuildNDRange %range %whole %group %from\n%default = OpGetDefaultQueue %queue\n"       \
  "%done = OpEnqueueKernel %int %default %int_1 %both %int_0 %no_events %no_events %child2 %itg "  \
  "%int_16 %int_8 %bytes %bytes\nOpReturn\nOpFunctionEnd\n"

#define ASK(n, text)                                                                               \
  "%k" n " = " text "\n%t" n " = OpInBoundsPtrAccessChain %global %ax %n" n "\nOpStore %t" n       \
  " %k" n " Aligned 4\n"
#define OF_CHILD "%child %none %int_0 %int_1"
#define ASKS                                                                                       \
  "%asks = OpFunction %void None %kernel_type\n%ax = OpFunctionParameter %global\n"                \
  "%aq = OpFunctionParameter %queue\n%e2 = OpLabel\n"                                              \
  "%over = OpBuildNDRange %range %whole %group %from\n" ASK(                                       \
      "0", "OpGetKernelWorkGroupSize %int " OF_CHILD)                                              \
      ASK("1", "OpGetKernelPreferredWorkGroupSizeMultiple %int " OF_CHILD) ASK(                    \
          "2", "OpGetKernelNDrangeSubGroupCount %int %over " OF_CHILD)                             \
          ASK("3", "OpGetKernelNDrangeMaxSubGroupSize %int %over " OF_CHILD) ASK(                  \
              "4", "OpGetKernelMaxNumSubgroups %int " OF_CHILD)                                    \
              ASK("5", "OpGetKernelLocalSizeForSubgroupCount %int %int_3 " OF_CHILD) ASK(          \
                  "6",                                                                             \
                  "OpGetKernelLocalSizeForSubgroupCount %int %int_max " OF_CHILD) "OpReturn\nOpFu" \
                                                                                  "nctionEnd\n"

static const char
    text[] = HEAD("OpEntryPoint Kernel %events \"events\" %id\nOpEntryPoint Kernel %locals "
                  "\"locals\" %id\n"
                  "OpEntryPoint Kernel %asks \"asks\" %id\nOpEntryPoint Kernel %behind \"behind\" "
                  "%id\n") "%int_max_memory = OpConstant %int 272\n%bytes = "
                           "OpConstant %int 24\n"
                           "%none = OpConstantNull %chars\n%n0 = OpConstant "
                           "%long 0\n%n1 = OpConstant %long 1\n"
                           "%n2 = OpConstant %long 2\n%n3 = OpConstant %long "
                           "3\n%n4 = OpConstant %long 4\n"
                           "%n5 = OpConstant %long 5\n%n6 = OpConstant %long "
                           "6\n" CHILD CHILD_WITH_LOCALS CHILD_WITH_CHILD EVENTS BEHIND LOCALS ASKS;

/* What spirv-val does not know, each with a word of what is said. */
#define WRONG_MODULE(types, body)                                                                  \
  HEAD("OpEntryPoint Kernel %k \"k\" %id\n")                                                       \
  "%none = OpConstantNull %chars\n" types CHILD                                                    \
  "%k = OpFunction %void None %kernel_type\n%x = OpFunctionParameter %global\n"                    \
  "%q = OpFunctionParameter %queue\n%b = OpLabel\n" body "OpReturn\nOpFunctionEnd\n"
#define ONE "%one = OpBuildNDRange %range %long_1 %long_0 %long_0\n"
#define WRONG_WORK(types, work)                                                                    \
  WRONG_MODULE(types, ONE                                                                          \
               "%s = OpEnqueueKernel %int %q %int_0 %one %int_0 %no_events %no_events " work "\n")
static const struct wrong {
  const char *word, *text;
} wrong[] = {
    {"three arrays of three",
     WRONG_MODULE("%less = OpTypeStruct %int %array %array\n",
                  "%one = OpBuildNDRange %less %long_1 %long_0 %long_0\n")},
    {"differ in dimensions",
     WRONG_MODULE("", "%one = OpBuildNDRange %range %whole %long_1 %from\n")},
    {"4 dimensions",
     WRONG_MODULE("%array4 = OpTypeArray %long %int_4\n%four = OpConstantNull %array4\n",
                  "%one = OpBuildNDRange %range %four %four %four\n")},
    {"are not integers", WRONG_MODULE("%float = OpTypeFloat 32\n%f = OpConstant %float 1\n",
                                      "%one = OpBuildNDRange %range %f %f %f\n")},
    {"is not an ND-range",
     WRONG_MODULE("",
                  "%s = OpEnqueueKernel %int %q %int_0 %long_1 %int_0 %no_events %no_events %child "
                  "%none %int_16 %int_8\n")},
    {"a number in place of a pointer",
     WRONG_MODULE("", ONE
                  "%s = OpEnqueueKernel %int %q %int_0 %one %int_0 %no_events %int_0 %child %none "
                  "%int_16 %int_8\n")},
    {"not a function", WRONG_WORK("", "%none %none %int_16 %int_8")},
    {"other parameters than a pointer and local memory",
     WRONG_WORK("%number_type = OpTypeFunction %void %int\n%number = OpFunction %void None "
                "%number_type\n%n = OpFunctionParameter %int\n%n_begin = OpLabel\nOpReturn\n"
                "OpFunctionEnd\n",
                "%number %none %int_16 %int_8")},
    {"1000000000 bytes", WRONG_WORK("", "%child %none %int_max %int_8")},
    {"not a power of 2", WRONG_WORK("", "%child %none %int_16 %int_3")},
};

static void test_wrong(const struct wrong *row) {
  static char log[65536];
  cl_program program = il_program("1.1", row->text);
  EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
  CHECK(strstr(log, row->word));
  if (!strstr(log, row->word)) printf("for %s: %s\n", row->word, log);
  clReleaseProgram(program);
}

enum { MOST = 24 };
static cl_command_queue on_device;
static cl_int got[MOST];

static void run(cl_program program, const char *name, cl_mem buffer) {
  cl_int error, zero = 0;
  const size_t one = 1;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  CHECK(kernel);
  if (!kernel) return;
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof on_device, &on_device));
  EXPECT(CL_SUCCESS,
         clEnqueueFillBuffer(queue, buffer, &zero, sizeof zero, 0, sizeof got, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  clReleaseKernel(kernel);
}

/* Group of 3x2 of 6x4: what the neighbour has stored. */
static int expected(int at) {
  int own = at / 6 % 2 * 3 + at % 6 % 3;
  return (own + 1) % 6 * 17;
}

int main(void) {
  const cl_queue_properties properties[] = {
      CL_QUEUE_PROPERTIES,
      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT, 0};
  cl_device_device_enqueue_capabilities can = 0;
  cl_int error;
  need_assembler();
  open_device();
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, sizeof can, &can, NULL));
  if (!can) return finish();
  on_device = clCreateCommandQueueWithProperties(context, device, properties, &error);
  cl_program program = il_build("1.1", text);
  cl_uint kernels = 0;
  cl_ulong times[2]; /* of the command alone, and with its children */
  EXPECT(CL_SUCCESS, clCreateKernelsInProgram(program, 0, NULL, &kernels));
  CHECK(kernels == 4); /* those of functions that are enqueued are no one's */
  cl_mem buffer = clCreateBuffer(context, 0, sizeof got, NULL, NULL);
  for (int round = 0; round < 3; round++) {
    run(program, "events", buffer);
    CHECK(got[0] == 123 && got[1] == 0);
    memcpy(times, got + 2, sizeof times);
    CHECK(times[0] > 0 && times[1] >= times[0]);
    run(program, "behind", buffer);
    CHECK(got[0] == 123 && got[1] == 0);
    run(program, "locals", buffer);
    for (int i = 0; i < MOST; i++) CHECK(got[i] == expected(i));
  }
  run(program, "asks", buffer);
  CHECK(got[0] >= 1 && got[1] >= 1);
  if (got[1] < 1) return finish();
  CHECK(got[3] == got[1] && got[2] == (6 + got[1] - 1) / got[1]);
  CHECK(got[4] == got[0] / got[1] && got[5] == 3 * got[1] && got[6] == 0);
  clReleaseMemObject(buffer);
  clReleaseProgram(program);
  clReleaseCommandQueue(on_device);
  for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) test_wrong(&wrong[i]);
  return finish();
}

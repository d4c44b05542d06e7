/* Barriers of each scope of execution: of a wider one than a work-group's, which some generators
 * write, at least the work-group comes together. */
#include "assemble.h"

/* out[i] becomes what out[i ^ 1] was, by local memory and a barrier of that scope. */
static const char exchange[] =
    "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int64\n"
    "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %%k \"k\" %%locals %%globals %%tmp\n"
    "OpDecorate %%locals BuiltIn LocalInvocationId\n"
    "OpDecorate %%globals BuiltIn GlobalInvocationId\n"
    "%%void = OpTypeVoid\n%%int = OpTypeInt 32 0\n%%long = OpTypeInt 64 0\n"
    "%%long3 = OpTypeVector %%long 3\n%%input = OpTypePointer Input %%long3\n"
    "%%scope = OpConstant %%int %d\n%%semantics = OpConstant %%int 784\n"
    "%%count = OpConstant %%int 64\n%%one = OpConstant %%long 1\n"
    "%%array = OpTypeArray %%int %%count\n%%whole = OpTypePointer Workgroup %%array\n"
    "%%part = OpTypePointer Workgroup %%int\n%%pointer = OpTypePointer CrossWorkgroup %%int\n"
    "%%type = OpTypeFunction %%void %%pointer\n%%locals = OpVariable %%input Input\n"
    "%%globals = OpVariable %%input Input\n%%tmp = OpVariable %%whole Workgroup\n"
    "%%k = OpFunction %%void None %%type\n%%out = OpFunctionParameter %%pointer\n"
    "%%begin = OpLabel\n%%local = OpLoad %%long3 %%locals\n%%global = OpLoad %%long3 %%globals\n"
    "%%l = OpCompositeExtract %%long %%local 0\n%%g = OpCompositeExtract %%long %%global 0\n"
    "%%at = OpInBoundsPtrAccessChain %%pointer %%out %%g\n%%x = OpLoad %%int %%at Aligned 4\n"
    "%%mine = OpInBoundsAccessChain %%part %%tmp %%l\nOpStore %%mine %%x Aligned 4\n"
    "OpControlBarrier %%scope %%scope %%semantics\n%%other = OpBitwiseXor %%long %%l %%one\n"
    "%%theirs = OpInBoundsAccessChain %%part %%tmp %%other\n%%y = OpLoad %%int %%theirs Aligned 4\n"
    "OpStore %%at %%y Aligned 4\nOpReturn\nOpFunctionEnd\n";

static void test_scope(int scope) {
  enum { COUNT = 128, LOCAL = 64 };
  char text[sizeof exchange + 16];
  cl_int error, values[COUNT];
  snprintf(text, sizeof text, exchange, scope);
  cl_program program = il_build("1.4", text);
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  CHECK(kernel);
  if (!kernel) return;
  for (int i = 0; i < COUNT; i++) values[i] = 7 * i;
  run_on(kernel, values, COUNT, LOCAL);
  for (int i = 0; i < COUNT; i++) CHECK(values[i] == 7 * (i ^ 1));
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

int main(void) {
  need_assembler();
  open_device();
  for (int scope = 0; scope < 4; scope++) test_scope(scope); /* CrossDevice to Subgroup */
  return finish();
}

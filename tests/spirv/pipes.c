/* Pipes in SPIR-V: one kernel writes, with and without reservations, another reads; reservations of
 * a work-group, and what is known of the arguments. */
#include "assemble.h"

static const char text[] =
    "OpCapability Addresses\nOpCapability Kernel\nOpCapability Pipes\nOpCapability Groups\n"
    "OpCapability Int64\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %put \"put\" %id\nOpEntryPoint Kernel %get \"get\" %id\n"
    "OpDecorate %id BuiltIn GlobalInvocationId\nOpDecorate %id Constant\n"
    "%void = OpTypeVoid\n%bool = OpTypeBool\n%int = OpTypeInt 32 0\n%long = OpTypeInt 64 0\n"
    "%v3 = OpTypeVector %long 3\n%input = OpTypePointer Input %v3\n%id = OpVariable %input Input\n"
    "%global = OpTypePointer CrossWorkgroup %int\n%private = OpTypePointer Function %int\n"
    "%in = OpTypePipe ReadOnly\n%out = OpTypePipe WriteOnly\n%reserve = OpTypeReserveId\n"
    "%int_0 = OpConstant %int 0\n%int_1 = OpConstant %int 1\n%int_2 = OpConstant %int 2\n"
    "%int_3 = OpConstant %int 3\n%int_4 = OpConstant %int 4\n%int_8 = OpConstant %int 8\n"
    "%int_100 = OpConstant %int 100\n%put_type = OpTypeFunction %void %out %global\n"
    "%get_type = OpTypeFunction %void %in %global\n"
    /* Each of 8 work-items: one packet by itself, one of its work-group's reservation. */
    "%put = OpFunction %void None %put_type\n%p = OpFunctionParameter %out\n"
    "%state = OpFunctionParameter %global\n%b0 = OpLabel\n%place = OpVariable %private Function\n"
    "%ids = OpLoad %v3 %id Aligned 32\n%x64 = OpCompositeExtract %long %ids 0\n"
    "%x = OpUConvert %int %x64\nOpStore %place %x Aligned 4\n"
    "%s0 = OpWritePipe %int %p %place %int_4 %int_4\n"
    "%high = OpIAdd %int %x %int_100\nOpStore %place %high Aligned 4\n"
    "%r = OpGroupReserveWritePipePackets %reserve %int_2 %p %int_8 %int_4 %int_4\n"
    "%s1 = OpReservedWritePipe %int %p %r %x %place %int_4 %int_4\n"
    "OpGroupCommitWritePipe %int_2 %p %r %int_4 %int_4\n"
    "%s2 = OpIAdd %int %s0 %s1\n%at = OpInBoundsPtrAccessChain %global %state %x64\n"
    "OpStore %at %s2 Aligned 4\nOpReturn\nOpFunctionEnd\n"
    /* The other way round, by themselves; state: the sum of two packets and what the pipe holds. */
    "%get = OpFunction %void None %get_type\n%q = OpFunctionParameter %in\n"
    "%state2 = OpFunctionParameter %global\n%b1 = OpLabel\n"
    "%one = OpVariable %private Function\n%two = OpVariable %private Function\n"
    "%ids2 = OpLoad %v3 %id Aligned 32\n%y = OpCompositeExtract %long %ids2 0\n"
    "%max = OpGetMaxPipePackets %int %q %int_4 %int_4\n"
    "%s3 = OpReadPipe %int %q %one %int_4 %int_4\n"
    "%r2 = OpReserveReadPipePackets %reserve %q %int_1 %int_4 %int_4\n"
    "%good = OpIsValidReserveId %bool %r2\n"
    "%s4 = OpReservedReadPipe %int %q %r2 %int_0 %two %int_4 %int_4\n"
    "OpCommitReadPipe %q %r2 %int_4 %int_4\n"
    "%v1 = OpLoad %int %one Aligned 4\n%v2 = OpLoad %int %two Aligned 4\n"
    "%sum0 = OpIAdd %int %v1 %v2\n%sum1 = OpIAdd %int %sum0 %s3\n%sum2 = OpIAdd %int %sum1 %s4\n"
    "%sum3 = OpSelect %int %good %sum2 %int_0\n%sum4 = OpIAdd %int %sum3 %max\n"
    "%at2 = OpInBoundsPtrAccessChain %global %state2 %y\n"
    "OpStore %at2 %sum4 Aligned 4\nOpReturn\nOpFunctionEnd\n";

enum { ITEMS = 8, PACKETS = 20 };

static void run(cl_program program, const char *name, cl_mem pipe, cl_mem buffer, cl_int *values) {
  cl_int error;
  const size_t items = ITEMS;
  cl_kernel_arg_type_qualifier qualifier = 0;
  cl_kernel_arg_access_qualifier access = 0;
  cl_kernel kernel = clCreateKernel(program, name, &error);
  CHECK(kernel);
  if (!kernel) return;
  EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                                        &qualifier, NULL));
  CHECK(qualifier == CL_KERNEL_ARG_TYPE_PIPE);
  EXPECT(CL_SUCCESS, clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access,
                                        &access, NULL));
  CHECK(access ==
        (*name == 'p' ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY : CL_KERNEL_ARG_ACCESS_READ_ONLY));
  EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof pipe, &pipe));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, ITEMS * sizeof *values, values,
                                         0, NULL, NULL));
  clReleaseKernel(kernel);
}

int main(void) {
  cl_bool offered = CL_FALSE;
  cl_int values[ITEMS], sum = 0;
  need_assembler();
  open_device();
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof offered, &offered, NULL));
  if (!offered) return finish();
  cl_program program = il_program("1.0", text);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_mem pipe = clCreatePipe(context, 0, 4, PACKETS, NULL, NULL);
  cl_mem buffer = clCreateBuffer(context, 0, sizeof values, NULL, NULL);
  for (int round = 0; round < 3; round++) {
    run(program, "put", pipe, buffer, values);
    for (int i = 0; i < ITEMS; i++) CHECK(values[i] == 0);
    run(program, "get", pipe, buffer, values);
    sum = 0;
    for (int i = 0; i < ITEMS; i++) sum += values[i] - PACKETS;
    CHECK(sum == 2 * (ITEMS * (ITEMS - 1) / 2) + 100 * ITEMS);
  }
  clReleaseMemObject(pipe);
  clReleaseMemObject(buffer);
  clReleaseProgram(program);
  return finish();
}

/* SPV_INTEL_subgroups: shuffles of one and of two values, blocks of buffers and of images, in one
 * sub-group of 16; and a block of what cannot be one is refused. */
#include "assemble.h"

#define HEAD(memory)                                                                               \
  "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int16\nOpCapability Int64\n"          \
  "OpCapability ImageBasic\nOpCapability SubgroupDispatch\n"                                       \
  "OpCapability SubgroupShuffleINTEL\nOpCapability SubgroupBufferBlockIOINTEL\n"                   \
  "OpCapability SubgroupImageBlockIOINTEL\nOpExtension \"SPV_INTEL_subgroups\"\n"                  \
  "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %lane\n"                          \
  "OpExecutionMode %k SubgroupSize 16\n"                                                           \
  "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\nOpDecorate %lane Constant\n"                \
  "%void = OpTypeVoid\n%int = OpTypeInt 32 0\n%short = OpTypeInt 16 0\n%float = OpTypeFloat 32\n"  \
  "%v2 = OpTypeVector %int 2\n%s4 = OpTypeVector %short 4\n%f2 = OpTypeVector %float 2\n"          \
  "%in_int = OpTypePointer Input %int\n%lane = OpVariable %in_int Input\n"                         \
  "%to_int = OpTypePointer CrossWorkgroup %int\n%to_short = OpTypePointer CrossWorkgroup %short\n" \
  "%from = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"                                        \
  "%to = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n"                                         \
  "%i1 = OpConstant %int 1\n%i3 = OpConstant %int 3\n%i5 = OpConstant %int 5\n%i15 = OpConstant "  \
  "%int 15\n"                                                                                      \
  "%i32 = OpConstant %int 32\n%i48 = OpConstant %int 48\n%i64 = OpConstant %int 64\n"              \
  "%i0 = OpConstant %int 0\n%at = OpConstantComposite %v2 %i0 %i1\n"                               \
  "%type = OpTypeFunction %void %to_int " memory "\n"                                              \
  "%k = OpFunction %void None %type\n%out = OpFunctionParameter %to_int\n"
#define END "OpReturn\nOpFunctionEnd\n"
#define PUT(name, at, value)                                                                       \
  "%" name "_n = OpIAdd %int %id %" at "\n"                                                        \
  "%" name "_p = OpInBoundsPtrAccessChain %to_int %out %" name "_n\n"                              \
  "OpStore %" name "_p %" value " Aligned 4\n"

static const char shuffles[] = HEAD(
    "") "%b = OpLabel\n%id = OpLoad %int %lane Aligned 4\n"
        "%x = OpIMul %int %id %i3\n%y = OpIAdd %int %x %i64\n%one = OpBitwiseXor %int %id %i5\n"
        "%a = OpSubgroupShuffleINTEL %int %x %one\n"
        "%c = OpSubgroupShuffleXorINTEL %int %x %i1\n"
        "%d = OpSubgroupShuffleDownINTEL %int %x %y %i3\n"
        "%e = OpSubgroupShuffleUpINTEL %int %y %x %i3\n"
        "%xf = OpConvertUToF %float %x\n%yf = OpConvertUToF %float %y\n"
        "%pair = OpCompositeConstruct %f2 %xf %yf\n"
        "%turned = OpSubgroupShuffleXorINTEL %f2 %pair %i1\n"
        "%tf = OpCompositeExtract %float %turned 1\n%t = OpConvertFToU %int %tf\n"
        "%i16 = OpIAdd %int %i1 %i15\n%ac = OpShiftLeftLogical %int %c %i16\n"
        "%ac2 = OpBitwiseOr %int %a %ac\n" PUT("p0", "i0", "ac2") PUT("p1", "i16", "d")
            PUT("p2", "i32", "e") PUT("p3", "i48", "t") END;

static const char blocks[] =
    HEAD("%to_short %from %to") "%in = OpFunctionParameter %to_short\n"
                                "%image = OpFunctionParameter %from\n%other = OpFunctionParameter "
                                "%to\n%b = OpLabel\n"
                                "%s = OpSubgroupBlockReadINTEL %s4 %in\n%s2 = OpIAdd %s4 %s %s\n"
                                "OpSubgroupBlockWriteINTEL %in %s2\n"
                                "%v = OpSubgroupImageBlockReadINTEL %v2 %image %at\n%w = OpIAdd "
                                "%v2 %v %v\n"
                                "OpSubgroupImageBlockWriteINTEL %other %at %w\n"
                                "OpSubgroupBlockWriteINTEL %out %v\n" END;

static const char wrong[] = HEAD("%from") "%image = OpFunctionParameter %from\n%b = OpLabel\n"
                                          "%v = OpSubgroupImageBlockReadINTEL %f2 %image %at\n" END;

enum { LANES = 16, WIDTH = 16, HEIGHT = 4 };
static const size_t lanes = LANES, origin[3] = {0}, all[3] = {WIDTH, HEIGHT, 1};

static cl_kernel kernel_of(const char *text) {
  cl_program program = il_build("1.2", text);
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  CHECK(kernel);
  clReleaseProgram(program);
  return kernel;
}

static void read_values(cl_mem from, void *values, size_t size) {
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, from, CL_TRUE, 0, size, values, 0, NULL, NULL));
}

static void run(cl_kernel kernel) {
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &lanes, &lanes, 0, NULL, NULL));
}

static void check_shuffles(void) {
  cl_uint got[4 * LANES];
  cl_kernel kernel = kernel_of(shuffles);
  cl_mem out = clCreateBuffer(context, 0, sizeof got, NULL, NULL);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  run(kernel);
  read_values(out, got, sizeof got);
  for (cl_uint i = 0; i < LANES; i++) {
    CHECK(got[i] == ((i ^ 5) * 3 | (i ^ 1) * 3 << 16));
    CHECK(got[16 + i] == (i + 3 < LANES ? (i + 3) * 3 : (i + 3 - LANES) * 3 + 64));
    CHECK(got[32 + i] == (i >= 3 ? (i - 3) * 3 : (i + LANES - 3) * 3 + 64));
    CHECK(got[48 + i] == (i ^ 1) * 3 + 64);
  }
  clReleaseKernel(kernel);
  clReleaseMemObject(out);
}

static cl_mem image_of(const cl_uint *pixels) {
  cl_int error;
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
  cl_mem image =
      clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, (void *)pixels, &error);
  CHECK(image && !error);
  return image;
}

static void check_blocks(void) {
  cl_uint pixels[HEIGHT * WIDTH], none[HEIGHT * WIDTH] = {0}, got[2 * LANES];
  cl_ushort numbers[4 * LANES], twice[4 * LANES];
  for (cl_uint i = 0; i < HEIGHT * WIDTH; i++) pixels[i] = i * 1000003;
  for (cl_uint i = 0; i < 4 * LANES; i++) numbers[i] = (cl_ushort)(i * 77);
  cl_kernel kernel = kernel_of(blocks);
  cl_mem out = clCreateBuffer(context, 0, sizeof got, NULL, NULL);
  cl_mem in = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, NULL);
  cl_mem from = image_of(pixels), to = image_of(none);
  cl_mem args[] = {out, in, from, to};
  for (cl_uint i = 0; i < 4; i++)
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, i, sizeof in, &args[i]));
  run(kernel);
  read_values(out, got, sizeof got);
  read_values(in, twice, sizeof twice);
  EXPECT(CL_SUCCESS,
         clEnqueueReadImage(queue, to, CL_TRUE, origin, all, 0, 0, none, 0, NULL, NULL));
  for (cl_uint i = 0; i < 4 * LANES; i++) CHECK(twice[i] == (cl_ushort)(numbers[i] * 2));
  for (cl_uint i = 0; i < 2 * LANES; i++) CHECK(got[i] == pixels[WIDTH + i]);
  for (cl_uint i = 0; i < HEIGHT * WIDTH; i++)
    CHECK(none[i] == (i / WIDTH == 1 || i / WIDTH == 2 ? pixels[i] * 2 : 0));
  for (cl_uint i = 0; i < 4; i++) clReleaseMemObject(args[i]);
  clReleaseKernel(kernel);
}

static void check_refused(void) {
  cl_program program = il_program("1.2", wrong);
  char log[4096] = "";
  EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "", NULL, NULL));
  clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
  CHECK(*log);
  clReleaseProgram(program);
}

int main(void) {
  need_assembler();
  open_device();
  if (!has_images()) return finish();
  check_shuffles();
  check_blocks();
  check_refused();
  return finish();
}

/* SPV_INTEL_subgroups: shuffles of one and of two values, blocks of buffers and of images, in one
 * sub-group of 16, or of the size that the device has instead; and a block of what cannot be one is
 * refused. */
#include "assemble.h"

/* #n in a text: n times the lanes of a sub-group. */
#define HEAD(memory)                                                                               \
  "OpCapability Addresses\nOpCapability Kernel\nOpCapability Int16\nOpCapability Int64\n"          \
  "OpCapability ImageBasic\nOpCapability SubgroupDispatch\n"                                       \
  "OpCapability SubgroupShuffleINTEL\nOpCapability SubgroupBufferBlockIOINTEL\n"                   \
  "OpCapability SubgroupImageBlockIOINTEL\nOpExtension \"SPV_INTEL_subgroups\"\n"                  \
  "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\" %lane\n"                          \
  "OpExecutionMode %k SubgroupSize #1\n"                                                           \
  "OpDecorate %lane BuiltIn SubgroupLocalInvocationId\nOpDecorate %lane Constant\n"                \
  "%void = OpTypeVoid\n%int = OpTypeInt 32 0\n%short = OpTypeInt 16 0\n%float = OpTypeFloat 32\n"  \
  "%v2 = OpTypeVector %int 2\n%s4 = OpTypeVector %short 4\n%f2 = OpTypeVector %float 2\n"          \
  "%in_int = OpTypePointer Input %int\n%lane = OpVariable %in_int Input\n"                         \
  "%to_int = OpTypePointer CrossWorkgroup %int\n%to_short = OpTypePointer CrossWorkgroup %short\n" \
  "%from = OpTypeImage %void 2D 0 0 0 0 Unknown ReadOnly\n"                                        \
  "%to = OpTypeImage %void 2D 0 0 0 0 Unknown WriteOnly\n"                                         \
  "%i1 = OpConstant %int 1\n%i3 = OpConstant %int 3\n%i5 = OpConstant %int 5\n"                      \
  "%i16 = OpConstant %int 16\n%i64 = OpConstant %int 64\n%n1 = OpConstant %int #1\n"               \
  "%n2 = OpConstant %int #2\n%n3 = OpConstant %int #3\n"                                           \
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
        "%ac = OpShiftLeftLogical %int %c %i16\n"
        "%ac2 = OpBitwiseOr %int %a %ac\n" PUT("p0", "i0", "ac2") PUT("p1", "n1", "d")
            PUT("p2", "n2", "e") PUT("p3", "n3", "t") END;

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

enum { MOST_LANES = 32, HEIGHT = 4 };
static size_t lanes, all[3] = {0, HEIGHT, 1}; /* an image is as wide as a sub-group */
static const size_t origin[3] = {0};

/* 16, if the device has such sub-groups, else the first of its sizes. */
static void choose_lanes(void) {
  size_t sizes[8] = {0}, size = 0;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &size));
  lanes = sizes[0];
  for (size_t i = 0; i < size / sizeof *sizes; i++)
    if (sizes[i] == 16) lanes = 16;
  CHECK(lanes && lanes <= MOST_LANES);
  all[0] = lanes;
}

static const char *with_lanes(const char *text) {
  static char made[8192];
  char *to = made;
  for (; *text; text++)
    if (*text == '#')
      to += sprintf(to, "%u", (unsigned)(*++text - '0') * (unsigned)lanes);
    else
      *to++ = *text;
  *to = 0;
  return made;
}

static cl_kernel kernel_of(const char *text) {
  cl_program program = il_build("1.2", with_lanes(text));
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
  cl_uint got[4 * MOST_LANES];
  cl_kernel kernel = kernel_of(shuffles);
  cl_mem out = clCreateBuffer(context, 0, sizeof got, NULL, NULL);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  run(kernel);
  read_values(out, got, sizeof got);
  for (cl_uint i = 0; i < lanes; i++) {
    CHECK(got[i] == ((i ^ 5) * 3 | (i ^ 1) * 3 << 16));
    CHECK(got[lanes + i] == (i + 3 < lanes ? (i + 3) * 3 : (i + 3 - lanes) * 3 + 64));
    CHECK(got[2 * lanes + i] == (i >= 3 ? (i - 3) * 3 : (i + lanes - 3) * 3 + 64));
    CHECK(got[3 * lanes + i] == (i ^ 1) * 3 + 64);
  }
  clReleaseKernel(kernel);
  clReleaseMemObject(out);
}

static cl_mem image_of(const cl_uint *pixels) {
  cl_int error;
  const cl_image_format format = {CL_R, CL_UNSIGNED_INT32};
  const cl_image_desc desc = {
      .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = lanes, .image_height = HEIGHT};
  cl_mem image =
      clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, (void *)pixels, &error);
  CHECK(image && !error);
  return image;
}

static void check_blocks(void) {
  cl_uint pixels[HEIGHT * MOST_LANES] = {0}, none[HEIGHT * MOST_LANES] = {0}, got[2 * MOST_LANES];
  cl_ushort numbers[4 * MOST_LANES] = {0}, twice[4 * MOST_LANES];
  for (cl_uint i = 0; i < HEIGHT * lanes; i++) pixels[i] = i * 1000003;
  for (cl_uint i = 0; i < 4 * lanes; i++) numbers[i] = (cl_ushort)(i * 77);
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
  for (cl_uint i = 0; i < 4 * lanes; i++) CHECK(twice[i] == (cl_ushort)(numbers[i] * 2));
  for (cl_uint i = 0; i < 2 * lanes; i++) CHECK(got[i] == pixels[lanes + i]);
  for (cl_uint i = 0; i < HEIGHT * lanes; i++)
    CHECK(none[i] == (i / lanes == 1 || i / lanes == 2 ? pixels[i] * 2 : 0));
  for (cl_uint i = 0; i < 4; i++) clReleaseMemObject(args[i]);
  clReleaseKernel(kernel);
}

static void check_refused(void) {
  cl_program program = il_program("1.2", with_lanes(wrong));
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
  choose_lanes();
  check_shuffles();
  check_blocks();
  check_refused();
  return finish();
}

/* clCreateProgramWithIL and what goes with it: specialisation constants, linking with programs in
 * OpenCL C, binaries, and modules that are wrong. */
#include "assemble.h"

static char report[] = "/tmp/maniple-il-XXXXXX";

#define HEAD(capabilities)                                                                         \
  "OpCapability Addresses\nOpCapability Kernel\nOpCapability Linkage\n" capabilities

/* out[0] = number * 2 + (negative ? 100 : 0); out[1] = low bits of a 64-bit one */
static const char constants[] = HEAD(
    "OpCapability Int64\nOpCapability Int8\n") "OpMemoryModel Physical64 OpenCL\n"
                                               "OpEntryPoint Kernel %k \"k\"\n"
                                               "OpDecorate %number SpecId 7\n"
                                               "OpDecorate %negative SpecId 8\n"
                                               "OpDecorate %large SpecId 9\n"
                                               "OpDecorate %small SpecId 10\n"
                                               "%void = OpTypeVoid\n%bool = OpTypeBool\n"
                                               "%char = OpTypeInt 8 0\n%int = OpTypeInt 32 "
                                               "0\n%long = OpTypeInt 64 0\n"
                                               "%number = OpSpecConstant %int 3\n"
                                               "%negative = OpSpecConstantFalse %bool\n"
                                               "%large = OpSpecConstant %long 5\n"
                                               "%small = OpSpecConstant %char 1\n"
                                               "%int_0 = OpConstant %int 0\n%int_1 = OpConstant "
                                               "%int 1\n%int_2 = OpConstant %int 2\n"
                                               "%int_3 = OpConstant %int 3\n%int_100 = OpConstant "
                                               "%int 100\n"
                                               "%twice = OpSpecConstantOp %int IMul %number "
                                               "%int_2\n"
                                               "%more = OpSpecConstantOp %int Select %negative "
                                               "%int_100 %int_0\n"
                                               "%sum = OpSpecConstantOp %int IAdd %twice %more\n"
                                               "%array = OpTypeArray %int %number\n"
                                               "%size = OpSpecConstantOp %int IMul %number %int_1\n"
                                               "%pointer = OpTypePointer CrossWorkgroup %int\n"
                                               "%type = OpTypeFunction %void %pointer\n"
                                               "%k = OpFunction %void None %type\n"
                                               "%out = OpFunctionParameter %pointer\n"
                                               "%begin = OpLabel\n"
                                               "OpStore %out %sum Aligned 4\n"
                                               "%second = OpInBoundsPtrAccessChain %pointer %out "
                                               "%int_1\n"
                                               "%low = OpUConvert %int %large\n"
                                               "OpStore %second %low Aligned 4\n"
                                               "%third = OpInBoundsPtrAccessChain %pointer %out "
                                               "%int_2\n"
                                               "%wide = OpSConvert %int %small\n"
                                               "OpStore %third %wide Aligned 4\n"
                                               "OpReturn\nOpFunctionEnd\n";

static void run_constants(cl_program program, cl_int first, cl_int second, cl_int third) {
  cl_int error, values[3] = {-1, -1, -1};
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  CHECK(kernel);
  if (!kernel) return;
  run_on(kernel, values, 3, 1); /* all work-items write the same */
  CHECK(values[0] == first && values[1] == second && values[2] == third);
  clReleaseKernel(kernel);
}

static void test_constants(void) {
  cl_program program = il_program("1.0", constants);
  const cl_int number = 11;
  const cl_uchar truth = 1, small = 0xfe;
  const cl_ulong large = 0x100000002;
  run_constants(program, 6, 5, 1);
  EXPECT(CL_SUCCESS, clSetProgramSpecializationConstant(program, 7, sizeof number, &number));
  run_constants(program, 22, 5, 1);
  EXPECT(CL_SUCCESS, clSetProgramSpecializationConstant(program, 8, sizeof truth, &truth));
  EXPECT(CL_SUCCESS, clSetProgramSpecializationConstant(program, 9, sizeof large, &large));
  EXPECT(CL_SUCCESS, clSetProgramSpecializationConstant(program, 10, sizeof small, &small));
  run_constants(program, 122, 2, -2);
  EXPECT(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(program, 1, 4, &number));
  EXPECT(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 7, 8, &large));
  EXPECT(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 7, 0, &number));
  EXPECT(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 7, 4, NULL));
  EXPECT(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(NULL, 7, 4, &number));
  clReleaseProgram(program);
  program = source_program("kernel void k(global int *p) { *p = 1; }");
  EXPECT(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(program, 7, 4, &number));
  clReleaseProgram(program);
}

/* Vectors of each size cross from one language to the other, both ways. */
/* Nobody has checked a module when its constants are set: this one's is a number of 1024 bits. */
static void test_wide_constant(void) {
  const cl_uint id_1 = 1, id_2 = 2, number = 7, spec_id = 1;
  const cl_uint words[] = {0x07230203,   0x10200, 0,       3,      0, /* the header */
                           4 << 16 | 71, id_2,    spec_id, number,    /* OpDecorate */
                           4 << 16 | 21, id_1,    1024,    0,         /* OpTypeInt */
                           4 << 16 | 50, id_1,    id_2,    0};        /* OpSpecConstant */
  static const unsigned char value[128];
  cl_int error;
  cl_program program = clCreateProgramWithIL(context, words, sizeof words, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_INVALID_SPEC_ID,
         clSetProgramSpecializationConstant(program, number, sizeof value, value));
  clReleaseProgram(program);
}

static const char linked[] = HEAD(
    "OpCapability Int64\nOpCapability Int8\nOpCapability Vector16\n") "OpMemoryModel Physical64 "
                                                                      "OpenCL\n"
                                                                      "OpDecorate %theirs "
                                                                      "LinkageAttributes "
                                                                      "\"theirs\" Import\n"
                                                                      "OpDecorate %ours "
                                                                      "LinkageAttributes \"ours\" "
                                                                      "Export\n"
                                                                      "%char = OpTypeInt 8 0\n%int "
                                                                      "= OpTypeInt 32 0\n%long = "
                                                                      "OpTypeInt 64 0\n%float = "
                                                                      "OpTypeFloat 32\n"
                                                                      "%char3 = OpTypeVector %char "
                                                                      "3\n%int2 = OpTypeVector "
                                                                      "%int 2\n%long8 = "
                                                                      "OpTypeVector %long 8\n"
                                                                      "%float3 = OpTypeVector "
                                                                      "%float 3\n%float16 = "
                                                                      "OpTypeVector %float 16\n"
                                                                      "%type = OpTypeFunction "
                                                                      "%float16 %char3 %int2 "
                                                                      "%float3 %long8 %float16\n"
                                                                      "%theirs = OpFunction "
                                                                      "%float16 None %type\n"
                                                                      "%1 = OpFunctionParameter "
                                                                      "%char3\n%2 = "
                                                                      "OpFunctionParameter %int2\n"
                                                                      "%3 = OpFunctionParameter "
                                                                      "%float3\n%4 = "
                                                                      "OpFunctionParameter %long8\n"
                                                                      "%5 = OpFunctionParameter "
                                                                      "%float16\n"
                                                                      "OpFunctionEnd\n"
                                                                      "%ours = OpFunction %float16 "
                                                                      "None %type\n"
                                                                      "%a = OpFunctionParameter "
                                                                      "%char3\n%b = "
                                                                      "OpFunctionParameter %int2\n"
                                                                      "%c = OpFunctionParameter "
                                                                      "%float3\n%d = "
                                                                      "OpFunctionParameter %long8\n"
                                                                      "%e = OpFunctionParameter "
                                                                      "%float16\n"
                                                                      "%begin = OpLabel\n"
                                                                      "%swapped = OpVectorShuffle "
                                                                      "%int2 %b %b 1 0\n"
                                                                      "%moved = OpVectorShuffle "
                                                                      "%char3 %a %a 1 2 0\n"
                                                                      "%turned = OpVectorShuffle "
                                                                      "%float3 %c %c 2 0 1\n"
                                                                      "%value = OpFunctionCall "
                                                                      "%float16 %theirs %moved "
                                                                      "%swapped %turned %d %e\n"
                                                                      "%twice = OpFAdd %float16 "
                                                                      "%value %value\n"
                                                                      "OpReturnValue "
                                                                      "%twice\nOpFunctionEnd\n";

static const char caller[] =
    "float16 ours(char3 a, int2 b, float3 c, long8 d, float16 e);\n"
    "float16 theirs(char3 a, int2 b, float3 c, long8 d, float16 e) {\n"
    "  float16 r = e;\n"
    "  r.s0 += a.x; r.s1 += a.y; r.s2 += a.z; r.s3 += b.x; r.s4 += b.y;\n"
    "  r.s567 += c; r.s89abcdef += convert_float8(d);\n"
    "  return r;\n"
    "}\n"
    "kernel void k(global int *out) {\n"
    "  float16 r = ours((char3)(1, 2, -3), (int2)(40, 50), (float3)(6, 7, 8),\n"
    "                   (long8)(10, 11, 12, 13, 14, 15, 16, 17), (float16)(100));\n"
    "  vstore16(convert_int16(r), 0, out);\n"
    "}\n";

static cl_program compiled(cl_program program) {
  cl_int error = clCompileProgram(program, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL);
  CHECK(!error);
  if (error) print_log(program);
  return program;
}

static void run_linked(cl_program program) {
  static const cl_int parts[16] = {2, -3, 1, 50, 40, 8, 6, 7, 10, 11, 12, 13, 14, 15, 16, 17};
  cl_int error, values[16] = {0};
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  CHECK(kernel);
  if (!kernel) return;
  run_on(kernel, values, 16, 1);
  for (int i = 0; i < 16; i++) CHECK(values[i] == 2 * (100 + parts[i]));
  clReleaseKernel(kernel);
}

static void test_linking(void) {
  cl_int error;
  const cl_program parts[] = {compiled(il_program("1.0", linked)),
                              compiled(source_program(caller))};
  for (int turn = 0; turn < 2; turn++) {
    const cl_program list[] = {parts[turn], parts[!turn]};
    cl_program program = clLinkProgram(context, 0, NULL, "", 2, list, NULL, NULL, &error);
    CHECK(!error);
    if (error) print_log(program);
    run_linked(program);
    clReleaseProgram(program);
  }
  for (int i = 0; i < 2; i++) clReleaseProgram(parts[i]);
}

static void test_binary(cl_program program) {
  size_t size;
  cl_int error;
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *binary = malloc(size);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  cl_program again = clCreateProgramWithBinary(context, 1, &device, &size,
                                               (const unsigned char **)&binary, NULL, &error);
  CHECK(again);
  run_constants(again, 6, 5, 1);
  clReleaseProgram(again);
  free(binary);
}

/* Refused, and the report (MANIPLE_DEBUG) says why. */
static void refused(cl_context where, const void *module, size_t size, cl_int code,
                    const char *word) {
  char line[512] = "";
  FILE *file = fopen(report, "w+");
  EXPECT_NULL(code, clCreateProgramWithIL(where, module, size, &error));
  CHECK(file);
  if (!file) return;
  CHECK(fgets(line, sizeof line, file) && strstr(line, "clCreateProgramWithIL: "));
  CHECK(strstr(line, word));
  fclose(file);
}

static void test_header(const unsigned char *module, size_t size) {
  cl_uint bad[8];
  EXPECT_NULL(CL_INVALID_CONTEXT, clCreateProgramWithIL(NULL, module, size, &error));
  refused(context, NULL, size, CL_INVALID_VALUE, "null");
  refused(context, module, 0, CL_INVALID_VALUE, "null");
  refused(context, module, 3, CL_INVALID_VALUE, "0x07230203");
  refused(context, module + 4, size - 4, CL_INVALID_VALUE, "0x07230203");
  refused(context, module, 16, CL_INVALID_VALUE, "header");
  refused(context, module, size - 2, CL_INVALID_VALUE, "multiple of 4");
  refused(context, module, 24, CL_INVALID_VALUE, "middle of an instruction");
  memcpy(bad, module, sizeof bad);
  bad[5] &= 0xffff;
  refused(context, bad, sizeof bad, CL_INVALID_VALUE, "no words");
  bad[1] = 0x20000;
  refused(context, bad, sizeof bad, CL_INVALID_VALUE, "version");
}

static void test_module(void) {
  size_t size, got = 0;
  cl_int error;
  unsigned char *module = assemble("1.0", constants, &size), *copy = malloc(size);
  cl_program program = clCreateProgramWithIL(context, module, size, &error);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_IL, size, copy, &got));
  CHECK(got == size && !memcmp(copy, module, size));
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_SOURCE, 0, NULL, &got));
  CHECK(got <= 1);
  run_constants(program, 6, 5, 1);
  test_binary(program);
  clReleaseProgram(program);
  for (size_t i = 0; i < size; i += 4) { /* the other order of bytes */
    uint32_t word;
    memcpy(&word, module + i, 4);
    word = __builtin_bswap32(word);
    memcpy(copy + i, &word, 4);
  }
  program = clCreateProgramWithIL(context, copy, size, &error);
  CHECK(program);
  run_constants(program, 6, 5, 1);
  clReleaseProgram(program);
  test_header(module, size);
  free(module);
  free(copy);
}

/* Each is refused, with a sentence that has the word. */
static void test_wrong(void) {
  static const struct {
    const char *word, *text;
  } rows[] = {
      {"Shader", "OpCapability Shader\nOpCapability Linkage\nOpMemoryModel Logical GLSL450\n"},
      {"32 bits", HEAD("") "OpMemoryModel Physical32 OpenCL\n"},
      {"SPV_INTEL_nothing",
       HEAD("OpExtension \"SPV_INTEL_nothing\"\n") "OpMemoryModel Physical64 OpenCL\n"},
      {"GLSL.std.450",
       HEAD("%1 = OpExtInstImport \"GLSL.std.450\"\n") "OpMemoryModel Physical64 OpenCL\n"},
      {"error", HEAD("") "OpMemoryModel Physical64 OpenCL\n%1 = OpTypeVoid\n"
                         "%2 = OpTypeFunction %1 %3\n"},
      {"spirv-dis --no-header",
       HEAD("") "OpMemoryModel Physical64 OpenCL\n%1 = OpTypeInt 32 0\n%2 = OpTypeFloat 32\n"
                "%3 = OpConstant %1 1\n%4 = OpTypeFunction %1\n%5 = OpFunction %1 None %4\n"
                "%6 = OpLabel\n%7 = OpFAdd %2 %3 %3\nOpReturnValue %3\nOpFunctionEnd\n"},
      {"'missing'", HEAD("") "OpMemoryModel Physical64 OpenCL\nOpEntryPoint Kernel %k \"k\"\n"
                             "OpDecorate %f LinkageAttributes \"missing\" Import\n"
                             "%void = OpTypeVoid\n%type = OpTypeFunction %void\n"
                             "%f = OpFunction %void None %type\nOpFunctionEnd\n"
                             "%k = OpFunction %void None %type\n%a = OpLabel\n"
                             "%1 = OpFunctionCall %void %f\nOpReturn\nOpFunctionEnd\n"},
  };
  static char log[65536];
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    cl_program program = il_program("1.0", rows[i].text);
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_SUCCESS,
           clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    CHECK(strstr(log, rows[i].word));
    if (!strstr(log, rows[i].word)) printf("for %s: %s\n", rows[i].word, log);
    clReleaseProgram(program);
  }
}

/* A module with words that are not what they were: refused or not, nothing crashes. */
static void test_damaged(void) {
  size_t size;
  unsigned char *module = assemble("1.0", constants, &size), *copy = malloc(size);
  uint64_t state = 1;
  for (int turn = 0; turn < 12; turn++) {
    memcpy(copy, module, size);
    state = state * 6364136223846793005u + 1442695040888963407u;
    copy[20 + (state >> 33) % (size - 20)] ^= (unsigned char)(1 << (state >> 61));
    cl_int error;
    cl_program program = clCreateProgramWithIL(context, copy, size, &error);
    if (!program) continue;
    clBuildProgram(program, 0, NULL, NULL, NULL, NULL);
    clReleaseProgram(program);
  }
  free(module);
  free(copy);
}

int main(void) {
  need_assembler();
  if (close(mkstemp(report))) return 1;
  setenv("MANIPLE_LOG", report, 1);
  setenv("MANIPLE_DEBUG", "error", 1);
  open_device();
  test_module();
  test_constants();
  test_wide_constant();
  test_linking();
  test_wrong();
  test_damaged();
  unlink(report);
  return finish();
}

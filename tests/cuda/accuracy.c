/* Quotients and roots of a program in SPIR-V are as exact as those of the same one in OpenCL C: the
 * same instructions of PTX, with -cl-fp32-correctly-rounded-divide-sqrt and without. */
#define _GNU_SOURCE
#include "spirv/assemble.h"

static const char module[] =
    "OpCapability Addresses\nOpCapability Kernel\n"
    "%std = OpExtInstImport \"OpenCL.std\"\nOpMemoryModel Physical64 OpenCL\n"
    "OpEntryPoint Kernel %k \"k\"\n"
    "%void = OpTypeVoid\n%int = OpTypeInt 32 0\n%float = OpTypeFloat 32\n"
    "%one = OpConstant %int 1\n"
    "%pointer = OpTypePointer CrossWorkgroup %float\n%type = OpTypeFunction %void %pointer\n"
    "%k = OpFunction %void None %type\n%p = OpFunctionParameter %pointer\n%begin = OpLabel\n"
    "%q = OpInBoundsPtrAccessChain %pointer %p %one\n"
    "%x = OpLoad %float %p Aligned 4\n%y = OpLoad %float %q Aligned 4\n"
    "%quotient = OpFDiv %float %x %y\n%root = OpExtInst %float %std sqrt %y\n"
    "OpStore %p %quotient Aligned 4\nOpStore %q %root Aligned 4\nOpReturn\nOpFunctionEnd\n";
static const char source[] =
    "kernel void k(global float *p) { float x = p[0], y = p[1]; p[0] = x / y; p[1] = sqrt(y); }";

/* Which of those are in the program's PTX, as bits. */
static unsigned instructions_of(cl_program program, const char *options) {
  static const char *const wanted[] = {"div.rn.f32", "sqrt.rn.f32", "div.full.f32",
                                       "sqrt.approx.f32"};
  unsigned found = 0;
  size_t size = 0;
  unsigned char *binary;
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, options, NULL, NULL));
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  binary = malloc(size + 1);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
  for (unsigned i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (memmem(binary, size, wanted[i], strlen(wanted[i]))) found |= 1u << i;
  free(binary);
  clReleaseProgram(program);
  return found;
}

static void compare(const char *options, unsigned rounded) {
  const char *text = source;
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  unsigned in_c = instructions_of(program, options);
  unsigned in_spirv = instructions_of(il_program("1.0", module), options);
  if (in_c == in_spirv && (in_c & 3) == rounded && in_c) return;
  printf("\"%s\": %x in OpenCL C, %x in SPIR-V\n", options, in_c, in_spirv);
  failures++;
}

int main(void) {
  need_assembler();
  open_device();
  compare("", 0);
  compare("-cl-fp32-correctly-rounded-divide-sqrt", 3);
  return finish();
}

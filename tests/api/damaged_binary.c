/* Binaries whose words are not what they were, under a right checksum: each is CL_INVALID_BINARY
 * when it comes or when it is built, or is one that all queries of its kernels can be asked of.
 * Kernels are not run, since code is code.  Arguments: how many (400), and the first one's number
 * (1). */
#include "api.h"
#include "toolchain/hash.h"

enum { CHECKSUM = 8, SUMMED = CHECKSUM + MPL_HASH_SIZE };

static const char source[] =
    "typedef struct { int a[5]; float4 b; } pack;\n"
    "constant char *constant words[] = {\"ab\", \"cde\", \"f\"};\n"
    "global int counter = 5;\n"
    "kernel void first(global int *out, pack p, local float *tmp, float3 v, int i) {\n"
    "  tmp[get_local_id(0)] = v.x + p.b.y;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  out[get_global_id(0)] = tmp[get_local_id(0) ^ 1] + p.a[i] + words[i % 3][0] + counter++;\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(8, 1, 1))) __attribute__((vec_type_hint(float4)))\n"
    "void second(read_only image2d_t image, sampler_t s, global float4 *restrict out) {\n"
    "  out[get_global_id(0)] = sin(read_imagef(image, s, (float2)(0.5f)));\n"
    "}\n"
    "kernel void third(constant char *text, global double *sum) {\n"
    "  sum[0] = sub_group_reduce_add(pow((double)text[get_local_id(0)], 1.5));\n"
    "}\n";

static uint64_t next(uint64_t *state) {
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return *state >> 20;
}

static void ask_text(cl_kernel kernel, cl_kernel_info what) {
  char text[256];
  size_t size = 0;
  if (!clGetKernelInfo(kernel, what, 0, NULL, &size) && size <= sizeof text)
    EXPECT(CL_SUCCESS, clGetKernelInfo(kernel, what, sizeof text, text, NULL));
}

static void ask_arg(cl_kernel kernel, cl_uint index) {
  static const cl_kernel_arg_info list[] = {
      CL_KERNEL_ARG_NAME, CL_KERNEL_ARG_TYPE_NAME, CL_KERNEL_ARG_ADDRESS_QUALIFIER,
      CL_KERNEL_ARG_ACCESS_QUALIFIER, CL_KERNEL_ARG_TYPE_QUALIFIER};
  static const char zero[256];
  char answer[256];
  for (size_t i = 0; i < sizeof list / sizeof *list; i++)
    clGetKernelArgInfo(kernel, index, list[i], sizeof answer, answer, NULL);
  for (size_t size = 1; size <= 64; size++) clSetKernelArg(kernel, index, size, zero);
  clSetKernelArg(kernel, index, 8, NULL);
}

static void ask(cl_kernel kernel) {
  static const cl_kernel_work_group_info sizes[] = {
      CL_KERNEL_WORK_GROUP_SIZE, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, CL_KERNEL_LOCAL_MEM_SIZE,
      CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_KERNEL_PRIVATE_MEM_SIZE};
  static const cl_kernel_sub_group_info groups[] = {
      CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE,
      CL_KERNEL_MAX_NUM_SUB_GROUPS, CL_KERNEL_COMPILE_NUM_SUB_GROUPS};
  const size_t local[3] = {16, 1, 1};
  size_t answer[3];
  cl_uint count = 0;
  ask_text(kernel, CL_KERNEL_FUNCTION_NAME);
  ask_text(kernel, CL_KERNEL_ATTRIBUTES);
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    clGetKernelWorkGroupInfo(kernel, device, sizes[i], sizeof answer, answer, NULL);
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++)
    clGetKernelSubGroupInfo(kernel, device, groups[i], sizeof local, local, sizeof answer, answer,
                            NULL);
  EXPECT(CL_SUCCESS, clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
  for (cl_uint i = 0; i < count && i < 64; i++) ask_arg(kernel, i);
  cl_kernel copy = clCloneKernel(kernel, NULL);
  if (copy) clReleaseKernel(copy);
}

static bool try_binary(const unsigned char *bytes, size_t size) {
  cl_int status, error;
  cl_kernel kernels[16];
  cl_uint count = 0;
  char text[4096];
  cl_program program =
      clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &error);
  if (!program) {
    EXPECT(CL_INVALID_BINARY, error);
    return false;
  }
  error = clBuildProgram(program, 1, &device, "", NULL, NULL);
  CHECK(!error || error == CL_INVALID_BINARY || error == CL_BUILD_PROGRAM_FAILURE);
  if (!error) {
    clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL);
    if (clCreateKernelsInProgram(program, 16, kernels, &count)) count = 0;
  }
  for (cl_uint i = 0; i < count; i++) {
    ask(kernels[i]);
    clReleaseKernel(kernels[i]);
  }
  clReleaseProgram(program);
  return !error;
}

/* One or two words change, to what a number nearby, a bit, or anything would be. */
static void damage(unsigned char *bytes, size_t size, uint64_t number) {
  uint64_t state = number * 0x9e3779b97f4a7c15u;
  for (uint64_t turns = 1 + next(&state) % 2; turns; turns--) {
    uint32_t word;
    size_t words = (size - SUMMED) / sizeof word, at = next(&state) % words;
    memcpy(&word, bytes + SUMMED + at * sizeof word, sizeof word);
    switch (next(&state) % 4) {
    case 0:
      word ^= 1u << next(&state) % 32;
      break;
    case 1:
      word += (uint32_t)(next(&state) % 129) - 64;
      break;
    case 2:
      word = (uint32_t)next(&state);
      break;
    default:
      word = next(&state) & 1 ? 0 : 0xffffffff;
    }
    memcpy(bytes + SUMMED + at * sizeof word, &word, sizeof word);
  }
  mpl_hash(bytes + SUMMED, size - SUMMED, bytes + CHECKSUM);
}

/* Relocations and what they make are a small part of a binary: most changes are there. */
static size_t find_words(const unsigned char *bytes, size_t size, size_t *places, size_t room) {
  size_t count = 0;
  for (size_t at = SUMMED; at + 24 <= size && count < room; at += 8) {
    uint64_t words[3];
    memcpy(words, bytes + at, sizeof words);
    if (words[0] && words[0] < size && (words[1] == 8 || (words[1] & 0xffffffff) == 1) &&
        words[2] < size)
      places[count++] = at;
  }
  return count;
}

int main(int argc, char **argv) {
  enum { ROOM = 4096 };
  static size_t places[ROOM];
  uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 400;
  uint64_t first = argc > 2 ? strtoull(argv[2], NULL, 10) : 1, loaded = 0;
  size_t size;
  open_device();
  cl_program program = source_program(source);
  EXPECT(CL_SUCCESS,
         clBuildProgram(program, 1, &device, "-cl-std=CL3.0 -cl-kernel-arg-info", NULL, NULL));
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
  unsigned char *bytes = malloc(size), *copy = malloc(size);
  EXPECT(CL_SUCCESS, clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL));
  clReleaseProgram(program);
  memcpy(copy, bytes, size);
  mpl_hash(copy + SUMMED, size - SUMMED, copy + CHECKSUM);
  CHECK(!memcmp(copy, bytes, size) &&
        try_binary(bytes, size)); /* the checksum is where it is thought */
  size_t num_places = find_words(bytes, size, places, ROOM);
  CHECK(num_places > 20);
  for (uint64_t number = first; number < first + count; number++) {
    memcpy(copy, bytes, size);
    if (number % 2 && num_places) {
      uint64_t state = number * 0xd1342543de82ef95u;
      size_t at = places[next(&state) % num_places] + 4 * (next(&state) % 6);
      uint32_t word = (uint32_t)next(&state) >> next(&state) % 32;
      memcpy(copy + at, &word, sizeof word);
      mpl_hash(copy + SUMMED, size - SUMMED, copy + CHECKSUM);
    } else
      damage(copy, size, number);
    if (argc > 3) printf("%llu\n", (unsigned long long)number), fflush(stdout);
    loaded += try_binary(copy, size);
  }
  printf("%llu of %llu damaged binaries are refused\n", (unsigned long long)(count - loaded),
         (unsigned long long)count);
  CHECK(loaded < count);
  free(bytes);
  free(copy);
  return finish();
}

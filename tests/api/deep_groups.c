/* Groups of many work-items in the third dimension, which a GPU's blocks do not have: ids, sizes,
 * order, local memory, sub-groups, ragged edges; in programs with variables of their own too. */
#include "api.h"

static const char body[] =
    "kernel void deep(global ulong *out, local uint *l) {\n"
    "  size_t x = get_local_id(0), y = get_local_id(1), z = get_local_id(2);\n"
    "  size_t nx = get_local_size(0), ny = get_local_size(1), nz = get_local_size(2);\n"
    "  size_t own = x + nx * (y + ny * z), all = nx * ny * nz;\n"
    "  l[own] = own;\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  uint sum = 0;\n"
    "  for (size_t i = 0; i < all; i++) sum += l[i];\n"
    "  bool good = own == get_local_linear_id() && sum == all * (all - 1) / 2 &&\n"
    "    work_group_scan_exclusive_add(1) == own && work_group_reduce_add(1) == all &&\n"
    "    work_group_broadcast((int)own, nx - 1, 0, nz - 1) == nx - 1 + nx * ny * (nz - 1) &&\n"
    "    get_sub_group_local_id() == own - get_sub_group_id() * get_max_sub_group_size();\n"
    "  size_t at = get_global_id(0) + get_global_size(0) * (get_global_id(1) + get_global_size(1) "
    "* "
    "get_global_id(2));\n"
    "  out[at] = good ? x | y << 8 | z << 16 | (z >= 64 ? 1ul << 32 : 0) | COUNTED << 40 : 0;\n"
    "}\n";
static const char *const heads[] = {"#define COUNTED (size_t)1\n",
                                    "global uint counted = 0;\n#define COUNTED (size_t)(atomic_or("
                                    "&counted, 1) == atomic_or(&counted, 0) || 1)\n"};

enum { X = 5, Y = 4, Z = 300, ITEMS = X * Y * Z };

static void check_range(cl_kernel kernel, cl_mem out, const size_t local[3]) {
  static cl_ulong got[ITEMS];
  const size_t global[] = {X, Y, Z};
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 1, 1024 * sizeof(cl_uint), NULL));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
  size_t wrong = 0;
  for (size_t i = 0; i < ITEMS; i++) {
    cl_ulong x = i % X % local[0], y = i / X % Y % local[1], z = i / (X * Y) % local[2];
    wrong +=
        got[i] != (x | y << 8 | z << 16 | (z >= 64 ? (cl_ulong)1 << 32 : 0) | (cl_ulong)1 << 40);
  }
  if (wrong) printf("%zu wrong of %zux%zux%zu\n", wrong, local[0], local[1], local[2]);
  CHECK(!wrong);
}

int main(void) {
  static const size_t locals[][3] = {{3, 2, 100}, {5, 1, 65},  {1, 1, 300}, {1, 3, 64},
                                     {3, 4, 80},  {1, 1, 256}, {2, 3, 150}, {1, 4, 250}};
  size_t most[3];
  open_device();
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_ITEM_SIZES, sizeof most, most, NULL));
  CHECK(most[2] >= 300);
  cl_mem out = clCreateBuffer(context, 0, ITEMS * sizeof(cl_ulong), NULL, NULL);
  for (size_t h = 0; h < 2; h++) {
    char text[4096];
    snprintf(text, sizeof text, "%s%s", heads[h], body);
    cl_program program = build(text, "-cl-std=CL3.0");
    cl_kernel kernel = clCreateKernel(program, "deep", NULL);
    for (size_t l = 0; l < sizeof locals / sizeof *locals; l++) check_range(kernel, out, locals[l]);
    clReleaseKernel(kernel);
    clReleaseProgram(program);
  }
  clReleaseMemObject(out);
  return finish();
}

/* Sub-group queries of device and kernel: they agree with one another and with what kernels see. */
#include "api.h"

#include <CL/cl_ext.h>

static const char source[] =
    "kernel void sizes(global uint *out) {\n"
    "  if (get_local_linear_id()) return;\n"
    "  out[0] = get_max_sub_group_size();\n"
    "  out[1] = get_num_sub_groups();\n"
    "  out[2] = get_enqueued_num_sub_groups();\n"
    "}\n"
    "kernel __attribute__((intel_reqd_sub_group_size(32))) void wide(global uint *out) {\n"
    "  out[0] = get_max_sub_group_size();\n"
    "}\n"
    "kernel __attribute__((reqd_sub_group_size(8))) __attribute__((reqd_work_group_size(8, 3, "
    "1)))\n"
    "void flat(global uint *out) { out[0] = get_max_sub_group_size(); }\n";

static size_t ask(cl_kernel kernel, cl_kernel_sub_group_info param, const void *input,
                  size_t input_size) {
  size_t answer = 999999, size = 0;
  EXPECT(CL_SUCCESS, clGetKernelSubGroupInfo(kernel, device, param, input_size, input,
                                             sizeof answer, &answer, &size));
  CHECK(size == sizeof answer);
  return answer;
}

/* NVIDIA's GPUs have no larger sub-groups than of the 32 lanes that they run together. */
static bool is_gpu(void) {
  char vendor[256] = "";
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_VENDOR, sizeof vendor, vendor, NULL));
  return strstr(vendor, "NVIDIA") != NULL;
}

static void check_device(void) {
  cl_uint most = 0;
  cl_bool independent = CL_FALSE;
  size_t sizes[16], bytes = 0, largest = 0;
  char text[8192];
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, 0));
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof largest, &largest, NULL));
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                                     sizeof independent, &independent, NULL));
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes));
  CHECK(bytes == (is_gpu() ? 3 : 4) * sizeof *sizes);
  for (size_t i = 0; i < bytes / sizeof *sizes; i++) CHECK(sizes[i] == (size_t)8 << i);
  CHECK(most == (largest + 7) / 8);
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof text, text, NULL));
  CHECK(independent == (strstr(text, "cl_khr_subgroups ") ? CL_TRUE : CL_FALSE));
}

/* What a launch of one group sees. */
static void check_launch(cl_kernel kernel, cl_uint dims, const size_t *local) {
  cl_int error;
  cl_uint seen[3] = {0};
  size_t bytes = dims * sizeof *local;
  cl_mem out = clCreateBuffer(context, 0, sizeof seen, NULL, &error);
  EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof out, &out));
  EXPECT(CL_SUCCESS,
         clEnqueueNDRangeKernel(queue, kernel, dims, NULL, local, local, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queue, out, 1, 0, sizeof seen, seen, 0, NULL, NULL));
  CHECK(seen[0] == ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local, bytes));
  CHECK(seen[1] == ask(kernel, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, bytes));
  CHECK(seen[2] == seen[1]);
  EXPECT(CL_SUCCESS, clReleaseMemObject(out));
}

static void check_local_sizes(cl_kernel kernel, size_t most) {
  const size_t size = ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, &most, sizeof most);
  const cl_kernel_sub_group_info param = CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT;
  size_t local[3], bytes;
  for (size_t dims = 1; dims <= 3; dims++)
    for (size_t count = 0; count < most / size + 3; count += 1 + count / 4) {
      size_t fits = count && count * size <= most;
      EXPECT(CL_SUCCESS, clGetKernelSubGroupInfo(kernel, device, param, sizeof count, &count,
                                                 dims * sizeof *local, local, &bytes));
      CHECK(bytes == dims * sizeof *local);
      CHECK(local[0] == (fits ? count * size : 0));
      for (size_t d = 1; d < dims; d++) CHECK(local[d] == fits);
    }
  size_t overflows = SIZE_MAX / 2;
  EXPECT(CL_SUCCESS, clGetKernelSubGroupInfo(kernel, device, param, sizeof overflows, &overflows,
                                             sizeof *local, local, NULL));
  CHECK(local[0] == 0);
  EXPECT(CL_INVALID_VALUE,
         clGetKernelSubGroupInfo(kernel, device, param, 0, NULL, sizeof *local, local, NULL));
  EXPECT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, device, param, sizeof overflows,
                                                   &overflows, 7, local, NULL));
}

static void check_required(cl_program program) {
  const size_t local[2] = {8, 3}, three = 3;
  size_t sizes[3] = {9, 9, 9};
  cl_kernel wide = clCreateKernel(program, "wide", NULL), flat = clCreateKernel(program, "flat", 0);
  cl_ulong spill = 1;
  CHECK(ask(wide, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0) == 32);
  CHECK(ask(flat, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0) == 8);
  CHECK(ask(wide, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local, sizeof local) == 32);
  CHECK(ask(wide, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, sizeof local) == 1);
  CHECK(ask(flat, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, sizeof local) == 3);
  CHECK(ask(flat, CL_KERNEL_MAX_NUM_SUB_GROUPS, NULL, 0) == 3);
  /* 24 work-items, but in two dimensions. */
  EXPECT(CL_SUCCESS, clGetKernelSubGroupInfo(flat, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT,
                                             sizeof three, &three, sizeof sizes, sizes, NULL));
  CHECK(!sizes[0] && !sizes[1] && !sizes[2]);
  EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(wide, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL,
                                              sizeof spill, &spill, NULL));
  EXPECT(CL_SUCCESS, clReleaseKernel(wide));
  EXPECT(CL_SUCCESS, clReleaseKernel(flat));
}

static void check_errors(cl_kernel kernel) {
  const size_t local[4] = {4, 4, 4, 4};
  size_t answer;
  const cl_kernel_sub_group_info param = CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE;
#define ASK(k, d, p, input_size, input, size)                                                      \
  clGetKernelSubGroupInfo(k, d, p, input_size, input, size, &answer, NULL)
  EXPECT(CL_INVALID_KERNEL, ASK(NULL, device, param, 8, local, 8));
  EXPECT(CL_INVALID_DEVICE, ASK(kernel, WRONG(cl_device_id), param, 8, local, 8));
  EXPECT(CL_INVALID_VALUE, ASK(kernel, device, 0x1234, 8, local, 8));
  EXPECT(CL_INVALID_VALUE, ASK(kernel, device, param, 8, NULL, 8));
  EXPECT(CL_INVALID_VALUE, ASK(kernel, device, param, 0, local, 8));
  EXPECT(CL_INVALID_VALUE, ASK(kernel, device, param, 7, local, 8));
  EXPECT(CL_INVALID_VALUE, ASK(kernel, device, param, sizeof local, local, 8));
  EXPECT(CL_INVALID_VALUE, ASK(kernel, device, param, 8, local, 4));
  EXPECT(CL_SUCCESS, ASK(kernel, NULL, param, 8, local, 8));
  clGetKernelSubGroupInfoKHR_fn khr =
      (clGetKernelSubGroupInfoKHR_fn)clGetExtensionFunctionAddressForPlatform(
          platform, "clGetKernelSubGroupInfoKHR");
  CHECK(khr);
  if (khr) EXPECT(CL_SUCCESS, khr(kernel, device, param, 24, local, 8, &answer, NULL));
  CHECK(answer == ask(kernel, param, local, 24));
}

/* The size that the environment asks for, of kernels that do not; on a GPU all its lanes. */
static void check_default(cl_kernel kernel) {
  const char *text = getenv("MANIPLE_SUBGROUP_SIZE");
  const size_t one = 1;
  CHECK(ask(kernel, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, &one, sizeof one) ==
        (is_gpu() ? 32 : text ? (size_t)atoi(text) : 16));
  CHECK(ask(kernel, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0) == 0);
  CHECK(ask(kernel, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, NULL, 0) == 0);
}

int main(void) {
  static const size_t locals[][3] = {{1}, {64}, {100}, {16, 5}, {7, 3, 5}, {8, 8, 8}};
  open_device();
  check_device();
  cl_program program = build(source, "-cl-std=CL3.0 -cl-no-subgroup-ifp");
  cl_kernel kernel = clCreateKernel(program, "sizes", NULL);
  size_t most = 0;
  EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE,
                                              sizeof most, &most, NULL));
  for (size_t i = 0; i < sizeof locals / sizeof *locals; i++)
    check_launch(kernel, locals[i][2] ? 3 : locals[i][1] ? 2 : 1, locals[i]);
  check_local_sizes(kernel, most);
  check_required(program);
  check_errors(kernel);
  check_default(kernel);
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
  return finish();
}

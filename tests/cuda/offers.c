/* What a GPU offers, since tests of these things pass without doing any where they are not offered.
 */
#include "api/api.h"

static bool has_extension(const char *name) {
  static char names[16384];
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
  for (const char *at = names; (at = strstr(at, name)); at++)
    if ((at == names || at[-1] == ' ') && strchr(" ", at[strlen(name)])) return true;
  return false;
}

static cl_ulong number(cl_device_info question) {
  cl_ulong answer = 0;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, question, sizeof answer, &answer, NULL));
  return answer;
}

/* The message for groups that are too large names the device's limit, and no option of the CPU's. */
static void check_message(FILE *log) {
  static const char source[] = "kernel void k() {}";
  static char line[4096];
  const char *text = source;
  const size_t global[] = {64, 64}, local[] = {64, 64};
  cl_int error;
  cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  EXPECT(CL_INVALID_WORK_GROUP_SIZE,
         clEnqueueNDRangeKernel(queue, kernel, 2, NULL, global, local, 0, NULL, NULL));
  bool found = false;
  while (fgets(line, sizeof line, log)) {
    CHECK(!strstr(line, "MANIPLE_MAX"));
    found |= strstr(line, "1 to 1024 are possible") != NULL;
  }
  CHECK(found);
  EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

int main(void) {
  char path[64];
  FILE *log = tmpfile();
  snprintf(path, sizeof path, "/proc/self/fd/%d", fileno(log));
  setenv("MANIPLE_LOG", path, 1);
  setenv("MANIPLE_DEBUG", "error", 1);
  static const char *const extensions[] = {"cl_intel_unified_shared_memory",
                                           "cl_ext_buffer_device_address",
                                           "cl_khr_il_program",
                                           "cl_khr_3d_image_writes",
                                           "cl_khr_depth_images",
                                           "cl_khr_image2d_from_buffer",
                                           "cl_khr_kernel_clock",
                                           "cl_khr_subgroups",
                                           "cl_khr_subgroup_named_barrier",
                                           "cl_khr_subgroup_non_uniform_arithmetic"};
  open_device();
  CHECK(number(CL_DEVICE_TYPE) == CL_DEVICE_TYPE_GPU);
  CHECK(number(CL_DEVICE_SVM_CAPABILITIES) ==
        (CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_FINE_GRAIN_BUFFER));
  CHECK(number(CL_DEVICE_PIPE_SUPPORT));
  CHECK(number(CL_DEVICE_IMAGE_SUPPORT));
  CHECK(number(CL_DEVICE_LOCAL_MEM_TYPE) == CL_LOCAL);
  const char *corrects = getenv("TWIN_ECC"); /* of a GPU only it knows */
  CHECK(!corrects || number(CL_DEVICE_ERROR_CORRECTION_SUPPORT) == (cl_ulong)atoi(corrects));
  CHECK(number(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES) & CL_DEVICE_QUEUE_SUPPORTED);
  CHECK(number(CL_DEVICE_MAX_ON_DEVICE_QUEUES) == 256);
  CHECK(number(CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR) >= 8);
  CHECK(number(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE) == 32);
  for (size_t i = 0; i < sizeof extensions / sizeof *extensions; i++) {
    if (has_extension(extensions[i])) continue;
    printf("%s is not offered\n", extensions[i]);
    failures++;
  }
  check_message(log);
  return finish();
}

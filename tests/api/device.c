/* Device queries: floors of the full profile, agreement between queries and the compiler's macros,
 * timers, sub-devices. */
#include "abi/kernel.h"
#include "api.h"
#include "toolchain/cache/binary.h"

#define GET(type, param)                                                                           \
  ({                                                                                               \
    type value_ = 0;                                                                               \
    size_t size_ = 0;                                                                              \
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, param, sizeof value_, &value_, &size_));            \
    CHECK(size_ == sizeof value_);                                                                 \
    value_;                                                                                        \
  })

static void check_floors(void) {
  CHECK(GET(cl_uint, CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
  CHECK(GET(cl_uint, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS) == 3);
  CHECK(GET(size_t, CL_DEVICE_MAX_WORK_GROUP_SIZE) >= 1);
  CHECK(GET(cl_uint, CL_DEVICE_ADDRESS_BITS) == sizeof(void *) * 8);
  cl_ulong memory = GET(cl_ulong, CL_DEVICE_GLOBAL_MEM_SIZE), floor = memory / 4;
  if (floor > 1 << 30) floor = 1 << 30;
  if (floor < 32 << 20) floor = 32 << 20;
  CHECK(GET(cl_ulong, CL_DEVICE_MAX_MEM_ALLOC_SIZE) >= floor);
  CHECK(GET(size_t, CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
  CHECK(GET(cl_uint, CL_DEVICE_MEM_BASE_ADDR_ALIGN) >= 1024);
  cl_device_fp_config single = GET(cl_device_fp_config, CL_DEVICE_SINGLE_FP_CONFIG);
  CHECK(single & CL_FP_ROUND_TO_NEAREST && single & CL_FP_INF_NAN);
  cl_device_fp_config twice = GET(cl_device_fp_config, CL_DEVICE_DOUBLE_FP_CONFIG);
  const cl_device_fp_config all = CL_FP_FMA | CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM;
  CHECK((twice & all) == all);
  CHECK(GET(cl_ulong, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 65536);
  CHECK(GET(cl_uint, CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
  CHECK(GET(cl_ulong, CL_DEVICE_LOCAL_MEM_SIZE) >= 32768);
  CHECK(GET(size_t, CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1 << 20);
  CHECK(GET(cl_device_exec_capabilities, CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL);
  CHECK(GET(cl_command_queue_properties, CL_DEVICE_QUEUE_ON_HOST_PROPERTIES) &
        CL_QUEUE_PROFILING_ENABLE);
  CHECK(GET(cl_bool, CL_DEVICE_COMPILER_AVAILABLE) && GET(cl_bool, CL_DEVICE_LINKER_AVAILABLE));
  CHECK(GET(cl_bool, CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT));
  CHECK(GET(size_t, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE) >= 65536);
  CHECK(GET(cl_device_id, CL_DEVICE_PARENT_DEVICE) == NULL);
  CHECK(GET(cl_platform_id, CL_DEVICE_PLATFORM) == platform);
}

/* Each version of the list builds, and says so; and 3.1 builds whether it is reported or not. */
static void check_standards(void) {
  cl_name_version versions[16] = {{.version = CL_MAKE_VERSION(3, 1, 0)}};
  size_t size;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                                     sizeof versions - sizeof *versions, versions + 1, &size));
  for (size_t i = 0; i <= size / sizeof *versions; i++) {
    char source[400], option[32];
    unsigned major = CL_VERSION_MAJOR(versions[i].version),
             minor = CL_VERSION_MINOR(versions[i].version), c = 100 * major + 10 * minor;
    snprintf(source, sizeof source,
             "#if CL_VERSION_%u_%u != %u || (%u > 100 && __OPENCL_C_VERSION__ != %u)\n#error\n"
             "#endif\nkernel void k(global int *p) { %s }",
             major, minor, c, c, c, c < 300 ? "" : "*p = work_group_reduce_add(*p);");
    snprintf(option, sizeof option, "-cl-std=CL%u.%u", major, minor);
    clReleaseProgram(build(source, option));
  }
}

/* Features that the language leaves open (OpenCL C 3.0, 6.2.1). */
static const char *const optional[] = {"__opencl_c_int64",
                                       "__opencl_c_fp64",
                                       "__opencl_c_images",
                                       "__opencl_c_3d_image_writes",
                                       "__opencl_c_read_write_images",
                                       "__opencl_c_atomic_order_acq_rel",
                                       "__opencl_c_atomic_order_seq_cst",
                                       "__opencl_c_atomic_scope_device",
                                       "__opencl_c_atomic_scope_all_devices",
                                       "__opencl_c_generic_address_space",
                                       "__opencl_c_program_scope_global_variables",
                                       "__opencl_c_device_enqueue",
                                       "__opencl_c_pipes",
                                       "__opencl_c_subgroups",
                                       "__opencl_c_work_group_collective_functions",
                                       "__opencl_c_integer_dot_product_input_4x8bit",
                                       "__opencl_c_integer_dot_product_input_4x8bit_packed"};
/* Extensions without a macro. */
static const char *const host_only[] = {"cl_ext_cxx_for_opencl",
                                        "cl_khr_create_command_queue",
                                        "cl_khr_device_uuid",
                                        "cl_khr_extended_versioning",
                                        "cl_khr_priority_hints",
                                        "cl_khr_command_buffer",
                                        "cl_khr_semaphore",
                                        "cl_intel_unified_shared_memory",
                                        "cl_ext_buffer_device_address",
                                        "cl_khr_expect_assume",
                                        "cl_khr_il_program",
                                        "cl_khr_spirv_linkonce_odr",
                                        "cl_khr_spirv_queries",
                                        "cl_khr_spirv_no_integer_wrap_decoration",
                                        "cl_khr_command_buffer_mutable_dispatch",
                                        "cl_khr_throttle_hints",
                                        "cl_khr_suggested_local_work_size"};
static const char *const groups[] = {"cl_intel_subgroups", "cl_intel_subgroups_char",
                                     "cl_intel_required_subgroup_size"};

/* Appends lines that do not compile unless the macro is there, or is not. */
static void require_macro(char *source, const char *name, bool there) {
  sprintf(source + strlen(source), "#if%s %s\n#error %s\n#endif\n", there ? "ndef" : "def", name,
          name);
}

static void require_features(char *source) {
  static cl_name_version features[64];
  size_t size;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof features, features, &size));
  for (size_t i = 0; i < sizeof optional / sizeof *optional; i++) {
    bool reported = false;
    for (size_t j = 0; j < size / sizeof *features; j++)
      reported |= !strcmp(features[j].name, optional[i]);
    require_macro(source, optional[i], reported);
  }
}

static void require_extensions(char *source) {
  char extensions[4096];
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
  for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
    char word[64];
    snprintf(word, sizeof word, "%s ", groups[i]);
    if (!strstr(extensions, word)) require_macro(source, groups[i], false);
  }
  for (char *word = strtok(extensions, " "); word; word = strtok(NULL, " ")) {
    bool language = true;
    for (size_t i = 0; i < sizeof host_only / sizeof *host_only; i++)
      language &= strcmp(word, host_only[i]) != 0;
    if (language) require_macro(source, word, true);
  }
}

/* Each reported feature and language extension is a macro, and no other is. */
static void check_macros(void) {
  char source[16384] = "";
  require_features(source);
  require_extensions(source);
  cl_version version = GET(cl_version, CL_DEVICE_NUMERIC_VERSION);
  snprintf(source + strlen(source), 128,
           "#if __OPENCL_C_VERSION__ != 300 || __OPENCL_VERSION__ != %u\n#error version\n#endif\n",
           100 * CL_VERSION_MAJOR(version) + 10 * CL_VERSION_MINOR(version));
  strcat(source, has_images() ? "#ifndef" : "#ifdef");
  strcat(source, " __IMAGE_SUPPORT__\n#error images\n#endif\nkernel void k(void) {}");
  clReleaseProgram(build(source, "-cl-std=CL3.0"));
}

/* One program for two devices at once runs on either; returns their context. */
static cl_context check_two_at_once(const cl_device_id *parts) {
  cl_int error;
  cl_context both = clCreateContext(NULL, 2, parts, NULL, NULL, &error);
  CHECK(!error);
  const char *source = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }";
  cl_program program = clCreateProgramWithSource(both, 1, &source, NULL, &error);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, clBuildProgram(program, 1, parts + 1, NULL, NULL, NULL));
  EXPECT(CL_SUCCESS, clBuildProgram(program, 1, parts, NULL, NULL, NULL));
  cl_kernel kernel = clCreateKernel(program, "twice", &error);
  for (int i = 0; i < 2 && kernel; i++) {
    cl_command_queue own = clCreateCommandQueueWithProperties(both, parts[i], NULL, &error);
    cl_int values[4] = {1, 2, 3, 4};
    size_t four = 4;
    cl_mem buffer = clCreateBuffer(both, CL_MEM_USE_HOST_PTR, sizeof values, values, &error);
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(own, kernel, 1, NULL, &four, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(own));
    CHECK(values[3] == 8);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(own);
  }
  clReleaseKernel(kernel);
  clReleaseProgram(program);
  return both;
}

static void check_sub_devices(void) {
  cl_device_id parts[64];
  cl_uint count = 0, units = GET(cl_uint, CL_DEVICE_MAX_COMPUTE_UNITS);
  const cl_device_partition_property one_each[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
  const cl_device_partition_property too_many[] = {CL_DEVICE_PARTITION_EQUALLY, units + 1, 0};
  const cl_device_partition_property counts[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                 CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
  const cl_device_partition_property unknown[] = {CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN,
                                                  CL_DEVICE_AFFINITY_DOMAIN_NUMA, 0};
  EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, NULL, 64, parts, &count));
  if (!GET(cl_uint, CL_DEVICE_PARTITION_MAX_SUB_DEVICES)) {
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, one_each, 64, parts, &count));
    return;
  }
  EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, unknown, 64, parts, &count));
  EXPECT(CL_INVALID_DEVICE_PARTITION_COUNT,
         clCreateSubDevices(device, too_many, 64, parts, &count));
  if (units < 2 || units > 64) return;
  EXPECT(CL_SUCCESS, clCreateSubDevices(device, one_each, 64, parts, &count));
  CHECK(count == units);
  cl_device_id parent;
  cl_device_partition_property made[8];
  size_t size;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(parts[0], CL_DEVICE_PARENT_DEVICE, sizeof parent, &parent, 0));
  CHECK(parent == device);
  EXPECT(CL_SUCCESS, clGetDeviceInfo(parts[0], CL_DEVICE_PARTITION_TYPE, sizeof made, made, &size));
  CHECK(size == sizeof one_each && !memcmp(made, one_each, size));

  cl_context both = check_two_at_once(parts);
  for (cl_uint i = 0; i < count; i++) EXPECT(CL_SUCCESS, clReleaseDevice(parts[i]));
  EXPECT(CL_SUCCESS, clReleaseContext(both)); /* held the first two */
  EXPECT(CL_SUCCESS, clCreateSubDevices(device, counts, 64, parts, &count));
  CHECK(count == 1);
  EXPECT(CL_SUCCESS, clReleaseDevice(parts[0]));
}

/* The one version of OpenCL C that programs choose -cl-std by: newer than 1.2 if and only if
 * nothing optional of the language is missing. */
static void check_language(void) {
  cl_name_version list[64];
  size_t size, count = 0;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_FEATURES, sizeof list, list, &size));
  for (size_t i = 0; i < sizeof optional / sizeof *optional; i++)
    for (size_t k = 0; k < size / sizeof *list; k++) count += !strcmp(optional[i], list[k].name);
  bool whole = count == sizeof optional / sizeof *optional, listed = false;
  cl_version version = GET(cl_version, CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR);
  CHECK(version == (whole ? GET(cl_version, CL_DEVICE_NUMERIC_VERSION) : CL_MAKE_VERSION(1, 2, 0)));
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof list, list, &size));
  for (size_t k = 0; k < size / sizeof *list; k++) listed |= list[k].version == version;
  CHECK(listed);
  char text[256], start[32];
  snprintf(start, sizeof start, "OpenCL C %u.%u ", CL_VERSION_MAJOR(version),
           CL_VERSION_MINOR(version));
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_VERSION, sizeof text, text, NULL));
  CHECK(!strncmp(text, start, strlen(start)));
}

/* A processor's name is what the system calls it, which programs look up their settings by; whose
 * driver it is stands in the versions. */
static void check_names(void) {
  char name[256], text[256], line[512], driver[64];
  const char *check = getenv("MANIPLE_CHECK");
  unsigned cl[2], own[3];
  cl_device_type type;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, NULL));
  CHECK(sscanf(text, "OpenCL %u.%u maniple %u.%u.%u", &cl[0], &cl[1], &own[0], &own[1], &own[2]) ==
        5);
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof driver, driver, NULL));
  /* Binaries are kept under it, so what refuses them is part of it (toolchain/cache/binary.c). */
  snprintf(line, sizeof line, "%u.%u.%u.%u.%u%s", own[0], own[1], own[2], MPL_ABI_VERSION,
           MPL_CONTAINER_VERSION, check && *check == '1' ? ".check.memory" : "");
  CHECK(!strcmp(driver, line));
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_VERSION, sizeof text, text, NULL));
  CHECK(!strncmp(text, "OpenCL C ", 9) && strstr(text, " maniple "));
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
  FILE *file = type & CL_DEVICE_TYPE_CPU ? fopen("/proc/cpuinfo", "r") : NULL;
  while (file && fgets(line, sizeof line, file)) {
    if (strncmp(line, "model name", 10) || !strchr(line, ':')) continue;
    char *word, *rest = strchr(line, ':') + 1;
    size_t used = 0;
    while ((word = strsep(&rest, " \n"))) /* single spaces */
      if (*word && used < sizeof text)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used ? " " : "", word);
    CHECK(used && !strcmp(name, text));
    break;
  }
  if (file) fclose(file);
}

int main(void) {
  char text[4096];
  size_t size;
  open_device();
  check_floors();
  check_macros();
  check_standards();
  check_language();
  check_sub_devices();
  check_names();
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof text, text, &size));
  char il[256];
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof il, il, NULL));
  CHECK(!strncmp(text, *il ? "OpenCL 3.1 " : "OpenCL 3.0 ", 11)); /* which needs SPIR-V */
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_NAME, 0, NULL, &size));
  CHECK(size > 1);
  EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_NAME, 1, text, NULL));
  EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, 0x9999, sizeof text, text, NULL));
  EXPECT(CL_SUCCESS, clRetainDevice(device));
  EXPECT(CL_SUCCESS, clReleaseDevice(device));

  cl_ulong ours = 0, theirs = 0, again = 0;
  EXPECT(CL_SUCCESS, clGetDeviceAndHostTimer(device, &ours, &theirs));
  EXPECT(CL_SUCCESS, clGetHostTimer(device, &again));
  CHECK(ours && again >= theirs);
  EXPECT(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, NULL, &theirs));
  EXPECT(CL_INVALID_VALUE, clGetHostTimer(device, NULL));
  return finish();
}

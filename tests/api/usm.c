/* Unified shared memory: allocations, what is known of them, kernels and commands on pointers. */
#include "api.h"

#include <unistd.h>

static clHostMemAllocINTEL_fn host_alloc;
static clDeviceMemAllocINTEL_fn device_alloc;
static clSharedMemAllocINTEL_fn shared_alloc;
static clMemFreeINTEL_fn release, blocking_release;
static clGetMemAllocInfoINTEL_fn info;
static clSetKernelArgMemPointerINTEL_fn set_pointer;
static clEnqueueMemFillINTEL_fn fill;
static clEnqueueMemsetINTEL_fn set_bytes;
static clEnqueueMemcpyINTEL_fn copy;
static clEnqueueMigrateMemINTEL_fn migrate;
static clEnqueueMemAdviseINTEL_fn advise;

static void *address(const char *name) {
  void *found = clGetExtensionFunctionAddressForPlatform(platform, name);
  CHECK(found);
  return found;
}

enum { COUNT = 1000 };
static const char *const source =
    "typedef struct { global int *numbers; int n; } list;\n"
    "kernel void add(global const list *lists, global int *out) {\n"
    "  size_t i = get_global_id(0);\n"
    "  for (int k = 0; k < 2; k++) out[i] += lists[k].numbers[i] * lists[k].n;\n"
    "}\n"
    "kernel void spin(global volatile int *go, global int *out) {\n"
    "  for (int k = 0; k < 200000 && !*go; k++) out[1]++;\n"
    "  out[0] = 77;\n"
    "}\n";

struct list {
  cl_int *numbers;
  cl_int n;
};

/* Pointers in memory lead to memory of every kind. */
static void check_indirect(cl_kernel add) {
  cl_int error;
  cl_bool yes = CL_TRUE;
  struct list *lists = shared_alloc(context, device, NULL, 2 * sizeof *lists, 0, &error);
  EXPECT(CL_SUCCESS, error);
  cl_int *first = host_alloc(context, NULL, sizeof(cl_int) * COUNT, 64, &error),
         *second = device_alloc(context, device, NULL, sizeof(cl_int) * COUNT, 0, &error),
         *out = shared_alloc(context, NULL, NULL, sizeof(cl_int) * COUNT, 0, &error), values[COUNT];
  CHECK(lists && first && second && out && !((uintptr_t)first % 64));
  for (int i = 0; i < COUNT; i++) first[i] = i, values[i] = 3 * i;
  lists[0] = (struct list){first, 2};
  lists[1] = (struct list){second, 5};
  EXPECT(CL_SUCCESS, copy(queue, CL_FALSE, second, values, sizeof values, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, set_bytes(queue, out, 0, sizeof values, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, set_pointer(add, 0, lists));
  EXPECT(CL_SUCCESS, set_pointer(add, 1, out));
  EXPECT(CL_SUCCESS, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL,
                                         sizeof yes, &yes));
  EXPECT(CL_SUCCESS, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL,
                                         sizeof yes, &yes));
  EXPECT(CL_SUCCESS, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL,
                                         sizeof yes, &yes));
  EXPECT(CL_SUCCESS, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL,
                                         2 * sizeof(void *), (void *[]){first, second}));
  EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL, 3, &first));
  EXPECT(CL_INVALID_VALUE,
         clSetKernelExecInfo(add, CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL, 1, &yes));
  size_t global = COUNT;
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, migrate(queue, out, sizeof values, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, advise(queue, out, sizeof values, 0, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, copy(queue, CL_TRUE, values, out, sizeof values, 0, NULL, NULL));
  for (int i = 0; i < COUNT; i++) CHECK(values[i] == 2 * i + 5 * 3 * i);
  EXPECT(CL_INVALID_ARG_INDEX, set_pointer(add, 2, out));
  EXPECT(CL_INVALID_KERNEL, set_pointer(NULL, 0, out));
  EXPECT(CL_SUCCESS, set_pointer(add, 1, NULL));
  EXPECT(CL_SUCCESS, release(context, lists));
  EXPECT(CL_SUCCESS, release(context, first));
  EXPECT(CL_SUCCESS, blocking_release(context, second));
  EXPECT(CL_SUCCESS, blocking_release(context, out));
}

static void check_alignment(void) {
  for (cl_uint alignment = 1; alignment <= 1 << 16; alignment *= 2) {
    cl_int error;
    char *blocks[] = {host_alloc(context, NULL, 5, alignment, &error),
                      device_alloc(context, device, NULL, 5, alignment, &error),
                      shared_alloc(context, device, NULL, 5, alignment, &error)};
    for (int i = 0; i < 3; i++) {
      CHECK(blocks[i] && !((uintptr_t)blocks[i] % alignment));
      EXPECT(CL_SUCCESS, release(context, blocks[i]));
    }
  }
}

#define INFO(type, pointer, param)                                                                 \
  ({                                                                                               \
    type value_ = 0;                                                                               \
    EXPECT(CL_SUCCESS, info(context, pointer, param, sizeof value_, &value_, NULL));               \
    value_;                                                                                        \
  })

static void check_queries(void) {
  const cl_mem_properties_intel properties[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
  cl_int error, local = 0;
  char *shared = shared_alloc(context, device, properties, 100, 0, &error),
       *host = host_alloc(context, NULL, 50, 0, &error);
  CHECK(INFO(cl_uint, shared + 99, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_SHARED_INTEL);
  CHECK(INFO(char *, shared + 50, CL_MEM_ALLOC_BASE_PTR_INTEL) == shared);
  CHECK(INFO(size_t, shared, CL_MEM_ALLOC_SIZE_INTEL) == 100);
  CHECK(INFO(cl_device_id, shared, CL_MEM_ALLOC_DEVICE_INTEL) == device);
  CHECK(INFO(cl_mem_alloc_flags_intel, shared, CL_MEM_ALLOC_FLAGS_INTEL) == properties[1]);
  CHECK(INFO(cl_uint, host, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_HOST_INTEL);
  CHECK(!INFO(cl_device_id, host, CL_MEM_ALLOC_DEVICE_INTEL));
  CHECK(!INFO(cl_mem_alloc_flags_intel, host, CL_MEM_ALLOC_FLAGS_INTEL));
  CHECK(INFO(cl_uint, &local, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_UNKNOWN_INTEL);
  CHECK(!INFO(char *, &local, CL_MEM_ALLOC_BASE_PTR_INTEL));
  CHECK(!INFO(size_t, NULL, CL_MEM_ALLOC_SIZE_INTEL));
  EXPECT(CL_INVALID_VALUE, info(context, shared, 1, 4, &error, NULL));
  EXPECT(CL_INVALID_VALUE, info(context, shared, CL_MEM_ALLOC_SIZE_INTEL, 1, &error, NULL));
  EXPECT(CL_INVALID_CONTEXT, info(NULL, shared, CL_MEM_ALLOC_SIZE_INTEL, 8, &shared, NULL));
  EXPECT(CL_SUCCESS, release(context, host));
  CHECK(INFO(cl_uint, host, CL_MEM_ALLOC_TYPE_INTEL) == CL_MEM_TYPE_UNKNOWN_INTEL);
  EXPECT(CL_INVALID_VALUE, release(context, host));
  EXPECT(CL_INVALID_VALUE, blocking_release(context, shared + 1));
  EXPECT(CL_SUCCESS, release(context, NULL));
  EXPECT(CL_INVALID_CONTEXT, release(NULL, shared));
  cl_ulong all = 0, svm = 0;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
  for (cl_uint param = CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL;
       param <= CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL; param++) {
    EXPECT(CL_SUCCESS, clGetDeviceInfo(device, param, sizeof all, &all, NULL));
    bool atomics = svm & CL_DEVICE_SVM_ATOMICS || param == CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL;
    CHECK(all == (atomics ? 15 : 7));
  }
  /* What is left goes with its context. */
}

/* Where there is SVM, its function takes pointers of USM. */
static void check_svm_function(cl_kernel add) {
  cl_int error;
  cl_ulong svm = 0;
  EXPECT(CL_SUCCESS, clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
  struct list *lists = shared_alloc(context, device, NULL, 2 * sizeof *lists, 0, &error);
  cl_int *numbers = host_alloc(context, NULL, sizeof *numbers, 0, &error),
         *out = device_alloc(context, device, NULL, 2 * sizeof *out, 0, &error), result = 100;
  size_t one = 1;
  *numbers = 4;
  lists[0] = (struct list){numbers, 2};
  lists[1] = (struct list){numbers, 5};
  EXPECT(CL_SUCCESS, copy(queue, CL_TRUE, out + 1, &result, sizeof result, 0, NULL, NULL));
  cl_int taken = svm ? CL_SUCCESS : CL_INVALID_OPERATION;
  EXPECT(taken, clSetKernelArgSVMPointer(add, 1, numbers));
  cl_int first = clSetKernelArgSVMPointer(add, 0, lists),
         second = clSetKernelArgSVMPointer(add, 1, out + 1); /* inside one */
  EXPECT(taken, first);
  EXPECT(taken, second);
  if (!first && !second) {
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, add, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, copy(queue, CL_TRUE, &result, out + 1, sizeof result, 0, NULL, NULL));
    CHECK(result == 100 + 4 * 2 + 4 * 5);
  }
  EXPECT(CL_SUCCESS, release(context, lists));
  EXPECT(CL_SUCCESS, release(context, numbers));
  EXPECT(CL_SUCCESS, blocking_release(context, out));
  if (svm) EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 1, out));
}

static void check_errors(void) {
  const cl_mem_properties_intel unknown[] = {1, 1, 0},
                                placed[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0},
                                both[] = {CL_MEM_ALLOC_FLAGS_INTEL, 6, 0};
  cl_int values[4] = {0}, one = 1;
  EXPECT_NULL(CL_INVALID_CONTEXT, host_alloc(NULL, NULL, 4, 0, &error));
  EXPECT_NULL(CL_INVALID_BUFFER_SIZE, host_alloc(context, NULL, 0, 0, &error));
  EXPECT_NULL(CL_INVALID_BUFFER_SIZE, host_alloc(context, NULL, SIZE_MAX, 0, &error));
  EXPECT_NULL(CL_INVALID_VALUE, host_alloc(context, NULL, 4, 24, &error));
  EXPECT_NULL(CL_INVALID_VALUE, host_alloc(context, NULL, 4, 1 << 17, &error));
  EXPECT_NULL(CL_INVALID_PROPERTY, host_alloc(context, unknown, 4, 0, &error));
  EXPECT_NULL(CL_INVALID_PROPERTY, host_alloc(context, placed, 4, 0, &error));
  EXPECT_NULL(CL_INVALID_PROPERTY, device_alloc(context, device, placed, 4, 0, &error));
  EXPECT_NULL(CL_INVALID_PROPERTY, shared_alloc(context, device, both, 4, 0, &error));
  EXPECT_NULL(CL_INVALID_DEVICE, device_alloc(context, NULL, NULL, 4, 0, &error));
  EXPECT_NULL(CL_INVALID_DEVICE, shared_alloc(context, WRONG(cl_device_id), NULL, 4, 0, &error));
  EXPECT(CL_INVALID_COMMAND_QUEUE, fill(NULL, values, &one, 4, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, fill(queue, NULL, &one, 4, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, fill(queue, values, &one, 3, 6, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, fill(queue, values, &one, 4, 6, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, fill(queue, (char *)values + 1, &one, 4, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, fill(queue, values, NULL, 4, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, copy(queue, CL_TRUE, NULL, values, 4, 0, NULL, NULL));
  EXPECT(CL_MEM_COPY_OVERLAP, copy(queue, CL_TRUE, values, values + 1, 8, 0, NULL, NULL));
  EXPECT(CL_INVALID_EVENT_WAIT_LIST, copy(queue, CL_TRUE, values, values + 2, 4, 1, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, migrate(queue, values, 4, 1 << 10, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, advise(queue, NULL, 4, 0, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, fill(queue, values, &one, 4, 8, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(values[0] == 1 && values[1] == 1 && !values[2]);
}

/* A blocking release waits for kernels, those of a queue that was released too. */
static void check_blocking(cl_kernel spin) {
  cl_int error, *go = shared_alloc(context, device, NULL, 4, 0, &error),
                *out = shared_alloc(context, device, NULL, 8, 0, &error);
  cl_event done;
  size_t one = 1;
  *go = 0;
  out[0] = out[1] = 0;
  cl_command_queue other = clCreateCommandQueueWithProperties(context, device, NULL, &error);
  EXPECT(CL_SUCCESS, set_pointer(spin, 0, go));
  EXPECT(CL_SUCCESS, set_pointer(spin, 1, out));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(other, spin, 1, NULL, &one, NULL, 0, NULL, &done));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(other));
  EXPECT(CL_SUCCESS, blocking_release(context, go));
  cl_int status;
  EXPECT(CL_SUCCESS,
         clGetEventInfo(done, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  CHECK(status == CL_COMPLETE && out[0] == 77);
  EXPECT(CL_SUCCESS, release(context, out));
  clReleaseEvent(done);
}

int main(void) {
  cl_int error;
  open_device();
  host_alloc = (clHostMemAllocINTEL_fn)address("clHostMemAllocINTEL");
  device_alloc = (clDeviceMemAllocINTEL_fn)address("clDeviceMemAllocINTEL");
  shared_alloc = (clSharedMemAllocINTEL_fn)address("clSharedMemAllocINTEL");
  release = (clMemFreeINTEL_fn)address("clMemFreeINTEL");
  blocking_release = (clMemFreeINTEL_fn)address("clMemBlockingFreeINTEL");
  info = (clGetMemAllocInfoINTEL_fn)address("clGetMemAllocInfoINTEL");
  set_pointer = (clSetKernelArgMemPointerINTEL_fn)address("clSetKernelArgMemPointerINTEL");
  fill = (clEnqueueMemFillINTEL_fn)address("clEnqueueMemFillINTEL");
  set_bytes = (clEnqueueMemsetINTEL_fn)address("clEnqueueMemsetINTEL");
  copy = (clEnqueueMemcpyINTEL_fn)address("clEnqueueMemcpyINTEL");
  migrate = (clEnqueueMigrateMemINTEL_fn)address("clEnqueueMigrateMemINTEL");
  advise = (clEnqueueMemAdviseINTEL_fn)address("clEnqueueMemAdviseINTEL");
  static char extensions[8192];
  clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL);
  if (!strstr(extensions, "cl_intel_unified_shared_memory")) {
    EXPECT_NULL(CL_INVALID_OPERATION, host_alloc(context, NULL, 4, 0, &error));
    EXPECT_NULL(CL_INVALID_OPERATION, device_alloc(context, device, NULL, 4, 0, &error));
    EXPECT(CL_INVALID_OPERATION,
           copy(queue, CL_TRUE, extensions, extensions + 8, 4, 0, NULL, NULL));
    return finish();
  }
  cl_program program = build(source, "-cl-std=CL3.0");
  cl_kernel add = clCreateKernel(program, "add", &error),
            spin = clCreateKernel(program, "spin", &error);
  check_indirect(add);
  check_svm_function(add);
  check_alignment();
  check_queries();
  check_errors();
  check_blocking(spin);
  clReleaseKernel(add);
  clReleaseKernel(spin);
  clReleaseProgram(program);
  return finish();
}

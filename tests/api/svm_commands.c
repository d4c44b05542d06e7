/* Shared virtual memory of both kinds under kernels, commands and the host in turn, on all devices
 * of the platform in one context. */
#include "api.h"

enum { MOST = 16, N = 1000, LENGTH = 40 };
static cl_device_id devices[MOST];
static cl_command_queue queues[MOST];
static cl_uint num_devices;
static cl_device_svm_capabilities offered;

/* A kernel reaches all nodes but the first by pointers in memory only. */
struct node {
  struct node *next;
  cl_int *numbers;
  cl_int length;
};
static const char *const source =
    "struct node { global struct node *next; global int *numbers; int length; };\n"
    "kernel void add(global int *p, int what) { p[get_global_id(0)] += what; }\n"
    "kernel void walk(global struct node *first, global int *sum) {\n"
    "  int all = 0;\n"
    "  for (global struct node *n = first; n; n = n->next)\n"
    "    for (int i = 0; i < n->length; i++) { all += n->numbers[i]; n->numbers[i] = "
    "-n->numbers[i]; }\n"
    "  *sum = all;\n"
    "}\n";

static void open_all(void) {
  cl_int error;
  num_devices = open_devices(devices, MOST);
  offered = ~(cl_device_svm_capabilities)0;
  for (cl_uint d = 0; d < num_devices; d++) {
    cl_device_svm_capabilities its;
    EXPECT(CL_SUCCESS,
           clGetDeviceInfo(devices[d], CL_DEVICE_SVM_CAPABILITIES, sizeof its, &its, NULL));
    offered &= its;
    queues[d] = clCreateCommandQueueWithProperties(context, devices[d], NULL, &error);
    EXPECT(CL_SUCCESS, error);
  }
}

static void run_1d(cl_command_queue on, cl_kernel kernel, size_t global) {
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(on, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

/* Every other node, and its numbers, in each kind of memory. */
static void check_list(cl_command_queue on, cl_kernel walk) {
  struct node *nodes[LENGTH];
  cl_int expected = 0, *sum = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, sizeof *sum, 0);
  for (int k = 0; k < LENGTH; k++) {
    nodes[k] = clSVMAlloc(context, k & 1 ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0, sizeof **nodes, 0);
    cl_int *numbers = clSVMAlloc(context, k & 2 ? CL_MEM_SVM_FINE_GRAIN_BUFFER : 0, 4 * LENGTH, 0);
    CHECK(nodes[k] && numbers);
    *nodes[k] = (struct node){NULL, numbers, k};
    if (k) nodes[k - 1]->next = nodes[k];
    for (int i = 0; i < k; i++) expected += numbers[i] = k * 100 + i;
  }
  EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(walk, 0, nodes[0]));
  EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(walk, 1, sum));
  EXPECT(CL_SUCCESS, clSetKernelExecInfo(walk, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof nodes, nodes));
  run_1d(on, walk, 1);
  EXPECT(CL_SUCCESS, clFinish(on));
  CHECK(*sum == expected);
  for (int k = 0; k < LENGTH; k++) {
    for (int i = 0; i < k; i++) CHECK(nodes[k]->numbers[i] == -(k * 100 + i));
    clSVMFree(context, nodes[k]->numbers);
    clSVMFree(context, nodes[k]);
  }
  clSVMFree(context, sum);
}

/* From and to all that there is: the host's, and both kinds. */
static void check_copies(cl_command_queue on, cl_svm_mem_flags flags) {
  static cl_int in[N], out[N];
  cl_int *a = clSVMAlloc(context, flags, sizeof in, 0),
         *b = clSVMAlloc(context, 0, sizeof in, 1 << 16);
  CHECK(a && b && !((uintptr_t)b % (1 << 16)));
  for (int i = 0; i < N; i++) in[i] = 3 * i + (int)flags;
  EXPECT(CL_SUCCESS, clEnqueueSVMMemcpy(on, CL_FALSE, a, in, sizeof in, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueSVMMemcpy(on, CL_FALSE, b + 1, a + 1, sizeof in - 4, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueSVMMemcpy(on, CL_FALSE, b, in, 4, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueSVMMemcpy(on, CL_TRUE, out, b, sizeof in, 0, NULL, NULL));
  CHECK(!memcmp(in, out, sizeof in));
  memset(out, 0, sizeof out);
  EXPECT(CL_SUCCESS, clEnqueueSVMMemcpy(on, CL_TRUE, out + 5, in + 5, 400, 0, NULL, NULL));
  CHECK(!memcmp(in + 5, out + 5, 400) && !out[4] && !out[105]);
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemcpy(on, CL_TRUE, NULL, a, 4, 0, NULL, NULL));
  EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueSVMMemcpy(on, CL_TRUE, a, a + 1, 8, 0, NULL, NULL));
  clSVMFree(context, a);
  clSVMFree(context, b);
}

static void check_fills(cl_command_queue on, cl_svm_mem_flags flags) {
  unsigned char pattern[128], expected[1024];
  unsigned char *p = clSVMAlloc(context, flags, sizeof expected, 0);
  for (int i = 0; i < 128; i++) pattern[i] = (unsigned char)(7 * i + 1);
  for (size_t size = 1; size <= 128; size *= 2) {
    memset(p, 0, sizeof expected);
    memset(expected, 0, sizeof expected);
    for (size_t i = 0; i < 3 * size; i++) expected[128 + i] = pattern[i % size];
    EXPECT(CL_SUCCESS, clEnqueueSVMMemFill(on, p + 128, pattern, size, 3 * size, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueSVMMap(on, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p, sizeof expected,
                                       0, NULL, NULL));
    CHECK(!memcmp(p, expected, sizeof expected));
    EXPECT(CL_SUCCESS, clEnqueueSVMUnmap(on, p, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(on));
  }
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemFill(on, p, pattern, 3, 6, 0, NULL, NULL));
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMMemFill(on, p + 1, pattern, 4, 4, 0, NULL, NULL));
  clSVMFree(context, p);
}

/* Host and devices in turn, in the order of maps and unmaps; migrated on the way. */
static void check_turns(cl_kernel add, cl_svm_mem_flags flags) {
  cl_int *p = clSVMAlloc(context, flags, N * sizeof *p, 0);
  const void *list[] = {p + 10};
  const size_t sizes[] = {40};
  memset(p, 0, N * sizeof *p);
  EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(add, 0, p));
  for (cl_int round = 0; round < 4; round++)
    for (cl_uint d = 0; d < num_devices; d++) {
      cl_int before = p[0];
      EXPECT(CL_SUCCESS, clSetKernelArg(add, 1, sizeof round, &round));
      EXPECT(CL_SUCCESS,
             clEnqueueSVMMigrateMem(queues[d], 1, list, round & 1 ? sizes : NULL,
                                    round & 2 ? CL_MIGRATE_MEM_OBJECT_HOST : 0, 0, NULL, NULL));
      run_1d(queues[d], add, N);
      EXPECT(CL_SUCCESS, clEnqueueSVMMap(queues[d], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, p,
                                         N * sizeof *p, 0, NULL, NULL));
      for (int i = 0; i < N; i++) {
        CHECK(p[i] == before + round);
        p[i] += 2;
      }
      EXPECT(CL_SUCCESS, clEnqueueSVMUnmap(queues[d], p, 0, NULL, NULL));
      EXPECT(CL_SUCCESS, clFinish(queues[d]));
    }
  clSVMFree(context, p);
}

/* A buffer over SVM is that memory: kernels, commands and the host see one another's numbers. */
static void check_buffer(cl_kernel add, cl_svm_mem_flags flags) {
  cl_int error, *p = clSVMAlloc(context, flags, N * sizeof *p, 0), one = 1, numbers[100];
  for (int i = 0; i < N; i++) p[i] = i;
  EXPECT_NULL(CL_INVALID_BUFFER_SIZE,
              clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 4 * N, p + 1, &error));
  cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N * sizeof *p, p, &error);
  cl_buffer_region region = {512, 400};
  cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
  cl_bool uses = CL_FALSE;
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(part, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
  CHECK(uses);
  for (cl_uint d = 0; d < num_devices; d++) {
    EXPECT(CL_SUCCESS, clSetKernelArg(add, 0, sizeof part, &part));
    EXPECT(CL_SUCCESS, clSetKernelArg(add, 1, sizeof one, &one));
    run_1d(queues[d], add, 100);
    EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(add, 0, p + 128));
    run_1d(queues[d], add, 100);
    EXPECT(CL_SUCCESS, clEnqueueReadBuffer(queues[d], part, CL_TRUE, 0, sizeof numbers, numbers, 0,
                                           NULL, NULL));
    for (int i = 0; i < 100; i++) CHECK(numbers[i] == 128 + i + 2 && p[128 + i] == numbers[i]);
    for (int i = 0; i < 100; i++) numbers[i] -= 2;
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queues[d], part, CL_TRUE, 0, sizeof numbers, numbers, 0,
                                            NULL, NULL));
    cl_int *mapped = clEnqueueMapBuffer(queues[d], buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                        N * sizeof *p, 0, NULL, NULL, &error);
    CHECK(mapped == p && mapped[128] == 128);
    EXPECT(CL_SUCCESS, clEnqueueUnmapMemObject(queues[d], buffer, mapped, 0, NULL, NULL));
    size_t from[3] = {16, 1, 0}, to[3] = {0, 0, 0}, box[3] = {8, 3, 1}; /* bytes, rows of 40 */
    EXPECT(CL_SUCCESS, clEnqueueReadBufferRect(queues[d], buffer, CL_TRUE, from, to, box, 40, 0, 8,
                                               0, numbers, 0, NULL, NULL));
    for (int i = 0; i < 6; i++) CHECK(numbers[i] == 10 + 4 + i / 2 * 10 + i % 2);
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queues[d], buffer, &one, 4, 0, 40, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueCopyBuffer(queues[d], buffer, part, 0, 0, 8, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clEnqueueMigrateMemObjects(queues[d], 1, &buffer, 0, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(queues[d]));
    CHECK(p[9] == 1 && p[10] == 10 && p[128] == 1 && p[129] == 1 && p[130] == 130);
    p[128] = 128;
    p[129] = 129;
  }
  clReleaseMemObject(part);
  clReleaseMemObject(buffer);
  clSVMFree(context, p);
}

static int freed;
static void CL_CALLBACK on_free(cl_command_queue on, cl_uint count, void **pointers, void *data) {
  CHECK(on == queues[0] && count == 2 && data == &freed);
  for (cl_uint i = 0; i < count; i++) clSVMFree(context, pointers[i]);
  freed += (int)count;
}

/* Memory goes once the kernel before it is over. */
static void check_free(cl_kernel add) {
  void *pointers[] = {clSVMAlloc(context, 0, N * 4, 0),
                      clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, N * 4, 0)};
  for (int with = 0; with < 2; with++) {
    EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(add, 0, pointers[1 - with]));
    run_1d(queues[0], add, N);
    if (with)
      EXPECT(CL_SUCCESS, clEnqueueSVMFree(queues[0], 2, pointers, on_free, &freed, 0, NULL, NULL));
    else
      EXPECT(CL_SUCCESS, clEnqueueSVMFree(queues[0], 2, pointers, NULL, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clFinish(queues[0]));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(add, 0, pointers[0]));
    pointers[0] = clSVMAlloc(context, 0, N * 4, 0);
    pointers[1] = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, N * 4, 0);
  }
  CHECK(freed == 2);
  EXPECT(CL_INVALID_VALUE, clEnqueueSVMFree(queues[0], 1, NULL, NULL, NULL, 0, NULL, NULL));
}

int main(void) {
  const cl_svm_mem_flags kinds[] = {0, CL_MEM_SVM_FINE_GRAIN_BUFFER};
  cl_int error;
  open_all();
  if (offered & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) {
    cl_program program = build(source, "-cl-std=CL3.0");
    cl_kernel add = clCreateKernel(program, "add", &error),
              walk = clCreateKernel(program, "walk", &error);
    for (cl_uint d = 0; d < num_devices; d++) {
      check_list(queues[d], walk);
      for (int k = 0; k < 2; k++) {
        check_copies(queues[d], kinds[k]);
        check_fills(queues[d], kinds[k]);
      }
    }
    for (int k = 0; k < 2; k++) {
      check_turns(add, kinds[k]);
      check_buffer(add, kinds[k]);
    }
    check_free(add);
    clReleaseKernel(add);
    clReleaseKernel(walk);
    clReleaseProgram(program);
  }
  for (cl_uint d = 0; d < num_devices; d++) EXPECT(CL_SUCCESS, clReleaseCommandQueue(queues[d]));
  return finish();
}

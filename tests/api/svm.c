/* Shared virtual memory. */
#include "api.h"

#include <sched.h>
#include <stdatomic.h>

enum { N = 1000 };

static void check_allocation(void) {
  CHECK(!clSVMAlloc(context, 0, 0, 0));
  CHECK(!clSVMAlloc(context, 0, SIZE_MAX, 0));
  CHECK(!clSVMAlloc(context, 0, 64, 3));
  CHECK(!clSVMAlloc(context, CL_MEM_SVM_ATOMICS, 64, 0));
  CHECK(!clSVMAlloc(context, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, 64, 0));
  CHECK(!clSVMAlloc(context, CL_MEM_USE_HOST_PTR, 64, 0));
  clSVMFree(context, NULL);
  clSVMFree(context, not_an_object);
}

static void check_argument(cl_kernel kernel, cl_int *list) {
  EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArgSVMPointer(kernel, 1, list));
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 0, not_an_object));
  EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, list + 100)); /* inside one */
  size_t ten = 10;
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &ten, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(list[99] == 99 && list[100] == 101 && list[109] == 110 && list[110] == 110);
}

/* Memory that the kernel finds through other memory. */
static void check_indirect(cl_kernel indirect, cl_int **head, cl_int *list) {
  *head = list + 10;
  const cl_bool yes = CL_TRUE, no = CL_FALSE;
  void *pointers[] = {list}, *wrong[] = {not_an_object};
  EXPECT(CL_SUCCESS,
         clSetKernelExecInfo(indirect, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof pointers, pointers));
  EXPECT(CL_INVALID_VALUE,
         clSetKernelExecInfo(indirect, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof wrong, wrong));
  EXPECT(CL_INVALID_VALUE,
         clSetKernelExecInfo(indirect, CL_KERNEL_EXEC_INFO_SVM_PTRS, 3, pointers));
  EXPECT(CL_INVALID_VALUE, clSetKernelExecInfo(indirect, 0x1, sizeof pointers, pointers));
  EXPECT(
      CL_INVALID_OPERATION,
      clSetKernelExecInfo(indirect, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof yes, &yes));
  EXPECT(CL_SUCCESS,
         clSetKernelExecInfo(indirect, CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM, sizeof no, &no));
  cl_int value = -5;
  size_t one = 1;
  EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(indirect, 1, list));
  EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(indirect, 0, head));
  EXPECT(CL_SUCCESS, clSetKernelArg(indirect, 1, sizeof value, &value));
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, indirect, 1, NULL, &one, NULL, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clFinish(queue));
  CHECK(list[10] == -5);
}

static void check_buffer(cl_int *list) {
  cl_int error;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, N * sizeof *list, list, &error);
  cl_bool uses = CL_FALSE;
  EXPECT(CL_SUCCESS, clGetMemObjectInfo(buffer, CL_MEM_USES_SVM_POINTER, sizeof uses, &uses, NULL));
  CHECK(uses == CL_TRUE);
  clReleaseMemObject(buffer);
}

/* Many at once: found by address, whatever the order they go in. */
static void check_many(cl_kernel kernel) {
  void *many[200];
  for (int i = 0; i < 200; i++) CHECK((many[i] = clSVMAlloc(context, 0, 1 + (size_t)i * 7, 0)));
  for (int i = 0; i < 200; i += 2) clSVMFree(context, many[i]);
  for (int i = 1; i < 200; i += 2)
    EXPECT(CL_SUCCESS, clSetKernelArgSVMPointer(kernel, 0, (char *)many[i] + i * 7));
  for (int i = 0; i < 200; i += 2)
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 0, many[i]));
}

static atomic_bool released, ended;

static void CL_CALLBACK wait_for_release(void *args) {
  while (!atomic_load(&released)) sched_yield();
}

static void CL_CALLBACK on_end(cl_context which, void *data) {
  atomic_store(&ended, true);
}

/* The context stays until commands have run that need nothing of it but its memory. */
static void check_pending(void) {
  cl_int error, target = 0;
  cl_context brief = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  cl_command_queue on = clCreateCommandQueueWithProperties(brief, device, NULL, &error);
  cl_int *source = clSVMAlloc(brief, 0, sizeof *source, 0);
  EXPECT(CL_SUCCESS, clSetContextDestructorCallback(brief, on_end, NULL));
  *source = 12;
  error = clEnqueueNativeKernel(on, wait_for_release, NULL, 0, 0, NULL, NULL, 0, NULL, NULL);
  if (!error)
    EXPECT(CL_SUCCESS,
           clEnqueueSVMMemcpy(on, CL_FALSE, &target, source, sizeof target, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(on));
  EXPECT(CL_SUCCESS, clReleaseContext(brief));
  CHECK(error || !atomic_load(&ended));
  atomic_store(&released, true);
  while (!atomic_load(&ended)) sched_yield();
  CHECK(error || target == 12);
}

/* A device without it says so in every call. */
static void check_none(void) {
  char memory[64];
  const void *list[] = {memory};
  EXPECT(CL_INVALID_OPERATION, clEnqueueSVMMemcpy(queue, 1, memory, memory + 8, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_OPERATION, clEnqueueSVMMemFill(queue, memory, memory, 1, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_OPERATION, clEnqueueSVMMap(queue, 1, CL_MAP_READ, memory, 4, 0, NULL, NULL));
  EXPECT(CL_INVALID_OPERATION, clEnqueueSVMUnmap(queue, memory, 0, NULL, NULL));
  EXPECT(CL_INVALID_OPERATION, clEnqueueSVMFree(queue, 0, NULL, NULL, NULL, 0, NULL, NULL));
  EXPECT(CL_INVALID_OPERATION, clEnqueueSVMMigrateMem(queue, 1, list, NULL, 0, 0, NULL, NULL));
  cl_program program = build("kernel void k(global int *p) { p[0] = 1; }", "");
  cl_kernel kernel = clCreateKernel(program, "k", NULL);
  EXPECT(CL_INVALID_OPERATION, clSetKernelArgSVMPointer(kernel, 0, memory));
  EXPECT(CL_INVALID_OPERATION,
         clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof list, list));
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

int main(void) {
  open_device();
  cl_device_svm_capabilities offered;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof offered, &offered, NULL));
  check_allocation();
  if (!offered) {
    CHECK(!clSVMAlloc(context, CL_MEM_READ_WRITE, 64, 0));
    check_none();
    return finish();
  }
  cl_svm_mem_flags atomics = CL_MEM_SVM_FINE_GRAIN_BUFFER | CL_MEM_SVM_ATOMICS;
  void *other = clSVMAlloc(context, atomics, 4, 0);
  CHECK(!other == !(offered & CL_DEVICE_SVM_ATOMICS));
  cl_int *list = clSVMAlloc(
      context, CL_MEM_READ_WRITE | (offered & CL_DEVICE_SVM_ATOMICS ? atomics : CL_MEM_SVM_FINE_GRAIN_BUFFER),
      N * sizeof *list, 256);
  cl_int **head = clSVMAlloc(context, 0, sizeof *head, 0);
  CHECK(list && head && (uintptr_t)list % 256 == 0);
  for (int i = 0; i < N; i++) list[i] = i;

  cl_program program = build("kernel void k(global int *p) { p[get_global_id(0)] += 1; }\n"
                             "kernel void indirect(global int * global *head, int v) {\n"
                             "  **head = v;\n"
                             "}\n",
                             "-cl-std=CL3.0");
  cl_int error;
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  cl_kernel indirect = clCreateKernel(program, "indirect", &error);
  check_argument(kernel, list);
  check_indirect(indirect, head, list);
  check_buffer(list);
  check_many(kernel);
  check_pending();
  clReleaseKernel(kernel);
  clReleaseKernel(indirect);
  clReleaseProgram(program);
  clSVMFree(context, list); /* the others go with the context */
  return finish();
}

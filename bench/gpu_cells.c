/* Work-group functions on a GPU, by the times of events, on any OpenCL driver that has them:
 *
 *   bench_gpu_cells [TYPE...]
 *
 * Rows `function  type  local size  latency|throughput  value  unit`: a chain of calls, each of
 * which needs the one before, in one work-group (ns a call), and in four times as many as the GPU
 * holds (10^9 work-items a second).  Medians of 7 launches; two come before them, with which the
 * driver may compile for that local size. */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { CHAIN = 1024, WARM = 2, TIMED = 7, RESIDENT = 2048 /* work-items of a compute unit */ };

static const char *const types[] = {"int", "long", "float", "double", "half"};
static const struct {
  const char *name, *call;
  int int_only;
} functions[] = {
    {"reduce_add", "work_group_reduce_add(x)", 0},
    {"reduce_max", "work_group_reduce_max(x)", 0},
    {"scan_inclusive_add", "work_group_scan_inclusive_add(x)", 0},
    {"scan_exclusive_add", "work_group_scan_exclusive_add(x)", 0},
    {"broadcast", "work_group_broadcast(x, (size_t)(i & (int)(get_local_size(0) - 1)))", 0},
    {"all", "work_group_all(x != 3)", 1},
    {"any", "work_group_any(x == 3)", 1},
};

#define CL(call) check((call), #call)
static void check(cl_int code, const char *what) {
  if (!code) return;
  fprintf(stderr, "bench_gpu_cells: %s answers %d\n", what, code);
  exit(1);
}

static int by_value(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static cl_program build(cl_context context, cl_device_id device, const char *type, size_t f) {
  char text[1024];
  const char *source = text;
  cl_int code;
  snprintf(text, sizeof text,
           "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
           "kernel void cell(global %s *p, int n) {\n"
           "  %s x = p[get_global_id(0)];\n"
           "  for (int i = 0; i < n; i++) x = (%s)%s + (%s)(get_local_id(0) & 1);\n"
           "  p[get_global_id(0)] = x;\n"
           "}\n",
           type, type, type, functions[f].call, type);
  cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &code);
  CL(code);
  CL(clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
  return program;
}

static double seconds(cl_command_queue queue, cl_kernel kernel, size_t items, size_t local) {
  double times[TIMED];
  for (int round = -WARM; round < TIMED; round++) {
    cl_event event;
    cl_ulong begin, end;
    CL(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, &event));
    CL(clWaitForEvents(1, &event));
    CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
    CL(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    CL(clReleaseEvent(event));
    if (round == -1) usleep(300000); /* for a compilation beside the program */
    if (round >= 0) times[round] = (double)(end - begin) * 1e-9;
  }
  qsort(times, TIMED, sizeof *times, by_value);
  return times[TIMED / 2];
}

int main(int argc, char **argv) {
  cl_platform_id platform;
  cl_device_id device;
  cl_uint units;
  cl_int code, chain = CHAIN;
  CL(clGetPlatformIDs(1, &platform, NULL));
  CL(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  CL(clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  CL(code);
  cl_queue_properties timed[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
  cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, timed, &code);
  CL(code);
  cl_mem memory = clCreateBuffer(context, 0, (size_t)units * RESIDENT * 4 * 8, NULL, &code);
  CL(code);
  for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
    int wanted = argc < 2;
    for (int k = 1; k < argc; k++) wanted |= !strcmp(argv[k], types[t]);
    for (size_t f = 0; wanted && f < sizeof functions / sizeof *functions; f++) {
      if (functions[f].int_only && t) continue;
      cl_program program = build(context, device, types[t], f);
      for (size_t local = 64; local <= 1024; local *= 2)
        for (int many = 0; many < 2; many++) {
          cl_kernel kernel = clCreateKernel(program, "cell", &code);
          CL(code);
          size_t items = many ? units * (RESIDENT / local) * 4 * local : local;
          CL(clSetKernelArg(kernel, 0, sizeof memory, &memory));
          CL(clSetKernelArg(kernel, 1, sizeof chain, &chain));
          double time = seconds(queue, kernel, items, local);
          printf("%s\t%s\t%zu\t%s\t%.2f\t%s\n", functions[f].name, types[t], local,
                 many ? "throughput" : "latency",
                 many ? (double)items * CHAIN / time * 1e-9 : time * 1e9 / CHAIN,
                 many ? "Gelem/s" : "ns");
          CL(clReleaseKernel(kernel));
        }
      CL(clReleaseProgram(program));
    }
  }
  CL(clReleaseMemObject(memory));
  CL(clReleaseCommandQueue(queue));
  CL(clReleaseContext(context));
  return 0;
}

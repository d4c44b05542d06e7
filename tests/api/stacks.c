/* Kernels whose private arrays are larger than the stack of the thread that runs them: a small thread
 * of the application's, or (this program again) a main thread with a small limit. */
#include "api.h"

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

enum { SIZES = 3, ITEMS = 40 };
static const int words[SIZES] = {80 * 1024 / 4, 1024 * 1024 / 4, 16 * 1024 * 1024 / 4};

/* Each work-item fills an array of its own, in an order that it is told, and reads some of it; the
 * function is there so that more than one frame is. */
static const char *const source =
    "__attribute__((noinline)) uint sum(private uint *a, uint n, uint step) {\n"
    "  uint s = 0;\n"
    "  for (uint i = 0, at = 0; i < 1000; i++, at = (at + step) % n) s = s * 31 + a[at];\n"
    "  return s;\n"
    "}\n"
    "kernel void k(global uint *out) {\n"
    "  uint a[WORDS], i = get_global_id(0);\n"
    "  for (uint j = 0; j < WORDS; j++) a[j] = j * 2654435761u ^ i;\n"
    "  out[i] = sum(a, WORDS, out[i]);\n"
    "}\n";

static uint32_t answer(uint32_t item, uint32_t count, uint32_t step) {
  uint32_t s = 0;
  for (uint32_t i = 0, at = 0; i < 1000; i++, at = (at + step) % count)
    s = s * 31 + (at * 2654435761u ^ item);
  return s;
}

static cl_kernel kernels[SIZES];

static void build_all(void) {
  for (int k = 0; k < SIZES; k++) {
    char options[64];
    snprintf(options, sizeof options, "-DWORDS=%d", words[k]);
    cl_int error;
    cl_program program = build(source, options);
    kernels[k] = clCreateKernel(program, "k", &error);
    EXPECT(CL_SUCCESS, error);
    clReleaseProgram(program);
  }
}

static void run_one(int k) {
  cl_int error, status = 0;
  cl_event event;
  uint32_t values[ITEMS];
  size_t items = ITEMS, local = 8;
  for (uint32_t i = 0; i < ITEMS; i++) values[i] = 7 * i + 3;
  cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
  EXPECT(CL_SUCCESS, error);
  clSetKernelArg(kernels[k], 0, sizeof buffer, &buffer);
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queue, kernels[k], 1, NULL, &items, &local, 0, NULL, &event));
  clFinish(queue);
  clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL);
  /* Some hundred MB of it, for the vector's lanes: there may not be so much memory. */
  CHECK(status == CL_COMPLETE || (k == 2 && status == CL_OUT_OF_RESOURCES));
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL);
  for (uint32_t i = 0; i < ITEMS && !status; i++)
    CHECK(values[i] == answer(i, (uint32_t)words[k], 7 * i + 3));
  clReleaseEvent(event);
  clReleaseMemObject(buffer);
}

static void *run_all(void *unused) {
  for (int k = 0; k < SIZES; k++) run_one(k);
  return NULL;
}

static void run_on_small_thread(void) {
  pthread_attr_t attributes;
  pthread_t thread;
  pthread_attr_init(&attributes);
  CHECK(!pthread_attr_setstacksize(&attributes, 64 << 10));
  CHECK(!pthread_create(&thread, &attributes, run_all, NULL));
  pthread_join(thread, NULL);
  pthread_attr_destroy(&attributes);
}

int main(int argc, char **argv) {
  if (argc == 1) { /* the limit counts for a new program */
    struct rlimit small = {1 << 20, 1 << 20};
    CHECK(!setrlimit(RLIMIT_STACK, &small));
    execl("/proc/self/exe", argv[0], "small", NULL);
    return 1;
  }
  open_device();
  build_all();
  run_all(NULL);
  run_on_small_thread();
  for (int k = 0; k < SIZES; k++) clReleaseKernel(kernels[k]);
  return finish();
}

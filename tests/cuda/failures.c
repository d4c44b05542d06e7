/* Each call that a program's commands make of the driver fails once, alone and for good: what the
 * API answers then, that nothing is lost, and that what has not failed is right.  With "open": the
 * same of the calls that look for a device, in a process each; with "each N", of one in N only. */
#include <limits.h>
#include <sys/wait.h>
#include <unistd.h>

#include "api/api.h"
#include "cuda/open_twin.h"

enum { COUNT = 64, MOST_EVENTS = 16 };
enum { OUT_OF_MEMORY = 2, NO_DEVICE = 100, LAUNCH_FAILED = 700, UNKNOWN = 999 };

static const char *const symbols[] = {
#define MPL_CUDA(name, symbol, need, parameters) symbol,
#include "tables/cuda_driver.def"
    "kernel"};
enum { SYMBOLS = sizeof symbols / sizeof *symbols };

static const struct twin_control *control;
static cl_device_id second; /* of the context, or the first again */
static long num_devices;
static const char *now; /* what fails */
static const char source[] =
    "kernel void add(global int *p, local int *l, int k) {"
    "  size_t i = get_global_id(0); l[get_local_id(0)] = p[i]; barrier(CLK_LOCAL_MEM_FENCE);"
    "  p[i] = l[get_local_id(0)] + k; }";
static const char talking[] = "kernel void say(global int *p) { p[get_global_id(0)] *= 2;"
                              "  if (p[0] == -1) printf(\"%s\\n\", \"never\"); }";
/* One work-item enqueues two steps; the second enqueues the third. */
static const char breeding[] =
    "kernel void breed(global int *p) {"
    "  queue_t q = get_default_queue(); ndrange_t all = ndrange_1D(64, 16);"
    "  clk_event_t user, first; if (get_global_id(0)) return;"
    "  user = create_user_event();"
    "  int bad = enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, all, 1, &user, &first,"
    "                           ^{ p[get_global_id(0)] += 1; });"
    "  bad |= enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, all, 1, &first, 0, ^{"
    "    p[get_global_id(0)] *= 3;"
    "    if (!get_global_id(0)) enqueue_kernel(q, CLK_ENQUEUE_FLAGS_WAIT_KERNEL, all,"
    "                                          ^{ p[get_global_id(0)] -= 2; }); });"
    "  set_user_event_status(user, CL_COMPLETE); release_event(user); release_event(first);"
    "  if (bad) p[0] = -1; }";

/* --- What may be answered --- */

struct trial {
  bool failed; /* something has said so */
  cl_event events[MOST_EVENTS];
  unsigned num_events;
};

/* Every call may say that there is no memory or no resource; `more` is another code, or 0. */
static bool good(struct trial *trial, const char *what, cl_int error, cl_int more, cl_int also) {
  if (error == CL_SUCCESS) return true;
  trial->failed = true;
  if (error != CL_OUT_OF_RESOURCES && error != CL_OUT_OF_HOST_MEMORY && error != more &&
      error != also) {
    failures++;
    printf("%s: %s answers %d\n", now, what, error);
  }
  return false;
}
#define TRY(call)        good(trial, #call, call, 0, 0)
#define TRY_MEMORY(call) good(trial, #call, call, CL_MEM_OBJECT_ALLOCATION_FAILURE, 0)
#define TRY_WAITS(call)                                                                            \
  good(trial, #call, call, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,                           \
       CL_MEM_OBJECT_ALLOCATION_FAILURE)

static cl_event *next_event(struct trial *trial) {
  cl_event *event = &trial->events[trial->num_events++];
  *event = NULL;
  return event;
}
#define ON(before) (before) && *(before) ? 1 : 0, (before) && *(before) ? (before) : NULL

/* --- A small program --- */

struct objects {
  cl_command_queue timed, loose, kernels; /* which kernels enqueue to */
  cl_program programs[3];
  cl_kernel add, say, breed;
  cl_mem plain, pinned;
  cl_int *coarse, *fine; /* shared virtual memory */
};

static cl_command_queue open_queue(struct trial *trial, cl_device_id on,
                                   cl_command_queue_properties flags) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  cl_int error;
  cl_command_queue made = clCreateCommandQueueWithProperties(context, on, list, &error);
  good(trial, "clCreateCommandQueueWithProperties", error, 0, 0);
  return made;
}

static cl_program open_program(struct trial *trial, const char *text) {
  cl_int error;
  cl_program made = clCreateProgramWithSource(context, 1, &text, NULL, &error);
  CHECK(!error);
  good(trial, "clBuildProgram", clBuildProgram(made, 0, NULL, "-cl-std=CL3.0", NULL, NULL),
       CL_BUILD_PROGRAM_FAILURE, 0);
  return made;
}

static cl_kernel open_kernel(struct trial *trial, cl_program program, const char *name) {
  cl_int error;
  cl_kernel made = clCreateKernel(program, name, &error);
  good(trial, "clCreateKernel", error, CL_INVALID_PROGRAM_EXECUTABLE, 0);
  return made;
}

static cl_mem open_buffer(struct trial *trial, cl_mem_flags flags, void *values) {
  cl_int error;
  cl_mem made = clCreateBuffer(context, flags, COUNT * sizeof(cl_int), values, &error);
  good(trial, "clCreateBuffer", error, CL_MEM_OBJECT_ALLOCATION_FAILURE, 0);
  return made;
}

static void open_all(struct trial *trial, struct objects *o, cl_int *values) {
  o->timed = open_queue(trial, device, CL_QUEUE_PROFILING_ENABLE);
  o->loose = open_queue(trial, second, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  o->programs[0] = open_program(trial, source);
  o->programs[1] = open_program(trial, talking);
  o->programs[2] = open_program(trial, breeding);
  o->kernels = open_queue(trial, device,
                          CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  o->plain = open_buffer(trial, CL_MEM_COPY_HOST_PTR, values);
  o->pinned = open_buffer(trial, CL_MEM_ALLOC_HOST_PTR, NULL);
  o->coarse = clSVMAlloc(context, 0, COUNT * sizeof(cl_int), 0);
  o->fine = clSVMAlloc(context, CL_MEM_SVM_FINE_GRAIN_BUFFER, COUNT * sizeof(cl_int), 1 << 16);
  trial->failed |= !o->coarse || !o->fine;
  if (trial->failed) return;
  o->add = open_kernel(trial, o->programs[0], "add");
  o->say = open_kernel(trial, o->programs[1], "say");
  o->breed = open_kernel(trial, o->programs[2], "breed");
}

static void close_all(struct objects *o) {
  if (o->add) EXPECT(CL_SUCCESS, clReleaseKernel(o->add));
  if (o->say) EXPECT(CL_SUCCESS, clReleaseKernel(o->say));
  if (o->breed) EXPECT(CL_SUCCESS, clReleaseKernel(o->breed));
  for (int i = 0; i < 3; i++)
    if (o->programs[i]) EXPECT(CL_SUCCESS, clReleaseProgram(o->programs[i]));
  if (o->plain) EXPECT(CL_SUCCESS, clReleaseMemObject(o->plain));
  if (o->pinned) EXPECT(CL_SUCCESS, clReleaseMemObject(o->pinned));
  clSVMFree(context, o->coarse);
  clSVMFree(context, o->fine);
  if (o->timed) EXPECT(CL_SUCCESS, clReleaseCommandQueue(o->timed));
  if (o->loose) EXPECT(CL_SUCCESS, clReleaseCommandQueue(o->loose));
  if (o->kernels) EXPECT(CL_SUCCESS, clReleaseCommandQueue(o->kernels));
}

static void launch_add(struct trial *trial, struct objects *o, cl_command_queue on, cl_int k,
                       cl_event *before) {
  const size_t size = COUNT, local = 16;
  EXPECT(CL_SUCCESS, clSetKernelArg(o->add, 1, local * sizeof(cl_int), NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(o->add, 2, sizeof k, &k));
  cl_event *event = next_event(trial);
  if (!TRY_MEMORY(clSetKernelArg(o->add, 0, sizeof o->plain, &o->plain))) return;
  TRY_WAITS(clEnqueueNDRangeKernel(on, o->add, 1, NULL, &size, &local, ON(before), event));
}

/* The plain buffer's values, doubled and moved on; then those of the pinned one, through a map. */
static void command(struct trial *trial, struct objects *o, cl_int *seen) {
  const size_t size = COUNT, bytes = COUNT * sizeof(cl_int), row = 8 * sizeof(cl_int);
  const size_t corner[3] = {0}, half[3] = {row / 2, COUNT / 8, 1};
  const cl_int one = 1;
  cl_int error;
  cl_event *first = next_event(trial), *second, *third;
  TRY_WAITS(clEnqueueFillBuffer(o->loose, o->pinned, &one, sizeof one, 0, bytes, 0, NULL, first));
  launch_add(trial, o, o->timed, 5, NULL);
  launch_add(trial, o, o->timed, 7, NULL);
  second = &trial->events[trial->num_events - 1];
  launch_add(trial, o, o->loose, 1, second);
  third = &trial->events[trial->num_events - 1];
  EXPECT(CL_SUCCESS, clSetKernelArg(o->say, 0, sizeof o->plain, &o->plain));
  EXPECT(CL_SUCCESS, clSetKernelArg(o->breed, 0, sizeof o->plain, &o->plain));
  cl_event *said = next_event(trial), *bred = next_event(trial), *copied = next_event(trial);
  TRY_WAITS(clEnqueueNDRangeKernel(o->timed, o->say, 1, NULL, &size, NULL, ON(third), said));
  TRY_WAITS(clEnqueueNDRangeKernel(o->timed, o->breed, 1, NULL, &size, NULL, ON(said), bred));
  cl_event both[2] = {*first, *bred};
  TRY_WAITS(clEnqueueCopyBufferRect(o->loose, o->plain, o->pinned, corner, corner, half, row, 0,
                                    row, 0, *first && *bred ? 2 : 0, *first && *bred ? both : NULL,
                                    copied));
  TRY_WAITS(clEnqueueReadBuffer(o->timed, o->plain, CL_FALSE, 0, bytes, seen, ON(copied),
                                next_event(trial)));
  cl_int *mapped = clEnqueueMapBuffer(o->loose, o->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0,
                                      bytes, ON(copied), next_event(trial), &error);
  if (error == CL_MAP_FAILURE) error = CL_MEM_OBJECT_ALLOCATION_FAILURE;
  if (!good(trial, "clEnqueueMapBuffer", error, CL_MEM_OBJECT_ALLOCATION_FAILURE,
            CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST))
    return;
  memcpy(seen + COUNT, mapped, bytes);
  TRY_WAITS(clEnqueueUnmapMemObject(o->loose, o->pinned, mapped, 0, NULL, next_event(trial)));
}

/* From the host's memory through both kinds of shared memory, and back. */
static void command_shared(struct trial *trial, struct objects *o, const cl_int *values,
                           cl_int *seen) {
  const size_t bytes = COUNT * sizeof(cl_int);
  const cl_long minus_one = -1;
  TRY_WAITS(
      clEnqueueSVMMemcpy(o->timed, CL_FALSE, o->fine, values, bytes, 0, NULL, next_event(trial)));
  TRY_WAITS(clEnqueueSVMMemFill(o->timed, o->fine, &minus_one, sizeof minus_one, sizeof minus_one,
                                0, NULL, next_event(trial)));
  TRY_WAITS(clEnqueueSVMMemcpy(o->timed, CL_FALSE, o->coarse, o->fine, bytes, 0, NULL,
                               next_event(trial)));
  TRY_WAITS(
      clEnqueueSVMMemcpy(o->timed, CL_FALSE, seen, o->coarse, bytes, 0, NULL, next_event(trial)));
}

/* Whether all commands say that they have ended well. */
static void settle(struct trial *trial, struct objects *o) {
  if (o->timed) TRY_WAITS(clFinish(o->timed));
  if (o->loose) TRY_WAITS(clFinish(o->loose));
  for (unsigned i = 0; i < trial->num_events; i++) {
    cl_int status = CL_SUCCESS;
    if (!trial->events[i]) continue;
    TRY_WAITS(clWaitForEvents(1, &trial->events[i]));
    EXPECT(CL_SUCCESS, clGetEventInfo(trial->events[i], CL_EVENT_COMMAND_EXECUTION_STATUS,
                                      sizeof status, &status, NULL));
    CHECK(status <= CL_COMPLETE);
    TRY_WAITS(status);
    EXPECT(CL_SUCCESS, clReleaseEvent(trial->events[i]));
  }
}

static bool is_right(const cl_int *seen) {
  for (cl_int i = 0; i < COUNT; i++) {
    cl_int value = ((i + 5 + 7 + 1) * 2 + 1) * 3 - 2;
    if (seen[i] != value || seen[COUNT + i] != (i % 8 < 4 ? value : 1)) return false;
    if (seen[2 * COUNT + i] != (i < 2 ? -1 : i)) return false;
  }
  return true;
}

static bool run_once(void) {
  struct trial trial = {0};
  struct objects o = {0};
  cl_int values[COUNT], seen[3 * COUNT] = {0};
  for (cl_int i = 0; i < COUNT; i++) values[i] = i;
  open_all(&trial, &o, values);
  if (!trial.failed) command(&trial, &o, seen);
  if (!trial.failed) command_shared(&trial, &o, values, seen + 2 * COUNT);
  settle(&trial, &o);
  if (!trial.failed && !is_right(seen)) {
    failures++;
    printf("%s: nobody says so, and values are wrong\n", now);
  }
  close_all(&o);
  return trial.failed;
}

/* --- The sweep --- */

/* Those that give back, and those that the context goes with: what they do not take is left. */
static bool leaves(const char *symbol) {
  return strstr(symbol, "Free") || strstr(symbol, "Destroy") || strstr(symbol, "Unload") ||
         !strcmp(symbol, "cuCtxSetCurrent") || !strcmp(symbol, "kernel");
}

/* What is there without anything of a program's: of each device two streams, a byte and an event;
 * two events, a graph and what is made of it are kept together. */
static bool is_all_back(void) {
  static long ring = LONG_MAX;
  const struct twin_left left = *control->left;
  if (left.streams != 2 * num_devices || left.memory != num_devices || left.modules ||
      left.events - left.graphs != num_devices)
    return false;
  if (left.pinned < ring) ring = left.pinned;
  return left.pinned == ring;
}

/* A thread may still be about to let go of a queue. */
static void check_left(void) {
  for (int tries = 0; tries < 20000 && !is_all_back(); tries++) usleep(1000);
  if (is_all_back()) return;
  failures++;
  printf("%s: left: memory %ld pinned %ld streams %ld events %ld modules %ld graphs %ld\n", now,
         control->left->memory, control->left->pinned, control->left->streams,
         control->left->events, control->left->modules, control->left->graphs);
}

static unsigned long count_calls(void) {
  unsigned long sum = 0;
  for (unsigned i = 0; i < SYMBOLS; i++) sum += control->count(symbols[i]);
  return sum;
}

/* It may be doing that while what it would give back is left. */
static void wait_until_quiet(void) {
  unsigned long before, calls = count_calls();
  do {
    before = calls;
    usleep(10000);
    calls = count_calls();
  } while (calls != before);
}

static unsigned long step = 1;

static void sweep(const char *symbol, unsigned long calls, int code, bool checks) {
  char text[128];
  for (unsigned long n = 1; n <= calls; n += step) {
    now = text;
    snprintf(text, sizeof text, "%s:%lu:%d", symbol, n, code);
    if (getenv("FAILURES_SAY")) fprintf(stderr, "%s\n", now);
    control->fault(symbol, n, code);
    bool failed = run_once();
    control->mend();
    if (!strcmp(symbol, "kernel")) CHECK(failed);
    if (checks)
      check_left();
    else
      wait_until_quiet();
    now = "after";
    if (run_once()) failures++, printf("after %s: something fails still\n", text);
  }
}

static void open_one_or_two(void) {
  cl_device_id devices[2];
  num_devices = open_devices(devices, 2);
  second = devices[num_devices - 1];
}

static int sweep_commands(void) {
  unsigned long before[SYMBOLS], calls[SYMBOLS], total = 0;
  open_one_or_two();
  control = open_twin();
  CHECK(control);
  now = "nothing";
  CHECK(!run_once()); /* what is kept for ever is made */
  for (int i = 0; i < SYMBOLS; i++) before[i] = control->count(symbols[i]);
  CHECK(!run_once());
  check_left(); /* from here on nothing more may be left */
  for (int i = 0; i < SYMBOLS; i++) total += calls[i] = control->count(symbols[i]) - before[i];
  for (int i = 0; i < SYMBOLS && !failures; i++)
    if (!leaves(symbols[i])) sweep(symbols[i], calls[i], OUT_OF_MEMORY, true);
  for (int i = 0; i < SYMBOLS && !failures; i++) {
    if (leaves(symbols[i])) sweep(symbols[i], calls[i], OUT_OF_MEMORY, false);
    sweep(symbols[i], calls[i], LAUNCH_FAILED, false);
  }
  printf("one in %lu of %lu calls failed, each twice\n", step, total);
  return finish();
}

/* --- Looking for a device --- */

/* A process's exit status: 1 if a code was wrong. */
static int open_once(void) {
  cl_int error = clGetPlatformIDs(1, &platform, NULL);
  if (error) return error != -1001; /* CL_PLATFORM_NOT_FOUND_KHR */
  error = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
  if (error) return error != CL_DEVICE_NOT_FOUND && error != CL_OUT_OF_RESOURCES;
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &error);
  if (error) return error != CL_OUT_OF_RESOURCES && error != CL_OUT_OF_HOST_MEMORY;
  clCreateBuffer(context, 0, COUNT, NULL, &error); /* the device is used from here on */
  if (error && error != CL_OUT_OF_RESOURCES && error != CL_MEM_OBJECT_ALLOCATION_FAILURE) return 1;
  clCreateCommandQueueWithProperties(context, device, NULL, &error);
  return error && error != CL_OUT_OF_RESOURCES && error != CL_OUT_OF_HOST_MEMORY;
}

static void open_in_child(const char *self, const char *symbol, unsigned long n, int code) {
  char text[128];
  snprintf(text, sizeof text, "%s:%lu:%d", symbol, n, code);
  pid_t child = fork();
  if (!child) {
    setenv("TWIN_FAIL", text, 1);
    execl(self, self, "once", NULL);
    _exit(2);
  }
  int status = -1;
  waitpid(child, &status, 0);
  if (status) failures++, printf("%s: a process ends with %x\n", text, (unsigned)status);
}

static int sweep_open(void) {
  static const int codes[] = {OUT_OF_MEMORY, NO_DEVICE, UNKNOWN};
  char self[4096] = "";
  CHECK(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
  for (int i = 0; i < SYMBOLS; i++)
    for (unsigned c = 0; c < sizeof codes / sizeof *codes; c++) {
      bool often = !strcmp(symbols[i], "cuDeviceGetAttribute");
      for (unsigned long n = 1; n <= (often ? 8 : 1); n++)
        open_in_child(self, symbols[i], n, codes[c]);
    }
  return finish();
}

int main(int argc, char **argv) {
  alarm(600);
  if (argc > 1 && !strcmp(argv[1], "once")) return open_once();
  if (argc > 2 && !strcmp(argv[1], "each")) step = strtoul(argv[2], NULL, 10);
  return argc > 1 && !strcmp(argv[1], "open") ? sweep_open() : sweep_commands();
}

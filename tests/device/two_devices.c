/* Buffers that two devices and the host use in turn, on a driver with the mock and the CPU: random
 * commands against a model of what the bytes must be, alone and with failures half way. */
#include <dlfcn.h>
#include <unistd.h>

#include "api/api.h"
#include "mock.h"

enum { WIDTH = 16, HEIGHT = 8, DEPTH = 8, SIZE = WIDTH * HEIGHT * DEPTH, PART = 256, STEPS = 300 };

static struct mock_state *state;
static void (*resume)(void);
static cl_device_id devices[2];
static cl_context both;
static cl_command_queue queues[4]; /* mock in order, mock out of order, timed, CPU */
static cl_kernel add;

static const char *const source =
    "kernel void add(global uchar *p, local uchar *l, uint n, uchar v) {"
    "  size_t i = get_global_id(0);"
    "  if (i < n) { l[get_local_id(0)] = p[i]; p[i] = l[get_local_id(0)] + v; } }";

static cl_command_queue make_queue(cl_device_id on, cl_command_queue_properties flags) {
  const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
  return clCreateCommandQueueWithProperties(both, on, list, NULL);
}

static void open_both(void) {
  cl_int error;
  cl_uint count = 0;
  EXPECT(CL_SUCCESS, clGetPlatformIDs(1, &platform, NULL));
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 2, devices, &count));
  void *library = dlopen(MOCK_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  if (count != 2 || !library) {
    printf("not the mock's driver\n");
    exit(1);
  }
  state = ((struct mock_state * (*)(void)) dlsym(library, "mock_state"))();
  resume = (void (*)(void))dlsym(library, "mock_resume");
  both = clCreateContext(NULL, 2, devices, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  queues[0] = make_queue(devices[0], 0);
  queues[1] = make_queue(devices[0], CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  queues[2] = make_queue(devices[0], CL_QUEUE_PROFILING_ENABLE);
  queues[3] = make_queue(devices[1], 0);
  cl_program program = clCreateProgramWithSource(both, 1, (const char **)&source, NULL, &error);
  EXPECT(CL_SUCCESS, clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL));
  add = clCreateKernel(program, "add", &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clReleaseProgram(program));
}

/* --- Random commands, each after the one before it, on whichever queue --- */

struct test {
  unsigned random;
  cl_mem whole[2], part[2]; /* a part is a sub-buffer of the same number */
  unsigned char model[2][SIZE], back[SIZE], user[SIZE];
  cl_event last; /* what the next one waits for, or null */
  bool may_fail;
  cl_int failed; /* the first error that was met */
  int mistakes;
};

static unsigned below(struct test *test, unsigned limit) {
  test->random = test->random * 1664525u + 1013904223u;
  return (test->random >> 10) % limit;
}

/* A buffer, and where its bytes are in the model. */
static cl_mem choose(struct test *test, unsigned which, unsigned char **model, size_t *size) {
  bool part = below(test, 3) == 0;
  *model = test->model[which] + (part ? PART : 0);
  *size = part ? PART : SIZE;
  return part ? test->part[which] : test->whole[which];
}

/* The event is read here: in the caller it might be read before the enqueue has set it. */
static void note(struct test *test, cl_int error, const cl_event *made) {
  cl_event event = *made;
  if (error && !test->may_fail) test->mistakes++, printf("an enqueue answers %d\n", error);
  if (error && !test->failed) test->failed = error;
  if (!error && test->last) clReleaseEvent(test->last);
  if (!error)
    test->last = event;
  else if (event) /* of a blocking command that failed */
    clReleaseEvent(event);
}

static void compare(struct test *test, const unsigned char *got, const unsigned char *want,
                    size_t size) {
  if (test->failed) return;
  if (memcmp(got, want, size)) test->mistakes++;
}

#define WAITS test->last ? 1 : 0, test->last ? &test->last : NULL, &event

static void transfer(struct test *test, cl_command_queue on) {
  unsigned char *model;
  size_t size;
  cl_event event = NULL;
  cl_mem mem = choose(test, below(test, 2), &model, &size);
  size_t offset = below(test, (unsigned)size), bytes = 1 + below(test, (unsigned)(size - offset));
  if (below(test, 2)) {
    note(test, clEnqueueReadBuffer(on, mem, CL_TRUE, offset, bytes, test->back, WAITS), &event);
    compare(test, test->back, model + offset, bytes);
    return;
  }
  for (size_t i = 0; i < bytes; i++) test->user[i] = (unsigned char)below(test, 256);
  cl_bool blocks = CL_TRUE; /* the bytes are written over by the next command */
  note(test, clEnqueueWriteBuffer(on, mem, blocks, offset, bytes, test->user, WAITS), &event);
  memcpy(model + offset, test->user, bytes);
}

static void fill(struct test *test, cl_command_queue on) {
  unsigned char *model, pattern[128];
  size_t size, width = (size_t)1 << below(test, 8);
  cl_event event = NULL;
  cl_mem mem = choose(test, below(test, 2), &model, &size);
  size_t first = below(test, (unsigned)(size / width));
  size_t count = 1 + below(test, (unsigned)(size / width - first));
  for (size_t i = 0; i < width; i++) pattern[i] = (unsigned char)below(test, 256);
  note(test, clEnqueueFillBuffer(on, mem, pattern, width, first * width, count * width, WAITS),
       &event);
  for (size_t i = 0; i < count * width; i++) model[first * width + i] = pattern[i % width];
}

static void copy(struct test *test, cl_command_queue on) {
  unsigned char *from, *to;
  size_t from_size, to_size;
  cl_event event = NULL;
  unsigned which = below(test, 2);
  cl_mem source_mem = choose(test, which, &from, &from_size);
  cl_mem target_mem = choose(test, !which, &to, &to_size);
  size_t least = from_size < to_size ? from_size : to_size,
         bytes = 1 + below(test, (unsigned)least);
  size_t a = below(test, (unsigned)(from_size - bytes + 1));
  size_t b = below(test, (unsigned)(to_size - bytes + 1));
  note(test, clEnqueueCopyBuffer(on, source_mem, target_mem, a, b, bytes, WAITS), &event);
  memcpy(to + b, from + a, bytes);
}

static void box(struct test *test, cl_command_queue on) {
  size_t region[3] = {1 + below(test, WIDTH), 1 + below(test, HEIGHT), 1 + below(test, DEPTH)};
  size_t at[3] = {below(test, (unsigned)(WIDTH + 1 - region[0])),
                  below(test, (unsigned)(HEIGHT + 1 - region[1])),
                  below(test, (unsigned)(DEPTH + 1 - region[2]))};
  const size_t row = WIDTH, slice = WIDTH * HEIGHT, zero[3] = {0};
  unsigned which = below(test, 2), how = below(test, 3);
  unsigned char *to = test->model[which], *from = how ? test->user : test->model[!which];
  cl_mem mem = test->whole[which];
  cl_event event = NULL;
  size_t row_out = region[0], slice_out = region[0] * region[1];
  if (how == 1) {
    note(test,
         clEnqueueReadBufferRect(on, mem, CL_TRUE, at, zero, region, row, slice, 0, 0, test->back,
                                 WAITS),
         &event);
  } else if (how == 2) {
    for (size_t i = 0; i < SIZE; i++) test->user[i] = (unsigned char)below(test, 256);
    note(test,
         clEnqueueWriteBufferRect(on, mem, CL_TRUE, at, at, region, row, slice, row, slice,
                                  test->user, WAITS),
         &event);
  } else {
    note(test,
         clEnqueueCopyBufferRect(on, test->whole[!which], mem, at, at, region, row, slice, row,
                                 slice, WAITS),
         &event);
  }
  for (size_t z = 0; z < region[2]; z++)
    for (size_t y = 0; y < region[1]; y++) {
      size_t there = (at[2] + z) * slice + (at[1] + y) * row + at[0];
      if (how == 1)
        compare(test, test->back + z * slice_out + y * row_out, to + there, region[0]);
      else
        memcpy(to + there, from + there, region[0]);
    }
}

static void kernel(struct test *test, cl_command_queue on) {
  unsigned char *model;
  size_t size, local = 1 + below(test, 64);
  cl_event event = NULL;
  cl_mem mem = choose(test, below(test, 2), &model, &size);
  cl_uint n = 1 + below(test, (unsigned)size);
  cl_uchar value = (cl_uchar)below(test, 256);
  size_t global = (n + local - 1) / local * local;
  EXPECT(CL_SUCCESS, clSetKernelArg(add, 0, sizeof mem, &mem));
  EXPECT(CL_SUCCESS, clSetKernelArg(add, 1, local, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(add, 2, sizeof n, &n));
  EXPECT(CL_SUCCESS, clSetKernelArg(add, 3, sizeof value, &value));
  note(test, clEnqueueNDRangeKernel(on, add, 1, NULL, &global, &local, WAITS), &event);
  for (cl_uint i = 0; i < n; i++) model[i] += value;
}

static void map(struct test *test, cl_command_queue on) {
  static const cl_map_flags kinds[] = {CL_MAP_READ, CL_MAP_WRITE, CL_MAP_READ | CL_MAP_WRITE,
                                       CL_MAP_WRITE_INVALIDATE_REGION};
  unsigned char *model;
  size_t size;
  cl_event event = NULL;
  cl_int error;
  cl_map_flags flags = kinds[below(test, 4)];
  cl_mem mem = choose(test, below(test, 2), &model, &size);
  size_t offset = below(test, (unsigned)size), bytes = 1 + below(test, (unsigned)(size - offset));
  unsigned char *mapped = clEnqueueMapBuffer(on, mem, CL_TRUE, flags, offset, bytes, WAITS, &error);
  note(test, error, &event);
  if (!mapped) return;
  if (!(flags & CL_MAP_WRITE_INVALIDATE_REGION)) compare(test, mapped, model + offset, bytes);
  if (flags != CL_MAP_READ) /* of an invalidated region all has to be written */
    for (size_t i = 0; i < bytes; i++)
      mapped[i] = model[offset + i] = (unsigned char)below(test, 256);
  event = NULL;
  cl_command_queue other = queues[below(test, 4)];
  note(test, clEnqueueUnmapMemObject(other, mem, mapped, WAITS), &event);
}

static void migrate(struct test *test, cl_command_queue on) {
  cl_event event = NULL;
  cl_mem_migration_flags flags = below(test, 2) ? CL_MIGRATE_MEM_OBJECT_HOST : 0;
  note(test, clEnqueueMigrateMemObjects(on, 2, test->whole, flags, WAITS), &event);
}

static void make_buffers(struct test *test) {
  static const cl_mem_flags kinds[] = {0, CL_MEM_ALLOC_HOST_PTR, CL_MEM_COPY_HOST_PTR,
                                       CL_MEM_USE_HOST_PTR};
  static unsigned char hosts[2][SIZE];
  const cl_buffer_region region = {PART, PART};
  for (int i = 0; i < 2; i++) {
    cl_mem_flags flags = kinds[below(test, 4)];
    bool given = flags & (CL_MEM_COPY_HOST_PTR | CL_MEM_USE_HOST_PTR);
    for (int b = 0; b < SIZE; b++)
      hosts[i][b] = test->model[i][b] = (unsigned char)below(test, 256);
    test->whole[i] = clCreateBuffer(both, flags, SIZE, given ? hosts[i] : NULL, NULL);
    test->part[i] =
        clCreateSubBuffer(test->whole[i], 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
    CHECK(test->whole[i] && test->part[i]);
    if (!given)
      EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queues[0], test->whole[i], CL_TRUE, 0, SIZE,
                                              test->model[i], 0, NULL, NULL));
  }
}

static void nothing_left(void) {
  for (int i = 0; i < 3000 && (atomic_load(&state->marks) || atomic_load(&state->memory)); i++)
    usleep(1000); /* a watching thread may be on its way out */
  CHECK(!atomic_load(&state->memory) && !atomic_load(&state->pinned));
  CHECK(!atomic_load(&state->marks));
}

static void run_random(unsigned seed, atomic_long *what) {
  static void (*const commands[])(struct test *, cl_command_queue) = {
      transfer, fill, copy, box, kernel, kernel, map, migrate};
  struct test *test = calloc(1, sizeof *test);
  test->random = seed;
  make_buffers(test);
  test->may_fail = what;
  if (what) atomic_store(what, 10 + (long)below(test, 100));
  for (int step = 0; step < STEPS && !test->failed && !test->mistakes; step++) {
    unsigned next = below(test, sizeof commands / sizeof *commands);
    commands[next](test, queues[below(test, 4)]);
    if (test->mistakes) printf("seed %u, step %d, command %u\n", seed, step, next);
  }
  /* After a failure each command that waits for it fails too, and nothing hangs. */
  cl_int status = 1;
  if (test->last) {
    cl_int waited = clWaitForEvents(1, &test->last);
    CHECK(!waited || what);
    EXPECT(CL_SUCCESS, clGetEventInfo(test->last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status,
                                      &status, NULL));
    CHECK(waited ? status < 0 : status == CL_COMPLETE);
    clReleaseEvent(test->last);
  }
  if (what) atomic_store(what, 0);
  failures += test->mistakes;
  for (int i = 0; i < 4; i++) EXPECT(CL_SUCCESS, clFinish(queues[i]));
  for (int i = 0; i < 2; i++) {
    EXPECT(CL_SUCCESS, clReleaseMemObject(test->part[i]));
    EXPECT(CL_SUCCESS, clReleaseMemObject(test->whole[i]));
  }
  free(test);
  nothing_left();
}

/* --- One thing at a time --- */

/* Sub-buffers that share no byte are used by both devices at once. */
static void at_once(void) {
  unsigned char bytes[2 * PART] = {0};
  const cl_buffer_region regions[] = {{0, PART}, {PART, PART}};
  cl_mem whole = clCreateBuffer(both, CL_MEM_COPY_HOST_PTR, sizeof bytes, bytes, NULL), parts[2];
  const cl_uint n = PART;
  const size_t global = PART, local = 64;
  EXPECT(CL_SUCCESS, clSetKernelArg(add, 1, local, NULL));
  EXPECT(CL_SUCCESS, clSetKernelArg(add, 2, sizeof n, &n));
  for (int i = 0; i < 2; i++)
    parts[i] = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &regions[i], NULL);
  for (int turn = 0; turn < 20; turn++)
    for (int i = 0; i < 2; i++) {
      const cl_uchar one = (cl_uchar)(i + 1);
      EXPECT(CL_SUCCESS, clSetKernelArg(add, 0, sizeof parts[i], &parts[i]));
      EXPECT(CL_SUCCESS, clSetKernelArg(add, 3, sizeof one, &one));
      EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queues[i ? 3 : 0], add, 1, NULL, &global, &local, 0,
                                                NULL, NULL));
    }
  EXPECT(CL_SUCCESS, clFinish(queues[0]));
  EXPECT(CL_SUCCESS, clFinish(queues[3]));
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(queues[0], whole, CL_TRUE, 0, sizeof bytes, bytes, 0, NULL, NULL));
  for (int i = 0; i < 2 * PART; i++) CHECK(bytes[i] == (i < PART ? 20 : 40));
  for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(parts[i]));
  EXPECT(CL_SUCCESS, clReleaseMemObject(whole));
  nothing_left();
}

static atomic_int called;

static void CL_CALLBACK call(cl_event event, cl_int status, void *data) {
  if (status == CL_COMPLETE) atomic_fetch_add(&called, 1);
}

/* Enqueues return before the device has done anything; what waits elsewhere goes on by itself.  Times
 * are in order, and no length of time is lost, by whatever clock the device goes. */
static void ahead_of_time(void) {
  const cl_uchar one = 1;
  unsigned char back = 0;
  cl_event fills[3], read;
  cl_int status;
  cl_mem mem = clCreateBuffer(both, 0, 64, NULL, NULL);
  atomic_store(&state->behind, 1000000000ull);
  atomic_store(&state->paused, true);
  for (int i = 0; i < 3; i++)
    EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queues[2], mem, &one, 1, 0, 64, 0, NULL, &fills[i]));
  EXPECT(CL_SUCCESS,
         clEnqueueReadBuffer(queues[3], mem, CL_FALSE, 7, 1, &back, 1, &fills[2], &read));
  EXPECT(CL_SUCCESS, clSetEventCallback(read, CL_COMPLETE, call, NULL));
  EXPECT(CL_SUCCESS, clFlush(queues[3]));
  EXPECT(CL_SUCCESS,
         clGetEventInfo(fills[2], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  CHECK(status == CL_SUBMITTED && !back && !atomic_load(&called)); /* behind two others */
  EXPECT(CL_SUCCESS,
         clGetEventInfo(fills[0], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  CHECK(status == CL_RUNNING);
  resume();
  for (int i = 0; i < 10000 && !atomic_load(&called); i++) usleep(1000);
  CHECK(atomic_load(&called) == 1 && back == 1);
  cl_ulong before = 0;
  for (int i = 0; i < 3; i++) {
    cl_ulong times[4];
    for (cl_profiling_info what = CL_PROFILING_COMMAND_QUEUED; what <= CL_PROFILING_COMMAND_END;
         what++)
      EXPECT(CL_SUCCESS, clGetEventProfilingInfo(fills[i], what, sizeof *times,
                                                 &times[what - CL_PROFILING_COMMAND_QUEUED], NULL));
    CHECK(times[0] && times[0] <= times[1] && times[1] <= times[2] && times[2] < times[3]);
    CHECK(before <= times[2]);
    before = times[3];
    EXPECT(CL_SUCCESS, clReleaseEvent(fills[i]));
  }
  atomic_store(&state->behind, 0);
  EXPECT(CL_SUCCESS, clReleaseEvent(read));
  EXPECT(CL_SUCCESS, clReleaseMemObject(mem));
  nothing_left();
}

/* Without memory for a buffer its creation is refused, or its first use by the other device. */
static void no_memory(void) {
  cl_int error, value = 0;
  atomic_store(&state->fail_allocation, 1);
  EXPECT_NULL(CL_MEM_OBJECT_ALLOCATION_FAILURE, clCreateBuffer(both, 0, 64, NULL, &error));
  const cl_device_id turned[] = {devices[1], devices[0]};
  cl_context other = clCreateContext(NULL, 2, turned, NULL, NULL, &error);
  cl_command_queue on_mock = clCreateCommandQueueWithProperties(other, devices[0], NULL, &error);
  cl_mem mem = clCreateBuffer(other, 0, 64, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  atomic_store(&state->fail_allocation, 1);
  EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE,
         clEnqueueWriteBuffer(on_mock, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(on_mock, mem, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
  EXPECT(CL_SUCCESS, clReleaseMemObject(mem));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(on_mock));
  EXPECT(CL_SUCCESS, clReleaseContext(other));
  nothing_left();
}

/* A program built for one of the devices: its kernels run there only. */
static void one_build(void) {
  const size_t one = 1;
  size_t size;
  cl_int error;
  cl_mem mem = clCreateBuffer(both, 0, 64, NULL, NULL);
  const char *text = "kernel void k(global uint *p) { p[get_global_id(0)] = 7; }";
  for (int i = 0; i < 2; i++) {
    cl_program program = clCreateProgramWithSource(both, 1, &text, NULL, &error);
    EXPECT(CL_SUCCESS, clBuildProgram(program, 1, &devices[i], NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &error);
    EXPECT(CL_SUCCESS, clSetKernelArg(kernel, 0, sizeof mem, &mem));
    cl_command_queue own = queues[i ? 3 : 0], other = queues[i ? 0 : 3];
    EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(own, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE,
           clEnqueueNDRangeKernel(other, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    EXPECT(CL_SUCCESS, clGetKernelWorkGroupInfo(kernel, devices[i], CL_KERNEL_WORK_GROUP_SIZE,
                                                sizeof size, &size, NULL));
    EXPECT(CL_INVALID_DEVICE,
           clGetKernelWorkGroupInfo(kernel, devices[!i], CL_KERNEL_WORK_GROUP_SIZE, sizeof size,
                                    &size, NULL));
    EXPECT(CL_SUCCESS, clFinish(own));
    EXPECT(CL_SUCCESS, clReleaseKernel(kernel));
    EXPECT(CL_SUCCESS, clReleaseProgram(program));
  }
  EXPECT(CL_SUCCESS, clReleaseMemObject(mem));
  nothing_left();
}

int main(void) {
  open_both();
  atomic_long *const what[] = {&state->fail_issue, &state->fail_end, &state->fail_mark,
                               &state->fail_wait, &state->fail_allocation};
  at_once();
  ahead_of_time();
  no_memory();
  one_build();
  for (unsigned seed = 1; seed <= 10 && !failures; seed++) {
    run_random(seed, NULL);
    run_random(seed + 100, what[seed % 5]);
  }
  EXPECT(CL_SUCCESS, clReleaseKernel(add));
  for (int i = 0; i < 4; i++) EXPECT(CL_SUCCESS, clReleaseCommandQueue(queues[i]));
  EXPECT(CL_SUCCESS, clReleaseContext(both));
  for (int i = 0; i < 3000 && atomic_load(&state->streams); i++) usleep(1000);
  CHECK(!atomic_load(&state->streams) && !atomic_load(&state->modules));
  nothing_left();
  CHECK(!atomic_load(&state->broken));
  return finish();
}

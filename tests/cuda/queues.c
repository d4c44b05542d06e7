/* Random commands on several queues of all devices, in order and out of it, which events and
 * barriers put in order where they have to be: what comes out is what they make one after another.
 * queues [ROUNDS [SEED]]. */
#include <unistd.h>

#include "api/api.h"

enum { SIZE = 64, WHOLE = 4, PARTS = 4, HOSTS = 3, PLACES = WHOLE + PARTS, ALL = PLACES + HOSTS };
enum { STEPS = 120, MOST_USES = 4 * STEPS, MOST_GATES = 4, MOST_QUEUES = 8 };
static const size_t bytes = SIZE * sizeof(cl_uint);

/* A command that something belongs to. */
struct use {
  cl_event event; /* kept in `events` */
  unsigned queue, number;
};

struct queue {
  cl_command_queue queue;
  bool in_order, timed;
  unsigned barrier; /* what has a smaller number is in front of all that comes */
};

static cl_uint num_devices;
static cl_device_id devices[8];
static cl_program programs[2]; /* one prints, which all of its kernels are taken to do */
#define MIX(more)                                                                                  \
  "kernel void mix(global uint *to, global const uint *from, uint k) {"                            \
  "  size_t i = get_global_id(0); to[i] = to[i] * 3 + from[i] + k; " more "}"
static const char *const sources[] = {MIX(""), MIX("if (k > 1000) printf(\"%u\\n\", k);")};

/* A round's. */
static unsigned random_state;
static struct queue queues[MOST_QUEUES];
static unsigned num_queues, number;
static cl_mem places[PLACES], parents[PARTS / 2];
static cl_uint hosts[HOSTS][SIZE], used[SIZE], model[ALL][SIZE];
static struct use uses[ALL][MOST_USES]; /* since it was written, by the first of them */
static unsigned num_uses[ALL];
static cl_event events[MOST_USES];
static unsigned num_events;
static cl_event gates[MOST_GATES];
static unsigned num_gates;

static unsigned below(unsigned limit) {
  random_state = random_state * 1664525u + 1013904223u;
  return (random_state >> 10) % limit;
}

/* --- What waits for what --- */

static void open_gates(unsigned most) {
  for (; num_gates && most; most--) {
    cl_event gate = gates[--num_gates];
    EXPECT(CL_SUCCESS, clSetUserEventStatus(gate, CL_COMPLETE));
    EXPECT(CL_SUCCESS, clReleaseEvent(gate));
  }
}

struct waits {
  cl_event list[MOST_USES];
  cl_uint count;
};

static void add(struct waits *waits, unsigned on, const struct use *use) {
  bool ordered = use->queue == on && (queues[on].in_order || use->number < queues[on].barrier);
  if (ordered && below(4)) return;
  for (cl_uint i = 0; i < waits->count; i++)
    if (waits->list[i] == use->event) return;
  waits->list[waits->count++] = use->event;
}

static void wait_for(struct waits *waits, unsigned on, unsigned thing, bool writes) {
  for (unsigned i = 0; i < num_uses[thing]; i++)
    if (writes || !i) add(waits, on, &uses[thing][i]);
}

static void add_gate(struct waits *waits) {
  cl_int error;
  if (num_gates == MOST_GATES || below(8)) return;
  gates[num_gates] = clCreateUserEvent(context, &error);
  EXPECT(CL_SUCCESS, error);
  waits->list[waits->count++] = gates[num_gates++];
}

static void note(unsigned on, unsigned thing, bool writes, cl_event event) {
  if (writes) num_uses[thing] = 0;
  uses[thing][num_uses[thing]++] = (struct use){event, on, number};
}

static void keep(cl_event event) {
  events[num_events++] = event;
  number++;
}

#define WAITS waits.count, waits.count ? waits.list : NULL, &event

/* --- Commands --- */

static void transfer(unsigned on) {
  struct waits waits = {.count = 0};
  unsigned place = below(PLACES), host = PLACES + below(HOSTS);
  bool writes = below(2); /* the place */
  cl_event event = NULL;
  wait_for(&waits, on, place, writes);
  wait_for(&waits, on, host, !writes);
  add_gate(&waits);
  cl_uint *memory = hosts[host - PLACES];
  EXPECT(CL_SUCCESS, writes ? clEnqueueWriteBuffer(queues[on].queue, places[place], CL_FALSE, 0,
                                                   bytes, memory, WAITS)
                            : clEnqueueReadBuffer(queues[on].queue, places[place], CL_FALSE, 0,
                                                  bytes, memory, WAITS));
  note(on, place, writes, event);
  note(on, host, !writes, event);
  keep(event);
  memcpy(model[writes ? place : host], model[writes ? host : place], bytes);
}

/* Rows of eight numbers, of which some are there. */
static void box(unsigned on) {
  struct waits waits = {.count = 0};
  unsigned to = below(ALL), from = below(to < PLACES ? ALL : PLACES);
  size_t width = 1 + below(8), height = 1 + below(8), x = below(9 - (unsigned)width),
         y = below(9 - (unsigned)height), row = 8 * sizeof(cl_uint);
  const size_t at[3] = {x * sizeof(cl_uint), y, 0}, size[3] = {width * sizeof(cl_uint), height, 1};
  cl_event event = NULL;
  if (to == from) return;
  wait_for(&waits, on, to, true);
  wait_for(&waits, on, from, false);
  add_gate(&waits);
  cl_command_queue queue = queues[on].queue;
  if (to >= PLACES)
    EXPECT(CL_SUCCESS, clEnqueueReadBufferRect(queue, places[from], CL_FALSE, at, at, size, row, 0,
                                               row, 0, hosts[to - PLACES], WAITS));
  else if (from >= PLACES)
    EXPECT(CL_SUCCESS, clEnqueueWriteBufferRect(queue, places[to], CL_FALSE, at, at, size, row, 0,
                                                row, 0, hosts[from - PLACES], WAITS));
  else
    EXPECT(CL_SUCCESS, clEnqueueCopyBufferRect(queue, places[from], places[to], at, at, size, row,
                                               0, row, 0, WAITS));
  note(on, to, true, event);
  note(on, from, false, event);
  keep(event);
  for (size_t i = y; i < y + height; i++)
    memcpy(&model[to][i * 8 + x], &model[from][i * 8 + x], size[0]);
}

static void fill(unsigned on) {
  struct waits waits = {.count = 0};
  unsigned place = below(PLACES);
  cl_event event = NULL;
  cl_uint value = below(1000);
  wait_for(&waits, on, place, true);
  add_gate(&waits);
  EXPECT(CL_SUCCESS, clEnqueueFillBuffer(queues[on].queue, places[place], &value, sizeof value, 0,
                                         bytes, WAITS));
  note(on, place, true, event);
  keep(event);
  for (unsigned i = 0; i < SIZE; i++) model[place][i] = value;
}

static void copy(unsigned on) {
  struct waits waits = {.count = 0};
  unsigned to = below(PLACES), from = below(PLACES);
  cl_event event = NULL;
  if (to == from) return;
  wait_for(&waits, on, to, true);
  wait_for(&waits, on, from, false);
  add_gate(&waits);
  EXPECT(CL_SUCCESS,
         clEnqueueCopyBuffer(queues[on].queue, places[from], places[to], 0, 0, bytes, WAITS));
  note(on, to, true, event);
  note(on, from, false, event);
  keep(event);
  memcpy(model[to], model[from], bytes);
}

static void kernel(unsigned on) {
  struct waits waits = {.count = 0};
  unsigned to = below(PLACES), from = below(PLACES);
  cl_int error;
  cl_event event = NULL;
  cl_uint k = below(1000);
  size_t size = SIZE;
  if (to == from) return;
  cl_kernel mix = clCreateKernel(programs[!below(8)], "mix", &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clSetKernelArg(mix, 0, sizeof places[to], &places[to]));
  EXPECT(CL_SUCCESS, clSetKernelArg(mix, 1, sizeof places[from], &places[from]));
  EXPECT(CL_SUCCESS, clSetKernelArg(mix, 2, sizeof k, &k));
  wait_for(&waits, on, to, true);
  wait_for(&waits, on, from, false);
  add_gate(&waits);
  EXPECT(CL_SUCCESS, clEnqueueNDRangeKernel(queues[on].queue, mix, 1, NULL, &size, NULL, WAITS));
  EXPECT(CL_SUCCESS, clReleaseKernel(mix));
  note(on, to, true, event);
  note(on, from, false, event);
  keep(event);
  for (unsigned i = 0; i < SIZE; i++) model[to][i] = model[to][i] * 3 + model[from][i] + k;
}

static void map(unsigned on) {
  struct waits waits = {.count = 0};
  unsigned place = below(PLACES);
  bool writes = below(2);
  cl_int error;
  cl_event event = NULL;
  wait_for(&waits, on, place, writes);
  open_gates(MOST_GATES);
  cl_uint *memory = clEnqueueMapBuffer(queues[on].queue, places[place], below(2),
                                       writes ? CL_MAP_READ | CL_MAP_WRITE : CL_MAP_READ, 0, bytes,
                                       WAITS, &error);
  EXPECT(CL_SUCCESS, error);
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &event));
  CHECK(!memcmp(memory, model[place], bytes));
  for (unsigned i = 0; i < SIZE && writes; i++) memory[i] = model[place][i] += i;
  note(on, place, writes, event);
  keep(event);
  EXPECT(CL_SUCCESS,
         clEnqueueUnmapMemObject(queues[on].queue, places[place], memory, 1, &event, &event));
  note(on, place, writes, event);
  keep(event);
}

static void barrier(unsigned on) {
  cl_event event;
  EXPECT(CL_SUCCESS, clEnqueueBarrierWithWaitList(queues[on].queue, 0, NULL, &event));
  keep(event);
  queues[on].barrier = number;
}

static cl_ulong time_of(cl_event event, cl_profiling_info what) {
  cl_ulong time = 0;
  EXPECT(CL_SUCCESS, clGetEventProfilingInfo(event, what, sizeof time, &time, NULL));
  return time;
}

/* Of a command that was given some time ago. */
static void ask(unsigned on) {
  cl_int status;
  cl_command_queue queue;
  if (!num_events) return;
  cl_event event = events[below(num_events)];
  EXPECT(CL_SUCCESS,
         clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
  CHECK(status >= CL_COMPLETE && status <= CL_QUEUED);
  if (below(4)) return;
  open_gates(MOST_GATES);
  EXPECT(CL_SUCCESS, clWaitForEvents(1, &event));
  EXPECT(CL_SUCCESS, clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof queue, &queue, NULL));
  for (unsigned i = 0; i < num_queues; i++)
    if (queues[i].queue == queue && queues[i].timed) {
      cl_ulong submitted = time_of(event, CL_PROFILING_COMMAND_SUBMIT),
               started = time_of(event, CL_PROFILING_COMMAND_START);
      CHECK(submitted <= started && started <= time_of(event, CL_PROFILING_COMMAND_END));
    }
}

/* --- Rounds --- */

static void begin(void) {
  cl_int error;
  const cl_mem_flags flags[WHOLE] = {0, 0, CL_MEM_ALLOC_HOST_PTR, CL_MEM_USE_HOST_PTR};
  num_queues = number = num_events = 0;
  memset(num_uses, 0, sizeof num_uses);
  memset(hosts, 0, sizeof hosts);
  memset(model, 0, sizeof model);
  for (unsigned i = 0; i < 3 * num_devices || i < 5; i++) {
    const cl_command_queue_properties kinds[] = {0, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                                 CL_QUEUE_PROFILING_ENABLE};
    cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, kinds[i % 3], 0};
    queues[num_queues++] = (struct queue){.queue = clCreateCommandQueueWithProperties(
                                              context, devices[i / 3 % num_devices], list, &error),
                                          .in_order = i % 3 != 1,
                                          .timed = i % 3 == 2};
    EXPECT(CL_SUCCESS, error);
  }
  for (unsigned i = 0; i < WHOLE; i++) {
    bool uses_host = flags[i] & CL_MEM_USE_HOST_PTR;
    places[i] = clCreateBuffer(context, flags[i], bytes, uses_host ? used : NULL, &error);
    EXPECT(CL_SUCCESS, error);
  }
  for (unsigned i = 0; i < PARTS; i++) {
    const cl_buffer_region region = {i % 2 * bytes, bytes};
    if (!(i % 2)) parents[i / 2] = clCreateBuffer(context, 0, 2 * bytes, NULL, &error);
    places[WHOLE + i] =
        clCreateSubBuffer(parents[i / 2], 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &error);
    EXPECT(CL_SUCCESS, error);
  }
  for (unsigned i = 0; i < PLACES; i++)
    EXPECT(CL_SUCCESS, clEnqueueWriteBuffer(queues[0].queue, places[i], CL_TRUE, 0, bytes, model[i],
                                            0, NULL, NULL));
}

/* All is let go of before anybody waits for it. */
static void end(void) {
  static cl_uint last[PLACES][SIZE];
  struct waits waits;
  for (unsigned i = 0; i < PLACES; i++) {
    unsigned on = below(num_queues);
    cl_event event = NULL;
    waits.count = 0;
    wait_for(&waits, on, i, false);
    EXPECT(CL_SUCCESS,
           clEnqueueReadBuffer(queues[on].queue, places[i], CL_FALSE, 0, bytes, last[i], WAITS));
    keep(event);
  }
  open_gates(MOST_GATES);
  for (unsigned i = 0; i < PLACES; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(places[i]));
  for (unsigned i = 0; i < PARTS / 2; i++) EXPECT(CL_SUCCESS, clReleaseMemObject(parents[i]));
  for (unsigned i = 0; i < num_queues; i++)
    EXPECT(CL_SUCCESS, clReleaseCommandQueue(queues[i].queue));
  EXPECT(CL_SUCCESS, clWaitForEvents(num_events, events));
  for (unsigned i = 0; i < num_events; i++) EXPECT(CL_SUCCESS, clReleaseEvent(events[i]));
  for (unsigned i = 0; i < PLACES; i++) CHECK(!memcmp(last[i], model[i], bytes));
  for (unsigned i = 0; i < HOSTS; i++) CHECK(!memcmp(hosts[i], model[PLACES + i], bytes));
}

static void run_round(void) {
  static void (*const commands[])(unsigned) = {transfer, box,    fill,    copy, kernel,
                                               kernel,   kernel, barrier, ask,  map};
  begin();
  for (unsigned step = 0; step < STEPS; step++) {
    commands[below(sizeof commands / sizeof *commands)](below(num_queues));
    if (!below(4)) open_gates(1);
    if (!below(8)) EXPECT(CL_SUCCESS, clFlush(queues[below(num_queues)].queue));
  }
  end();
}

int main(int argc, char **argv) {
  unsigned rounds = argc > 1 ? (unsigned)atoi(argv[1]) : 20;
  unsigned seed = argc > 2 ? (unsigned)atoi(argv[2]) : 1;
  cl_int error;
  alarm(600);
  open_device();
  EXPECT(CL_SUCCESS, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 8, devices, &num_devices));
  EXPECT(CL_SUCCESS, clReleaseContext(context));
  EXPECT(CL_SUCCESS, clReleaseCommandQueue(queue));
  queue = NULL;
  if (num_devices > 2) num_devices = 2;
  context = clCreateContext(NULL, num_devices, devices, NULL, NULL, &error);
  EXPECT(CL_SUCCESS, error);
  for (int i = 0; i < 2; i++) programs[i] = build(sources[i], "-cl-std=CL3.0");
  for (unsigned round = 0; round < rounds && !failures; round++) {
    random_state = seed + round;
    run_round();
    if (failures) printf("seed %u\n", seed + round);
  }
  for (int i = 0; i < 2; i++) EXPECT(CL_SUCCESS, clReleaseProgram(programs[i]));
  return finish();
}

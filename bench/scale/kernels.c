/* bench_scale FOLDER: the jobs as kernels (FOLDER/kernels.cl) on the first device, and `queues`: empty launches
 * by as many host threads as the device has, each with a queue of its own. */
#include "bench/device.h"
#include "jobs.h"

#include <pthread.h>
#include <stdlib.h>

enum { LAUNCHES = 2000, MOST_HOST_THREADS = 1024, LONGEST_PATH = 4096 };

struct state {
  struct device device;
  cl_program program;
  cl_mem x, y, a, b, bytes, sums, counts, forces, pixels;
};

/* --- What runs for a job: up to two launches, the first of which may clear. */

struct range {
  cl_kernel kernel;
  size_t global[2], local[2];
};
struct run {
  struct range ranges[2];
  int count;
};

static cl_kernel kernel(struct state *s, const char *name) {
  cl_kernel made = device_kernel(s->program, name);
  if (!made) exit(1);
  return made;
}

static void add_range(struct run *run, cl_kernel made, size_t global, size_t local) {
  run->ranges[run->count++] = (struct range){made, {global, 1}, {local, 1}};
}

static void add_square(struct run *run, cl_kernel made, size_t side, size_t columns, size_t rows) {
  run->ranges[run->count++] = (struct range){made, {side, side}, {columns, rows}};
}

static void launch(const struct device *device, const struct run *run) {
  for (int i = 0; i < run->count; i++) {
    const struct range *r = &run->ranges[i];
    if (clEnqueueNDRangeKernel(device->queue, r->kernel, r->global[1] > 1 ? 2 : 1, NULL, r->global, r->local, 0, NULL,
                               NULL))
      exit(1);
  }
  if (clFinish(device->queue)) exit(1);
}

static void clear(struct state *s, struct run *run) {
  cl_kernel made = kernel(s, "clear");
  ARG(made, 0, s->counts);
  add_range(run, made, 256, 256);
}

static void prepare_empty(struct state *s, struct run *run) {
  cl_kernel made = kernel(s, "empty");
  ARG(made, 0, s->counts);
  add_range(run, made, GROUP, GROUP);
}

static void prepare_add(struct state *s, struct run *run, size_t count) {
  cl_kernel made = kernel(s, "add");
  ARG(made, 0, s->x);
  ARG(made, 1, s->y);
  add_range(run, made, count, GROUP);
}
static void prepare_small(struct state *s, struct run *run) { prepare_add(s, run, SCALE_SMALL); }
static void prepare_saxpy(struct state *s, struct run *run) { prepare_add(s, run, SCALE_ELEMENTS); }

static void prepare_sum_of(struct state *s, struct run *run, size_t count) {
  cl_kernel made = kernel(s, "sum");
  ARG(made, 0, s->x);
  ARG(made, 1, s->sums);
  add_range(run, made, count / FLOATS_PER_ITEM, GROUP);
}
static void prepare_sum(struct state *s, struct run *run) { prepare_sum_of(s, run, SCALE_ELEMENTS); }
static void prepare_cached(struct state *s, struct run *run) { prepare_sum_of(s, run, SCALE_CACHED); }

static void prepare_scan(struct state *s, struct run *run) {
  cl_kernel made = kernel(s, "scan");
  ARG(made, 0, s->a);
  ARG(made, 1, s->b);
  add_range(run, made, SCALE_ELEMENTS, SCALE_SCANNED);
}

static void prepare_nbody(struct state *s, struct run *run) {
  cl_kernel made = kernel(s, "nbody");
  ARG(made, 0, s->x);
  ARG(made, 1, s->forces);
  add_range(run, made, SCALE_BODIES, 64);
}

static void prepare_mandelbrot(struct state *s, struct run *run) {
  cl_kernel made = kernel(s, "mandelbrot");
  ARG(made, 0, s->pixels);
  add_square(run, made, SCALE_PIXELS, 32, 4);
}

static void prepare_histogram(struct state *s, struct run *run) {
  cl_kernel made = kernel(s, "histogram");
  ARG(made, 0, s->bytes);
  ARG(made, 1, s->counts);
  clear(s, run);
  add_range(run, made, SCALE_BYTES / BYTES_PER_ITEM, GROUP);
}

static void prepare_counters(struct state *s, struct run *run) {
  cl_kernel made = kernel(s, "counters");
  ARG(made, 0, s->counts);
  clear(s, run);
  add_range(run, made, SCALE_INCREMENTS, GROUP);
}

static void prepare_stencil(struct state *s, struct run *run) {
  cl_kernel made = kernel(s, "stencil");
  ARG(made, 0, s->x);
  ARG(made, 1, s->y);
  add_square(run, made, SCALE_GRID, 64, 4);
}

/* --- Answers, as those of loops.c */

static void read_at(struct state *s, cl_mem memory, size_t offset, size_t size, void *to) {
  if (clEnqueueReadBuffer(s->device.queue, memory, CL_TRUE, offset, size, to, 0, NULL, NULL)) exit(1);
}

static double float_at(struct state *s, cl_mem memory, size_t at) {
  float value;
  read_at(s, memory, at * sizeof value, sizeof value, &value);
  return value;
}

static double int_at(struct state *s, cl_mem memory, size_t at) {
  int value;
  read_at(s, memory, at * sizeof value, sizeof value, &value);
  return value;
}

static double sums(struct state *s, size_t count) {
  static float parts[SCALE_ELEMENTS / FLOATS_PER_ITEM / GROUP];
  double all = 0;
  read_at(s, s->sums, 0, count * sizeof *parts, parts);
  for (size_t i = 0; i < count; i++) all += parts[i];
  return all;
}

static double answer_empty(struct state *s) { return (void)s, 0; }
static double answer_small(struct state *s) { return float_at(s, s->y, 3); }
static double answer_saxpy(struct state *s) { return float_at(s, s->y, 3); }
static double answer_sum(struct state *s) { return sums(s, SCALE_ELEMENTS / FLOATS_PER_ITEM / GROUP); }
static double answer_cached(struct state *s) { return sums(s, SCALE_CACHED / FLOATS_PER_ITEM / GROUP); }
static double answer_scan(struct state *s) { return int_at(s, s->b, SCALE_SCANNED - 1); }
static double answer_nbody(struct state *s) { return float_at(s, s->forces, 5); }
static double answer_mandelbrot(struct state *s) {
  return int_at(s, s->pixels, SCALE_PIXELS * SCALE_PIXELS / 2 + 5);
}
static double answer_histogram(struct state *s) { return int_at(s, s->counts, 9); }
static double answer_counters(struct state *s) { return int_at(s, s->counts, 3); }
static double answer_stencil(struct state *s) { return float_at(s, s->y, SCALE_GRID + 5); }

/* --- The measurement */

static void measure(struct state *s, const char *name, int rounds, void (*prepare)(struct state *, struct run *),
                    double (*answer)(struct state *)) {
  struct run run = {.count = 0};
  double best = 0;
  prepare(s, &run);
  for (int round = 0; round < rounds; round++) {
    double begin = scale_microseconds();
    launch(&s->device, &run);
    double took = scale_microseconds() - begin;
    if (!round || took < best) best = took;
  }
  scale_row(name, best, answer(s));
  for (int i = 0; i < run.count; i++) clReleaseKernel(run.ranges[i].kernel);
}

static void *launch_empty(void *argument) {
  struct state *s = argument, own = *s;
  struct run run = {.count = 0};
  cl_int error;
  own.device.queue = clCreateCommandQueueWithProperties(s->device.context, s->device.id, NULL, &error);
  if (error) exit(1);
  prepare_empty(&own, &run);
  for (int i = 0; i < LAUNCHES; i++) launch(&own.device, &run);
  clReleaseKernel(run.ranges[0].kernel);
  clReleaseCommandQueue(own.device.queue);
  return NULL;
}

static void queues(struct state *s) {
  static pthread_t threads[MOST_HOST_THREADS];
  cl_uint units = 0;
  clGetDeviceInfo(s->device.id, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
  if (units > MOST_HOST_THREADS) units = MOST_HOST_THREADS;
  double begin = scale_microseconds();
  for (cl_uint i = 0; i < units; i++)
    if (pthread_create(&threads[i], NULL, launch_empty, s)) exit(1);
  for (cl_uint i = 0; i < units; i++) pthread_join(threads[i], NULL);
  scale_row("queues", (scale_microseconds() - begin) / LAUNCHES, 0);
}

static cl_mem buffer(struct state *s, size_t size) {
  cl_mem made = device_buffer(&s->device, size, NULL);
  if (!made) exit(2);
  return made;
}

static void make_data(struct state *s) {
  const size_t elements = sizeof(float) * SCALE_ELEMENTS;
  s->x = buffer(s, elements);
  s->y = buffer(s, elements);
  s->a = buffer(s, elements);
  s->b = buffer(s, elements);
  s->bytes = buffer(s, SCALE_BYTES);
  s->sums = buffer(s, elements / FLOATS_PER_ITEM / GROUP);
  s->counts = buffer(s, 256 * sizeof(int));
  s->forces = buffer(s, sizeof(float) * SCALE_BODIES);
  s->pixels = buffer(s, sizeof(int) * SCALE_PIXELS * SCALE_PIXELS);
  cl_kernel fill = kernel(s, "fill");
  ARG(fill, 0, s->x);
  ARG(fill, 1, s->y);
  ARG(fill, 2, s->a);
  ARG(fill, 3, s->b);
  ARG(fill, 4, s->bytes);
  struct run run = {.count = 0};
  add_range(&run, fill, SCALE_ELEMENTS, GROUP);
  launch(&s->device, &run);
  clReleaseKernel(fill);
}

static void build(struct state *s, const char *folder) {
  static char options[LONGEST_PATH];
  const char *source = "#include \"kernels.cl\"\n";
  cl_int error;
  snprintf(options, sizeof options, "-cl-std=CL3.0 -cl-fast-relaxed-math -I%s", folder);
  s->program = clCreateProgramWithSource(s->device.context, 1, &source, NULL, &error);
  if (error || clBuildProgram(s->program, 1, &s->device.id, options, NULL, NULL)) exit(1);
}

int main(int argc, char **argv) {
  static struct state s;
  if (argc != 2 || !device_open(&s.device)) return 1;
  build(&s, argv[1]);
  make_data(&s);
#define SCALE_JOB(name, rounds, what) measure(&s, #name, rounds, prepare_##name, answer_##name);
#include "jobs.def"
  queues(&s);
  clReleaseProgram(s.program);
  return 0;
}

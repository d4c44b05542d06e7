#include "jobs.h"

#include <stdio.h>
#include <string.h>

enum { DIGITS = 256, PASSES = 4, STATE = 8 /* bytes */ };

const struct job_sizes usual_sizes = {
#define USUAL(name, macro, usual) .name = usual,
    JOB_SIZES(USUAL)
#undef USUAL
};

static size_t tiles(size_t count, size_t tile) {
  return (count + tile - 1) / tile;
}

static size_t scan_tiles(const struct jobs *jobs) {
  return tiles(jobs->count, 4ul * jobs->sizes.scan_group * jobs->sizes.scan_vectors);
}
static size_t compact_tiles(const struct jobs *jobs) {
  return tiles(jobs->count, 4ul * jobs->sizes.compact_group * jobs->sizes.compact_vectors);
}
static size_t sort_tiles(const struct jobs *jobs) {
  return tiles(jobs->count, (size_t)jobs->sizes.sort_group * jobs->sizes.sort_keys);
}

/* Bytes of all states that a job begins with as zeros. */
static size_t states_size(const struct jobs *jobs) {
  size_t scan = scan_tiles(jobs) * STATE, compact = compact_tiles(jobs) * STATE;
  size_t sort = sort_tiles(jobs) * PASSES * DIGITS * sizeof(cl_uint), most = scan;
  if (compact > most) most = compact;
  return sort > most ? sort : most;
}

void jobs_open(struct jobs *jobs, const char *folder, const struct job_sizes *sizes, size_t count) {
  char options[512] = "-cl-std=CL3.0 -cl-uniform-work-group-size";
  size_t length = strlen(options);
#define DEFINE(name, macro, usual)                                                                 \
  length += (size_t)snprintf(&options[length], sizeof options - length, " -D" #macro "=%u",        \
                             sizes->name);
  JOB_SIZES(DEFINE)
#undef DEFINE
  *jobs = (struct jobs){.sizes = *sizes, .count = count};
  struct host *host = &jobs->host;
  host_open_with(host, folder, "jobs.cl", options);
  jobs->in = host_buffer(host, count * sizeof(cl_int), NULL);
  jobs->out = host_buffer(host, count * sizeof(cl_int), NULL);
  jobs->states = host_buffer(host, states_size(jobs), NULL);
  jobs->counts = host_buffer(host, PASSES * DIGITS * sizeof(cl_uint), NULL);
  jobs->shared = host_buffer(host, 2 * sizeof(cl_uint), (const cl_uint[2]){0, 0});
  jobs->next = host_buffer(host, PASSES * sizeof(cl_uint), NULL);
  jobs->sum = host_kernel(host, "sum");
  jobs->scan = host_kernel(host, "scan");
  jobs->compact = host_kernel(host, "compact");
  jobs->count_digits = host_kernel(host, "count_digits");
  jobs->begin_digits = host_kernel(host, "begin_digits");
  jobs->sort_digit = host_kernel(host, "sort_digit");
}

void jobs_close(struct jobs *jobs) {
  cl_kernel kernels[] = {jobs->sum,          jobs->scan,         jobs->compact,
                         jobs->count_digits, jobs->begin_digits, jobs->sort_digit};
  cl_mem buffers[] = {jobs->in,     jobs->out,  jobs->other, jobs->states,
                      jobs->counts, jobs->next, jobs->shared};
  for (size_t i = 0; i < sizeof kernels / sizeof *kernels; i++) clReleaseKernel(kernels[i]);
  for (size_t i = 0; i < sizeof buffers / sizeof *buffers; i++)
    if (buffers[i]) clReleaseMemObject(buffers[i]);
  host_close(&jobs->host);
}

/* --- Commands --- */

static void clear(struct jobs *jobs, cl_mem buffer, size_t size, cl_event *event) {
  cl_uint zero = 0;
  CL(clEnqueueFillBuffer(jobs->host.queue, buffer, &zero, sizeof zero, 0, size, 0, NULL, event));
}

static void launch(struct jobs *jobs, cl_kernel kernel, size_t groups, size_t group,
                   cl_event *event) {
  size_t global = groups * group;
  CL(clEnqueueNDRangeKernel(jobs->host.queue, kernel, 1, NULL, &global, &group, 0, NULL, event));
}

/* Groups of a kernel whose work-items go through the array: several for each compute unit. */
static size_t resident(const struct jobs *jobs, size_t group) {
  size_t wanted = tiles(jobs->count / 4, group), most = jobs->host.threads * (4096 / group);
  return wanted < most ? wanted : most;
}

int jobs_sum(struct jobs *jobs, cl_event *events) {
  cl_uint vectors = (cl_uint)(jobs->count / 4);
  ARG(jobs->sum, 0, jobs->in);
  ARG(jobs->sum, 1, vectors);
  ARG(jobs->sum, 2, jobs->counts);
  ARG(jobs->sum, 3, jobs->shared);
  launch(jobs, jobs->sum, resident(jobs, jobs->sizes.sum_group), jobs->sizes.sum_group, &events[0]);
  return 1;
}

/* What tiles begin with: no state, and the first number. */
static void clear_tiles(struct jobs *jobs, size_t states, cl_event *events) {
  clear(jobs, jobs->next, PASSES * sizeof(cl_uint), &events[0]);
  clear(jobs, jobs->states, states, &events[1]);
}

int jobs_scan(struct jobs *jobs, cl_event *events) {
  cl_uint vectors = (cl_uint)(jobs->count / 4);
  clear_tiles(jobs, scan_tiles(jobs) * STATE, events);
  ARG(jobs->scan, 0, jobs->in);
  ARG(jobs->scan, 1, jobs->out);
  ARG(jobs->scan, 2, vectors);
  ARG(jobs->scan, 3, jobs->states);
  ARG(jobs->scan, 4, jobs->next);
  launch(jobs, jobs->scan, scan_tiles(jobs), jobs->sizes.scan_group, &events[2]);
  return 3;
}

int jobs_compact(struct jobs *jobs, cl_event *events) {
  cl_uint vectors = (cl_uint)(jobs->count / 4);
  clear_tiles(jobs, compact_tiles(jobs) * STATE, events);
  ARG(jobs->compact, 0, jobs->in);
  ARG(jobs->compact, 1, jobs->out);
  ARG(jobs->compact, 2, vectors);
  ARG(jobs->compact, 3, jobs->counts);
  ARG(jobs->compact, 4, jobs->states);
  ARG(jobs->compact, 5, jobs->next);
  launch(jobs, jobs->compact, compact_tiles(jobs), jobs->sizes.compact_group, &events[2]);
  return 3;
}

/* How many keys have each digit, and where these begin. */
static void count_digits(struct jobs *jobs, cl_event *events) {
  cl_uint vectors = (cl_uint)(jobs->count / 4);
  clear(jobs, jobs->counts, PASSES * DIGITS * sizeof(cl_uint), &events[0]);
  ARG(jobs->count_digits, 0, jobs->in);
  ARG(jobs->count_digits, 1, vectors);
  ARG(jobs->count_digits, 2, jobs->counts);
  launch(jobs, jobs->count_digits, resident(jobs, jobs->sizes.count_group), jobs->sizes.count_group,
         &events[1]);
  ARG(jobs->begin_digits, 0, jobs->counts);
  launch(jobs, jobs->begin_digits, 1, DIGITS, &events[2]);
}

int jobs_sort(struct jobs *jobs, cl_event *events) {
  cl_uint count = (cl_uint)jobs->count;
  if (!jobs->other) jobs->other = host_buffer(&jobs->host, jobs->count * sizeof(cl_uint), NULL);
  const cl_mem at[PASSES + 1] = {jobs->in, jobs->other, jobs->out, jobs->other, jobs->out};
  clear_tiles(jobs, sort_tiles(jobs) * PASSES * DIGITS * sizeof(cl_uint), events);
  count_digits(jobs, events + 2);
  for (cl_uint pass = 0; pass < PASSES; pass++) {
    ARG(jobs->sort_digit, 0, at[pass]);
    ARG(jobs->sort_digit, 1, at[pass + 1]);
    ARG(jobs->sort_digit, 2, count);
    ARG(jobs->sort_digit, 3, pass);
    ARG(jobs->sort_digit, 4, jobs->counts);
    ARG(jobs->sort_digit, 5, jobs->states);
    ARG(jobs->sort_digit, 6, jobs->next);
    launch(jobs, jobs->sort_digit, sort_tiles(jobs), jobs->sizes.sort_group, &events[5 + pass]);
  }
  return 5 + PASSES;
}

double jobs_seconds(cl_event *events, int count) {
  cl_ulong begin, end;
  CL(clWaitForEvents(1, &events[count - 1]));
  CL(clGetEventProfilingInfo(events[0], CL_PROFILING_COMMAND_START, sizeof begin, &begin, NULL));
  CL(clGetEventProfilingInfo(events[count - 1], CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
  for (int i = 0; i < count; i++) clReleaseEvent(events[i]);
  return 1e-9 * (double)(end - begin);
}

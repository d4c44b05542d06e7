/* Whole jobs on a large array, as users write them: a reduction, a prefix sum, a compaction.  GB/s
 * of what has to be read and written, beside plain C on as many threads, in turn. */
#include "measure.h"
#include "plain_jobs.h"
#include "sections.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 9, LAST_GROUP = 1024 };
static const size_t count = (size_t)1 << 24;
static const uint32_t threshold = 0x8000; /* of 16-bit values: half are kept */

static const char source[] =
    "kernel void reduce(global uint *parts, global const uint *in, uint each) {\n"
    "  size_t i = get_group_id(0) * get_local_size(0) * each + get_local_id(0);\n"
    "  uint sum = 0;\n"
    "  for (uint n = 0; n < each; n++)\n"
    "    sum += in[i + n * get_local_size(0)];\n"
    "  sum = work_group_reduce_add(sum);\n"
    "  if (get_local_id(0) == 0) parts[get_group_id(0)] = sum;\n"
    "}\n"
    "kernel void reduce_parts(global uint *out, global const uint *parts, uint num_parts) {\n"
    "  uint sum = 0;\n"
    "  for (uint i = get_local_id(0); i < num_parts; i += get_local_size(0)) sum += parts[i];\n"
    "  sum = work_group_reduce_add(sum);\n"
    "  if (get_local_id(0) == 0) out[0] = sum;\n"
    "}\n"
    "kernel void scan(global uint *out, global uint *parts, global const uint *in) {\n"
    "  uint sum = work_group_scan_inclusive_add(in[get_global_id(0)]);\n"
    "  out[get_global_id(0)] = sum;\n"
    "  if (get_local_id(0) == get_local_size(0) - 1) parts[get_group_id(0)] = sum;\n"
    "}\n"
    "kernel void scan_parts(global uint *parts, uint num_parts) {\n"
    "  uint size = get_local_size(0), carry = 0;\n"
    "  for (uint begin = 0; begin < num_parts; begin += size) {\n"
    "    uint i = begin + get_local_id(0), part = i < num_parts ? parts[i] : 0;\n"
    "    uint before = work_group_scan_exclusive_add(part);\n"
    "    if (i < num_parts) parts[i] = carry + before;\n"
    "    carry += work_group_broadcast(before + part, size - 1);\n"
    "  }\n"
    "  if (get_local_id(0) == 0) parts[num_parts] = carry;\n"
    "}\n"
    "kernel void add_parts(global uint *out, global const uint *parts) {\n"
    "  out[get_global_id(0)] += parts[get_group_id(0)];\n"
    "}\n"
    "kernel void count_below(global uint *parts, global const uint *in, uint threshold) {\n"
    "  uint kept = work_group_reduce_add((uint)(in[get_global_id(0)] < threshold));\n"
    "  if (get_local_id(0) == 0) parts[get_group_id(0)] = kept;\n"
    "}\n"
    "kernel void compact(global uint *out, global const uint *parts, global const uint *in,\n"
    "                    uint threshold) {\n"
    "  uint x = in[get_global_id(0)], keep = x < threshold;\n"
    "  uint at = work_group_scan_exclusive_add(keep);\n"
    "  if (keep) out[parts[get_group_id(0)] + at] = x;\n"
    "}\n";

struct bench {
  struct device *device;
  cl_program program;
  cl_mem in, out, parts, result;
  const uint32_t *input;
  uint32_t *expected, *got;
  struct plain_pool *pool;
  int threads;
};

/* Enough in common between the jobs: which launches, how many bytes, what plain C does. */
struct plan {
  enum job job;
  const char *bar, *name;
  struct launch launches[3];
  int num_launches;
  double bytes;
  size_t result_count; /* elements of out to compare; for a reduction 1, of result */
};

static cl_kernel kernel(struct bench *bench, const char *name) {
  cl_kernel made = device_kernel(bench->program, name);
  if (!made) {
    fprintf(stderr, "bench: no kernel %s\n", name);
    exit(1);
  }
  return made;
}

static void plan_reduce(struct bench *bench, struct plan *plan, size_t group, cl_uint each) {
  cl_kernel first = kernel(bench, "reduce"), last = kernel(bench, "reduce_parts");
  cl_uint num_parts = (cl_uint)(count / each / group);
  ARG(first, 0, bench->parts);
  ARG(first, 1, bench->in);
  ARG(first, 2, each);
  ARG(last, 0, bench->result);
  ARG(last, 1, bench->parts);
  ARG(last, 2, num_parts);
  plan->launches[0] = (struct launch){first, count / each, group};
  plan->launches[1] = (struct launch){last, LAST_GROUP, LAST_GROUP};
  plan->num_launches = 2;
  plan->bytes = 4.0 * (double)count;
  plan->result_count = 1;
}

static struct launch scan_parts(struct bench *bench, size_t group) {
  cl_kernel scan = kernel(bench, "scan_parts");
  cl_uint num_parts = (cl_uint)(count / group);
  ARG(scan, 0, bench->parts);
  ARG(scan, 1, num_parts);
  return (struct launch){scan, LAST_GROUP, LAST_GROUP};
}

static void plan_scan(struct bench *bench, struct plan *plan, size_t group) {
  cl_kernel first = kernel(bench, "scan"), last = kernel(bench, "add_parts");
  ARG(first, 0, bench->out);
  ARG(first, 1, bench->parts);
  ARG(first, 2, bench->in);
  ARG(last, 0, bench->out);
  ARG(last, 1, bench->parts);
  plan->launches[0] = (struct launch){first, count, group};
  plan->launches[1] = scan_parts(bench, group);
  plan->launches[2] = (struct launch){last, count, group};
  plan->num_launches = 3;
  plan->bytes = 8.0 * (double)count;
  plan->result_count = count;
}

static void plan_compact(struct bench *bench, struct plan *plan, size_t group) {
  cl_kernel first = kernel(bench, "count_below"), last = kernel(bench, "compact");
  ARG(first, 0, bench->parts);
  ARG(first, 1, bench->in);
  ARG(first, 2, threshold);
  ARG(last, 0, bench->out);
  ARG(last, 1, bench->parts);
  ARG(last, 2, bench->in);
  ARG(last, 3, threshold);
  plan->launches[0] = (struct launch){first, count, group};
  plan->launches[1] = scan_parts(bench, group);
  plan->launches[2] = (struct launch){last, count, group};
  plan->num_launches = 3;
}

static bool right(struct bench *bench, struct plan *plan) {
  struct plain_answer answer =
      plain_run(bench->pool, plan->job, bench->input, bench->expected, count, threshold);
  if (plan->job == JOB_REDUCE) bench->expected[0] = (uint32_t)answer.sum;
  if (plan->job == JOB_COMPACT) {
    plan->result_count = answer.kept;
    plan->bytes = 4.0 * (double)(count + answer.kept);
  }
  cl_mem result = plan->job == JOB_REDUCE ? bench->result : bench->out;
  return device_run(bench->device, plan->launches, plan->num_launches) &&
         device_read(bench->device, result, bench->got, plan->result_count * sizeof(uint32_t)) &&
         memcmp(bench->got, bench->expected, plan->result_count * sizeof(uint32_t)) == 0;
}

static void run_plan(struct bench *bench, struct plan *plan, size_t group) {
  char what[64];
  double ours[ROUNDS], plain[ROUNDS];
  snprintf(what, sizeof what, "%s, groups of %zu, %d thread%s", plan->name, group, bench->threads,
           bench->threads == 1 ? "" : "s");
  if (!right(bench, plan)) {
    row_failed(plan->bar, what, "wrong answer");
    return;
  }
  for (int i = 0; i < ROUNDS; i++) {
    double start = wall_seconds();
    plain_run(bench->pool, plan->job, bench->input, bench->expected, count, threshold);
    plain[i] = wall_seconds() - start;
    start = wall_seconds();
    device_run(bench->device, plan->launches, plan->num_launches);
    ours[i] = wall_seconds() - start;
  }
  row(plan->bar, what, plan->bytes / median(ours, ROUNDS) * 1e-9, "GB/s",
      plan->bytes / median(plain, ROUNDS) * 1e-9);
  for (int i = 0; i < plan->num_launches; i++) clReleaseKernel(plan->launches[i].kernel);
}

static void run_group_size(struct bench *bench, size_t group) {
  struct plan plan = {.job = JOB_REDUCE, .bar = "reduce_job", .name = "reduce, 1 each"};
  plan_reduce(bench, &plan, group, 1);
  run_plan(bench, &plan, group);
  plan.name = "reduce, 16 each";
  plan_reduce(bench, &plan, group, 16);
  run_plan(bench, &plan, group);
  plan = (struct plan){.job = JOB_SCAN, .bar = "scan_job", .name = "prefix sum"};
  plan_scan(bench, &plan, group);
  run_plan(bench, &plan, group);
  plan = (struct plan){.job = JOB_COMPACT, .bar = "scan_job", .name = "compaction"};
  plan_compact(bench, &plan, group);
  run_plan(bench, &plan, group);
}

static uint32_t *random_input(void) {
  uint32_t *input = page_aligned(count * sizeof *input), state = 12345;
  for (size_t i = 0; i < count; i++) {
    state = state * 1664525u + 1013904223u;
    input[i] = state >> 16;
  }
  return input;
}

void measure_jobs(struct device *device, int threads) {
  static const size_t groups[] = {64, 256, 1024};
  size_t size = count * sizeof(uint32_t);
  if (!device->has_collectives || device->max_work_group_size < LAST_GROUP) {
    row_failed("reduce_job", "all", "no work-group collectives");
    row_failed("scan_job", "all", "no work-group collectives");
    return;
  }
  uint32_t *input = random_input();
  struct bench bench = {.device = device, .threads = threads, .input = input};
  bench.expected = page_aligned(size);
  bench.got = page_aligned(size);
  bench.pool = plain_pool(threads);
  bench.program = device_build(device, source);
  bench.in = device_buffer(device, size, input);
  bench.out = device_buffer(device, size, NULL);
  bench.parts = device_buffer(device, (count / 16 + 1) * sizeof(uint32_t), NULL);
  bench.result = device_buffer(device, sizeof(uint32_t), NULL);
  if (bench.program && bench.in && bench.out && bench.parts && bench.result)
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) run_group_size(&bench, groups[i]);
  else
    row_failed("reduce_job", "all", "does not build, or no memory");
  plain_pool_free(bench.pool);
  free(input);
  free(bench.expected);
  free(bench.got);
}

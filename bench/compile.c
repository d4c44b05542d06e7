/* What a build costs.  Every source holds a number that no cache has seen. */
#define _GNU_SOURCE
#include "measure.h"
#include "sections.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 9, SITE_ROUNDS = 3, MAX_SITES = 300 };

static unsigned fresh_number(void) {
  static unsigned number;
  if (!number) number = (unsigned)time(NULL) ^ (unsigned)getpid() << 12;
  return ++number & 0x3fffffff;
}

/* A small kernel, with a collective where there are any. */
static void small_source(struct device *device, char *text, size_t room) {
  snprintf(text, room,
           "kernel void small(global uint *out, global const uint *in) {\n"
           "  uint x = in[get_global_id(0)] + %uu;\n"
           "  out[get_global_id(0)] = %s;\n"
           "}\n",
           fresh_number(), device->has_collectives ? "work_group_reduce_add(x)" : "x * 3");
}

struct build_time {
  double build, launched; /* seconds until clBuildProgram returned, until a first launch was over */
};

/* A driver may put the work off until the first launch, so that is timed too.  False if it fails.
 */
static bool time_build(struct device *device, const char *source, const char *name,
                       struct build_time *time) {
  static const size_t size = 4096;
  cl_mem in = device_buffer(device, size, NULL), out = device_buffer(device, size, NULL);
  double start = wall_seconds();
  cl_program program = device_build(device, source);
  time->build = wall_seconds() - start;
  cl_kernel kernel = program ? device_kernel(program, name) : NULL;
  bool works = kernel && in && out;
  if (works) {
    struct launch launch = {kernel, 64, 64};
    ARG(kernel, 0, out);
    ARG(kernel, 1, in);
    works = device_run(device, &launch, 1);
    time->launched = wall_seconds() - start;
    clReleaseKernel(kernel);
  }
  if (program) clReleaseProgram(program);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  return works;
}

/* clang-19 -O3 -shared on the same source, in a temporary folder. */
static double by_hand_seconds(const char *folder, const char *source) {
  char path[256], command[1024];
  snprintf(path, sizeof path, "%s/small.cl", folder);
  FILE *file = fopen(path, "w");
  if (!file || fputs(source, file) < 0 || fclose(file) != 0) return -1;
  snprintf(command, sizeof command,
           "exec clang-19 -x cl -cl-std=CL3.0 -D__opencl_c_work_group_collective_functions=1 -O3"
           " -march=native -fPIC -shared -o %s/small.so %s 2>%s/log",
           folder, path, folder);
  double start = wall_seconds();
  int status = system(command);
  return status == 0 ? wall_seconds() - start : -1;
}

static void remove_folder(const char *folder) {
  static const char *const names[] = {"small.cl", "small.so", "log"};
  char path[256];
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, names[i]);
    unlink(path);
  }
  rmdir(folder);
}

void measure_build(struct device *device) {
  char folder[] = "/tmp/maniple-bench-XXXXXX", source[512];
  double build[ROUNDS], launched[ROUNDS], hand[ROUNDS];
  if (!mkdtemp(folder)) {
    row_failed("build", "small kernel", "no temporary folder");
    return;
  }
  bool works = true;
  for (int i = 0; i < ROUNDS && works; i++) {
    small_source(device, source, sizeof source);
    struct build_time time;
    hand[i] = by_hand_seconds(folder, source);
    works = time_build(device, source, "small", &time) && hand[i] >= 0;
    build[i] = time.build;
    launched[i] = time.launched;
  }
  remove_folder(folder);
  if (!works) {
    row_failed("build", "small kernel", "does not build, or clang-19 by hand does not");
    return;
  }
  double by_hand = median(hand, ROUNDS) * 1e3;
  row("build", "small kernel", median(build, ROUNDS) * 1e3, "ms", by_hand);
  row("build", "small kernel and first launch", median(launched, ROUNDS) * 1e3, "ms", by_hand);
}

/* A kernel with `sites` calls, of five kinds in turn, each fed by the one before. */
static char *sites_source(int sites, const char *type, unsigned number) {
  static const char *const calls[] = {
      "work_group_reduce_add(x)", "work_group_scan_inclusive_add(x)", "work_group_broadcast(x, 1)",
      "work_group_reduce_max(x)", "work_group_scan_exclusive_add(x)"};
  size_t room = 512 + (size_t)sites * 80, used;
  char *text = malloc(room);
  if (!text) exit(1);
  used = (size_t)snprintf(text, room,
                          "kernel void sites(global %s *out, global const %s *in) {\n"
                          "  %s y = in[get_global_id(0)], x = y + %u;\n",
                          type, type, type, number);
  for (int i = 0; i < sites; i++)
    used += (size_t)snprintf(text + used, room - used, "  x = %s + (y & %d);\n", calls[i % 5], i);
  snprintf(text + used, room - used, "  out[get_global_id(0)] = x;\n}\n");
  return text;
}

static double sites_seconds(struct device *device, int sites) {
  double times[SITE_ROUNDS];
  for (int i = 0; i < SITE_ROUNDS; i++) {
    char *source = sites_source(sites, "int", fresh_number());
    struct build_time time;
    bool works = time_build(device, source, "sites", &time);
    free(source);
    if (!works) return -1;
    times[i] = time.launched;
  }
  return median(times, SITE_ROUNDS);
}

void measure_sites(struct device *device) {
  static const int sites[] = {10, 30, 100, 300};
  double seconds[4];
  if (!device->has_collectives) {
    row_failed("sites", "300 call sites", "no work-group collectives");
    return;
  }
  for (int i = 0; i < 4; i++) {
    char what[64];
    seconds[i] = sites_seconds(device, sites[i]);
    snprintf(what, sizeof what, "%d call sites", sites[i]);
    if (seconds[i] >= 0)
      row("sites", what, seconds[i] * 1e3, "ms", 0);
    else
      row_failed("sites", what, "does not build");
  }
  if (seconds[0] >= 0 && seconds[2] >= 0 && seconds[3] >= 0)
    row("linear", "per call site", (seconds[3] - seconds[2]) / 200 * 1e3, "ms",
        (seconds[2] - seconds[0]) / 90 * 1e3);
}

/* The same calls in plain C on `count` work-items of one group. */
static void sites_answer(int sites, unsigned number, long *x, const long *y, int count) {
  for (int i = 0; i < count; i++) x[i] = y[i] + number;
  for (int site = 0; site < sites; site++) {
    unsigned long sum = 0;
    long largest = x[0], second = x[1];
    for (int i = 0; i < count; i++) {
      sum += (unsigned long)x[i];
      largest = x[i] > largest ? x[i] : largest;
    }
    unsigned long running = 0;
    for (int i = 0; i < count; i++) {
      unsigned long value = (unsigned long)x[i], result;
      switch (site % 5) {
      case 0:
        result = sum;
        break;
      case 1:
        result = running + value;
        break;
      case 2:
        result = (unsigned long)second;
        break;
      case 3:
        result = (unsigned long)largest;
        break;
      default:
        result = running;
        break;
      }
      running += value;
      x[i] = (long)(result + (unsigned long)(y[i] & site));
    }
  }
}

/* What the newest PoCL overflows its stack with: many values alive in a large group. */
void measure_scratch(struct device *device) {
  enum { GROUP = 4096, SITES = 256 };
  const char *what = "4096 work-items, 256 calls";
  if (!device->has_collectives || device->max_work_group_size < GROUP) {
    row_failed("scratch", what, "no work-group collectives, or groups too small");
    return;
  }
  static long y[GROUP], expected[GROUP], got[GROUP];
  for (int i = 0; i < GROUP; i++) y[i] = i * 37 % 101;
  unsigned number = fresh_number();
  char *source = sites_source(SITES, "long", number);
  cl_program program = device_build(device, source);
  cl_kernel kernel = program ? device_kernel(program, "sites") : NULL;
  cl_mem in = device_buffer(device, sizeof y, y), out = device_buffer(device, sizeof got, NULL);
  free(source);
  if (!kernel || !in || !out) {
    row_failed("scratch", what, "does not build");
    return;
  }
  ARG(kernel, 0, out);
  ARG(kernel, 1, in);
  struct launch launch = {kernel, GROUP, GROUP};
  sites_answer(SITES, number, expected, y, GROUP);
  bool right = device_run(device, &launch, 1) && device_read(device, out, got, sizeof got) &&
               memcmp(got, expected, sizeof got) == 0;
  row("scratch", what, right, "right", 1);
}

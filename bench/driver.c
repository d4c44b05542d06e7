/* Measures the one driver that OCL_ICD_VENDORS names, one section a process:
 *   bench_driver version|collectives|sub_groups|jobs1|jobs2|launch|build|sites|scratch
 * and prints rows (measure.h).  bench starts it. */
#include "measure.h"
#include "sections.h"

#include <stdio.h>
#include <string.h>

static void measure_jobs1(struct device *device) {
  measure_jobs(device, 1);
}
static void measure_jobs2(struct device *device) {
  measure_jobs(device, 2);
}

static void print_version(struct device *device) {
  char version[256] = "";
  clGetDeviceInfo(device->id, CL_DRIVER_VERSION, sizeof version, version, NULL);
  printf("%s\n", version);
}

static const struct {
  const char *name;
  int cpus; /* 0: all */
  void (*run)(struct device *);
} sections[] = {
    {"version", 0, print_version},         {"collectives", 1, measure_collectives},
    {"sub_groups", 1, measure_sub_groups}, {"jobs1", 1, measure_jobs1},
    {"jobs2", 2, measure_jobs2},           {"launch", 0, measure_launch},
    {"build", 0, measure_build},           {"sites", 0, measure_sites},
    {"scratch", 0, measure_scratch},
};

int main(int argc, char **argv) {
  struct device device;
  for (size_t i = 0; argc == 2 && i < sizeof sections / sizeof *sections; i++) {
    if (strcmp(sections[i].name, argv[1]) != 0) continue;
    if (sections[i].cpus) use_cpus(sections[i].cpus); /* before the driver counts them */
    if (!device_open(&device)) {
      fputs("bench_driver: no OpenCL device\n", stderr);
      return 1;
    }
    sections[i].run(&device);
    device_close(&device);
    return 0;
  }
  fputs("usage: bench_driver SECTION (see bench/README.md)\n", stderr);
  return 2;
}

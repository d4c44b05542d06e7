/* The device keeps to the CPUs that the process may use, as batch systems and mpirun bind it: so many
 * compute units, and all threads on them; also when a thread of the application has bound itself. */
#include "api.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 1 << 16, GROUP = 64 };

static const char *const source =
    "kernel void k(global int *p) {\n"
    "  int x = get_global_id(0);\n"
    "  for (int i = 0; i < 2000; i++) x = x * 1664525 + 1013904223;\n"
    "  p[get_global_id(0)] = x;\n"
    "}\n";

static int last_cpu(void) {
  cpu_set_t set;
  CHECK(!sched_getaffinity(0, sizeof set, &set));
  int cpu = CPU_SETSIZE - 1;
  while (!CPU_ISSET(cpu, &set)) cpu--;
  return cpu;
}

static void bind_to(int cpu) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(cpu, &set);
  CHECK(!sched_setaffinity(0, sizeof set, &set));
}

static int list_threads(pid_t *list, int most) {
  DIR *folder = opendir("/proc/self/task");
  int count = 0;
  CHECK(folder);
  for (struct dirent *entry; folder && (entry = readdir(folder)) && count < most;)
    if (atoi(entry->d_name)) list[count++] = atoi(entry->d_name);
  if (folder) closedir(folder);
  return count;
}

/* Threads that a case finds: its own, and one that ThreadSanitizer makes beside the first one. */
static pid_t before[8];
static int num_before;

static void *nothing(void *unused) {
  return NULL;
}

static void note_threads(void) {
  pthread_t first;
  CHECK(!pthread_create(&first, NULL, nothing, NULL));
  CHECK(!pthread_join(first, NULL));
  num_before = list_threads(before, 8);
}

static bool was_before(pid_t thread) {
  for (int i = 0; i < num_before; i++)
    if (before[i] == thread) return true;
  return false;
}

/* Threads that the case made whose CPUs are not those of `set`. */
static int threads_elsewhere(const cpu_set_t *set, int *threads) {
  pid_t list[64];
  int count = list_threads(list, 64), elsewhere = 0;
  *threads = 0;
  for (int i = 0; i < count; i++) {
    cpu_set_t its;
    if (was_before(list[i]) || sched_getaffinity(list[i], sizeof its, &its)) continue;
    ++*threads;
    elsewhere += !CPU_EQUAL(set, &its);
  }
  return elsewhere;
}

static void run(void) {
  cl_int error;
  static cl_int values[ITEMS];
  cl_program program = build(source, "");
  cl_kernel kernel = clCreateKernel(program, "k", &error);
  EXPECT(CL_SUCCESS, error);
  for (int i = 0; i < 5; i++) run_on(kernel, values, ITEMS, GROUP);
  for (int k = 0; k < ITEMS; k++) {
    unsigned x = (unsigned)k;
    for (int i = 0; i < 2000; i++) x = x * 1664525 + 1013904223;
    CHECK(values[k] == (int)x);
  }
  clReleaseKernel(kernel);
  clReleaseProgram(program);
}

static cl_uint units(void) {
  cl_uint number = 0;
  EXPECT(CL_SUCCESS,
         clGetDeviceInfo(device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof number, &number, NULL));
  return number;
}

/* As `taskset -c CPU` and mpirun's binding do it. */
static void process_is_bound(void) {
  bind_to(last_cpu());
  open_device();
  CHECK(units() == 1);
}

static void more_threads_than_cpus(void) {
  cpu_set_t all;
  int threads;
  setenv("MANIPLE_THREADS", "3", 1);
  bind_to(last_cpu());
  CHECK(!sched_getaffinity(0, sizeof all, &all));
  open_device();
  CHECK(units() == 3);
  run();
  CHECK(!threads_elsewhere(&all, &threads) && threads > 0);
}

/* An engine binds its own threads once it has looked at the devices. */
static void thread_binds_itself(void) {
  cpu_set_t all;
  int threads;
  setenv("MANIPLE_THREADS", "3", 1);
  CHECK(!sched_getaffinity(0, sizeof all, &all));
  open_device();
  bind_to(last_cpu());
  run();
  CHECK(!threads_elsewhere(&all, &threads) && threads > 0);
}

/* A process has its devices once, so each case is one. */
static void in_child(void (*test)(void)) {
  int status;
  fflush(NULL);
  pid_t child = fork();
  CHECK(child >= 0);
  if (!child) {
    note_threads();
    test();
    exit(failures != 0);
  }
  CHECK(waitpid(child, &status, 0) == child && !status);
}

int main(void) {
  in_child(process_is_bound);
  in_child(more_threads_than_cpus);
  in_child(thread_binds_itself);
  return failures != 0;
}

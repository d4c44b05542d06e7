/* The machine, and the part of it that this process may use: CPU affinity and cgroup limits
 * (v1 and v2) count, so that a container does not get more threads than it has CPU time for. */
#if defined(__x86_64__)
#include <cpuid.h>
#endif
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "cpu/cpu.h"
#include "runtime/options.h"

/* The beginning of a small file, without its last newline; "" if it cannot be read. */
static const char *read_text(const char *path, char *text, size_t size) {
  int file = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = file < 0 ? 0 : read(file, text, size - 1);
  if (file >= 0) close(file);
  if (n < 0) n = 0;
  if (n > 0 && text[n - 1] == '\n') n--;
  text[n] = 0;
  return text;
}

/* The value of a line "key<tab>: value" of /proc/cpuinfo. */
static bool cpu_line(const char *text, const char *key, char *value, size_t size) {
  size_t length = strlen(key);
  for (const char *line = text; line; line = strchr(line, '\n')) {
    if (*line == '\n') line++;
    if (!strncmp(line, key, length) && strspn(line + length, "\t :") > 0) {
      line += length + strspn(line + length, "\t :");
      snprintf(value, size, "%.*s", (int)strcspn(line, "\n"), line);
      return true;
    }
  }
  *value = 0;
  return false;
}

static void single_spaces(char *text) {
  char *to = text;
  for (const char *from = text; *from; from++)
    if (*from != ' ' || (to > text && to[-1] != ' ' && from[1])) *to++ = *from;
  *to = 0;
}

/* Everything that says which code runs here: the model and its features. */
static void describe_cpu(struct mpl_device_info *info) {
  static char name[128], target[128], text[8192]; /* read once for the process */
  static const char *const keys[] = {
      "vendor_id", "cpu family",  "model",    "stepping", "flags", "CPU implementer",
      "CPU part",  "CPU variant", "Features", "isa",      "uarch"};
  static const struct {
    const char *id, *vendor;
    uint32_t pci;
  } vendors[] = {
      {"AuthenticAMD", "AMD", 0x1022}, {"GenuineIntel", "Intel", 0x8086}, {"0x41", "ARM", 0x13b5}};
  char value[8192];
  struct utsname system;
  if (uname(&system)) snprintf(system.machine, sizeof system.machine, "unknown");
  read_text("/proc/cpuinfo", text, sizeof text);
  uint64_t hash = 0xcbf29ce484222325u; /* FNV-1a */
  for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
    cpu_line(text, keys[i], value, sizeof value);
    for (const char *c = value; *c; c++) hash = (hash ^ (unsigned char)*c) * 0x100000001b3u;
  }
  snprintf(target, sizeof target, "%.64s-%016llx", system.machine, (unsigned long long)hash);
  if (!cpu_line(text, "model name", name, sizeof name))
    snprintf(name, sizeof name, "%.64s CPU", system.machine);
  single_spaces(name);
  if (!cpu_line(text, "vendor_id", value, sizeof value))
    cpu_line(text, "CPU implementer", value, sizeof value);
  info->name = name;
  info->target = target;
  info->vendor = "unknown";
  for (unsigned i = 0; i < sizeof vendors / sizeof *vendors; i++)
    if (!strcmp(value, vendors[i].id)) {
      info->vendor = vendors[i].vendor;
      info->vendor_id = vendors[i].pci;
    }
  char khz[32];
  read_text("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", khz, sizeof khz);
  info->clock_mhz = (uint32_t)(strtoull(khz, NULL, 10) / 1000);
  if (!info->clock_mhz && cpu_line(text, "cpu MHz", value, sizeof value))
    info->clock_mhz = (uint32_t)strtod(value, NULL);
}

static uint32_t natural_vector(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_cpu_init();
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) return 64;
  if (__builtin_cpu_supports("avx")) return 32;
#endif
  return 16;
}

/* The time-stamp counter has one rate in all states of all cores, or it is no clock. */
static bool has_steady_counter(void) {
#if defined(__x86_64__)
  unsigned a, b, c, d;
  return __get_cpuid(0x80000007, &a, &b, &c, &d) && (d >> 8 & 1);
#else
  return true;
#endif
}

static bool has_dot_instruction(void) {
#if defined(__x86_64__)
  return __builtin_cpu_supports("avx512vnni");
#else
  return false;
#endif
}

static void describe_caches(struct mpl_device_info *info) {
  long line = sysconf(_SC_LEVEL1_DCACHE_LINESIZE), size = sysconf(_SC_LEVEL3_CACHE_SIZE);
  if (size <= 0) size = sysconf(_SC_LEVEL2_CACHE_SIZE);
  if (size <= 0) size = sysconf(_SC_LEVEL1_DCACHE_SIZE);
  if (size <= 0) { /* glibc knows nothing on some architectures: "32768K" here */
    char text[32], *end;
    read_text("/sys/devices/system/cpu/cpu0/cache/index2/size", text, sizeof text);
    size = strtol(text, &end, 10);
    if (*end == 'K') size <<= 10;
    if (*end == 'M') size <<= 20;
  }
  info->cache_line = line > 0 ? (uint64_t)line : 64;
  info->global_cache = size > 0 ? (uint64_t)size : 0;
}

/* Where this process stands in a cgroup hierarchy: controller "" is version 2's. */
static bool cgroup_path(const char *controller, char *path, size_t size) {
  char text[4096], *rest = NULL;
  read_text("/proc/self/cgroup", text, sizeof text);
  for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
    char *controllers = strchr(line, ':'), *folder = controllers ? strchr(controllers + 1, ':') : 0;
    if (!folder) continue;
    controllers++;
    *folder++ = 0;
    bool found = !*controller && !*controllers;
    for (char *more = NULL, *one = strtok_r(controllers, ",", &more); one && !found;
         one = strtok_r(NULL, ",", &more))
      found = *controller && !strcmp(one, controller);
    if (found) return snprintf(path, size, "%s", folder) < (int)size;
  }
  return false;
}

/* Calls `look` for the process's folder of a controller and every one above it; in a container the
 * path may not be visible, but the mount's root then is its own. */
static void each_cgroup(const char *mount, const char *controller,
                        void (*look)(const char *folder, void *data), void *data) {
  char path[2048], folder[2200];
  if (!cgroup_path(controller, path, sizeof path)) return;
  for (;;) {
    snprintf(folder, sizeof folder, "%s%s", mount, path);
    look(folder, data);
    char *slash = strrchr(path, '/');
    if (!slash || !path[1]) return;
    slash[slash == path] = 0; /* "/a" becomes "/" */
  }
}

static uint64_t read_number(const char *folder, const char *file) {
  char path[2300], text[64];
  snprintf(path, sizeof path, "%s/%s", folder, file);
  return strtoull(read_text(path, text, sizeof text), NULL, 10);
}

static void lower(uint64_t *limit, uint64_t value) {
  if (value && value < *limit) *limit = value;
}

static void cpu_quota_v2(const char *folder, void *data) {
  char path[2300], text[64];
  unsigned long long quota, period;
  snprintf(path, sizeof path, "%s/cpu.max", folder);
  read_text(path, text, sizeof text);
  if (sscanf(text, "%llu %llu", &quota, &period) == 2 && period)
    lower(data, (quota + period - 1) / period);
}

static void cpu_quota_v1(const char *folder, void *data) {
  uint64_t quota = read_number(folder, "cpu.cfs_quota_us"); /* -1, a huge number, for none */
  uint64_t period = read_number(folder, "cpu.cfs_period_us");
  if (period && quota < UINT64_MAX - period) lower(data, (quota + period - 1) / period);
}

static void memory_v2(const char *folder, void *data) {
  lower(data, read_number(folder, "memory.max"));
}

static void memory_v1(const char *folder, void *data) {
  lower(data, read_number(folder, "memory.limit_in_bytes"));
}

static uint32_t usable_cpus(void) {
  uint64_t count = 0, option = mpl_option_number(MPL_OPTION_THREADS);
  if (option) return (uint32_t)option;
  for (int size = CPU_SETSIZE; !count && size <= 1 << 18; size *= 4) { /* EINVAL: too small a set */
    cpu_set_t *set = CPU_ALLOC(size);
    if (set && !sched_getaffinity(0, CPU_ALLOC_SIZE(size), set))
      count = (uint64_t)CPU_COUNT_S(CPU_ALLOC_SIZE(size), set);
    CPU_FREE(set);
  }
  if (!count) count = (uint64_t)sysconf(_SC_NPROCESSORS_ONLN);
  each_cgroup("/sys/fs/cgroup", "", cpu_quota_v2, &count);
  each_cgroup("/sys/fs/cgroup/cpu", "cpu", cpu_quota_v1, &count);
  return count < 1 ? 1 : count > 1024 ? 1024 : (uint32_t)count;
}

static uint64_t usable_memory(void) {
  uint64_t size = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
  each_cgroup("/sys/fs/cgroup", "", memory_v2, &size);
  each_cgroup("/sys/fs/cgroup/memory", "memory", memory_v1, &size);
  return size;
}

static uint32_t said_type(void) {
  const char *word = mpl_option_text(MPL_OPTION_DEVICE_TYPE);
  if (!strcmp(word, "gpu")) return MPL_TYPE_GPU;
  return strcmp(word, "accelerator") ? MPL_TYPE_CPU : MPL_TYPE_ACCELERATOR;
}

void mpl_cpu_describe(struct mpl_device_info *info) {
  describe_cpu(info);
  describe_caches(info);
  info->type = said_type();
  info->host_memory = true;
  info->svm = MPL_SVM_COARSE | MPL_SVM_FINE | MPL_SVM_ATOMICS;
  info->offers = MPL_OFFERS_ALL;
  info->device_queues = 1024;
  if (!has_steady_counter()) info->offers &= ~(unsigned)MPL_OFFERS_CLOCK;
  info->fast_dot = has_dot_instruction();
  info->vector_bytes = natural_vector();
  info->preferred_multiple = info->vector_bytes / 4;
  info->compute_units = usable_cpus();
  info->max_work_group_size = (uint32_t)mpl_option_number(MPL_OPTION_MAX_WORK_GROUP_SIZE);
  info->global_memory = usable_memory();
  info->max_allocation = info->global_memory / 2;
  info->local_memory = 64 << 10; /* what a first-level cache holds beside the data it is used on */
}

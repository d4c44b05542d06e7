/* What the environment wants: how the twin behaves, and what fails. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "device.h"

struct twin_left twin_things;

static const char *const names[] = {
#define MPL_CUDA(name, symbol, need, parameters) symbol,
#include "tables/cuda_driver.def"
    "kernel"};
static unsigned long calls[TWIN_CALLS];
static struct {
  unsigned long number; /* of the call, 0: none */
  int code;
} faults[TWIN_CALLS];
static int sticks;                                       /* what all that follows fails with */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* a call fails, or all is mended */
static bool child; /* of fork(): nothing of the driver is there */
static pthread_once_t once = PTHREAD_ONCE_INIT;

long twin_option(const char *name, long unless_set) {
  const char *value = getenv(name);
  return value ? atol(value) : unless_set;
}

static void set_fault(enum twin_call call, unsigned long number, int code) {
  __atomic_store_n(&faults[call].code, code, __ATOMIC_RELAXED);
  __atomic_store_n(&faults[call].number, number, __ATOMIC_RELEASE);
}

static enum twin_call call_of(const char *name) {
  for (size_t i = 0; i < TWIN_CALLS; i++)
    if (!strcmp(names[i], name)) return (enum twin_call)i;
  twin_fail("there is no %s", name);
}

static unsigned long count_of(enum twin_call call) {
  return __atomic_load_n(&calls[call], __ATOMIC_ACQUIRE);
}

static void control_fault(const char *name, unsigned long number, int code) {
  enum twin_call call = call_of(name);
  set_fault(call, count_of(call) + number, code);
}
static unsigned long control_count(const char *name) {
  return count_of(call_of(name));
}
static void control_mend(void) {
  pthread_mutex_lock(&lock);
  for (size_t i = 0; i < TWIN_CALLS; i++) set_fault((enum twin_call)i, 0, 0);
  __atomic_store_n(&sticks, 0, __ATOMIC_RELEASE);
  pthread_mutex_unlock(&lock);
  twin_stick(0);
}

__attribute__((visibility("default")))
const struct twin_control twin_control = {control_fault, control_mend, control_count, &twin_things};

static void read_fault(const char *text) {
  char name[64];
  unsigned long number;
  int code;
  if (sscanf(text, "%63[^:]:%lu:%d", name, &number, &code) != 3) twin_fail("TWIN_FAIL: %s", text);
  set_fault(call_of(name), number, code);
}

static void write_counts(void) {
  FILE *out = fopen(getenv("TWIN_COUNTS"), "w");
  if (!out) twin_fail("TWIN_COUNTS cannot be written");
  for (size_t i = 0; i < TWIN_CALLS; i++) fprintf(out, "%s %lu\n", names[i], count_of(i));
  fclose(out);
}

static void note_child(void) {
  child = true;
}

static void start(void) {
  const char *list = getenv("TWIN_FAIL");
  for (; list && *list; list += strcspn(list, ","), list += *list == ',') read_fault(list);
  if (getenv("TWIN_COUNTS")) atexit(write_counts);
  pthread_atfork(NULL, NULL, note_child);
}

/* Questions about what is there are answered by a driver whose context is lost. */
static bool needs_context(enum twin_call call) {
  switch (call) {
  case TWIN_CALL_init:
  case TWIN_CALL_error_name:
  case TWIN_CALL_device_count:
  case TWIN_CALL_device_get:
  case TWIN_CALL_device_name:
  case TWIN_CALL_device_attribute:
  case TWIN_CALL_device_memory:
    return false;
  default:
    return true;
  }
}

/* Those that make one this thread's need none; the twin's own thread has none. */
static bool lacks_context(enum twin_call call) {
  return needs_context(call) && call != TWIN_CALL_context_flags &&
         call != TWIN_CALL_context_retain && call != TWIN_CALL_context_set && call != TWIN_KERNEL &&
         !twin_has_context();
}

int twin_called(enum twin_call call) {
  pthread_once(&once, start);
  if (child) return TWIN_NOT_STARTED;
  int sticking = __atomic_load_n(&sticks, __ATOMIC_ACQUIRE);
  unsigned long number = __atomic_add_fetch(&calls[call], 1, __ATOMIC_RELAXED);
  if (sticking && needs_context(call)) return sticking;
  if (lacks_context(call)) return TWIN_NO_CONTEXT;
  if (number != __atomic_load_n(&faults[call].number, __ATOMIC_ACQUIRE)) return 0;
  pthread_mutex_lock(&lock);
  bool fails = number == faults[call].number;
  int code = fails ? faults[call].code : 0;
  if (fails && (code >= TWIN_STICKY || call == TWIN_KERNEL)) {
    __atomic_store_n(&sticks, code, __ATOMIC_RELEASE);
    twin_stick(code);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

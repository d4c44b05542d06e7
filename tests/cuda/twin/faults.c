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
  unsigned long number; /* 0: none */
  int code;
} faults[TWIN_CALLS];
static int sticks; /* what all that follows fails with */
static bool child; /* of fork(): nothing of the driver is there */
static pthread_once_t once = PTHREAD_ONCE_INIT;

long twin_option(const char *name, long unless_set) {
  const char *value = getenv(name);
  return value ? atol(value) : unless_set;
}

static void read_fault(const char *text) {
  char name[64];
  unsigned long number;
  int code;
  if (sscanf(text, "%63[^:]:%lu:%d", name, &number, &code) != 3) twin_fail("TWIN_FAIL: %s", text);
  for (size_t i = 0; i < TWIN_CALLS; i++)
    if (!strcmp(names[i], name)) {
      faults[i].number = number;
      faults[i].code = code;
      return;
    }
  twin_fail("TWIN_FAIL: there is no %s", name);
}

static void write_counts(void) {
  FILE *out = fopen(getenv("TWIN_COUNTS"), "w");
  if (!out) twin_fail("TWIN_COUNTS cannot be written");
  for (size_t i = 0; i < TWIN_CALLS; i++) fprintf(out, "%s %lu\n", names[i], calls[i]);
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

int twin_called(enum twin_call call) {
  pthread_once(&once, start);
  if (child) return TWIN_NOT_STARTED;
  int sticking = __atomic_load_n(&sticks, __ATOMIC_ACQUIRE);
  unsigned long number = __atomic_add_fetch(&calls[call], 1, __ATOMIC_RELAXED);
  if (sticking && needs_context(call)) return sticking;
  if (number != faults[call].number) return 0;
  int code = faults[call].code;
  if (code >= TWIN_STICKY || call == TWIN_KERNEL) {
    __atomic_store_n(&sticks, code, __ATOMIC_RELEASE);
    twin_stick(code);
  }
  return code;
}

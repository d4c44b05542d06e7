#include "fuzz/engines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define AVX512 "-march=x86-64-v4"
#define AVX2 "-march=x86-64-v3"
#define SSE "-march=x86-64-v2"
#define NO_OPTIMIZER "-cl-opt-disable"

/* Which of them this processor can run is seen by target(). */
static const struct engine { const char *width, *options; } engines[] = {
    [AS_IT_IS] = {NULL, NULL},
    [CHECKED] = {NULL, NULL},
    [FILTERED] = {NULL, NULL},
    {"16", ""},
    {"8", AVX2},
    {"1", ""},
    {"4", SSE},
    {"32", ""},
    {"16", NO_OPTIMIZER},
    {"4", ""},
    {"16", AVX2},
    {"64", ""},
    {"1", NO_OPTIMIZER},
    {"8", ""},
    {"16", SSE},
    {"32", AVX512},
    {"1", AVX2},
    {"32", AVX2},
    {"8", NO_OPTIMIZER " " AVX2},
    {"8", SSE},
    {"1", SSE},
};

static const char *target(const char *options) {
#if defined(__x86_64__)
  if (strstr(options, AVX512) && !__builtin_cpu_supports("avx512vl")) return "";
  if (strstr(options, AVX2) && !__builtin_cpu_supports("avx2")) return "";
  return options;
#else
  return strstr(options, NO_OPTIMIZER) ? NO_OPTIMIZER : "";
#endif
}

int num_engines(void) { return (int)(sizeof engines / sizeof *engines); }

/* Each batch in another order of its work-items. */
static const char *schedule_of(uint64_t batch) {
  static char schedule[40];
  if (batch % 3 < 2) return batch % 3 ? "reverse" : "order";
  snprintf(schedule, sizeof schedule, "shuffle:%llu", (unsigned long long)batch);
  return schedule;
}

const char *engine_name(int engine, uint64_t batch) {
  static char name[160];
  const struct engine *e = &engines[engine];
  if (engine == AS_IT_IS) return "as the environment says";
  if (engine == FILTERED) return "MANIPLE_CHECK=1";
  if (engine == CHECKED)
    snprintf(name, sizeof name, "MANIPLE_CHECK=1 MANIPLE_CHECK_FILTER=0 MANIPLE_CHECK_SCHEDULE=%s",
             schedule_of(batch));
  else
    snprintf(name, sizeof name, "MANIPLE_VECTOR_WIDTH=%s MANIPLE_BUILD_OPTIONS='%s'", e->width,
             target(e->options));
  return name;
}

void choose_engine(int engine, uint64_t batch) {
  setenv("MANIPLE_PASS_VERIFY", "1", 1); /* a broken module may answer right by chance */
  if (engine == AS_IT_IS) return;
  if (engine == CHECKED || engine == FILTERED) {
    setenv("MANIPLE_CHECK", "1", 1);
    setenv("MANIPLE_CHECK_FILTER", engine == FILTERED ? "1" : "0", 1);
    if (engine == CHECKED) setenv("MANIPLE_CHECK_SCHEDULE", schedule_of(batch), 1);
    return; /* filters have no schedule */
  }
  setenv("MANIPLE_VECTOR_WIDTH", engines[engine].width, 1);
  setenv("MANIPLE_BUILD_OPTIONS", target(engines[engine].options), 1);
}

bool is_engine_of_batch(uint64_t batch, int engine) {
  return engine != FILTERED || batch % 4 == 0;
}

int engine_of_batch(uint64_t batch, int k) {
  int more = num_engines() - FIRST_MORE;
  return FIRST_MORE + (int)((batch * 2 + (uint64_t)k) % (uint64_t)more);
}

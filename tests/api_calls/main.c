/* api_calls [-v] CALLS SEED THREADS: rounds of random calls.  A round that fails says its seed,
 * which makes it again (with one thread; with more, their order is the machine's). */
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "api_calls.h"

enum { CALLS_OF_A_ROUND = 2000, MOST_THREADS = 64, STUCK_SECONDS = 300 };

cl_platform_id the_platform;
cl_device_id the_device;
bool chatty;
atomic_long num_contexts;
static uint64_t round_seed;
static long num_threads, calls_each;
static atomic_bool round_over;

/* Commands race for the bytes of buffers here, as an application must not let them: nothing is said
 * of what copies and fills these. */
const char *__tsan_default_suppressions(void);
const char *__tsan_default_suppressions(void) {
  return "race:^mpl_transfer$\n";
}

static void CL_CALLBACK context_ended(cl_context context, void *data) {
  atomic_fetch_sub(&num_contexts, 1);
}

void context_made(cl_context context) {
  atomic_fetch_add(&num_contexts, 1);
  if (clSetContextDestructorCallback(context, context_ended, NULL)) abort();
}

static void say_seed(int signal_number) {
  char text[128];
  int length = snprintf(text, sizeof text, "\napi_calls: round with seed %llu: %s\n",
                        (unsigned long long)round_seed,
                        signal_number == SIGALRM ? "nothing goes on" : "aborted");
  if (length > 0 && write(2, text, (size_t)length) < 0) _exit(1);
  signal(SIGABRT, SIG_DFL);
  abort();
}

static void pause_for(long ns) {
  const struct timespec time = {.tv_nsec = ns};
  nanosleep(&time, NULL);
}

/* Calls that wait for commands need somebody who sets the events that these wait for. */
static void *set_events(void *unused) {
  uint64_t random = round_seed;
  while (!atomic_load(&round_over)) {
    pool_settle(&random);
    pause_for(200000);
  }
  return NULL;
}

static void *make_calls(void *number) {
  uint64_t random = round_seed + (uintptr_t)number * 0x1000003;
  for (long i = 0; i < calls_each; i++) call_once(&random);
  return NULL;
}

static void start(pthread_t *thread, void *(*run)(void *), void *data) {
  int error = pthread_create(thread, NULL, run, data);
  if (!error) return;
  fprintf(stderr, "api_calls: no thread: %s\n", strerror(error));
  exit(1);
}

static void run_threads(void) {
  pthread_t threads[MOST_THREADS], setter;
  atomic_store(&round_over, false);
  start(&setter, set_events, NULL);
  for (long i = 0; i < num_threads; i++) start(&threads[i], make_calls, (void *)(uintptr_t)i);
  for (long i = 0; i < num_threads; i++) pthread_join(threads[i], NULL);
  atomic_store(&round_over, true);
  pthread_join(setter, NULL);
}

/* All that was made ends: the contexts are what everything else holds. */
static bool all_ended_but(long number) {
  for (int i = 0; i < 20000 && atomic_load(&num_contexts) > number; i++) pause_for(100000);
  long left = atomic_load(&num_contexts) - number;
  if (left)
    fprintf(stderr, "api_calls: seed %llu: %ld contexts are still there after the round\n",
            (unsigned long long)round_seed, left);
  return !left;
}

static bool run_round(uint64_t seed) {
  uint64_t random = round_seed = seed;
  alarm(STUCK_SECONDS);
  round_begin(&random);
  if (num_threads > 1)
    run_threads();
  else
    make_calls(NULL);
  pool_settle(&random);
  pool_release_all();
  bool good = all_ended_but(1);
  pool_release_home();
  return all_ended_but(0) && good;
}

int main(int argc, char **argv) {
  if (argc > 1 && !strcmp(argv[1], "-v")) {
    chatty = true;
    argv++, argc--;
  }
  long calls = argc > 1 ? atol(argv[1]) : 20000;
  uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  num_threads = argc > 3 ? atol(argv[3]) : 1;
  if (calls < 1 || num_threads < 1 || num_threads > MOST_THREADS) {
    fprintf(stderr, "usage: api_calls [-v] CALLS SEED THREADS (1 to %d)\n", MOST_THREADS);
    return 2;
  }
  signal(SIGABRT, say_seed);
  signal(SIGALRM, say_seed);
  if (clGetPlatformIDs(1, &the_platform, NULL) ||
      clGetDeviceIDs(the_platform, CL_DEVICE_TYPE_ALL, 1, &the_device, NULL) || !rows_find())
    return 1;
  calls_each = CALLS_OF_A_ROUND / num_threads;
  long rounds = (calls + CALLS_OF_A_ROUND - 1) / CALLS_OF_A_ROUND;
  bool good = true;
  for (long i = 0; i < rounds && good; i++) good = run_round(seed + (uint64_t)i);
  free(good_binary);
  printf("%ld calls in %ld rounds of %ld threads\n", rounds * calls_each * num_threads, rounds,
         num_threads);
  return good ? 0 : 1;
}

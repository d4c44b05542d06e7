/* Several threads enqueue on shared and own queues, in and out of order, with waits on one
 * another's commands, user events, callbacks and launches that several threads share.  Made for
 * ThreadSanitizer; the check is that every command ran once, after what it waited for. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

#include "runtime/commands/command.h"
#include "unit.h"

enum { THREADS = 4, ROUNDS = 30, BATCH = 40, QUEUES = 3, RECENT = 64 };

static struct mpl_device *device;
static const struct mpl_kernel *spin;
static struct mpl_queue *shared_queues[QUEUES];
static atomic_ulong ran, released, called, enqueued, callbacks_set;

/* What other threads may wait for; a slot owns a reference. */
static pthread_mutex_t recent_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_command *recent[RECENT];

struct job {
  unsigned num_waits;
  struct mpl_command *waits[4]; /* retained: run() looks at their status */
  bool launch;
};

static int run(void *data, struct mpl_device *on) {
  struct job *job = data;
  for (unsigned i = 0; i < job->num_waits; i++) CHECK(mpl_command_status(job->waits[i]) <= 0);
  if (job->launch) {
    static const uint64_t global[3] = {300, 1, 1}, local[3] = {1, 1, 1};
    uint64_t sum = 0;
    struct {
      uint64_t *sum, steps;
    } args = {&sum, 300};
    struct mpl_launch launch = unit_launch(1, global, local, &args);
    CHECK(unit_run(on, spin, &launch, 0) == 0 && sum >= 300);
  }
  atomic_fetch_add(&ran, 1);
  return 0;
}

static void release(void *data) {
  struct job *job = data;
  for (unsigned i = 0; i < job->num_waits; i++) mpl_command_release(job->waits[i]);
  free(job);
  atomic_fetch_add(&released, 1);
}

static void call_back(struct mpl_command *command, int status, void *data) {
  atomic_fetch_add(&called, 1);
}

static unsigned random_below(unsigned *seed, unsigned n) {
  *seed = *seed * 1664525u + 1013904223u;
  return (*seed >> 8) % n;
}

static struct mpl_command *pick_recent(unsigned *seed) {
  pthread_mutex_lock(&recent_lock);
  struct mpl_command *command = recent[random_below(seed, RECENT)];
  if (command) mpl_command_retain(command);
  pthread_mutex_unlock(&recent_lock);
  return command;
}

static void publish(struct mpl_command *command, unsigned *seed) {
  pthread_mutex_lock(&recent_lock);
  struct mpl_command **slot = &recent[random_below(seed, RECENT)], *old = *slot;
  *slot = command;
  pthread_mutex_unlock(&recent_lock);
  if (old) mpl_command_release(old);
}

static void enqueue_one(struct mpl_queue *queue, struct mpl_command *gate, unsigned *seed) {
  struct job *job = calloc(1, sizeof *job);
  CHECK(job);
  if (gate && random_below(seed, 4) == 0) {
    mpl_command_retain(gate);
    job->waits[job->num_waits++] = gate;
  }
  while (job->num_waits < random_below(seed, 4)) {
    struct mpl_command *wait = pick_recent(seed);
    if (!wait) break;
    job->waits[job->num_waits++] = wait;
  }
  job->launch = random_below(seed, 8) == 0;
  struct mpl_command *waits[4];
  unsigned num_waits = job->num_waits;
  memcpy(waits, job->waits, sizeof waits);
  struct mpl_work_desc work = {
      .run = run, .release = release, .data = job, .weight = random_below(seed, 20) ? 1 : 1 << 20};
  struct mpl_command *command = mpl_enqueue(queue, &work, waits, num_waits,
                                            random_below(seed, 16) ? 0 : random_below(seed, 4));
  CHECK(command);
  atomic_fetch_add(&enqueued, 1);
  if (random_below(seed, 3) == 0) {
    CHECK(mpl_command_on_status(command, (int)random_below(seed, 3), false, call_back, NULL));
    atomic_fetch_add(&callbacks_set, 1);
  }
  publish(command, seed);
}

static void *work(void *argument) {
  unsigned seed = (unsigned)(uintptr_t)argument * 7919u + 1;
  for (int round = 0; round < ROUNDS; round++) {
    struct mpl_queue *own = mpl_queue_create(device, random_below(&seed, 2), round & 1);
    struct mpl_command *gate = mpl_user_command();
    CHECK(own && gate);
    for (int i = 0; i < BATCH; i++) {
      struct mpl_queue *queue = random_below(&seed, 2) ? own : shared_queues[i % QUEUES];
      enqueue_one(queue, gate, &seed);
      if (i == BATCH / 2) CHECK(mpl_command_finish(gate, MPL_COMPLETE));
      if (random_below(&seed, 10) == 0) mpl_queue_flush(queue);
    }
    struct mpl_command *wait = pick_recent(&seed);
    if (wait && random_below(&seed, 2)) CHECK(mpl_command_wait(wait) == MPL_COMPLETE);
    if (wait) mpl_command_release(wait);
    if (random_below(&seed, 2)) mpl_queue_finish(own);
    mpl_command_release(gate);
    mpl_queue_destroy(own);
  }
  return NULL;
}

int main(int argc, char **argv) {
  CHECK(argc == 2);
  pthread_t threads[THREADS];
  device = unit_device();
  struct mpl_module *module = unit_load(device, argv[1]);
  spin = unit_kernel(device->ops->table(module), "spin");
  for (int i = 0; i < QUEUES; i++) shared_queues[i] = mpl_queue_create(device, i != 1, i == 2);
  for (int i = 0; i < THREADS; i++)
    CHECK(!pthread_create(&threads[i], NULL, work, (void *)(uintptr_t)i));
  for (int i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
  for (int i = 0; i < QUEUES; i++) {
    mpl_queue_finish(shared_queues[i]);
    mpl_queue_destroy(shared_queues[i]);
  }
  for (int i = 0; i < RECENT; i++)
    if (recent[i]) {
      CHECK(mpl_command_wait(recent[i]) == MPL_COMPLETE);
      mpl_command_release(recent[i]);
    }
  while (atomic_load(&ran) < atomic_load(&enqueued) ||
         atomic_load(&called) < atomic_load(&callbacks_set) ||
         atomic_load(&released) < atomic_load(&enqueued))
    sched_yield(); /* commands of queues that were released */
  CHECK(ran == enqueued && released == enqueued && called == callbacks_set);
  device->ops->unload(module);
  return 0;
}

#include "plain_jobs.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MAX_THREADS = 64 };

struct part {
  size_t begin, end;
  uint64_t first; /* sum, or number kept, of this part: found in the first pass */
};

struct plain_pool {
  int threads;
  pthread_t thread[MAX_THREADS];
  pthread_barrier_t barrier;
  bool quit;
  enum job job;
  const uint32_t *in;
  uint32_t *out;
  uint32_t threshold;
  struct part parts[MAX_THREADS];
};

struct worker {
  struct plain_pool *pool;
  int index;
};

static __attribute__((noinline)) uint32_t sum(const uint32_t *in, size_t count) {
  uint32_t total = 0;
  for (size_t i = 0; i < count; i++) total += in[i];
  return total;
}

static __attribute__((noinline)) void scan(uint32_t *out, const uint32_t *in, size_t count,
                                           uint32_t carry) {
  for (size_t i = 0; i < count; i++) {
    carry += in[i];
    out[i] = carry;
  }
}

static __attribute__((noinline)) size_t count_below(const uint32_t *in, size_t count,
                                                    uint32_t threshold) {
  size_t kept = 0;
  for (size_t i = 0; i < count; i++) kept += in[i] < threshold;
  return kept;
}

/* Without a branch, which random data would mispredict.  What is not kept is written too, and then
 * overwritten: the end is trimmed so that nothing lands in the part of the next thread. */
static __attribute__((noinline)) size_t compact(uint32_t *out, const uint32_t *in, size_t count,
                                                uint32_t threshold) {
  size_t kept = 0;
  while (count && in[count - 1] >= threshold) count--;
  for (size_t i = 0; i < count; i++) {
    out[kept] = in[i];
    kept += in[i] < threshold;
  }
  return kept;
}

/* What the parts before a part come to is needed only if there are several. */
static void first_pass(struct plain_pool *pool, struct part *part) {
  const uint32_t *in = pool->in + part->begin;
  size_t count = part->end - part->begin;
  if (pool->job == JOB_REDUCE)
    part->first = sum(in, count);
  else if (pool->threads > 1)
    part->first = pool->job == JOB_SCAN ? sum(in, count) : count_below(in, count, pool->threshold);
}

static void second_pass(struct plain_pool *pool, int index) {
  struct part *part = &pool->parts[index];
  const uint32_t *in = pool->in + part->begin;
  size_t count = part->end - part->begin;
  uint64_t before = 0;
  for (int i = 0; i < index; i++) before += pool->parts[i].first;
  if (pool->job == JOB_SCAN)
    scan(pool->out + part->begin, in, count, (uint32_t)before);
  else if (pool->job == JOB_COMPACT) {
    size_t kept = compact(pool->out + before, in, count, pool->threshold);
    if (pool->threads == 1) part->first = kept;
  }
}

static void *work(void *argument) {
  struct worker worker = *(struct worker *)argument;
  struct plain_pool *pool = worker.pool;
  free(argument);
  for (;;) {
    pthread_barrier_wait(&pool->barrier);
    if (pool->quit) return NULL;
    first_pass(pool, &pool->parts[worker.index]);
    pthread_barrier_wait(&pool->barrier);
    second_pass(pool, worker.index);
    pthread_barrier_wait(&pool->barrier);
  }
}

struct plain_pool *plain_pool(int threads) {
  struct plain_pool *pool = calloc(1, sizeof *pool);
  if (!pool || threads > MAX_THREADS) abort();
  pool->threads = threads;
  pthread_barrier_init(&pool->barrier, NULL, (unsigned)threads);
  for (int i = 1; i < threads; i++) {
    struct worker *worker = malloc(sizeof *worker);
    if (!worker) abort();
    *worker = (struct worker){pool, i};
    if (pthread_create(&pool->thread[i], NULL, work, worker) != 0) abort();
  }
  return pool;
}

void plain_pool_free(struct plain_pool *pool) {
  pool->quit = true;
  pthread_barrier_wait(&pool->barrier);
  for (int i = 1; i < pool->threads; i++) pthread_join(pool->thread[i], NULL);
  pthread_barrier_destroy(&pool->barrier);
  free(pool);
}

struct plain_answer plain_run(struct plain_pool *pool, enum job job, const uint32_t *in,
                              uint32_t *out, size_t count, uint32_t threshold) {
  pool->job = job;
  pool->in = in;
  pool->out = out;
  pool->threshold = threshold;
  for (int i = 0; i < pool->threads; i++)
    pool->parts[i] = (struct part){count * (size_t)i / (size_t)pool->threads,
                                   count * (size_t)(i + 1) / (size_t)pool->threads, 0};
  pthread_barrier_wait(&pool->barrier);
  first_pass(pool, &pool->parts[0]);
  pthread_barrier_wait(&pool->barrier);
  second_pass(pool, 0);
  pthread_barrier_wait(&pool->barrier);

  struct plain_answer answer = {0, 0};
  for (int i = 0; i < pool->threads; i++) {
    answer.sum += pool->parts[i].first;
    answer.kept += (size_t)pool->parts[i].first;
  }
  answer.sum = (uint32_t)answer.sum;
  return answer;
}

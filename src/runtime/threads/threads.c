#include "runtime/threads/threads.h"

#include <limits.h>
#include <linux/futex.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "runtime/clock.h"
#include "runtime/threads/fork.h"
#include "runtime/threads/lock.h"

enum {
  SPINS = 150,           /* a worker's, before it sleeps: some microseconds; */
  PATIENCE = 50000,      /* ns where its last wait was as short: small launches, one after another */
  STACK_SIZE = 8u << 20, /* what a main thread usually has: kernels must not notice a difference */
};

struct mpl_pool {
  struct mpl_pool *next, **link; /* in the list of all pools */
  pthread_mutex_t lock;
  pthread_cond_t wake; /* idle workers */
  pthread_cond_t left; /* a share may be empty now */
  struct {
    struct mpl_task *first, **last;
  } tasks[MPL_RANKS];
  unsigned num_tasks;
  struct mpl_share *shares;
  unsigned size, workers, made, idle, spinning, blocked, ending;
  atomic_uint signals; /* goes up when something is posted: what spinning workers watch */
  atomic_uint refs;    /* the owner's, and one per worker */
  atomic_bool stop;
  unsigned forks; /* mpl_generation() when it was made */
  bool may_spin;
  cpu_set_t affinity; /* of the process when the pool was made: workers must not inherit
                         that a caller has pinned itself since */
};

struct worker {
  struct mpl_pool *pool;
  unsigned number;
  bool is_patient;
};
static _Thread_local const struct worker *current;

static pthread_mutex_t all_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_pool *all;

/* The lock is held for moments: who waits for it looks again before it sleeps. */
static void init_sync(struct mpl_pool *pool) {
  pthread_mutexattr_t adaptive;
  pthread_mutexattr_init(&adaptive);
  pthread_mutexattr_settype(&adaptive, PTHREAD_MUTEX_ADAPTIVE_NP);
  pthread_mutex_init(&pool->lock, &adaptive);
  pthread_mutexattr_destroy(&adaptive);
  pthread_cond_init(&pool->wake, NULL);
  pthread_cond_init(&pool->left, NULL);
}

static void empty_tasks(struct mpl_pool *pool) {
  for (int rank = 0; rank < MPL_RANKS; rank++) {
    pool->tasks[rank].first = NULL;
    pool->tasks[rank].last = &pool->tasks[rank].first;
  }
  pool->num_tasks = 0;
}

/* A child of fork() has the pools but none of the workers, and what was to be done is the parent's.
 */
void mpl_pools_after_fork(void) {
  for (struct mpl_pool *pool = all; pool; pool = pool->next) {
    init_sync(pool);
    empty_tasks(pool);
    atomic_fetch_sub(&pool->refs, pool->workers);
    pool->workers = pool->made = pool->idle = pool->spinning = pool->blocked = pool->ending = 0;
    pool->shares = NULL;
  }
}

static void join_all(struct mpl_pool *pool) {
  mpl_lock(&all_lock);
  pool->next = all;
  pool->link = &all;
  if (all) all->link = &pool->next;
  all = pool;
  mpl_unlock(&all_lock);
}

static void leave_all(struct mpl_pool *pool) {
  mpl_lock(&all_lock);
  *pool->link = pool->next;
  if (pool->next) pool->next->link = pool->link;
  mpl_unlock(&all_lock);
}

struct mpl_pool *mpl_pool_create(unsigned size) {
  struct mpl_pool *pool = calloc(1, sizeof *pool);
  if (!pool) return NULL;
  mpl_fork_watch();
  init_sync(pool);
  empty_tasks(pool);
  pool->size = size;
  pool->forks = mpl_generation();
  atomic_init(&pool->refs, 1);
  if (sched_getaffinity(0, sizeof pool->affinity, &pool->affinity)) CPU_ZERO(&pool->affinity);
  pool->may_spin = CPU_COUNT(&pool->affinity) > 1;
  join_all(pool);
  return pool;
}

bool mpl_pool_is_inherited(const struct mpl_pool *pool) {
  return pool->forks != mpl_generation();
}

static void drop(struct mpl_pool *pool) {
  if (atomic_fetch_sub(&pool->refs, 1) != 1) return;
  leave_all(pool);
  pthread_cond_destroy(&pool->wake);
  pthread_cond_destroy(&pool->left);
  pthread_mutex_destroy(&pool->lock);
  free(pool);
}

static void lock_pool(struct mpl_pool *pool) {
  pthread_mutex_lock(&pool->lock);
}

static void unlock_pool(struct mpl_pool *pool) {
  pthread_mutex_unlock(&pool->lock);
}

void mpl_pool_release(struct mpl_pool *pool) {
  lock_pool(pool);
  atomic_store(&pool->stop, true);
  atomic_fetch_add(&pool->signals, 1);
  pthread_cond_broadcast(&pool->wake);
  unlock_pool(pool);
  drop(pool);
}

static struct mpl_share *open_share(struct mpl_pool *pool) {
  for (struct mpl_share *share = pool->shares; share; share = share->next)
    if (!share->is_taken &&
        atomic_load_explicit(&share->joined, memory_order_relaxed) + 1 < share->limit)
      return share;
  return NULL;
}

static struct mpl_task *take_ranked(struct mpl_pool *pool, const void *owner, bool waits,
                                    int rank) {
  for (struct mpl_task **link = &pool->tasks[rank].first; *link; link = &(*link)->next) {
    struct mpl_task *task = *link;
    if ((owner && task->owner != owner) || (waits && task->apart)) continue;
    *link = task->next;
    if (pool->tasks[rank].last == &task->next) pool->tasks[rank].last = link;
    pool->num_tasks--;
    return task;
  }
  return NULL;
}

/* `waits`: for a thread that waits. */
static struct mpl_task *take(struct mpl_pool *pool, const void *owner, bool waits) {
  struct mpl_task *task = NULL;
  for (int rank = 0; rank < MPL_RANKS && pool->num_tasks && !task; rank++)
    task = take_ranked(pool, owner, waits, rank);
  return task;
}

/* Entered and left with the lock held.  A share stays in the list until its publisher has done the
 * last piece, or has been given a processor again: who has found nothing must not look for ever. */
static void join_share(struct mpl_pool *pool, struct mpl_share *share, const atomic_int *until) {
  atomic_fetch_add(&share->joined, 1);
  unlock_pool(pool);
  share->work(share, until);
  bool was_told = until && atomic_load(until) <= 0;
  lock_pool(pool);
  if (!was_told) share->is_taken = true;
  if (atomic_fetch_sub(&share->joined, 1) == 1 && pool->ending) pthread_cond_broadcast(&pool->left);
}

/* Looks for signals besides those seen, for a while. */
static void spin(struct mpl_pool *pool, unsigned seen, uint64_t end) {
  enum { LOOKS = 16 }; /* from one look at the clock to the next */
  for (int i = 0; i < SPINS || i % LOOKS || mpl_clock() < end; i++) {
    if (atomic_load_explicit(&pool->signals, memory_order_relaxed) != seen) return;
    mpl_relax();
  }
}

/* Entered and left with the lock held; returns when there may be something to do. */
static void rest(struct mpl_pool *pool, struct worker *self) {
  uint64_t begin = mpl_clock();
  unsigned seen = atomic_load(&pool->signals);
  if (pool->may_spin) {
    pool->spinning++;
    unlock_pool(pool);
    spin(pool, seen, self->is_patient ? begin + PATIENCE : 0);
    lock_pool(pool);
    pool->spinning--;
  }
  if (!pool->may_spin || atomic_load(&pool->signals) == seen) {
    pool->idle++;
    pthread_cond_wait(&pool->wake, &pool->lock);
    pool->idle--;
  }
  self->is_patient = mpl_clock() - begin < PATIENCE;
}

static void *work(void *argument) {
  struct mpl_pool *pool = argument;
  struct worker self = {.pool = pool};
  current = &self;
  lock_pool(pool);
  self.number = ++pool->made;
  while (!atomic_load(&pool->stop)) {
    struct mpl_task *task = take(pool, NULL, false);
    struct mpl_share *share = task ? NULL : open_share(pool);
    if (task) {
      unlock_pool(pool);
      task->run(task);
      lock_pool(pool);
    } else if (share) {
      join_share(pool, share, NULL);
    } else {
      rest(pool, &self);
    }
  }
  pool->workers--;
  unlock_pool(pool);
  drop(pool);
  return NULL;
}

/* Signals are for the application's threads; but those of a kernel's own mistakes come to the
 * thread that made them, and where they are blocked they end the process without a word. */
static void fill_signals(sigset_t *set) {
  static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP};
  sigfillset(set);
  for (unsigned i = 0; i < sizeof own / sizeof *own; i++) sigdelset(set, own[i]);
}

/* With the lock held.  Workers take no signals: those are the application's. */
static bool make_worker(struct mpl_pool *pool) {
  pthread_attr_t attributes;
  pthread_t thread;
  sigset_t all, old;
  if (pthread_attr_init(&attributes)) return false;
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize(&attributes, STACK_SIZE);
  if (CPU_COUNT(&pool->affinity))
    pthread_attr_setaffinity_np(&attributes, sizeof pool->affinity, &pool->affinity);
  fill_signals(&all);
  pthread_sigmask(SIG_SETMASK, &all, &old);
  atomic_fetch_add(&pool->refs, 1);
  pool->workers++;
  int error = pthread_create(&thread, &attributes, work, pool);
  if (!error) {
    pthread_setname_np(thread, "maniple");
  } else {
    pool->workers--;
    atomic_fetch_sub(&pool->refs, 1);
  }
  pthread_sigmask(SIG_SETMASK, &old, NULL);
  pthread_attr_destroy(&attributes);
  return !error;
}

/* With the lock held: gets up to `count` workers that rest or are new to look for work. */
static void call_workers(struct mpl_pool *pool, unsigned count) {
  atomic_fetch_add(&pool->signals, 1);
  count -= count < pool->spinning ? count : pool->spinning;
  unsigned sleeping = count < pool->idle ? count : pool->idle;
  for (unsigned i = 0; i < sleeping; i++) pthread_cond_signal(&pool->wake);
  for (count -= sleeping; count && pool->workers < pool->size + pool->blocked; count--)
    if (!make_worker(pool)) break;
}

void mpl_pool_post(struct mpl_pool *pool, struct mpl_task *task) {
  lock_pool(pool);
  task->next = NULL;
  *pool->tasks[task->rank].last = task;
  pool->tasks[task->rank].last = &task->next;
  pool->num_tasks++;
  call_workers(pool, pool->num_tasks);
  /* No worker could be made: better here and now than never. */
  struct mpl_task *own = pool->workers ? NULL : take(pool, NULL, false);
  unlock_pool(pool);
  if (own) own->run(own);
}

struct mpl_task *mpl_pool_take(struct mpl_pool *pool, const void *owner) {
  lock_pool(pool);
  struct mpl_task *task = take(pool, owner, true);
  unlock_pool(pool);
  return task;
}

void mpl_pool_share(struct mpl_pool *pool, struct mpl_share *share, unsigned helpers) {
  share->limit = pool->size;
  share->is_taken = false;
  atomic_init(&share->joined, 0);
  lock_pool(pool);
  share->next = pool->shares;
  pool->shares = share;
  if (pool->size > 1) call_workers(pool, helpers < pool->size - 1 ? helpers : pool->size - 1);
  unlock_pool(pool);
}

void mpl_pool_share_end(struct mpl_pool *pool, struct mpl_share *share) {
  lock_pool(pool);
  struct mpl_share **link = &pool->shares;
  while (*link != share) link = &(*link)->next;
  *link = share->next;
  if (pool->may_spin && atomic_load(&share->joined)) {
    unlock_pool(pool);
    for (int i = 0; i < SPINS && atomic_load_explicit(&share->joined, memory_order_relaxed); i++)
      mpl_relax();
    lock_pool(pool);
  }
  pool->ending++;
  while (atomic_load(&share->joined)) pthread_cond_wait(&pool->left, &pool->lock);
  pool->ending--;
  unlock_pool(pool);
}

bool mpl_pool_help(struct mpl_pool *pool, const atomic_int *until) {
  lock_pool(pool);
  struct mpl_share *share = open_share(pool);
  if (share) join_share(pool, share, until);
  unlock_pool(pool);
  return share;
}

struct mpl_pool *mpl_pool_current(void) {
  return current ? current->pool : NULL;
}

unsigned mpl_pool_number(void) {
  return current ? current->number : 0;
}

void mpl_pool_block(struct mpl_pool *pool) {
  lock_pool(pool);
  pool->blocked++;
  if (pool->num_tasks) call_workers(pool, pool->num_tasks);
  unlock_pool(pool);
}

void mpl_pool_unblock(struct mpl_pool *pool) {
  lock_pool(pool);
  if (pool->blocked) pool->blocked--; /* 0 in a child of fork() that was made in between */
  unlock_pool(pool);
}

void mpl_sleep(const atomic_int *word, int value) {
  syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, NULL, NULL, 0);
}

void mpl_wake(const atomic_int *word) {
  syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

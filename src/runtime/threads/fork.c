#include "runtime/threads/fork.h"

#include <sched.h>

#include "runtime/threads/threads.h"

atomic_uint mpl_forks;

struct mpl_thread {
  struct mpl_thread *next, **link;
  bool listed, owns_slot;
  unsigned slot;
  atomic_uint depth; /* of what it is in; not 0: nobody forks */
};

static _Thread_local struct mpl_thread own;
static _Thread_local bool starting; /* a program: its fork() waits for nobody */

/* Held through a fork. */
static pthread_mutex_t threads_lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_thread *threads;
static uint64_t slots;     /* that living threads own */
static unsigned next_slot; /* for those that find none */
static atomic_int forking;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key; /* for its destructor */
static bool has_key;

static void take_slot(struct mpl_thread *thread) {
  thread->owns_slot = ~slots;
  thread->slot = ~slots ? (unsigned)__builtin_ctzll(~slots) : next_slot++ % MPL_SLOTS;
  slots |= (uint64_t)1 << thread->slot;
}

static void add(struct mpl_thread *thread) {
  take_slot(thread);
  thread->next = threads;
  thread->link = &threads;
  if (threads) threads->link = &thread->next;
  threads = thread;
  thread->listed = true;
}

/* Destructors of other keys may come back to us: then it is added once more. */
static void thread_ends(void *data) {
  struct mpl_thread *thread = data;
  pthread_mutex_lock(&threads_lock);
  *thread->link = thread->next;
  if (thread->next) thread->next->link = thread->link;
  thread->listed = false;
  if (thread->owns_slot) slots &= ~((uint64_t)1 << thread->slot);
  pthread_mutex_unlock(&threads_lock);
}

static void before_fork(void) {
  if (starting) return;
  pthread_mutex_lock(&threads_lock);
  atomic_store(&forking, 1);
  for (struct mpl_thread *thread = threads; thread; thread = thread->next)
    while (thread != &own && atomic_load(&thread->depth)) sched_yield();
}

static void in_parent(void) {
  if (starting) return;
  atomic_store(&forking, 0);
  mpl_wake(&forking);
  pthread_mutex_unlock(&threads_lock);
}

static void in_child(void) {
  if (starting) return;
  pthread_mutex_init(&threads_lock, NULL);
  atomic_store(&forking, 0);
  atomic_fetch_add(&mpl_forks, 1);
  threads = NULL;
  slots = 0;
  if (own.listed) add(&own);
  mpl_pools_after_fork();
  mpl_queues_after_fork();
  mpl_locate_after_fork();
}

static void start(void) {
  has_key = !pthread_key_create(&key, thread_ends);
  pthread_atfork(before_fork, in_parent, in_child);
}

void mpl_fork_watch(void) {
  pthread_once(&once, start);
}

/* Without a key the list would keep what has gone with its thread: rather no protection. */
static __attribute__((noinline)) void add_own(void) {
  mpl_fork_watch();
  if (!has_key || pthread_setspecific(key, &own)) return;
  pthread_mutex_lock(&threads_lock);
  add(&own);
  pthread_mutex_unlock(&threads_lock);
}

static void set_depth(struct mpl_thread *thread, unsigned depth) {
  atomic_store_explicit(&thread->depth, depth, memory_order_release);
}

static unsigned depth_of(struct mpl_thread *thread) {
  return atomic_load_explicit(&thread->depth, memory_order_relaxed);
}

static __attribute__((noinline)) void wait_for_fork(struct mpl_thread *thread) {
  set_depth(thread, 0);
  for (int value; (value = atomic_load(&forking));) mpl_sleep(&forking, value);
  atomic_store(&thread->depth, 1);
}

/* Either this thread sees that somebody forks, or who forks sees the depth: all accesses of both
 * are in one order.  It is seen before a lock is taken: one that is taken and given back while
 * somebody forks may be taken in the child for ever. */
static inline struct mpl_thread *hold(void) {
  struct mpl_thread *thread = &own;
  __asm__("" : "+r"(thread)); /* finding it again is a call */
  if (!thread->listed) add_own();
  unsigned depth = depth_of(thread);
  if (depth) {
    set_depth(thread, depth + 1);
    return thread;
  }
  atomic_store(&thread->depth, 1);
  while (atomic_load(&forking)) wait_for_fork(thread);
  return thread;
}

static inline void let(struct mpl_thread *thread) {
  set_depth(thread, depth_of(thread) - 1);
}

void mpl_fork_hold(void) {
  (void)hold();
}

void mpl_fork_let(void) {
  let(&own);
}

/* Without a key a thread is on no list: all such have the first. */
unsigned mpl_slot(void) {
  struct mpl_thread *thread = &own;
  __asm__("" : "+r"(thread));
  if (!thread->listed) add_own();
  return thread->slot;
}

struct mpl_thread *mpl_lock_fast(pthread_mutex_t *lock) {
  struct mpl_thread *thread = hold();
  pthread_mutex_lock(lock);
  return thread;
}

void mpl_unlock_fast(pthread_mutex_t *lock, struct mpl_thread *thread) {
  pthread_mutex_unlock(lock);
  let(thread);
}

void mpl_lock(pthread_mutex_t *lock) {
  (void)mpl_lock_fast(lock);
}

void mpl_unlock(pthread_mutex_t *lock) {
  mpl_unlock_fast(lock, &own);
}

void mpl_start_hold(void) {
  mpl_fork_hold();
  starting = true;
}

void mpl_start_let(void) {
  starting = false;
  mpl_fork_let();
}

#include "runtime/threads/lock.h"

#include "runtime/threads/registry.h"
#include "runtime/threads/threads.h"

atomic_int mpl_forking;

static void set_depth(struct mpl_thread *thread, unsigned depth) {
  atomic_store_explicit(&thread->depth, depth, memory_order_release);
}

static unsigned depth_of(struct mpl_thread *thread) {
  return atomic_load_explicit(&thread->depth, memory_order_relaxed);
}

static __attribute__((noinline)) void wait_for_fork(struct mpl_thread *thread) {
  set_depth(thread, 0);
  for (int value; (value = atomic_load(&mpl_forking));) mpl_sleep(&mpl_forking, value);
  atomic_store(&thread->depth, 1);
}

/* Either this thread sees that somebody forks, or who forks sees the depth: all accesses of both
 * are in one order.  It is seen before a lock is taken: one that is taken and given back while
 * somebody forks may be taken in the child for ever. */
static inline struct mpl_thread *hold(void) {
  struct mpl_thread *thread = mpl_this_thread();
  unsigned depth = depth_of(thread);
  if (depth) {
    set_depth(thread, depth + 1);
    return thread;
  }
  atomic_store(&thread->depth, 1);
  while (atomic_load(&mpl_forking)) wait_for_fork(thread);
  return thread;
}

static inline void let(struct mpl_thread *thread) {
  set_depth(thread, depth_of(thread) - 1);
}

void mpl_fork_hold(void) {
  (void)hold();
}

void mpl_fork_let(void) {
  let(&mpl_own_thread);
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
  mpl_unlock_fast(lock, &mpl_own_thread);
}

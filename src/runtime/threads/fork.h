/* fork() in a process whose threads use Maniple.
 *
 * The child has one thread, and the memory as it was.  It finds every list whole and every lock
 * free: fork() waits for threads that hold one (mpl_lock), and others wait for fork().  What the
 * parent's threads had begun, commands and builds, never ends in the child: these carry the
 * generation in which they were begun, and are told as failed in a later one. */
#ifndef MPL_RUNTIME_FORK_H
#define MPL_RUNTIME_FORK_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

extern atomic_uint mpl_forks; /* between this process and the one that loaded Maniple */

static inline unsigned mpl_generation(void) {
  return atomic_load_explicit(&mpl_forks, memory_order_relaxed);
}

/* From the first call on forks are watched; until then there is nothing that could be lost. */
void mpl_fork_watch(void);

/* For locks that are held for a moment only, and not while another thread is waited for. */
void mpl_lock(pthread_mutex_t *);
void mpl_unlock(pthread_mutex_t *);

/* The same where it counts what they cost: finding out which thread calls is half of it. */
struct mpl_thread;
struct mpl_thread *mpl_lock_fast(pthread_mutex_t *);
void mpl_unlock_fast(pthread_mutex_t *, struct mpl_thread *);

/* The same without a lock: no fork() in between. */
void mpl_fork_hold(void);
void mpl_fork_let(void);

/* The same around a vfork() whose child becomes another program and uses no lock.  ThreadSanitizer,
 * for one, makes a fork() of it: two threads that start programs at once would wait for each other.
 */
void mpl_start_hold(void);
void mpl_start_let(void);

/* Of the calling thread: the lowest that no living thread has, as long as there is one.  Threads
 * that write to places of their own number do not wait for one another's cache lines; two may have
 * the same. */
enum { MPL_SLOTS = 64 };
unsigned mpl_slot(void);

/* In the child, when it is all there is (queue.c, threads.c, locate.c). */
void mpl_queues_after_fork(void);
void mpl_pools_after_fork(void);
void mpl_locate_after_fork(void);

#endif

/* fork() in a process whose threads use Maniple.
 *
 * The child has one thread and a copy of the memory.  It finds every list whole and every lock free
 * (lock.h).  Commands and builds that the parent's threads had begun never end in the child: they
 * carry the generation in which they were begun, and count as failed in a later one. */
#ifndef MPL_RUNTIME_FORK_H
#define MPL_RUNTIME_FORK_H

#include <stdatomic.h>

extern atomic_uint mpl_forks; /* between this process and the one that loaded Maniple */

static inline unsigned mpl_generation(void) {
  return atomic_load_explicit(&mpl_forks, memory_order_relaxed);
}

/* Watches forks from the first call on; until then there is nothing to lose. */
void mpl_fork_watch(void);

/* Around a vfork() whose child becomes another program and uses no lock: no fork() happens between
 * the two.  ThreadSanitizer turns vfork() into fork(): two threads that start programs at once
 * would wait for each other. */
void mpl_start_hold(void);
void mpl_start_let(void);

/* Called in the child by its only thread (queue.c, threads.c, locate.c). */
void mpl_queues_after_fork(void);
void mpl_pools_after_fork(void);
void mpl_locate_after_fork(void);

#endif

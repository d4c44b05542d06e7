/* fork() in a process whose threads use Maniple.
 *
 * The child has one thread, and the memory as it was.  It finds every list whole and every lock
 * free (lock.h).  What the parent's threads had begun, commands and builds, never ends in the child:
 * these carry the generation in which they were begun, and are told as failed in a later one. */
#ifndef MPL_RUNTIME_FORK_H
#define MPL_RUNTIME_FORK_H

#include <stdatomic.h>

extern atomic_uint mpl_forks; /* between this process and the one that loaded Maniple */

static inline unsigned mpl_generation(void) {
  return atomic_load_explicit(&mpl_forks, memory_order_relaxed);
}

/* From the first call on forks are watched; until then there is nothing that could be lost. */
void mpl_fork_watch(void);

/* No fork() in between, which is for a vfork() whose child becomes another program and uses no lock.
 * ThreadSanitizer, for one, makes a fork() of it: two threads that start programs at once would wait
 * for each other. */
void mpl_start_hold(void);
void mpl_start_let(void);

/* In the child, when it is all there is (queue.c, threads.c, locate.c). */
void mpl_queues_after_fork(void);
void mpl_pools_after_fork(void);
void mpl_locate_after_fork(void);

#endif

/* Locks that are free in the child of a fork().
 *
 * They are held for a moment only, and not while another thread is waited for: a fork() waits until
 * no thread holds one (fork.h), and threads that want one then wait for the fork(). */
#ifndef MPL_RUNTIME_LOCK_H
#define MPL_RUNTIME_LOCK_H

#include <pthread.h>

void mpl_lock(pthread_mutex_t *);
void mpl_unlock(pthread_mutex_t *);

/* The same where time counts: half of it goes into finding the calling thread. */
struct mpl_thread;
struct mpl_thread *mpl_lock_fast(pthread_mutex_t *);
void mpl_unlock_fast(pthread_mutex_t *, struct mpl_thread *);

/* The same without a lock: no fork() happens between the two. */
void mpl_fork_hold(void);
void mpl_fork_let(void);

#endif

/* Locks that no fork() takes into a child.
 *
 * They are held for a moment only, and not while another thread is waited for: a fork() waits until no
 * thread holds one (fork.h), and threads that want one then wait for the fork(). */
#ifndef MPL_RUNTIME_LOCK_H
#define MPL_RUNTIME_LOCK_H

#include <pthread.h>

void mpl_lock(pthread_mutex_t *);
void mpl_unlock(pthread_mutex_t *);

/* The same where it counts what they cost: finding out which thread calls is half of it. */
struct mpl_thread;
struct mpl_thread *mpl_lock_fast(pthread_mutex_t *);
void mpl_unlock_fast(pthread_mutex_t *, struct mpl_thread *);

/* The same without a lock: no fork() in between. */
void mpl_fork_hold(void);
void mpl_fork_let(void);

#endif

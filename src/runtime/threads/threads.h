/* The threads of a device.
 *
 * Workers are made one by one as work is posted, up to the size of the pool, and sleep when there
 * is none.  There are two kinds of work: one thread does a task, once; several threads do a share
 * together, each taking pieces until none is left. */
#ifndef MPL_RUNTIME_THREADS_H
#define MPL_RUNTIME_THREADS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct mpl_pool;

/* The next task is the first posted one of the highest rank. */
enum mpl_rank { MPL_RANK_HIGH, MPL_RANK_MEDIUM, MPL_RANK_LOW, MPL_RANKS };

struct mpl_task {
  struct mpl_task *next;
  void (*run)(struct mpl_task *);
  const void *owner; /* what mpl_pool_take asks for */
  enum mpl_rank rank;
  bool apart; /* a function of the application: it may wait for a thread that waits for a command */
};

struct mpl_share {
  struct mpl_share *next;
  /* Takes pieces until none is left, or *until (if given) is 0 or less. */
  void (*work)(struct mpl_share *, const atomic_int *until);
  unsigned limit;     /* threads at once, the publisher included */
  atomic_uint joined; /* threads in it besides the publisher */
  bool is_taken;      /* no piece is left for others: they need not join (under the pool's lock) */
};

struct mpl_pool *mpl_pool_create(unsigned size);     /* null if out of memory */
bool mpl_pool_is_inherited(const struct mpl_pool *); /* made before a fork() that led here */
void mpl_pool_release(struct mpl_pool *);            /* workers end, and the last one frees it */

/* Has a worker run the task, which the caller must not touch after this call. */
void mpl_pool_post(struct mpl_pool *, struct mpl_task *);

/* The first posted task of that owner (null: of any owner) for the caller to run while it waits, or
 * null.  Tasks that are `apart` are left to workers. */
struct mpl_task *mpl_pool_take(struct mpl_pool *, const void *owner);

/* Lets up to `helpers` workers join.  The caller then works on the share itself and calls _end,
 * which returns when no thread is in it any more. */
void mpl_pool_share(struct mpl_pool *, struct mpl_share *, unsigned helpers);
void mpl_pool_share_end(struct mpl_pool *, struct mpl_share *);

/* Works on a share that has room and pieces, until *until is 0 or less; false if there is none. */
bool mpl_pool_help(struct mpl_pool *, const atomic_int *until);

/* The pool of the calling worker, or null.  A worker announces that it is about to sleep, or to
 * call a function of the application, which may sleep; the pool may make another worker in its
 * place. */
struct mpl_pool *mpl_pool_current(void);
unsigned mpl_pool_number(void); /* which worker of its pool the caller is, from 1 on; or 0 */
void mpl_pool_block(struct mpl_pool *);
void mpl_pool_unblock(struct mpl_pool *);

/* Sleeps while *word is `value`; wakes all who do (futex). */
void mpl_sleep(const atomic_int *word, int value);
void mpl_wake(const atomic_int *word);

static inline void mpl_relax(void) {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  __asm__ volatile("yield");
#endif
}

#endif

/* The threads that have used Maniple: shared by registry.c (who they are), lock.c (what they hold) and
 * fork.c (which waits until they hold nothing); nobody else includes it. */
#ifndef MPL_RUNTIME_REGISTRY_H
#define MPL_RUNTIME_REGISTRY_H

#include <stdatomic.h>
#include <stdbool.h>

struct mpl_thread {
  struct mpl_thread *next, **link;
  bool listed, owns_slot;
  unsigned slot;
  atomic_uint depth; /* of what it is in; not 0: nobody forks */
};

extern _Thread_local struct mpl_thread mpl_own_thread;
extern atomic_int mpl_forking; /* 1 during a fork(), whose end wakes who sleeps on it */

/* Puts the calling thread on the list. */
void mpl_registry_add(void);

static inline struct mpl_thread *mpl_this_thread(void) {
  struct mpl_thread *thread = &mpl_own_thread;
  __asm__("" : "+r"(thread)); /* finding it again is a call */
  if (!thread->listed) mpl_registry_add();
  return thread;
}

/* Called once: from now on threads leave the list when they end. */
void mpl_registry_start(void);

/* Around a fork().  The first locks the list and waits until no other thread holds anything; then one
 * of the others is called, in the parent or in the child. */
void mpl_registry_stop(void);
void mpl_registry_go_on(void);
void mpl_registry_begin_again(void);

#endif

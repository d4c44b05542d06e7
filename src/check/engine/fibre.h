/* Fibres: stacks of their own among which one thread changes by a direct switch of registers. */
#ifndef MPL_CHECK_FIBRE_H
#define MPL_CHECK_FIBRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sanitizer.h"

/* In programs that announce their accesses: the call sites of the running functions, the outermost
 * first. */
enum { MPL_MOST_CALLERS = 12 };
struct mpl_callers {
  uint64_t depth;
  const void *at[MPL_MOST_CALLERS];
};

/* Variables on the stack whose scope has ended, and to which there may be pointers: the last ones.
 */
enum { MPL_MOST_ENDED = 16 };
struct mpl_ended {
  uint32_t count;
  struct {
    uintptr_t low, size;
  } at[MPL_MOST_ENDED];
};

/* A stack; this lies elsewhere (stacks.c).  Below `low` is the guard. */
struct mpl_stack {
  struct mpl_stack *next;
  char *low, *top; /* usable: low to top - 1; top is 16-byte aligned */
  void *sanitizer; /* what ThreadSanitizer knows of it, if it is there */
  struct mpl_callers callers; /* of the work-item that runs on it */
  struct mpl_ended ended;     /* the same */
};

/* Saves the running fibre's place in *save and continues at `to`, a place that was saved or made by
 * mpl_fibre_prepare.  In fibre_ARCHITECTURE.S; to be called by mpl_fibre_change. */
void mpl_fibre_switch(void **save, void *to);

/* The same; `to` is on that stack, or (null) on the thread's own.  With a null `save` the running
 * fibre is never continued. */
static inline void mpl_fibre_change(void **save, void *to, const struct mpl_stack *stack) {
  void *nowhere;
  if (mpl_sanitizer_is_there())
    mpl_sanitizer_change(save, to, stack);
  else
    mpl_fibre_switch(save ? save : &nowhere, to);
}

/* The place at which `entry(data)` begins on the stack.  It must never return, and call
 * mpl_fibre_begun first. */
void *mpl_fibre_prepare(struct mpl_stack *, void (*entry)(void *data), void *data);

static inline void mpl_fibre_begun(void) {
  if (mpl_sanitizer_is_there()) mpl_sanitizer_begun();
}

/* --- Stacks: a process-wide pool
 * ------------------------------------------------------------------ */

/* Waits until `count` stacks may be in use beside those of other threads; to be called before they
 * are taken.  A thread reserves one, later all others that it may need at once.  False if there can
 * never be so many. */
bool mpl_stacks_reserve(size_t count);
void mpl_stacks_unreserve(size_t count);
void mpl_stacks_after_fork(void);

/* A list of up to `count` stacks, at least one; null if there is no memory. */
struct mpl_stack *mpl_stacks_take(size_t count);
void mpl_stacks_give(struct mpl_stack *list);

/* Whether it lies in the pages below the stack, which nobody may access. */
bool mpl_stack_guard_holds(const struct mpl_stack *, const void *address);

#endif

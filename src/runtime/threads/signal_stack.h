/* A stack for signal handlers, so that one can run where the thread's own stack is full. */
#ifndef MPL_RUNTIME_SIGNAL_STACK_H
#define MPL_RUNTIME_SIGNAL_STACK_H

#include <signal.h>

enum { MPL_SIGNAL_STACK = 64 << 10 };

/* Gives the calling thread such a stack, unless the application has; it is freed when the thread
 * ends. Cheap after the first call. */
void mpl_signal_stack(void);

/* For a handler of ours with a signal that is not for it: does what would happen without the
 * handler. Calls the handler before it; or restores the default, and repeats the instruction or
 * raises the signal that a process has sent; or ignores such a signal. */
void mpl_signal_hand_on(const struct sigaction *before, int number, siginfo_t *, void *context);

#endif

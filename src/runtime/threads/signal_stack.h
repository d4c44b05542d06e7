/* A stack for signal handlers, so that one can run where the thread's own stack is full. */
#ifndef MPL_RUNTIME_SIGNAL_STACK_H
#define MPL_RUNTIME_SIGNAL_STACK_H

#include <signal.h>

enum { MPL_SIGNAL_STACK = 64 << 10 };

/* The calling thread has one from now on: the application's own, or one that goes when the thread
 * ends.  Cheap after the first call. */
void mpl_signal_stack(void);

/* What a handler of ours does with a signal that is not its own: what would happen without it.  The
 * handler before it is called; or the default is restored, and the instruction repeated or the signal
 * that a process has sent is raised again; or such a signal is ignored. */
void mpl_signal_hand_on(const struct sigaction *before, int number, siginfo_t *, void *context);

#endif

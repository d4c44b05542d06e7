#include "runtime/threads/signal_stack.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>

static pthread_key_t stacks;

static void end_of_thread(void *memory) {
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  free(memory);
}

static void start(void) {
  if (pthread_key_create(&stacks, end_of_thread)) abort();
}

void mpl_signal_stack(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static _Thread_local bool has_one;
  if (has_one) return;
  has_one = true;
  pthread_once(&once, start);
  stack_t old;
  if (!sigaltstack(NULL, &old) && !(old.ss_flags & SS_DISABLE)) return;
  void *memory = malloc(MPL_SIGNAL_STACK);
  if (!memory) return;
  if (sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = MPL_SIGNAL_STACK}, NULL))
    free(memory);
  else if (pthread_setspecific(stacks, memory))
    end_of_thread(memory);
}

void mpl_signal_hand_on(const struct sigaction *before, int number, siginfo_t *info,
                        void *context) {
  bool was_sent = info->si_code <= 0; /* by a process: no instruction is repeated */
  if (before->sa_flags & SA_SIGINFO)
    before->sa_sigaction(number, info, context);
  else if (before->sa_handler != SIG_DFL && before->sa_handler != SIG_IGN)
    before->sa_handler(number);
  else if (!was_sent || before->sa_handler == SIG_DFL) {
    sigaction(number, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
    if (was_sent) raise(number); /* comes when the handler has returned */
  }
}

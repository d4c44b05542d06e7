#include "cpu/faults.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

#include "runtime/mistakes/locate.h"
#include "runtime/options.h"
#include "runtime/print/print.h"
#include "runtime/threads/signal_stack.h"

static const struct {
  int number;
  const char *name, *what;
} faults[] = {
    {SIGSEGV, "SIGSEGV", "an access to"}, {SIGBUS, "SIGBUS", "an access to"},
    {SIGFPE, "SIGFPE", "arithmetic at"},  {SIGILL, "SIGILL", "a trap at"},
    {SIGTRAP, "SIGTRAP", "a trap at"},
};
enum { NUM_FAULTS = sizeof faults / sizeof *faults };

static struct sigaction before[NUM_FAULTS];
static _Thread_local struct mpl_fault_place *volatile here;

static int index_of(int number) {
  int i = 0;
  while (i < NUM_FAULTS - 1 && faults[i].number != number) i++;
  return i;
}

static const void *code_of(const void *context) {
  const ucontext_t *at = context;
#if defined(__x86_64__)
  return (const void *)at->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (const void *)at->uc_mcontext.pc;
#else
  return NULL;
#endif
}

/* A signal that a process has sent is no fault; printing may hold a lock. */
static void on_fault(int number, siginfo_t *info, void *context) {
  struct mpl_fault_place *place = here;
  if (!place || info->si_code <= 0 || mpl_is_printing) {
    mpl_signal_hand_on(&before[index_of(number)], number, info, context);
    return;
  }
  here = NULL;
  place->number = number;
  place->code = code_of(context);
  if (number == SIGTRAP) place->code = (const char *)place->code - 1; /* it is behind the trap */
  place->address = number == SIGTRAP ? place->code : info->si_addr;
  siglongjmp(place->back, 1);
}

static void start(void) {
  struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (int i = 0; i < NUM_FAULTS; i++) sigaction(faults[i].number, &action, &before[i]);
}

bool mpl_faults_are_reported(void) {
  return !strcmp(mpl_option_text(MPL_OPTION_FAULTS), "report");
}

/* Threads of the device have all signals blocked, and a fault that is blocked ends the process. */
static void unblock(void) {
  static _Thread_local bool done;
  sigset_t set;
  if (done) return;
  done = true;
  sigemptyset(&set);
  for (int i = 0; i < NUM_FAULTS; i++) sigaddset(&set, faults[i].number);
  pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void mpl_faults_enter(struct mpl_fault_place *place) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, start);
  mpl_signal_stack();
  unblock();
  mpl_is_printing = false;
  here = place;
}

void mpl_faults_leave(void) {
  here = NULL;
}

/* A source that was in memory is no file of the folder that the program was built in. */
static const char *name_of(const char *file) {
  const char *slash = strrchr(file, '/');
  return slash && access(file, F_OK) ? slash + 1 : file;
}

void mpl_faults_describe(const struct mpl_fault_place *place, char text[256]) {
  int i = index_of(place->number);
  struct mpl_site site = mpl_locate_anew(place->code);
  int length = site.line ? snprintf(text, 256, "%.150s:%u: ", name_of(site.file), site.line) : 0;
  snprintf(text + length, 256 - (size_t)length, "%s %p (%s)", faults[i].what, place->address,
           faults[i].name);
  free((char *)site.file);
}

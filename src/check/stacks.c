/* Stacks with guards, and what happens when a guard is touched. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "fibre.h"
#include "runtime/options.h"

enum {
  GUARD = 256 << 10, /* a function's frame rarely reaches over it */
  SLAB = 64,         /* stacks that are mapped at once */
  LINE = 64,
  COLOURS = 64,
  COLOUR_STEP = 5 * LINE, /* tops of stacks in different sets of the first-level cache */
  SIGNAL_STACK = 64 << 10,
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t returned = PTHREAD_COND_INITIALIZER;
static struct mpl_stack *spare;
static size_t reserved, limit;

/* Two mappings for each stack, out of those that the kernel gives a process. */
static size_t find_limit(void) {
  enum { USUAL = 65530, FOR_OTHERS = 8000 };
  long most = USUAL;
  FILE *file = fopen("/proc/sys/vm/max_map_count", "re");
  if (file) {
    if (fscanf(file, "%ld", &most) != 1) most = USUAL;
    fclose(file);
  }
  size_t stacks = most > 2 * FOR_OTHERS ? (size_t)(most - FOR_OTHERS) / 2 : (size_t)most / 4;
  size_t fibres = mpl_sanitizer_most_fibres();
  return stacks < fibres ? stacks : fibres;
}

bool mpl_stacks_reserve(size_t count) {
  pthread_mutex_lock(&lock);
  if (!limit) limit = find_limit();
  bool possible = count < limit;
  while (possible && reserved + count > limit) pthread_cond_wait(&returned, &lock);
  if (possible) reserved += count;
  pthread_mutex_unlock(&lock);
  return possible;
}

void mpl_stacks_unreserve(size_t count) {
  pthread_mutex_lock(&lock);
  reserved -= count;
  pthread_cond_broadcast(&returned);
  pthread_mutex_unlock(&lock);
}

static size_t stack_size(void) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE), least = 4 * page, most = (size_t)1 << 32;
  size_t size = mpl_option_number(MPL_OPTION_CHECK_STACK);
  if (size < least) size = least;
  if (size > most) size = most; /* a slab of them fits into an address space */
  return (size + page - 1) / page * page;
}

/* With the lock held. */
static void map_slab(void) {
  static unsigned colour;
  size_t size = stack_size(), each = GUARD + size;
  char *memory = mmap(NULL, SLAB * each, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (memory == MAP_FAILED) return;
  for (unsigned i = 0; i < SLAB; i++) {
    char *low = memory + i * each + GUARD;
    if (mprotect(low, size, PROT_READ | PROT_WRITE)) { /* what is left stays a guard */
      if (!i) munmap(memory, SLAB * each);
      return;
    }
    struct mpl_stack *stack = (struct mpl_stack *)(low + size) - 1;
    size_t shift = colour++ % COLOURS * COLOUR_STEP % (COLOURS * LINE);
    stack->low = low;
    stack->top = (char *)((uintptr_t)stack / LINE * LINE - shift);
    stack->next = spare;
    spare = stack;
  }
}

struct mpl_stack *mpl_stacks_take(size_t count) {
  pthread_mutex_lock(&lock);
  struct mpl_stack *list = NULL;
  for (; count; count--) {
    if (!spare) map_slab();
    struct mpl_stack *stack = spare;
    if (!stack) break;
    spare = stack->next;
    stack->next = list;
    list = stack;
  }
  pthread_mutex_unlock(&lock);
  return list;
}

void mpl_stacks_give(struct mpl_stack *list) {
  if (!list) return;
  struct mpl_stack *last = list;
  while (last->next) last = last->next;
  pthread_mutex_lock(&lock);
  last->next = spare;
  spare = list;
  pthread_mutex_unlock(&lock);
}

/* --- Overflow --- */

static const struct mpl_stack *(*current_stack)(void);
static void (*on_overflow)(const struct mpl_stack *);
static struct sigaction others; /* what the application had for SIGSEGV */

static void on_fault(int number, siginfo_t *info, void *context) {
  const struct mpl_stack *stack = current_stack();
  char *at = info->si_addr;
  if (stack && at < stack->low && at >= stack->low - GUARD) on_overflow(stack);
  if (others.sa_flags & SA_SIGINFO) {
    others.sa_sigaction(number, info, context);
  } else if (others.sa_handler != SIG_DFL && others.sa_handler != SIG_IGN) {
    others.sa_handler(number);
  } else { /* the access is repeated, and ends the process as it would have */
    sigaction(SIGSEGV, &(struct sigaction){.sa_handler = SIG_DFL}, NULL);
  }
}

/* SA_NODEFER: on_overflow leaves by a switch, and the next fault must be delivered again. */
static void catch_faults(void) {
  struct sigaction action = {.sa_sigaction = on_fault,
                             .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER};
  sigemptyset(&action.sa_mask);
  sigaction(SIGSEGV, &action, &others);
}

static pthread_key_t signal_stacks;

static void end_of_thread(void *memory) {
  sigaltstack(&(stack_t){.ss_flags = SS_DISABLE}, NULL);
  free(memory);
}

static void start(void) {
  catch_faults();
  if (pthread_key_create(&signal_stacks, end_of_thread)) abort();
}

void mpl_stacks_watch(const struct mpl_stack *(*current)(void),
                      void (*overflow)(const struct mpl_stack *)) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  static _Thread_local bool watched;
  if (watched) return;
  watched = true;
  pthread_mutex_lock(&lock);
  current_stack = current;
  on_overflow = overflow;
  pthread_mutex_unlock(&lock);
  pthread_once(&once, start);
  stack_t old;
  if (!sigaltstack(NULL, &old) && !(old.ss_flags & SS_DISABLE)) return; /* the application's own */
  void *memory = malloc(SIGNAL_STACK);
  if (!memory) return;
  if (sigaltstack(&(stack_t){.ss_sp = memory, .ss_size = SIGNAL_STACK}, NULL))
    free(memory);
  else if (pthread_setspecific(signal_stacks, memory))
    end_of_thread(memory);
}

/* Stacks with guards. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "fibre.h"
#include "runtime/options.h"
#include "runtime/threads/lock.h"

enum {
  GUARD = 256 << 10, /* a function's frame rarely reaches over it */
  SLAB = 64,         /* stacks that are mapped at once */
  LINE = 64,
  COLOURS = 64,
  COLOUR_STEP = 5 * LINE, /* tops of stacks in different sets of the first-level cache */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
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

static bool reserve(size_t count, bool *possible) {
  mpl_lock(&lock);
  if (!limit) limit = find_limit();
  *possible = count < limit;
  bool is_free = *possible && reserved + count <= limit;
  if (is_free) reserved += count;
  mpl_unlock(&lock);
  return is_free;
}

/* Who waits with a lock, or a condition's, could not be waited for by fork(). */
bool mpl_stacks_reserve(size_t count) {
  bool possible;
  while (!reserve(count, &possible) && possible)
    nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
  return possible;
}

void mpl_stacks_unreserve(size_t count) {
  mpl_lock(&lock);
  reserved -= count;
  mpl_unlock(&lock);
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
  /* Not on the stacks: at one distance from one another they would be in one set of each cache. */
  struct mpl_stack *stacks = calloc(SLAB, sizeof *stacks);
  if (!stacks) {
    munmap(memory, SLAB * each);
    return;
  }
  for (unsigned i = 0; i < SLAB; i++) {
    char *low = memory + i * each + GUARD;
    if (mprotect(low, size, PROT_READ | PROT_WRITE)) { /* what is left stays a guard */
      if (!i) munmap(memory, SLAB * each);
      if (!i) free(stacks);
      return;
    }
    struct mpl_stack *stack = &stacks[i];
    size_t shift = colour++ % COLOURS * COLOUR_STEP % (COLOURS * LINE);
    stack->low = low;
    stack->top = low + size - LINE - shift;
    stack->next = spare;
    spare = stack;
  }
}

struct mpl_stack *mpl_stacks_take(size_t count) {
  mpl_lock(&lock);
  struct mpl_stack *list = NULL;
  for (; count; count--) {
    if (!spare) map_slab();
    struct mpl_stack *stack = spare;
    if (!stack) break;
    spare = stack->next;
    stack->next = list;
    list = stack;
  }
  mpl_unlock(&lock);
  return list;
}

void mpl_stacks_give(struct mpl_stack *list) {
  if (!list) return;
  struct mpl_stack *last = list;
  while (last->next) last = last->next;
  mpl_lock(&lock);
  last->next = spare;
  spare = list;
  mpl_unlock(&lock);
}

bool mpl_stack_guard_holds(const struct mpl_stack *stack, const void *address) {
  return (const char *)address < stack->low && (const char *)address >= stack->low - GUARD;
}

/* In the child: those of other threads' groups are lost. */
void mpl_stacks_after_fork(void) {
  reserved = 0;
}

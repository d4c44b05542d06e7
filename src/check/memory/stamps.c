/* Stamps lie in windows: address space for all stamps of 256 GiB of memory, of which the system
 * gives what is touched. */
#include "stamps.h"

#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "check/engine/sanitizer.h"
#include "runtime/threads/lock.h"
#include "shadow.h"

#define WINDOW   ((size_t)1 << MPL_STAMPS_WINDOW_BITS)
#define GRAIN    ((size_t)1 << MPL_STAMPS_GRAIN_BITS)
#define OF(size) ((size) / 4 * sizeof(mpl_stamps))

_Atomic(struct mpl_stamps_window *) mpl_stamps_windows[MPL_STAMPS_WINDOWS];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct mpl_stamps_window windows[MPL_STAMPS_WINDOWS];
static bool none; /* the system does not give that much address space */

static void *reserve(size_t size) {
  void *memory =
      mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return NULL;
  madvise(memory, size, MADV_DONTDUMP);
  return memory;
}

/* With the lock held. */
static struct mpl_stamps_window *window_of(size_t number) {
  struct mpl_stamps_window *window = &windows[number];
  /* ThreadSanitizer has a shadow of its own for whatever is mapped. */
  none |= mpl_sanitizer_most_fibres() != SIZE_MAX;
  if (window->stamps || none) return window->stamps ? window : NULL;
  mpl_stamps *stamps = reserve(OF(WINDOW));
  _Atomic uint8_t *used = stamps ? reserve(WINDOW / GRAIN) : NULL;
  none = !used;
  if (stamps && none) munmap(stamps, OF(WINDOW));
  if (none) return NULL;
  *window = (struct mpl_stamps_window){stamps, used};
  atomic_store(&mpl_stamps_windows[number], window);
  return window;
}

mpl_stamps *mpl_stamps_make(uintptr_t address) {
  size_t number = address >> MPL_STAMPS_WINDOW_BITS, offset = address % WINDOW;
  if (mpl_shadow_is_full()) return NULL;
  mpl_lock(&lock);
  struct mpl_stamps_window *window = window_of(number);
  _Atomic uint8_t *used = window ? &window->used[offset / GRAIN] : NULL;
  if (used && !atomic_load(used) && mpl_shadow_may_take(OF(GRAIN))) atomic_store(used, 1);
  mpl_stamps *stamps = used && atomic_load(used) ? &window->stamps[offset / 4] : NULL;
  mpl_unlock(&lock);
  return stamps;
}

void mpl_stamps_forget(void) {
  mpl_lock(&lock);
  for (size_t i = 0; i < MPL_STAMPS_WINDOWS; i++) {
    if (!windows[i].stamps) continue;
    madvise(windows[i].stamps, OF(WINDOW), MADV_DONTNEED);
    madvise((void *)windows[i].used, WINDOW / GRAIN, MADV_DONTNEED);
  }
  mpl_unlock(&lock);
}

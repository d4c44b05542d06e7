/* Stamps: a word for each 4 bytes of memory with the last access, for the simplest and most
 * frequent cases.  Where the stamp says all, no cell (shadow.h) is needed; where it says that an
 * access repeats an earlier one, nothing has to be done.  Compiled kernels look at
 * stamps themselves (compiler/items/repeats.c).
 *
 * A stamp is, by `who`:
 *
 * - a work-item: it was there last, in that phase, and read, wrote, or both.  With the number of an
 *   access: its cells are empty but for that.  Number 0: its cells have all that there is, and to
 *   enter the same again would change nothing.
 *
 * - SEVERAL, of that phase: the cells have all that there is, and no read of that phase changes
 *   them; `wrote`: no read of that launch, of which it is the first phase.
 *
 * - NOBODY: the cells have all that there is.
 *
 * A stamp of an earlier phase than any that matters (mpl_order.floor) says that nothing matters of
 * what the cells have.  A thread that does not find its answer in the stamp takes the lock of the
 * cells' page, and leaves NOBODY there meanwhile; other threads only change one of the first two
 * into another, by an atomic exchange. */
#ifndef MPL_CHECK_STAMPS_H
#define MPL_CHECK_STAMPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/items.h"
#include "shadow.h"

typedef _Atomic uint64_t mpl_stamps;

static inline uint64_t mpl_stamp(uint32_t phase, uint32_t who, uint32_t how, uint32_t number) {
  return phase | (uint64_t)who << MPL_STAMP_WHO_SHIFT | (uint64_t)how << MPL_STAMP_HOW_SHIFT |
         (uint64_t)number << MPL_STAMP_NUMBER_SHIFT;
}
static inline uint32_t mpl_stamp_phase(uint64_t stamp) {
  return (uint32_t)stamp;
}
static inline uint32_t mpl_stamp_who(uint64_t stamp) {
  return stamp >> MPL_STAMP_WHO_SHIFT & 0x7fff;
}
static inline uint32_t mpl_stamp_how(uint64_t stamp) {
  return stamp >> MPL_STAMP_HOW_SHIFT & (MPL_STAMP_READ | MPL_STAMP_WROTE);
}
static inline uint32_t mpl_stamp_number(uint64_t stamp) {
  return (uint32_t)(stamp >> MPL_STAMP_NUMBER_SHIFT);
}

/* What the one access was, if it has a number. */
static inline struct mpl_record mpl_stamp_record(uint64_t stamp) {
  return (struct mpl_record){.phase = mpl_stamp_phase(stamp),
                             .item = (uint16_t)mpl_stamp_who(stamp),
                             .access = mpl_stamp_number(stamp) & 0x7fff};
}

/* It did so in that phase; `own`: the stamp of who did all. */
static inline bool mpl_stamp_covers(uint64_t stamp, uint64_t own, uint32_t how) {
  return !((stamp ^ own) & mpl_stamp_mask(how));
}

/* An access would change nothing: whoever runs did the same in this phase, or it reads what several
 * have read. */
static inline bool mpl_stamp_repeats(uint64_t stamp, const struct mpl_watch_now *watch,
                                     enum mpl_watch_kind kind, bool writes) {
  return mpl_stamp_covers(stamp, watch->own[kind], writes ? MPL_STAMP_WROTE : MPL_STAMP_READ) ||
         (!writes && (stamp == watch->shared[kind] ||
                      (kind == MPL_WATCH_GLOBAL && stamp == watch->anywhere)));
}

/* Of nobody at no time. */
#define MPL_STAMP_NEVER mpl_stamp(UINT32_MAX, MPL_STAMP_NOBODY, MPL_STAMP_WROTE, 0)

/* The stamps of the memory at an address, one for each 4 bytes of its page; null if there are none:
 * then the cells have all. */
enum { MPL_STAMPS_WINDOW_BITS = 38, MPL_STAMPS_GRAIN_BITS = 16 };
mpl_stamps *mpl_stamps_make(uintptr_t address); /* the slow way */

struct mpl_stamps_window {
  mpl_stamps *stamps;
  _Atomic uint8_t *used; /* for each grain of memory whether its stamps are counted */
};
enum { MPL_STAMPS_WINDOWS = 1 << (47 - MPL_STAMPS_WINDOW_BITS) };
extern _Atomic(struct mpl_stamps_window *) mpl_stamps_windows[MPL_STAMPS_WINDOWS];

static inline mpl_stamps *mpl_stamps_at(uintptr_t address) {
  size_t number = address >> MPL_STAMPS_WINDOW_BITS;
  if (number >= MPL_STAMPS_WINDOWS) return NULL;
  const struct mpl_stamps_window *window =
      atomic_load_explicit(&mpl_stamps_windows[number], memory_order_acquire);
  size_t offset = address & (((uintptr_t)1 << MPL_STAMPS_WINDOW_BITS) - 1);
  if (!window ||
      !atomic_load_explicit(&window->used[offset >> MPL_STAMPS_GRAIN_BITS], memory_order_relaxed))
    return mpl_stamps_make(address);
  return &window->stamps[offset / 4];
}

/* No launch runs: all are 0 again, and their memory is given back. */
void mpl_stamps_forget(void);

#endif

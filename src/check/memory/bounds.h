/* Tests whether announced accesses lie within memory, to the byte, before they happen. */
#ifndef MPL_CHECK_BOUNDS_H
#define MPL_CHECK_BOUNDS_H

#include "allocations.h"

enum { MPL_MOST_KNOWN = 8 };

/* The ranges that were found inside lately; they hold until something is allocated or freed. */
struct mpl_bounds {
  struct {
    uintptr_t low;
    size_t size;
  } known[MPL_MOST_KNOWN];
  uint32_t changes, next;
};

/* Bytes outside of known memory, in memory of which nothing is known, count as inside. */
bool mpl_bounds_look(struct mpl_bounds *, uintptr_t address, size_t size);

static inline bool mpl_bounds_are_known(const struct mpl_bounds *bounds, uintptr_t address,
                                        size_t size) {
  if (bounds->changes != mpl_allocations_changes()) return false;
  for (unsigned i = 0; i < MPL_MOST_KNOWN; i++) {
    uintptr_t offset = address - bounds->known[i].low;
    if (offset < bounds->known[i].size && size <= bounds->known[i].size - offset) return true;
  }
  return false;
}

/* Narrows a range around the address to what was found to be of one memory with it; false if that
 * is not known. */
bool mpl_bounds_within_known(const struct mpl_bounds *, uintptr_t address, uintptr_t *low,
                             uintptr_t *end);

static inline bool mpl_bounds_hold(struct mpl_bounds *bounds, uintptr_t address, size_t size) {
  return mpl_bounds_are_known(bounds, address, size) || mpl_bounds_look(bounds, address, size);
}

#endif

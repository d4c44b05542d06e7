#include "bounds.h"

#include <string.h>

static void remember(struct mpl_bounds *bounds, uintptr_t low, size_t size) {
  unsigned at = bounds->next++ % MPL_MOST_KNOWN;
  bounds->known[at].low = low;
  bounds->known[at].size = size;
}

bool mpl_bounds_look(struct mpl_bounds *bounds, uintptr_t address, size_t size) {
  enum { PAGE = 4096 }; /* pages beside memory are whole ones */
  uint32_t changes = mpl_allocations_changes();
  if (bounds->changes != changes) *bounds = (struct mpl_bounds){.changes = changes};
  if (address < MPL_NULL_PAGES) return false;
  struct mpl_allocation memory;
  enum mpl_told_memory kind = mpl_allocation_near((const void *)address, &memory);
  if (kind == MPL_TOLD_NOTHING) remember(bounds, address / PAGE * PAGE, PAGE);
  if (kind != MPL_TOLD_BLOCK) return true;
  uintptr_t low = (uintptr_t)memory.base, offset = address - low;
  if (memory.is_freed || address < low || offset > memory.size || size > memory.size - offset)
    return false;
  remember(bounds, low, memory.size);
  return true;
}

bool mpl_bounds_within_known(const struct mpl_bounds *bounds, uintptr_t address, uintptr_t *low,
                             uintptr_t *end) {
  if (bounds->changes != mpl_allocations_changes()) return false;
  for (unsigned i = 0; i < MPL_MOST_KNOWN; i++) {
    uintptr_t begin = bounds->known[i].low, behind = begin + bounds->known[i].size;
    if (address < begin || address >= behind) continue;
    if (*low < begin) *low = begin;
    if (*end > behind) *end = behind;
    return true;
  }
  return false;
}

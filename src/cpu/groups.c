#include "cpu/groups.h"

enum { PARTS = 4 };

void mpl_groups_begin(struct mpl_groups *groups, uint64_t first, uint64_t end, unsigned threads,
                      uint64_t min_chunk, bool sliced) {
  uint64_t left = end - first;
  unsigned count = !sliced ? 1 : threads < MPL_MOST_SLICES ? threads : MPL_MOST_SLICES;
  groups->count = count;
  groups->parts = sliced ? PARTS : (uint64_t)PARTS * threads;
  groups->min_chunk = min_chunk ? min_chunk : 1;
  for (unsigned k = 0; k < count; k++) {
    uint64_t each = left / (count - k);
    atomic_init(&groups->slices[k].next, first);
    groups->slices[k].end = first += each;
    left -= each;
  }
}

/* Large chunks at first, smaller ones towards the end; none that leaves less than a chunk. */
static bool take(const struct mpl_groups *groups, struct mpl_slice *slice, uint64_t *first,
                 uint64_t *end) {
  uint64_t at = atomic_load_explicit(&slice->next, memory_order_relaxed);
  do {
    uint64_t left = slice->end - at, chunk = left / groups->parts;
    if (!left) return false;
    if (chunk < groups->min_chunk) chunk = groups->min_chunk;
    *end = at + (chunk > left || left - chunk < groups->min_chunk ? left : chunk);
  } while (!atomic_compare_exchange_weak_explicit(&slice->next, &at, *end, memory_order_relaxed,
                                                  memory_order_relaxed));
  *first = at;
  return true;
}

bool mpl_groups_take(struct mpl_groups *groups, unsigned own, uint64_t *first, uint64_t *end) {
  for (unsigned k = 0; k < groups->count; k++)
    if (take(groups, &groups->slices[(own + k) % groups->count], first, end)) return true;
  return false;
}

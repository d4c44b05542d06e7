/* What most accesses are: inside, of what was written, and nobody else's record of the word is of
 * this time.  The rules are those of memory.c and races.c, which do whatever is more. */
#include <string.h>

#include "memory.h"
#include "unwritten.h"

#define INLINE static inline __attribute__((always_inline))

/* A record as one word: phase, item, and what does not matter here (little endian). */
enum { PHASE_BITS = 32, WHO_BITS = 48 };

INLINE uint64_t word_of(const struct mpl_record *record) {
  uint64_t word;
  memcpy(&word, record, sizeof word);
  return word;
}

struct quick {
  uint64_t own;
  uint32_t floor;
};

/* Earlier than whatever is not in order, or the work-item's own. */
INLINE bool is_past(const struct quick *q, uint64_t record) {
  return (uint32_t)record < q->floor || !((record ^ q->own) << (64 - WHO_BITS));
}

INLINE bool is_same_time(const struct quick *q, uint64_t record) {
  return (uint32_t)record == (uint32_t)q->own;
}

INLINE void put(struct mpl_record *record, const struct quick *q) {
  memcpy(record, &q->own, sizeof *record);
}

INLINE bool enter_read(struct mpl_cell *cell, const struct quick *q) {
  uint64_t first = word_of(&cell->read[0]), second = word_of(&cell->read[1]);
  if (!is_past(q, word_of(&cell->write)) || !is_past(q, word_of(&cell->atomic[0])) ||
      !is_past(q, word_of(&cell->atomic[1])))
    return false;
  if (is_past(q, first))
    put(&cell->read[0], q);
  else if (is_past(q, second))
    put(&cell->read[1], q);
  else
    return is_same_time(q, first) && is_same_time(q, second);
  return true;
}

INLINE bool enter_write(struct mpl_cell *cell, const struct quick *q) {
  if (!is_past(q, word_of(&cell->write)) || !is_past(q, word_of(&cell->read[0])) ||
      !is_past(q, word_of(&cell->read[1])) || !is_past(q, word_of(&cell->atomic[0])) ||
      !is_past(q, word_of(&cell->atomic[1])))
    return false;
  put(&cell->write, q);
  return true;
}

/* False: there are cells of which more has to be known.  Those that were entered may be so again.
 */
INLINE bool enter_cells(const struct mpl_shadow_page *page, size_t offset, size_t size, bool writes,
                        const struct quick *q) {
  unsigned shift = page->shift;
  struct mpl_cell *cell = &page->cells[offset >> shift];
  if ((offset | size) & (((size_t)1 << shift) - 1)) return false;
  for (size_t n = size >> shift; n; n--, cell++)
    if (!(writes ? enter_write(cell, q) : enter_read(cell, q))) return false;
  return true;
}

/* A group's local memory is only its own thread's. */
INLINE bool enter(struct mpl_memory *m, enum mpl_memory_kind kind, uintptr_t address, size_t size,
                  bool writes, const struct quick *q) {
  const size_t page_size = (size_t)1 << MPL_SHADOW_PAGE_BITS;
  struct mpl_shadow_page *page = mpl_shadow_kept(&m->cache, address);
  size_t offset = address % page_size;
  if (!page || offset + size > page_size ||
      page->generation != atomic_load_explicit(&mpl_shadow_generation, memory_order_relaxed))
    return false;
  if (kind == MPL_MEMORY_LOCAL) return enter_cells(page, offset, size, writes, q);
  if (atomic_flag_test_and_set_explicit(&page->busy, memory_order_acquire)) return false;
  bool done = enter_cells(page, offset, size, writes, q);
  atomic_flag_clear_explicit(&page->busy, memory_order_release);
  return done;
}

INLINE uint64_t own_record(const struct mpl_memory *m, const struct mpl_item *item,
                           enum mpl_memory_kind kind, uint16_t number) {
  uint32_t lanes = m->lanes[item->sub_group].phase[kind], phase = m->order[kind].phase;
  struct mpl_record own = {.phase = lanes > phase ? lanes : phase,
                           .item = (uint16_t)item->linear,
                           .access = number & 0x7fff};
  return phase ? word_of(&own) : 0;
}

/* Of local memory: all bytes were written, or are now. */
INLINE bool is_written(struct mpl_memory *m, size_t offset, size_t size, bool writes) {
  size_t within = offset % 8;
  uint8_t *bits = &m->written[offset / 8];
  if (within + size > 8) return false;
  uint8_t mask = (uint8_t)(((1u << size) - 1) << within);
  if (!writes) return (*bits & mask) == mask;
  *bits |= mask;
  return true;
}

enum { BOTH = MPL_ACCESS_READ | MPL_ACCESS_WRITE };

/* One of local memory, or of global; what is known of it when it is compiled makes it short. */
INLINE bool look(struct mpl_item *item, struct mpl_memory *m, struct mpl_access *access,
                 uintptr_t address, size_t size, bool writes, enum mpl_memory_kind kind) {
  uint16_t number = mpl_access_number_kept(access);
  struct quick q = {own_record(m, item, kind, number), m->order[kind].floor};
  m->last = number;
  return number && q.own && enter(m, kind, address, size, writes, &q);
}

INLINE bool look_at_size(struct mpl_item *item, struct mpl_memory *m, struct mpl_access *access,
                         uintptr_t address, uint64_t size, bool writes, enum mpl_memory_kind kind) {
  if (size == 4) return look(item, m, access, address, 4, writes, kind);
  return size - 1 < 16 && look(item, m, access, address, size, writes, kind);
}

bool mpl_access_quickly(struct mpl_item *item, struct mpl_memory *m, struct mpl_access *access,
                        uintptr_t address, uint64_t size) {
  uint32_t flags = access->flags;
  uintptr_t offset = address - (uintptr_t)m->local;
  bool writes = flags & MPL_ACCESS_WRITE;
  if (flags & MPL_ACCESS_ATOMIC || !(flags & BOTH) || (flags & BOTH) == BOTH ||
      address & mpl_alignment_mask(access) || m->doubt.size || m->acquires || m->num_variables)
    return false;
  if (offset < m->local_size) {
    if (size > m->local_size - offset) return false;
    if (!(flags & MPL_ACCESS_UNUSED) && !is_written(m, offset, size, writes)) return false;
    return writes ? look_at_size(item, m, access, address, size, true, MPL_MEMORY_LOCAL)
                  : look_at_size(item, m, access, address, size, false, MPL_MEMORY_LOCAL);
  }
  if (!mpl_bounds_are_known(&m->bounds, address, size)) return false;
  if (!writes && mpl_is_value_wanted(access) && mpl_may_be_unwritten(address)) return false;
  return writes ? look_at_size(item, m, access, address, size, true, MPL_MEMORY_GLOBAL)
                : look_at_size(item, m, access, address, size, false, MPL_MEMORY_GLOBAL);
}

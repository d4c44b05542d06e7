/* The fast path of most accesses: they are inside, read written memory, and for the stamps are
 * repeats or the first of their time.  The rules are those of memory.c and races.c, which handle
 * all others. */
#include <string.h>

#include "memory.h"
#include "stamps.h"
#include "unwritten.h"

#define INLINE static inline __attribute__((always_inline))

enum {
  BOTH = MPL_ACCESS_READ | MPL_ACCESS_WRITE,
  PAGE = 1 << MPL_SHADOW_PAGE_BITS,
  MOST = 128, /* bytes: a vector */
};

struct quick {
  struct mpl_memory *m;
  const struct mpl_watch_now *watch;
  enum mpl_memory_kind kind;
  bool is_told, writes;
  uint64_t own;   /* the stamp that says that it was there in this phase, and wrote */
  uint32_t floor; /* what is earlier does not matter */
  uint16_t number;
};

/* --- By stamps --- */

INLINE uint32_t how(const struct quick *q) {
  return q->writes ? MPL_STAMP_WROTE : MPL_STAMP_READ;
}

INLINE uint64_t stamp_of(const mpl_stamps *stamp) {
  return atomic_load_explicit(stamp, memory_order_relaxed);
}

INLINE bool is_repeat(const struct quick *q, uint64_t stamp) {
  return mpl_stamp_repeats(stamp, q->watch, (enum mpl_watch_kind)q->kind, q->writes);
}

INLINE bool are_repeats(const struct quick *q, const mpl_stamps *stamps, size_t words) {
  for (size_t i = 0; i < words; i++)
    if (!is_repeat(q, stamp_of(&stamps[i]))) return false;
  return true;
}

/* A group's local memory is only its own thread's; other launches' stamps may get lost. */
INLINE bool put(const struct quick *q, mpl_stamps *stamp, uint64_t before, uint64_t now) {
  if (q->kind == MPL_MEMORY_LOCAL || q->m->is_alone) {
    atomic_store_explicit(stamp, now, memory_order_relaxed);
    return true;
  }
  return atomic_compare_exchange_strong_explicit(stamp, &before, now, memory_order_relaxed,
                                                 memory_order_relaxed);
}

INLINE struct mpl_record own_record(const struct quick *q) {
  return (struct mpl_record){.phase = (uint32_t)q->own,
                             .item = (uint16_t)mpl_stamp_who(q->own),
                             .access = q->number & 0x7fff};
}

/* What several have read, if the cell gets a read that another one comes to; else 0. */
static uint64_t stamp_of_several(const struct quick *q, uint64_t before,
                                 const struct mpl_cell *cell) {
  uint32_t phase = mpl_stamp_phase(before), floor = q->floor;
  bool is_one = mpl_stamp_number(before);
  if (q->watch->shared[q->kind] == MPL_STAMP_NEVER || mpl_stamp_how(before) == MPL_STAMP_WROTE ||
      (!is_one && mpl_stamp_who(before) != MPL_STAMP_SEVERAL))
    return 0;
  if (phase == (uint32_t)q->own) return is_one ? q->watch->shared[q->kind] : 0;
  const struct mpl_phase *other = mpl_phase_of(phase);
  if (q->watch->anywhere == MPL_STAMP_NEVER || q->kind == MPL_MEMORY_LOCAL ||
      other->launch != q->m->launch || other->group == q->m->group ||
      (!is_one && (cell->write.phase >= floor || cell->atomic[0].phase >= floor ||
                   cell->atomic[1].phase >= floor)))
    return 0;
  return q->watch->anywhere;
}

/* What it did itself before, or others read: the cell gets both.  Returns the new stamp, or 0. */
static uint64_t enter_both(const struct quick *q, uint64_t before, struct mpl_cell *cell) {
  bool is_own = mpl_stamp_covers(before, q->own, 0) && mpl_stamp_number(before);
  bool wrote = mpl_stamp_how(before) == MPL_STAMP_WROTE;
  uint64_t both =
      mpl_stamp((uint32_t)q->own, mpl_stamp_who(q->own), MPL_STAMP_READ | MPL_STAMP_WROTE, 0);
  uint64_t after = is_own ? both : q->writes ? 0 : stamp_of_several(q, before, cell);
  if (!after) return 0;
  if (mpl_stamp_number(before)) *cell = (struct mpl_cell){0};
  if (mpl_stamp_number(before)) *(wrote ? &cell->write : &cell->read[0]) = mpl_stamp_record(before);
  *(q->writes ? &cell->write : is_own ? &cell->read[0] : &cell->read[1]) = own_record(q);
  return after;
}

static bool enter_second(const struct quick *q, mpl_stamps *stamp, uint64_t before,
                         uintptr_t address) {
  struct mpl_shadow_page *page = mpl_shadow_kept(&q->m->cache, address);
  bool is_local = q->kind == MPL_MEMORY_LOCAL, done = false;
  uint64_t nobody = mpl_stamp((uint32_t)q->own, MPL_STAMP_NOBODY, 0, 0);
  if (!page || page->shift != 2 ||
      page->generation != atomic_load_explicit(&mpl_shadow_generation, memory_order_relaxed))
    return false;
  if (!is_local && atomic_flag_test_and_set_explicit(&page->busy, memory_order_acquire))
    return false;
  if (put(q, stamp, before, nobody)) {
    uint64_t after = enter_both(q, before, &page->cells[address % PAGE / 4]);
    done = after;
    put(q, stamp, nobody, after ? after : before); /* or another launch went on */
  }
  if (!is_local) atomic_flag_clear_explicit(&page->busy, memory_order_release);
  return done;
}

/* False: more has to be known.  Stamps that were put may stay. */
INLINE bool enter_stamps(const struct quick *q, mpl_stamps *stamps, size_t words,
                         uintptr_t address) {
  uint64_t now = mpl_stamp((uint32_t)q->own, mpl_stamp_who(q->own), how(q), q->number);
  for (size_t i = 0; i < words; i++) {
    uint64_t before = stamp_of(&stamps[i]);
    if (mpl_stamp_phase(before) < q->floor) {
      if (!put(q, &stamps[i], before, now)) return false;
    } else if (!is_repeat(q, before) && !enter_second(q, &stamps[i], before, address + 4 * i)) {
      return false;
    }
  }
  return true;
}

/* --- By cells: single bytes, and where there are no stamps --- */

/* A record as one word: phase, item, and fields that do not matter here (little endian). */
enum { WHO_BITS = 48 };

INLINE uint64_t word_of(const struct mpl_record *record) {
  uint64_t word;
  memcpy(&word, record, sizeof word);
  return word;
}

/* Earlier than whatever is not in order, or the work-item's own. */
INLINE bool is_past(const struct quick *q, uint64_t record) {
  return (uint32_t)record < q->floor || !((record ^ q->own) << (64 - WHO_BITS));
}

INLINE bool is_same_time(const struct quick *q, uint64_t record) {
  return (uint32_t)record == (uint32_t)q->own;
}

INLINE bool enter_read(struct mpl_cell *cell, const struct quick *q) {
  uint64_t first = word_of(&cell->read[0]), second = word_of(&cell->read[1]);
  if (!is_past(q, word_of(&cell->write)) || !is_past(q, word_of(&cell->atomic[0])) ||
      !is_past(q, word_of(&cell->atomic[1])))
    return false;
  if (is_past(q, first))
    cell->read[0] = own_record(q);
  else if (is_past(q, second))
    cell->read[1] = own_record(q);
  else
    return is_same_time(q, first) && is_same_time(q, second);
  return true;
}

INLINE bool enter_write(struct mpl_cell *cell, const struct quick *q) {
  if (!is_past(q, word_of(&cell->write)) || !is_past(q, word_of(&cell->read[0])) ||
      !is_past(q, word_of(&cell->read[1])) || !is_past(q, word_of(&cell->atomic[0])) ||
      !is_past(q, word_of(&cell->atomic[1])))
    return false;
  cell->write = own_record(q);
  return true;
}

/* The stamp says that the cells have all, or now does: of an earlier time they have nothing that
 * matters. */
INLINE bool is_in_cells(const struct quick *q, mpl_stamps *stamp) {
  uint64_t before = stamp_of(stamp);
  if (mpl_stamp_phase(before) < q->floor)
    return put(q, stamp, before, mpl_stamp((uint32_t)q->own, MPL_STAMP_NOBODY, 0, 0));
  return mpl_stamp_who(before) == MPL_STAMP_NOBODY;
}

/* Of one word.  Those that were entered may be so again. */
INLINE bool enter_cells(const struct mpl_shadow_page *page, size_t offset, size_t size,
                        mpl_stamps *stamps, const struct quick *q) {
  unsigned shift = page->shift;
  struct mpl_cell *cell = &page->cells[offset >> shift];
  if ((offset | size) & (((size_t)1 << shift) - 1)) return false;
  if (stamps && (offset % 4 + size > 4 || !is_in_cells(q, &stamps[offset / 4]))) return false;
  for (size_t n = size >> shift; n; n--, cell++)
    if (!(q->writes ? enter_write(cell, q) : enter_read(cell, q))) return false;
  return true;
}

static bool look_at_cells(const struct quick *q, uintptr_t address, size_t size) {
  struct mpl_shadow_page *page = mpl_shadow_kept(&q->m->cache, address);
  size_t offset = address % PAGE;
  if (q->m->acquires || !page || offset + size > PAGE ||
      page->generation != atomic_load_explicit(&mpl_shadow_generation, memory_order_relaxed))
    return false;
  mpl_stamps *stamps = mpl_stamps_at(address - offset);
  if (q->kind == MPL_MEMORY_LOCAL) return enter_cells(page, offset, size, stamps, q);
  if (atomic_flag_test_and_set_explicit(&page->busy, memory_order_acquire)) return false;
  bool done = enter_cells(page, offset, size, stamps, q);
  atomic_flag_clear_explicit(&page->busy, memory_order_release);
  return done;
}

/* --- One access --- */

/* Of local memory: all bytes were written, or are now. */
INLINE bool is_written(struct mpl_memory *m, size_t offset, size_t size, bool writes) {
  for (size_t end = offset + size, next; offset < end; offset = next) {
    next = (offset / 8 + 1) * 8;
    if (next > end) next = end;
    uint8_t mask = (uint8_t)(((1u << (next - offset)) - 1) << offset % 8);
    uint8_t *bits = &m->written[offset / 8];
    if (writes)
      *bits |= mask;
    else if ((*bits & mask) != mask)
      return false;
  }
  return true;
}

/* A variable of the thread may have been written by an earlier group, and whether its own has is
 * said by the cells, which have to be kept. */
INLINE bool is_variable(const struct quick *q, uintptr_t address) {
  return q->kind == MPL_MEMORY_LOCAL && address - (uintptr_t)q->m->local >= q->m->local_size;
}

/* Of memory that may be read, or a write. */
INLINE bool is_surely_written(const struct quick *q, uintptr_t address, size_t size) {
  return q->writes || q->kind == MPL_MEMORY_LOCAL || !mpl_may_be_unwritten_within(address, size);
}

/* It is legal, and the bytes that it reads were written. */
INLINE bool is_right(const struct quick *q, uintptr_t address, size_t size) {
  uintptr_t offset = address - (uintptr_t)q->m->local;
  if (offset < q->m->local_size)
    return size <= q->m->local_size - offset && is_written(q->m, offset, size, q->writes);
  return mpl_bounds_are_known(&q->m->bounds, address, size) && !is_variable(q, address) &&
         is_surely_written(q, address, size);
}

/* Of a program that tells: memory may be freed where nobody else looks. */
INLINE bool may_repeat(const struct quick *q, uintptr_t address, size_t size) {
  return is_surely_written(q, address, size) &&
         (q->kind == MPL_MEMORY_LOCAL || mpl_bounds_are_known(&q->m->bounds, address, size));
}

/* What is known of it when it is compiled makes it short. */
INLINE bool look(struct quick q, struct mpl_access *access, uintptr_t address, size_t size) {
  struct mpl_memory *m = q.m;
  bool has_words = !((address | size) & 3) && address % PAGE + size <= PAGE;
  mpl_stamps *stamps = has_words ? mpl_stamps_at(address) : NULL;
  bool is_repeat = stamps && are_repeats(&q, stamps, size / 4);
  if (is_repeat && !q.is_told) return is_surely_written(&q, address, size);
  q.number = m->last = mpl_access_number_kept(access);
  if (m->doubt.size || (access->flags & BOTH) == BOTH || !q.number || q.own == MPL_STAMP_NEVER ||
      !(is_repeat ? may_repeat(&q, address, size) : is_right(&q, address, size)))
    return false;
  if (is_repeat) return true;
  return stamps ? enter_stamps(&q, stamps, size / 4, address) : look_at_cells(&q, address, size);
}

INLINE bool look_at_size(struct quick q, struct mpl_access *access, uintptr_t address,
                         uint64_t size) {
  q.own = q.watch->own[q.kind];
  q.floor = q.m->order[q.kind].floor;
  if (size == 4) return look(q, access, address, 4);
  return size - 1 < MOST && look(q, access, address, size);
}

INLINE bool access_quickly(struct mpl_item *item, struct mpl_memory *m, struct mpl_access *access,
                           uintptr_t address, uint64_t size, bool is_told) {
  uint32_t flags = access->flags;
  struct quick q = {.m = m,
                    .watch = &item->run->watch,
                    .kind = mpl_memory_kind_of(m, address),
                    .is_told = is_told,
                    .writes = flags & MPL_ACCESS_WRITE};
  if (flags & MPL_ACCESS_ATOMIC || !(flags & BOTH) || address & mpl_alignment_mask(access))
    return false;
  if (q.kind == MPL_MEMORY_LOCAL) {
    q.kind = MPL_MEMORY_LOCAL;
    return look_at_size(q, access, address, size);
  }
  q.kind = MPL_MEMORY_GLOBAL;
  return look_at_size(q, access, address, size);
}

bool mpl_access_quickly(struct mpl_item *item, struct mpl_memory *m, struct mpl_access *access,
                        uintptr_t address, uint64_t size) {
  return access_quickly(item, m, access, address, size, false);
}

/* What of the page is inside the same memory, and of the same kind, is known from now on. */
static void remember_stretch(struct mpl_memory *m, uintptr_t address, bool is_local) {
  struct mpl_stretch *stretch = mpl_stretch_of(m, address);
  uintptr_t low = address / PAGE * PAGE, end = low + PAGE;
  uint64_t time = mpl_stretch_time(m);
  if (address - stretch->low < stretch->size && stretch->time == time) return;
  if (is_local ? !mpl_memory_within_local(m, address, &low, &end)
               : !mpl_bounds_within_known(&m->bounds, address, &low, &end))
    return;
  if (!is_local) mpl_memory_outside_local(m, address, &low, &end);
  low = (low + 3) & ~(uintptr_t)3;
  if (address < low || end - low < 4) return;
  *stretch = (struct mpl_stretch){.low = low,
                                  .size = (end - low) & ~(uintptr_t)3,
                                  .stamps = mpl_stamps_at(low),
                                  .time = time,
                                  .kind = is_local ? MPL_WATCH_LOCAL : MPL_WATCH_GLOBAL};
  if (!stretch->stamps) stretch->size = 0;
}

bool mpl_told_quickly(struct mpl_item *item, struct mpl_memory *m, struct mpl_access *access,
                      uintptr_t address, uint64_t size) {
  if (!access_quickly(item, m, access, address, size, true)) return false;
  remember_stretch(m, address, mpl_memory_kind_of(m, address) == MPL_MEMORY_LOCAL);
  return true;
}

/* Shadow memory: the last accesses to each word of memory, with their work-items and times.
 *
 * A time is a phase: a stretch of a work-group's (or of a sub-group's) run in which nothing orders
 * the accesses of its work-items to one kind of memory; barriers begin new ones.  Phases are
 * numbered over the whole process in the order in which they begin.
 *
 * A word of 4 bytes has one cell; where a program touches single bytes, each byte of that page. */
#ifndef MPL_CHECK_SHADOW_H
#define MPL_CHECK_SHADOW_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- Phases --- */

struct mpl_phase {
  uint32_t launch; /* mpl_shadow_begin's number */
  uint32_t group;  /* linear, in the launch */
  uint32_t epoch;  /* how many barriers of the work-group were before, that order this memory */
};

/* Begins one; 0 if there is no memory for it, and then nothing is found. */
uint32_t mpl_phase_begin(struct mpl_phase);
/* Of a number from mpl_phase_begin. */
const struct mpl_phase *mpl_phase_of(uint32_t number);
/* The newest that has begun. */
uint32_t mpl_phase_now(void);

/* Around a launch; the first returns its number.  Between launches old phases are forgotten. */
uint32_t mpl_shadow_begin(void);
void mpl_shadow_end(void);
void mpl_shadow_after_fork(void);

/* --- Cells --- */

struct mpl_record {
  uint32_t phase;       /* 0: nobody */
  uint16_t item;        /* local linear id */
  uint16_t atomic : 1;  /* it was an atomic access */
  uint16_t access : 15; /* mpl_access_number's */
};

/* Of the work-items that read, and of those that write atomically, two are kept, so that a
 * work-item which races with any of them races with one of the two. */
struct mpl_cell {
  struct mpl_record write, atomic[2], read[2]; /* write: not atomic */
};

enum {
  MPL_SHADOW_CACHE_BITS = 6,
  MPL_SHADOW_CACHE = 1 << MPL_SHADOW_CACHE_BITS,
  MPL_SHADOW_PAGE_BITS = 12
};
struct mpl_shadow_page {
  struct mpl_shadow_page *next; /* in its bucket */
  uintptr_t number;             /* address >> MPL_SHADOW_PAGE_BITS */
  atomic_flag busy;
  uint8_t shift;       /* bytes of a cell: 1 << shift */
  uint32_t generation; /* of its cells */
  struct mpl_cell *cells;
  struct mpl_cell *before; /* null, or those of words, which somebody may still look at */
};

/* Pages that one group has used last; to be emptied before a launch's first group. */
struct mpl_shadow_cache {
  struct mpl_shadow_page *pages[MPL_SHADOW_CACHE];
};

/* Buffers begin at like addresses: what is kept must not be of one of them only. */
static inline size_t mpl_shadow_slot(uintptr_t number) {
  return (uint64_t)number * 0x9e3779b97f4a7c15u >> (64 - MPL_SHADOW_CACHE_BITS);
}

/* The page of an address, if the group has used it lately; else null. */
static inline struct mpl_shadow_page *mpl_shadow_kept(const struct mpl_shadow_cache *cache,
                                                      uintptr_t address) {
  uintptr_t number = address >> MPL_SHADOW_PAGE_BITS;
  struct mpl_shadow_page *page = cache->pages[mpl_shadow_slot(number)];
  return page && page->number == number ? page : NULL;
}

/* Cells of another generation are not to be looked at outside of mpl_shadow_visit. */
extern atomic_uint mpl_shadow_generation;

/* The visit of an access's cells. */
struct mpl_visit {
  void (*enter)(struct mpl_cell *, struct mpl_visit *);
  /* The stamp of a word that was entered as a whole. */
  uint64_t (*stamp)(const struct mpl_cell *, const struct mpl_visit *);
  uint64_t nobody; /* the stamp that it has meanwhile, and keeps where no other is asked for */
};

/* `stamp`, where no other is asked for. */
static inline uint64_t mpl_visit_leaves_nobody(const struct mpl_cell *cell,
                                               const struct mpl_visit *visit) {
  return visit->nobody;
}

/* For the cells of `size` bytes at `address`, each under its page's lock; of those for which there
 * is no memory none. */
void mpl_shadow_visit(struct mpl_shadow_cache *, uintptr_t address, uint64_t size,
                      struct mpl_visit *);

/* Whether shadow memory may grow by so many bytes (MANIPLE_CHECK_SHADOW); they count if so.  If
 * not, a line on standard error says so, once, and shadow memory is full until no launch runs. */
bool mpl_shadow_may_take(size_t bytes);
bool mpl_shadow_is_full(void);
extern atomic_bool mpl_shadow_was_full; /* at some time: what was checked is not all */

#endif

/* The memory that kernels may reach, under the check (MANIPLE_CHECK).  It lies between pages that
 * nobody may access, so that an access beside it is a fault.  Freed memory stays for a while,
 * without access. */
#ifndef MPL_CHECK_ALLOCATIONS_H
#define MPL_CHECK_ALLOCATIONS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "runtime/mistakes/locate.h"
#include "told_accesses.h"

struct mpl_check_launch;

struct mpl_allocation {
  const char *base;
  size_t size;
  const char *what; /* "device memory": lives as long as the process */
  bool is_freed;
  bool is_marked; /* its unwritten bytes are known (unwritten.h) */
  struct mpl_trace made, freed;
};

/* Memory that begins at a multiple of `align`, a power of two, and ends as near to the pages behind
 * it as that allows, but `margin` bytes or more from them and from those in front.  Null if
 * nothing is checked, there is no room, or there are too many: other memory has to do. */
void *mpl_allocation_create(size_t size, size_t align, size_t margin, const char *what);
/* False for other memory. */
bool mpl_allocation_release(void *base);

/* The allocation whose memory, or the pages beside it, hold the address; false if there is none. */
bool mpl_allocation_at(const void *, struct mpl_allocation *);
/* The same in a signal handler, which must not wait: false also if the answer is unknown. */
bool mpl_allocation_try_at(const void *, struct mpl_allocation *);

/* The same, and otherwise whether there may be any on the address's page. */
enum mpl_told_memory mpl_allocation_near(const void *, struct mpl_allocation *);

/* A program tells of its own heap; `find` is told_accesses.h's. */
typedef enum mpl_told_memory mpl_heap_finder(const void *, struct mpl_told_block *, bool waits);
void mpl_allocations_add_heap(mpl_heap_finder *);

/* Fills memory with the word for unwritten memory (unwritten.h); false if it is too large. */
bool mpl_allocation_mark(void *, size_t size);
/* Whether the whole allocation around the address is unwritten. */
bool mpl_allocation_is_blank(const void *);

/* A number that changes with each allocation and each free. */
extern atomic_uint mpl_allocations_change;
static inline uint32_t mpl_allocations_changes(void) {
  return atomic_load_explicit(&mpl_allocations_change, memory_order_acquire);
}

/* Addresses below it are null pointers, with an offset. */
enum { MPL_NULL_PAGES = 64 << 10 };

/* Reports writes into the bytes that lie between memory and its guards, since the last time;
 * `check`: a launch that has just ended, null: one begins. */
void mpl_allocations_verify(const struct mpl_check_launch *check);

#endif

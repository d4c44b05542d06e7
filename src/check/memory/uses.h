/* The bytes of its arguments' memory that a launch uses, where they are wanted
 * (mpl_arg_memory.uses). */
#ifndef MPL_CHECK_USES_H
#define MPL_CHECK_USES_H

#include "abi/items.h"
#include "runtime/memory/arg_uses.h"

struct mpl_check_launch;

/* An argument whose uses are wanted. */
struct mpl_noted {
  uintptr_t low, size;
  uint32_t argument;
  uint8_t *bits[MPL_USES]; /* one for each byte */
};

/* Around a launch; nothing is noted if no uses are wanted. */
void mpl_uses_begin(struct mpl_check_launch *);
void mpl_uses_end(struct mpl_check_launch *);

/* An access by whichever pointer; any thread. */
void mpl_uses_note(struct mpl_check_launch *, const struct mpl_access *, uintptr_t address,
                   uint64_t size);
/* The same of a filter, whose groups have ended: those of `size` bytes that count. */
void mpl_uses_add(const struct mpl_noted *, enum mpl_use_kind, uintptr_t address, uint64_t size);

#endif

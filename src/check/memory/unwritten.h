/* Reads of memory that nobody has written.
 *
 * Memory for kernels is filled with one word when it is allocated (allocations.c).  So all later
 * writes count, watched or not: those of kernels, of commands, and of the host by its pointers.
 * Copies carry the word along. */
#ifndef MPL_CHECK_UNWRITTEN_H
#define MPL_CHECK_UNWRITTEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/filter.h"
#include "check/engine/engine.h"

static inline bool mpl_is_value_wanted(const struct mpl_access *access) {
  return access->flags & (MPL_ACCESS_USED | MPL_ACCESS_COPIED);
}

/* Of memory that may be read: whether it is worth asking mpl_unwritten_look.  The word's other
 * bytes may be nobody's, which AddressSanitizer would report. */
__attribute__((no_sanitize_address)) static inline bool mpl_may_be_unwritten(uintptr_t address) {
  const uint32_t *word = (const uint32_t *)(address & ~(uintptr_t)3);
  return __atomic_load_n(word, __ATOMIC_RELAXED) == MPL_UNWRITTEN;
}

static inline bool mpl_may_be_unwritten_within(uintptr_t address, uint64_t size) {
  for (uint64_t i = 0; i < size; i += sizeof(uint32_t))
    if (mpl_may_be_unwritten(address + i)) return true;
  return false;
}

/* A read of global memory, before it is entered into the shadow memory. */
void mpl_unwritten_look(struct mpl_run *, const struct mpl_item *, const struct mpl_access *,
                        uint16_t number, uintptr_t address, uint64_t size);

/* The same of a variable of the thread: mpl_local in C. */
void mpl_unwritten_look_at_variable(struct mpl_run *, const struct mpl_item *,
                                    const struct mpl_access *, uint16_t number, const void *code,
                                    uintptr_t address, uint64_t size);

#endif

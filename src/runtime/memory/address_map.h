/* Ranges of addresses that do not overlap, in order.  The caller has a lock. */
#ifndef MPL_RUNTIME_ADDRESS_MAP_H
#define MPL_RUNTIME_ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>

struct mpl_mapped {
  char *base;
  size_t size;
  void *owner; /* the caller's */
  unsigned kind;
};

struct mpl_address_map { /* zero: empty; `ranges` is the caller's to free in the end */
  struct mpl_mapped *ranges; /* by ascending address */
  size_t count, capacity;
};

bool mpl_map_add(struct mpl_address_map *, struct mpl_mapped); /* false if out of memory */
/* The range that holds the address, until the next change; or null. */
const struct mpl_mapped *mpl_map_find(const struct mpl_address_map *, const void *address);
void mpl_map_remove(struct mpl_address_map *, const struct mpl_mapped *); /* found by mpl_map_find */

#endif

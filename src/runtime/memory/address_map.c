#include "runtime/memory/address_map.h"

#include <stdlib.h>
#include <string.h>

/* Index of the first range that begins above the address. */
static size_t upper(const struct mpl_address_map *map, const void *address) {
  size_t low = 0, high = map->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if ((const char *)address < map->ranges[middle].base)
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

bool mpl_map_add(struct mpl_address_map *map, struct mpl_mapped range) {
  if (map->count == map->capacity) {
    size_t capacity = map->capacity ? map->capacity * 2 : 16;
    struct mpl_mapped *ranges = realloc(map->ranges, capacity * sizeof *ranges);
    if (!ranges) return false;
    map->ranges = ranges;
    map->capacity = capacity;
  }
  struct mpl_mapped *at = map->ranges + upper(map, range.base);
  memmove(at + 1, at, (size_t)(map->ranges + map->count++ - at) * sizeof *at);
  *at = range;
  return true;
}

const struct mpl_mapped *mpl_map_find(const struct mpl_address_map *map, const void *address) {
  size_t at = upper(map, address);
  const struct mpl_mapped *range = at ? &map->ranges[at - 1] : NULL;
  return range && (size_t)((const char *)address - range->base) < range->size ? range : NULL;
}

void mpl_map_remove(struct mpl_address_map *map, const struct mpl_mapped *range) {
  struct mpl_mapped *at = map->ranges + (range - map->ranges);
  memmove(at, at + 1, (size_t)(map->ranges + --map->count - at) * sizeof *at);
}

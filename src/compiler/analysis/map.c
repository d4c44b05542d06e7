#include "map.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mpl_out_of_memory(void) {
  static const char words[] = "maniple: out of memory\n";
  (void)!write(STDERR_FILENO, words, sizeof words - 1);
  _exit(1);
}

void *mpl_allocate(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size);
  if (!memory) mpl_out_of_memory();
  return memory;
}

/* As large as the next power of two: it grows where it is one. */
void *mpl_one_more(void *array, size_t count, size_t size) {
  enum { FEWEST = 16 };
  if (count && (count < FEWEST || count & (count - 1))) return array;
  size_t room = count ? 2 * count : FEWEST;
  array = realloc(array, room * size);
  if (!array) mpl_out_of_memory();
  memset((char *)array + count * size, 0, (room - count) * size);
  return array;
}

void mpl_release(void *pointer) {
  void *memory;
  memcpy(&memory, pointer, sizeof memory);
  free(memory);
}

static size_t hash(uintptr_t key, uintptr_t second) {
  uint64_t h = (key ^ second * 0x9e3779b97f4a7c15u) * 0xff51afd7ed558ccdu;
  return h ^ h >> 32;
}

static struct mpl_map_entry *find(const struct mpl_map *map, uintptr_t key, uintptr_t second) {
  size_t i = hash(key, second) & (map->capacity - 1);
  while (map->entries[i].used && (map->entries[i].key != key || map->entries[i].second != second))
    i = (i + 1) & (map->capacity - 1);
  return &map->entries[i];
}

static void enlarge(struct mpl_map *map) {
  struct mpl_map larger = {.capacity = map->capacity ? 2 * map->capacity : 64};
  larger.entries = mpl_allocate(larger.capacity, sizeof *larger.entries);
  for (size_t i = 0; i < map->capacity; i++) {
    struct mpl_map_entry *entry = &map->entries[i];
    if (entry->used) *find(&larger, entry->key, entry->second) = *entry;
  }
  larger.count = map->count;
  free(map->entries);
  *map = larger;
}

const uintptr_t *mpl_map_find(const struct mpl_map *map, const void *key, uintptr_t second) {
  if (!map->capacity) return NULL;
  const struct mpl_map_entry *entry = find(map, (uintptr_t)key, second);
  return entry->used ? &entry->value : NULL;
}

uintptr_t *mpl_map_at(struct mpl_map *map, const void *key, uintptr_t second, bool create) {
  uintptr_t *known = (uintptr_t *)mpl_map_find(map, key, second);
  if (known || !create) return known;
  if (2 * (map->count + 1) > map->capacity) enlarge(map);
  struct mpl_map_entry *entry = find(map, (uintptr_t)key, second);
  *entry = (struct mpl_map_entry){.key = (uintptr_t)key, .second = second, .used = true};
  map->count++;
  return &entry->value;
}

void mpl_map_free(struct mpl_map *map) {
  free(map->entries);
  *map = (struct mpl_map){0};
}

/* A hash map from pairs of words to a word, for keys that are pointers and small numbers. */
#ifndef MPL_COMPILER_MAP_H
#define MPL_COMPILER_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct mpl_map { /* all zero: empty */
  struct mpl_map_entry { uintptr_t key, second, value; bool used; } *entries;
  size_t capacity, count;
};

/* The value's place, made (as 0) if `create` and not there; null if not there. */
uintptr_t *mpl_map_at(struct mpl_map *, const void *key, uintptr_t second, bool create);
/* The same, of a map that does not change; null if it is not there. */
const uintptr_t *mpl_map_find(const struct mpl_map *, const void *key, uintptr_t second);
void mpl_map_free(struct mpl_map *);

static inline void mpl_map_set(struct mpl_map *map, const void *key, uintptr_t value) {
  *mpl_map_at(map, key, 0, true) = value;
}

static inline uintptr_t mpl_map_get(const struct mpl_map *map, const void *key,
                                    uintptr_t otherwise) {
  const uintptr_t *at = mpl_map_find(map, key, 0);
  return at ? *at : otherwise;
}

/* The same of a set, whose keys have the value 1: false if it was there. */
static inline bool mpl_map_add(struct mpl_map *set, const void *key) {
  uintptr_t *at = mpl_map_at(set, key, 0, true), old = *at;
  *at = 1;
  return !old;
}

static inline bool mpl_map_has(const struct mpl_map *map, const void *key) {
  return mpl_map_find(map, key, 0) != NULL;
}

/* Ends the compiler's process with words of which toolchain/clang/run_tool.c makes a sentence. */
__attribute__((noreturn)) void mpl_out_of_memory(void); /* not _Noreturn: C++ reads this too */
void *mpl_allocate(size_t count, size_t size); /* zeroed; or the above */
void *mpl_one_more(void *array, size_t count, size_t size); /* with room, zeroed, for that */
/* A variable that `by` frees, with its address, when its block is left, by whatever way. */
#define MPL_FREED(by) __attribute__((cleanup(by)))
void mpl_release(void *pointer); /* what the pointer, whose address it gets, leads to */
#define MPL_MAP(name) MPL_FREED(mpl_map_free) struct mpl_map name = {0}
#define MPL_ARRAY(type, name, count)                                                               \
  MPL_FREED(mpl_release) type *name = mpl_allocate(count, sizeof *name)
/* An array that grows, until the end of the block. */
#define MPL_LIST(type, name) MPL_FREED(mpl_release) type *name = NULL
/* One more element, which is assigned to it, at the end of an array that grows. */
#define MPL_APPEND(array, count)                                                                   \
  (*((array) = mpl_one_more((array), (count), sizeof *(array)), &(array)[(count)++]))

#endif

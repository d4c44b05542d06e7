/* Is an object what Maniple's compiler makes?  Asked before the dynamic loader sees it, which trusts
 * what it maps: a damaged table is a crash there, and a constructor runs. */
#ifndef MPL_CPU_OBJECT_H
#define MPL_CPU_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False, with a sentence in `why` (at most `room` bytes), unless the ELF file is whole, all that the
 * dynamic loader reads of it lies inside, nothing in it runs when it is loaded, it asks for no
 * symbols but functions of math and of memory, and it exports MPL_OBJECT_SYMBOL.  What its code does
 * when a kernel runs is not looked at. */
bool mpl_object_is_sound(const void *object, size_t size, char *why, size_t room);

/* The part of a sound object, in addresses of its own, that is loaded around an address; false if
 * nothing of it is there. */
struct mpl_object_range {
  uint64_t begin, end;
  bool is_code;
};
bool mpl_object_range(const void *object, size_t size, uint64_t address,
                      struct mpl_object_range *);

/* A section of a sound object, which is not among what was looked at; null if it has none. */
const void *mpl_object_section(const void *object, size_t size, const char *name, size_t *length);

#endif

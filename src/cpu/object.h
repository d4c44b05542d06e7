/* Tests whether an object is one of Maniple's compiler, before the dynamic loader sees it.  The
 * loader trusts the file: it crashes on a damaged table, and runs constructors. */
#ifndef MPL_CPU_OBJECT_H
#define MPL_CPU_OBJECT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* False, with a sentence in `why` (at most `room` bytes), unless the ELF file is whole, all that
 * the dynamic loader reads of it lies inside, nothing in it runs when it is loaded, it asks for no
 * symbols but functions of math and of memory, and it exports MPL_OBJECT_SYMBOL.  The code that
 * runs in a kernel is not examined. */
bool mpl_object_is_sound(const void *object, size_t size, char *why, size_t room);

/* The part of a sound object, in addresses of its own, that is loaded around an address; false if
 * nothing of it is there. */
struct mpl_object_range {
  uint64_t begin, end;
  bool is_code;
};
bool mpl_object_range(const void *object, size_t size, uint64_t address,
                      struct mpl_object_range *);

/* A section of a sound object, whose contents were not examined; null if it has none. */
const void *mpl_object_section(const void *object, size_t size, const char *name, size_t *length);

#endif

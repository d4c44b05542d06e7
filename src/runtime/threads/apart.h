/* Memory in cache lines of its own, which writes of other threads do not slow down. */
#ifndef MPL_RUNTIME_APART_H
#define MPL_RUNTIME_APART_H

#include <stdlib.h>
#include <string.h>

/* Processors fetch lines of 64 bytes in pairs. */
enum { MPL_APART = 128 };

/* Zeros in lines with nothing else in them, to be freed by free(); null if out of memory. */
static inline void *mpl_allocate_apart(size_t size) {
  size = (size + MPL_APART - 1) / MPL_APART * MPL_APART;
  void *memory = aligned_alloc(MPL_APART, size);
  return memory ? memset(memory, 0, size) : NULL;
}

#endif

/* The program's own heap (heap.c). */
#ifndef MPL_TSAN_SHIM_HEAP_H
#define MPL_TSAN_SHIM_HEAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Only the program's own calls of the C library's names count, and none of other libraries. */
extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char etext[] __attribute__((visibility("hidden")));
static inline bool mpl_is_program(const void *code) {
  return (uintptr_t)code - (uintptr_t)__ehdr_start < (uintptr_t)(etext - __ehdr_start);
}

/* Whether allocations of that code are to be known; if so, memory for one, or null.  free() takes
 * it. */
bool mpl_heap_has(const void *caller);
void *mpl_heap_new(size_t size, size_t align, const void *caller);

#endif

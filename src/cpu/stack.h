/* Stacks for kernels that need more stack than their thread has: threads of the application may
 * have small ones, and private arrays lie on the stack. */
#ifndef MPL_CPU_STACK_H
#define MPL_CPU_STACK_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/kernel.h"

enum {
  MPL_STACK_SMALL = 16 << 10, /* what every thread has */
  MPL_STACK_MARGIN = 32 << 10, /* for functions of libraries: those of math, printf */
};

struct mpl_stack_memory { /* zero: none.  One stack; the page below it is nobody's */
  char *mapping;
  size_t size; /* of the mapping */
};

/* Whether the calling thread has so many bytes left on its stack; false on a stack that the
 * application has made, whose end is unknown. */
bool mpl_stack_has(size_t bytes);

/* Makes it a stack of at least so many bytes; false if there is no memory. */
bool mpl_stack_grow(struct mpl_stack_memory *, size_t bytes);
void mpl_stack_trim(struct mpl_stack_memory *); /* gives much memory back */
void mpl_stack_free(struct mpl_stack_memory *);

/* Calls the function on that stack. */
void mpl_stack_call(const struct mpl_stack_memory *, void (*function)(void *), void *data);

/* Sets the stack_size of each kernel from the compiler's list in the object (.stack_sizes), which
 * is loaded `bias` above its addresses; 0 if there is no list. */
void mpl_stack_measure(const void *object, size_t size, uintptr_t bias, struct mpl_kernel *,
                       size_t count);

#endif

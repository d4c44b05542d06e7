/* One launch of a random kernel: on the host, which notes what it touches, and on the device, with
 * buffers that are just as large. */
#ifndef TESTS_MEMORY_LAUNCH_H
#define TESTS_MEMORY_LAUNCH_H

#include "memory/memory.h"

struct memory_values {  /* of a buffer */
  char *before, *after; /* of MEMORY_ROOM bytes, which the host's code works on */
  size_t size, align;   /* bytes from its beginning that it touched */
};

typedef void memory_function(const struct memory_item *, void **args);

/* The arguments before a launch. */
void memory_fill(const struct memory_kernel *, uint64_t seed, struct memory_values *);
/* The work-items of each group in their order, or backwards. */
void memory_run_on_host(const struct memory_kernel *, memory_function *, struct memory_values *,
                        const int64_t *scalars, bool backwards);

enum memory_place { AT_END, AT_BEGINNING, ANYWHERE };
/* Buffers end just at a page that cannot be accessed, or begin there, and more is behind them.
 * False: the results differ, which was said. */
bool memory_run_on_device(const struct memory_kernel *, cl_kernel, const struct memory_values *,
                          const int64_t *scalars, enum memory_place);

#endif

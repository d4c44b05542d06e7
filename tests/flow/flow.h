/* Random functions of gotos, switches and loops, as one text that is C for the host's compiler and
 * a kernel for the driver, by the macros in front of it (main.c). */
#ifndef TESTS_FLOW_FLOW_H
#define TESTS_FLOW_FLOW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum {
  FLOW_ITEMS = 24, /* work-items of a group */
  FLOW_GROUPS = 5,
  FLOW_RESULTS = 4, /* words of each work-item */
};

/* Whether the work-items of a group go the same way, and so may meet. */
bool flow_is_uniform(uint64_t seed);
/* Writes `FUNCTION(seed) { ... }`. */
void flow_generate(FILE *, uint64_t seed);

#endif

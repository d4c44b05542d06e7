/* The ND-ranges that every case runs over. */
#ifndef TESTS_RUN_SHAPES_H
#define TESTS_RUN_SHAPES_H

#include "run/host.h"

/* Whole and, if asked for, ragged last groups, up to `max_items` in a group and `max_dims`
 * dimensions.  Returns how many there are; the list is static. */
size_t all_shapes(const struct shape **list, size_t max_items, unsigned max_dims, bool ragged);

/* TEST_SHAPES=few, which `make quick` sets: only two sizes then. */
bool few_shapes(void);

enum { MAX_SHAPE_ITEMS = 4 * MAX_ITEMS };

#endif

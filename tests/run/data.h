/* Test data: the inputs of a launch, and the comparison of two answers. */
#ifndef TESTS_RUN_DATA_H
#define TESTS_RUN_DATA_H

#include "run/case.h"

enum pattern { PATTERN_SMALL, PATTERN_RANDOM, PATTERN_EXTREME, PATTERNS };

size_t type_size(enum type type);
void fill(enum type type, void *data, size_t count, enum pattern pattern, uint64_t seed);
/* Equal bits, equal values (so -0.0 is 0.0) or two NaNs. */
bool same_value(enum type type, const void *a, const void *b);
void print_value(enum type type, const void *value);

#endif

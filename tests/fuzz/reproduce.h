/* Writes a failing launch as a C program that needs nothing but an OpenCL loader; `how` is the
 * environment that it failed in. */
#ifndef TESTS_FUZZ_REPRODUCE_H
#define TESTS_FUZZ_REPRODUCE_H

#include "fuzz/tree.h"

/* exact_divide (prelude.cl) is exact if quotients of float are rounded, which OpenCL C leaves open. */
#define BUILD_OPTIONS "-cl-std=CL3.0 -cl-fp32-correctly-rounded-divide-sqrt"

void write_reproducer(const char *path, const char *how, const char *source, const struct kernel *k,
                      const struct fuzz_launch *l, const uint64_t *want);

#endif

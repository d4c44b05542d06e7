/* What libFuzzer calls: one input.  Each file beside this one is a target, which gives the input to
 * one reader of what comes from elsewhere. */
#ifndef MPL_TESTS_LIBFUZZER_TARGET_H
#define MPL_TESTS_LIBFUZZER_TARGET_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* For what must hold of every input. */
#define MUST(condition) ((condition) ? (void)0 : abort())

#endif

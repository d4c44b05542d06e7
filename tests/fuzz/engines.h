/* The ways in which the driver can run a kernel, all of which have to agree. */
#ifndef TESTS_FUZZ_ENGINES_H
#define TESTS_FUZZ_ENGINES_H

#include <stdbool.h>
#include <stdint.h>

enum { AS_IT_IS, CHECKED, FIRST_MORE }; /* as the environment says; the checking engine; others */

int num_engines(void);
const char *engine_name(int engine);
/* In a child process, before it opens the driver.  `number`: of the batch. */
void choose_engine(int engine, uint64_t number);
/* The k-th of those that a batch runs on beside the first two: each batch on others. */
int engine_of_batch(uint64_t batch, int k);

#endif

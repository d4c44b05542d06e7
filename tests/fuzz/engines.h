/* The ways in which the driver can run a kernel, all of which have to agree. */
#ifndef TESTS_FUZZ_ENGINES_H
#define TESTS_FUZZ_ENGINES_H

#include <stdbool.h>
#include <stdint.h>

/* As the environment says; the checking engine; vector code that goes before it; others. */
enum { AS_IT_IS, CHECKED, FILTERED, FIRST_MORE };

int num_engines(void);
/* Filters take longer to build than all else that a batch needs: some batches have them. */
bool is_engine_of_batch(uint64_t batch, int engine);
/* For a person: the environment that it needs.  The next call may overwrite it. */
const char *engine_name(int engine, uint64_t batch);
/* In a child process, before it opens the driver. */
void choose_engine(int engine, uint64_t batch);
/* The k-th of those that a batch runs on beside the first ones: each batch on others. */
int engine_of_batch(uint64_t batch, int k);

#endif

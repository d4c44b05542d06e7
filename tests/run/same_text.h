/* Random kernels that are one text: C for the host's compiler, and OpenCL C for the driver, by what
 * stands in front of it.  What both make of it is compared. */
#ifndef TESTS_RUN_SAME_TEXT_H
#define TESTS_RUN_SAME_TEXT_H

#include <stdio.h>

#include "run/host.h"

struct same_text {
  const char *options; /* what else the host's compiler gets */
  unsigned batch,
      together; /* kernels of one library for the host, and of one program, which divides that */
  /* The whole text with the kernels of `count` seeds. */
  void (*write)(FILE *, bool for_host, uint64_t seed, unsigned count);
  /* Runs that of the seed on both; false: they differ, which was said. */
  bool (*is_same)(void *library, cl_program, uint64_t seed);
};

char *same_text_of(const struct same_text *, bool for_host, uint64_t seed,
                   unsigned count); /* free it */
/* What the host's compiler makes of it: for dlsym() and dlclose(). */
void *same_text_for_host(const struct same_text *, const char *compiler, uint64_t seed,
                         unsigned count);
void *same_text_function(void *library, const char *name);
cl_program same_text_for_device(const struct same_text *, uint64_t seed, unsigned count);

/* One batch after the other; false: of the first seed that differs, which is in *bad. */
bool same_text_run(const struct same_text *, const char *compiler, uint64_t seed, uint64_t count,
                   uint64_t *bad);

#endif

/* For a test in the twin's process: the twin's symbol twin_control. */
#ifndef TESTS_CUDA_TWIN_CONTROL_H
#define TESTS_CUDA_TWIN_CONTROL_H

/* What there is of the driver's. */
struct twin_left {
  long memory, pinned, lent, streams, events, modules, graphs;
};

struct twin_control {
  /* The nth call from now of a function of the driver's (cuMemAlloc_v2) fails, or the nth kernel
   * ("kernel"), as by TWIN_FAIL (device.h). */
  void (*fault)(const char *name, unsigned long n, int code);
  void (*mend)(void); /* nothing fails; a context that was lost is there again */
  unsigned long (*count)(const char *name); /* of calls so far */
  const struct twin_left *left;
};

#endif

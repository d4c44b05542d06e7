/* Random kernels of ordinary accesses to memory, as one text that is C for the host's compiler and
 * a kernel for the driver, by the macros in front of it (prelude.c).  Each work-item writes only to
 * places of its own, or by atomics whose order does not matter; all indices are in bounds. */
#ifndef TESTS_MEMORY_MEMORY_H
#define TESTS_MEMORY_MEMORY_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "run/host.h"

enum {
  MEMORY_ITEMS = 480,    /* work-items of a launch, at most */
  MEMORY_GROUP = 128,    /* of a work-group */
  MEMORY_LARGEST = 8192, /* elements of a buffer, at most */
  MEMORY_ROOM = 1 << 20, /* bytes of them */
  MEMORY_BUFFERS = 24,
  MEMORY_SCALARS = 4,
  MEMORY_STATEMENTS = 160, /* that can be left out (memory_generate) */
};

/* What a buffer has before a launch. */
enum memory_fill {
  MEMORY_WORDS,   /* random bits, of which words are floats between 1 and 2048 */
  MEMORY_INDICES, /* numbers below a limit */
  MEMORY_ORDER,   /* a permutation of so many */
  MEMORY_HALVES,  /* whole numbers */
};

struct memory_type {
  const char *name, *part; /* of a vector: its elements' type */
  enum { OF_INTEGERS, OF_FLOATS, OF_DOUBLES, OF_STRUCTS } of;
  unsigned size, parts; /* of a vector; else 1 */
};

struct memory_buffer {
  char name[4];
  const struct memory_type *type;
  enum memory_fill fill;
  unsigned limit;
  bool is_written, is_constant;
  int same_as; /* the buffer that this argument is once more, or -1 */
};

struct memory_scalar {
  char name[4];
  const char *type;
  int low, high;
};

struct memory_kernel {
  struct memory_buffer buffers[MEMORY_BUFFERS];
  struct memory_scalar scalars[MEMORY_SCALARS];
  unsigned num_buffers;
  struct shape shape;
  bool any_local, required; /* the driver chooses the groups; they are of the kernel's size */
};

/* What the host's code is handed for each work-item. */
#define MEMORY_ITEM                                                                                \
  struct memory_item {                                                                             \
    unsigned long global[3], local[3], group[3], offset[3], global_size[3], local_size[3],         \
        enqueued[3], groups[3];                                                                    \
    char *local_memory;                                                                            \
    void (*meet)(void);                                                                            \
    void *(*touch)(const void *, unsigned size, unsigned align);                                   \
  };
MEMORY_ITEM

extern const char memory_for_host[], memory_for_device[]; /* prelude.c */

/* Writes `HEAD { ... }`, or says only what it is of (file: null).  Statements whose bits are set in
 * `left_out` are not written. */
void memory_generate(FILE *, bool for_host, uint64_t seed, const bool *left_out,
                     struct memory_kernel *);

#endif

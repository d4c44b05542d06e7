/* A random program of OpenCL C: its text and how its kernels are launched. */
#ifndef TESTS_PROGRAMS_PROGRAM_H
#define TESTS_PROGRAMS_PROGRAM_H

#include "programs/text.h"
#include "run/host.h"

enum {
  MAX_KERNELS = 3,
  MAX_GROUP = 128,   /* work-items of a group; kernels' local arrays have as many elements */
  MAX_RECORD = 2048, /* bytes of a structure, at most */
  TABLE = 256,       /* elements of the tables that kernels read */
  CELLS = 64         /* counters of each kernel */
};

struct program {
  uint64_t seed;
  bool newer;       /* OpenCL C 3.0, else 1.2 */
  unsigned kernels; /* p<seed>_k0, k1, ...: launched in this order */
  struct shape shape;
  int uniform;      /* the scalar argument */
  unsigned nodes;   /* statements and expressions that can be left out */
  struct text text; /* without what programs_prelude writes */
};

/* Nodes that are left out: a bit for each.  A statement goes, an expression becomes a constant. */
struct drops {
  const unsigned char *bits;
  unsigned count;
};

/* The program of this seed; a small one has one kernel, few statements and at most one function.
 * The text is the caller's to free. */
void program_make(struct program *program, uint64_t seed, bool small, const struct drops *drops);
/* What stands in front of any number of programs. */
void program_prelude(struct text *text, bool newer);
/* The launch as a comment, and back from a file; false if there is none. */
void program_header(struct text *text, const struct program *program);
bool program_parse(struct program *program, const char *text);

#endif

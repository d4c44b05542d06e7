/* Programs on the engines: which there are, what came out, and whether that is the same. */
#ifndef TESTS_PROGRAMS_RUN_H
#define TESTS_PROGRAMS_RUN_H

#include "programs/program.h"

enum { MAX_ENGINES = 8, BATCH = 32 /* programs of one source */ };

struct engine {
  const char *name;
  const char *platform; /* a part of its name */
  const char *options;
  bool checked; /* what it reports is a difference */
};

enum outcome {
  NOT_RUN,
  DONE,
  REFUSED /* by the compiler */,
  REPORTED,
  FAILED /* a call did */,
  CRASHED,
  HANGS
};

struct result {
  enum outcome outcome;
  uint64_t kernels[MAX_KERNELS]; /* the checksums of all work-items after each kernel */
  uint64_t cells, words, printed;
};

struct session {
  struct engine engines[MAX_ENGINES];
  unsigned count;
  bool small;               /* programs */
  unsigned seconds;         /* that a program may take */
  const char *folder;       /* for what differs */
  char scratch[64];         /* a folder for what children say */
  double used[MAX_ENGINES]; /* seconds of processor time */
};

/* In a process of its own: builds all as one source, runs one after the other. */
void device_run(const struct engine *engine, const struct session *session, const char *source,
                struct program *const *programs, struct result *results, unsigned count);
/* Starts such processes until all programs have a result. */
void run_batch(struct session *session, unsigned engine, struct program *const *programs,
               struct result *results, unsigned count);
/* What the last process of the engine wrote on stderr, printf's text, and its build log; free it.
 */
char *last_messages(const struct session *session, const char *what);

bool same_result(const struct result *a, const struct result *b);
void describe(const struct session *session, const struct result results[MAX_ENGINES]);

/* Leaves out what it can of the program while engines still differ.  The result's text is the
 * caller's. */
void reduce(struct session *session, uint64_t seed, const struct result results[MAX_ENGINES],
            struct program *smallest);

#endif

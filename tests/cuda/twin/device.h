/* What the twin's files share: memory, streams, and what a test wants to go wrong.
 *
 * The environment says how it behaves:
 *   TWIN_DEVICES=N      as many GPUs (1)
 *   TWIN_SEED=N         of the order in which streams go on, and of their delays (1)
 *   TWIN_DELAY=N        most microseconds before a command begins (100)
 *   TWIN_TURN=N         seconds that the clock of events goes on where a stream turns from copies
 *                       to kernels (0), which is more than any test takes
 *   TWIN_ECC=1          memory is corrected (0)
 *   TWIN_PROCESSORS=N   multiprocessors of each (4)
 *   TWIN_REGISTERS=N    of a work-item of any kernel (32)
 *   TWIN_NEEDS=N        with fewer registers than N it has 64 bytes in memory for them
 *   TWIN_STRICT=1       kernels reach no memory but what the driver has given: most GPUs' do not
 *   TWIN_LOADS=1        a module that is loaded while kernels of two streams are at work ends the
 *                       process
 *   TWIN_FAIL=WHAT:N:CODE,...  the Nth call of a function of the driver's (cuMemAlloc_v2), or the
 *                       Nth kernel that runs (kernel), fails; the latter, and codes from 700 on,
 *                       for ever
 *   TWIN_COUNTS=FILE    how often each has been called is written there in the end
 */
#ifndef TESTS_CUDA_TWIN_DEVICE_H
#define TESTS_CUDA_TWIN_DEVICE_H

#include "control.h"
#include "cuda/driver.h"
#include "twin.h"

enum { /* CUresult */
       TWIN_INVALID = 1,
       TWIN_NOT_STARTED = 3,
       TWIN_NO_DEVICE = 101,
       TWIN_NO_CONTEXT = 201,
       TWIN_OTHER_CONTEXT = 400,
       TWIN_NOT_FOUND = 500,
       TWIN_STICKY = 700,
       TWIN_LENT = 712,
       TWIN_NOT_LENT = 713,
};
enum { TWIN_DEVICES = 8, TWIN_MEMORY = 1 << 30, TWIN_MOST_SHARED = 227 << 10 };

#define SEEN_NEEDED "default"
#ifdef TWIN_OLD /* has nothing that is optional */
#define SEEN_OPTIONAL "hidden"
#else
#define SEEN_OPTIONAL "default"
#endif
#define MPL_CUDA(name, symbol, need, parameters)                                                   \
  int twin_##name parameters __asm__(symbol) __attribute__((visibility(SEEN_##need)));
#include "tables/cuda_driver.def"

enum twin_call {
#define MPL_CUDA(name, symbol, need, parameters) TWIN_CALL_##name,
#include "tables/cuda_driver.def"
  TWIN_KERNEL,
  TWIN_CALLS
};

/* In front of every function of the driver's: one that is to fail answers so. */
#define TWIN_ENTER(name)                                                                           \
  do {                                                                                             \
    int wrong = twin_called(TWIN_CALL_##name);                                                     \
    if (wrong) return wrong;                                                                       \
  } while (0)

/* faults.c */
int twin_called(enum twin_call); /* counts it; 0, or the error */
long twin_option(const char *name, long unless_set);
void twin_stick(int error); /* the context is lost: all that follows fails so */

/* All are counted by whoever makes them and gives them back. */
extern struct twin_left twin_things;
#define TWIN_COUNT(thing, by) __atomic_add_fetch(&twin_things.thing, by, __ATOMIC_RELAXED)

/* memory.c: the device's is at addresses that the host cannot read; the host's that the driver has
 * given out, and managed memory, are where they are.  Addresses are never used again, so what is
 * freed is found. */
enum twin_side { TWIN_HIDDEN, TWIN_OPEN, TWIN_MANAGED, TWIN_SIDES };
uint64_t twin_take(enum twin_side, size_t size, int device); /* poisoned; 0: there is no more */
bool twin_give_back(enum twin_side, uint64_t at);
/* The host's own, a page only once. */
int twin_lend(uint64_t at, size_t size);
int twin_return(uint64_t at);
/* What the driver copies in one call: all of it is of one piece that is lent, or its beginning is
 * not. */
bool twin_is_alike(uint64_t at, size_t size);
/* As twin_reach, but memory of other devices is reached too. */
void *twin_reach_any(uint64_t at, size_t size);
int twin_current(void); /* the device whose context is this thread's */
bool twin_has_context(void);

/* streams.c: a command is done later, by a thread that goes on with any of the streams. */
struct twin_record; /* of an event: when all in front of it is done */
struct twin_command {
  struct twin_command *next;
  enum twin_what { TWIN_LAUNCH, TWIN_COPY, TWIN_FILL, TWIN_RECORD, TWIN_WAIT } what;
  double not_before; /* ms */
  bool begun;
  union {
    struct twin_grid grid;
    struct twin_copy {
      uint64_t to, from;
      size_t to_pitch, from_pitch, width, height, done;
    } copy;
    struct twin_fill {
      uint64_t to;
      unsigned value, size;
      size_t count, pitch, height; /* values of a row; of rows */
    } fill;
    struct twin_record *record; /* counted */
  };
};
struct twin_command *twin_command(enum twin_what);
/* Hands on a list of commands that nothing comes between, and returns before they are done, or, if
 * it `waits`, then. */
int twin_issue(CUstream, struct twin_command *first, bool waits);
struct twin_record *twin_record_new(int device);            /* with one reference */
struct twin_record *twin_record_keep(struct twin_record *); /* may be null */
void twin_record_drop(struct twin_record *);                /* the same */
struct twin_record *twin_record_again(CUevent); /* what the event is about from now on */
/* Loading a module may wait for all kernels that run, and for it launches do. */
void twin_check_load(void);
void twin_stop(void); /* the process ends */

/* driver.c: of what a launch is given; 0, or an error. */
int twin_grid(struct twin_grid *, CUfunction, const unsigned grid[3], const unsigned block[3],
              unsigned shared, void **extra);

uint32_t twin_random(void);

#endif

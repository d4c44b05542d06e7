/* Random calls of the OpenCL API: what the parts of the program share.
 *
 * A round makes some objects, lets threads call whatever the table has (calls.def) with arguments
 * of the kinds that it names, right, wrong and at the edges, and takes everything down again.  What
 * is made goes into pools, from which later calls take their handles.  Only what OpenCL leaves
 * undefined is kept out: handles that were released, memory that is not the application's. */
#ifndef MPL_TESTS_API_CALLS_H
#define MPL_TESTS_API_CALLS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tables/cl_headers.h"

/* --- pools --- */

enum pool {
  DEVICES,
  CONTEXTS,
  QUEUES,
  BUFFERS,
  IMAGES,
  PIPES,
  SAMPLERS,
  PROGRAMS,
  KERNELS,
  EVENTS,
  USER_EVENTS,
  COMMAND_BUFFERS,
  SEMAPHORES,
  CHANGEABLE,
  SVM,
  USM,
  MAPPED,
  NUM_POOLS,
  NO_POOL = NUM_POOLS
};

/* One object with one reference.  A thread that uses it pins it; who releases it takes it away,
 * which works while nobody else has it.  Pins are relaxed on purpose: they shall not order what
 * threads do to one object, which ThreadSanitizer is to see. */
struct slot {
  atomic_int state; /* 0: free, -1: changing hands, else 1 and the pins */
  _Atomic(void *) object;
  atomic_int more;  /* references that clRetain* added */
  atomic_bool used; /* memory that commands may use: freed at the round's end only */
};

struct slot *pool_pin(uint64_t *random, enum pool); /* null if there is none */
void pool_unpin(struct slot *);
struct slot *pool_take(uint64_t *random, enum pool); /* null if there is none that nobody has */
void *pool_drop(struct slot *);                      /* what was taken; the slot is free */
void pool_put_back(struct slot *);                   /* what was taken */
void pool_add(uint64_t *random, enum pool, void *object); /* if all is full, an old one goes */
void pool_keep(enum pool, void *object); /* one reference more, until the round's end */
void pool_settle(uint64_t *random);      /* all user events are set */
void pool_release_all(void);             /* all but the home, the first context */
void *pool_home(void);
void pool_release_home(void);
/* Counts references that the pool has; what has no functions of its own is not counted. */
uintptr_t pool_release(enum pool, void *object);
uintptr_t pool_retain(enum pool, void *object);

/* --- calls --- */

enum { MOST_ARGS = 18, MOST_KINDS = 16, MOST_PINNED = 32, MOST_CODES = 48, ROOM = 8192 };

struct call {
  uint64_t *random;
  const struct row *row;
  uint64_t args[MOST_ARGS];
  int num_args;
  struct slot *pinned[MOST_PINNED];
  int num_pinned;
  cl_int codes[MOST_CODES]; /* what the specification lets it answer */
  int num_codes;
  const char *wrong; /* an argument with which it cannot succeed, or null */
  bool blocks;       /* it waits for commands */
  cl_int error;      /* errcode_ret */
  cl_event event;    /* what comes out through other arguments */
  cl_mutable_command_khr changeable;
  void *out[4];
  enum pool out_pool;
  struct slot *taken;    /* goes away if the call succeeds */
  struct slot *alone[4]; /* nobody else has these meanwhile */
  struct slot *retained; /* one reference more if it succeeds */
  struct slot *buffer;   /* the command-buffer that is recorded */
  void *memory;          /* what is too large for the room; malloc'd */
  size_t room_used;
  _Alignas(16) unsigned char room[ROOM]; /* zeroed: what arguments point to */
};

struct kind {
  void (*add)(struct call *, uint64_t a, uint64_t b); /* adds one argument or a few */
  uint64_t a, b;
};

enum result { CODE, MAKES, POINTS, NOTHING };

struct row {
  const char *name;
  enum result result;
  enum pool pool;   /* of what it makes */
  unsigned rarity;  /* it is called once where others are called so often */
  void *function;   /* filled in */
  cl_int codes[16]; /* beside those that come with the kinds; the last one is 0 */
  struct kind kinds[MOST_KINDS];
};
extern struct row rows[];
extern const size_t num_rows;

extern cl_platform_id the_platform;
extern cl_device_id the_device;
extern bool chatty;
extern atomic_long num_contexts; /* that were made and have not ended */

void *function_named(const char *name); /* the driver's, or null */
bool rows_find(void);             /* the functions; false, with a message, if one is not there */
void call_once(uint64_t *random); /* one random call, checked */
void context_made(cl_context);    /* counts it until its destructor is called */
void complain(const struct call *, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* --- chance --- */

static inline uint64_t chance(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}
static inline unsigned below(uint64_t *state, unsigned n) {
  return (unsigned)((chance(state) >> 33) % n);
}
static inline bool one_in(uint64_t *state, unsigned n) {
  return !below(state, n);
}
#define ONE_OF(state, ...)                                                                         \
  ((const uint64_t[]){__VA_ARGS__}[below(state, sizeof((const uint64_t[]){__VA_ARGS__}) / 8)])

/* --- memory of the application --- */

enum { HOST_SIZE = 1 << 18 };
extern unsigned char host_memory[HOST_SIZE];

/* Calls through one type, as interfaces to foreign functions do: all parameters are whole numbers
 * or pointers, and those that a function lacks are not looked at. */
uintptr_t call_function(void *function, const uint64_t *args);

/* --- programs (programs.c) --- */

extern const char *const sources[];
enum { OPENCL_C_3 = 5, OPENCL_CPP = 6 }; /* numbers of sources */
extern const char *const options[];
extern const char *const names[]; /* of kernels */
enum { NUM_SOURCES = 7, NUM_OPTIONS = 11, NUM_NAMES = 8 };
extern void *good_binary;
extern size_t good_binary_size;
void round_begin(uint64_t *random); /* a home: a context with something of each kind */

#endif

/* What all tests share: one device with a context and a queue, programs, ND-ranges and their groups.
 * A call that fails here ends the test with a line that says where. */
#ifndef TESTS_RUN_HOST_H
#define TESTS_RUN_HOST_H

#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { MAX_ITEMS = 4096 }; /* the largest work-group that tests launch */

struct host {
  cl_device_id device;
  cl_context context;
  cl_command_queue queue;
  size_t max_items;   /* largest work-group, at most MAX_ITEMS */
  bool non_uniform;   /* ragged last groups */
  bool collectives;
};

/* The first device of the first platform.  A device that lacks ragged groups, collectives or groups
 * of MAX_ITEMS is an error, unless TEST_FOREIGN is set: the tests can be tried on other drivers. */
const struct host *host_open(void);

/* Builds, or prints the log and exits. */
cl_program host_build(const char *source, const char *options);
/* Compiles the source once with each of the options, makes a library of the last one, links. */
cl_program host_build_linked(const char *source, const char *const *options, size_t count);

char *read_file(const char *path); /* zero-terminated; free it */

_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
void check_code(cl_int code, const char *call, const char *file, int line);
#define CL(call) check_code((call), #call, __FILE__, __LINE__)

struct shape {
  cl_uint dims;
  size_t global[3], local[3], offset[3]; /* 1, 1, 0 in unused dimensions */
};

void print_shape(const struct shape *shape);
size_t shape_items(const struct shape *shape);

/* One work-group of an ND-range. */
struct group {
  const struct shape *shape;
  size_t items;               /* its own number: less in a ragged group */
  size_t size[3];             /* its own local size */
  size_t id[3], groups[3];    /* group id, number of groups */
  size_t index;               /* group linear id */
  const size_t *at;           /* global linear id of the work-item with local linear id i */
  const int *arg;             /* the case's uniform arguments */
  size_t sub_group;           /* largest sub-group size, if the case asked for one */
};

/* Calls `visit` for each group in turn. */
void each_group(const struct shape *shape, void (*visit)(struct group *, void *), void *data);

/* A small repeatable generator (splitmix64). */
static inline uint64_t random_next(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

#endif

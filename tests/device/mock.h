/* A device for tests that works like one with memory of its own: what it hands out as memory are no
 * addresses, and what is issued to it ends later, on other threads, in the order of each stream.
 * It runs kernels with the CPU's compiled code. */
#ifndef MPL_TESTS_MOCK_H
#define MPL_TESTS_MOCK_H

#include <stdatomic.h>
#include <stdbool.h>

struct mpl_device;

/* What goes on in it, and what is to go wrong.  Found by mock_state(), in this library's copy. */
struct mock_state {
  /* There now; all 0 again once everything is released. */
  atomic_long memory, pinned, streams, marks, modules;
  /* So far. */
  atomic_long issued, performed, waits;
  /* Rules that were broken, each with a line on stderr: an address of the host where one of the
   * device belongs or the other way round, memory that is freed or too small, a stream that is
   * destroyed before its end. */
  atomic_long broken;

  /* The nth from now fails; 0: none. */
  atomic_long fail_allocation, fail_stream, fail_issue, fail_end, fail_mark, fail_wait;
  atomic_long delay;  /* most microseconds before an operation */
  atomic_ullong behind; /* ns, of its clock behind the host's */
  atomic_bool paused; /* nothing in any stream goes on; see mock_resume */
};

struct mock_state *mock_state(void);

void mock_resume(void);

struct mpl_device *mock_create(struct mpl_device *cpu); /* null if out of memory */

#endif

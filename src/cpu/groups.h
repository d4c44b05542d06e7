/* The groups of a launch that several threads run: which of them a thread takes next.
 *
 * A short launch is divided into a slice for each thread, which it begins with: where the program
 * launches the same again, the data are in the cache of that thread's processor still.  Who has done
 * its own takes from others.  Of a long one, whose data no cache holds, there is one slice: threads are
 * near one another in memory, and groups begin in their order. */
#ifndef MPL_CPU_GROUPS_H
#define MPL_CPU_GROUPS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum { MPL_MOST_SLICES = 64 };

struct mpl_slice {
  _Alignas(128) _Atomic uint64_t next; /* first group that nobody has taken */
  uint64_t end;
};

struct mpl_groups {
  unsigned count;     /* slices */
  uint64_t parts;     /* a slice's rest is taken in so many, */
  uint64_t min_chunk; /* of at least so many groups */
  struct mpl_slice slices[MPL_MOST_SLICES];
};

/* Groups from `first` to `end` are to be taken by up to `threads`, in slices or not. */
void mpl_groups_begin(struct mpl_groups *, uint64_t first, uint64_t end, unsigned threads,
                      uint64_t min_chunk, bool sliced);

/* The next groups for whom slice `own` is of (any number): its own, else of the slice that follows
 * and is not done.  False: none is left.  Within a slice they are taken in their order; who has slice 0
 * takes the first that nobody has taken, so one that waits for another before it does not wait for
 * ever. */
bool mpl_groups_take(struct mpl_groups *, unsigned own, uint64_t *first, uint64_t *end);

#endif

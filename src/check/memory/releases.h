/* The clocks that atomic writes have released, by the address of the atomic object. */
#ifndef MPL_CHECK_RELEASES_H
#define MPL_CHECK_RELEASES_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"

/* The work-items that see a release, or whose releases an acquire sees, by its scope. */
enum mpl_reach { MPL_REACH_NOBODY, MPL_REACH_SUB_GROUP, MPL_REACH_GROUP, MPL_REACH_ALL };

/* Who writes. */
struct mpl_writer {
  uint32_t group, lanes;
};

struct mpl_release {
  struct mpl_clock known;   /* to those who have released for all */
  struct mpl_clock written; /* to those who have written atomically, and need not have released */
  struct mpl_clock narrow;  /* to those of one group, or sub-group, who have released for that */
  struct mpl_writer of;     /* that */
  enum mpl_reach reach;     /* of that; nobody: there is none */
  uint32_t group;           /* of all who have written */
  bool are_several;         /* groups */
};

/* An atomic write by somebody who knows that. */
void mpl_release_set(uintptr_t address, const struct mpl_clock *, struct mpl_writer,
                     enum mpl_reach);
/* False if there was none in this launch or those at the same time. */
bool mpl_release_at(uintptr_t address, struct mpl_release *);

/* The clock that a work-item gets which reads that and acquires. */
struct mpl_clock mpl_release_seen(const struct mpl_release *, struct mpl_writer reader,
                                  enum mpl_reach);

void mpl_releases_forget(void); /* no launch runs */

#endif

/* A clock says up to which time the accesses of which work-items are known to have happened.  The
 * time is the number of a phase (shadow.h).  A clock holds a few ranges of work-items; beyond that
 * it keeps only the time up to which everything of everybody counts as known.  That may be too
 * much: then a race is missed, and no program is blamed wrongly. */
#ifndef MPL_CHECK_CLOCK_H
#define MPL_CHECK_CLOCK_H

#include <stdbool.h>
#include <stdint.h>

enum { MPL_MOST_KNOWN_RANGES = 8 };

struct mpl_known { /* the work-items first to last of a group, by linear id */
  uint32_t group, until;
  uint16_t first, last;
};

struct mpl_clock {
  uint32_t time; /* everything up to it */
  uint32_t count;
  struct mpl_known known[MPL_MOST_KNOWN_RANGES];
};

static inline bool mpl_clock_is_empty(const struct mpl_clock *clock) {
  return !clock->time && !clock->count;
}

static inline bool mpl_clock_knows(const struct mpl_clock *clock, uint32_t group, uint16_t item,
                                   uint32_t phase) {
  if (phase <= clock->time) return true;
  for (uint32_t i = 0; i < clock->count; i++) {
    const struct mpl_known *k = &clock->known[i];
    if (k->group == group && item >= k->first && item <= k->last && phase <= k->until) return true;
  }
  return false;
}

/* The time of the latest that it knows of. */
uint32_t mpl_clock_end(const struct mpl_clock *);

void mpl_clock_add(struct mpl_clock *, struct mpl_known);
void mpl_clock_join(struct mpl_clock *, const struct mpl_clock *other);

#endif

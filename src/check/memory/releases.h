/* What atomic writes have released, by the address of the atomic object. */
#ifndef MPL_CHECK_RELEASES_H
#define MPL_CHECK_RELEASES_H

#include <stdbool.h>
#include <stdint.h>

#include "clock.h"

struct mpl_release {
  struct mpl_clock known;   /* to those who have released */
  struct mpl_clock written; /* to those who have written atomically, and need not have released */
};

/* An atomic write by somebody who knows that. */
void mpl_release_set(uintptr_t address, const struct mpl_clock *, bool releases);
/* False if there was none in this launch or those at the same time. */
bool mpl_release_at(uintptr_t address, struct mpl_release *);

void mpl_releases_forget(void); /* no launch runs */

#endif

/* Times of launches: MANIPLE_PROFILE, a table per kernel at exit, and MANIPLE_DEBUG=launch. */
#ifndef MPL_RUNTIME_PROFILE_H
#define MPL_RUNTIME_PROFILE_H

#include "runtime/device.h"

bool mpl_profile_wanted(void);
void mpl_profile_launch(const struct mpl_operation *, uint64_t ns);

#endif

/* Times of launches: MANIPLE_PROFILE, a table per kernel at exit, MANIPLE_DEBUG=launch, and
 * MANIPLE_TRACE. */
#ifndef MPL_RUNTIME_PROFILE_H
#define MPL_RUNTIME_PROFILE_H

#include <stdatomic.h>

#include "runtime/device.h"

extern atomic_bool mpl_profile_unwanted; /* true: no launch of this process is timed */
bool mpl_profile_ask(void);
static inline bool mpl_profile_wanted(void) {
  return !atomic_load_explicit(&mpl_profile_unwanted, memory_order_relaxed) && mpl_profile_ask();
}
/* `bytes`: of its buffers, or MPL_TRACE_UNKNOWN. */
void mpl_profile_launch(const struct mpl_operation *, uint64_t start, uint64_t end, uint64_t bytes);

#endif

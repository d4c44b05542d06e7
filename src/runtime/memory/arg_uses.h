/* The bytes of an argument's memory that a launch has used, for callers that want them (device.h).
 */
#ifndef MPL_RUNTIME_ARG_USES_H
#define MPL_RUNTIME_ARG_USES_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* What is not atomic: reads, writes; and all that is. */
enum mpl_use_kind { MPL_USE_READ, MPL_USE_WRITE, MPL_USE_ATOMIC, MPL_USES };

struct mpl_bytes {
  uint64_t begin, end;
};

struct mpl_byte_set {
  struct mpl_bytes *each; /* ascending, apart; on the heap */
  uint32_t count;
};

struct mpl_arg_uses {
  const void *base; /* set by the caller: the memory in which bytes count, and its size */
  uint64_t size;
  bool wants_reads; /* set by the caller; without it reads may be missing, which takes less time */
  bool is_known;    /* false: the bytes are unknown or too many, and nothing else here counts */
  bool has_atomics; /* the launch has used some, also elsewhere */
  struct mpl_byte_set sets[MPL_USES];
};

static inline void mpl_arg_uses_free(struct mpl_arg_uses *uses) {
  for (unsigned k = 0; k < MPL_USES; k++) free(uses->sets[k].each);
}

#endif

/* Which bytes of an argument's memory a launch has used, for who asks for it (device.h). */
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
  bool wants_reads; /* set by who asks: without, reads may be missing, which takes less time */
  bool is_known;    /* all else is the answer; false: it is not known, or too many */
  bool has_atomics; /* the launch has used some, also elsewhere */
  struct mpl_byte_set sets[MPL_USES];
};

static inline void mpl_arg_uses_free(struct mpl_arg_uses *uses) {
  for (unsigned k = 0; k < MPL_USES; k++) free(uses->sets[k].each);
}

#endif

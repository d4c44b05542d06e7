/* The memory that a filter's kernel reaches: that of its arguments or, in C and C++, of its roots
 * (abi/filter.h).  It is found before the first group runs, and its contents are kept, so that a
 * launch can be undone. */
#ifndef MPL_CHECK_FILTER_MEMORIES_H
#define MPL_CHECK_FILTER_MEMORIES_H

#include <stdbool.h>

#include "abi/filter.h"
#include "check/engine/engine.h"
#include "runtime/device.h"

enum { MPL_FILTER_MOST = 64 };

struct mpl_filter_memory {
  struct mpl_filter_use use;
  bool is_local;                      /* of the group's: `at` bytes from its beginning */
  bool is_pixels;                     /* an image's */
  bool is_read_only;                  /* for kernels */
  uint64_t at;                        /* what the pointer is */
  char *low, *before;                 /* before: its former contents; null: it is not written to */
  uint64_t size;                      /* from `low` on */
  char *wrote, *read;                 /* stamps */
  const struct mpl_filter_root *root; /* or null */
};

struct mpl_filter_memories {
  const struct mpl_operation *operation;
  const struct mpl_record_filter *record; /* null: an OpenCL kernel */
  uint32_t count;
  struct mpl_filter_memory each[MPL_FILTER_MOST];
  struct mpl_filter_view views[MPL_FILTER_MOST];
};

/* Finds the memory, with the first group.  False: it cannot be known. */
bool mpl_filter_find_memories(struct mpl_filter_memories *, const struct mpl_filter_use *);

/* Views for a group, of local memory too: `stamps` are those of its first byte, two for each of
 * `local` bytes. */
void mpl_filter_set_views(const struct mpl_filter_memories *, const struct mpl_group *,
                          char *stamps, size_t local, struct mpl_filter_view *);

/* With `undo` all bytes that have a stamp from `first` on, and no others, get their former values.
 */
void mpl_filter_end_memories(struct mpl_filter_memories *, bool undo, uint32_t first);

/* Before that: notes the bytes that the launch has used, by stamps from `first` to `atomics`, the
 * greatest. */
void mpl_filter_tell_uses(const struct mpl_filter_memories *, const struct mpl_check_launch *,
                          uint32_t first, uint32_t atomics);

#endif

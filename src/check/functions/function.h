/* What the checking engine knows of a collective: its name for messages, and how its result comes
 * about.  Instances are made from the table of collectives (collectives.c) and by the compiler, for
 * OpenCL kernels (src/compiler/items/per_item.c: same layout). */
#ifndef MPL_CHECK_FUNCTION_H
#define MPL_CHECK_FUNCTION_H

#include <stddef.h>
#include <stdint.h>

struct mpl_meeting;

enum mpl_function_kind {
  MPL_FUNCTION_BARRIER,
  MPL_FUNCTION_VOTE,
  MPL_FUNCTION_BROADCAST,
  MPL_FUNCTION_REDUCE,
  MPL_FUNCTION_SCAN_INCLUSIVE,
  MPL_FUNCTION_SCAN_EXCLUSIVE,
  MPL_FUNCTION_SHUFFLE,
  MPL_FUNCTION_OTHER,
};

enum mpl_function_flags {
  MPL_FUNCTION_SUB_GROUP = 1,
  MPL_FUNCTION_ANY_LANES = 2, /* not all lanes of the sub-group have to take part */
  MPL_FUNCTION_UNIFORM = 4,   /* the argument has to be the same for all */
  MPL_FUNCTION_INSIDE = 8,    /* and less than the number of work-items */
};

struct mpl_function {
  const char *name;                      /* "work_group_reduce_add" */
  const char *operation;                 /* "add", or "" */
  const char *type;                      /* "int", or "" */
  const char *argument;                  /* what its argument is called in a message, or null */
  void (*compute)(struct mpl_meeting *); /* null: nothing to do */
  uint16_t kind;                         /* enum mpl_function_kind */
  uint16_t flags;                        /* enum mpl_function_flags */
};

#endif

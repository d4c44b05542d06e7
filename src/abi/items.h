/* The contract between a kernel compiled for the checking engine (MPL_KERNEL_PER_ITEM) and the
 * engine: its function runs one work-item at a time, which asks for its ids, reports where it is,
 * and comes to meetings through struct mpl_item_host.  compiler/items makes such kernels,
 * check/engine runs them. */
#ifndef MPL_ABI_ITEMS_H
#define MPL_ABI_ITEMS_H

#include "kernel.h"

struct mpl_meeting;
struct mpl_filter_use;

enum mpl_function_kind {
  MPL_FUNCTION_BARRIER,
  MPL_FUNCTION_VOTE,
  MPL_FUNCTION_BROADCAST,
  MPL_FUNCTION_REDUCE,
  MPL_FUNCTION_SCAN_INCLUSIVE,
  MPL_FUNCTION_SCAN_EXCLUSIVE,
  MPL_FUNCTION_SHUFFLE,
  MPL_FUNCTION_OTHER,
  MPL_FUNCTION_COPY,   /* async_work_group_copy: all meet at once, and it orders nothing */
  MPL_FUNCTION_EXPECT, /* no function: a value, by name, that all must bring to the next one */
  MPL_FUNCTION_TURNS,  /* no function either: the work-item's iterations of loops */
  MPL_FUNCTION_EVENT,  /* an event that is waited for */
  MPL_FUNCTION_SCOPE,  /* the memory_scope of the atomic access or fence that comes next */
};

/* A barrier is told of as its flags, and above them its memory_scope (OpenCL's numbers). */
enum {
  MPL_FENCE_SCOPE_SHIFT = 32,
  MPL_FENCE_WORK_ITEM = 0,
  MPL_FENCE_WORK_GROUP = 1,
  MPL_FENCE_SUB_GROUP = 4,
};

enum { MPL_NO_SCOPE = 255 }; /* behind it: others have none of their own */

/* Metadata of an atomic access or a fence that is no call: a node with its memory_scope. */
#define MPL_SCOPE_METADATA "mpl.scope"

/* In checked programs: the event that copies return, and what a wait leaves in its list. */
enum { MPL_EVENT_OF_COPY = 0x6d706c65, MPL_EVENT_RELEASED };

enum { MPL_TURN_BITS = 16 }; /* for each loop, of MPL_FUNCTION_TURNS' number: the innermost lowest */

/* Beside the call of a broadcast from an id of two or three dimensions: so many bits of each, the
 * first lowest, and the highest bit. */
enum { MPL_IDS_BITS = 21, MPL_IDS_GIVEN_SHIFT = 63 };

enum mpl_function_flags {
  MPL_FUNCTION_SUB_GROUP = 1,
  MPL_FUNCTION_ANY_LANES = 2, /* not all lanes of the sub-group have to take part */
  MPL_FUNCTION_UNIFORM = 4,   /* the argument has to be the same for all */
  MPL_FUNCTION_INSIDE = 8,    /* and less than the number of work-items */
};

/* A collective, as the engine knows it: its name for messages, and how its result is computed.
 * Made from the table of collectives (check/functions/collectives.c) and by the compiler, for
 * OpenCL kernels (compiler/items/calls.c). */
struct mpl_function {
  const char *name;                      /* "work_group_reduce_add" */
  const char *operation;                 /* "add", or "" */
  const char *type;                      /* "int", or "" */
  const char *argument;                  /* the name of its argument in messages, or null */
  void (*compute)(struct mpl_meeting *); /* null: nothing to do */
  uint16_t kind;                         /* enum mpl_function_kind */
  uint16_t flags;                        /* enum mpl_function_flags */
};

enum mpl_item_id {
  MPL_ITEM_NO_ID = -1,
  MPL_ITEM_LOCAL_ID_0,
  MPL_ITEM_LOCAL_ID_1,
  MPL_ITEM_LOCAL_ID_2,
  MPL_ITEM_LOCAL_LINEAR_ID,
  MPL_ITEM_LANE, /* in its sub-group */
  MPL_ITEM_SUB_GROUP,
  MPL_ITEM_SUB_GROUP_SIZE, /* of its own one */
  MPL_ITEM_TURNS,          /* what it told last, by MPL_FUNCTION_TURNS */
};

enum mpl_item_meet {
  MPL_MEET_ONLY,      /* a barrier */
  MPL_MEET_RESULT,    /* one result for all */
  MPL_MEET_IN_PLACE,  /* results replace operands */
  MPL_MEET_BROADCAST, /* the operand of the work-item `argument` */
  MPL_MEET_ACTIVE,    /* bits of the lanes that take part */
  MPL_MEET_JOIN,      /* lanes that have parted may be together again */
  MPL_MEET_YIELD,     /* no meeting: others may run */
};

/* A call at which work-items meet. */
struct mpl_item_meeting {
  /* The built-in library's function on all operands, in one form (builtins/sync.h): `with`, second
   * operands; `count`, of work-items, for sub-groups the full size; `active`, bits of those that
   * take part; `number`, a cluster's size.  Null: none is needed. */
  void (*combine)(void *operands, void *result, const uint32_t *with, uint64_t count,
                  uint64_t active, uint64_t number);
  uint32_t how; /* enum mpl_item_meet */
  uint32_t sub_group;
  uint32_t operand_size, result_size;
  uint32_t has_second; /* `argument` is a second operand, not a number */
  uint32_t order;      /* of those at which only some lanes stand, the lowest goes on */
  uint32_t is_stored;  /* of a shuffle: what comes out is surely written to global memory */
};

/* A place in the source of an OpenCL program. */
struct mpl_place {
  const char *file;
  const char *text; /* the line, of programs given as text; else null */
  uint32_t line, column;
};

/* A branch that decides whether a work-item comes to a collective, and at which work-items may go
 * different ways. */
struct mpl_branch {
  struct mpl_place place;
  uint64_t stay; /* of a loop's end: the condition's value that stays in the loop */
  uint32_t is_loop;
  uint32_t is_at_head; /* it is decided on before each iteration, not after it */
};

enum mpl_access_flags {
  MPL_ACCESS_READ = 1,
  MPL_ACCESS_WRITE = 2,
  MPL_ACCESS_ATOMIC = 4,  /* volatile ones too */
  MPL_ACCESS_ACQUIRE = 8, /* without read and write: a fence */
  MPL_ACCESS_RELEASE = 16,
  MPL_ACCESS_UNUSED = 32,     /* what is read only goes back to where it was */
  MPL_ACCESS_USED = 64,       /* it decides what the kernel does or writes */
  MPL_ACCESS_COPIED = 128,    /* it is written elsewhere as it is */
  MPL_ACCESS_ALIGN_SHIFT = 8, /* to which power of two its type is aligned */
  MPL_ACCESS_ALIGN_MASK = 0xff,
  MPL_ACCESS_PIECE = 1 << 16,    /* of a structure, perhaps: it may have holes */
  MPL_ACCESS_VOLATILE = 1 << 17, /* atomic only in so far as it is volatile, and no loop waits */
};

/* The state of a byte of a private variable, in its shadow (mpl_item_host.inside). */
enum mpl_own_byte { MPL_OWN_UNWRITTEN, MPL_OWN_WRITTEN, MPL_OWN_ENDED /* its scope */ };

/* An access to memory that work-items share, or a fence. */
struct mpl_access {
  struct mpl_place place;
  const char *variable; /* "tile", or null */
  uint32_t flags;       /* enum mpl_access_flags */
  uint32_t number;      /* the engine's own; 0 at first */
};

/* A stamp of 4 bytes of memory that work-items share (check/memory/stamps.h): phase, who, what they
 * did, and the number of the access. */
enum {
  MPL_STAMP_WHO_SHIFT = 32,
  MPL_STAMP_HOW_SHIFT = 47,
  MPL_STAMP_NUMBER_SHIFT = 49,
  MPL_STAMP_NOBODY = 0x7ffe, /* for who */
  MPL_STAMP_SEVERAL = 0x7fff,
  MPL_STAMP_READ = 1, /* how */
  MPL_STAMP_WROTE = 2,
};

/* The bits of a stamp that say who did so, and when. */
static inline uint64_t mpl_stamp_mask(uint32_t how) {
  return ((uint64_t)1 << MPL_STAMP_HOW_SHIFT) - 1 + ((uint64_t)how << MPL_STAMP_HOW_SHIFT);
}

enum mpl_watch_kind { MPL_WATCH_LOCAL, MPL_WATCH_GLOBAL, MPL_WATCH_KINDS };

/* Memory in which an access may be found to be a repeat by the stamps. */
struct mpl_watched_view {
  const char *low;
  uint64_t words, writable; /* of 4 bytes; 0: by a call only */
  const uint64_t *stamps;
};

/* The stamps that the running work-item writes. */
struct mpl_watch_now {
  uint64_t own[MPL_WATCH_KINDS];        /* what it read and wrote in this phase */
  uint64_t own_read;                    /* what of global memory it only read */
  uint64_t shared[MPL_WATCH_KINDS];     /* what is read by several in this phase */
  uint64_t anywhere;                    /* global memory that several groups only read */
  const struct mpl_watched_view *views; /* of the kernel's arguments */
  struct mpl_watched_view local;        /* all of the group's */
};

/* What watched work-items are given in place of their group. */
struct mpl_watch {
  struct mpl_group group; /* first */
  const struct mpl_watch_now *now;
};

enum mpl_item_tells { MPL_TELLS = 1, MPL_TELLS_NO_ATOMICS = 2 }; /* 0: it does not */

/* What a work-item asks of the engine. */
struct mpl_item_host {
  /* Runs `item` for all work-items of the group; `tells`: of its accesses, enum mpl_item_tells. */
  void (*run)(const struct mpl_launch *, const struct mpl_group *, mpl_group_fn *item,
              uint32_t sub_group_size, uint32_t num_branches, uint32_t tells);
  uint64_t (*id)(uint32_t which); /* enum mpl_item_id */
  /* What is called next (null: a loop that waits turns back), where, and its flags and scope or 0:
   * until it is said again. */
  void (*at)(const struct mpl_function *, const struct mpl_place *, uint64_t argument);
  /* `value`: the operand, then the result. */
  void (*meet)(const struct mpl_item_meeting *, void *value, uint64_t argument);
  /* A branch, the `index`th of the kernel's num_branches in the order of its control flow, goes by
   * the value of its condition. */
  void (*branch)(const struct mpl_branch *, uint32_t index, uint64_t value);
  /* What it is about to access; `argument`: by which of the kernel's, from 1 on, or 0. */
  void (*access)(struct mpl_access *, const void *address, uint64_t size, uint32_t argument);
  /* In front of that, or alone if only the work-item sees it: `base` points to a variable of
   * `whole` bytes, in which the access has to stay.  `written`, or null: for each of its bytes
   * whether it was written, enum mpl_own_byte.  Without an access: the scope of a private variable
   * to which pointers are kept begins, or (`size` is not 0) ends. */
  void (*inside)(struct mpl_access *, const void *address, uint64_t size, const void *base,
                 uint64_t whole, uint8_t *written);
  /* Runs a group of a kernel that is a filter (abi/filter.h); `uses`: one for each argument. */
  void (*filter)(const struct mpl_launch *, const struct mpl_group *, mpl_group_fn *,
                 const struct mpl_filter_use *uses);
};

#endif

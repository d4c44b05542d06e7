/* The contract between a kernel compiled as a filter for the checking engine and the engine: vector
 * code, as without the check, with a conservative look at each access.  Where a look says "perhaps
 * a mistake", the kernel stops, its writes are undone, and the engine runs the launch.
 * compiler/items/filter.c chooses such kernels, compiler/filter/filter.c makes the looks,
 * check/filter/ runs them.
 *
 * Each accessed element of memory has two stamps of 32 bits, for its last write and its last read:
 * a number that stands for a work-item and a phase.  Numbers below those of the running phase are
 * in order with it. */
#ifndef MPL_ABI_FILTER_H
#define MPL_ABI_FILTER_H

#include "kernel.h"

enum mpl_filter_kind { MPL_FILTER_LOCAL, MPL_FILTER_GLOBAL, MPL_FILTER_KINDS };

/* The word in unwritten memory (check/memory/unwritten.h), at multiples of its size: a large number
 * in every type, so that results show it. */
#define MPL_UNWRITTEN UINT32_C(0xf7d3a1c7)

/* The kernel's accesses to the memory of an argument. */
enum { MPL_FILTER_READS = 1, MPL_FILTER_WRITES = 2 };
struct mpl_filter_use {
  uint8_t uses;
  uint8_t shift; /* an element has 1 << shift bytes */
};

/* The origin of a pointer in a kernel in C or C++, whose memory is treated like that of an argument
 * of an OpenCL kernel. */
enum mpl_root_kind {
  MPL_ROOT_ARGS,   /* it is the argument block, of `size` bytes */
  MPL_ROOT_BLOCK,  /* it stands there, at `offset` */
  MPL_ROOT_MEMORY, /* the same in memory that the kernel only reads, behind what root `from` is */
  MPL_ROOT_GLOBAL, /* it is `variable`, of `size` bytes */
  MPL_ROOT_LOCAL,  /* it is the group's dynamic local memory */
};
struct mpl_filter_root {
  uint32_t kind, from;
  uint64_t offset, size;
  const void *variable;
};

/* The filter of a kernel in C or C++, to which its record leads.  Programs stay as they were
 * compiled, so a change of anything here or in mpl_item_host.filter is another version, and other
 * versions are not run. */
#define MPL_RECORD_FILTER_VERSION 1u
struct mpl_record_filter {
  uint32_t version, num_roots;
  const struct mpl_filter_root *roots;
  mpl_group_fn *run;
  uint64_t local_size;                      /* in front of the launch's own local memory */
  uint32_t scratch_per_item, scratch_fixed; /* as in mpl_kernel */
  uint32_t flags;                           /* the same */
  uint32_t sub_group;                       /* the same; 0: it has no functions of sub-groups */
  uint32_t level; /* of the x86-64 architecture, that the processor needs */
  uint32_t reserved;
};

/* An argument's memory. */
struct mpl_filter_view {
  const char *low;
  uint64_t units, writable; /* elements that may be read, and written */
  char *wrote, *read; /* stamps, one for each element; null: looks test the size only */
};

/* Of the sub-group that runs, in a kernel whose sub-groups' barriers order memory: between two of
 * them, a step, its work-items have numbers of their own.  Those of its earlier steps are in order
 * with it: the first `done` from `low` on, and in all steps but the first one `before` numbers from
 * `from` on, which are the first step's. */
struct mpl_filter_steps {
  uint32_t own;     /* the number that work-item 0 would have in this step */
  uint32_t several; /* of more than one work-item of the sub-group in this step */
  uint32_t from, before, low, done;
  uint32_t next; /* the first that no work-item of the phase has */
};

/* An access of many bytes, or of a number that is not known before. */
struct mpl_filter_range {
  const char *base; /* of a variable in local memory, of `whole` bytes, if `argument` is 0 */
  uint64_t whole;
  uint32_t argument; /* whose memory it is, from 1 on */
  uint32_t flags;    /* enum mpl_access_flags */
  uint32_t shift, is_local;
};

/* Passed to the group function in place of its group. */
struct mpl_filter_group {
  struct mpl_group group;           /* first */
  uint32_t phase[MPL_FILTER_KINDS]; /* number of work-item 0 in this phase; the others' follow */
  uint32_t first; /* of local memory: the number of the group's first phase; what is less is another
                   * group's */
  uint32_t
      several; /* behind the numbers of a phase's work-items and steps: more than one work-item;
                * and behind that, in local memory: those that have accessed it atomically */
  uint32_t atomics; /* the same in global memory: the greatest number of the launch */
  uint32_t earlier; /* the first number that another group's access may have, if there is one */
  const struct mpl_filter_view *views;               /* by argument */
  char *local_wrote, *local_read;                    /* stamps of local memory, one for each byte */
  void (*stop)(struct mpl_filter_group *);           /* does not return */
  void (*next)(struct mpl_filter_group *, uint32_t); /* a barrier: bits 1 << enum mpl_filter_kind */
  struct mpl_filter_steps steps[MPL_FILTER_KINDS];
  uint32_t first_item, num_items; /* of the sub-group that runs */
  void (*begin)(struct mpl_filter_group *, uint32_t first, uint32_t count); /* a sub-group runs */
  void (*step)(struct mpl_filter_group *, uint32_t); /* a barrier of its own, as `next` */
  /* Called in front of an access of a work-item. */
  void (*range)(struct mpl_filter_group *, const char *at, uint64_t size, uint64_t item,
                const char *base, uint64_t whole, uint32_t argument, uint32_t flags, uint32_t shift,
                uint32_t is_local);
};

#endif

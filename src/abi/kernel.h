/* The contract between a compiled kernel object and the run time that loads it.
 *
 * A program.so made by maniple's compiler exports one symbol, `mpl_object`; the run time reads that
 * table and calls its group functions, and nothing else crosses the border.  A change here changes
 * MPL_ABI_VERSION, which is part of every cache key and is checked at load.
 *
 * All sizes and offsets are bytes unless a name says otherwise; dimensions are x, y, z. */
#ifndef MPL_ABI_H
#define MPL_ABI_H

#ifdef __OPENCL_C_VERSION__ /* the built-in library reads launch and group too */
typedef uchar uint8_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#else
#include <stdint.h>
#endif

#define MPL_ABI_VERSION 6u
#define MPL_OBJECT_SYMBOL "mpl_object"

#ifndef __OPENCL_C_VERSION__
/* What a running kernel may ask of its host. */
struct mpl_host {
  /* OpenCL C printf (section 6.13.13 of OpenCL C 3.0).  `args` holds the arguments one after
   * another, each at the next multiple of 8 bytes: integers widened to 64 bits (by their own
   * signedness being unknown, zero-extended from their promoted width), floating point as double,
   * pointers as 64 bits, vectors as their elements in memory order, each element with its own
   * size and vec3 stored as 3 elements.  Returns 0, or -1 as the specification says. */
  int (*print)(const char *format, const void *args, uint64_t args_size);
  const struct mpl_item_host *items; /* null unless the kernel is MPL_KERNEL_PER_ITEM */
};

#endif

/* One clEnqueueNDRangeKernel: the same for all its work-groups, read-only while they run. */
struct mpl_launch {
  uint32_t work_dim;        /* 1 to 3 */
  uint32_t reserved;
  uint64_t global_offset[3];
  uint64_t global_size[3];  /* work-items; 1 in unused dimensions */
  uint64_t local_size[3];   /* enqueued local size: of every group but ragged last ones */
  uint64_t num_groups[3];
  const void *args;         /* argument block, laid out by mpl_arg.offset, 16-byte aligned */
  const struct mpl_host *host;
};

/* One work-group. */
struct mpl_group {
  uint64_t id[3];
  uint64_t size[3]; /* this group's own local size: smaller than local_size in a ragged group */
  void *local_base; /* the group's local memory: static part first, 128-byte aligned */
  void *scratch;    /* mpl_kernel_scratch() bytes, 64-byte aligned, contents undefined; the end of
                     * local memory */
  void *scratch_end;
};

#ifndef __OPENCL_C_VERSION__
/* Runs all work-items of one group to the end on the calling thread. */
typedef void mpl_group_fn(const struct mpl_launch *launch, const struct mpl_group *group);

enum mpl_arg_kind {
  MPL_ARG_VALUE,   /* `size` bytes, copied into the block */
  MPL_ARG_POINTER, /* a global or constant pointer: 8 bytes, or null */
  MPL_ARG_LOCAL,   /* the block holds the uint64_t offset into mpl_group.local_base where it begins */
  MPL_ARG_IMAGE,
  MPL_ARG_SAMPLER,
  MPL_ARG_UNSUPPORTED, /* a type that this device does not offer (pipe, queue) */
};

/* Bits of mpl_arg.type_qualifier, with the values of CL_KERNEL_ARG_TYPE_*. */
enum { MPL_TYPE_CONST = 1, MPL_TYPE_RESTRICT = 2, MPL_TYPE_VOLATILE = 4, MPL_TYPE_PIPE = 8 };

struct mpl_arg {
  const char *name;      /* "" if the program was built without -cl-kernel-arg-info */
  const char *type_name; /* as CL_KERNEL_ARG_TYPE_NAME prints it: "float4", "int*" */
  uint32_t size;         /* of the value; 8 for pointers */
  uint32_t align;
  uint32_t offset;       /* in the argument block */
  uint32_t pointee_align; /* natural alignment of what a pointer points to; local arguments need it */
  uint8_t kind;          /* enum mpl_arg_kind */
  uint8_t address_space; /* 0 private, 1 global, 2 constant, 3 local (order of our IR, not of CL_) */
  uint8_t access;        /* 0 none, 1 read_only, 2 write_only, 3 read_write */
  uint8_t type_qualifier;
};

/* The sizes of sub-groups that a kernel can be compiled for, ascending. */
#define MPL_SUB_GROUP_SIZES 8, 16, 32, 64

enum mpl_kernel_flags {
  MPL_KERNEL_HAS_SYNC = 1,     /* calls a barrier or a collective */
  MPL_KERNEL_HAS_ARG_INFO = 2, /* names of arguments are there */
  MPL_KERNEL_PRINTS = 4,
  MPL_KERNEL_PER_ITEM = 16, /* for the checking engine: its function runs mpl_item_host.run */
  MPL_KERNEL_UNIFORM = 8, /* clang's "uniform-work-group-size"="true": built for OpenCL C before 2.0
                             or with -cl-uniform-work-group-size, so no ragged groups */
};

struct mpl_kernel {
  const char *name;
  mpl_group_fn *run;
  const struct mpl_arg *args;
  uint32_t num_args;
  uint32_t args_size;         /* of the argument block */
  uint64_t local_size;        /* static local memory */
  uint64_t private_size;      /* per work-item: what is kept in memory for it, for the query */
  uint32_t scratch_per_item;  /* see mpl_kernel_scratch */
  uint32_t scratch_fixed;
  uint32_t reqd_local[3];     /* reqd_work_group_size, or 0 0 0 */
  uint32_t hint_local[3];     /* work_group_size_hint, or 0 0 0 */
  uint32_t reqd_sub_group;    /* intel_reqd_sub_group_size, or 0 */
  uint32_t sub_group;         /* work-items of a full sub-group; a power of two, 8 to 64 */
  uint32_t flags;             /* enum mpl_kernel_flags */
  const char *attributes;     /* as CL_KERNEL_ATTRIBUTES prints them, single spaces between */
};

/* The scratch memory that a group of `items` work-items needs. */
static inline uint64_t mpl_kernel_scratch(const struct mpl_kernel *kernel, uint64_t items) {
  return kernel->scratch_fixed + kernel->scratch_per_item * ((items + 63) / 64 * 64);
}

enum mpl_object_flags {
  MPL_OBJECT_WRITES_GLOBALS = 1, /* has writable program-scope variables: one copy per program */
};

struct mpl_object {
  uint32_t abi_version; /* first, so that any version can be recognised */
  uint32_t num_kernels;
  const struct mpl_kernel *kernels;
  /* Not among them; without arguments, or null.  To be run with one work-item: what constructs the
   * objects of program scope, before any kernel runs, and what destroys them, after all have. */
  const struct mpl_kernel *construct, *destruct;
  uint64_t globals_size; /* CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE */
  uint32_t flags;        /* enum mpl_object_flags */
  uint32_t reserved;
};

/* --- Kernels for the checking engine (compiler/per_item.c, check/object.c) --- */

enum mpl_item_id {
  MPL_ITEM_LOCAL_ID_0,
  MPL_ITEM_LOCAL_ID_1,
  MPL_ITEM_LOCAL_ID_2,
  MPL_ITEM_LOCAL_LINEAR_ID,
  MPL_ITEM_LANE, /* in its sub-group */
  MPL_ITEM_SUB_GROUP,
  MPL_ITEM_SUB_GROUP_SIZE, /* of its own one */
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
};

struct mpl_function; /* check/function.h */

/* A place in the source of an OpenCL program. */
struct mpl_place {
  const char *file;
  const char *text; /* the line, of programs given as text; else null */
  uint32_t line, column;
};

/* A branch on which it depends whether a work-item comes to a collective, and at which not all need
 * go the same way. */
struct mpl_branch {
  struct mpl_place place;
  uint64_t stay;       /* of a loop's end: the condition's value that stays in the loop */
  uint32_t is_loop;
  uint32_t is_at_head; /* it is decided on before each turn, not after it */
};

enum mpl_access_flags {
  MPL_ACCESS_READ = 1,
  MPL_ACCESS_WRITE = 2,
  MPL_ACCESS_ATOMIC = 4, /* volatile ones too */
  MPL_ACCESS_ACQUIRE = 8, /* without read and write: a fence */
  MPL_ACCESS_RELEASE = 16,
  MPL_ACCESS_UNUSED = 32, /* what is read only goes back to where it was */
};

/* An access to memory that work-items share, or a fence. */
struct mpl_access {
  struct mpl_place place;
  const char *variable; /* "tile", or null */
  uint32_t flags;       /* enum mpl_access_flags */
  uint32_t number;      /* the engine's own; 0 at first */
};

/* What a work-item asks of the engine. */
struct mpl_item_host {
  /* Runs `item` for all work-items of the group; `watched`: it tells of its accesses. */
  void (*run)(const struct mpl_launch *, const struct mpl_group *, mpl_group_fn *item,
              uint32_t sub_group_size, uint32_t num_branches, uint32_t watched);
  uint64_t (*id)(uint32_t which); /* enum mpl_item_id */
  /* What is called next (null: a loop that waits turns back), where, and its flags and scope or 0:
   * until it is said again. */
  void (*at)(const struct mpl_function *, const struct mpl_place *, uint64_t argument);
  /* `value`: the operand, then the result. */
  void (*meet)(const struct mpl_item_meeting *, void *value, uint64_t argument);
  /* A branch, the `index`th of the kernel's num_branches in the order of its control flow, goes by
   * the value of its condition. */
  void (*branch)(const struct mpl_branch *, uint32_t index, uint64_t value);
  /* What it is about to access. */
  void (*access)(struct mpl_access *, const void *address, uint64_t size);
};

#endif /* !__OPENCL_C_VERSION__ */

#endif /* MPL_ABI_H */

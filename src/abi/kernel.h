/* The contract between a compiled kernel object and the run time that loads it.
 *
 * A program.so made by maniple's compiler exports one symbol, `mpl_object`; the run time reads that
 * table and calls its group functions, and nothing else crosses the border.  A change here changes
 * MPL_ABI_VERSION, which is part of every cache key and is checked at load.
 *
 * All sizes and offsets are bytes unless a name says otherwise; dimensions are x, y, z. */
#ifndef MPL_ABI_KERNEL_H
#define MPL_ABI_KERNEL_H

#ifdef __OPENCL_C_VERSION__ /* the built-in library reads launch and group too */
typedef uchar uint8_t;
typedef uint uint32_t;
typedef ulong uint64_t;
#pragma OPENCL EXTENSION __cl_clang_function_pointers : enable
#else
#include <stdint.h>
#endif

#define MPL_ABI_VERSION 16u
#define MPL_OBJECT_SYMBOL "mpl_object"

#ifndef __OPENCL_C_VERSION__
/* The services of the host for a running kernel. */
struct mpl_host {
  /* OpenCL C printf (section 6.13.13 of OpenCL C 3.0).  `args` holds the arguments one after
   * another, each at the next multiple of 8 bytes.  Integers are zero-extended to 64 bits, since
   * LLVM's types do not tell signed ones; floating-point numbers are doubles; pointers take 64
   * bits. The elements of a vector follow one another in their own size, 3 of them for a vec3.
   * Returns 0, or -1 as the specification says. */
  int (*print)(const char *format, const void *args, uint64_t args_size);
  const struct mpl_item_host *items; /* abi/items.h; null unless MPL_KERNEL_PER_ITEM */
  const struct mpl_queue_host *queues; /* abi/enqueue.h; null: there are no queues on the device */
  uint64_t enqueuer;                   /* whose work-items these are, for the queues; on a GPU its
                                        * struct mpl_records (records.h), or 0 */
};

#endif

/* The number of named barriers in the pool of a work-group (SPIR-V), and the size of each in local
 * memory, in words of 64 bits (builtins/group/named_barrier.cl). */
enum { MPL_NAMED_BARRIERS = 64, MPL_NAMED_BARRIER_WORDS = 2 };

/* The alignment of arguments in local memory. */
#define MPL_LOCAL_ALIGN 128u

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
  void *local_base; /* the group's local memory: static part first, MPL_LOCAL_ALIGN aligned */
  void *scratch;    /* mpl_kernel_scratch() bytes, 64-byte aligned, contents undefined; the end of
                     * local memory */
  void *scratch_end;
  uint64_t ticks; /* added to: cycles in group operations, if the kernel counts them */
};

/* The places of the fields of these two, for code that builds them as types of LLVM. */
enum mpl_launch_field {
  MPL_LAUNCH_WORK_DIM,
  MPL_LAUNCH_RESERVED,
  MPL_LAUNCH_GLOBAL_OFFSET,
  MPL_LAUNCH_GLOBAL_SIZE,
  MPL_LAUNCH_LOCAL_SIZE,
  MPL_LAUNCH_NUM_GROUPS,
  MPL_LAUNCH_ARGS,
  MPL_LAUNCH_HOST,
  MPL_LAUNCH_FIELDS,
};
enum mpl_group_field {
  MPL_GROUP_ID,
  MPL_GROUP_SIZE,
  MPL_GROUP_LOCAL_BASE,
  MPL_GROUP_SCRATCH,
  MPL_GROUP_SCRATCH_END,
  MPL_GROUP_TICKS,
  MPL_GROUP_FIELDS,
};

#ifndef __OPENCL_C_VERSION__
/* Runs all work-items of one group to the end on the calling thread. */
typedef void mpl_group_fn(const struct mpl_launch *launch, const struct mpl_group *group);

enum mpl_arg_kind {
  MPL_ARG_VALUE,   /* `size` bytes, copied into the block */
  MPL_ARG_POINTER, /* a global or constant pointer: 8 bytes, or null */
  MPL_ARG_LOCAL,   /* the block holds the uint64_t offset into mpl_group.local_base where it begins */
  MPL_ARG_IMAGE,   /* the block holds a struct mpl_image, on GPUs its address (image.h) */
  MPL_ARG_SAMPLER, /* the block holds the sampler's bits (image.h), a uint64_t */
  MPL_ARG_PIPE,    /* the address of a struct mpl_pipe (pipe.h): 8 bytes */
  MPL_ARG_QUEUE,   /* a queue on the device, as the host names it: 8 bytes */
  MPL_ARG_UNSUPPORTED, /* a type that this device does not offer */
};

/* Bits of mpl_arg.type_qualifier, with the values of CL_KERNEL_ARG_TYPE_*. */
enum { MPL_TYPE_CONST = 1, MPL_TYPE_RESTRICT = 2, MPL_TYPE_VOLATILE = 4, MPL_TYPE_PIPE = 8 };

struct mpl_arg {
  const char *name;      /* "" if the program was built without -cl-kernel-arg-info */
  const char *type_name; /* as CL_KERNEL_ARG_TYPE_NAME prints it: "float4", "int*" */
  uint32_t size;         /* of the value; 8 for pointers */
  uint32_t align;
  uint32_t offset;       /* in the argument block */
  uint32_t pointee_align; /* natural alignment of the type behind a pointer, for local arguments */
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
  MPL_KERNEL_ALONG_Y = 32, /* memory is consecutive in y, or z: neighbours there run one after */
  MPL_KERNEL_ALONG_Z = 64, /* another, and local sizes are long there */
  MPL_KERNEL_PER_ITEM = 16, /* for the checking engine: its function runs mpl_item_host.run */
  MPL_KERNEL_UNIFORM = 8, /* clang's "uniform-work-group-size"="true": built for OpenCL C before 2.0
                             or with -cl-uniform-work-group-size, so no ragged groups */
  MPL_KERNEL_COUNTS = 128,    /* it adds to mpl_group.ticks */
  MPL_KERNEL_USES_LANES = 1 << 16, /* calls sub-group functions */
  MPL_KERNEL_ONE_SUB_GROUP = 1 << 17, /* combines values of a sub-group, and asks neither which one it
                                         is nor how large, nor combines a work-group's */
  MPL_KERNEL_ANY_GROUPS = 1 << 18, /* no work-item can tell how its range is divided into groups */
};

/* Above the bits of the flags, for profiles: the number of lanes of its widest work-item loop, 0 if
 * none is widened; and the number of its calls of barriers and collectives. */
#define MPL_KERNEL_LANES_SHIFT 8
#define MPL_KERNEL_LANES_MASK  0xffu
#define MPL_KERNEL_SYNCS_SHIFT 19

struct mpl_kernel {
  const char *name;
  mpl_group_fn *run;
  const struct mpl_arg *args;
  uint32_t num_args;
  uint32_t args_size;         /* of the argument block */
  uint64_t local_size;        /* static local memory */
  uint64_t private_size;      /* bytes that a work-item keeps in memory, for the query */
  uint32_t scratch_per_item;  /* see mpl_kernel_scratch */
  uint32_t scratch_fixed;
  uint32_t reqd_local[3];     /* reqd_work_group_size, or 0 0 0 */
  uint32_t hint_local[3];     /* work_group_size_hint, or 0 0 0 */
  uint32_t reqd_sub_group;    /* intel_reqd_sub_group_size, or 0 */
  uint32_t sub_group;         /* work-items of a full sub-group; a power of two, 8 to 64 */
  uint32_t flags;             /* enum mpl_kernel_flags */
  const char *attributes;     /* as CL_KERNEL_ATTRIBUTES prints them, single spaces between */
  mpl_group_fn *run_lone; /* or null: runs in place of `run` where all groups have one work-item */
  uint64_t stack_size; /* at most used of the stack, but by functions of libraries; 0: not known.  Set
                        * when it is loaded, from what the compiler has written beside the code */
};

/* The place at which local memory may go on behind its first `size` bytes. */
static inline uint64_t mpl_local_end(uint64_t size) {
  return (size + MPL_LOCAL_ALIGN - 1) / MPL_LOCAL_ALIGN * MPL_LOCAL_ALIGN;
}

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
  /* Kernels of blocks, nor among them: what kernels enqueue (enqueue.h).  `enqueued` is where the
   * object's own table has the first; where it is loaded, `blocks` is a copy. */
  uint32_t num_blocks;
  const struct mpl_kernel *enqueued;
  const struct mpl_kernel *blocks;
};
#endif /* !__OPENCL_C_VERSION__ */

#endif /* MPL_ABI_KERNEL_H */

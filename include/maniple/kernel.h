/* The part of maniple that kernels in C and C++ use: the record that describes a kernel, and the
 * functions that a work-item may call.  C11 and C++17, any compiler.
 *
 * A kernel is a function of one work-item, `void item(void *args)`, described by a record (struct
 * mpl_kernel_record) that is marked with MPL_KERNEL_RECORD.  Compiled by `maniple cc` or `maniple
 * c++`, the record also gets a function that runs a whole work-group at full speed; with any other
 * compiler that entry stays null, and each work-item is a fibre.  The results are the same.
 *
 * Names: mpl_X is OpenCL C's function X, mpl_X_T its overload for the type T (int, uint, long,
 * ulong, half, float, double, ...).  Every collective has, as its last argument, the place in the
 * source where it is called, for messages; the compiler drops it. */
#ifndef MANIPLE_KERNEL_H
#define MANIPLE_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define MPL_KERNEL_RECORD __attribute__((annotate("maniple.kernel")))
#define MPL_COLLECTIVE    __attribute__((visibility("default"), nothrow, convergent, noduplicate))
#else
#define MPL_KERNEL_RECORD
#define MPL_COLLECTIVE __attribute__((visibility("default"), nothrow))
#endif
/* An operand that only the work-item that it is taken from need have set.  clang (16 and later) marks each other
 * argument as defined, and LLVM then takes the call for one that this work-item alone makes.  `maniple cc` and
 * `maniple c++` take the mark off all arguments. */
#if defined(__clang__) && !defined(__MANIPLE__)
#if __has_attribute(maybe_undef)
#define MPL_MAYBE_UNDEFINED __attribute__((maybe_undef))
#endif
#endif
#if !defined(MPL_MAYBE_UNDEFINED)
#define MPL_MAYBE_UNDEFINED
#endif
/* Not `const`: an id is the same for a work-item's whole life, but its function may be inlined into
 * code that is not. */
#define MPL_WORK_ITEM __attribute__((visibility("default"), nothrow, pure))

#ifdef __cplusplus
extern "C" {
#endif

/* --- The record ------------------------------------------------------------------------------ */

#define MPL_KERNEL_RECORD_VERSION 3u /* 1: without `filter`; 2: without `gpu` */

struct mpl_launch; /* of ../../src/abi/kernel.h: for code of maniple's compiler only */
struct mpl_group;
struct mpl_record_filter; /* of ../../src/abi/filter.h */
struct mpl_record_gpu;    /* of ../../src/abi/record_gpu.h */

enum mpl_record_flags {
  MPL_RECORD_HAS_SYNC = 1, /* set by the compiler: calls a barrier or a collective */
  MPL_RECORD_EVEN = 2, /* no ragged groups: the local size has to divide the global one (SYCL) */
  MPL_RECORD_NO_GROUPS = 4, /* the program gave no local size: collectives are a mistake */
  MPL_RECORD_ROWS_FIRST = 8, /* messages have the fastest dimension last, as SYCL has */
  MPL_RECORD_ONE_GROUP = 16, /* all its work-items may wait for each other (SYCL's root_group) */
  MPL_RECORD_COUNTS_TURNS = 32, /* set by the compiler: loops around collectives count iterations */
  MPL_RECORD_GPU_ONLY = 128, /* for its host it is a function like others, and not compiled */
  MPL_RECORD_NO_DEVICE = 64, /* set by the compiler: it requires what no device has */
};

/* Also set by the compiler: the size of sub-groups, if it calls their functions, in the bits from
 * 8; the level of the x86-64 architecture that the processor needs, in the bits from 16; the lanes
 * of its widest work-item loop, 0 if none is widened, in those from 24.  Eight bits each. */
#define MPL_RECORD_SUB_GROUP_SHIFT 8
#define MPL_RECORD_LEVEL_SHIFT     16
#define MPL_RECORD_LANES_SHIFT     24
#define MPL_RECORD_SUB_GROUP       16 /* the size where the kernel requires none */

/* Must be a variable with static storage and a constant initialiser, and not const: the compiler
 * fills in the second half.  Dimension 0 is the fastest one (x). */
struct mpl_kernel_record {
  uint32_t version; /* MPL_KERNEL_RECORD_VERSION */
  uint32_t flags;   /* enum mpl_record_flags */
  const char *name; /* for messages and profiles */
  const char *file; /* where it is defined; may be null */
  uint32_t line;
  uint32_t dims;            /* 1 to 3; 0: any */
  void (*item)(void *args); /* one work-item; `args` is the argument block of the launch, which all
                             * work-items share and none may change */
  uint64_t args_size;       /* of that block */
  uint32_t reqd_local[3];   /* required work-group size, or 0 0 0; with
                           * MPL_RECORD_NO_GROUPS the program's, which the engine ignores */
  uint32_t reqd_sub_group;  /* required sub-group size, or 0 */

  /* Filled by maniple's compiler; zero in the source. */
  void (*group)(const struct mpl_launch *, const struct mpl_group *); /* a work-group; args is
                                                                       * launch->args */
  uint64_t local_size;       /* bytes of local memory that it needs itself */
  uint64_t private_size;     /* bytes for each work-item, for queries */
  uint32_t scratch_per_item; /* as in mpl_kernel of abi/kernel.h */
  uint32_t scratch_fixed;
  const struct mpl_record_filter *filter; /* of a program that announces its accesses to the
                                           * checking engine; `group` is null then */
  const struct mpl_record_gpu *gpu; /* of a program that is compiled for GPUs too */
};

/* --- Where a collective is called ------------------------------------------------------------ */

struct mpl_site {       /* must live until the call returns */
  const char *file;     /* null: unknown */
  const char *function; /* that the program called, as messages name it; null: as the engine does */
  uint32_t line, column; /* 0: unknown */
};

/* In C: a pointer to the place where the macro stands. */
#define MPL_SITE() (&(const struct mpl_site){__FILE__, 0, __LINE__, 0})

/* --- Work-item functions: as OpenCL C's, 0 (sizes: 1) for a dimension above 2 -------------------
 */

MPL_WORK_ITEM uint32_t mpl_get_work_dim(void);
MPL_WORK_ITEM size_t mpl_get_global_size(uint32_t dimension);
MPL_WORK_ITEM size_t mpl_get_global_id(uint32_t dimension);
MPL_WORK_ITEM size_t mpl_get_global_offset(uint32_t dimension);
MPL_WORK_ITEM size_t mpl_get_global_linear_id(void);
MPL_WORK_ITEM size_t mpl_get_local_size(uint32_t dimension); /* of this group: ragged ones differ */
MPL_WORK_ITEM size_t mpl_get_enqueued_local_size(uint32_t dimension);
MPL_WORK_ITEM size_t mpl_get_local_id(uint32_t dimension);
MPL_WORK_ITEM size_t mpl_get_local_linear_id(void);
MPL_WORK_ITEM size_t mpl_get_num_groups(uint32_t dimension);
MPL_WORK_ITEM size_t mpl_get_group_id(uint32_t dimension);
MPL_WORK_ITEM uint32_t
mpl_get_sub_group_size(void); /* of this sub-group: the last one may be short */
MPL_WORK_ITEM uint32_t mpl_get_max_sub_group_size(void);
MPL_WORK_ITEM uint32_t mpl_get_num_sub_groups(void);
MPL_WORK_ITEM uint32_t mpl_get_enqueued_num_sub_groups(void);
MPL_WORK_ITEM uint32_t mpl_get_sub_group_id(void);
MPL_WORK_ITEM uint32_t mpl_get_sub_group_local_id(void);

/* The group's dynamic local memory: as many bytes as the launch asked for, 128-byte aligned, the
 * same for all work-items of a group; contents undefined at the start of a group.  (In compiled
 * code: mpl_group.local_base, after the record's local_size bytes.) */
MPL_WORK_ITEM void *mpl_get_local_memory(void);

/* The memory of the running kernel to which a pointer leads that this work-item may follow. */
enum mpl_space { MPL_SPACE_GLOBAL, MPL_SPACE_LOCAL, MPL_SPACE_PRIVATE };
MPL_COLLECTIVE uint32_t mpl_get_address_space(const void *);

/* What a variable of the program is in one of several sets of instances (of a device and a context,
 * say): `size` bytes that begin as those at `initial` do, null: as zeros; the same place each time;
 * null if there is no memory for them, whose use in a kernel is a fault that is told.
 * The set ends, and they with it, when no kernel that asks for one of them runs any more. */
typedef struct mpl_instances mpl_instances;
MPL_COLLECTIVE mpl_instances *mpl_create_instances(void); /* null: no memory */
MPL_COLLECTIVE void mpl_destroy_instances(mpl_instances *);
/* The same, where that device's kernels reach them. */
struct mpl_device;
MPL_COLLECTIVE mpl_instances *mpl_create_instances_on(struct mpl_device *);
/* Without a set: the variable itself. */
MPL_WORK_ITEM void *mpl_instance(mpl_instances *, const void *variable, const void *initial,
                                 size_t size, size_t align);

/* Variables that kernels of a part of the program may read or write; `list` null: any variable.
 * What maniple's compiler makes of a file with instances tells of them when it is loaded. */
struct mpl_kernel_variables {
  struct mpl_kernel_variables *next; /* written by the function that tells */
  size_t count;
  const void *const *list;
};
MPL_COLLECTIVE void mpl_tell_kernel_variables(struct mpl_kernel_variables *);
MPL_COLLECTIVE void mpl_forget_kernel_variables(struct mpl_kernel_variables *);
MPL_COLLECTIVE int mpl_is_kernel_variable(const void *); /* 0: no kernel that is told of uses it */

/* Memory of a work-group that no launch asks for: `size` bytes for each place in the program that
 * calls it, the same for all work-items of a group; contents undefined at the start of a group.
 * maniple's compiler makes a variable of each such call. */
MPL_COLLECTIVE void *mpl_group_place(size_t size, size_t align);

/* --- Collectives -------------------------------------------------------------------------------
 */

/* Flags: CLK_LOCAL_MEM_FENCE and so on.  Scope: the values of OpenCL C's memory_scope. */
enum {
  MPL_FENCE_LOCAL = 1,
  MPL_FENCE_GLOBAL = 2,
  MPL_FENCE_IMAGE = 4,
  MPL_FENCE_COPIES = 8, /* beside the others: it waits for asynchronous copies of the group */
};
enum mpl_memory_scope {
  MPL_SCOPE_WORK_ITEM = 0,
  MPL_SCOPE_WORK_GROUP = 1,
  MPL_SCOPE_DEVICE = 2,
  MPL_SCOPE_ALL_DEVICES = 3,
  MPL_SCOPE_SUB_GROUP = 4,
};

MPL_COLLECTIVE void mpl_work_group_barrier(uint32_t flags, uint32_t scope, const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_barrier(uint32_t flags, uint32_t scope, const struct mpl_site *);

/* For values of any type without a copy constructor of its own: `value` is read and then replaced
 * by the result.  The id of a broadcast is linear and has to be the same for all; that of a shuffle
 * may differ. */
MPL_COLLECTIVE void mpl_work_group_broadcast_bytes(void *value, size_t size, size_t linear_id,
                                                   const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_broadcast_bytes(void *value, size_t size, uint32_t id,
                                                  const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_shuffle_bytes(void *value, size_t size, uint32_t id,
                                                const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_shuffle_xor_bytes(void *value, size_t size, uint32_t mask,
                                                    const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_shuffle_up_bytes(void *value, size_t size, uint32_t delta,
                                                   const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_shuffle_down_bytes(void *value, size_t size, uint32_t delta,
                                                     const struct mpl_site *);

/* For operations and types that the table of collectives lacks: `left` becomes (left op right).
 * The operands are combined in ascending linear id.  `first` is the result of an exclusive scan for
 * the first work-item. */
typedef void mpl_combine_fn(void *left, const void *right, const void *state);
MPL_COLLECTIVE void mpl_work_group_reduce_bytes(void *value, size_t size, mpl_combine_fn *combine,
                                                const void *state, const struct mpl_site *);
MPL_COLLECTIVE void mpl_work_group_scan_inclusive_bytes(void *value, size_t size,
                                                        mpl_combine_fn *combine, const void *state,
                                                        const struct mpl_site *);
MPL_COLLECTIVE void mpl_work_group_scan_exclusive_bytes(void *value, size_t size,
                                                        mpl_combine_fn *combine, const void *state,
                                                        const void *first, const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_reduce_bytes(void *value, size_t size, mpl_combine_fn *combine,
                                               const void *state, const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_scan_inclusive_bytes(void *value, size_t size,
                                                       mpl_combine_fn *combine, const void *state,
                                                       const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_scan_exclusive_bytes(void *value, size_t size,
                                                       mpl_combine_fn *combine, const void *state,
                                                       const void *first, const struct mpl_site *);

/* The linear id of a local id, which has to lie in the group: for broadcasts by an id of two or
 * three dimensions. */
MPL_COLLECTIVE size_t mpl_linear_id_of(size_t x, size_t y, size_t z, const struct mpl_site *);

/* Announces, without a meeting, that all work-items of that scope have to reach its next
 * collective, and that all pass the same `value` (an end of a joint range, the state of a
 * predicate, a distance).  The checking engine compares them there; compiled code does nothing.
 * `what` names the value in a message and has to live as long as the program. */
MPL_COLLECTIVE void mpl_work_group_same(const char *what, uint64_t value, const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_same(const char *what, uint64_t value, const struct mpl_site *);
/* The same for an object, compared word by word but for addresses of a work-item's own variables,
 * and for a text, of which only the address is compared. */
MPL_COLLECTIVE void mpl_work_group_same_bytes(const char *what, const void *object, size_t size,
                                              const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_same_bytes(const char *what, const void *object, size_t size,
                                             const struct mpl_site *);
MPL_COLLECTIVE void mpl_work_group_same_text(const char *what, const char *text,
                                             const struct mpl_site *);
MPL_COLLECTIVE void mpl_sub_group_same_text(const char *what, const char *text,
                                            const struct mpl_site *);

/* The work-item has read memory that others write, perhaps in a loop that waits for them: on the
 * checking engine they get to run. */
MPL_COLLECTIVE void mpl_wait_hint(const struct mpl_site *);

/* Calls that the compiler puts around loops with collectives in them, for the checking engine:
 * which iterations of loops the work-item is in. */
MPL_COLLECTIVE uint64_t mpl_get_turns(void);
MPL_COLLECTIVE void mpl_set_turns(uint64_t turns);

/* --- Mistakes that the headers of a language find ---------------------------------------------
 * Reported as docs/checking.md has it.  In a kernel mpl_report_mistake does not return: the group
 * is given up.  `site` null: the innermost caller that is not in a folder named sycl, if the
 * program has line numbers in its debug information. */
enum mpl_mistake {
  MPL_MISTAKE_INDEX,  /* an index that does not exist */
  MPL_MISTAKE_ACCESS, /* memory that a command has not asked for */
  MPL_MISTAKE_WAIT,   /* for something that waits for who waits */
};
MPL_COLLECTIVE void mpl_report_mistake(enum mpl_mistake, const char *message,
                                       const struct mpl_site *);

/* The argument block of the running kernel; null outside of one. */
MPL_COLLECTIVE void *mpl_get_arguments(void);

/* For the function of a work-item that has caught an exception, which must not leave it: the launch
 * ends with that error (negative); what has not begun does not run. */
MPL_COLLECTIVE void mpl_stop_launch(int error);

#ifdef __cplusplus
}
#endif

/* reduce, scan_inclusive, scan_exclusive, broadcast, all, any, shuffle ..., for each type: made
 * from the table of collectives.  A half is passed as its 16 bits. */
#include <maniple/collectives.h>

#endif

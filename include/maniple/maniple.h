/* maniple for C and C++ host programs: devices, memory, queues, events, launches.  <sycl/sycl.hpp>
 * and <maniple/group.h> are built on it.
 *
 * Functions that return int return 0 or an OpenCL error code, which is negative; mpl_error_text()
 * then has a sentence.  Functions that return a pointer return null in that case.  Any thread may
 * call all of them.  Dimension 0 is the fastest one. */
#ifndef MANIPLE_MANIPLE_H
#define MANIPLE_MANIPLE_H

#include <maniple/kernel.h>

#define MPL_API __attribute__((visibility("default")))

#ifdef __cplusplus
extern "C" {
#endif

/* The sentence on this thread's last error; never null. */
MPL_API const char *mpl_error_text(void);

/* --- Devices: there as long as the process -----------------------------------------------------
 */

struct mpl_device;

/* For a program whose kernels are compiled for GPUs too (`maniple c++ --target=cuda` does so): these
 * are devices as well, behind the others, from now on.  To be called before any of these functions. */
MPL_API void mpl_offer_gpus(void);
#ifdef __MANIPLE_CUDA__
__attribute__((constructor(101))) static void mpl_offer_gpus_at_start(void) {
  mpl_offer_gpus();
}
#endif

/* Devices that run the program's kernels: the CPU, and what mpl_offer_gpus adds. */
MPL_API uint32_t mpl_count_devices(void);
MPL_API struct mpl_device *mpl_get_device(uint32_t index); /* null: no such device */

/* What a device is said to be: MANIPLE_DEVICE_TYPE chooses the CPU's. */
enum mpl_said_type { MPL_SAID_CPU = 2, MPL_SAID_GPU = 4, MPL_SAID_ACCELERATOR = 8 };

struct mpl_device_properties {
  const char *name, *vendor, *version;
  uint32_t vendor_id, compute_units, clock_mhz;
  uint32_t max_work_group_size; /* also of each dimension */
  uint32_t vector_bytes;        /* natural vector width */
  uint32_t sub_group_sizes[4];  /* those that a kernel may require; the rest is 0 */
  uint32_t sub_group_size;      /* of kernels that require none */
  uint64_t global_memory, max_allocation, local_memory, cache, cache_line;
  uint32_t is_gpu; /* its kernels reach only memory of mpl_malloc */
  uint32_t type;   /* enum mpl_said_type */
};

/* Fills in `size` = sizeof *properties bytes. */
MPL_API void mpl_describe_device(struct mpl_device *, struct mpl_device_properties *, size_t size);

/* A device with fewer threads, which the caller has to release.  Null if that is impossible. */
MPL_API struct mpl_device *mpl_create_sub_device(struct mpl_device *, uint32_t compute_units);
MPL_API void mpl_release_sub_device(struct mpl_device *);

struct mpl_kernel_properties {
  uint32_t max_work_group_size, preferred_multiple, sub_group_size;
  uint32_t is_compiled; /* by maniple's compiler; 0: its work-items are fibres */
  uint64_t local_size, private_size;
};

MPL_API void mpl_describe_kernel(struct mpl_device *, const struct mpl_kernel_record *,
                                 struct mpl_kernel_properties *, size_t size);

/* --- Memory that host and kernels share --------------------------------------------------------
 */

enum mpl_memory_kind { MPL_MEMORY_UNKNOWN, MPL_MEMORY_DEVICE, MPL_MEMORY_SHARED, MPL_MEMORY_HOST };

/* A GPU's DEVICE memory is reached by its kernels and by copies and fills alone, not by the host.
 * `align` is a power of two, or 0 for 128.  A size of 0 gives null without an error. */
MPL_API void *mpl_malloc(struct mpl_device *, enum mpl_memory_kind, size_t size, size_t align);
MPL_API int mpl_free(void *); /* null: nothing; -30 if it is not from mpl_malloc */
/* The kind of memory of the byte at `pointer`; *device (may be null) is set unless UNKNOWN. */
MPL_API enum mpl_memory_kind mpl_get_memory_kind(const void *pointer, struct mpl_device **device);

/* Kernels on the device reach those bytes of the program's own memory, at their addresses, until they
 * are taken back (each as it was lent, when no command uses it any more).  -59: the device cannot. */
MPL_API int mpl_lend_memory(struct mpl_device *, void *, size_t size);
MPL_API void mpl_take_back_memory(struct mpl_device *, void *, size_t size);

/* Copies at once, also what the host does not reach; 0, or a negative code. */
MPL_API int mpl_copy(void *to, const void *from, size_t size);

/* With MANIPLE_CHECK: -30, and a report, if the memory is of mpl_malloc and was freed, or the bytes
 * exceed it; else 0. */
MPL_API int mpl_check_access(const void *, size_t size, int writes);

/* Whether all kernels are checked (MANIPLE_CHECK): memory ends at guard bytes. */
MPL_API int mpl_is_checked(void);

/* --- Queues ------------------------------------------------------------------------------------
 */

struct mpl_queue;

enum mpl_queue_flags { MPL_QUEUE_IN_ORDER = 1, MPL_QUEUE_PROFILING = 2 };

MPL_API struct mpl_queue *mpl_create_queue(struct mpl_device *, unsigned flags);
MPL_API void mpl_release_queue(struct mpl_queue *); /* does not wait; its commands still run */
MPL_API void mpl_flush(struct mpl_queue *);
MPL_API int mpl_is_empty(struct mpl_queue *); /* whether all commands of the queue have ended */
/* Waits for all commands of the queue, and for the functions of mpl_on_end that they call. */
MPL_API void mpl_finish(struct mpl_queue *);

/* --- Events: one for each command, counted ------------------------------------------------------
 */

struct mpl_event;

struct mpl_event_times { /* ns on one clock */
  uint64_t queued, submitted, started, ended, completed;
};

MPL_API void mpl_retain_event(struct mpl_event *);
MPL_API void mpl_release_event(struct mpl_event *);
MPL_API int mpl_wait(struct mpl_event *);         /* helps to run it; 0 or how it failed */
MPL_API int mpl_event_status(struct mpl_event *); /* 3 queued, 2 submitted, 1 running, 0 done;
                                                   * negative: failed */
MPL_API void mpl_get_event_times(struct mpl_event *, struct mpl_event_times *);
/* Calls `function` once when the event has ended (`status` 0 or negative), at once if it has, on
 * any thread, which may be one that waits: the function must not wait for another event. */
MPL_API int mpl_on_end(struct mpl_event *, void (*function)(int status, void *data), void *data);
MPL_API struct mpl_event *mpl_create_event(void); /* mpl_end_event ends it */
MPL_API int mpl_end_event(struct mpl_event *, int status);

/* --- Commands ------------------------------------------------------------------------------------
 * All wait for `waits` (and, in an in-order queue, for the command before) and return at once.  If
 * one of `waits` fails, so does the command, without running.  *event (may be null) gets a
 * reference for the caller.  On an error nothing was submitted and nothing is kept. */

struct mpl_kernel_launch {
  const struct mpl_kernel_record *kernel;
  uint32_t dims;               /* 1 to 3 */
  size_t global[3], offset[3]; /* unused dimensions are ignored */
  size_t local[3];             /* local[0] = 0: the device chooses one */
  size_t local_memory;         /* bytes for mpl_get_local_memory() */
  void *args;                  /* the argument block: 16-byte aligned, or what its types need */
  void (*release)(void *args); /* called when the command has ended or could not be submitted;
                                * null: the block's args_size bytes are copied at once */
  struct mpl_instances *instances; /* on a GPU: what variables are that each device has for itself */
};

MPL_API int mpl_submit_kernel(struct mpl_queue *, const struct mpl_kernel_launch *,
                              struct mpl_event *const *waits, uint32_t num_waits,
                              struct mpl_event **event);

MPL_API int mpl_submit_copy(struct mpl_queue *, void *to, const void *from, size_t size,
                            struct mpl_event *const *waits, uint32_t num_waits,
                            struct mpl_event **event);
/* `pattern` (copied) `count` times. */
MPL_API int mpl_submit_fill(struct mpl_queue *, void *to, const void *pattern, size_t pattern_size,
                            size_t count, struct mpl_event *const *waits, uint32_t num_waits,
                            struct mpl_event **event);
/* A function of the host, which returns 0 or a negative error code.  `release` (may be null) is
 * called afterwards, also if `run` was not, or if the task could not be submitted.  The function
 * may wait for threads that wait for commands: none of these runs it. */
MPL_API int mpl_submit_task(struct mpl_queue *, int (*run)(void *data), void (*release)(void *data),
                            void *data, struct mpl_event *const *waits, uint32_t num_waits,
                            struct mpl_event **event);
/* The same for a function that waits for nothing: any thread runs it, also one that waits. */
MPL_API int mpl_submit_step(struct mpl_queue *, int (*run)(void *data), void (*release)(void *data),
                            void *data, struct mpl_event *const *waits, uint32_t num_waits,
                            struct mpl_event **event);
enum mpl_marker { MPL_MARKER_AFTER_ALL, MPL_MARKER_BARRIER, MPL_MARKER_WAITS };
/* Ends when all commands that were submitted before it, and `waits`, have ended.  BARRIER: later
 * commands also wait for it; WAITS: they do, and it waits only for `waits`. */
MPL_API int mpl_submit_marker(struct mpl_queue *, int kind, struct mpl_event *const *waits,
                              uint32_t num_waits, struct mpl_event **event);

/* Runs a kernel and waits for it, on the first device, or on the one that this thread has chosen. */
MPL_API int mpl_run_kernel(const struct mpl_kernel_launch *);
MPL_API void mpl_use_device(struct mpl_device *); /* null: the first again */

/* Why the device cannot be used any more in this process (a kernel's fault), or null. */
MPL_API const char *mpl_get_loss(struct mpl_device *);

#ifdef __cplusplus
}
#endif

#endif

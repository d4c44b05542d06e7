/* The device interface: everything above this line is the same for every device.
 *
 * A device is a struct of functions (cpu/ has the first); nothing outside its folder asks which
 * device it is.  It does operations: launches, copies and fills.  One that works on the caller's
 * thread has `perform` only.  One that works beside the host has streams too: what is issued to a
 * stream is done in that order, and a mark is a point of it for which one can wait. */
#ifndef MPL_RUNTIME_DEVICE_H
#define MPL_RUNTIME_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/kernel.h"

struct mpl_arg_uses; /* arg_uses.h */
struct mpl_device;
struct mpl_module;
struct mpl_stream;
struct mpl_mark;

/* The values of CL_DEVICE_TYPE_* and CL_DEVICE_SVM_*. */
enum mpl_device_type { MPL_TYPE_CPU = 2, MPL_TYPE_GPU = 4, MPL_TYPE_ACCELERATOR = 8 };
enum mpl_svm_bits { MPL_SVM_COARSE = 1, MPL_SVM_FINE = 2, MPL_SVM_ATOMICS = 8 };

/* Optional features of a device, which rows of features.def and queries ask for. */
enum mpl_offer {
  MPL_OFFERS_NATIVE = 1,       /* runs functions of the host (clEnqueueNativeKernel) */
  MPL_OFFERS_INTEL_GROUPS = 2, /* the cl_intel_* extensions of sub-groups */
  MPL_OFFERS_CLOCK = 4,        /* a steady counter that all compute units share */
  MPL_OFFERS_IMAGES = 8,       /* images and samplers */
  MPL_OFFERS_SUB_GROUPS = 16,  /* sub-group functions that all work-items of a sub-group call */
  MPL_OFFERS_PARTS = 32,       /* sub-group functions that some of them may call */
  MPL_OFFERS_USM = 64,         /* the allocations of cl_intel_unified_shared_memory */
  MPL_OFFERS_SPIRV = 128,      /* programs in SPIR-V (tables/spirv.def) */
  MPL_OFFERS_PIPES = 256,
  MPL_OFFERS_ENQUEUE = 512,    /* kernels that enqueue kernels */
  MPL_OFFERS_ADDRESSES = 1024, /* buffers have one address as long as they live */
  MPL_OFFERS_BARRIERS = 2048,  /* named barriers of sub-groups, in SPIR-V */
  MPL_OFFERS_ALL = 4095,
};

/* A description of the device: the answers to clGetDeviceInfo that differ between devices. */
struct mpl_device_info {
  const char *name, *vendor;
  const char *target; /* CPU and features, to which cache keys and binaries are bound */
  uint32_t vendor_id;
  uint32_t type;          /* enum mpl_device_type */
  uint32_t compute_units; /* worker threads */
  uint32_t max_work_group_size;
  uint32_t clock_mhz;
  uint64_t global_memory, max_allocation, local_memory;
  uint64_t global_cache, cache_line;
  uint32_t preferred_multiple; /* of work-items in a group */
  uint32_t vector_bytes; /* natural vector width, for the preferred-width queries */
  bool host_memory;      /* the device and the host share memory and addresses */
  bool refers_to_images; /* its argument blocks have addresses of descriptors (abi/image.h) */
  bool own_local_memory; /* local memory is not a part of the global one */
  bool corrects_errors;  /* memory errors, and reports them */
  bool is_checked;       /* all kernels run by perform_items; memory ends at guarded pages */
  bool takes_filters;    /* and before that filters, which are vector code (abi/filter.h) */
  bool fast_dot;         /* a dot product of four bytes takes one to three instructions */
  uint32_t svm;          /* enum mpl_svm_bits */
  uint32_t offers;       /* enum mpl_offer */
  uint32_t device_queues;  /* the largest number of queues that kernels enqueue to */
  /* Of kernels that require none, and the largest of MPL_SUB_GROUP_SIZES that others may require; 0:
   * the option's, and any. */
  uint32_t sub_group_size;
};

/* With `info.svm` each has one address on both sides, and kernels of all such devices of a kind may
 * use the last two. */
enum mpl_storage {
  MPL_STORAGE_DEVICE, /* the fastest for kernels; the host may be unable to read it */
  MPL_STORAGE_PINNED, /* the host's, near to the device: copies from and to it are fast */
  MPL_STORAGE_SHARED, /* moves to its user (SVM): only for a device with `info.svm` */
};

/* The beginning of a copy: an address of the device or of the host. */
struct mpl_location {
  void *base;
  bool on_host;
  uint64_t row, slice; /* bytes from one row, and one slice, to the next */
  bool shared;         /* the address is valid on both sides (PINNED, SHARED), and on_host false */
};

/* A kernel in C or C++ that is given to perform_items by its record.  `kernel.run` is null, and
 * `kernel.flags` has MPL_KERNEL_PER_ITEM. */
struct mpl_record_kernel {
  struct mpl_kernel kernel;
  const struct mpl_kernel_record *record;
};

/* The memory that an argument of an OpenCL kernel points to. */
struct mpl_arg_memory {
  uint64_t size;    /* 0: not known */
  const char *what; /* "a sub-buffer" */
  bool read_only;   /* for kernels */
  bool write_only;  /* the same */
  struct mpl_arg_uses *uses; /* gets the bytes that the launch uses; null: not wanted */
};

struct mpl_operation {
  enum mpl_operation_kind { MPL_LAUNCH, MPL_COPY, MPL_FILL } kind;
  union {
    struct {
      const struct mpl_kernel *kernel;
      const struct mpl_launch *launch; /* does not change until the operation has ended */
      uint64_t local_size;             /* static plus dynamic local memory of a group */
      const struct mpl_arg_memory *args; /* for the checking engine: one for each, or null */
      const struct mpl_kernel *filter;   /* the same: of the kernel (abi/filter.h), or null */
    } launch;
    struct {
      struct mpl_location to, from; /* do not overlap, but for linear copies on a host's device */
      uint64_t size[3];             /* bytes, rows, slices; linear: {n, 1, 1} */
    } copy;
    struct {
      struct mpl_location to; /* the device's */
      uint64_t size[3];       /* as of a copy; a row is a whole number of patterns */
      uint32_t pattern_size;
      unsigned char pattern[128];
    } fill;
  };
};

/* Functions that return int: 0, or a code of runtime/errors.h. */
struct mpl_device_ops {
  /* Loads an object file's bytes; null with one sentence in *why (static or malloc'd is up to the
   * device: the caller does not free it).  `name` is for debuggers and profilers. */
  struct mpl_module *(*load)(struct mpl_device *, const void *object, size_t size, const char *name,
                             const char **why);
  const struct mpl_object *(*table)(struct mpl_module *);
  void (*unload)(struct mpl_module *);

  /* Null if there is no memory.  Sub-ranges of memory are at its address plus an offset, also where
   * the host cannot read it.  `what` names it in messages and lives for ever: "a buffer". */
  void *(*allocate)(struct mpl_device *, size_t size, size_t align, enum mpl_storage,
                    const char *what);
  void (*release)(struct mpl_device *, void *, enum mpl_storage);

  /* From now on kernels reach that memory of the program's, at its own addresses, until it is taken
   * back, when no command uses it.  May be null: kernels reach all of it, or never will. */
  int (*lend)(struct mpl_device *, void *, size_t size);
  void (*take_back)(struct mpl_device *, void *, size_t size);

  /* Whether the device has given memory at that address, which the host uses too, or was lent it; may
   * be null, as those. */
  bool (*has_given)(struct mpl_device *, const void *);

  /* Does it, and returns when it is done; called by any thread.  Other threads of the device may
   * join in. */
  int (*perform)(struct mpl_device *, const struct mpl_operation *);

  uint64_t (*now)(struct mpl_device *); /* ns on the one clock of all event times */
  /* A good local size for a NULL one: divides the global size unless `uneven` groups are allowed.
   */
  void (*suggest_local_size)(struct mpl_device *, const struct mpl_kernel *, uint32_t dims,
                             const uint64_t global[3], bool uneven, uint64_t local[3]);

  /* mpl_device_partition, and its end once nobody holds it; null: it cannot be divided. */
  struct mpl_device *(*partition)(struct mpl_device *, uint32_t compute_units);
  void (*destroy)(struct mpl_device *);

  /* --- Of the checking engine (check/device.h), the same for every device --- */

  /* `perform` for launches of kernels of MPL_KERNEL_PER_ITEM; MPL_INVALID_OPERATION if a group
   * could not be run to its end because of a mistake in the kernel, which has been reported. */
  int (*perform_items)(struct mpl_device *, const struct mpl_operation *);
  /* Whether a command may read or write those bytes, as far as is known; reports it if not.  To be
   * asked by the thread that enqueues it.  Null: nothing is known. */
  bool (*may_access)(struct mpl_device *, const void *, size_t size, bool writes);

  /* --- Null in a device that works on the caller's thread --- */

  struct mpl_stream *(*stream_create)(struct mpl_device *, bool timed);
  void (*stream_destroy)(struct mpl_stream *); /* everything in it has ended */
  /* One thread at a time calls these for one stream. */
  int (*issue)(struct mpl_stream *, const struct mpl_operation *); /* which may go then */
  /* The same, with marks in front and behind, that are its own: null where there is no memory.  May
   * be null: then they are made as others. */
  int (*issue_timed)(struct mpl_stream *, const struct mpl_operation *, struct mpl_mark **begin,
                     struct mpl_mark **end);
  int (*wait_for)(struct mpl_stream *, struct mpl_mark *); /* the stream does, not the caller */
  struct mpl_mark *(*mark)(struct mpl_stream *);           /* behind all issued so far, or null */
  /* Any number of threads call these. */
  int (*reached)(struct mpl_mark *, bool sleep); /* 0 not yet, 1, or an error; sleep: until it is */
  int (*drain)(struct mpl_stream *);             /* sleeps until all issued so far has ended */
  void (*times)(struct mpl_mark *begin, struct mpl_mark *end, uint64_t *started, uint64_t *ended);
  void (*mark_free)(struct mpl_mark *); /* reached or not */
  /* Why nothing more can be done in this process (loss.h), or null; may be null. */
  const char *(*lost)(struct mpl_device *);
};

struct mpl_pool; /* threads.h */

struct mpl_device {
  const struct mpl_device_ops *ops;
  struct mpl_device_info info;
  struct mpl_pool *pool; /* the threads that run its commands, or what the host does for them */
  atomic_uint refs;      /* of a partition: its creator and the queues on it */
  atomic_bool told;      /* that it is lost (loss.c) */
  atomic_bool has_reason; /* then the reason is there, and does not change */
  char reason[224];       /* which kernel was given an address of the host's */
};

/* Performs an operation the way its kernel is made for. */
static inline int mpl_device_perform(struct mpl_device *device,
                                     const struct mpl_operation *operation) {
  bool by_item =
      operation->kind == MPL_LAUNCH && operation->launch.kernel->flags & MPL_KERNEL_PER_ITEM;
  return (by_item ? device->ops->perform_items : device->ops->perform)(device, operation);
}

/* A device with its own number of workers on the same hardware (clCreateSubDevices); null if out
 * of memory. */
struct mpl_device *mpl_device_partition(struct mpl_device *, uint32_t compute_units);
/* Of a partition: drops the creator's reference; queues that still have commands hold their own. */
void mpl_device_destroy(struct mpl_device *);
void mpl_device_retain(struct mpl_device *);

#endif

/* The OpenCL objects: the struct behind each handle, and how handles are checked and counted.
 *
 * Every object begins with the ICD's dispatch pointer (cl_khr_icd) and a magic number, so that a
 * wrong or released handle can be recognised: entry points check with mpl_valid() and answer with
 * the CL_INVALID_* code that the specification names. */
#ifndef MPL_OPENCL_OBJECTS_H
#define MPL_OPENCL_OBJECTS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/image.h"
#include "abi/kernel.h"
#include "opencl/device/extensions.h"
#include "runtime/memory/address_map.h"
#include "runtime/threads/fork.h"
#include "runtime/threads/lock.h"
#include "tables/cl_headers.h"
#include "toolchain/cache/binary.h"

enum mpl_magic { /* "mpl" and a letter; 0, or all bits turned, once it is freed */
  MPL_PLATFORM = 0x6d706c50, MPL_DEVICE = 0x6d706c44, MPL_CONTEXT = 0x6d706c43,
  MPL_QUEUE = 0x6d706c51, MPL_MEM = 0x6d706c4d, MPL_PROGRAM = 0x6d706c52,
  MPL_KERNEL = 0x6d706c4b, MPL_EVENT = 0x6d706c45, MPL_SAMPLER = 0x6d706c53,
  MPL_COMMAND_BUFFER = 0x6d706c42, MPL_MUTABLE_COMMAND = 0x6d706c55,
  MPL_SEMAPHORE = 0x6d706c58,
};

struct mpl_base {
  const cl_icd_dispatch *dispatch; /* first word: the loader reads it */
  uint32_t magic;                  /* enum mpl_magic */
  atomic_uint refs;                /* of clRetain/clRelease and of other objects, together */
};

/* The table through which the loader calls, from entry_points.def (icd.c). */
struct mpl_dispatch {
  cl_icd_dispatch known; /* to the headers that this is built with */
  void *later[4];        /* the entries that newer headers add */
};
extern const struct mpl_dispatch mpl_dispatch;

/* released.c: frees an object without references.  Under the check its handle and its memory stay
 * for a while, without its magic, so that a use of it is reported. */
void mpl_object_free(void *object);
/* Reports the use of such an object. */
void mpl_tell_released(const struct mpl_base *, enum mpl_magic);

/* True for a live object of that kind; null and misaligned handles are simply wrong. */
static inline bool mpl_valid(const void *handle, enum mpl_magic magic) {
  const struct mpl_base *base = handle;
  if (!base || (uintptr_t)base & 7) return false;
  if (base->magic == (uint32_t)magic) return true;
  if (base->magic == ~(uint32_t)magic) mpl_tell_released(base, magic);
  return false;
}

static inline void mpl_base_init(struct mpl_base *base, enum mpl_magic magic) {
  base->dispatch = &mpl_dispatch.known;
  base->magic = magic;
  atomic_init(&base->refs, 1);
}

/* List of callbacks, run in reverse order of registration where the specification says so. */
struct mpl_callback {
  struct mpl_callback *next;
  void (*function)(void); /* cast by who runs it */
  void *user_data;
};

struct _cl_platform_id {
  struct mpl_base base;
  int kind;         /* enum mpl_device_kind of its devices */
  const char *name;
};

struct mpl_device; /* runtime/device.h */

struct _cl_device_id {
  struct mpl_base base;
  cl_platform_id platform;
  struct mpl_device *device;            /* how it runs things */
  struct _cl_device_id *parent;         /* of a sub-device, retained */
  cl_device_partition_property *partition; /* how a sub-device was made, with the final 0s */
  size_t num_partition;
};

struct _cl_context {
  struct mpl_base base;
  cl_uint num_devices;
  cl_device_id *devices;
  cl_uint num_memories;                 /* buffer_memory.h */
  struct mpl_device **memories;         /* a device that works in it; of the host's, or null */
  cl_context_properties *properties;    /* as given, with the final 0, or null */
  size_t num_properties;
  void(CL_CALLBACK *notify)(const char *, const void *, size_t, void *);
  bool told;                            /* `notify` is called, once */
  void *notify_data;
  struct _cl_context *next, **link;     /* in the list of all (context.c); null: not in it */
  pthread_mutex_t lock;                 /* guards the lists below */
  struct mpl_callback *destructors;
  struct mpl_address_map svm;           /* live SVM allocations, for size and validity checks */
  struct mpl_address_map usm;           /* of cl_intel_unified_shared_memory: usm.c */
  struct mpl_address_map addresses;     /* of buffers, their owners, in hidden memory: addresses.c */
  cl_command_queue *default_queues;     /* on the devices, in their order, not retained; or null */
  cl_command_queue device_queues;       /* all on devices, not retained */
};

struct _cl_mem {
  struct mpl_base base;
  cl_context context;
  cl_mem_object_type type;
  cl_mem_flags flags;
  size_t size;
  size_t origin;                        /* in the memory object that has the bytes: mpl_mem_root */
  struct mpl_image *image;              /* of an image: its pixels, but for their place; else null */
  _Atomic(void *) *descriptors;         /* of an image: where devices have that (image_place.c) */
  void *data;                           /* the bytes, if all memory is the host's; else null, and */
  struct mpl_buffer_state *state;       /* their places; null if a parent has them */
  void *host_ptr;                       /* CL_MEM_HOST_PTR */
  cl_mem parent;                        /* retained, or null */
  bool uses_svm;
  cl_uint packet_size, max_packets;     /* of a pipe */
  cl_mem_properties *properties;
  size_t num_properties;
  pthread_mutex_t lock;
  struct mpl_callback *destructors;
  atomic_uint map_count;
  struct mpl_mem_watch *watch;              /* under the check, of one with its own bytes (mem_watch.h); or null */
  struct mpl_mapping *mappings;         /* live maps, checked by clEnqueueUnmapMemObject */
  struct mpl_mapping *write_maps;       /* those for writing of all objects whose bytes it has */
  atomic_uint user, turns;              /* the slot of who held it last, and how often another */
  _Atomic(struct mpl_hold *) holds;     /* by slot, once threads take turns (mem_hold.c); or null */
  bool is_closed;                       /* the holds are counted in base.refs again */
};

struct _cl_sampler {
  struct mpl_base base;
  cl_context context;                   /* retained */
  cl_bool normalized;
  cl_addressing_mode addressing;
  cl_filter_mode filter;
  cl_sampler_properties *properties;    /* as given, with the final 0, or null */
  size_t num_properties;
};

struct mpl_queue; /* runtime/commands/command.h */
struct mpl_recording; /* command_buffer.c */

struct _cl_command_queue {
  struct mpl_base base;
  cl_context context;
  cl_device_id device;
  cl_command_queue_properties flags;
  cl_queue_properties *properties;
  size_t num_properties;
  struct mpl_queue *queue;
  struct mpl_recording *recording;      /* a command-buffer's: takes commands instead; or null */
  cl_uint device_size;                  /* of a queue on the device, in bytes; 0: one of the host's */
  atomic_size_t device_used;            /* of them */
  cl_command_queue next_on_device;      /* of the context's */
};

struct mpl_command; /* runtime/commands/command.h: one node of the graph of commands */

struct _cl_event {
  struct mpl_base base;
  cl_context context;                   /* retained by the queue, or, without one, here */
  cl_command_queue queue;               /* retained; null for a user event */
  cl_command_type type;
  struct mpl_command *command;          /* retained */
};

/* One program built for one device. */
struct mpl_build {
  cl_build_status status;
  char *options;                        /* of the last build, compile or link */
  char *log;
  struct mpl_container binary;          /* its kind is CL_PROGRAM_BINARY_TYPE */
  struct mpl_module *module;            /* the loaded object of an executable (runtime/device.h) */
  const struct mpl_object *object;      /* its table */
  bool shares_module;                   /* another device's build unloads it: same target */
  struct mpl_module *filters;           /* of a device that checks kernels: those of its kernels that
                                         * have one (abi/filter.h); or null */
};

struct _cl_program {
  struct mpl_base base;
  cl_context context;
  cl_uint num_devices;
  cl_device_id *devices;
  char *source;                         /* joined; null if created from binaries or SPIR-V */
  size_t source_size;
  void *il;                             /* SPIR-V as it was given, or null */
  size_t il_size;
  struct mpl_constant *constants;       /* specialisation constants that are set; under `building` */
  size_t num_constants;
  struct mpl_build *builds;             /* one per device */
  pthread_mutex_t lock;                 /* builds, and num_kernels against them */
  pthread_mutex_t building;             /* held through a build, taken before lock */
  unsigned generation;                  /* counts finished builds */
  unsigned forks;                       /* mpl_generation() of the last build or question */
  atomic_uint num_kernels;              /* attached: a program with kernels cannot be rebuilt */
};

struct mpl_kernel_arg {
  bool set, is_svm;
  size_t local_size;                    /* of a local argument */
  cl_mem mem;                           /* a buffer or an image: not retained, as the spec has it */
};

struct _cl_kernel {
  struct mpl_base base;
  cl_program program;                   /* retained */
  const struct mpl_kernel *kernel;      /* in the first loaded object: the arguments, what it is */
  const struct mpl_kernel **on;         /* in each of the program's builds, or null */
  pthread_mutex_t lock;                 /* block, args, addresses */
  unsigned char *block;                 /* values by kernel->args; buffers get theirs at enqueue */
  struct mpl_kernel_arg *args;
  cl_ulong *addresses;                  /* of buffers that it uses besides (addresses.h) */
  size_t num_addresses;
  atomic_bool is_indirect;              /* it follows pointers in memory */
  atomic_uint cost, num_timed;          /* ns per 1024 work-items as measured, and how often */
};

/* Entry points beginning with the same checks use these; each answers CL_SUCCESS or the code. */
cl_int mpl_validate_wait_list(cl_context context, cl_uint count, const cl_event *list);

/* Adds a destructor callback in front of a list: they run newest first. */
cl_int mpl_callback_push(pthread_mutex_t *lock, struct mpl_callback **list,
                         void (*function)(void), void *user_data);

/* True if the device is one of the context's. */
bool mpl_context_has(cl_context context, cl_device_id device);

/* Reports a refused call on MANIPLE_DEBUG=error and returns `code`: who, what, how to mend. */
cl_int mpl_refuse(cl_int code, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* What a clCreate* call gives back; the code goes where the caller wants it. */
static inline void *mpl_give(void *object, cl_int code, cl_int *errcode_ret) {
  if (errcode_ret) *errcode_ret = code;
  return object;
}

/* clRetain* and clRelease*: one holder more; one fewer, and `end` when none is left. */
#define MPL_RETAIN(function, handle, magic, invalid)                                               \
  cl_int CL_API_CALL function(handle object) {                                                     \
    if (!mpl_valid(object, magic)) return invalid;                                                 \
    atomic_fetch_add(&object->base.refs, 1);                                                       \
    return CL_SUCCESS;                                                                             \
  }
#define MPL_RELEASE(function, handle, magic, invalid, end)                                         \
  cl_int CL_API_CALL function(handle object) {                                                     \
    if (!mpl_valid(object, magic)) return invalid;                                                 \
    if (atomic_fetch_sub(&object->base.refs, 1) == 1) end(object);                                 \
    return CL_SUCCESS;                                                                             \
  }

/* Answers a clGet*Info query from `size` bytes at `value` (CL_INVALID_VALUE if it does not fit). */
cl_int mpl_answer(const void *value, size_t size, size_t param_size, void *param_value,
                  size_t *param_size_ret);
cl_int mpl_answer_text(const char *text, size_t size, void *value, size_t *size_ret); /* or null */

/* The rows of such a call's switch: a scalar, a text, an array. */
#define MPL_QUERY(param, type, answer)                                                             \
  case param:                                                                                      \
    return mpl_answer(&(type){answer}, sizeof(type), size, value, size_ret);
#define MPL_QUERY_TEXT(param, text)                                                                \
  case param:                                                                                      \
    return mpl_answer_text(text, size, value, size_ret);
#define MPL_QUERY_ARRAY(param, type, count, pointer)                                               \
  case param:                                                                                      \
    return mpl_answer(pointer, (count) * sizeof(type), size, value, size_ret);

#endif

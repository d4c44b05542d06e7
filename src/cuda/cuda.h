/* Shared by the files of the device for NVIDIA's GPUs.  The rest of the run time calls
 * mpl_cuda_is_there and mpl_cuda_create only. */
#ifndef MPL_CUDA_CUDA_H
#define MPL_CUDA_CUDA_H

#include <pthread.h>

#include "driver.h"
#include "runtime/device.h"
#include "runtime/memory/address_map.h"

/* The offers of such devices (enum mpl_offer), without starting the driver. */
enum {
  MPL_CUDA_OFFERS = MPL_OFFERS_SUB_GROUPS | MPL_OFFERS_PARTS | MPL_OFFERS_INTEL_GROUPS |
                    MPL_OFFERS_USM | MPL_OFFERS_PIPES | MPL_OFFERS_ADDRESSES | MPL_OFFERS_SPIRV |
                    MPL_OFFERS_CLOCK | MPL_OFFERS_ENQUEUE | MPL_OFFERS_BARRIERS |
                    MPL_OFFERS_IMAGES
};

bool mpl_cuda_is_there(void); /* a driver, and a device file; nothing is started */
/* The device with that number, or null: there are no more, or it cannot be used, as the log says.
 * Starts the driver, and makes no context. */
struct mpl_device *mpl_cuda_create(unsigned ordinal);

/* A stream of a queue, in the device's list of them. */
struct mpl_cuda_stream_link {
  CUstream handle;
  unsigned forks; /* mpl_generation() when it was made */
  struct mpl_cuda_stream_link *next;
};

struct mpl_cuda {
  struct mpl_device device; /* first: the interface's pointer is this one's */
  struct mpl_cuda *next;    /* of those that were made before (device.c) */
  const struct mpl_cuda_driver *driver;
  _Atomic(CUcontext) context; /* the primary one; null before the device is used (device.c) */
  CUcontext retained;         /* the same, while the rest is made, and then for ever */
  pthread_mutex_t start_lock;
  atomic_int lost; /* the error that all calls of the context answer since a kernel's fault, or 0 */
  pthread_mutex_t lost_lock;
  struct mpl_cuda_loss {
    int error; /* that it says, or 0 */
    char text[512];
  } losses[2]; /* before a reason is known, and then (device.c) */
  int ordinal;
  uint32_t most_shared; /* bytes of shared memory of a group */
  uint32_t registers;   /* of a multiprocessor */
  CUstream stream;      /* of `perform`; under the lock */
  CUstream idle;        /* where nothing runs, for the clock */
  CUdeviceptr spare;    /* a byte that nobody reads (stream.c) */
  pthread_mutex_t lock;
  pthread_rwlock_t launches; /* held while one is handed to the driver (quiet.c) */
  struct mpl_cuda_stream_link *streams;
  pthread_mutex_t print_lock;
  pthread_mutex_t timed_lock;
  struct mpl_cuda_timed *timed; /* launches with times that nobody uses (timed.c) */
  unsigned num_timed;
  atomic_uint unloads; /* of modules, whose functions these may name */
  bool manages;        /* managed memory, which host and GPU use at the same time */
  pthread_mutex_t memory_lock;
  struct mpl_address_map memory; /* what the host may use too (memory.c) */
  bool borrows;                  /* the program's memory, at its own addresses */
  struct mpl_gpu_ring *ring;     /* of printf, or null: none has printed */
  pthread_mutex_t fill_lock;
  CUfunction filler; /* for long patterns (fill.c), or null: not loaded yet */
  bool cannot_fill;  /* the driver does not take it */
  /* A point on the clock of events and on ours, not long before now (stream.c). */
  pthread_mutex_t clock_lock;
  CUevent anchor;
  double anchor_time; /* ns */
};

struct mpl_cuda_timed;

/* Makes the device's context current in this thread.  The first call makes the context and the
 * other resources of the device: a process that only lists devices takes nothing of the GPU. */
bool mpl_cuda_enter(struct mpl_cuda *);

/* device.c: a code of runtime/errors.h for one of the driver's.  Notes that the GPU is lost, if it
 * is. */
int mpl_cuda_error(struct mpl_cuda *, int error, const char *what);
const char *mpl_cuda_lost(struct mpl_device *); /* struct mpl_device_ops.lost */

/* describe.c: false if the device cannot be used. */
bool mpl_cuda_describe(struct mpl_cuda *);

/* module.c: text of PTX, made for this device.  `run` of a kernel is its struct mpl_cuda_kernel. */
struct mpl_module *mpl_cuda_load(struct mpl_device *, const void *object, size_t size,
                                 const char *name, const char **why);
const struct mpl_object *mpl_cuda_table(struct mpl_module *);
void mpl_cuda_unload(struct mpl_module *);
/* What a kernel is compiled for once more: a local size, and how many registers a work-item may have,
 * or as NVIDIA's compiler finds best: 0. */
struct mpl_cuda_shape {
  uint32_t items[3], registers;
};
struct mpl_cuda_code {
  CUmodule handle; /* its own, or null */
  CUfunction function;
};
/* One kernel again; false if the driver does not take it. */
bool mpl_cuda_compile_for(struct mpl_module *, int kernel, const struct mpl_cuda_shape *,
                          struct mpl_cuda_code *);
/* The same for deep groups (specialise.c). */
bool mpl_cuda_compile_deep(struct mpl_module *, int kernel, struct mpl_cuda_code *);
void mpl_cuda_uncompile(struct mpl_module *, const struct mpl_cuda_code *);

struct mpl_cuda *mpl_cuda_of(const struct mpl_module *);

/* quiet.c: between these launches are handed to the driver. */
bool mpl_cuda_quiet_start(struct mpl_cuda *);
void mpl_cuda_launch_begin(struct mpl_cuda *);
void mpl_cuda_launch_end(struct mpl_cuda *);
/* Between these the driver may load a kernel; false: not now, since others run.  No launch is
 * handed to it in between, or there is one queue's stream only. */
bool mpl_cuda_load_begin(struct mpl_cuda *);
void mpl_cuda_load_end(struct mpl_cuda *);
void mpl_cuda_note_stream(struct mpl_cuda *, struct mpl_cuda_stream_link *, CUstream);
void mpl_cuda_forget_stream(struct mpl_cuda *, struct mpl_cuda_stream_link *);

/* variants.c: which function a launch runs.  `varies`: a shape is worth its own; `required`: the
 * kernel requires a local size. */
struct mpl_cuda_kernel;
struct mpl_cuda_kernel *mpl_cuda_kernel_create(struct mpl_module *, int index, CUfunction any_size,
                                               bool varies, bool required);
void mpl_cuda_kernel_free(struct mpl_cuda_kernel *); /* may be null */
CUfunction mpl_cuda_choose(struct mpl_cuda_kernel *, const struct mpl_cuda_shape *);
CUfunction mpl_cuda_choose_deep(struct mpl_cuda_kernel *); /* made when it is wanted; or null */

/* table.c: the table in a binary's comments (compiler/gpu/table.c).  Null if there is none or it is
 * not whole.  Free with mpl_cuda_table_free. */
struct mpl_cuda_table {
  struct mpl_object object;
  const char **entries; /* of each kernel, those of construct and destruct behind the others */
  uint32_t num_entries;
};
struct mpl_cuda_table *mpl_cuda_table_read(const char *text);
void mpl_cuda_table_free(struct mpl_cuda_table *);

/* registers.c: what to compile for, of `groups` groups of a local size on so many multiprocessors.
 * `spills`: 64 registers may not do for the kernel. */
struct mpl_cuda_shape mpl_cuda_shape_of(const uint32_t items[3], uint64_t groups, uint32_t units,
                                        bool spills);
/* With how many registers a multiprocessor has room for one more of few groups of code that has so
 * many; 0: it is not worth it, or none does. */
uint32_t mpl_cuda_registers_for_more(const struct mpl_cuda *, const struct mpl_cuda_shape *,
                                     int registers);

/* specialise.c: the text with directives of local sizes: all kernels for any size (-1, null), or
 * one alone for the given shape.  Null if there is no memory; free it. */
char *mpl_cuda_specialise(const char *text, const struct mpl_cuda_table *, int only,
                          const struct mpl_cuda_shape *);
/* The same for groups of more work-items in z than MPL_GPU_MOST_DEEP, in entries whose names end in
 * MPL_CUDA_DEEP; of all kernels: those entries, and nothing beside them. */
char *mpl_cuda_deepen(const char *text, const struct mpl_cuda_table *, int only);
#define MPL_CUDA_DEEP "$deep"

/* print.c: the ring of a launch that prints, empty; null if there is no memory.  Then what is in
 * it, to stdout, and it is free again: until then others wait.  The launch's stream has to be over.
 */
struct mpl_gpu_ring *mpl_cuda_print_begin(struct mpl_cuda *);
void mpl_cuda_print_end(struct mpl_cuda *, CUstream);

/* timed.c: a grid between two events, handed to the driver at once.  To be got, launched once, and
 * dropped twice, since both events are somebody's.  Null, or an error: there is no memory, or the
 * driver does not do it. */
struct mpl_cuda_timed *mpl_cuda_timed_get(struct mpl_cuda *);
int mpl_cuda_timed_launch(struct mpl_cuda_timed *, const struct mpl_cuda_grid *, CUstream);
CUevent mpl_cuda_timed_event(const struct mpl_cuda_timed *, bool end);
void mpl_cuda_timed_drop(struct mpl_cuda_timed *);

/* launch.c, memory.c: into a stream.  `timed` may be null; it is for launches of one grid. */
int mpl_cuda_launch(struct mpl_cuda *, const struct mpl_operation *, CUstream,
                    struct mpl_cuda_timed *timed);
bool mpl_cuda_is_one_grid(const struct mpl_operation *);
int mpl_cuda_copy(struct mpl_cuda *, const struct mpl_operation *, CUstream);
/* Each call of the driver's costs more than the bytes of a row: what lies side by side is one row, and
 * slices are rows where they are as far from one another.  `from` is null for a fill. */
void mpl_cuda_join_dimensions(uint64_t size[3], struct mpl_location *to, struct mpl_location *from);
/* fill.c */
int mpl_cuda_fill(struct mpl_cuda *, const struct mpl_operation *, CUstream);
void mpl_cuda_suggest(struct mpl_device *, const struct mpl_kernel *, uint32_t dims,
                      const uint64_t global[3], bool uneven, uint64_t local[3]);
void *mpl_cuda_allocate(struct mpl_device *, size_t size, size_t align, enum mpl_storage,
                        const char *what);
void mpl_cuda_release(struct mpl_device *, void *, enum mpl_storage);

/* device.c: the last that was made, and those before it; none goes away. */
struct mpl_cuda *mpl_cuda_last(void);

/* lent.c: struct mpl_device_ops.lend, take_back and has_given */
int mpl_cuda_lend(struct mpl_device *, void *, size_t size);
void mpl_cuda_take_back(struct mpl_device *, void *, size_t size);
bool mpl_cuda_has_given(struct mpl_device *, const void *);
/* How many of the host's bytes from there on are of one kind: of one piece that is lent, or of none.
 * The driver copies no more of them at a time. */
size_t mpl_cuda_alike(struct mpl_cuda *, const void *, size_t);

/* stream.c */
/* Waits until the stream is empty; returns the driver's code.  Asks again after an error, since the
 * question itself may have failed, and memory would be freed under running commands.  A lasting
 * error is one of the context, in which nothing runs. */
int mpl_cuda_wait(struct mpl_cuda *, CUstream);
int mpl_cuda_do(struct mpl_cuda *, const struct mpl_operation *, CUstream);
int mpl_cuda_perform(struct mpl_device *, const struct mpl_operation *);
struct mpl_stream *mpl_cuda_stream_create(struct mpl_device *, bool timed);
void mpl_cuda_stream_destroy(struct mpl_stream *);
int mpl_cuda_issue(struct mpl_stream *, const struct mpl_operation *);
int mpl_cuda_issue_timed(struct mpl_stream *, const struct mpl_operation *, struct mpl_mark **begin,
                         struct mpl_mark **end);
int mpl_cuda_wait_for(struct mpl_stream *, struct mpl_mark *);
struct mpl_mark *mpl_cuda_mark(struct mpl_stream *);
int mpl_cuda_reached(struct mpl_mark *, bool sleep);
int mpl_cuda_drain(struct mpl_stream *);
void mpl_cuda_times(struct mpl_mark *begin, struct mpl_mark *end, uint64_t *started,
                    uint64_t *ended);
void mpl_cuda_mark_free(struct mpl_mark *);
bool mpl_cuda_start_clock(struct mpl_cuda *);

#endif

/* Shared by the files of the CPU device.  The rest of the run time calls mpl_cpu_create only. */
#ifndef MPL_CPU_CPU_H
#define MPL_CPU_CPU_H

#include <pthread.h>

#include "runtime/device.h"
#include "runtime/threads/apart.h"

struct mpl_arena; /* launch.c: memory of one thread for local memory and scratch */

/* The arena that a thread used last, for the threads of one slot (runtime/threads/slot.h). */
struct mpl_spare {
  _Alignas(MPL_APART) _Atomic(struct mpl_arena *) arena;
};

struct mpl_cpu {
  struct mpl_device device; /* first: the interface's pointer is this one's */
  struct mpl_spare *spare;  /* MPL_SLOTS of them */
  bool reports_faults;      /* faults of kernels become errors of commands */
  pthread_mutex_t lock;     /* arenas */
  struct mpl_arena *arenas; /* not in use, besides the spare ones */
  atomic_uint allocations;  /* that there have been, of several pages */
};

struct mpl_device *mpl_cpu_create(void); /* null if out of memory */

/* topology.c: the machine, and the part of it that this process may use. */
void mpl_cpu_describe(struct mpl_device_info *);

/* module.c */
struct mpl_module *mpl_cpu_load(struct mpl_device *, const void *object, size_t size,
                                const char *name, const char **why);
const struct mpl_object *mpl_cpu_table(struct mpl_module *);
void mpl_cpu_unload(struct mpl_module *);

/* launch.c */
int mpl_cpu_launch(struct mpl_device *, const struct mpl_kernel *, const struct mpl_launch *,
                   uint64_t local_size);
void mpl_cpu_suggest(struct mpl_device *, const struct mpl_kernel *, uint32_t dims,
                     const uint64_t global[3], bool uneven, uint64_t local[3]);
void mpl_cpu_free_arenas(struct mpl_cpu *);

#endif

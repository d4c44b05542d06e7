/* The device interface: everything above this line is the same for every device.
 *
 * A device is a struct of functions (cpu/ has the first); nothing outside its folder asks which
 * device it is. */
#ifndef MPL_RUNTIME_DEVICE_H
#define MPL_RUNTIME_DEVICE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/kernel.h"

struct mpl_device;
struct mpl_module;

/* What the device is; the answers to clGetDeviceInfo that differ between devices. */
struct mpl_device_info {
  const char *name, *vendor;
  const char *target; /* what cache keys and binaries are bound to: CPU and features */
  uint32_t vendor_id;
  uint32_t compute_units; /* worker threads */
  uint32_t max_work_group_size;
  uint32_t clock_mhz;
  uint64_t global_memory, max_allocation, local_memory;
  uint64_t global_cache, cache_line;
  uint32_t vector_bytes; /* natural vector width, for the preferred-width queries */
};

struct mpl_device_ops {
  /* Loads an object file's bytes; null with one sentence in *why (static or malloc'd is up to the
   * device: the caller does not free it).  `name` is for debuggers and profilers. */
  struct mpl_module *(*load)(struct mpl_device *, const void *object, size_t size, const char *name,
                             const char **why);
  const struct mpl_object *(*table)(struct mpl_module *);
  void (*unload)(struct mpl_module *);

  void *(*allocate)(struct mpl_device *, size_t size,
                    size_t align); /* null if there is no memory */
  void (*release)(struct mpl_device *, void *);

  /* Runs a whole launch; called by any thread, returns when every group is done.  Other threads of
   * the device join in.  `local_size` is static plus dynamic local memory of a group. */
  /* 0, or CL_OUT_OF_RESOURCES when there is no memory for local memory and scratch. */
  int (*run)(struct mpl_device *, const struct mpl_kernel *, const struct mpl_launch *,
             uint64_t local_size);

  uint64_t (*now)(struct mpl_device *); /* ns on the one clock of all event times */
  /* A good local size for a NULL one: divides the global size unless `uneven` groups are allowed.
   */
  void (*suggest_local_size)(struct mpl_device *, const struct mpl_kernel *, uint32_t dims,
                             const uint64_t global[3], bool uneven, uint64_t local[3]);

  /* mpl_device_partition, and its end once nobody holds it. */
  struct mpl_device *(*partition)(struct mpl_device *, uint32_t compute_units);
  void (*destroy)(struct mpl_device *);
};

struct mpl_pool; /* threads.h */

struct mpl_device {
  const struct mpl_device_ops *ops;
  struct mpl_device_info info;
  struct mpl_pool *pool; /* the threads that run its commands */
  atomic_uint refs;      /* of a partition: its creator and the queues on it */
};

/* The devices of this process, made at first use.  Sets *count; the CPU is first. */
struct mpl_device *const *mpl_devices(uint32_t *count);

/* A device with its own number of workers on the same hardware (clCreateSubDevices); null if out
 * of memory. */
struct mpl_device *mpl_device_partition(struct mpl_device *, uint32_t compute_units);
/* Of a partition: drops the creator's reference; queues that still have commands hold their own. */
void mpl_device_destroy(struct mpl_device *);
void mpl_device_retain(struct mpl_device *);

#endif

/* Shared by the files of the C interface (maniple/maniple.h). */
#ifndef MPL_HOST_HOST_H
#define MPL_HOST_HOST_H

#include "maniple/kernel.h"
#include "maniple/maniple.h"
#include "runtime/commands/command.h"
#include "runtime/device.h"
#include "runtime/errors.h"

/* Keeps the sentence for mpl_error_text and returns `code`. */
int mpl_host_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts work in the queue; on failure it has been released. */
int mpl_host_submit(struct mpl_queue *, const struct mpl_work_desc *, unsigned order,
                    struct mpl_event *const *waits, uint32_t num_waits, struct mpl_event **event);

/* gpu_kernel.c: kernels on a device whose memory is not the host's. */
bool mpl_is_gpu(const struct mpl_device *);
bool mpl_runs_on_gpu(const struct mpl_kernel_record *); /* it is compiled for that */
/* Loaded for the device; null: it cannot run there, as mpl_error_text says
 * (MPL_INVALID_KERNEL_DEFINITION). */
const struct mpl_kernel *mpl_gpu_kernel(struct mpl_device *, const struct mpl_kernel_record *);

/* What says which variables the kernel on a GPU asks for; null: none. */
const struct mpl_record_gpu *mpl_variables_of(const struct mpl_kernel_record *);
/* instances.c: their places in a set, in memory that the set's device reaches; null: no memory. */
void *mpl_places_of_variables(struct mpl_instances *, const struct mpl_record_gpu *);

/* gpu_memory.c: whether a GPU's driver has given it; the GPU that alone reaches it, or null. */
bool mpl_is_of_gpu(const void *);
struct mpl_device *mpl_gpu_alone_at(const void *);
/* For that GPU; false: it does not fill with patterns of that size. */
struct mpl_operation mpl_gpu_copy(struct mpl_device *, void *to, const void *from, size_t size);
bool mpl_gpu_fill(struct mpl_device *, void *to, size_t size, const void *pattern,
                  size_t pattern_size, struct mpl_operation *);
/* At once; patterns of any size, and copies that overlap. */
int mpl_copy_by_gpu(struct mpl_device *, void *to, const void *from, size_t size);
int mpl_fill_by_gpu(struct mpl_device *, void *to, size_t size, const void *pattern,
                    size_t pattern_size);

#endif

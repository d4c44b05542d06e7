/* Shared by the files of the C interface (maniple/maniple.h). */
#ifndef MPL_HOST_HOST_H
#define MPL_HOST_HOST_H

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

#endif

/* What the files of the C interface (maniple/maniple.h) share. */
#ifndef MPL_HOST_HOST_H
#define MPL_HOST_HOST_H

#include "maniple/maniple.h"
#include "runtime/command.h"
#include "runtime/device.h"

enum { /* OpenCL's codes that the interface answers with */
       MPL_OUT_OF_RESOURCES = -5,
       MPL_OUT_OF_HOST_MEMORY = -6,
       MPL_INVALID_VALUE = -30,
       MPL_INVALID_KERNEL = -48,
       MPL_INVALID_WORK_DIMENSION = -53,
       MPL_INVALID_WORK_GROUP_SIZE = -54,
       MPL_INVALID_WORK_ITEM_SIZE = -55,
       MPL_INVALID_GLOBAL_OFFSET = -56,
       MPL_INVALID_EVENT = -58,
       MPL_INVALID_OPERATION = -59,
       MPL_INVALID_GLOBAL_WORK_SIZE = -63,
};

/* Keeps the sentence for mpl_error_text and returns `code`. */
int mpl_host_fail(int code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Puts work in the queue; on failure it has been released. */
int mpl_host_submit(struct mpl_queue *, const struct mpl_work_desc *, unsigned order,
                    struct mpl_event *const *waits, uint32_t num_waits, struct mpl_event **event);

#endif

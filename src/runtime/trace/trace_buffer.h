/* Buffers of events that are not in the file yet: shared by trace.c and trace_buffer.c. */
#ifndef MPL_RUNTIME_TRACE_BUFFER_H
#define MPL_RUNTIME_TRACE_BUFFER_H

#include "runtime/trace/trace_event.h"

/* Copies the event to the calling thread's buffer. */
void mpl_trace_record(const struct mpl_trace_event *);
#endif

/* One event of a trace as it stands in a thread's buffer, and its text: shared by trace.c and
 * trace_text.c. */
#ifndef MPL_RUNTIME_TRACE_EVENT_H
#define MPL_RUNTIME_TRACE_EVENT_H

#include <stddef.h>
#include <stdint.h>

enum mpl_trace_kind {
  MPL_TRACE_THREAD, /* name: what it is called */
  MPL_TRACE_BUILD,
  MPL_TRACE_KERNEL,
  MPL_TRACE_GROUPS,
  MPL_TRACE_TRANSFER,
  MPL_TRACE_COMMAND,
  MPL_TRACE_LET_GO,
  MPL_TRACE_WAITED,
};

struct mpl_trace_event {
  enum mpl_trace_kind kind;
  uint32_t flags;   /* of a kernel: mpl_kernel.flags; of a command: whether it is a slice too */
  const char *name; /* lives as long as the process */
  uint64_t start, end;
  union {
    struct {
      uint64_t bytes;
    } build, transfer;
    struct {
      uint64_t bytes, global[3], local[3], groups;
    } kernel;
    struct {
      uint64_t first, last, ticks, of;
    } groups;
    struct {
      uint64_t number, queue, queued, submitted;
    } command;
    struct {
      uint64_t number, waiter;
    } wait;
  };
};

enum { MPL_TRACE_TEXT = 4096 }; /* the longest text of an event */

/* The event's text, ",\n" in front of each object of it; returns its end.  `text` has room for
 * MPL_TRACE_TEXT bytes. */
char *mpl_trace_text(const struct mpl_trace_event *, uint64_t process, uint64_t thread, char *text);

/* `process` with its name: the first object of a file. */
char *mpl_trace_text_process(uint64_t process, const char *name, char *text);

#endif

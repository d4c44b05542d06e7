/* The fields of each kind of event; trace_buffer.c has the buffers and the file. */
#include "runtime/trace/trace.h"

#include <stdatomic.h>
#include <string.h>

#include "runtime/device.h"
#include "runtime/trace/trace_buffer.h"

uint64_t mpl_trace_number(void) {
  static atomic_uint_fast64_t last;
  return atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
}

void mpl_trace_build(const char *label, uint64_t start, uint64_t bytes) {
  mpl_trace_record(&(struct mpl_trace_event){.kind = MPL_TRACE_BUILD,
                                             .name = label,
                                             .start = start,
                                             .end = mpl_clock(),
                                             .build = {bytes}});
}

void mpl_trace_launch(const struct mpl_operation *operation, uint64_t start, uint64_t end,
                      uint64_t bytes) {
  const struct mpl_kernel *kernel = operation->launch.kernel;
  const struct mpl_launch *launch = operation->launch.launch;
  struct mpl_trace_event event = {.kind = MPL_TRACE_KERNEL,
                                  .flags = kernel->flags,
                                  .name = mpl_trace_name(kernel->name),
                                  .start = start,
                                  .end = end};
  event.kernel.bytes = bytes;
  event.kernel.groups = launch->num_groups[0] * launch->num_groups[1] * launch->num_groups[2];
  memcpy(event.kernel.global, launch->global_size, sizeof event.kernel.global);
  memcpy(event.kernel.local, launch->local_size, sizeof event.kernel.local);
  mpl_trace_record(&event);
}

void mpl_trace_groups(const struct mpl_kernel *kernel, uint64_t start, uint64_t first,
                      uint64_t last, uint64_t ticks, uint64_t of) {
  mpl_trace_record(&(struct mpl_trace_event){.kind = MPL_TRACE_GROUPS,
                                             .name = mpl_trace_name(kernel->name),
                                             .start = start,
                                             .end = mpl_clock(),
                                             .groups = {first, last, ticks, of}});
}

void mpl_trace_transfer(const char *label, uint64_t start, uint64_t bytes) {
  mpl_trace_record(&(struct mpl_trace_event){.kind = MPL_TRACE_TRANSFER,
                                             .name = label,
                                             .start = start,
                                             .end = mpl_clock(),
                                             .transfer = {bytes}});
}

void mpl_trace_command(const struct mpl_trace_command *c) {
  mpl_trace_record(
      &(struct mpl_trace_event){.kind = MPL_TRACE_COMMAND,
                                .flags = c->here,
                                .name = c->label ? c->label : "command",
                                .start = c->started,
                                .end = c->ended,
                                .command = {c->number, c->queue, c->queued, c->submitted}});
}

static void arrow(enum mpl_trace_kind kind, uint64_t number, uint64_t waiter, uint64_t when) {
  mpl_trace_record(&(struct mpl_trace_event){
      .kind = kind, .start = when, .end = when, .wait = {number, waiter}});
}

void mpl_trace_let_go(uint64_t number, uint64_t waiter, uint64_t when) {
  arrow(MPL_TRACE_LET_GO, number, waiter, when);
}

void mpl_trace_waited(uint64_t number, uint64_t waiter, uint64_t when) {
  arrow(MPL_TRACE_WAITED, number, waiter, when);
}

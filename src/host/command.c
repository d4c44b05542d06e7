/* Commands of the C interface, but for kernels. */
#include <stdlib.h>
#include <string.h>

#include "host/host.h"
#include "runtime/memory/transfer.h"
#include "runtime/trace/trace.h"

int mpl_host_submit(struct mpl_queue *queue, const struct mpl_work_desc *work, unsigned order,
                    struct mpl_event *const *waits, uint32_t num_waits, struct mpl_event **event) {
  struct mpl_command *command =
      mpl_enqueue(queue, work, (struct mpl_command *const *)waits, num_waits, order);
  const char *lost = command ? NULL : mpl_queue_lost(queue);
  if (lost) return mpl_host_fail(MPL_OUT_OF_RESOURCES, "%s", lost);
  if (!command) return mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for a command");
  if (event)
    *event = (struct mpl_event *)command;
  else
    mpl_command_release(command);
  return 0;
}

struct copy {
  void *to;
  const void *from;
  size_t size;
  struct mpl_operation operation; /* of a GPU, if one side is its memory */
};

int mpl_copy(void *to, const void *from, size_t size) {
  struct mpl_device *gpu = size ? mpl_gpu_alone_at(to) : NULL;
  if (size && !gpu) gpu = mpl_gpu_alone_at(from);
  if (gpu) return mpl_copy_by_gpu(gpu, to, from, size);
  if (size) memmove(to, from, size);
  return 0;
}

static int copy(void *data, struct mpl_device *device) {
  const struct copy *c = data;
  uint64_t start = mpl_trace_begin();
  int error = mpl_copy(c->to, c->from, c->size);
  if (mpl_tracing()) mpl_trace_transfer("copy", start, c->size);
  return error;
}

static const struct mpl_operation *copy_on_gpu(struct mpl_queue *queue, struct copy *c) {
  struct mpl_device *device = mpl_queue_device(queue);
  bool overlap = (const char *)c->to < (const char *)c->from + c->size &&
                 (const char *)c->from < (const char *)c->to + c->size;
  if (!mpl_is_gpu(device) || !c->size || overlap) return NULL;
  if (!mpl_is_of_gpu(c->to) && !mpl_is_of_gpu(c->from)) return NULL;
  c->operation = mpl_gpu_copy(device, c->to, c->from, c->size);
  return &c->operation;
}

int mpl_submit_copy(struct mpl_queue *queue, void *to, const void *from, size_t size,
                    struct mpl_event *const *waits, uint32_t num_waits, struct mpl_event **event) {
  int error = mpl_check_access(from, size, 0);
  if (!error) error = mpl_check_access(to, size, 1);
  if (error) return error;
  struct copy *c = malloc(sizeof *c);
  if (!c) return mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for a command");
  *c = (struct copy){.to = to, .from = from, .size = size};
  struct mpl_work_desc work = {.run = copy,
                               .release = free,
                               .data = c,
                               .weight = size / 8,
                               .operation = copy_on_gpu(queue, c),
                               .label = "copy"};
  return mpl_host_submit(queue, &work, 0, waits, num_waits, event);
}

struct fill {
  struct mpl_operation operation; /* as of a copy */
  void *to;
  size_t size, pattern_size;
  char pattern[];
};

static const struct mpl_operation *fill_on_gpu(struct mpl_queue *queue, struct fill *f) {
  struct mpl_device *device = mpl_queue_device(queue);
  bool can = mpl_is_gpu(device) && f->size && mpl_is_of_gpu(f->to) &&
             mpl_gpu_fill(device, f->to, f->size, f->pattern, f->pattern_size, &f->operation);
  return can ? &f->operation : NULL;
}

static int fill(void *data, struct mpl_device *device) {
  const struct fill *f = data;
  uint64_t start = mpl_trace_begin();
  struct mpl_device *gpu = f->size ? mpl_gpu_alone_at(f->to) : NULL;
  int error = 0;
  if (gpu)
    error = mpl_fill_by_gpu(gpu, f->to, f->size, f->pattern, f->pattern_size);
  else
    mpl_fill(f->to, f->size, f->pattern, f->pattern_size);
  if (mpl_tracing()) mpl_trace_transfer("fill", start, f->size);
  return error;
}

int mpl_submit_fill(struct mpl_queue *queue, void *to, const void *pattern, size_t pattern_size,
                    size_t count, struct mpl_event *const *waits, uint32_t num_waits,
                    struct mpl_event **event) {
  size_t total;
  if (__builtin_mul_overflow(pattern_size, count, &total))
    return mpl_host_fail(MPL_INVALID_VALUE, "more than 2^64 bytes to fill");
  int error = mpl_check_access(to, total, 1);
  if (error) return error;
  struct fill *f = malloc(sizeof *f + pattern_size);
  if (!f) return mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for a command");
  f->to = to;
  f->size = total;
  f->pattern_size = pattern_size;
  memcpy(f->pattern, pattern, pattern_size);
  struct mpl_work_desc work = {.run = fill,
                               .release = free,
                               .data = f,
                               .weight = total / 8,
                               .operation = fill_on_gpu(queue, f),
                               .label = "fill"};
  return mpl_host_submit(queue, &work, 0, waits, num_waits, event);
}

struct task {
  int (*run)(void *data);
  void (*release)(void *data);
  void *data;
};

static int run_task(void *data, struct mpl_device *device) {
  const struct task *task = data;
  return task->run(task->data);
}

static void release_task(void *data) {
  const struct task *task = data;
  if (task->release) task->release(task->data);
  free(data);
}

static int submit_task(struct mpl_queue *queue, bool waits_for_none, int (*run)(void *data),
                       void (*release)(void *data), void *data, struct mpl_event *const *waits,
                       uint32_t num_waits, struct mpl_event **event) {
  struct task *task = malloc(sizeof *task);
  if (!task) {
    if (release) release(data);
    return mpl_host_fail(MPL_OUT_OF_HOST_MEMORY, "no memory for a command");
  }
  enum { SOME_TIME = 1000 };
  *task = (struct task){run, release, data};
  struct mpl_work_desc work = {.run = run_task,
                               .release = release_task,
                               .data = task,
                               .weight = SOME_TIME,
                               .label = "host task",
                               .of_host = !waits_for_none};
  return mpl_host_submit(queue, &work, 0, waits, num_waits, event);
}

int mpl_submit_task(struct mpl_queue *queue, int (*run)(void *data), void (*release)(void *data),
                    void *data, struct mpl_event *const *waits, uint32_t num_waits,
                    struct mpl_event **event) {
  return submit_task(queue, false, run, release, data, waits, num_waits, event);
}

int mpl_submit_step(struct mpl_queue *queue, int (*run)(void *data), void (*release)(void *data),
                    void *data, struct mpl_event *const *waits, uint32_t num_waits,
                    struct mpl_event **event) {
  return submit_task(queue, true, run, release, data, waits, num_waits, event);
}

int mpl_submit_marker(struct mpl_queue *queue, int kind, struct mpl_event *const *waits,
                      uint32_t num_waits, struct mpl_event **event) {
  struct mpl_work_desc work = {.label = "marker"};
  unsigned order = (kind != MPL_MARKER_WAITS ? MPL_AFTER_ALL : 0) |
                   (kind != MPL_MARKER_AFTER_ALL ? MPL_BEFORE_ALL : 0);
  return mpl_host_submit(queue, &work, order, waits, num_waits, event);
}

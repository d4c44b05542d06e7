/* Streams and marks: the driver's streams and events. */
#include <stdlib.h>

#include "cuda.h"
#include "runtime/clock.h"
#include "runtime/errors.h"
#include "runtime/options.h"

enum { NON_BLOCKING = 1, NO_TIMING = 2 }; /* flags of streams, and of events */

struct mpl_stream {
  struct mpl_cuda *cuda;
  CUstream handle;
  struct mpl_cuda_stream_link link;
  bool timed;
  bool copies; /* what is in front of the next command ends with a copy */
};

struct mpl_mark {
  struct mpl_cuda *cuda;
  CUevent event;
  struct mpl_cuda_timed *timed; /* whose event it is, or null: its own */
  bool copies;                  /* it is behind a copy */
};

int mpl_cuda_wait(struct mpl_cuda *cuda, CUstream stream) {
  int error = cuda->driver->stream_wait(stream);
  return error ? cuda->driver->stream_wait(stream) : 0;
}

int mpl_cuda_do(struct mpl_cuda *cuda, const struct mpl_operation *operation, CUstream stream) {
  if (!mpl_cuda_enter(cuda)) return MPL_OUT_OF_RESOURCES;
  switch (operation->kind) {
  case MPL_LAUNCH:
    return mpl_cuda_launch(cuda, operation, stream, NULL);
  case MPL_COPY:
    return mpl_cuda_copy(cuda, operation, stream);
  case MPL_FILL:
    return mpl_cuda_fill(cuda, operation, stream);
  }
  return MPL_INVALID_OPERATION;
}

int mpl_cuda_perform(struct mpl_device *device, const struct mpl_operation *operation) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  if (!mpl_cuda_enter(cuda)) return MPL_OUT_OF_RESOURCES;
  pthread_mutex_lock(&cuda->lock);
  int error = mpl_cuda_do(cuda, operation, cuda->stream);
  int ended = mpl_cuda_error(cuda, mpl_cuda_wait(cuda, cuda->stream), "cuStreamSynchronize");
  pthread_mutex_unlock(&cuda->lock);
  return error ? error : ended;
}

struct mpl_stream *mpl_cuda_stream_create(struct mpl_device *device, bool timed) {
  struct mpl_cuda *cuda = (struct mpl_cuda *)device;
  struct mpl_stream *stream = mpl_cuda_enter(cuda) ? calloc(1, sizeof *stream) : NULL;
  if (!stream) return NULL;
  stream->cuda = cuda;
  stream->timed = timed;
  if (mpl_cuda_check(cuda->driver->stream_create(&stream->handle, NON_BLOCKING),
                     "cuStreamCreate")) {
    mpl_cuda_note_stream(cuda, &stream->link, stream->handle);
    return stream;
  }
  free(stream);
  return NULL;
}

void mpl_cuda_stream_destroy(struct mpl_stream *stream) {
  mpl_cuda_forget_stream(stream->cuda, &stream->link);
  if (mpl_cuda_enter(stream->cuda))
    mpl_cuda_check(stream->cuda->driver->stream_destroy(stream->handle), "cuStreamDestroy");
  free(stream);
}

int mpl_cuda_issue(struct mpl_stream *stream, const struct mpl_operation *operation) {
  stream->copies = operation->kind == MPL_COPY;
  return mpl_cuda_do(stream->cuda, operation, stream->handle);
}

static struct mpl_mark *mark_of(struct mpl_cuda *cuda, struct mpl_cuda_timed *timed, bool end) {
  struct mpl_mark *mark = calloc(1, sizeof *mark);
  if (!mark) {
    mpl_cuda_timed_drop(timed);
    return NULL;
  }
  *mark =
      (struct mpl_mark){.cuda = cuda, .event = mpl_cuda_timed_event(timed, end), .timed = timed};
  return mark;
}

/* Graphs are wanted, and the driver has their newest function (11.4). */
static bool has_graphs(const struct mpl_cuda *cuda) {
  return mpl_option_number(MPL_OPTION_CUDA_GRAPHS) && cuda->driver->graph_instantiate;
}

/* The time of a grid begins when it does only if the driver has all of it at once: an event in
 * front of it is over before the next call hands on the grid. */
int mpl_cuda_issue_timed(struct mpl_stream *stream, const struct mpl_operation *operation,
                         struct mpl_mark **begin, struct mpl_mark **end) {
  struct mpl_cuda *cuda = stream->cuda;
  if (!mpl_cuda_enter(cuda)) return MPL_OUT_OF_RESOURCES;
  bool whole = has_graphs(cuda) && mpl_cuda_is_one_grid(operation);
  struct mpl_cuda_timed *timed = whole ? mpl_cuda_timed_get(cuda) : NULL;
  /* Behind a copy, another engine's, of whichever stream, the first event would come before the GPU
   * has turned to grids. */
  if (operation->kind == MPL_LAUNCH && stream->copies)
    mpl_cuda_error(cuda, cuda->driver->fill_8(cuda->spare, 0, 1, stream->handle),
                   "cuMemsetD8Async");
  stream->copies = operation->kind == MPL_COPY;
  if (timed && !mpl_cuda_launch(cuda, operation, stream->handle, timed)) {
    *begin = mark_of(cuda, timed, false);
    *end = mark_of(cuda, timed, true);
    return 0;
  }
  if (timed) {
    mpl_cuda_timed_drop(timed);
    mpl_cuda_timed_drop(timed);
  }
  *begin = mpl_cuda_mark(stream);
  int error = mpl_cuda_do(cuda, operation, stream->handle);
  *end = mpl_cuda_mark(stream);
  return error;
}

int mpl_cuda_wait_for(struct mpl_stream *stream, struct mpl_mark *mark) {
  if (!mpl_cuda_enter(stream->cuda)) return MPL_OUT_OF_RESOURCES;
  int error = stream->cuda->driver->stream_wait_event(stream->handle, mark->event, 0);
  stream->copies |= mark->copies;
  return mpl_cuda_error(stream->cuda, error, "cuStreamWaitEvent");
}

struct mpl_mark *mpl_cuda_mark(struct mpl_stream *stream) {
  struct mpl_cuda *cuda = stream->cuda;
  struct mpl_mark *mark = mpl_cuda_enter(cuda) ? calloc(1, sizeof *mark) : NULL;
  if (!mark) return NULL;
  mark->cuda = cuda;
  mark->copies = stream->copies;
  if (!cuda->driver->event_create(&mark->event, stream->timed ? 0 : NO_TIMING)) {
    if (!mpl_cuda_error(cuda, cuda->driver->event_record(mark->event, stream->handle),
                        "cuEventRecord"))
      return mark;
    cuda->driver->event_destroy(mark->event);
  }
  free(mark);
  return NULL;
}

static int ask(const struct mpl_mark *mark, bool sleep) {
  const struct mpl_cuda_driver *driver = mark->cuda->driver;
  return sleep ? driver->event_wait(mark->event) : driver->event_query(mark->event);
}

int mpl_cuda_reached(struct mpl_mark *mark, bool sleep) {
  struct mpl_cuda *cuda = mark->cuda;
  if (!mpl_cuda_enter(cuda)) return MPL_OUT_OF_RESOURCES;
  int error = ask(mark, sleep);
  if (error == MPL_CUDA_NOT_READY) return 0;
  if (error) error = ask(mark, true); /* as mpl_cuda_wait: it is over then, or the context is */
  return error ? mpl_cuda_error(cuda, error, "a command") : 1;
}

int mpl_cuda_drain(struct mpl_stream *stream) {
  if (!mpl_cuda_enter(stream->cuda)) return MPL_OUT_OF_RESOURCES;
  return mpl_cuda_error(stream->cuda, mpl_cuda_wait(stream->cuda, stream->handle),
                        "cuStreamSynchronize");
}

void mpl_cuda_mark_free(struct mpl_mark *mark) {
  if (mark->timed)
    mpl_cuda_timed_drop(mark->timed);
  else if (mpl_cuda_enter(mark->cuda))
    mark->cuda->driver->event_destroy(mark->event);
  free(mark);
}

/* --- Times --- */

/* An event that is reached, no earlier than `time`.  With the clock's lock held. */
static bool make_anchor(struct mpl_cuda *cuda, CUevent *event, double *time) {
  if (cuda->driver->event_create(event, 0)) return false;
  *time = (double)mpl_clock(); /* not of later: then commands would end in the future */
  if (!cuda->driver->event_record(*event, cuda->idle) && !cuda->driver->event_wait(*event))
    return true;
  cuda->driver->event_destroy(*event);
  *event = NULL;
  return false;
}

bool mpl_cuda_start_clock(struct mpl_cuda *cuda) {
  return cuda->anchor || make_anchor(cuda, &cuda->anchor, &cuda->anchor_time);
}

/* The driver tells times as floats of milliseconds between two events, which is rough for distant
 * ones, and the GPU's clock is not the host's: the anchor follows, by the host's. */
static void move_anchor(struct mpl_cuda *cuda) {
  CUevent now;
  double time;
  if (!make_anchor(cuda, &now, &time)) return;
  cuda->driver->event_destroy(cuda->anchor);
  cuda->anchor = now;
  cuda->anchor_time = time;
}

/* From the anchor to an event, which may lie before it. */
static int distance(struct mpl_cuda *cuda, CUevent event, double *ms) {
  float forward;
  int error = cuda->driver->event_elapsed(&forward, cuda->anchor, event);
  *ms = (double)forward;
  return error;
}

void mpl_cuda_times(struct mpl_mark *begin, struct mpl_mark *end, uint64_t *started,
                    uint64_t *ended) {
  enum { FAR = 100 }; /* ms */
  struct mpl_cuda *cuda = begin->cuda;
  double from = 0;
  float length = 0;
  uint64_t now = *started = *ended = mpl_clock();
  if (!mpl_cuda_enter(cuda)) return;
  pthread_mutex_lock(&cuda->clock_lock);
  int error = distance(cuda, begin->event, &from);
  if (!error && from > FAR) {
    move_anchor(cuda);
    error = distance(cuda, begin->event, &from);
  }
  if (!error) error = cuda->driver->event_elapsed(&length, begin->event, end->event);
  double start = cuda->anchor_time + from * 1e6;
  pthread_mutex_unlock(&cuda->clock_lock);
  if (!mpl_cuda_check(error, "cuEventElapsedTime")) return;
  double late = start + (double)length * 1e6 - (double)now; /* the clocks drift */
  if (late > 0) start -= late;
  *started = (uint64_t)start;
  *ended = (uint64_t)(start + (double)length * 1e6);
}

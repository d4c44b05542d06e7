/* Streams of the mock: a thread for each, which takes its time. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

#include "internal.h"
#include "runtime/clock.h"

struct mpl_mark {
  int refs; /* who made it, and the items that name it */
  int reached;
  uint64_t time;
};

struct item {
  struct item *next;
  struct mpl_operation operation;
  bool does;                    /* the operation */
  struct mpl_mark *wait, *mark; /* else one of them */
};

struct mpl_stream {
  struct mock *mock;
  pthread_t thread;
  struct item *first, **last;
  bool busy, over, timed;
  int error; /* sticks until a mark has told it */
  unsigned random;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of everything here */
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

/* With the lock held. */
static void drop(struct mpl_mark *mark) {
  if (--mark->refs) return;
  free(mark);
  atomic_fetch_sub(&mock_state()->marks, 1);
}

/* With the lock held, but not while it is done. */
static void run(struct mpl_stream *stream, struct item *item) {
  struct mock_state *state = mock_state();
  while (item->wait && !item->wait->reached) pthread_cond_wait(&changed, &lock);
  if (item->wait) drop(item->wait);
  if (item->does) {
    long most = atomic_load(&state->delay);
    pthread_mutex_unlock(&lock);
    stream->random = stream->random * 1664525u + 1013904223u;
    if (most) usleep((stream->random >> 8) % (unsigned)most);
    int error = mock_fails(&state->fail_end) ? -5 : mock_do(stream->mock, &item->operation);
    pthread_mutex_lock(&lock);
    if (error && !stream->error) stream->error = error;
  }
  if (item->mark) {
    item->mark->time = mpl_clock() - atomic_load(&mock_state()->behind);
    item->mark->reached = stream->error ? stream->error : 1;
    stream->error = 0;
    drop(item->mark);
  }
}

static void *work(void *argument) {
  struct mpl_stream *stream = argument;
  pthread_mutex_lock(&lock);
  while (!stream->over || stream->first) {
    struct item *item = atomic_load(&mock_state()->paused) ? NULL : stream->first;
    if (!item) {
      pthread_cond_wait(&changed, &lock);
      continue;
    }
    stream->first = item->next;
    if (!stream->first) stream->last = &stream->first;
    stream->busy = true;
    run(stream, item);
    stream->busy = false;
    free(item);
    pthread_cond_broadcast(&changed);
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

__attribute__((visibility("default"))) void mock_resume(void) {
  pthread_mutex_lock(&lock);
  atomic_store(&mock_state()->paused, false);
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

struct mpl_stream *mock_stream_create(struct mpl_device *device, bool timed) {
  static atomic_uint seed;
  struct mpl_stream *stream =
      mock_fails(&mock_state()->fail_stream) ? NULL : calloc(1, sizeof *stream);
  if (!stream) return NULL;
  stream->mock = (struct mock *)device;
  stream->timed = timed;
  stream->last = &stream->first;
  stream->random = atomic_fetch_add(&seed, 7919) + 1;
  if (pthread_create(&stream->thread, NULL, work, stream)) {
    free(stream);
    return NULL;
  }
  atomic_fetch_add(&mock_state()->streams, 1);
  return stream;
}

void mock_stream_destroy(struct mpl_stream *stream) {
  pthread_mutex_lock(&lock);
  for (struct item *item = stream->first; item; item = item->next)
    if (item->does) mock_broken("a stream is destroyed before its last operation");
  stream->over = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  pthread_join(stream->thread, NULL);
  free(stream);
  atomic_fetch_sub(&mock_state()->streams, 1);
}

static void add(struct mpl_stream *stream, struct item *item) {
  pthread_mutex_lock(&lock);
  if (item->wait) item->wait->refs++;
  *stream->last = item;
  stream->last = &item->next;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
}

int mock_issue(struct mpl_stream *stream, const struct mpl_operation *operation) {
  struct item *item = mock_fails(&mock_state()->fail_issue) ? NULL : calloc(1, sizeof *item);
  if (!item) return -5; /* CL_OUT_OF_RESOURCES */
  item->operation = *operation;
  item->does = true;
  atomic_fetch_add(&mock_state()->issued, 1);
  add(stream, item);
  return 0;
}

int mock_wait_for(struct mpl_stream *stream, struct mpl_mark *mark) {
  struct item *item = mock_fails(&mock_state()->fail_wait) ? NULL : calloc(1, sizeof *item);
  if (!item) return -5;
  item->wait = mark;
  atomic_fetch_add(&mock_state()->waits, 1);
  add(stream, item);
  return 0;
}

struct mpl_mark *mock_mark(struct mpl_stream *stream) {
  bool fails = mock_fails(&mock_state()->fail_mark);
  struct item *item = fails ? NULL : calloc(1, sizeof *item);
  struct mpl_mark *mark = item ? calloc(1, sizeof *mark) : NULL;
  if (!mark) {
    free(item);
    return NULL;
  }
  mark->refs = 2;
  item->mark = mark;
  atomic_fetch_add(&mock_state()->marks, 1);
  add(stream, item);
  return mark;
}

int mock_reached(struct mpl_mark *mark, bool sleep) {
  pthread_mutex_lock(&lock);
  while (sleep && !mark->reached) pthread_cond_wait(&changed, &lock);
  int reached = mark->reached;
  pthread_mutex_unlock(&lock);
  return reached;
}

int mock_drain(struct mpl_stream *stream) {
  pthread_mutex_lock(&lock);
  while (stream->first || stream->busy) pthread_cond_wait(&changed, &lock);
  int error = stream->error;
  stream->error = 0;
  pthread_mutex_unlock(&lock);
  return error;
}

void mock_times(struct mpl_mark *begin, struct mpl_mark *end, uint64_t *started, uint64_t *ended) {
  pthread_mutex_lock(&lock);
  *started = begin->time;
  *ended = end->time;
  pthread_mutex_unlock(&lock);
}

void mock_mark_free(struct mpl_mark *mark) {
  pthread_mutex_lock(&lock);
  drop(mark);
  pthread_mutex_unlock(&lock);
}

/* Streams and events.  One thread does the commands of all streams, a part of one at a time: of
 * those that are due it takes any, so what nothing has put in order comes in any order. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device.h"

enum { LIVE = 0x5eed, GROUPS = 4 /* of a grid, at most, at a time */ };

struct twin_record {
  unsigned refs;
  int device;
  bool done, from_copy;
  double at; /* ms */
};
struct CUstream_st {
  int magic, device;
  struct CUstream_st *next;
  struct twin_command *first, *last;
  uint64_t issued, done;
  bool dies;
  bool from_copy; /* what came last was of the engine that copies */
};
struct CUevent_st {
  int magic, device;
  bool timed;
  struct twin_record *record; /* null: it is of no stream yet */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t given = PTHREAD_COND_INITIALIZER, done = PTHREAD_COND_INITIALIZER;
static struct CUstream_st *all, null_stream = {.magic = LIVE};
static unsigned waiting; /* threads, which wait for one of the streams */
static bool over;
static int lost; /* of a context: the error */
static pthread_t thread;
static bool started;
static double turned; /* ms */

static double host_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

uint32_t twin_random(void) {
  static uint32_t seeds;
  static _Thread_local uint32_t x;
  if (!x) {
    x = (uint32_t)twin_option("TWIN_SEED", 1) * 2654435761u + 40503u;
    x += __atomic_add_fetch(&seeds, 1, __ATOMIC_RELAXED) * 97u;
    if (!x) x = 1;
  }
  x ^= x << 13;
  x ^= x >> 17;
  return x ^= x << 5;
}

/* --- What a command does --- */

static bool is_idle(void) {
  for (const struct CUstream_st *s = all; s; s = s->next)
    if (s->first) return false;
  return true;
}

/* What is in the streams of a context that is lost is not done, also once it is there again. */
void twin_stick(int error) {
  pthread_mutex_lock(&lock);
  while (lost && !error && !is_idle()) {
    pthread_cond_signal(&given);
    pthread_cond_wait(&done, &lock);
  }
  lost = error;
  pthread_cond_broadcast(&done);
  pthread_cond_signal(&given);
  pthread_mutex_unlock(&lock);
}

/* Memory that is there when a copy is given to a stream has to be there until it is done. */
static char *reach(uint64_t at, size_t size) {
  char *real = twin_reach_any(at, size);
  if (!real) twin_fail("a copy or fill of memory that is freed, at %llx", (unsigned long long)at);
  return real;
}

static bool copy_some(struct twin_copy *c) {
  size_t left = c->height - c->done, rows = left > 1 ? twin_random() % left + 1 : 1;
  for (; rows; rows--, c->done++)
    memmove(reach(c->to + c->done * c->to_pitch, c->width),
            reach(c->from + c->done * c->from_pitch, c->width), c->width);
  return c->done < c->height;
}

static void fill(const struct twin_fill *f) {
  for (size_t y = 0; y < f->height; y++) {
    char *to = reach(f->to + y * f->pitch, f->count * f->size);
    for (size_t i = 0; i < f->count; i++) memcpy(to + i * f->size, &f->value, f->size);
  }
}

/* Without the lock, but for what others look at.  True if there is more of it. */
static bool go_on(struct twin_command *c) {
  switch (c->what) {
  case TWIN_LAUNCH:
    if (!c->begun) {
      int error = twin_called(TWIN_KERNEL);
      if (error) return false;
    }
    return twin_run(&c->grid, twin_random() % GROUPS + 1);
  case TWIN_COPY:
    return copy_some(&c->copy);
  case TWIN_FILL:
    fill(&c->fill);
    return false;
  case TWIN_RECORD:
  case TWIN_WAIT:
    return false;
  }
  return false;
}

static void free_command(struct twin_command *c) {
  if (c->what == TWIN_RECORD || c->what == TWIN_WAIT) twin_record_drop(c->record);
  if (c->what == TWIN_LAUNCH) free(c->grid.parameters);
  free(c);
}

/* --- The thread --- */

/* What belongs to the order of streams, with the lock held. */
static void note(struct CUstream_st *stream, const struct twin_command *c) {
  if (c->what == TWIN_COPY) stream->from_copy = true;
  if (c->what == TWIN_WAIT) stream->from_copy |= c->record->from_copy;
  if ((c->what == TWIN_LAUNCH || c->what == TWIN_FILL) && stream->from_copy) {
    turned += (double)twin_option("TWIN_TURN", 0) * 1e3;
    stream->from_copy = false;
  }
}

static void end(struct CUstream_st *stream, struct twin_command *c) {
  if (c->what == TWIN_RECORD) {
    c->record->at = host_now() + turned;
    c->record->from_copy = stream->from_copy;
    c->record->done = true;
  }
  stream->first = c->next;
  if (!stream->first) stream->last = NULL;
  stream->done++;
  free_command(c);
  pthread_cond_broadcast(&done);
}

static bool is_ready(const struct CUstream_st *stream) {
  const struct twin_command *c = stream->first;
  return c && (lost || c->what != TWIN_WAIT || c->record->done);
}

/* Any stream whose first command is due; else null, and when one will be, or 0. */
static struct CUstream_st *choose(double *next) {
  struct CUstream_st *chosen = NULL, *soonest = NULL;
  double now = host_now();
  unsigned due = 0;
  for (struct CUstream_st *s = all; s; s = s->next) {
    if (!is_ready(s)) continue;
    if (!soonest || s->first->not_before < soonest->first->not_before) soonest = s;
    if (s->first->not_before <= now && twin_random() % ++due == 0) chosen = s;
  }
  *next = soonest ? soonest->first->not_before : 0;
  return chosen || !waiting ? chosen : soonest;
}

static void free_dead(void) {
  for (struct CUstream_st **link = &all, *s; (s = *link);) {
    if (s->dies && !s->first)
      *link = s->next; /* its memory stays: who uses it is found out */
    else
      link = &s->next;
  }
}

static void sleep_until(double ms) {
  struct timespec t;
  if (!ms) {
    pthread_cond_wait(&given, &lock);
    return;
  }
  clock_gettime(CLOCK_REALTIME, &t);
  double left = ms - host_now();
  long ns = t.tv_nsec + (long)((left > 0 ? left : 0) * 1e6);
  t.tv_sec += ns / 1000000000;
  t.tv_nsec = ns % 1000000000;
  pthread_cond_timedwait(&given, &lock, &t);
}

static void *run(void *unused) {
  pthread_mutex_lock(&lock);
  while (!over) {
    double next;
    struct CUstream_st *stream = choose(&next);
    if (!stream) {
      sleep_until(next);
      continue;
    }
    struct twin_command *c = stream->first;
    if (!lost) {
      if (!c->begun) note(stream, c);
      pthread_mutex_unlock(&lock);
      bool more = go_on(c);
      pthread_mutex_lock(&lock);
      c->begun = true;
      if (more && !lost) continue;
    }
    end(stream, c);
    free_dead();
  }
  pthread_mutex_unlock(&lock);
  return NULL;
}

void twin_stop(void) {
  pthread_mutex_lock(&lock);
  over = true;
  pthread_cond_broadcast(&done);
  pthread_cond_signal(&given);
  pthread_mutex_unlock(&lock);
  if (started) pthread_join(thread, NULL);
}

static bool has_launch(const struct CUstream_st *stream) {
  for (const struct twin_command *c = stream->first; c; c = c->next)
    if (c->what == TWIN_LAUNCH) return true;
  return false;
}

void twin_check_load(void) {
  unsigned busy = 0;
  pthread_mutex_lock(&lock);
  for (const struct CUstream_st *s = all; s; s = s->next) busy += has_launch(s);
  pthread_mutex_unlock(&lock);
  if (busy > 1) twin_fail("a module is loaded while kernels of %u streams are at work", busy);
}

/* Waits, with the lock held; what for has to be asked again. */
static void wait(void) {
  waiting++;
  pthread_cond_signal(&given);
  pthread_cond_wait(&done, &lock);
  waiting--;
}

static int state(void) {
  return lost ? lost : over ? MPL_CUDA_OVER : 0;
}

/* --- Commands --- */

struct twin_command *twin_command(enum twin_what what) {
  struct twin_command *c = calloc(1, sizeof *c);
  c->what = what;
  return c;
}

static CUstream checked(CUstream stream) {
  if (!stream) return &null_stream;
  if (stream->magic != LIVE) twin_fail("a stream that is destroyed is used");
  return stream;
}

static void start(void) {
  if (started) return;
  started = true;
  null_stream.next = all;
  all = &null_stream;
  if (pthread_create(&thread, NULL, run, NULL)) twin_fail("no thread");
}

static void free_commands(struct twin_command *first) {
  for (struct twin_command *next; first; first = next) {
    next = first->next;
    free_command(first);
  }
}

int twin_issue(CUstream stream, struct twin_command *first, bool waits) {
  stream = checked(stream);
  if (stream != &null_stream && stream->device != twin_current()) {
    free_commands(first);
    return TWIN_OTHER_CONTEXT;
  }
  pthread_mutex_lock(&lock);
  int error = state();
  if (error) {
    pthread_mutex_unlock(&lock);
    free_commands(first);
    return error;
  }
  start();
  for (struct twin_command *c = first; c; c = c->next) {
    uint32_t most = (uint32_t)twin_option("TWIN_DELAY", 100), random = twin_random();
    c->not_before = host_now() + (random % 4 || !most ? 0 : (random >> 8) % most * 1e-3);
    if (stream->last)
      stream->last->next = c;
    else
      stream->first = c;
    stream->last = c;
    stream->issued++;
  }
  pthread_cond_signal(&given);
  for (uint64_t until = stream->issued; waits && !(error = state()) && stream->done < until;)
    wait();
  pthread_mutex_unlock(&lock);
  return error;
}

int twin_stream_create(CUstream *stream, unsigned flags) {
  TWIN_ENTER(stream_create);
  struct CUstream_st *made = calloc(1, sizeof *made);
  *made = (struct CUstream_st){.magic = LIVE, .device = twin_current()};
  pthread_mutex_lock(&lock);
  made->next = all;
  all = made;
  pthread_mutex_unlock(&lock);
  TWIN_COUNT(streams, 1);
  *stream = made;
  return 0;
}
int twin_stream_destroy(CUstream stream) {
  TWIN_ENTER(stream_destroy);
  checked(stream);
  pthread_mutex_lock(&lock);
  stream->magic = 0;
  stream->dies = true;
  free_dead();
  pthread_mutex_unlock(&lock);
  TWIN_COUNT(streams, -1);
  return 0;
}
int twin_stream_query(CUstream stream) {
  TWIN_ENTER(stream_query);
  stream = checked(stream);
  pthread_mutex_lock(&lock);
  int error = state();
  if (!error && stream->first) error = MPL_CUDA_NOT_READY;
  pthread_mutex_unlock(&lock);
  return error;
}
int twin_stream_wait(CUstream stream) {
  TWIN_ENTER(stream_wait);
  stream = checked(stream);
  int error;
  pthread_mutex_lock(&lock);
  for (uint64_t until = stream->issued; !(error = state()) && stream->done < until;) wait();
  pthread_mutex_unlock(&lock);
  return error;
}

/* --- Events --- */

struct twin_record *twin_record_new(int device) {
  struct twin_record *record = calloc(1, sizeof *record);
  *record = (struct twin_record){.refs = 1, .device = device};
  return record;
}
struct twin_record *twin_record_keep(struct twin_record *record) {
  if (record) __atomic_add_fetch(&record->refs, 1, __ATOMIC_RELAXED);
  return record;
}
void twin_record_drop(struct twin_record *record) {
  if (record && !__atomic_sub_fetch(&record->refs, 1, __ATOMIC_ACQ_REL)) free(record);
}

static void check_event(CUevent event) {
  if (!event || event->magic != LIVE) twin_fail("an event that is destroyed is used");
}

struct twin_record *twin_record_again(CUevent event) {
  check_event(event);
  struct twin_record *record = twin_record_new(event->device);
  pthread_mutex_lock(&lock);
  twin_record_drop(event->record);
  event->record = twin_record_keep(record);
  pthread_mutex_unlock(&lock);
  return record;
}

static struct twin_record *record_of(CUevent event) {
  check_event(event);
  pthread_mutex_lock(&lock);
  struct twin_record *record = twin_record_keep(event->record);
  pthread_mutex_unlock(&lock);
  return record;
}

int twin_event_create(CUevent *event, unsigned flags) {
  enum { NO_TIMING = 2 };
  TWIN_ENTER(event_create);
  *event = calloc(1, sizeof **event);
  **event =
      (struct CUevent_st){.magic = LIVE, .device = twin_current(), .timed = !(flags & NO_TIMING)};
  TWIN_COUNT(events, 1);
  return 0;
}
/* Streams that wait for it go on doing so. */
int twin_event_destroy(CUevent event) {
  TWIN_ENTER(event_destroy);
  check_event(event);
  event->magic = 0; /* its memory stays */
  twin_record_drop(event->record);
  TWIN_COUNT(events, -1);
  return 0;
}
int twin_event_record(CUevent event, CUstream stream) {
  TWIN_ENTER(event_record);
  check_event(event);
  if (event->device != twin_current()) return TWIN_OTHER_CONTEXT;
  struct twin_command *c = twin_command(TWIN_RECORD);
  c->record = twin_record_again(event);
  return twin_issue(stream, c, false);
}
/* For what the event is about now: it may be of another device. */
int twin_stream_wait_event(CUstream stream, CUevent event, unsigned flags) {
  TWIN_ENTER(stream_wait_event);
  struct twin_record *record = record_of(event);
  if (!record) return 0;
  struct twin_command *c = twin_command(TWIN_WAIT);
  c->record = record;
  return twin_issue(stream, c, false);
}

static int wait_for_record(CUevent event, bool sleep) {
  struct twin_record *record = record_of(event);
  if (!record) return 0;
  pthread_mutex_lock(&lock);
  while (sleep && !record->done && !state()) wait();
  int error = state();
  if (!error && !record->done) error = MPL_CUDA_NOT_READY;
  pthread_mutex_unlock(&lock);
  twin_record_drop(record);
  return error;
}
int twin_event_query(CUevent event) {
  TWIN_ENTER(event_query);
  return wait_for_record(event, false);
}
int twin_event_wait(CUevent event) {
  TWIN_ENTER(event_wait);
  return wait_for_record(event, true);
}
int twin_event_elapsed(float *milliseconds, CUevent begin, CUevent end) {
  TWIN_ENTER(event_elapsed);
  struct twin_record *from = record_of(begin), *to = record_of(end);
  int error = TWIN_INVALID;
  pthread_mutex_lock(&lock);
  if (from && to && begin->timed && end->timed && from->device == to->device) {
    error = state();
    if (!error && !(from->done && to->done)) error = MPL_CUDA_NOT_READY;
    if (!error) *milliseconds = (float)(to->at - from->at);
  }
  pthread_mutex_unlock(&lock);
  twin_record_drop(from);
  twin_record_drop(to);
  return error;
}

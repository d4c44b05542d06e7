/* Reads traces, and puts slices on tracks. */
#include "cli/timeline/timeline.h"

#include <stdlib.h>
#include <string.h>

#include "cli/cli.h"
#include "cli/json.h"

/* What an event says of itself. */
struct event {
  char phase, category[16], name[256], title[256];
  double process, thread, time, duration, bytes, groups, width, operations, cycles,
      operation_cycles, command, queue, started, ended, from, to, items;
};

static void copy(char *to, size_t room, const char *text) {
  snprintf(to, room, "%s", text ? text : "");
}

static void take(void *data, const struct mpl_json_item *item) {
  struct event *e = data;
  const struct {
    const char *key;
    double *number;
  } numbers[] = {
      {"pid", &e->process},        {"tid", &e->thread},   {"ts", &e->time},
      {"dur", &e->duration},       {"bytes", &e->bytes},  {"groups", &e->groups},
      {"width", &e->width},        {"cycles", &e->cycles}, {"group_operations", &e->operations},
      {"command", &e->command},    {"queue", &e->queue},   {"started", &e->started},
      {"ended", &e->ended},        {"from", &e->from},     {"to", &e->to},
      {"group_operation_cycles", &e->operation_cycles},
  };
  if (item->string) {
    if (!strcmp(item->key, "ph")) e->phase = *item->string;
    if (!strcmp(item->key, "cat")) copy(e->category, sizeof e->category, item->string);
    if (!strcmp(item->key, "name"))
      copy(e->name[0] ? e->title : e->name, sizeof e->name, item->string);
    return;
  }
  if (!strcmp(item->key, "global")) e->items = item->index ? e->items * item->number : item->number;
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (!strcmp(numbers[i].key, item->key)) *numbers[i].number = item->number;
}

static void *grow(void *list, size_t count, size_t *room, size_t size) {
  if (count < *room) return list;
  *room = *room ? 2 * *room : 64;
  return mpl_need(realloc(list, *room * size));
}

static const char *name_of(struct mpl_timeline *t, const char *name) {
  for (size_t i = t->num_names; i-- > 0;)
    if (!strcmp(t->names[i], name)) return t->names[i];
  t->names = grow(t->names, t->num_names, &t->name_room, sizeof *t->names);
  return t->names[t->num_names++] = mpl_need(strdup(name));
}

static size_t track_of(struct mpl_timeline *t, unsigned process, unsigned thread, unsigned queue) {
  for (size_t i = t->num_tracks; i-- > 0;)
    if (t->tracks[i].process == process && t->tracks[i].thread == thread &&
        t->tracks[i].queue == queue)
      return i;
  t->tracks = grow(t->tracks, t->num_tracks, &t->track_room, sizeof *t->tracks);
  t->tracks[t->num_tracks] = (struct mpl_track){NULL, process, thread, queue, 0};
  return t->num_tracks++;
}

static void add_slice(struct mpl_timeline *t, const struct event *e, enum mpl_slice_sort sort,
                      size_t track, double end) {
  t->slices = grow(t->slices, t->num_slices, &t->slice_room, sizeof *t->slices);
  t->slices[t->num_slices++] = (struct mpl_slice){
      .sort = sort,
      .name = name_of(t, e->name),
      .track = track,
      .start = e->time,
      .time = end - e->time,
      .started = e->started,
      .bytes = e->bytes,
      .items = e->items,
      .groups = e->groups,
      .width = e->width,
      .operations = e->operations,
      .cycles = e->cycles,
      .operation_cycles = e->operation_cycles,
      .command = e->command,
  };
}

static void add(struct mpl_timeline *t, const struct event *e) {
  static const char *const sorts[] = {"build", "kernel", "groups", "transfer", "run"};
  unsigned process = (unsigned)e->process, thread = (unsigned)e->thread;
  if (e->phase == 'M' && !strcmp(e->name, "thread_name")) {
    size_t track = track_of(t, process, thread, 0);
    free(t->tracks[track].name);
    t->tracks[track].name = mpl_need(strdup(e->title));
  }
  if (e->phase == 'f') {
    t->arrows = grow(t->arrows, t->num_arrows, &t->arrow_room, sizeof *t->arrows);
    t->arrows[t->num_arrows++] = (struct mpl_arrow){process, e->from, e->to};
  }
  if (e->phase == 'b' && e->queue)
    add_slice(t, e, MPL_SLICE_COMMAND, track_of(t, process, 0, (unsigned)e->queue), e->ended);
  for (size_t i = 0; e->phase == 'X' && i < sizeof sorts / sizeof *sorts; i++)
    if (!strcmp(e->category, sorts[i]))
      add_slice(t, e, (enum mpl_slice_sort)i, track_of(t, process, thread, 0),
                e->time + e->duration);
}

bool mpl_timeline_read(struct mpl_timeline *t, const char *text) {
  struct mpl_json json = {text};
  if (!mpl_json_enter(&json)) return false;
  for (;;) {
    struct event event = {.bytes = -1, .operations = -1};
    if (!mpl_json_next(&json, take, &event)) return true;
    add(t, &event);
  }
}

/* --- Order --- */

/* By process; in it the queues first, then the threads. */
static int by_track(const void *x, const void *y) {
  const struct mpl_track *a = x, *b = y;
  int order = (a->process > b->process) - (a->process < b->process);
  if (!order) order = (b->queue != 0) - (a->queue != 0);
  if (!order) order = (a->queue > b->queue) - (a->queue < b->queue);
  return order ? order : (a->thread > b->thread) - (a->thread < b->thread);
}

static void sort_tracks(struct mpl_timeline *t) {
  size_t *places = mpl_need(malloc((t->num_tracks + 1) * sizeof *places));
  struct mpl_track *old = mpl_need(malloc((t->num_tracks + 1) * sizeof *old));
  if (t->num_tracks) {
    memcpy(old, t->tracks, t->num_tracks * sizeof *old);
    qsort(t->tracks, t->num_tracks, sizeof *t->tracks, by_track);
  }
  for (size_t i = 0; i < t->num_tracks; i++)
    for (size_t k = 0; k < t->num_tracks; k++)
      if (!by_track(&old[i], &t->tracks[k])) places[i] = k;
  for (size_t i = 0; i < t->num_slices; i++) t->slices[i].track = places[t->slices[i].track];
  free(places);
  free(old);
}

/* Of two that begin at once the longer one lies around the other. */
static int by_start(const void *a, const void *b) {
  const struct mpl_slice *x = a, *y = b;
  int order = (x->track > y->track) - (x->track < y->track);
  if (!order) order = (x->start > y->start) - (x->start < y->start);
  if (!order) order = (y->time > x->time) - (y->time < x->time);
  return order ? order : (y->sort > x->sort) - (y->sort < x->sort);
}

/* Depths: of the first row where the slice lies in, or behind, the one that was put there last. */
enum { MOST_DEEP = 32 };

static unsigned depth_of(const struct mpl_slice *slice, double ends[MOST_DEEP]) {
  unsigned depth = 0;
  while (depth + 1 < MOST_DEEP && ends[depth] > slice->start) depth++;
  ends[depth] = slice->start + slice->time;
  return depth;
}

void mpl_timeline_finish(struct mpl_timeline *t) {
  double first = 0, ends[MOST_DEEP] = {0};
  size_t track = t->num_tracks;
  for (size_t i = 0; i < t->num_slices; i++)
    if (!i || t->slices[i].start < first) first = t->slices[i].start;
  for (size_t i = 0; i < t->num_slices; i++) {
    struct mpl_slice *slice = &t->slices[i];
    slice->start -= first;
    slice->started -= first;
    if (slice->start + slice->time > t->end) t->end = slice->start + slice->time;
  }
  sort_tracks(t);
  if (t->num_slices) qsort(t->slices, t->num_slices, sizeof *t->slices, by_start);
  for (size_t i = 0; i < t->num_slices; i++) {
    struct mpl_slice *slice = &t->slices[i];
    if (slice->track != track) memset(ends, 0, sizeof ends);
    track = slice->track;
    slice->depth = depth_of(slice, ends);
    if (t->tracks[track].depth <= slice->depth) t->tracks[track].depth = slice->depth + 1;
  }
}

void mpl_timeline_free(struct mpl_timeline *t) {
  for (size_t i = 0; i < t->num_tracks; i++) free(t->tracks[i].name);
  for (size_t i = 0; i < t->num_names; i++) free(t->names[i]);
  free(t->slices);
  free(t->tracks);
  free(t->arrows);
  free(t->names);
}

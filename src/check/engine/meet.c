/* Meetings: who stands at which call, and what happens when all have come. */
#include "check/memory/memory.h"
#include "engine.h"

#include <stdlib.h>
#include <string.h>

enum { ALIGN = 64, PADDING = 64 };

static const struct mpl_site unknown_site = {0};

/* The same text; mostly the same pointer. */
static bool same_text(const char *a, const char *b) {
  return a == b || (a && b && !strcmp(a, b));
}

static bool same_place(const struct mpl_place *a, const struct mpl_site *b) {
  return a->line == b->line && a->column == b->column && same_text(a->file, b->file);
}

static bool same_function(const struct mpl_function *a, const struct mpl_function *b) {
  return a == b || (!strcmp(a->name, b->name) && !strcmp(a->type, b->type));
}

static struct mpl_unit *unit_of(struct mpl_item *item, const struct mpl_function *function) {
  return function->flags & MPL_FUNCTION_SUB_GROUP ? &item->run->lanes[item->sub_group]
                                                  : &item->run->work;
}

/* Room for all operands and one more, up to a multiple of 64 of them: vector code may read and
 * write that far.  Also for operands of size 0: C computes with no null pointer. */
static bool make_room(struct mpl_meeting *m, size_t size) {
  size_t count = ((size_t)m->unit->count + PADDING) / PADDING * PADDING, bytes;
  if (__builtin_mul_overflow(count, size, &bytes)) return false;
  if (m->operands && bytes <= m->capacity) return true;
  free(m->operands);
  m->operands = NULL;
  m->capacity = 0;
  if (bytes < 4096) bytes = 4096;
  if (posix_memalign(&m->operands, ALIGN, bytes)) return false;
  m->capacity = bytes;
  return true;
}

/* A group may do so that has no work-items yet (SYCL's parallel_for_work_group). */
static bool waits_for_copies(const struct mpl_function *function, uint64_t argument) {
  return function->kind == MPL_FUNCTION_BARRIER && argument & MPL_FENCE_COPIES;
}

static struct mpl_meeting *open_meeting(struct mpl_item *item, const struct mpl_function *function,
                                        const struct mpl_site *site, uint64_t argument,
                                        size_t size) {
  struct mpl_unit *unit = unit_of(item, function);
  struct mpl_meeting *m = item->run->spare, **end = &unit->open;
  if (mpl_has_no_groups(item->run->check) && !waits_for_copies(function, argument))
    mpl_diagnose_no_groups(item, function, site);
  if (mpl_has_no_turns(item->run->check) && !(function->flags & MPL_FUNCTION_ANY_LANES))
    mpl_report_no_turns();
  if (m) {
    item->run->spare = m->next;
  } else {
    if (!(m = calloc(1, sizeof *m))) return NULL;
    m->made = item->run->meetings;
    item->run->meetings = m;
  }
  m->unit = unit;
  m->size = (uint32_t)size;
  m->function = function;
  m->compute = function->compute;
  m->called = site->function;
  m->place = mpl_place_of(site);
  m->waiting = m->last = NULL;
  m->first = item;
  m->arrived = m->inside = 0;
  m->active = 0;
  m->turns = item->turns;
  m->differ = m->turns_differ = m->expects = m->complete = false;
  m->has_ids = item->gave_ids && function->kind == MPL_FUNCTION_BROADCAST;
  m->next = NULL;
  while (*end) end = &(*end)->next;
  *end = m;
  return make_room(m, size) ? m : NULL;
}

static bool is_at(const struct mpl_meeting *m, const struct mpl_function *function,
                  const struct mpl_site *site, size_t size) {
  return same_place(&m->place, site) && same_function(m->function, function) && m->size == size;
}

static struct mpl_meeting *find(struct mpl_item *item, const struct mpl_function *function,
                                const struct mpl_site *site, size_t size,
                                const struct mpl_item_meeting *call) {
  struct mpl_meeting *m = unit_of(item, function)->open;
  while (m && (call ? m->call != call : !is_at(m, function, site, size))) m = m->next;
  return m;
}

/* The meeting for that call: one that is open, or a new one. */
static __attribute__((noinline)) struct mpl_meeting *
find_or_open(struct mpl_item *item, const struct mpl_function *function,
             const struct mpl_site *site, uint64_t argument, size_t size,
             const struct mpl_item_meeting *call) {
  struct mpl_meeting *m = find(item, function, site, size, call);
  if (m) return m;
  if (!(m = open_meeting(item, function, site, argument, size))) {
    atomic_store(&item->run->check->error, MPL_OUT_OF_RESOURCES);
    mpl_run_abandon(item->run);
  }
  m->call = call;
  m->argument = argument;
  return m;
}

/* Mostly the first that is open is it, and that takes no comparison of texts. */
static inline bool is_surely_at(const struct mpl_meeting *m, const struct mpl_function *function,
                                const struct mpl_site *site, size_t size,
                                const struct mpl_item_meeting *call) {
  if (call) return m->call == call;
  return m->function == function && m->place.line == site->line && m->place.file == site->file &&
         m->place.column == site->column && m->size == size;
}

struct mpl_meeting *mpl_arrive(const struct mpl_function *function, const struct mpl_site *site,
                               uint64_t argument, size_t size,
                               const struct mpl_item_meeting *call) {
  struct mpl_item *item = mpl_item_now;
  if (!site) site = &unknown_site;
  if (!item) {
    mpl_diagnose_outside(function, site);
    return NULL;
  }
  struct mpl_meeting *m = unit_of(item, function)->open;
  if (!m || !is_surely_at(m, function, site, size, call))
    m = find_or_open(item, function, site, argument, size, call);
  item->argument = argument;
  if (argument != m->argument) m->differ = true;
  if (item->turns != m->turns) m->turns_differ = true;
  item->gave_ids = false;
  if (item->expected[(function->flags & MPL_FUNCTION_SUB_GROUP) != 0]) m->expects = true;
  return m;
}

static void close_meeting(struct mpl_meeting *m) {
  struct mpl_meeting **at = &m->unit->open;
  while (*at != m) at = &(*at)->next;
  *at = m->next;
}

/* The program's own operations work on the engine's copies: these accesses are not watched. */
static void compute(struct mpl_meeting *m) {
  struct mpl_run *run = m->first->run;
  struct mpl_memory *memory = run->memory;
  run->memory = NULL;
  m->compute(m);
  run->memory = memory;
}

/* Lanes come together again there; the program has nothing. */
static bool is_join(const struct mpl_meeting *m) {
  return m->call && m->call->how == MPL_MEET_JOIN;
}

/* What a group's work-items have to do alike; in kernels without groups the call was the mistake.
 */
static void look_at(struct mpl_meeting *m) {
  const struct mpl_function *function = m->function;
  bool is_told = mpl_has_no_groups(m->first->run->check);
  if (m->turns_differ && !(function->flags & MPL_FUNCTION_ANY_LANES)) mpl_diagnose_turns(m);
  if ((m->differ && function->flags & MPL_FUNCTION_UNIFORM) || m->expects)
    mpl_diagnose_arguments(m);
  if (function->flags & MPL_FUNCTION_INSIDE && m->argument >= m->unit->count) {
    if (!is_told) mpl_diagnose_range(m);
    m->argument = 0;
  }
}

/* Everybody who will come is there. */
static void complete(struct mpl_meeting *m) {
  close_meeting(m);
  m->complete = true;
  /* Lanes come together at the end of each turn of a loop too, in which they may wait for ever. */
  if (!is_join(m)) mpl_run_progress(m->first->run);
  look_at(m);
  mpl_note_reduction(m);
  m->inside = m->arrived;
  if (m->first->run->memory) mpl_memory_meet(m->first->run, m);
  if (m->compute) compute(m);
}

/* They go on before others then: a loop that waits for these yields. */
static void make_ready(struct mpl_run *run, struct mpl_meeting *m) {
  if (is_join(m))
    mpl_items_next(run, m->waiting, m->last);
  else
    mpl_items_ready(run, m->waiting, m->last);
}

static bool is_before(const struct mpl_meeting *a, const struct mpl_meeting *b) {
  if (a->call && b->call) return a->call->order < b->call->order;
  return a->place.line != b->place.line ? a->place.line < b->place.line
                                        : a->place.column < b->place.column;
}

/* The earliest of those that need not be complete; in the C interface, in the source. */
static struct mpl_meeting *earliest(const struct mpl_unit *unit) {
  struct mpl_meeting *best = NULL;
  for (struct mpl_meeting *m = unit->open; m; m = m->next)
    if (m->function->flags & MPL_FUNCTION_ANY_LANES && !m->expects && (!best || is_before(m, best)))
      best = m;
  return best;
}

/* Nobody of the sub-group can run: who has not ended waits at a call.  Mostly the last one comes
 * last. */
static bool is_blocked(const struct mpl_run *run, const struct mpl_unit *unit) {
  for (uint32_t i = unit->count; i-- > 0;) {
    const struct mpl_item *item = &run->items[unit->first + i];
    if (!item->ended && (!item->at || item->at->complete)) return false;
  }
  return true;
}

static bool meet_partly(struct mpl_run *run, const struct mpl_unit *lanes, bool only_join) {
  struct mpl_meeting *m = earliest(lanes);
  if (!m || (only_join && !is_join(m)) || !is_blocked(run, lanes)) return false;
  complete(m);
  make_ready(run, m);
  return true;
}

bool mpl_meet_partly(struct mpl_run *run) {
  bool any = false;
  for (uint32_t i = 0; i < run->num_lanes; i++) any |= meet_partly(run, &run->lanes[i], false);
  return any;
}

void mpl_join_without(const struct mpl_item *item) {
  struct mpl_run *run = item->run;
  const struct mpl_unit *lanes = &run->lanes[item->sub_group];
  if (lanes->open && run->started == run->count) meet_partly(run, lanes, true);
}

void mpl_meet(struct mpl_meeting *m) {
  struct mpl_item *item = mpl_item_now;
  item->at = m;
  item->next = NULL;
  if (m->last)
    m->last->next = item;
  else
    m->waiting = item;
  m->last = item;
  if (m->unit->sub_group) m->active |= (uint64_t)1 << item->lane;
  if (++m->arrived == m->unit->count) {
    complete(m);
    make_ready(item->run, m);
  } else {
    mpl_join_without(item);
  }
  mpl_item_wait(item);
}

void mpl_leave(struct mpl_meeting *m) {
  struct mpl_item *item = mpl_item_now;
  item->at = NULL;
  item->last = m->place;
  item->left = m->function;
  if (m->expects) mpl_expected_drop(item, m->unit->sub_group);
  if (--m->inside) return;
  m->next = item->run->spare;
  item->run->spare = m;
}

void mpl_meetings_reset(struct mpl_run *run) {
  run->spare = NULL;
  for (struct mpl_meeting *m = run->meetings; m; m = m->made) {
    m->next = run->spare;
    run->spare = m;
  }
}

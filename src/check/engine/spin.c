/* The message on a work-group without progress (watchdog.c): the work-items that wait in a loop or
 * do not come back, and the places of the others. */
#include "check/report/id_ranges.h"
#include "check/report/report.h"
#include "engine.h"
#include "runtime/mistakes/locate.h"

enum { MOST_NOTES = 4 };

/* The state of an earlier group is not that of work-items that have not begun. */
static void clear_rest(struct mpl_run *run) {
  for (uint32_t i = run->started; i < run->count; i++) {
    uint32_t linear = run->order ? run->order[i] : i;
    run->items[linear] = (struct mpl_item){.run = run, .linear = linear};
  }
}

/* Those that yield have said where; of others the program's line numbers tell. */
static struct mpl_place place_of(const struct mpl_item *item) {
  if (item->spins_at) {
    struct mpl_site found = mpl_locate(item->spins_at);
    if (found.line) return mpl_place_of(&found);
  } else if (item->place_next) {
    return *item->place_next;
  }
  return mpl_kernel_place(item->run->check);
}

static bool same_place(const struct mpl_place *a, const struct mpl_place *b) {
  return a->line == b->line && a->column == b->column;
}

/* Those that wait at the place of `first`.  If one has not come back, it is `first`, and alone. */
static struct mpl_id_ranges who_is_with(const struct mpl_run *run, const struct mpl_item *first,
                                        const struct mpl_place *place) {
  struct mpl_id_ranges ids = {.run = run};
  for (uint32_t i = 0; i < run->count; i++) {
    const struct mpl_item *item = &run->items[i];
    if (item == first) {
      mpl_id_ranges_add(&ids, i);
    } else if (item->spins && !first->spins_at) {
      struct mpl_place at = place_of(item);
      if (same_place(&at, place)) mpl_id_ranges_add(&ids, i);
    }
  }
  return ids;
}

static const struct mpl_item *find_first(const struct mpl_run *run) {
  const struct mpl_item *first = NULL;
  for (uint32_t i = 0; i < run->count; i++) {
    const struct mpl_item *item = &run->items[i];
    if (item->spins_at) return item;
    if (item->spins && !first) first = item;
  }
  return first;
}

static void note_meetings(struct mpl_report *report, const struct mpl_run *run,
                          const struct mpl_unit *unit, uint32_t *left) {
  for (const struct mpl_meeting *m = unit->open; m && *left; m = m->next, --*left) {
    struct mpl_id_ranges ids = {.run = run};
    for (uint32_t i = 0; i < run->count; i++)
      if (run->items[i].at == m && !run->items[i].ended) mpl_id_ranges_add(&ids, i);
    if (!ids.count) continue;
    mpl_report_note(report, &m->place, "%s %s at this %s", mpl_id_ranges_text(&ids).bytes,
                    ids.count == 1 ? "waits" : "wait", mpl_called(m).bytes);
  }
}

/* Those that wait in loops elsewhere, a place at a time. */
static void note_other_loops(struct mpl_report *report, const struct mpl_run *run,
                             const struct mpl_place *place) {
  struct mpl_place other = *place;
  struct mpl_id_ranges ids = {.run = run};
  for (uint32_t i = 0; i < run->count; i++) {
    const struct mpl_item *item = &run->items[i];
    if (!item->spins || item->spins_at) continue;
    struct mpl_place at = place_of(item);
    if (same_place(&at, place)) continue;
    if (!ids.count) other = at;
    if (same_place(&at, &other)) mpl_id_ranges_add(&ids, i);
  }
  if (ids.count)
    mpl_report_note(report, &other, "%s %s in this loop", mpl_id_ranges_text(&ids).bytes,
                    ids.count == 1 ? "waits" : "wait");
}

static void note_others(struct mpl_report *report, const struct mpl_run *run) {
  struct mpl_id_ranges ended = {.run = run}, rest = {.run = run};
  uint32_t left = MOST_NOTES;
  note_meetings(report, run, &run->work, &left);
  for (uint32_t i = 0; i < run->num_lanes; i++) note_meetings(report, run, &run->lanes[i], &left);
  for (uint32_t i = 0; i < run->count; i++)
    if (run->items[i].ended) mpl_id_ranges_add(&ended, i);
  if (ended.count)
    mpl_report_note(report, NULL, "%s %s ended", mpl_id_ranges_text(&ended).bytes,
                    ended.count == 1 ? "has" : "have");
  for (uint32_t i = 0; i < run->count; i++)
    if (!run->items[i].stack) mpl_id_ranges_add(&rest, i);
  if (rest.count)
    mpl_report_note(report, NULL, "%s %s not begun", mpl_id_ranges_text(&rest).bytes,
                    rest.count == 1 ? "has" : "have");
}

void mpl_diagnose_spin(struct mpl_run *run) {
  clear_rest(run);
  const struct mpl_item *first = find_first(run);
  if (!first) return;
  struct mpl_place place = place_of(first);
  struct mpl_id_ranges ids = who_is_with(run, first, &place);
  const char *what = first->spins_at  ? ids.count == 1 ? "does not come back" : "do not come back"
                     : ids.count == 1 ? "waits for something that nobody does"
                                      : "wait for something that nobody does";
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_SPIN, &place, "%u of %u work-items of the work-group %s",
                       ids.count, run->count, what);
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  mpl_report_note(report, &place, "%s %s here", mpl_id_ranges_text(&ids).bytes,
                  ids.count == 1 ? "is" : "are");
  if (first->last.line) mpl_report_note(report, &first->last, "after this %s", first->left->name);
  note_other_loops(report, run, &place);
  note_others(report, run);
  mpl_report_end(report);
}

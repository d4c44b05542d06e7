/* The messages on work-items of a group that have missed one another, or bring different arguments.
 */
#include <string.h>

#include "check/engine/engine.h"
#include "explain_branch.h"
#include "id_ranges.h"
#include "report.h"
#include "runtime/options.h"

enum { MOST_VALUES = 4 };

/* --- The lines that all messages have --- */

void mpl_say_where(struct mpl_report *report, const struct mpl_run *run,
                   const struct mpl_unit *unit) {
  const uint64_t *id = run->group->id, *size = run->group->size;
  struct mpl_text group = {0}, local = {0};
  mpl_text_add_each(&group, run, id, ", ");
  mpl_text_add_each(&local, run, size, " x ");
  if (unit->sub_group)
    mpl_report_where(report, "kernel %s, work-group (%s) of %s work-items, sub-group %u of %u",
                     run->check->kernel->name, group.bytes, local.bytes,
                     unit->first / run->sub_group_size, unit->count);
  else
    mpl_report_where(report, "kernel %s, work-group (%s) of %s work-items",
                     run->check->kernel->name, group.bytes, local.bytes);
}

struct mpl_text mpl_called(const struct mpl_meeting *m) {
  struct mpl_text text = {0};
  mpl_text_add(&text, "%s", m->called ?: m->function->name);
  if (m->called && *m->function->operation) mpl_text_add(&text, " (%s)", m->function->operation);
  return text;
}

static const char *unit_name(const struct mpl_unit *unit) {
  return unit->sub_group ? "sub-group" : "work-group";
}

/* --- Work-items that have missed one another --- */

static const struct mpl_item *item_at(const struct mpl_run *run, const struct mpl_unit *unit,
                                      uint32_t place) {
  return &run->items[unit->first + place];
}

/* Who is at that meeting; who has ended, if null. */
static struct mpl_id_ranges who(const struct mpl_run *run, const struct mpl_unit *unit,
                                const struct mpl_meeting *m) {
  struct mpl_id_ranges ids = {.run = run};
  for (uint32_t i = 0; i < unit->count; i++) {
    const struct mpl_item *item = item_at(run, unit, i);
    if (m ? !item->ended && item->at == m : item->ended) mpl_id_ranges_add(&ids, item->linear);
  }
  return ids;
}

/* The difference of two meetings of the same work-items. */
static enum mpl_check compare(const struct mpl_meeting *a, const struct mpl_meeting *b) {
  const struct mpl_function *f = a->function, *g = b->function;
  if (a->unit->sub_group != b->unit->sub_group) return MPL_CHECK_SCOPE;
  if (!strcmp(f->name, g->name))
    return strcmp(f->type, g->type) || a->size != b->size ? MPL_CHECK_TYPE : MPL_CHECK_SITE;
  bool arithmetic = *f->operation && *g->operation && f->kind == g->kind;
  return arithmetic ? MPL_CHECK_OPERATION : MPL_CHECK_COLLECTIVE;
}

/* Another meeting at which work-items of m's unit wait, or null. */
static const struct mpl_meeting *other_meeting(const struct mpl_run *run,
                                               const struct mpl_meeting *m) {
  const struct mpl_meeting *other = NULL;
  for (uint32_t i = 0; i < m->unit->count && !other; i++) {
    const struct mpl_item *item = item_at(run, m->unit, i);
    if (!item->ended && item->at != m) other = item->at;
  }
  return other;
}

static const char *type_of(const struct mpl_meeting *m, struct mpl_text *text) {
  *text = (struct mpl_text){0};
  if (!*m->function->type) return "";
  if (m->function->type[0] == 'b' && m->size)
    mpl_text_add(text, " of %u bytes", m->size);
  else
    mpl_text_add(text, " of %s", m->function->type);
  return text->bytes;
}

static struct mpl_report *headline(enum mpl_check check, const struct mpl_meeting *m,
                                   const struct mpl_meeting *other) {
  const struct mpl_text called = mpl_called(m);
  const char *name = called.bytes, *unit = unit_name(m->unit);
  struct mpl_text a, b, rival;
  switch (check) {
  case MPL_CHECK_DIVERGENT:
    return mpl_report_begin(check, &m->place, "%s reached by %u of %u work-items of the %s", name,
                            m->arrived, m->unit->count, unit);
  case MPL_CHECK_TYPE:
    return mpl_report_begin(check, &m->place, "%s%s meets one%s", name, type_of(m, &a),
                            type_of(other, &b));
  case MPL_CHECK_SITE:
    return mpl_report_begin(check, &m->place, "%s is called in different places by one %s", name,
                            unit);
  case MPL_CHECK_SCOPE:
    if (!m->called) break; /* names of OpenCL have the unit */
    rival = mpl_called(other);
    return mpl_report_begin(check, &m->place,
                            "%s of the %s, while other work-items are at %s of the %s", name, unit,
                            rival.bytes, unit_name(other->unit));
  default:
    break;
  }
  rival = mpl_called(other);
  return mpl_report_begin(check, &m->place, "%s, while other work-items of the %s are at %s", name,
                          unit, rival.bytes);
}

static void note_here(struct mpl_report *report, const struct mpl_run *run,
                      const struct mpl_meeting *m) {
  struct mpl_id_ranges ids = who(run, m->unit, m);
  mpl_report_note(report, &m->place, "%s %s here", mpl_id_ranges_text(&ids).bytes,
                  ids.count == 1 ? "is" : "are");
}

/* The other meetings of the unit's work-items, each once. */
static void note_others(struct mpl_report *report, const struct mpl_run *run,
                        const struct mpl_meeting *m) {
  const struct mpl_meeting *seen[MOST_VALUES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->unit->count && count < MOST_VALUES; i++) {
    const struct mpl_item *item = item_at(run, m->unit, i);
    if (item->ended || item->at == m) continue;
    bool known = false;
    for (uint32_t k = 0; k < count; k++) known |= seen[k] == item->at;
    if (known) continue;
    seen[count++] = item->at;
    struct mpl_id_ranges ids = who(run, m->unit, item->at);
    struct mpl_text type;
    mpl_report_note(report, &item->at->place, "%s %s at this %s%s", mpl_id_ranges_text(&ids).bytes,
                    ids.count == 1 ? "is" : "are", mpl_called(item->at).bytes,
                    type_of(item->at, &type));
  }
}

static bool left_here(const struct mpl_item *item, const struct mpl_meeting *m) {
  const struct mpl_place *a = &item->last, *b = &m->place;
  return a->line && item->left == m->function && a->line == b->line && a->column == b->column &&
         (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

/* Those that have ended: apart, whose last collective was this one (a loop that others go on with),
 * another one, or none. */
static void note_ended(struct mpl_report *report, const struct mpl_run *run,
                       const struct mpl_meeting *m) {
  struct mpl_id_ranges again = {.run = run}, other = {.run = run}, never = {.run = run};
  const struct mpl_item *example = NULL;
  for (uint32_t i = 0; i < m->unit->count; i++) {
    const struct mpl_item *item = item_at(run, m->unit, i);
    if (!item->ended) continue;
    bool here = left_here(item, m);
    if (!here && item->last.line) example = item;
    mpl_id_ranges_add(here ? &again : item->last.line ? &other : &never, item->linear);
  }
  if (again.count)
    mpl_report_note(report, NULL,
                    "%s ended after an earlier call of it: a loop with fewer iterations?",
                    mpl_id_ranges_text(&again).bytes);
  if (other.count)
    mpl_report_note(report, &example->last, "%s ended after this collective",
                    mpl_id_ranges_text(&other).bytes);
  if (never.count)
    mpl_report_note(report, NULL, "%s ended without a collective",
                    mpl_id_ranges_text(&never).bytes);
}

static const struct mpl_meeting *first_open(const struct mpl_run *run) {
  if (run->work.open) return run->work.open;
  for (uint32_t i = 0; i < run->num_lanes; i++)
    if (run->lanes[i].open) return run->lanes[i].open;
  return NULL;
}

void mpl_diagnose_stuck(struct mpl_run *run) {
  const struct mpl_meeting *m = first_open(run);
  if (!m) return;
  const struct mpl_meeting *other = other_meeting(run, m);
  enum mpl_check check = other ? compare(m, other) : MPL_CHECK_DIVERGENT;
  struct mpl_report *report = headline(check, m, other);
  if (!report) return;
  mpl_say_where(report, run, m->unit);
  note_here(report, run, m);
  note_others(report, run, m);
  note_ended(report, run, m);
  mpl_note_split(report, run, m);
  mpl_report_end(report);
}

/* --- Arguments --- */

/* A value that has to be the same for all of the unit: the call's argument, or an expected one. */
struct value {
  const char *name;
  uint64_t (*of)(const struct mpl_item *, const struct value *);
  uint32_t index;
  bool sub_group, is_text;
};

static uint64_t argument_of(const struct mpl_item *item, const struct value *value) {
  return item->argument;
}

static uint64_t same_of(const struct mpl_item *item, const struct value *value) {
  const struct mpl_expected *expected = item->expected[value->sub_group];
  for (uint32_t i = 0; expected && i < value->index; i++) expected = expected->next;
  return expected ? expected->value : 0;
}

static bool takes_part(const struct mpl_meeting *m, const struct mpl_item *item) {
  return !m->unit->sub_group || m->active >> item->lane & 1;
}

static struct mpl_text value_text(const struct mpl_meeting *m, const struct value *value,
                                  uint64_t v) {
  struct mpl_text text = {0};
  if (value->is_text)
    mpl_text_add(&text, "%s", (const char *)(uintptr_t)v);
  else if (value->of == argument_of && m->function->kind == MPL_FUNCTION_BARRIER)
    mpl_text_add(&text, "%u and %u", (unsigned)v, (unsigned)(v >> 32));
  else if (value->of == argument_of && m->has_ids && v < m->unit->count)
    mpl_text_add_id(&text, m->first->run, (uint32_t)v);
  else if (v < 1 << 24)
    mpl_text_add(&text, "%llu", (unsigned long long)v);
  else
    mpl_text_add(&text, "%#llx", (unsigned long long)v);
  return text;
}

/* False if all bring the same. */
static bool report_value(struct mpl_meeting *m, const struct value *value) {
  const struct mpl_run *run = m->first->run;
  uint64_t seen[MOST_VALUES] = {value->of(m->first, value)};
  uint32_t count = 1;
  bool more = false;
  for (uint32_t i = 0; i < m->unit->count && !more; i++) {
    const struct mpl_item *item = item_at(run, m->unit, i);
    bool known = !takes_part(m, item);
    for (uint32_t k = 0; k < count && !known; k++) known = seen[k] == value->of(item, value);
    if (known) continue;
    more = count == MOST_VALUES;
    if (!more) seen[count++] = value->of(item, value);
  }
  if (count == 1) return false;
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_ARGUMENT, &m->place, "%s: %s is not the same for all of the %s",
                       mpl_called(m).bytes, value->name, unit_name(m->unit));
  if (!report) return true;
  mpl_say_where(report, run, m->unit);
  for (uint32_t k = 0; k < count; k++) {
    struct mpl_id_ranges ids = {.run = run};
    for (uint32_t i = 0; i < m->unit->count; i++) {
      const struct mpl_item *item = item_at(run, m->unit, i);
      if (takes_part(m, item) && value->of(item, value) == seen[k])
        mpl_id_ranges_add(&ids, item->linear);
    }
    mpl_report_note(report, NULL, "%s is %s for %s", value->name,
                    value_text(m, value, seen[k]).bytes, mpl_id_ranges_text(&ids).bytes);
  }
  if (more) mpl_report_note(report, NULL, "other work-items have yet other values");
  mpl_report_end(report);
  return true;
}

void mpl_diagnose_arguments(struct mpl_meeting *m) {
  const struct mpl_function *function = m->function;
  struct value argument = {.name = function->argument, .of = argument_of};
  if (function->argument && function->flags & MPL_FUNCTION_UNIFORM) report_value(m, &argument);
  uint32_t index = 0;
  const struct mpl_expected *expected = m->first->expected[m->unit->sub_group];
  for (; expected; expected = expected->next, index++) {
    struct value value = {expected->what, same_of, index, m->unit->sub_group, expected->is_text};
    if (report_value(m, &value)) return;
  }
}

/* " in iteration 2", or " in iteration 2 of a loop, 1 of one inside"; loops of which the outermost
 * are not known any more are as good. */
static struct mpl_text turns_text(uint64_t turns) {
  enum { BITS = MPL_TURN_BITS };
  struct mpl_text text = {0};
  for (int shift = 64 - BITS; shift >= 0; shift -= BITS) {
    unsigned n = (unsigned)(turns >> shift & ((1 << BITS) - 1));
    if (!n && !text.length) continue;
    mpl_text_add(&text, text.length ? ", %u of the loop inside" : " in iteration %u", n);
  }
  if (!text.length) mpl_text_add(&text, " in no loop");
  return text;
}

void mpl_diagnose_turns(struct mpl_meeting *m) {
  const struct mpl_run *run = m->first->run;
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_DIVERGENT, &m->place, "%s is called in different iterations of a loop by one %s",
      mpl_called(m).bytes, unit_name(m->unit));
  if (!report) return;
  mpl_say_where(report, run, m->unit);
  uint64_t seen[MOST_VALUES];
  uint32_t count = 0;
  for (uint32_t i = 0; i < m->unit->count && count < MOST_VALUES; i++) {
    uint64_t turns = item_at(run, m->unit, i)->turns;
    bool known = false;
    for (uint32_t k = 0; k < count; k++) known |= seen[k] == turns;
    if (known) continue;
    seen[count++] = turns;
    struct mpl_id_ranges ids = {.run = run};
    for (uint32_t k = i; k < m->unit->count; k++) {
      const struct mpl_item *item = item_at(run, m->unit, k);
      if (item->turns == turns) mpl_id_ranges_add(&ids, item->linear);
    }
    mpl_report_note(report, NULL, "%s %s%s", mpl_id_ranges_text(&ids).bytes,
                    ids.count == 1 ? "is" : "are", turns_text(turns).bytes);
  }
  mpl_report_end(report);
}

void mpl_diagnose_range(struct mpl_meeting *m) {
  const struct mpl_run *run = m->first->run;
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_RANGE, &m->place, "%s: %s %llu is outside the %s of %u work-items",
                       mpl_called(m).bytes, m->function->argument, (unsigned long long)m->argument,
                       unit_name(m->unit), m->unit->count);
  if (!report) return;
  mpl_say_where(report, run, m->unit);
  mpl_report_end(report);
}

void mpl_diagnose_lane(const struct mpl_item *item, const struct mpl_meeting *m, int64_t lane,
                       bool is_there) {
  struct mpl_id_ranges ids = {.run = item->run};
  mpl_id_ranges_add(&ids, item->linear);
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_LANE, &m->place, "%s: %s writes to memory a value of lane %lld, which %s",
      mpl_called(m).bytes, mpl_id_ranges_text(&ids).bytes, (long long)lane,
      is_there ? "does not take part in the call" : "its sub-group does not have");
  if (!report) return;
  mpl_say_where(report, item->run, m->unit);
  mpl_report_end(report);
}

/* Of dimensions that the launch has not, 0 is as good as none. */
void mpl_diagnose_id(const struct mpl_item *item, const size_t id[3], const struct mpl_site *site) {
  const struct mpl_run *run = item->run;
  struct mpl_text local = {0}, size = {0};
  const uint64_t each[] = {id[0], id[1], id[2]};
  struct mpl_place place = mpl_place_of(site);
  mpl_text_add_each(&local, run, each, ", ");
  mpl_text_add_each(&size, run, run->group->size, " x ");
  for (uint32_t d = run->launch->work_dim; d < 3; d++)
    if (id[d]) mpl_text_add(&local, " and %zu in dimension %u", id[d], d);
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_RANGE, &place, "local id (%s) is outside the work-group of %s work-items",
      local.bytes, size.bytes);
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  mpl_report_end(report);
}

void mpl_diagnose_event(const struct mpl_item *item, const struct mpl_place *place,
                        bool is_released) {
  struct mpl_id_ranges ids = {.run = item->run};
  mpl_id_ranges_add(&ids, item->linear);
  struct mpl_report *report = mpl_report_begin(
      is_released ? MPL_CHECK_RELEASED : MPL_CHECK_UNWRITTEN, place, "%s waits for an event that %s",
      mpl_id_ranges_text(&ids).bytes,
      is_released ? "an earlier wait has released" : "no copy has returned");
  if (!report) return;
  mpl_say_where(report, item->run, &item->run->work);
  mpl_report_help(report, is_released
                              ? "wait once for what a copy has returned: wait_group_events releases "
                                "the events of its list"
                              : "wait for what async_work_group_copy has returned, and for no more "
                                "events than there were copies");
  mpl_report_end(report);
}

void mpl_diagnose_outside(const struct mpl_function *function, const struct mpl_site *site) {
  struct mpl_place place = mpl_place_of(site);
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_OUTSIDE, &place, "%s is called outside a kernel",
                       site->function ?: function->name);
  if (report) mpl_report_end(report);
}

void mpl_diagnose_no_groups(const struct mpl_item *item, const struct mpl_function *function,
                            const struct mpl_site *site) {
  const char *kernel = item->run->check->kernel->name;
  struct mpl_place place = mpl_place_of(site);
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_OUTSIDE, &place,
                       "%s is called in a kernel that has no work-groups",
                       site->function ?: function->name);
  if (!report) return;
  mpl_report_where(report, "kernel %s", kernel);
  mpl_report_end(report);
}

void mpl_diagnose_mistake(const struct mpl_item *item, enum mpl_check check, const char *message,
                          const struct mpl_site *site) {
  struct mpl_place place = mpl_place_of(site);
  struct mpl_report *report = mpl_report_begin(check, &place, "%s", message);
  if (!report) return;
  if (item && mpl_has_no_groups(item->run->check)) {
    mpl_report_where(report, "kernel %s", item->run->check->kernel->name);
  } else if (item) {
    mpl_say_where(report, item->run, &item->run->work);
    struct mpl_id_ranges ids = {.run = item->run};
    mpl_id_ranges_add(&ids, item->linear);
    mpl_report_note(report, NULL, "%s is the first to do so", mpl_id_ranges_text(&ids).bytes);
  }
  mpl_report_end(report);
}

void mpl_diagnose_overflow(struct mpl_run *run, const struct mpl_item *item) {
  struct mpl_place place = mpl_kernel_place(run->check);
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_STACK, &place, "%s: a work-item's stack is full (%zu KiB)",
      run->check->kernel->name, (size_t)mpl_option_number(MPL_OPTION_CHECK_STACK) >> 10);
  if (!report) return;
  mpl_say_where(report, run, &run->work);
  struct mpl_id_ranges ids = {.run = run};
  mpl_id_ranges_add(&ids, item->linear);
  mpl_report_note(report, item->last.line ? &item->last : NULL, "%s%s",
                  mpl_id_ranges_text(&ids).bytes, item->last.line ? ", after this collective" : "");
  mpl_report_end(report);
}

/* What to say when the work-items of a group have missed one another, or bring different arguments.
 */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check/engine.h"
#include "check/report.h"
#include "runtime/options.h"

enum { MOST_RANGES = 8, MOST_VALUES = 4 };

/* Text of a bounded length. */
struct text {
  size_t length;
  char bytes[400];
};

static __attribute__((format(printf, 2, 3))) void add(struct text *text, const char *format, ...) {
  va_list list;
  va_start(list, format);
  int n = vsnprintf(text->bytes + text->length, sizeof text->bytes - text->length, format, list);
  va_end(list);
  if (n > 0) text->length += (size_t)n;
  if (text->length >= sizeof text->bytes) text->length = sizeof text->bytes - 1;
}

/* --- Ids --- */

static void add_id(struct text *text, const struct mpl_run *run, uint32_t linear) {
  uint32_t x = (uint32_t)run->group->size[0], y = (uint32_t)run->group->size[1];
  switch (run->launch->work_dim) {
  case 1:
    add(text, "%u", linear);
    break;
  case 2:
    add(text, "(%u, %u)", linear % x, linear / x);
    break;
  default:
    add(text, "(%u, %u, %u)", linear % x, linear / x % y, linear / x / y);
    break;
  }
}

struct ids { /* of one unit, added in ascending order */
  const struct mpl_run *run;
  struct text text;
  uint32_t count, ranges, lowest, first, last;
  uint32_t step; /* between all of them, 0 if it varies */
};

static void end_range(struct ids *ids) {
  if (++ids->ranges > MOST_RANGES) return;
  add(&ids->text, ids->ranges == 1 ? "" : ", ");
  add_id(&ids->text, ids->run, ids->first);
  if (ids->first == ids->last) return;
  add(&ids->text, "-");
  add_id(&ids->text, ids->run, ids->last);
}

static void add_to(struct ids *ids, uint32_t linear) {
  if (ids->count && linear != ids->last + 1) end_range(ids);
  if (!ids->count || linear != ids->last + 1) ids->first = linear;
  if (!ids->count) ids->lowest = linear;
  if (ids->count == 1) ids->step = linear - ids->last;
  if (ids->count > 1 && linear - ids->last != ids->step) ids->step = 0;
  ids->last = linear;
  ids->count++;
}

/* "local id 3", "local ids 0-7, 12", "local ids 0, 2, ... 30" */
static struct text name_ids(struct ids *ids) {
  struct text text = {0};
  if (ids->count > 3 && ids->step > 1) {
    add(&text, "local ids ");
    add_id(&text, ids->run, ids->lowest);
    add(&text, ", ");
    add_id(&text, ids->run, ids->lowest + ids->step);
    add(&text, ", ... ");
    add_id(&text, ids->run, ids->last);
    return text;
  }
  end_range(ids);
  add(&text, "local id%s %s", ids->count == 1 ? "" : "s", ids->text.bytes);
  if (ids->ranges > MOST_RANGES) add(&text, " and others: %u in all", ids->count);
  return text;
}

/* --- The lines that all messages have --- */

static void say_where(struct mpl_report *report, const struct mpl_run *run,
                      const struct mpl_unit *unit) {
  const uint64_t *id = run->group->id, *size = run->group->size;
  struct text group = {0}, local = {0};
  for (uint32_t d = 0; d < run->launch->work_dim; d++) {
    add(&group, "%s%llu", d ? ", " : "", (unsigned long long)id[d]);
    add(&local, "%s%llu", d ? " x " : "", (unsigned long long)size[d]);
  }
  if (unit->sub_group)
    mpl_report_where(report, "kernel %s, work-group (%s) of %s work-items, sub-group %u of %u",
                     run->check->kernel, group.bytes, local.bytes,
                     unit->first / run->sub_group_size, unit->count);
  else
    mpl_report_where(report, "kernel %s, work-group (%s) of %s work-items", run->check->kernel,
                     group.bytes, local.bytes);
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
static struct ids who(const struct mpl_run *run, const struct mpl_unit *unit,
                      const struct mpl_meeting *m) {
  struct ids ids = {.run = run};
  for (uint32_t i = 0; i < unit->count; i++) {
    const struct mpl_item *item = item_at(run, unit, i);
    if (m ? !item->ended && item->at == m : item->ended) add_to(&ids, item->linear);
  }
  return ids;
}

/* What two meetings of the same work-items differ in. */
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

static const char *type_of(const struct mpl_meeting *m, struct text *text) {
  *text = (struct text){0};
  if (!*m->function->type) return "";
  if (m->function->type[0] == 'b' && m->size)
    add(text, " of %u bytes", m->size);
  else
    add(text, " of %s", m->function->type);
  return text->bytes;
}

static struct mpl_report *headline(enum mpl_check check, const struct mpl_meeting *m,
                                   const struct mpl_meeting *other) {
  const char *name = m->function->name, *unit = unit_name(m->unit);
  const char *rival = other ? other->function->name : "";
  struct text a, b;
  switch (check) {
  case MPL_CHECK_DIVERGENT:
    return mpl_report_begin(check, &m->site, "%s reached by %u of %u work-items of the %s", name,
                            m->arrived, m->unit->count, unit);
  case MPL_CHECK_TYPE:
    return mpl_report_begin(check, &m->site, "%s%s meets one%s", name, type_of(m, &a),
                            type_of(other, &b));
  case MPL_CHECK_SITE:
    return mpl_report_begin(check, &m->site, "%s is called in different places by one %s", name,
                            unit);
  default:
    return mpl_report_begin(check, &m->site, "%s, while other work-items of the %s are at %s", name,
                            unit, rival);
  }
}

static void note_here(struct mpl_report *report, const struct mpl_run *run,
                      const struct mpl_meeting *m) {
  struct ids ids = who(run, m->unit, m);
  mpl_report_note(report, &m->site, "%s %s here", name_ids(&ids).bytes,
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
    struct ids ids = who(run, m->unit, item->at);
    struct text type;
    mpl_report_note(report, &item->at->site, "%s %s at this %s%s", name_ids(&ids).bytes,
                    ids.count == 1 ? "is" : "are", item->at->function->name,
                    type_of(item->at, &type));
  }
}

static bool left_here(const struct mpl_item *item, const struct mpl_meeting *m) {
  const struct mpl_site *a = &item->last, *b = &m->site;
  return a->line && item->left == m->function && a->line == b->line && a->column == b->column &&
         (a->file == b->file || (a->file && b->file && !strcmp(a->file, b->file)));
}

/* Those that have ended: apart, whose last collective was this one (a loop that others go on with),
 * another one, or none. */
static void note_ended(struct mpl_report *report, const struct mpl_run *run,
                       const struct mpl_meeting *m) {
  struct ids again = {.run = run}, other = {.run = run}, never = {.run = run};
  const struct mpl_item *example = NULL;
  for (uint32_t i = 0; i < m->unit->count; i++) {
    const struct mpl_item *item = item_at(run, m->unit, i);
    if (!item->ended) continue;
    bool here = left_here(item, m);
    if (!here && item->last.line) example = item;
    add_to(here ? &again : item->last.line ? &other : &never, item->linear);
  }
  if (again.count)
    mpl_report_note(report, NULL, "%s ended after an earlier call of it: a loop with fewer turns?",
                    name_ids(&again).bytes);
  if (other.count)
    mpl_report_note(report, &example->last, "%s ended after this collective",
                    name_ids(&other).bytes);
  if (never.count)
    mpl_report_note(report, NULL, "%s ended without a collective", name_ids(&never).bytes);
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
  say_where(report, run, m->unit);
  note_here(report, run, m);
  note_others(report, run, m);
  note_ended(report, run, m);
  mpl_report_end(report);
}

/* --- Arguments --- */

/* A value that has to be the same for all of the unit: the call's argument, or a mpl_same. */
struct value {
  const char *name;
  uint64_t (*of)(const struct mpl_item *, const struct value *);
  uint32_t index;
  bool sub_group;
};

static uint64_t argument_of(const struct mpl_item *item, const struct value *value) {
  return item->argument;
}

static uint64_t same_of(const struct mpl_item *item, const struct value *value) {
  const struct mpl_same *same = item->sames[value->sub_group];
  for (uint32_t i = 0; same && i < value->index; i++) same = same->next;
  return same ? same->value : 0;
}

static bool takes_part(const struct mpl_meeting *m, const struct mpl_item *item) {
  return !m->unit->sub_group || m->active >> item->lane & 1;
}

static struct text value_text(const struct mpl_meeting *m, const struct value *value, uint64_t v) {
  struct text text = {0};
  if (value->of == argument_of && m->function->kind == MPL_FUNCTION_BARRIER)
    add(&text, "%u and %u", (unsigned)v, (unsigned)(v >> 32));
  else if (v < 1 << 24)
    add(&text, "%llu", (unsigned long long)v);
  else
    add(&text, "%#llx", (unsigned long long)v);
  return text;
}

/* False if all bring the same. */
static bool report_value(struct mpl_meeting *m, const struct value *value) {
  const struct mpl_run *run = m->first->run;
  uint64_t seen[MOST_VALUES] = {value->of(m->first, value)};
  uint32_t count = 1;
  for (uint32_t i = 0; i < m->unit->count && count < MOST_VALUES; i++) {
    const struct mpl_item *item = item_at(run, m->unit, i);
    bool known = !takes_part(m, item);
    for (uint32_t k = 0; k < count && !known; k++) known = seen[k] == value->of(item, value);
    if (!known) seen[count++] = value->of(item, value);
  }
  if (count == 1) return false;
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_ARGUMENT, &m->site, "%s: %s is not the same for all of the %s",
                       m->function->name, value->name, unit_name(m->unit));
  if (!report) return true;
  say_where(report, run, m->unit);
  for (uint32_t k = 0; k < count; k++) {
    struct ids ids = {.run = run};
    for (uint32_t i = 0; i < m->unit->count; i++) {
      const struct mpl_item *item = item_at(run, m->unit, i);
      if (takes_part(m, item) && value->of(item, value) == seen[k]) add_to(&ids, item->linear);
    }
    mpl_report_note(report, NULL, "%s is %s for %s", value->name,
                    value_text(m, value, seen[k]).bytes, name_ids(&ids).bytes);
  }
  mpl_report_end(report);
  return true;
}

void mpl_diagnose_arguments(struct mpl_meeting *m) {
  const struct mpl_function *function = m->function;
  struct value argument = {.name = function->argument, .of = argument_of};
  if (function->argument && function->flags & MPL_FUNCTION_UNIFORM) report_value(m, &argument);
  uint32_t index = 0;
  const struct mpl_same *same = m->first->sames[m->unit->sub_group];
  for (; same; same = same->next, index++) {
    struct value value = {same->what, same_of, index, m->unit->sub_group};
    if (report_value(m, &value)) return;
  }
}

void mpl_diagnose_range(struct mpl_meeting *m) {
  const struct mpl_run *run = m->first->run;
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_RANGE, &m->site, "%s: %s %llu is outside the %s of %u work-items",
                       m->function->name, m->function->argument, (unsigned long long)m->argument,
                       unit_name(m->unit), m->unit->count);
  if (!report) return;
  say_where(report, run, m->unit);
  mpl_report_end(report);
}

void mpl_diagnose_id(const struct mpl_item *item, const size_t id[3], const struct mpl_site *site) {
  static const struct mpl_site unknown = {0};
  const struct mpl_run *run = item->run;
  const uint64_t *size = run->group->size;
  struct mpl_report *report = mpl_report_begin(
      MPL_CHECK_RANGE, site ? site : &unknown,
      "local id (%zu, %zu, %zu) is outside the work-group of %llu x %llu x %llu work-items", id[0],
      id[1], id[2], (unsigned long long)size[0], (unsigned long long)size[1],
      (unsigned long long)size[2]);
  if (!report) return;
  say_where(report, run, &run->work);
  mpl_report_end(report);
}

void mpl_diagnose_outside(const struct mpl_function *function, const struct mpl_site *site) {
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_OUTSIDE, site, "%s is called outside a kernel", function->name);
  if (report) mpl_report_end(report);
}

void mpl_diagnose_overflow(struct mpl_run *run, const struct mpl_item *item) {
  struct mpl_site site = {.file = run->check->file, .line = run->check->line};
  struct mpl_report *report =
      mpl_report_begin(MPL_CHECK_STACK, &site, "%s: a work-item's stack is full (%zu KiB)",
                       run->check->kernel, (size_t)mpl_option_number(MPL_OPTION_CHECK_STACK) >> 10);
  if (!report) return;
  say_where(report, run, &run->work);
  struct ids ids = {.run = run};
  add_to(&ids, item->linear);
  mpl_report_note(report, item->last.line ? &item->last : NULL, "%s%s", name_ids(&ids).bytes,
                  item->last.line ? ", after this collective" : "");
  mpl_report_end(report);
}

/* Which accesses race: the rules of memory.h over the cells of shadow.h. */
#include "memory.h"
#include "stamps.h"

struct look {
  struct mpl_visit visit; /* first */
  struct mpl_run *run;
  const struct mpl_item *item;
  enum mpl_memory_kind kind;
  struct mpl_record own, other;
  bool writes, found, other_writes, may_repeat;
};

/* By atomics: to the work-item itself, to its sub-group or to its group. */
static bool is_known(const struct look *look, struct mpl_record record, uint32_t group) {
  const struct mpl_memory *m = look->run->memory;
  if (!m->acquires) return false;
  return mpl_clock_knows(&m->clocks[look->item->linear].acquired, group, record.item,
                         record.phase) ||
         mpl_clock_knows(&m->lanes[look->item->sub_group].acquired, group, record.item,
                         record.phase) ||
         mpl_clock_knows(&m->acquired, group, record.item, record.phase);
}

/* Nothing orders that record and this access; accesses of one work-item are in order. */
static bool is_concurrent(const struct look *look, struct mpl_record record) {
  const struct mpl_memory *m = look->run->memory;
  if (!record.phase || (record.phase == look->own.phase && record.item == look->own.item))
    return false;
  if (record.phase == look->own.phase) return !is_known(look, record, m->group);
  const struct mpl_phase *phase = mpl_phase_of(record.phase);
  if (phase->launch != m->launch) return false;
  if (phase->group != m->group)
    return look->kind == MPL_MEMORY_GLOBAL && !is_known(look, record, phase->group);
  if (record.item == look->own.item || phase->epoch != m->order[look->kind].epoch) return false;
  uint32_t sub_group = record.item / look->run->sub_group_size;
  if (sub_group == look->item->sub_group && record.phase < m->lanes[sub_group].phase[look->kind])
    return false;
  return !is_known(look, record, m->group);
}

static bool is_same_group(const struct look *look, struct mpl_record a, struct mpl_record b) {
  if (a.phase == b.phase) return true;
  const struct mpl_phase *p = mpl_phase_of(a.phase), *q = mpl_phase_of(b.phase);
  return look->kind == MPL_MEMORY_LOCAL || (p->launch == q->launch && p->group == q->group);
}

/* Takes the place of one whom it makes superfluous.  With two of different groups, or two of one
 * group that nothing orders, anybody races with one of them. */
static void enter(const struct look *look, struct mpl_record slots[2]) {
  struct mpl_record *first = &slots[0], *second = &slots[1], own = look->own;
  if (first->phase == own.phase && first->item == own.item) {
    if (first->atomic >= own.atomic) *first = own; /* a plain access says more */
  } else if (!is_concurrent(look, *first)) {
    *first = own;
  } else if (!is_concurrent(look, *second) ||
             (is_same_group(look, *first, *second) && !is_same_group(look, *first, own))) {
    *second = own;
  }
}

/* What is volatile may meet what is atomic, which many kernels read so, but not what is volatile.
 */
static bool is_let_pass(struct mpl_record a, struct mpl_record b) {
  return (a.atomic && (b.atomic || mpl_access_is_volatile(b.access))) ||
         (b.atomic && mpl_access_is_volatile(a.access));
}

static bool races(struct look *look, struct mpl_record record, bool record_writes) {
  if (!is_concurrent(look, record) || is_let_pass(record, look->own)) return false;
  look->other = record;
  look->other_writes = record_writes;
  return look->found = true;
}

static bool races_with_one(struct look *look, const struct mpl_record slots[2], bool they_write) {
  return races(look, slots[0], they_write) || races(look, slots[1], they_write);
}

/* One mistake for each access is enough, but all of its cells are entered. */
static void visit(struct mpl_cell *cell, struct mpl_visit *data) {
  struct look *look = (struct look *)data;
  if (!look->found && !races(look, cell->write, true) &&
      !races_with_one(look, cell->atomic, true) && look->writes)
    races_with_one(look, cell->read, false);
  if (look->writes && look->own.atomic)
    enter(look, cell->atomic);
  else if (look->writes)
    cell->write = look->own;
  else
    enter(look, cell->read);
}

/* --- Stamps of a word after an access --- */

/* All work-items that are in this phase are behind it. */
static bool is_behind_all(const struct look *look, struct mpl_record record) {
  const struct mpl_memory *m = look->run->memory;
  if (!record.phase) return true;
  const struct mpl_phase *phase = mpl_phase_of(record.phase);
  if (phase->launch != m->launch) return true;
  if (phase->group != m->group) return look->kind == MPL_MEMORY_LOCAL;
  return phase->epoch != m->order[look->kind].epoch;
}

/* Two who have read it in this phase are there, and no write that somebody might race with. */
static bool is_read_by_several(const struct look *look, const struct mpl_cell *cell) {
  const struct mpl_record *read = cell->read, own = look->own;
  return read[0].phase == own.phase && read[1].phase == own.phase && read[0].item != read[1].item &&
         is_behind_all(look, cell->write) && is_behind_all(look, cell->atomic[0]) &&
         is_behind_all(look, cell->atomic[1]);
}

/* Two groups have, and nobody has written to it in this launch: whoever writes races with one. */
static bool is_read_by_groups(const struct look *look, const struct mpl_cell *cell) {
  const struct mpl_memory *m = look->run->memory;
  uint32_t floor = m->order[look->kind].floor;
  return look->kind == MPL_MEMORY_GLOBAL && look->run->watch.anywhere != MPL_STAMP_NEVER &&
         cell->read[0].phase >= floor && cell->read[1].phase >= floor &&
         mpl_phase_of(cell->read[0].phase)->launch == m->launch &&
         mpl_phase_of(cell->read[1].phase)->launch == m->launch &&
         !is_same_group(look, cell->read[0], cell->read[1]) && cell->write.phase < floor &&
         cell->atomic[0].phase < floor && cell->atomic[1].phase < floor;
}

static bool is_own(const struct look *look, struct mpl_record record) {
  return record.phase == look->own.phase && record.item == look->own.item;
}

static uint64_t stamp(const struct mpl_cell *cell, const struct mpl_visit *data) {
  const struct look *look = (const struct look *)data;
  const struct mpl_watch_now *watch = &look->run->watch;
  struct mpl_record own = look->own;
  if (look->found || own.atomic || !look->may_repeat || own.item >= MPL_STAMP_NOBODY)
    return data->nobody;
  if (!look->writes && watch->shared[look->kind] != MPL_STAMP_NEVER) {
    if (is_read_by_groups(look, cell)) return watch->anywhere;
    if (is_read_by_several(look, cell)) return watch->shared[look->kind];
  }
  bool reads = !look->writes || is_own(look, cell->read[0]) || is_own(look, cell->read[1]);
  bool writes = is_own(look, cell->write);
  return mpl_stamp(own.phase, own.item,
                   (reads ? MPL_STAMP_READ : 0) | (writes ? MPL_STAMP_WROTE : 0), 0);
}

/* Barriers of whatever kind count: of their work-items all that was before. */
struct mpl_clock mpl_races_known(const struct mpl_run *run, const struct mpl_item *item) {
  enum { ALL = UINT16_MAX };
  const struct mpl_memory *m = run->memory;
  const struct mpl_lanes_order *lanes = &m->lanes[item->sub_group];
  struct mpl_clock clock = m->clocks[item->linear].acquired;
  uint32_t local = m->order[MPL_MEMORY_LOCAL].phase, global = m->order[MPL_MEMORY_GLOBAL].phase;
  uint32_t barrier = local < global ? local : global;
  uint32_t of_lanes = lanes->phase[MPL_MEMORY_LOCAL] > lanes->phase[MPL_MEMORY_GLOBAL]
                          ? lanes->phase[MPL_MEMORY_LOCAL]
                          : lanes->phase[MPL_MEMORY_GLOBAL];
  uint32_t first = item->sub_group * run->sub_group_size;
  mpl_clock_join(&clock, &lanes->acquired);
  mpl_clock_join(&clock, &m->acquired);
  if (barrier > m->first_phase)
    mpl_clock_add(&clock, (struct mpl_known){m->group, barrier - 1, 0, ALL});
  if (of_lanes)
    mpl_clock_add(&clock, (struct mpl_known){m->group, of_lanes - 1, (uint16_t)first,
                                             (uint16_t)(first + run->sub_group_size - 1)});
  uint16_t own = (uint16_t)item->linear;
  mpl_clock_add(&clock, (struct mpl_known){m->group, mpl_phase_now(), own, own});
  return clock;
}

bool mpl_races(struct mpl_run *run, const struct mpl_item *item, enum mpl_memory_kind kind,
               const struct mpl_access *access, uintptr_t address, uint64_t size,
               struct mpl_record own, bool may_repeat, struct mpl_record *other,
               bool *other_writes) {
  struct look look = {.visit = {visit, stamp, mpl_stamp(own.phase, MPL_STAMP_NOBODY, 0, 0)},
                      .run = run,
                      .item = item,
                      .kind = kind,
                      .own = own,
                      .writes = access->flags & MPL_ACCESS_WRITE,
                      .may_repeat = may_repeat};
  if (!own.phase) return false;
  mpl_shadow_visit(&run->memory->cache, address, size, &look.visit);
  *other = look.other;
  *other_writes = look.other_writes;
  return look.found;
}

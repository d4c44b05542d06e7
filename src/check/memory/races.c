/* Which accesses race: the rules of memory.h over the cells of shadow.h. */
#include "memory.h"

struct look {
  struct mpl_run *run;
  const struct mpl_item *item;
  enum mpl_memory_kind kind;
  struct mpl_record own, other;
  bool writes, found, other_writes;
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

/* Nothing orders what that record says and what happens now; the same work-item's are in order. */
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

static bool races(struct look *look, struct mpl_record record, bool record_writes) {
  if ((record.atomic && look->own.atomic) || !is_concurrent(look, record)) return false;
  look->other = record;
  look->other_writes = record_writes;
  return look->found = true;
}

static bool races_with_one(struct look *look, const struct mpl_record slots[2], bool they_write) {
  return races(look, slots[0], they_write) || races(look, slots[1], they_write);
}

/* One mistake for each access is enough, but all of its cells are entered. */
static bool visit(struct mpl_cell *cell, void *data) {
  struct look *look = data;
  if (!look->found && !races(look, cell->write, true) &&
      !races_with_one(look, cell->atomic, true) && look->writes)
    races_with_one(look, cell->read, false);
  if (look->writes && look->own.atomic)
    enter(look, cell->atomic);
  else if (look->writes)
    cell->write = look->own;
  else
    enter(look, cell->read);
  return false;
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
               struct mpl_record own, struct mpl_record *other, bool *other_writes) {
  struct look look = {.run = run,
                      .item = item,
                      .kind = kind,
                      .own = own,
                      .writes = access->flags & MPL_ACCESS_WRITE};
  if (!own.phase) return false;
  mpl_shadow_visit(&run->memory->cache, address, size, visit, &look);
  *other = look.other;
  *other_writes = look.other_writes;
  return look.found;
}

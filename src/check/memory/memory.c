#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "stamps.h"
#include "unwritten.h"

bool mpl_accesses_are_told;

/* --- A group --- */

static uint32_t phase_of(const struct mpl_memory *m, const struct mpl_item *item,
                         enum mpl_memory_kind kind) {
  uint32_t lanes = m->lanes[item->sub_group].phase[kind];
  return lanes > m->order[kind].phase ? lanes : m->order[kind].phase;
}

/* With acquires, whom an access comes behind is more than its phase says. */
void mpl_memory_resume(struct mpl_run *run, const struct mpl_item *item) {
  enum { BOTH = MPL_STAMP_READ | MPL_STAMP_WROTE };
  const struct mpl_memory *m = run->memory;
  struct mpl_watch_now *watch = &run->watch;
  if (!m || !item) return;
  for (enum mpl_memory_kind kind = 0; kind < MPL_MEMORIES; kind++) {
    uint32_t phase = phase_of(m, item, kind);
    bool any = phase && item->linear < MPL_STAMP_NOBODY;
    watch->own[kind] = any ? mpl_stamp(phase, item->linear, BOTH, 0) : MPL_STAMP_NEVER;
    watch->shared[kind] =
        any && !m->acquires ? mpl_stamp(phase, MPL_STAMP_SEVERAL, 0, 0) : MPL_STAMP_NEVER;
  }
  uint64_t own = watch->own[MPL_MEMORY_GLOBAL];
  uint64_t wrote = mpl_stamp(0, 0, MPL_STAMP_WROTE, 0);
  watch->own_read = own == MPL_STAMP_NEVER ? own : own & ~wrote;
  /* A later access of its group to take a reader's place may matter to who acquires only. */
  const struct mpl_order *order = &m->order[MPL_MEMORY_GLOBAL];
  bool is_first = !order->epoch && !m->lanes[item->sub_group].phase[MPL_MEMORY_GLOBAL];
  watch->anywhere = !m->acquires && (is_first || !m->uses_atomics)
                        ? mpl_stamp(order->floor, MPL_STAMP_SEVERAL, MPL_STAMP_WROTE, 0)
                        : MPL_STAMP_NEVER;
}

static void begin_phase(struct mpl_memory *m, enum mpl_memory_kind kind, bool is_ordered) {
  struct mpl_order *order = &m->order[kind];
  order->phase = mpl_phase_begin((struct mpl_phase){m->launch, m->group, order->epoch});
  /* A group's local memory is nobody else's. */
  if (kind == MPL_MEMORY_LOCAL && is_ordered) order->floor = order->phase;
}

static bool make_room(struct mpl_memory *m, const struct mpl_run *run) {
  size_t bytes = (m->local_size + 7) / 8;
  if (bytes > m->written_size) {
    free(m->written);
    m->written = malloc(bytes);
    m->written_size = m->written ? bytes : 0;
    if (!m->written) return false;
  }
  if (bytes) memset(m->written, 0, bytes);
  if (run->num_lanes > m->num_lanes) {
    free(m->lanes);
    m->lanes = malloc(run->num_lanes * sizeof *m->lanes);
    m->num_lanes = m->lanes ? run->num_lanes : 0;
    if (!m->lanes) return false;
  }
  memset(m->lanes, 0, run->num_lanes * sizeof *m->lanes);
  if (run->count > m->num_clocks) {
    free(m->clocks);
    m->clocks = calloc(run->count, sizeof *m->clocks);
    m->num_clocks = m->clocks ? run->count : 0;
    if (!m->clocks) return false;
  } else if (m->clocks_are_used) {
    memset(m->clocks, 0, m->num_clocks * sizeof *m->clocks);
  }
  m->clocks_are_used = false;
  return true;
}

void mpl_memory_begin(struct mpl_run *run, bool uses_atomics) {
  struct mpl_memory *m = run->spare_memory;
  if (!m && !(m = run->spare_memory = calloc(1, sizeof *m))) return;
  const uint64_t *id = run->group->id, *num = run->launch->num_groups;
  m->launch = run->check->number;
  m->group = (uint32_t)(id[0] + num[0] * (id[1] + num[1] * id[2]));
  m->local = run->group->local_base;
  m->local_size = (size_t)((const char *)run->group->scratch - m->local);
  if (!make_room(m, run) || !mpl_memory_find_views(m, run)) return;
  mpl_find_thread_variables(m);
  memset(&m->cache, 0, sizeof m->cache);
  m->groups++;
  memset(m->order, 0, sizeof m->order);
  m->acquired = m->pending = (struct mpl_clock){0};
  m->doubt.size = 0;
  m->acquires = false;
  m->uses_atomics = uses_atomics;
  m->is_alone = run->check->is_on_one_thread;
  for (enum mpl_memory_kind kind = 0; kind < MPL_MEMORIES; kind++) begin_phase(m, kind, true);
  m->first_phase = m->order[MPL_MEMORY_GLOBAL].phase;
  m->order[MPL_MEMORY_GLOBAL].floor = run->check->first_phase;
  run->memory = m;
}

void mpl_memory_end(struct mpl_run *run) {
  mpl_memory_settle(run);
  run->memory = NULL;
}

/* --- Meetings --- */

static bool is_in_scope(const struct mpl_meeting *m, uint64_t scope) {
  return m->function->kind == MPL_FUNCTION_BARRIER &&
         m->argument >> MPL_FENCE_SCOPE_SHIFT == scope;
}

/* A barrier of the group in memory_scope_sub_group: each sub-group sees its own accesses only. */
static bool is_narrow(const struct mpl_meeting *m) {
  return !m->unit->sub_group && is_in_scope(m, MPL_FENCE_SUB_GROUP);
}

/* CLK_LOCAL_MEM_FENCE, CLK_GLOBAL_MEM_FENCE. */
static bool has_fence(const struct mpl_meeting *m, enum mpl_memory_kind kind) {
  if (m->function->kind != MPL_FUNCTION_BARRIER) return true;
  return m->argument & (kind == MPL_MEMORY_LOCAL ? MPL_FENCE_LOCAL : MPL_FENCE_GLOBAL);
}

/* For some work-items besides oneself. */
static bool orders(const struct mpl_meeting *m, enum mpl_memory_kind kind) {
  return has_fence(m, kind) && !is_in_scope(m, MPL_FENCE_WORK_ITEM);
}

/* All of the group are there. */
static void order_group(struct mpl_memory *m, const struct mpl_meeting *meeting) {
  for (enum mpl_memory_kind kind = 0; kind < MPL_MEMORIES; kind++) {
    struct mpl_order *order = &m->order[kind];
    bool ordered = orders(meeting, kind) && !is_narrow(meeting);
    order->epoch += ordered;
    begin_phase(m, kind, ordered);
    order->weak_phase = ordered ? 0 : order->phase;
    order->weak = meeting->place;
    order->weak_scope = !has_fence(meeting, kind) ? NULL
                        : is_narrow(meeting)      ? "memory_scope_sub_group"
                                                  : "memory_scope_work_item";
  }
  m->acquired = m->pending;
}

/* Functions that only some of the lanes reach order none: who of them was there is not kept. */
static void order_lanes(struct mpl_memory *m, const struct mpl_meeting *meeting, uint32_t index) {
  struct mpl_lanes_order *lanes = &m->lanes[index];
  if (meeting->arrived < meeting->unit->count) return;
  if (is_in_scope(meeting, MPL_FENCE_WORK_ITEM)) lanes->weak = meeting->place;
  for (enum mpl_memory_kind kind = 0; kind < MPL_MEMORIES; kind++)
    if (orders(meeting, kind))
      lanes->phase[kind] =
          mpl_phase_begin((struct mpl_phase){m->launch, m->group, m->order[kind].epoch});
  lanes->acquired = lanes->pending;
}

void mpl_memory_meet(struct mpl_run *run, const struct mpl_meeting *meeting) {
  if (meeting->function->kind == MPL_FUNCTION_COPY) return;
  if (meeting->call && meeting->call->how == MPL_MEET_JOIN) return; /* the program has nothing there */
  if (meeting->unit->sub_group)
    order_lanes(run->memory, meeting, meeting->unit->first / run->sub_group_size);
  else
    order_group(run->memory, meeting);
  for (uint32_t first = 0; is_narrow(meeting) && first < meeting->unit->count;
       first += run->sub_group_size)
    order_lanes(run->memory, meeting, first / run->sub_group_size);
  mpl_memory_resume(run, mpl_item_now);
}

/* --- Atomic accesses and fences --- */

static void begin_acquiring(struct mpl_run *run, const struct mpl_item *item) {
  if (run->memory->acquires) return;
  run->memory->acquires = true;
  mpl_memory_resume(run, item);
}

/* OpenCL's numbers of memory_scope. */
static enum mpl_reach reach_of(uint64_t scope) {
  enum { WORK_ITEM, WORK_GROUP, DEVICE, ALL_DEVICES, SUB_GROUP };
  return scope == WORK_ITEM    ? MPL_REACH_NOBODY
         : scope == SUB_GROUP  ? MPL_REACH_SUB_GROUP
         : scope == WORK_GROUP ? MPL_REACH_GROUP
                               : MPL_REACH_ALL;
}

void mpl_memory_set_scope(struct mpl_item *item, uint64_t scope) {
  item->scope = scope == MPL_NO_SCOPE ? 0 : (uint8_t)(1 + reach_of(scope));
}

/* Of the atomic access or fence that is made. */
static enum mpl_reach take_scope(struct mpl_item *item) {
  enum mpl_reach reach = item->scope ? (enum mpl_reach)(item->scope - 1) : MPL_REACH_ALL;
  item->scope = 0;
  return reach;
}

static void fence(struct mpl_run *run, struct mpl_item *item, uint32_t flags) {
  struct mpl_memory *m = run->memory;
  struct mpl_item_clocks *own = &m->clocks[item->linear];
  enum mpl_reach reach = take_scope(item);
  if (flags & MPL_ACCESS_RELEASE && item->fenced < reach) item->fenced = reach;
  if (!(flags & MPL_ACCESS_ACQUIRE)) return;
  mpl_clock_join(&own->acquired, &own->pending);
  mpl_clock_join(&m->lanes[item->sub_group].pending, &own->acquired);
}

/* For whom a write without a release of its own is one.  A barrier is a fence too. */
static enum mpl_reach fenced(const struct mpl_memory *m, const struct mpl_item *item) {
  bool met = m->order[MPL_MEMORY_GLOBAL].epoch || m->order[MPL_MEMORY_LOCAL].epoch ||
             m->lanes[item->sub_group].phase[MPL_MEMORY_GLOBAL] ||
             m->lanes[item->sub_group].phase[MPL_MEMORY_LOCAL];
  return met ? MPL_REACH_ALL : (enum mpl_reach)item->fenced;
}

/* Fences beside it reach no further than itself: whoever is out of its scope is in a race with it
 * (OpenCL 3.0 API, 3.3.6.1: inclusive scopes). */
static void synchronise(struct mpl_run *run, struct mpl_item *item, uint32_t flags,
                        uintptr_t address) {
  struct mpl_memory *m = run->memory;
  struct mpl_item_clocks *own = &m->clocks[item->linear];
  struct mpl_release last;
  struct mpl_writer who = {m->group, item->sub_group};
  enum mpl_reach scope = take_scope(item);
  if (flags & MPL_ACCESS_READ && mpl_release_at(address, &last)) {
    struct mpl_clock seen = mpl_release_seen(&last, who, scope);
    m->clocks_are_used = true;
    mpl_clock_join(&own->followed, &last.written);
    mpl_clock_join(&own->pending, &seen);
    mpl_clock_join(&m->pending, &seen);
    mpl_clock_join(&m->lanes[item->sub_group].pending, &seen);
    if (flags & MPL_ACCESS_ACQUIRE) mpl_clock_join(&own->acquired, &seen);
    if (!mpl_clock_is_empty(&seen)) begin_acquiring(run, item);
  }
  if (flags & MPL_ACCESS_WRITE) {
    struct mpl_clock known = mpl_races_known(run, item);
    enum mpl_reach reach = fenced(m, item);
    if (reach > scope) reach = scope;
    if (flags & MPL_ACCESS_RELEASE && reach < scope) reach = scope;
    mpl_release_set(address, &known, who, reach);
  }
}

/* --- Local memory that was written --- */

/* All of it; or a part, if it may be a structure with holes that is copied as one integer. */
static bool is_written(const struct mpl_memory *m, size_t offset, size_t size,
                       bool may_have_holes) {
  size_t count = 0, within = offset % 8;
  if (within + size <= 8) {
    unsigned mask = ((1u << size) - 1) << within, bits = m->written[offset / 8] & mask;
    return may_have_holes ? bits : bits == mask;
  }
  for (size_t i = offset; i < offset + size; i++) count += m->written[i / 8] >> i % 8 & 1;
  return may_have_holes ? count > 0 : count == size;
}

static bool may_have_holes(const struct mpl_access *access, const struct mpl_code *code,
                           uint64_t size) {
  return code ? size >= 8 : access->flags & MPL_ACCESS_PIECE;
}

static void set_written(struct mpl_memory *m, size_t offset, size_t size) {
  size_t i = offset, end = offset + size;
  if (offset % 8 + size <= 8) {
    m->written[offset / 8] |= (uint8_t)(((1u << size) - 1) << offset % 8);
    return;
  }
  while (i < end) {
    bool whole = !(i % 8) && end - i >= 8;
    m->written[i / 8] |= whole ? 0xff : (uint8_t)(1 << i % 8);
    i += whole ? 8 : 1;
  }
}

/* --- An access --- */

/* How much of it lies in the group's local memory, if it begins there. */
static size_t local_part(const struct mpl_memory *m, uintptr_t address, uint64_t size) {
  uintptr_t offset = address - (uintptr_t)m->local;
  if (offset >= m->local_size) return 0;
  return size < m->local_size - offset ? size : m->local_size - offset;
}

static void doubt(struct mpl_memory *m, const void *address, size_t size, struct mpl_record own,
                  struct mpl_record other) {
  m->doubt =
      (struct mpl_doubt){.address = address, .size = (uint32_t)size, .other = other, .own = own};
  memcpy(m->doubt.before, address, size);
}

void mpl_memory_settle_doubt(struct mpl_run *run) {
  struct mpl_memory *m = run->memory;
  struct mpl_doubt doubt = m->doubt;
  m->doubt.size = 0;
  if (!memcmp(doubt.before, doubt.address, doubt.size)) return;
  mpl_diagnose_race(run, mpl_memory_kind_of(m, (uintptr_t)doubt.address), doubt.own, true,
                    doubt.other, true);
}

static void look_for_races(struct mpl_run *run, const struct mpl_item *item,
                           const struct mpl_access *access, uint16_t number, const void *address,
                           uint64_t size, enum mpl_memory_kind kind, bool may_repeat) {
  struct mpl_memory *m = run->memory;
  bool atomic = mpl_access_counts_as_atomic(access), writes = access->flags & MPL_ACCESS_WRITE;
  struct mpl_record other, own = {.phase = phase_of(m, item, kind),
                                  .item = (uint16_t)item->linear,
                                  .atomic = atomic,
                                  .access = number & 0x7fff};
  bool other_writes;
  if (!mpl_races(run, item, kind, access, (uintptr_t)address, size, own, may_repeat, &other,
                 &other_writes))
    return;
  if (writes && other_writes && !atomic && !other.atomic && size <= sizeof m->doubt.before)
    doubt(m, address, size, own, other);
  else
    mpl_diagnose_race(run, kind, own, writes, other, other_writes);
}

static void look_for_unwritten(struct mpl_run *run, const struct mpl_item *item,
                               const struct mpl_access *access, uint16_t number,
                               const struct mpl_code *code, enum mpl_memory_kind kind,
                               uintptr_t address, uint64_t size) {
  if (kind == MPL_MEMORY_LOCAL && code)
    mpl_unwritten_look_at_variable(run, item, access, number, code->at[0], address, size);
  else if (mpl_is_value_wanted(access) && mpl_may_be_unwritten(address))
    mpl_unwritten_look(run, item, access, number, address, size);
}

/* Local memory is a part of the thread's memory for it. */
static bool is_inside(struct mpl_memory *m, uintptr_t address, uint64_t size) {
  size_t local = local_part(m, address, size);
  return local ? local == size : mpl_bounds_hold(&m->bounds, address, size);
}

static struct mpl_block local_block(const struct mpl_memory *m, unsigned i) {
  return i ? m->variables[i - 1].block : (struct mpl_block){m->local, m->local_size};
}

bool mpl_memory_within_local(const struct mpl_memory *m, uintptr_t address, uintptr_t *low,
                             uintptr_t *end) {
  for (unsigned i = 0; i <= m->num_variables; i++) {
    struct mpl_block block = local_block(m, i);
    uintptr_t begin = (uintptr_t)block.low;
    if (address - begin >= block.size) continue;
    if (*low < begin) *low = begin;
    if (*end > begin + block.size) *end = begin + block.size;
    return true;
  }
  return false;
}

void mpl_memory_outside_local(const struct mpl_memory *m, uintptr_t address, uintptr_t *low,
                              uintptr_t *end) {
  for (unsigned i = 0; i <= m->num_variables; i++) {
    struct mpl_block block = local_block(m, i);
    uintptr_t begin = (uintptr_t)block.low, behind = begin + block.size;
    if (*end > begin && address < begin) *end = begin;
    if (*low < behind && address >= behind) *low = behind;
  }
}

void mpl_memory_give_up(struct mpl_run *run, struct mpl_item *item, uint32_t flags,
                        const void *address, uint64_t size) {
  enum { BOTH = MPL_ACCESS_READ | MPL_ACCESS_WRITE };
  run->fault = (struct mpl_fault){.kind = (flags & BOTH) == BOTH     ? MPL_FAULT_ACCESS
                                          : flags & MPL_ACCESS_WRITE ? MPL_FAULT_WRITE
                                                                     : MPL_FAULT_READ,
                                  .address = address,
                                  .size = size};
  run->faulted = item;
  run->fault_access = run->memory->last;
  mpl_run_abandon(run);
}

void mpl_memory_access(struct mpl_access *access, const void *at, uint64_t size,
                       const struct mpl_code *code) {
  struct mpl_item *item = mpl_item_now;
  struct mpl_run *run = item ? item->run : NULL;
  struct mpl_memory *m = run ? run->memory : NULL;
  uintptr_t address = (uintptr_t)at;
  if (!m) return;
  mpl_memory_settle(run);
  if (!(access->flags & (MPL_ACCESS_READ | MPL_ACCESS_WRITE))) {
    fence(run, item, access->flags);
    return;
  }
  if (!size) return;
  if (mpl_memory_is_own(item, at)) {
    if (item->stack->ended.count) mpl_memory_own(run, item, access, at, size, code);
    return;
  }
  uint16_t number = m->last = mpl_access_number(access, code);
  if (address & mpl_alignment_mask(access)) mpl_diagnose_misaligned(run, item, access, number);
  if (!is_inside(m, address, size)) mpl_memory_give_up(run, item, access->flags, at, size);
  size_t local = local_part(m, address, size), offset = address - (uintptr_t)m->local;
  bool may_repeat = !(access->flags & MPL_ACCESS_UNUSED); /* it need not have been written */
  if (local && access->flags & MPL_ACCESS_READ && !(access->flags & MPL_ACCESS_UNUSED) &&
      !is_written(m, offset, local, may_have_holes(access, code, size))) {
    mpl_diagnose_unwritten(run, item, MPL_MEMORY_LOCAL, number);
    set_written(m, offset, local); /* once is enough */
  }
  enum mpl_memory_kind kind = mpl_memory_kind_of(m, address);
  if (!local && access->flags & MPL_ACCESS_READ) {
    look_for_unwritten(run, item, access, number, code, kind, address, size);
    may_repeat &= !mpl_may_be_unwritten_within(address, size); /* somebody may want it */
  }
  /* A structure with holes: a later read may use the part that is still unwritten. */
  if (local && !(access->flags & MPL_ACCESS_WRITE))
    may_repeat &= is_written(m, offset, local, false);
  look_for_races(run, item, access, number, at, size, kind, may_repeat);
  if (local && access->flags & MPL_ACCESS_WRITE) set_written(m, offset, local);
  if (access->flags & MPL_ACCESS_ATOMIC) synchronise(run, item, access->flags, address);
}

/* OpenCL kernels on the checking engine: the calls of a compiled work-item to it (struct
 * mpl_item_host of abi/items.h). */
#include <string.h>

#include "check/engine/engine.h"
#include "check/filter/filter.h"
#include "check/memory/memory.h"
#include "check/memory/releases.h"
#include "check/memory/uses.h"

enum { MOST_LANES = 64 };

static uint64_t id(uint32_t which) {
  const struct mpl_item *item = mpl_item_now;
  switch (which) {
  case MPL_ITEM_LOCAL_LINEAR_ID:
    return item->linear;
  case MPL_ITEM_LANE:
    return item->lane;
  case MPL_ITEM_SUB_GROUP:
    return item->sub_group;
  case MPL_ITEM_SUB_GROUP_SIZE:
    return item->run->lanes[item->sub_group].count;
  case MPL_ITEM_TURNS:
    return item->turns;
  default:
    return item->local[which];
  }
}

/* One work-item makes the copy (builtins/memory/copy.cl): the others only have to call it. */
static void meet_for_copy(const struct mpl_function *function, const struct mpl_place *place) {
  struct mpl_site site = {.file = place->file, .line = place->line, .column = place->column};
  struct mpl_meeting *m = mpl_arrive(function, &site, 0, 0, NULL);
  if (!m->arrived) m->place = *place;
  mpl_meet(m);
  mpl_leave(m);
}

/* Of a broadcast: in each dimension there has to be such a work-item, whatever number they come to.
 */
static void check_ids(struct mpl_item *item, const struct mpl_place *place, uint64_t ids) {
  const uint64_t *size = item->run->group->size, mask = (1u << MPL_IDS_BITS) - 1;
  const size_t id[] = {ids & mask, ids >> MPL_IDS_BITS & mask, ids >> 2 * MPL_IDS_BITS & mask};
  struct mpl_site site = {.file = place->file, .line = place->line, .column = place->column};
  item->gave_ids = true;
  if (id[0] < size[0] && id[1] < size[1] && id[2] < size[2]) return;
  mpl_diagnose_id(item, id, &site);
}

static void at(const struct mpl_function *function, const struct mpl_place *place, uint64_t flags) {
  if (function && function->kind == MPL_FUNCTION_EXPECT) {
    mpl_work_group_same(function->name, flags, NULL);
    return;
  }
  if (function && function->kind == MPL_FUNCTION_EVENT) {
    if (flags != MPL_EVENT_OF_COPY && !mpl_item_now->unwritten)
      mpl_diagnose_event(mpl_item_now, place, flags == MPL_EVENT_RELEASED);
    mpl_item_now->unwritten = false;
    return;
  }
  if (function && function->kind == MPL_FUNCTION_SCOPE) {
    mpl_memory_set_scope(mpl_item_now, flags);
    return;
  }
  if (function && function->kind == MPL_FUNCTION_TURNS) {
    mpl_item_now->turns = flags;
    return;
  }
  if (function && function->kind == MPL_FUNCTION_BROADCAST && flags >> MPL_IDS_GIVEN_SHIFT)
    check_ids(mpl_item_now, place, flags);
  mpl_item_now->function = function;
  mpl_item_now->place_next = place;
  mpl_item_now->flags_next = flags;
  if (function && function->kind == MPL_FUNCTION_COPY) meet_for_copy(function, place);
}

static void branch(const struct mpl_branch *branch, uint32_t index, uint64_t value) {
  const struct mpl_item *item = mpl_item_now;
  struct mpl_trail *trail = &item->run->trails[(size_t)index * item->run->count + item->linear];
  trail->branch = branch;
  trail->times++;
  trail->stays += value == branch->stay;
  trail->value = value;
}

/* Rendezvous inside a built-in function of which nothing was said. */
static const struct mpl_function unnamed[2] = {
    {.name = "a work-group function", .operation = "", .type = "", .kind = MPL_FUNCTION_OTHER},
    {.name = "a sub-group function",
     .operation = "",
     .type = "",
     .kind = MPL_FUNCTION_OTHER,
     .flags = MPL_FUNCTION_SUB_GROUP | MPL_FUNCTION_ANY_LANES},
};

static const struct mpl_function join = {
    .name = "the end of a branch",
    .operation = "",
    .type = "",
    .kind = MPL_FUNCTION_OTHER,
    .flags = MPL_FUNCTION_SUB_GROUP | MPL_FUNCTION_ANY_LANES,
};

static void compute(struct mpl_meeting *m) {
  const struct mpl_item_meeting *call = m->call;
  _Alignas(64) uint32_t with[MOST_LANES] = {0}; /* as builtins/sync.h promises */
  bool lanes = m->unit->sub_group;
  if (call->has_second)
    for (uint32_t i = 0; i < m->unit->count; i++)
      with[i] = (uint32_t)m->first->run->items[m->unit->first + i].argument;
  call->combine(m->operands, m->result, with,
                lanes ? m->first->run->sub_group_size : m->unit->count, m->active, m->argument);
}

/* An operand or a result: most are one word. */
static inline void copy(void *to, const void *from, size_t size) {
  if (size == 4)
    memcpy(to, from, 4);
  else if (size)
    memcpy(to, from, size);
}

/* The lane that a shuffle takes a value from has to be there, and to take part. */
static void check_source(const struct mpl_item *item, const struct mpl_meeting *m, uint32_t with) {
  static const struct {
    const char *name;
    enum { AT, XOR, UP, DOWN } how;
  } shuffles[] = {{"sub_group_shuffle", AT},
                  {"sub_group_shuffle_xor", XOR},
                  {"sub_group_shuffle_up", UP},
                  {"sub_group_shuffle_down", DOWN}};
  size_t count = sizeof shuffles / sizeof *shuffles, k = 0;
  while (k < count && strcmp(m->function->name, shuffles[k].name) != 0) k++;
  if (k == count) return;
  uint32_t lane = item->lane;
  int64_t from = shuffles[k].how == AT    ? (int64_t)with
                 : shuffles[k].how == XOR ? (int64_t)(lane ^ with)
                 : shuffles[k].how == UP  ? (int64_t)lane - with
                                          : (int64_t)lane + with;
  bool is_there = from >= 0 && from < m->unit->count;
  if (!is_there || !(m->active >> from & 1)) mpl_diagnose_lane(item, m, from, is_there);
}

/* Each second time: where all want to exchange what they have read, one who looks again at once has
 * what he needs, and one who looks behind all the others never has. */
static void yield(struct mpl_item *item) {
  enum { READS = 2 };
  if (++item->reads % READS == 0) mpl_item_yield(item);
}

static void meet(const struct mpl_item_meeting *call, void *value, uint64_t argument) {
  struct mpl_item *item = mpl_item_now;
  if (call->how == MPL_MEET_YIELD) {
    yield(item);
    return;
  }
  const struct mpl_function *function = item->function;
  bool sub_group = function && function->flags & MPL_FUNCTION_SUB_GROUP;
  if (!function || sub_group != (call->sub_group != 0)) function = &unnamed[call->sub_group];
  if (call->how == MPL_MEET_JOIN) function = &join;
  if (function->kind == MPL_FUNCTION_BARRIER) argument = item->flags_next;
  struct mpl_meeting *m = mpl_arrive(function, NULL, argument, call->operand_size, call);
  if (!m->arrived) {
    if (item->place_next) m->place = *item->place_next;
    m->compute = call->combine ? compute : NULL;
  }
  char *own = (char *)m->operands + (size_t)mpl_place(m) * call->operand_size;
  copy(own, value, call->operand_size);
  mpl_meet(m);
  if (call->is_stored && m->unit->sub_group) check_source(item, m, (uint32_t)argument);
  switch (call->how) {
  case MPL_MEET_RESULT:
    copy(value, m->result, call->result_size);
    break;
  case MPL_MEET_IN_PLACE:
    copy(value, own, call->operand_size);
    break;
  case MPL_MEET_BROADCAST: {
    size_t from = m->argument < m->unit->count ? m->argument : 0;
    memcpy(value, (char *)m->operands + from * call->operand_size, call->operand_size);
    break;
  }
  case MPL_MEET_ACTIVE:
    memcpy(value, &m->active, sizeof m->active);
    break;
  default:
    break;
  }
  mpl_leave(m);
}

static void access(struct mpl_access *access, const void *address, uint64_t size,
                   uint32_t argument) {
  struct mpl_item *item = mpl_item_now;
  struct mpl_memory *memory = item ? item->run->memory : NULL;
  if (memory && item->run->check->num_noted)
    mpl_uses_note(item->run->check, access, (uintptr_t)address, size);
  if (memory && argument)
    mpl_memory_by_argument(item, memory, access, (uintptr_t)address, size, argument - 1);
  if (!memory || !mpl_access_quickly(item, memory, access, (uintptr_t)address, size))
    mpl_memory_access(access, address, size, NULL);
}

const struct mpl_item_host mpl_check_items = {.run = mpl_check_group_of,
                                              .id = id,
                                              .at = at,
                                              .meet = meet,
                                              .branch = branch,
                                              .access = access,
                                              .inside = mpl_memory_inside,
                                              .filter = mpl_filter_group};

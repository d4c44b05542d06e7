/* Barriers, and the collectives for values of any size. */
#include <stdlib.h>

#include "collective.h"

#define BARRIER(name, scope)                                                                       \
  void mpl_##name(uint32_t fence, uint32_t memory_scope, SITE) {                                   \
    FUNCTION(name, "", , "fence and scope", NULL, MPL_FUNCTION_BARRIER,                            \
             (scope) | MPL_FUNCTION_UNIFORM);                                                      \
    struct mpl_meeting *m =                                                                        \
        mpl_arrive(&function, site, (uint64_t)memory_scope << 32 | fence, 0, NULL);                \
    if (!m) return;                                                                                \
    mpl_meet(m);                                                                                   \
    mpl_leave(m);                                                                                  \
  }
BARRIER(work_group_barrier, 0)
BARRIER(sub_group_barrier, MPL_FUNCTION_SUB_GROUP)

#define BROADCAST(name, type, id_name, flags)                                                      \
  void mpl_##name##_bytes(void *value, size_t size, type id, SITE) {                               \
    FUNCTION(name, "", bytes, id_name, NULL, MPL_FUNCTION_BROADCAST,                               \
             (flags) | MPL_FUNCTION_UNIFORM | MPL_FUNCTION_INSIDE);                                \
    struct mpl_meeting *m = meet(&function, site, id, value, size);                                \
    if (m) take(m, m->argument, value, size);                                                      \
  }
BROADCAST(work_group_broadcast, size_t, "local id", 0)
BROADCAST(sub_group_broadcast, uint32_t, "sub-group local id", LANES_TOGETHER)

#define SHUFFLE(name, argument, from)                                                              \
  void mpl_##name##_bytes(void *value, size_t size, uint32_t by, SITE) {                           \
    FUNCTION(name, "", bytes, argument, NULL, MPL_FUNCTION_SHUFFLE, LANES_APART);                  \
    struct mpl_meeting *m = meet(&function, site, by, value, size);                                \
    if (m) take(m, from, value, size);                                                             \
  }
SHUFFLE(sub_group_shuffle, "index", by)
SHUFFLE(sub_group_shuffle_xor, "mask", mpl_item_now->lane ^ by)
SHUFFLE(sub_group_shuffle_up, "delta", (uint64_t)mpl_item_now->lane - by)
SHUFFLE(sub_group_shuffle_down, "delta", (uint64_t)mpl_item_now->lane + by)

/* --- Combining with the caller's own operation --- */

static char *operand(const struct mpl_meeting *m, uint32_t place) {
  return (char *)m->operands + (size_t)place * m->size;
}

/* Scans stand in for the operands; the sum of all is then the last one. */
static void scan_inclusive(struct mpl_meeting *m) {
  mpl_combine_fn *combine = m->combine;
  char *sum = NULL;
  for (uint32_t i = 0; i < m->unit->count; i++) {
    if (!is_active(m, i)) continue;
    char *own = operand(m, i), *right = operand(m, m->unit->count); /* room for one more */
    if (sum) {
      memcpy(right, own, m->size);
      memcpy(own, sum, m->size);
      combine(own, right, m->state);
    }
    sum = own;
  }
}

/* The first to arrive says how; its stack holds until it leaves. */
static struct mpl_meeting *combine_all(const struct mpl_function *function, SITE, const void *value,
                                       size_t size, mpl_combine_fn *combine, const void *state) {
  struct mpl_meeting *m = mpl_arrive(function, site, 0, size, NULL);
  if (!m) return NULL;
  if (!m->arrived) {
    m->combine = combine;
    m->state = state;
  }
  memcpy(operand(m, mpl_place(m)), value, size);
  mpl_meet(m);
  return m;
}

/* The active work-item before the caller, or none. */
static bool find_previous(const struct mpl_meeting *m, uint32_t *place) {
  uint32_t i = mpl_place(m);
  while (i && !is_active(m, i - 1)) i--;
  *place = i - 1;
  return i != 0;
}

static uint32_t last_active(const struct mpl_meeting *m) {
  uint32_t i = m->unit->count - 1;
  while (i && !is_active(m, i)) i--;
  return i;
}

#define COMBINE(scope, flags)                                                                      \
  void mpl_##scope##_reduce_bytes(void *value, size_t size, mpl_combine_fn *combine,               \
                                  const void *state, SITE) {                                       \
    FUNCTION(scope##_reduce, "", bytes, NULL, scan_inclusive, MPL_FUNCTION_REDUCE, flags);         \
    struct mpl_meeting *m = combine_all(&function, site, value, size, combine, state);             \
    if (m) take(m, last_active(m), value, size);                                                   \
  }                                                                                                \
  void mpl_##scope##_scan_inclusive_bytes(void *value, size_t size, mpl_combine_fn *combine,       \
                                          const void *state, SITE) {                               \
    FUNCTION(scope##_scan_inclusive, "", bytes, NULL, scan_inclusive, MPL_FUNCTION_SCAN_INCLUSIVE, \
             flags);                                                                               \
    struct mpl_meeting *m = combine_all(&function, site, value, size, combine, state);             \
    if (m) take(m, mpl_place(m), value, size);                                                     \
  }                                                                                                \
  void mpl_##scope##_scan_exclusive_bytes(void *value, size_t size, mpl_combine_fn *combine,       \
                                          const void *state, const void *first, SITE) {            \
    FUNCTION(scope##_scan_exclusive, "", bytes, NULL, scan_inclusive, MPL_FUNCTION_SCAN_EXCLUSIVE, \
             flags);                                                                               \
    struct mpl_meeting *m = combine_all(&function, site, value, size, combine, state);             \
    uint32_t before;                                                                               \
    if (!m || !find_previous(m, &before)) {                                                        \
      memcpy(value, first, size);                                                                  \
      if (m) mpl_leave(m);                                                                         \
      return;                                                                                      \
    }                                                                                              \
    take(m, before, value, size);                                                                  \
  }
COMBINE(work_group, 0)
COMBINE(sub_group, LANES_TOGETHER)

size_t mpl_linear_id_of(size_t x, size_t y, size_t z, SITE) {
  if (!mpl_item_now) return 0;
  const uint64_t *size = mpl_item_now->run->group->size;
  mpl_item_now->gave_ids = true;
  if (x < size[0] && y < size[1] && z < size[2]) return (z * size[1] + y) * size[0] + x;
  mpl_diagnose_id(mpl_item_now, (const size_t[3]){x, y, z}, site);
  return 0;
}

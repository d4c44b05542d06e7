/* Reductions, scans, broadcasts and votes of the C interface on the checking engine: one exported
 * function for each scalar overload of the table.  Operands are combined one after another, in
 * ascending id. */
#include "collective.h"
#include "tables/operations.h"

/* --- Combining: COMPUTE_FORM(T, op) is what mpl_function.compute does --- */

#define COMPUTE_reduce(T, op)                                                                      \
  static void reduce_##op##_##T(struct mpl_meeting *m) {                                           \
    const C_##T *x = m->operands;                                                                  \
    V_##T sum = IDENTITY_##op(T);                                                                  \
    for (uint32_t i = 0; i < m->unit->count; i++)                                                  \
      if (is_active(m, i)) sum = (V_##T)COMBINE_##op(sum, (V_##T)LOAD_##T(x[i]));                  \
    C_##T result = (C_##T)STORE_##T(sum);                                                          \
    memcpy(m->result, &result, sizeof result);                                                     \
  }
#define COMPUTE_scan_inclusive(T, op)                                                              \
  static void scan_inclusive_##op##_##T(struct mpl_meeting *m) {                                   \
    C_##T *x = m->operands;                                                                        \
    V_##T sum = IDENTITY_##op(T);                                                                  \
    for (uint32_t i = 0; i < m->unit->count; i++) {                                                \
      if (!is_active(m, i)) continue;                                                              \
      sum = (V_##T)COMBINE_##op(sum, (V_##T)LOAD_##T(x[i]));                                       \
      x[i] = (C_##T)STORE_##T(sum);                                                                \
    }                                                                                              \
  }
#define COMPUTE_scan_exclusive(T, op)                                                              \
  static void scan_exclusive_##op##_##T(struct mpl_meeting *m) {                                   \
    C_##T *x = m->operands;                                                                        \
    V_##T sum = IDENTITY_##op(T);                                                                  \
    for (uint32_t i = 0; i < m->unit->count; i++) {                                                \
      if (!is_active(m, i)) continue;                                                              \
      V_##T with = (V_##T)COMBINE_##op(sum, (V_##T)LOAD_##T(x[i]));                                \
      x[i] = (C_##T)STORE_##T(sum);                                                                \
      sum = with;                                                                                  \
    }                                                                                              \
  }
/* Every type, operation and form that some scope has. */
#define MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow) DEFINE_##prefix(form, T, op)
#define DEFINE_sub_group(form, T, op)
#define DEFINE_sub_group_clustered(form, T, op)
#define DEFINE_sub_group_non_uniform(form, T, op) COMPUTE_##form(T, op)
#include "tables/each_collective.h"

/* --- The functions --- */

#define KIND_reduce                   MPL_FUNCTION_REDUCE
#define KIND_scan_inclusive           MPL_FUNCTION_SCAN_INCLUSIVE
#define KIND_scan_exclusive           MPL_FUNCTION_SCAN_EXCLUSIVE
#define TAKE_reduce(m, value)         take_result(m, value, sizeof *(value))
#define TAKE_scan_inclusive(m, value) take(m, mpl_place(m), value, sizeof *(value))
#define TAKE_scan_exclusive           TAKE_scan_inclusive

#define ARITHMETIC(T, name, form, op, flags)                                                       \
  C_##T mpl_##name##_##T(C_##T value, SITE) {                                                      \
    FUNCTION(name, #op, T, NULL, form##_##op##_##T, KIND_##form, flags);                           \
    value = OPERAND_##op(value);                                                                   \
    struct mpl_meeting *m = meet(&function, site, 0, &value, sizeof value);                        \
    if (m) TAKE_##form(m, &value);                                                                 \
    return value;                                                                                  \
  }

/* The active lanes of the calling work-item's cluster. */
static uint64_t cluster_of(const struct mpl_meeting *m) {
  uint64_t cluster = m->argument;
  if (!cluster || cluster >= 64) return m->active;
  return m->active & ((1ull << cluster) - 1) << mpl_item_now->lane / cluster * cluster;
}

/* Each work-item combines the operands of its own cluster. */
#define CLUSTERED(T, name, op, flags)                                                              \
  C_##T mpl_##name##_##T(C_##T value, uint32_t cluster, SITE) {                                    \
    FUNCTION(name, #op, T, "cluster size", NULL, MPL_FUNCTION_REDUCE,                              \
             (flags) | MPL_FUNCTION_UNIFORM);                                                      \
    value = OPERAND_##op(value);                                                                   \
    struct mpl_meeting *m = meet(&function, site, cluster, &value, sizeof value);                  \
    if (!m) return value;                                                                          \
    const C_##T *x = m->operands;                                                                  \
    uint64_t lanes = cluster_of(m);                                                                \
    V_##T sum = IDENTITY_##op(T);                                                                  \
    for (uint32_t i = 0; i < m->unit->count; i++)                                                  \
      if (lanes >> i & 1) sum = (V_##T)COMBINE_##op(sum, (V_##T)LOAD_##T(x[i]));                   \
    mpl_leave(m);                                                                                  \
    return (C_##T)STORE_##T(sum);                                                                  \
  }

#define FORM_sub_group(T, name, form, op, flags)           ARITHMETIC(T, name, form, op, flags)
#define FORM_sub_group_non_uniform                         FORM_sub_group
#define FORM_sub_group_clustered(T, name, form, op, flags) CLUSTERED(T, name, op, flags)
#define MPL_EACH_LANES_FORM(T, prefix, form, op, size, flow)                                       \
  FORM_##prefix(T, prefix##_##form##_##op, form, op, LANES_##flow)

#define MPL_EACH_WORK_FORM(T, form, op) ARITHMETIC(T, work_group_##form##_##op, form, op, 0)

#define MPL_EACH_WORK_BROADCAST(T)                                                                 \
  C_##T mpl_work_group_broadcast_##T(C_##T value, size_t id, SITE) {                               \
    FUNCTION(work_group_broadcast, "", T, "local id", NULL, MPL_FUNCTION_BROADCAST,                \
             MPL_FUNCTION_UNIFORM | MPL_FUNCTION_INSIDE);                                          \
    struct mpl_meeting *m = meet(&function, site, id, &value, sizeof value);                       \
    if (m) take(m, m->argument, &value, sizeof value);                                             \
    return value;                                                                                  \
  }

/* A vote is an operation over truths. */
#define VOTE(name, op, flags)                                                                      \
  int32_t mpl_##name(int32_t value, SITE) {                                                        \
    FUNCTION(name, "", int, NULL, reduce_##op##_int, MPL_FUNCTION_VOTE, flags);                    \
    value = value != 0;                                                                            \
    struct mpl_meeting *m = meet(&function, site, 0, &value, sizeof value);                        \
    if (m) take_result(m, &value, sizeof value);                                                   \
    return value;                                                                                  \
  }
#include "tables/each_collective.h"

#define MPL_VOTE(name, op) VOTE(work_group_##name, op, 0)
#include "tables/collectives.def"
VOTE(sub_group_all, logical_and, LANES_TOGETHER)
VOTE(sub_group_any, logical_or, LANES_TOGETHER)
VOTE(sub_group_non_uniform_all, logical_and, LANES_APART)
VOTE(sub_group_non_uniform_any, logical_or, LANES_APART)

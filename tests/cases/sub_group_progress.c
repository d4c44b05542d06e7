/* Independent forward progress: sub-groups that wait in a loop for what another sub-group of the
 * same work-group is yet to do.  They wait for lower and for higher ids, so no fixed order of
 * running them one after another ends. */
#ifdef __OPENCL_VERSION__
#define KERNEL kernel __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))

/* Each sub-group waits for the next one's flag, the last one for none: as the conformance tests. */
KERNEL void progress_flags(global int *out, global const int *in) {
  local atomic_int flags[4096 / 8];
  size_t at = get_global_linear_id();
  uint me = get_sub_group_id(), groups = get_num_sub_groups();
  if (get_sub_group_local_id() == 0) atomic_init(&flags[me], 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int got = 0;
  if (me + 1 < groups)
    while ((got = atomic_load(&flags[me + 1])) == 0)
      ;
  int value = (got + in[at]) | 1;
  value = sub_group_broadcast(value, 0);
  if (get_sub_group_local_id() == 0) atomic_store(&flags[me], value);
  out[at] = value;
}

/* A token goes up and comes down again; only lane 0 waits. */
KERNEL void progress_token(global int *out, global const int *in, int rounds) {
  local atomic_int token;
  local int sum;
  size_t at = get_global_linear_id();
  int me = (int)get_sub_group_id(), groups = (int)get_num_sub_groups(), first = get_sub_group_local_id() == 0;
  if (get_local_linear_id() == 0) {
    atomic_init(&token, 0);
    sum = 0;
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  int seen = 0;
  for (int i = 0; i < rounds; i++) {
    int turn = i * groups + (i & 1 ? groups - 1 - me : me);
    if (first)
      while (atomic_load_explicit(&token, memory_order_acquire, memory_scope_work_group) != turn)
        ;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    seen = sum;
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
    if (first) {
      sum = seen * 3 + me;
      atomic_store_explicit(&token, turn + 1, memory_order_release, memory_scope_work_group);
    }
  }
  out[at] = seen;
}

/* The same through global memory, with OpenCL 1.x atomics; this group's token lies in its first
 * work-item's result. */
KERNEL void progress_global(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  volatile global int *token = &out[at];
  if (get_local_linear_id() == 0) out[at] = 0;
  ulong where = work_group_broadcast(at, 0);
  token = &out[where];
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  int turn = (int)(get_num_sub_groups() - 1 - get_sub_group_id());
  while (atomic_add(token, 0) != turn)
    ;
  int mine = sub_group_reduce_add(in[at] & 7) * 10 + turn;
  if (get_sub_group_local_id() == 0) atomic_inc(token);
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[at] = mine;
}

/* All lanes look, and go on when one has seen it. */
KERNEL void progress_votes(global int *out, global const int *in) {
  local atomic_int step;
  size_t at = get_global_linear_id();
  int me = (int)get_sub_group_id(), turn = (int)get_num_sub_groups() - 1 - me, rounds = 0;
  if (get_local_linear_id() == 0) atomic_init(&step, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  do rounds++;
  while (!sub_group_any(sub_group_elect() && atomic_load(&step) == turn));
  if (sub_group_elect()) atomic_store(&step, turn + 1);
  out[at] = in[at] + (rounds > 0) + turn;
}

/* A ticket lock around a plain variable. */
KERNEL void progress_lock(global int *out, global const int *in, int rounds) {
  local int next, serving;
  local int count, sum;
  size_t at = get_global_linear_id();
  if (get_local_linear_id() == 0) next = serving = count = sum = 0;
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < rounds; i++) {
    int part = sub_group_reduce_add(in[at] + i);
    if (get_sub_group_local_id() == 0) {
      int ticket = atomic_inc(&next);
      while (atomic_or(&serving, 0) != ticket)
        ;
      mem_fence(CLK_LOCAL_MEM_FENCE);
      sum += part;
      count++;
      mem_fence(CLK_LOCAL_MEM_FENCE);
      atomic_inc(&serving);
    }
    sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  }
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = sum * 100 + count;
}

/* Compare-and-swap loop of every lane, beside a sub-group that waits for the outcome. */
KERNEL void progress_count(global int *out, global const int *in) {
  local atomic_uint count;
  size_t at = get_global_linear_id();
  uint items = get_local_size(0) * get_local_size(1) * get_local_size(2);
  if (get_local_linear_id() == 0) atomic_init(&count, 0);
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  uint seen = 0;
  if (get_sub_group_id() == 0 && get_num_sub_groups() > 1) {
    uint others = items - get_sub_group_size();
    while ((seen = atomic_load(&count)) < others)
      ;
  } else {
    uint old = atomic_load(&count);
    while (!atomic_compare_exchange_weak(&count, &old, old + 1))
      ;
  }
  out[at] = (int)seen + in[at];
}
#else
#include "run/case.h"

CASE(progress_flags, int, int, .sub_groups = true) {
  int got = 0;
  for (size_t id = (g->items + g->sub_group - 1) / g->sub_group; id-- > 0;) {
    struct sub_group s = sub_group_of(g, id);
    got = add(got, in[s.first]) | 1;
    EACH_LANE(s, i) out[i] = got;
  }
}

CASE(progress_token, int, int, .args = 1, .arg = {3}, .sub_groups = true) {
  size_t groups = (g->items + g->sub_group - 1) / g->sub_group;
  int sum = 0 * in[0];
  for (int r = 0; r < 3; r++)
    for (size_t n = 0; n < groups; n++) {
      struct sub_group s = sub_group_of(g, r & 1 ? groups - 1 - n : n);
      EACH_LANE(s, i) out[i] = sum;
      sum = add(mul(sum, 3), (int)s.id);
    }
}

CASE(progress_global, int, int, .max_dims = 1, .sub_groups = true) {
  size_t groups = (g->items + g->sub_group - 1) / g->sub_group;
  EACH_SUB_GROUP(s) {
    int sum = 0;
    EACH_LANE(s, i) sum += in[i] & 7;
    EACH_LANE(s, i) out[i] = sum * 10 + (int)(groups - 1 - s.id);
  }
}

CASE(progress_votes, int, int, .sub_groups = true) {
  int groups = (int)((g->items + g->sub_group - 1) / g->sub_group);
  EACH_SUB_GROUP(s) EACH_LANE(s, i) out[i] = add(in[i], groups - (int)s.id);
}

CASE(progress_lock, int, int, .args = 1, .arg = {3}, .sub_groups = true) {
  int sum = 0, groups = (int)((g->items + g->sub_group - 1) / g->sub_group);
  for (int r = 0; r < 3; r++) EACH(i) sum = add(sum, add(in[i], r));
  EACH(i) out[i] = add(mul(sum, 100), 3 * groups);
}

CASE(progress_count, int, int, .max_items = 1024, .sub_groups = true) { // all lanes against all: time grows with the square
  int others = (int)(g->items - (g->items < g->sub_group ? g->items : g->sub_group));
  EACH_SUB_GROUP(s) EACH_LANE(s, i) out[i] = add(in[i], s.id ? 0 : others);
}
#endif

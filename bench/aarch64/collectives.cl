/* Chains of n collectives, each of whose operands is made from the last result: hand.c has the same. */
#define ID ((int)get_local_id(0))

#define UNIFORM(name, T, next)                                                                     \
  kernel void name(global T *out, int n) {                                                         \
    T r = 1;                                                                                       \
    for (int k = 0; k < n; k++) r = next;                                                          \
    if (ID == 0) out[0] = r;                                                                       \
  }
UNIFORM(reduce_add_int, int, work_group_reduce_add(ID ^ r))
UNIFORM(reduce_max_int, int, work_group_reduce_max(ID ^ r))
UNIFORM(reduce_add_long, long, work_group_reduce_add((long)ID ^ r))
UNIFORM(any, int, work_group_any((ID ^ r) == 77) + k)
UNIFORM(all, int, work_group_all((ID ^ r) != 77) + k)
UNIFORM(broadcast, int, work_group_broadcast((ID ^ r) + k, k & 15))

#define VARYING(name, T, next)                                                                     \
  kernel void name(global T *out, int n) {                                                         \
    T x = ID;                                                                                      \
    for (int k = 0; k < n; k++) x = next;                                                          \
    if (ID + 1 == get_local_size(0)) out[0] = x;                                                   \
  }
VARYING(reduce_add_float, float, x - work_group_reduce_add(x) * 0.001f)
VARYING(scan_inclusive_add_int, int, work_group_scan_inclusive_add(x) ^ 1)
VARYING(scan_exclusive_add_int, int, work_group_scan_exclusive_add(x) ^ 1)
VARYING(scan_inclusive_max_int, int, work_group_scan_inclusive_max(x) ^ 1)
VARYING(scan_inclusive_add_float, float, work_group_scan_inclusive_add(x) * 0.001f)

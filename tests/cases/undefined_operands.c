/* Operands that nobody takes: only the lane or the work-item that a broadcast or a shuffle asks has set
 * its variable.  What follows must not be taken for what that one alone does. */
#ifdef __OPENCL_VERSION__
#define SIZED __attribute__((intel_reqd_sub_group_size(SUB_GROUP)))
int from_first(int x) { return sub_group_broadcast(x, 0); }

SIZED kernel void undefined_broadcast(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint lane = get_sub_group_local_id();
  int x;
  if (lane == 0) x = in[at];
  x = sub_group_broadcast(x, 0);
  out[at] = lane < 2 ? x : (int)lane;
}
SIZED kernel void undefined_by_function(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint lane = get_sub_group_local_id();
  int x;
  if (lane == 0) x = in[at] ^ 5;
  x = from_first(x);
  out[at] = lane < 2 ? x : (int)lane;
}
SIZED kernel void undefined_shuffle(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint lane = get_sub_group_local_id();
  int x;
  if (lane < 2) x = in[at];
  x = sub_group_shuffle(x, lane & 1 & (get_sub_group_size() - 1));
  out[at] = lane < 3 ? x : (int)lane;
}
SIZED kernel void undefined_vector(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint lane = get_sub_group_local_id();
  int4 x;
  if (lane == 0) x = (int4)(1, in[at], 3, 4);
  int y = sub_group_broadcast(x.y, 0);
  out[at] = lane < 2 ? y : (int)lane;
}
SIZED kernel void undefined_truth(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  uint lane = get_sub_group_local_id();
  bool x;
  if (lane == 0) x = in[at] & 1;
  x = sub_group_broadcast((int)x, 0);
  out[at] = lane < 2 ? x : (int)lane;
}
kernel void undefined_of_group(global int *out, global const int *in) {
  size_t at = get_global_linear_id(), i = get_local_linear_id();
  int x;
  if (i == 0) x = in[at];
  x = work_group_broadcast(x, 0, 0, 0);
  out[at] = i < 2 ? x : (int)i;
}
#else
#include "run/case.h"

#define OF_SUB_GROUP(name, shown, value)                                                           \
  CASE(name, int, int, .sub_groups = true) {                                                       \
    EACH_SUB_GROUP(s) {                                                                            \
      EACH_LANE(s, i) {                                                                            \
        size_t lane = i - s.first;                                                                 \
        out[i] = lane < shown ? value : (int)lane;                                                 \
      }                                                                                            \
    }                                                                                              \
  }
OF_SUB_GROUP(undefined_broadcast, 2, in[s.first])
OF_SUB_GROUP(undefined_by_function, 2, in[s.first] ^ 5)
OF_SUB_GROUP(undefined_shuffle, 3, in[s.first + (lane & 1 & (s.end - s.first - 1))])
OF_SUB_GROUP(undefined_vector, 2, in[s.first])
OF_SUB_GROUP(undefined_truth, 2, in[s.first] & 1)

CASE(undefined_of_group, int, int, .sub_groups = true) {
  EACH(i) out[i] = i < 2 ? in[0] : (int)i;
}
#endif

// As stopped.cl, with functions of sub-groups, of 16.

kernel void scan_of_some(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (get_sub_group_local_id() < 3) out[i] = sub_group_scan_inclusive_add(i);
}

kernel void scan_by_value(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (in[i] != 77) out[i] = sub_group_reduce_add(i);
}

kernel void behind_return(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (in[i] == 100) return;
  out[i] = sub_group_all(i);
}

kernel void turns(global int *out, global const int *in) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < (in[i] == 150 ? 4 : 3); k++) sum += sub_group_reduce_add(k);
  out[i] = sum;
}

kernel void one_or_the_other(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = in[i] % 2 ? sub_group_reduce_add(i) : sub_group_reduce_max(i);
}

kernel void barrier_of_some(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = i;
  if (in[i] % 16 < 15) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l];
}

kernel void from_beyond(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_shuffle_down(in[i], 5) + 1;
}

kernel void from_below(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_shuffle_up(in[i], 1);
}

kernel void from_nobody(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_shuffle(in[i], in[i] == 33 ? 16 : 0);
}

kernel void from_inactive(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (in[i] % 2) out[i] = sub_group_shuffle_xor(in[i], 1);
}

kernel __attribute__((intel_reqd_sub_group_size(64)))
void from_missing(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_shuffle_xor(in[i], 32);
}

kernel void two_lanes(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_broadcast(i, get_sub_group_local_id() & 1);
}

kernel void two_lanes_by_value(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_non_uniform_broadcast(i, in[i] == 20 ? 1 : 2);
}

kernel __attribute__((intel_reqd_sub_group_size(64)))
void missing_lane(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_broadcast(i, 40);
}

kernel void barrier_of_sub_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (sub_group_any(in[i] < 20)) barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = i;
}

kernel void turns_of_sub_groups(global int *out, global const int *in) {
  int i = get_global_id(0);
  for (int k = 0; k < 2 + (int)(get_sub_group_id() == 3); k++) barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = sub_group_reduce_add(i);
}

kernel void return_of_sub_group(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (sub_group_all(in[i] >= 80)) return;
  out[i] = work_group_reduce_add(1);
}

kernel void two_collectives(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (get_sub_group_id() < 2)
    out[i] = work_group_reduce_add(i);
  else
    out[i] = work_group_reduce_max(i) + sub_group_any(i);
}

kernel void no_step(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = i;
  if (l == 200) sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l ^ 1];
}

kernel void step_of_other_memory(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = i;
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = t[l ^ 1];
}

kernel void step_of_other_sub_group(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[95 - l];
}

kernel void written_to_both(global int *out, global const int *in) {
  local int t[2];
  int i = get_global_id(0), l = get_local_id(0);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  if (get_sub_group_local_id() == 0) t[get_sub_group_id() % 2] = i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = i;
}

kernel void written_where_read(global int *out, global const int *in) {
  local int t[16];
  int i = get_global_id(0), l = get_local_id(0);
  t[l % 16] = l < 16 ? 0 : t[0];
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = i;
}

kernel void read_by_sub_groups(global int *out, global const int *in) {
  int i = get_global_id(0), l = get_local_id(0), v = out[3];
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  if (l == 2) out[3] = v;
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
  out[i] = v;
}

// In the second step: the first is in order.
kernel void second_step(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  t[l] = i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  int v = t[l ^ 1];
  t[l] = v;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = v;
}

kernel void atomics_behind_step(global int *out, global const int *in) {
  local int x[6];
  int i = get_global_id(0), g = get_sub_group_id();
  if (get_sub_group_local_id() == 0) x[g] = 0;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&x[g], 1);
  out[i] = x[g];
}

kernel void unwritten(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  if (get_sub_group_id() != 2) t[l] = i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l ^ 1];
}

kernel void outside(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = sub_group_reduce_add(in[i + (in[i] == 191)]);
}

kernel void block_outside(global int *out, global const int *in) {
  int i = get_global_id(0);
  uint2 two = intel_sub_group_block_read2((global const uint *)in + i - get_sub_group_local_id());
  out[i] = two.x + two.y;
}

kernel void in_array(global int *out, global const int *in) {
  int v[8], i = get_global_id(0), sum = 0;
  for (int k = 0; k < 8; k++) v[k] = in[i] + k;
  for (int k = 0; k < 8; k++) sum += sub_group_broadcast(v[in[i] == 99 ? 8 : k], k);
  out[i] = sum;
}

// Work-groups' broadcasts.
kernel void handed_from_nobody(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = work_group_broadcast(in[i], 96);
}

kernel void handed_from_nobody_by_value(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = work_group_broadcast(in[i], in[100]);
}

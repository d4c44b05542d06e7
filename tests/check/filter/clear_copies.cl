// As clear.cl, with asynchronous copies, and others of many bytes.

kernel void copied(global int *out, global const int *in) {
  local int t[96], u[96];
  int i = get_global_id(0), l = get_local_id(0);
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 96, 96, 0);
  wait_group_events(1, &e);
  u[l] = t[95 - l] == i - l + 95 - l;
  barrier(CLK_LOCAL_MEM_FENCE);
  e = async_work_group_copy(out + get_group_id(0) * 96, u, 96, 0);
  wait_group_events(1, &e);
}

kernel void copied_in_turns(global int *out, global const int *in) {
  local int t[2][16];
  int l = get_local_id(0), sum = 0;
  event_t e[2];
  e[0] = async_work_group_copy(t[0], in, 16, 0);
  for (int k = 0; k < 6; k++) {
    if (k < 5) e[(k + 1) % 2] = async_work_group_copy(t[(k + 1) % 2], in + 16 * (k + 1), 16, 0);
    wait_group_events(1, &e[k % 2]);
    sum += t[k % 2][l % 16];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[get_global_id(0)] = sum == 240 + 6 * (l % 16);
}

kernel void copied_with_strides(global int *out, global const int *in) {
  local int t[96];
  int l = get_local_id(0), group = get_group_id(0);
  event_t e = async_work_group_strided_copy(t, in, 48, 4, 0);
  wait_group_events(1, &e);
  out[get_global_id(0)] = t[l / 2] == l / 2 * 4;
}

struct large {
  int words[40];
};

kernel void large(global int *out, global const int *in) {
  local struct large t[4];
  int i = get_global_id(0), l = get_local_id(0);
  if (l < 4) t[l] = *(global const struct large *)(in + l * 8);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l % 4].words[l % 40] == l % 4 * 8 + l % 40;
}

kernel void bytes(global int *out, global const int *in) {
  local uchar t[96];
  int i = get_global_id(0), l = get_local_id(0);
  event_t e = async_work_group_copy(t, (global const uchar *)in, 96, 0);
  wait_group_events(1, &e);
  out[i] = t[l] == (l % 4 ? 0 : l / 4);
}

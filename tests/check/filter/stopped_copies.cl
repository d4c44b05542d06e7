// As stopped.cl, with asynchronous copies, and others of many bytes.

kernel void not_awaited(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  event_t e = async_work_group_copy(t, in, 96, 0);
  out[i] = t[l];
  wait_group_events(1, &e);
}

kernel void written_while_copied(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  event_t e = async_work_group_copy(t, in, 96, 0);
  if (l == 70) t[l] = 2;
  wait_group_events(1, &e);
  out[i] = t[l];
}

kernel void behind_source(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  event_t e = async_work_group_copy(t, in + get_group_id(0) * 97, 96, 0);
  wait_group_events(1, &e);
  out[i] = t[l];
}

kernel void behind_variable(global int *out, global const int *in) {
  local int t[95], u[2];
  int i = get_global_id(0), l = get_local_id(0);
  event_t e = async_work_group_copy(t, in, 96, 0);
  wait_group_events(1, &e);
  u[0] = 1;
  out[i] = t[l % 95] + u[0];
}

kernel void no_event(global int *out, global const int *in) {
  local int t[96];
  int i = get_global_id(0), l = get_local_id(0);
  event_t e[2];
  e[0] = async_work_group_copy(t, in, 96, 0);
  wait_group_events(2, e);
  out[i] = t[l];
}

kernel void of_groups(global int *out, global const int *in) {
  local int t[96];
  t[get_local_id(0)] = 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  event_t e = async_work_group_copy(out, t, 96, 0);
  wait_group_events(1, &e);
}

struct large {
  int words[40];
};

kernel void large(global int *out, global const int *in) {
  local struct large t[4];
  int i = get_global_id(0), l = get_local_id(0);
  if (l < 4) t[l] = *(global const struct large *)(in + l * 52);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = t[l % 4].words[l % 40];
}

kernel void event_of_nobody(global int *out, global const int *in) {
  local int t[96];
  int i = get_local_id(0);
  event_t e[2], none = 0;
  e[1] = none;
  e[0] = async_work_group_copy(t, in, 96, 0);
  wait_group_events(1, e + get_group_id(0));
  out[get_global_id(0)] = t[95 - i];
}

// A wait releases the events of its list (OpenCL C 3.0, 6.15.11); the same one twice in one list is one wait.
kernel void k(global int *out) {
  local int first[32], second[32];
  size_t i = get_local_id(0);
  event_t e[2];
  e[0] = async_work_group_copy(first, out, 32, 0);
  e[1] = async_work_group_copy(second, out, 32, e[0]);
  wait_group_events(2, e);
  e[0] = async_work_group_copy(first, out, 32, 0);
  wait_group_events(1, e);
  out[i] = first[i] + second[i];
  wait_group_events(2, e);
}

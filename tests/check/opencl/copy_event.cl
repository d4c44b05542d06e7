// The second event is nobody's.
kernel void k(global int *out) {
  local int tile[32];
  event_t e[2];
  e[0] = async_work_group_copy(tile, out, 32, 0);
  wait_group_events(2, e);
  out[get_local_id(0)] = tile[31 - get_local_id(0)];
}

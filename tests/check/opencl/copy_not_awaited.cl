// The copy may not have been made when its result is read.
kernel void k(global int *out) {
  local int tile[32];
  event_t e = async_work_group_copy(tile, out, 32, 0);
  int other = tile[31 - get_local_id(0)];
  wait_group_events(1, &e);
  out[get_local_id(0)] = other;
}

// Each work-item asks for another part: only one of them is copied.
kernel void k(global int *out) {
  local int tile[32];
  event_t e = async_work_group_copy(tile, out + get_local_id(0) % 4, 8, 0);
  wait_group_events(1, &e);
}

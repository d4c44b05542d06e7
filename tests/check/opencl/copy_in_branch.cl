// The copy is the whole group's.
kernel void k(global int *out) {
  local int tile[32];
  size_t i = get_local_id(0);
  if (i < 8) {
    event_t e = async_work_group_copy(tile, out, 32, 0);
    wait_group_events(1, &e);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = (int)i;
}

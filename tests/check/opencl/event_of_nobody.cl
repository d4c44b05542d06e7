// A variable that was written, but not with what a copy has returned.
kernel void k(global int *out) {
  event_t e = 0;
  wait_group_events(1, &e);
  out[get_local_id(0)] = 1;
}

// Two work-groups of 16 write the same places.
kernel void k(global int *out) {
  out[get_local_id(0)] = (int)get_global_id(0);
}

// Each work-item has two bytes; an int does not begin at all of them.
kernel void k(global int *out) {
  size_t i = get_local_id(0);
  if (i == 5) *(global int *)((global char *)out + 2 * i) = 1;
}

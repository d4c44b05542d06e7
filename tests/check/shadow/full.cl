// More memory than there may be shadow for: races in the first part of it are found.
kernel void k(global int *out) {
  size_t i = get_global_id(0);
  out[i] = (int)i;
  if (i == 40) out[3] = 4;
}

// Loops without effects but their slots run on to a multiple of 64 work-items: they have no remainder.
// pass: split
kernel void arithmetic(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int x = work_group_scan_inclusive_add(in[i]);
  x = work_group_scan_inclusive_add(x ^ 21);
  out[i] = x;
}

// Not where memory is read.
kernel void memory(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int x = work_group_scan_inclusive_add(in[i]);
  x = work_group_scan_inclusive_add(x ^ in[i + 100]);
  out[i] = x;
}

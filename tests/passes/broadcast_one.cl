// A broadcast of what is cheap to compute for the one work-item that is asked for.
// pass: split
kernel void of_a_scan(global int *out, global const int *in, int id) {
  size_t i = get_local_id(0);
  int x = work_group_scan_inclusive_add(in[i]);
  out[i] = x + work_group_broadcast(x * 3 + (int)i, id);
}

// Not of memory, nor of much arithmetic.
kernel void of_memory(global int *out, global const int *in, int id) {
  size_t i = get_local_id(0);
  out[i] = work_group_broadcast(in[i], id);
}
kernel void of_much(global int *out, global const int *in, int id) {
  size_t i = get_local_id(0);
  int x = work_group_scan_inclusive_add(in[i]), y = x;
  for (int k = 1; k < 12; k++)
    y = (y ^ (x + k)) * (y + 5);
  out[i] = x + work_group_broadcast(y, id);
}

// A loop from the work-item's id on, in uniform steps: what all work-items do, and what is left of it.
// pass: interchange
// show: call .*@__mpl_sync|store 
kernel void group_size(global float *out, int n) {
  for (int i = get_local_id(0); i < n; i += (int)get_local_size(0))
    out[i] = out[i] * 2.0f;
}
kernel void global_size(global float *out, ulong n) {
  for (ulong i = get_global_id(0); i < n; i += get_global_size(0))
    out[i] = out[i] * 2.0f;
}

// Not steps that vary, not from twice the id, not to an end that varies; not a counter of 64 bits of
// which 32 count, which could be.
kernel void varying_step(global float *out, int n, global const int *step) {
  int l = get_local_id(0), by = step[l];
  for (int i = l; i < n; i += by)
    out[i] = out[i] * 2.0f;
}
kernel void pairs(global float *out, int n) {
  for (int i = 2 * get_local_id(0); i < n; i += get_local_size(0))
    out[i] = out[i] * 2.0f;
}
kernel void varying_end(global float *out, global const int *n) {
  int l = get_local_id(0), end = n[l];
  for (int i = l; i < end; i += get_local_size(0))
    out[i] = out[i] * 2.0f;
}
kernel void half_a_counter(global float *out, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0))
    out[i] = out[i] * 2.0f;
}

// pass: widen
// march: x86-64-v4
// show: load <[0-9]+ x (i32|float)>, ptr addrspace
// Loops that read rows as long as the group: groups that fit the registers are one chunk.

kernel void rows(global uint *parts, global const uint *in, uint each) {
  size_t i = get_group_id(0) * get_local_size(0) * each + get_local_id(0);
  uint sum = 0;
  for (uint n = 0; n < each; n++) sum += in[i + n * get_local_size(0)];
  parts[get_global_id(0)] = work_group_reduce_max(sum);
}

/* Rows a constant apart. */
kernel void image(global float *out, global const float *in) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int y = 0; y < 100; y++) sum += in[i + 4096 * y];
  out[i] = sum;
}

/* The next element is in the same line. */
kernel void window(global float *out, global const float *in, int n) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += in[i + k];
  out[i] = sum;
}

/* Lanes leave the loop one after the other. */
kernel void ragged(global float *out, global const float *in, global const int *n) {
  size_t i = get_global_id(0);
  float sum = 0;
  for (int y = 0; y < n[i]; y++) sum += in[i + get_global_size(0) * y];
  out[i] = sum;
}

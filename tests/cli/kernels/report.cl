/* One line for each thing that may become of a line: <b>"&"</b>. */
kernel void plain(global const float *in, global float *out, global const float *factor) {
  size_t i = get_global_id(0);
  float x = in[i];
  x *= factor[0];
  out[i] = 0.5f * x;
}

kernel void chosen(global const int *at, global float *data, global float *out, int n) {
  int i = get_global_id(0);
  if (i >= n)
    return;
  float x = data[at[i]];
  for (int k = 0; k < at[i]; k++)
    x = 0.5f * x + 1;
  out[at[i]] = x;
}

kernel void counted(global const int2 *in, global int *out) {
  size_t i = get_global_id(0);
  int2 both = in[i];
  out[i] = atomic_inc(&out[both.x]) + both.y;
}

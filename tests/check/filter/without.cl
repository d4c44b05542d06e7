// A mistake in each that no filter could see: these kernels have none.

kernel void too_large(global int *out, global const int *in) {
  int v[8], sum = 0, i = get_global_id(0);
  for (int k = 0; k < 8; k++) v[k + (in[i] == 9)] = i + k;
  for (int k = 0; k < 8; k++) sum += v[k];
  out[i] = sum;
}

int pick(int k) {
  int v[4];
  for (int n = 0; n < 4; n++) v[n] = n * n;
  return v[k];
}

kernel void in_helper(global int *out, global const int *in) {
  int i = get_global_id(0);
  out[i] = pick(in[i] == 7 ? 4 : 3);
}

kernel void not_written(global int *out, global const int *in) {
  int v[8], i = get_global_id(0);
  for (int k = 0; k < 7; k++) v[k] = k;
  out[i] = v[in[i] % 8];
}

kernel void barrier_for_some(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (in[i] < 20) barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 1;
}

kernel void barrier_behind_return(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (in[i] == 20) return;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[i] = 1;
}

kernel void half_atomic(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (out[0] < 1000) atomic_inc(&out[0]);
}

kernel void shuffled(global int *out, global const int *in) {
  int i = get_global_id(0);
  if (i % 16 < 8) out[i] = sub_group_reduce_add(i);
}

// A reduction that the next loop spreads over its vectors is made in all lanes.
// set: MANIPLE_VECTOR=0
// show: @llvm.vector.reduce
kernel void chain(global int *out, global const int *in, int n) {
  size_t i = get_local_id(0);
  int x = in[i];
  for (int k = 0; k < n; k++)
    x = work_group_reduce_add(x ^ (int)i);
  out[i] = x;
}

// Not where the result goes to memory only, nor through a multiplication.
kernel void stored(global int *out, global const int *in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0)
    out[get_group_id(0)] = sum;
}
kernel void multiplied(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  int sum = work_group_reduce_add(in[i]);
  out[i] = (sum * sum) ^ (int)i;
}

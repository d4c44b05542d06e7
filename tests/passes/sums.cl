// Reductions whose operands nothing else needs are done by the loop that computes them; votes are counted.
// pass: split
// show: call .*@(reduce|scan)
kernel void sum(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  out[i] = work_group_reduce_add(in[i]);
}
kernel void vote(global int *out, global const int *in) {
  size_t i = get_local_id(0);
  out[i] = work_group_any(in[i] > 50) + 2 * work_group_all(in[i] > 20);
}

// Not of floating point, whose order must not depend on the vectoriser.
kernel void floating(global float *out, global const float *in) {
  size_t i = get_local_id(0);
  out[i] = work_group_reduce_add(in[i]);
}

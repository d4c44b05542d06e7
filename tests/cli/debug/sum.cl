kernel void normalise(global float *x) {
  size_t i = get_global_id(0);
  float sum = work_group_reduce_add(x[i]);
  x[i] /= sum;
}

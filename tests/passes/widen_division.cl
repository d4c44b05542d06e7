// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// show: fdiv
/* One divisor for all lanes but those that divide by 1 (the smallest number by -1): one reciprocal. */
kernel void by_one_number(global int *x, int n) {
  size_t i = get_global_id(0);
  x[i] = x[i] / n + x[i] % n;
}
kernel void by_many(global int *x, global const int *n) {
  size_t i = get_global_id(0);
  x[i] /= n[i];
}

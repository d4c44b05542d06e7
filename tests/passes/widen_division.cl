// pass: widen
// set: MANIPLE_VECTOR_WIDTH=8
// show: fdiv|freeze <8|select <8 x i1> %[^,]*, <8 x i32> %
// One divisor for all lanes, 1 in place of 0: one reciprocal; nobody asks for the smallest number by -1.
kernel void by_one_number(global int *x, int n) {
  size_t i = get_global_id(0);
  x[i] = x[i] / n + x[i] % n;
}
kernel void by_many(global int *x, global const int *n) {
  size_t i = get_global_id(0);
  x[i] /= n[i];
}

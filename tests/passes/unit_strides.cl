// pass: widen
// show: uses-nothing-else
// plan: yes
// A stride that is an argument is one in a function of its own, where elements are side by side; else they are
// gathered, or one work-item comes after another.
kernel void axpy(int n, float a, global const float *x, int incx, global float *y, int incy) {
  int i = get_global_id(0);
  if (i < n) y[i * incy] += a * x[i * incx];
}

// In bytes, of the size of an element; rows are further apart.
kernel void bytes(global char *to, global const char *from, ulong nb0, ulong nb1) {
  size_t i = get_global_id(0), j = get_global_id(1);
  *(global float *)(to + i * 4) = exp(*(global const float *)(from + i * nb0 + j * nb1));
}

// Pairs, and steps of all work-items.
kernel void pairs(global float2 *sums, global const float2 *x, int n, int inc) {
  float2 sum = 0;
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) sum += x[i * inc];
  sums[get_global_id(0)] = sum;
}

// Not the length of rows, in which a loop or another id counts, or the same one.
kernel void rows(global float *sums, global const float *x, int n, int length) {
  float sum = 0;
  for (int k = 0; k < n; k++) sum += x[get_global_id(0) * length + k];
  sums[get_global_id(0)] = sum;
}
kernel void other_id(global float *to, global const float *x, int n) {
  to[get_global_id(0)] = x[get_global_id(0) * n + get_global_id(1)];
}
kernel void diagonal(global float *to, global const float *x, int n) {
  to[get_global_id(0)] = x[get_global_id(0) * n + get_global_id(0)];
}
// Nor what is no argument.
kernel void loaded(global float *to, global const float *x, global const int *n) {
  to[get_global_id(0)] = x[get_global_id(0) * n[0]];
}

// pass: widen
// show: masked.(load|store|gather)|(load|store) <
// march: x86-64-v3
// As long as all lanes stay in a loop it has no mask; then the rest goes on with one.
kernel void by_size(global const float *x, global float *y, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) y[i] = 2 * x[i];
}
// Behind a branch in the loop all are there too, of which stores are asked.
kernel void by_global_size(global const float *x, global float *y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    float a = x[i];
    if (a > 1) a = n % (int)a;
    y[i] = a;
  }
}
// Not of those in the branch.
kernel void stores_some(global const float *x, global float *y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) {
    float a = x[i];
    if (a > 1) y[i] = a;
  }
}
// What is left behind the loop is of both.
kernel void sums(global const float *x, global float *y, int n) {
  float sum = 0;
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) sum += x[i];
  y[get_global_id(0)] = sum;
}

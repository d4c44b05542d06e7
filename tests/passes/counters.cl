// pass: widen
// show: masked.(load|store|gather)|cttz
// march: x86-64-v4
// The counter of a loop that steps by what all lanes share stays side by side if the loop's end and
// step are small, which is asked for in front of it.

kernel void by_size(global const float *x, global float *y, int n) {
  for (int i = get_local_id(0); i < n; i += get_local_size(0)) y[i] = sin(x[i]);
}

kernel void unsigned_too(global const float *x, global float *y, uint n) {
  for (uint i = get_local_id(0); i <= n; i += get_local_size(0)) y[i] = sin(x[i]);
}

kernel void by_global_size(global const float *x, global float *y, int n) {
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) y[i] = sin(x[i]);
}

// Each lane's end is another one.
kernel void own_end(global const float *x, global float *y, global const int *n) {
  int end = n[get_local_id(0)];
  for (int i = get_local_id(0); i < end; i += get_local_size(0)) y[i] = sin(x[i]);
}

// Nobody says where it ends.
kernel void endless(global const float *x, global float *y, int n) {
  for (int i = get_local_id(0); x[i] < n; i += get_local_size(0)) y[i] = sin(x[i]);
}

// Four elements for each.
kernel void by_four(global const half *x, global float *y, int n) {
  size_t row = get_group_id(0);
  for (int i = get_local_id(0); i < n / 4; i += get_local_size(0))
    vstore4(sin(vload_half4(row * n / 4 + i, x)), row * n / 4 + i, y);
}

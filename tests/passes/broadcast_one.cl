// A broadcast of what is cheap to compute for the one work-item that is asked for.
// pass: split
// split: yes
kernel void of_a_scan(global int *out, global const int *in, int id) {
  size_t i = get_local_id(0);
  int x = work_group_scan_inclusive_add(in[i]);
  out[i] = x + work_group_broadcast(x * 3 + (int)i, id);
}

// Not of memory, nor of much arithmetic.
kernel void of_memory(global int *out, global const int *in, int id) {
  size_t i = get_local_id(0);
  out[i] = work_group_broadcast(in[i], id);
}
kernel void of_much(global int *out, global const int *in, int id) {
  size_t i = get_local_id(0);
  int x = work_group_scan_inclusive_add(in[i]), y = x;
  for (int k = 1; k < 12; k++)
    y = (y ^ (x + k)) * (y + 5);
  out[i] = x + work_group_broadcast(y, id);
}

// An element of a private array is in memory anyway, and is read again by those who go on with it; unless
// it is written to behind the load.
kernel void of_element(global float *out, global const float *in, int id, int n) {
  size_t i = get_local_id(0);
  float r[16];
  for (int k = 0; k < n; k++) r[k] = in[i * n + k];
  for (int k = 0; k < n; k++) r[k] -= 2 * work_group_broadcast(r[k], id);
  out[i] = r[n - 1];
}
kernel void of_older(global float *out, global const float *in, int id, int n) {
  size_t i = get_local_id(0);
  float r[16];
  for (int k = 0; k < n; k++) r[k] = in[i * n + k];
  for (int k = 0; k < n; k++) {
    float old = r[k];
    r[(k * 5) & 15] = i;
    r[k] -= 2 * work_group_broadcast(old, id);
  }
  out[i] = r[n - 1];
}
// So is one of an array of arrays of arrays: what its address is made of is the same for all.
kernel void of_table(global float *out, global const float *in, int n) {
  size_t i = get_local_id(0);
  float r[4][4][4];
  for (int k = 0; k < n; k++) r[k >> 4 & 3][k >> 2 & 3][k & 3] = in[i * n + k];
  for (int k = 0; k < n; k++) {
    int a = k >> 4 & 3, b = k >> 2 & 3, c = k & 3;
    float old = r[a][b][c];
    r[a][b][c] = old * old - 2 * work_group_broadcast(r[3 - a][b][c], 0);
  }
  out[i] = r[3][2][n & 3];
}

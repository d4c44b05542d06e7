// pass: inline
// show: alloca|store float|llvm.loop
// What LLVM's loop passes do in front of widening.

// Private arrays become registers if the loops that index them are short and their counters known.

kernel void distance(global const uchar *a, global const uchar *b, global int *out) {
  size_t i = get_global_id(0);
  int row[17];
  for (int k = 0; k <= 16; k++) row[k] = k;
  for (int y = 1; y <= 16; y++) {
    int corner = row[0];
    row[0] = y;
    for (int x = 1; x <= 16; x++) {
      int change = corner + (a[i * 16 + y - 1] != b[i * 16 + x - 1]);
      corner = row[x];
      row[x] = min(change, min(row[x], row[x - 1]) + 1);
    }
  }
  out[i] = row[16];
}

// In two loops, downwards too.
kernel void turned(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float a[4][4];
  for (int y = 0; y < 4; y++)
    for (int x = 0; x < 4; x++) a[y][x] = in[16 * i + 4 * y + x];
  for (int y = 3; y >= 0; y--)
    for (int x = 3; x >= 0; x--) out[16 * i + 4 * y + x] = a[x][y];
}

// It may be anywhere.
kernel void counted(global const uchar *in, global int *out, int n) {
  size_t i = get_global_id(0);
  int count[8] = {0};
  for (int k = 0; k < n; k++) count[in[i * n + k] & 7]++;
  for (int k = 0; k < 8; k++) out[i * 8 + k] = count[k];
}

// Too long.
kernel void squares(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float sums[64];
  for (int k = 0; k < 64; k++) sums[k] = in[k] * i;
  for (int r = 0; r < 10; r++)
    for (int k = 1; k < 64; k++) sums[k] = sqrt(sums[k] * sums[k - 1] + in[k] * in[k]) / (1 + sums[k]);
  out[i] = sums[63];
}

// A sum in global memory, over what is in local memory, is in a register until the loop is left.
kernel void forces(global const float *x, global float *sum, int n) {
  local float near[64];
  int l = get_local_id(0), i = get_global_id(0);
  near[l] = x[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < n; k++) sum[i] += near[k] * near[l];
}

// What other work-items may have written there is read again.
kernel void steps(global const float *x, global float *sum, int n) {
  int i = get_global_id(0);
  for (int k = 0; k < n; k++) {
    sum[i] += x[k];
    barrier(CLK_GLOBAL_MEM_FENCE);
  }
}

// A table of constants says which element.
kernel void by_table(global const uint *in, global uint *out, int n) {
  const int next[24] = {10, 7, 11, 17, 18, 3, 5, 16, 8, 21, 24, 4, 15, 23, 19, 13, 12, 2, 20, 14, 22, 9, 6, 1};
  size_t i = get_global_id(0);
  uint a[25];
  for (int k = 0; k < 25; k++) a[k] = in[k * n + i];
  for (int r = 0; r < n; r++) {
    uint t = a[1];
    for (int k = 0; k < 24; k++) {
      uint u = a[next[k]];
      a[next[k]] = rotate(t, (uint)k + 1) + u;
      t = u;
    }
  }
  uint sum = 0;
  for (int k = 0; k < 25; k++) sum = rotate(sum, 3u) ^ a[k];
  out[i] = sum;
}

// Quotients of what is counted are numbers; not where the loop is long, nor where the divisor is one anyway.
kernel void series(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float v = in[i], sum = 0;
  for (int k = 0; k < 40; k++) sum = sum * v + 1.0f / (k + 1);
  out[i] = sum;
}
kernel void long_series(global const float *in, global float *out) {
  size_t i = get_global_id(0);
  float v = in[i], sum = 0;
  for (int k = 0; k < 4000; k++) sum = sum * v + 1.0f / (k + 1);
  out[i] = sum;
}
kernel void turns(global int *in) {
  size_t i = get_global_id(0);
  int sum = 0;
  for (int k = 0; k < 60; k++) sum = sum * 5 + (sum >> 3) * (k % 7) + (sum ^ k) * k;
  in[i] = sum;
}

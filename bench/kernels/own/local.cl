// Work-items that work together through local memory, without group functions.

kernel void histogram(global const uchar *in, global uint *out, int n) {
  local uint h[256];
  int l = get_local_id(0);
  h[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&h[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[l], h[l]);
}

kernel void tree_sum(global const float *in, global float *out) {
  local float s[256];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  for (int half_of = 128; half_of > 0; half_of >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_of) s[l] += s[l + half_of];
  }
  if (l == 0) out[get_group_id(0)] = s[0];
}

kernel void doubling_scan(global const int *in, global int *out) {
  local int s[256];
  int l = get_local_id(0);
  s[l] = in[get_global_id(0)];
  for (int away = 1; away < 256; away <<= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int add = l >= away ? s[l - away] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    s[l] += add;
  }
  out[get_global_id(0)] = s[l];
}

kernel void tree_scan(global const int *in, global int *out) {
  local int s[512];
  int l = get_local_id(0), g = get_group_id(0) * 512, away = 1;
  s[2 * l] = in[g + 2 * l];
  s[2 * l + 1] = in[g + 2 * l + 1];
  for (int d = 256; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) s[away * (2 * l + 2) - 1] += s[away * (2 * l + 1) - 1];
    away <<= 1;
  }
  if (l == 0) s[511] = 0;
  for (int d = 1; d < 512; d <<= 1) {
    away >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < d) {
      int left = away * (2 * l + 1) - 1, right = away * (2 * l + 2) - 1, t = s[left];
      s[left] = s[right];
      s[right] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[g + 2 * l] = s[2 * l];
  out[g + 2 * l + 1] = s[2 * l + 1];
}

// The most and how many are over a limit, by atomics on one place.
kernel void atomics(global const int *in, global int *out, int limit) {
  local int most, over;
  int l = get_local_id(0), v = in[get_global_id(0)];
  if (l == 0) {
    most = INT_MIN;
    over = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_max(&most, v);
  if (v > limit) atomic_inc(&over);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (l == 0) {
    out[2 * get_group_id(0)] = most;
    out[2 * get_group_id(0) + 1] = over;
  }
}

// A row for each group: its largest, then the sum of exponentials, then their shares.
kernel void softmax(global const float *in, global float *out, int n) {
  local float s[64];
  int l = get_local_id(0), size = get_local_size(0);
  global const float *x = in + get_group_id(0) * n;
  float most = -INFINITY, sum = 0;
  for (int i = l; i < n; i += size) most = fmax(most, x[i]);
  s[l] = most;
  for (int half_of = size / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_of) s[l] = fmax(s[l], s[l + half_of]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  most = s[0];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = l; i < n; i += size) sum += exp(x[i] - most);
  s[l] = sum;
  for (int half_of = size / 2; half_of > 0; half_of /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < half_of) s[l] += s[l + half_of];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  sum = s[0];
  for (int i = l; i < n; i += size) out[get_group_id(0) * n + i] = exp(x[i] - most) / sum;
}

// Neighbours whose ids stop at the tile's border are known before the barriers.
kernel void diffuse(global const float *in, global float *out, int width, int turns) {
  local float tile[16][16];
  int lx = get_local_id(0), ly = get_local_id(1), at = get_global_id(1) * width + get_global_id(0);
  int left = max(lx - 1, 0), right = min(lx + 1, 15), up = max(ly - 1, 0), down = min(ly + 1, 15);
  float v = in[at];
  for (int t = 0; t < turns; t++) {
    tile[ly][lx] = v;
    barrier(CLK_LOCAL_MEM_FENCE);
    v = 0.2f * (v + tile[up][lx] + tile[down][lx] + tile[ly][left] + tile[ly][right]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = v;
}

// Tiles of 16 x 16 whose work-items are numbered through: chunks have 16 lanes, which are side by side or have
// one place, and what their places are is computed again behind the barrier.
// pass: widen
// march: x86-64-v4
// plan: yes
// show: [su]div|[su]rem
kernel void shortest(global int *d, int n, int from, local int *a, local int *b) {
  int id = get_local_id(0), i = id / 16, j = id % 16;
  a[i * 16 + j] = d[i * n + from + j];
  b[i * 16 + j] = d[(from + i) * n + j];
  int v = d[i * n + j];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int k = 0; k < 16; k++) v = min(v, a[i * 16 + k] + b[k * 16 + j]);
  d[i * n + j] = v;
}
// Ids may be cut to numbers that are negative if they are not local ones.
kernel void of_range(global int *d, global const int *a) {
  int id = get_global_id(0);
  d[get_global_id(0)] = a[id / 16] + a[id % 16 + 16];
}

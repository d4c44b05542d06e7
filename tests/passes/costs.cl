// pass: widen
// show: uses-nothing-else
// Each loop has the number of lanes that costs least: of the one that waits for its sums many, of the one on
// long numbers few; and rows of the work-items' own are gone along one after another.

kernel void each_its_own(global float *a, global const ulong *b, local float *part, int n) {
  size_t i = get_local_id(0);
  float x = a[i];
  for (int k = 0; k < n; k++) x = x * 1.5f + 2;
  part[i] = x;
  barrier(CLK_LOCAL_MEM_FENCE);
  ulong u = b[i], v = b[i + 1000], w = b[i + 2000], z = b[i + 3000], s = b[i + 4000];
  for (int k = 0; k < n; k++) {
    u += v ^ w, v += w ^ z, w += z ^ s, z += s ^ u, s += u ^ v;
  }
  a[i] = part[n - 1 - i] + (u ^ v ^ w ^ z ^ s);
}

kernel void rows(global const int *begin, global const int *column, global const float *value,
                 global const float *x, global float *y) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = begin[i]; k < begin[i + 1]; k++) sum += value[k] * x[column[k]];
  y[i] = sum;
}

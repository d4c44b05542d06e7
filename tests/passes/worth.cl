// pass: widen
// march: x86-64-v4
// Where lanes pay, and where one work-item after another is faster.

// Each lane walks along a row of its own, of its own length: alone, the next row begins while the sum is made.
kernel void sparse(global const int *start, global const int *column, global const float *value, global const float *x, global float *y) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = start[row]; k < start[row + 1]; k++) sum += value[k] * x[column[k]];
  y[row] = sum;
}

// Letters last: a line of the cache has those of many iterations, which wait for each other.
kernel void word(global const uchar *text, global const int *start, global uint *out) {
  uint i = get_global_id(0), h = 0;
  for (int k = start[i]; k < start[i + 1]; k++) {
    h = (h ^ text[k]) * 16777619u;
    h ^= h >> 13;
  }
  out[i] = h;
}

// Rows of one length, 4096 bytes apart, that are written.
kernel void running(global float *x) {
  int row = get_global_id(0);
  for (int k = 1; k < 1024; k++) x[row * 1024 + k] += x[row * 1024 + k - 1];
}

// A sum of integers may be made several elements at a time.
kernel void bytes(global const char *a, global const char *b, global int *out, int n) {
  int row = get_global_id(0), sum = 0;
  for (int k = 0; k < n; k++) sum += a[row * n + k] * b[row * n + k];
  out[row] = sum;
}

// A loop without an end for all at once, whose loads wait for one another.
kernel void find(global const float *sorted, int n, global const float *x, global int *out) {
  int i = get_global_id(0), low = 0, high = n;
  while (low < high) {
    int middle = (low + high) / 2;
    if (sorted[middle] < x[i])
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

// Rows that are only read, once for much to compute.
kernel void distances(global const float *points, global const float *centre, global float *out, int n) {
  int row = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) {
    float d = points[row * n + k] - centre[k];
    sum += sqrt(d * d + 1.0f) / (1.0f + fabs(d));
  }
  out[row] = sum;
}

// Columns: lanes are side by side in each iteration.
kernel void columns(global const float *a, global float *out, int n) {
  int i = get_global_id(0);
  float sum = 0;
  for (int k = 0; k < n; k++) sum += a[k * n + i];
  out[i] = sum;
}

// A structure for each, mostly copied: its fields are neighbours.
struct body { float x, y, z, vx, vy, vz, mass; int kind; };
kernel void moved(global struct body *b, float dt, int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  b[i].x += b[i].vx * dt;
  b[i].y += b[i].vy * dt;
  b[i].z += b[i].vz * dt;
}

// There is more to compute than to move.
kernel void pulled(global struct body *b, float dt) {
  int i = get_global_id(0);
  float s = dt * rsqrt(b[i].x * b[i].x + b[i].y * b[i].y + b[i].z * b[i].z + 0.1f);
  b[i].vx -= s * b[i].x * b[i].mass;
  b[i].vy -= s * b[i].y * b[i].mass;
  b[i].vz -= s * b[i].z * b[i].mass;
}

// A sum that each addition waits for: alone, nothing else is there to do meanwhile.
kernel void chain(global const float *in, global float *out, int n) {
  int row = get_global_id(0);
  float sum = 0, squares = 0;
  for (int k = 0; k < n; k++) {
    float v = in[row * n + k];
    sum += v;
    squares += v * v;
  }
  for (int k = 0; k < n; k++) out[row * n + k] = in[row * n + k] * squares - sum;
}

// A search with a stack of its own: lanes would gather and scatter each of its entries, and one work-item has them near.
kernel void queens(global const uint *first, global uint *out, int n) {
  uint i = get_global_id(0), full = (1u << n) - 1, count = 0, free[16], columns[16], left[16], right[16];
  int top = 0;
  columns[0] = 1u << first[i] % n;
  left[0] = columns[0] << 1, right[0] = columns[0] >> 1;
  free[0] = full & ~(columns[0] | left[0] | right[0]);
  while (top >= 0) {
    uint bit = free[top] & -free[top], taken = columns[top] | bit;
    if (!bit) {
      top--;
    } else if (free[top] ^= bit, taken == full) {
      count++;
    } else {
      columns[top + 1] = taken;
      left[top + 1] = (left[top] | bit) << 1;
      right[top + 1] = (right[top] | bit) >> 1;
      top++;
      free[top] = full & ~(taken | left[top] | right[top]);
    }
  }
  out[i] = count;
}

// Small elements come one by one, and a line of the cache has many of them: what is computed between them counts.
constant int size[16] = {7, 8, 9, 10, 11, 12, 13, 14, 16, 17, 19, 21, 23, 25, 28, 31};
kernel void sound(global const uchar *in, global short *out, int n) {
  int i = get_global_id(0), level = 0, step = 0;
  for (int k = 0; k < n; k++) {
    int code = in[i * n + k], by = size[step & 15] << (step >> 4), change = by >> 3;
    if (code & 1) change += by >> 2;
    if (code & 2) change += by >> 1;
    if (code & 4) change += by;
    level = clamp(code & 8 ? level - change : level + change, -32768, 32767);
    step = clamp(step + (code & 7) - 3, 0, 127);
    out[i * n + k] = level;
  }
}

// Four fields of a row of structures, added up: LLVM makes vectors of one work-item's.
kernel void quantised(global const char4 *a, global const char4 *b, global int *out, int n) {
  int i = get_global_id(0), sum = 0;
  for (int k = 0; k < n; k++) {
    int4 p = convert_int4(a[i * n + k]) * convert_int4(b[k]);
    sum += p.x + p.y + p.z + p.w;
  }
  out[i] = sum;
}

// What an iteration stores the next one loads: alone it waits for a division each time.
kernel void tridiagonal(global const float *a, global const float *b, global const float *c, global const float *d, global float *out) {
  int i = get_global_id(0);
  float cs[32], ds[32];
  a += i * 32, b += i * 32, c += i * 32, d += i * 32, out += i * 32;
  cs[0] = c[0] / b[0];
  ds[0] = d[0] / b[0];
  for (int k = 1; k < 32; k++) {
    float by = 1.0f / (b[k] - a[k] * cs[k - 1]);
    cs[k] = c[k] * by;
    ds[k] = (d[k] - a[k] * ds[k - 1]) * by;
  }
  out[31] = ds[31];
  for (int k = 30; k >= 0; k--) out[k] = ds[k] - cs[k] * out[k + 1];
}

// Lanes that are at the end of a row, a few each time, add to it one after another.
kernel void segments(global const int *rows, global const float *value, global const float *x, global int *out, int each) {
  int at = get_global_id(0) * each, row = rows[at];
  float sum = 0;
  for (int k = 0; k < each; k++, at++) {
    if (rows[at] != row) {
      atomic_add(&out[row], (int)sum);
      row = rows[at];
      sum = 0;
    }
    sum += value[at] * x[at];
  }
  atomic_add(&out[row], (int)sum);
}

// Where an iteration loads depends on what the last one has compared.
kernel void common(global const int *start, global const int *next, global int *out) {
  int v = get_global_id(0), count = 0;
  for (int e = start[v]; e < start[v + 1]; e++) {
    int a = e + 1, b = start[next[e]], end = start[next[e] + 1];
    while (a < start[v + 1] && b < end) {
      int x = next[a], y = next[b];
      count += x == y;
      a += x <= y;
      b += y <= x;
    }
  }
  out[v] = count;
}

// A stride of the grid: one work-item alone comes to another line of the cache in each iteration, lanes share one.
kernel void counts(global const uchar *in, global uint *out, int n) {
  local uint h[256];
  int l = get_local_id(0);
  h[l] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&h[in[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&out[l], h[l]);
}

// Control flow that differs from work-item to work-item.

kernel void mandelbrot(global int *out, float x0, float y0, float d, int n) {
  int x = get_global_id(0), y = get_global_id(1), k = 0;
  float cr = x0 + d * x, ci = y0 + d * y, r = 0, i = 0;
  while (k < n && r * r + i * i < 4.0f) {
    float t = r * r - i * i + cr;
    i = 2 * r * i + ci;
    r = t;
    k++;
  }
  out[y * get_global_size(0) + x] = k;
}

kernel void search(global const uchar *text, global const uchar *word, int n, global int *out) {
  int i = get_global_id(0), k = 0;
  while (k < n && text[i + k] == word[k]) k++;
  out[i] = k == n;
}

kernel void early_returns(global const int *kind, global const float *x, global float *out,
                          int n) {
  int i = get_global_id(0);
  if (i >= n) return;
  if (kind[i] == 0) return;
  float v = x[i];
  if (v < 0.1f) {
    out[i] = -1.0f;
    return;
  }
  if (kind[i] == 1) {
    out[i] = sqrt(v);
    return;
  }
  for (int k = 0; k < 8; k++) v = 0.5f * v * v + 0.1f;
  out[i] = v;
}

kernel void collatz(global const uint *x, global int *out) {
  size_t i = get_global_id(0);
  uint v = x[i];
  int steps = 0;
  while (v != 1 && steps < 1000) {
    v = v & 1 ? 3 * v + 1 : v >> 1;
    steps++;
  }
  out[i] = steps;
}

kernel void lower_bound(global const int *sorted, int n, global const int *keys, global int *out) {
  size_t i = get_global_id(0);
  int low = 0, high = n, key = keys[i];
  while (low < high) {
    int middle = (low + high) >> 1;
    if (sorted[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  out[i] = low;
}

// One pass of a bitonic sort over all of memory: pairs are swapped if they are the wrong way round.
kernel void bitonic_pass(global int *a, int distance, int run) {
  uint i = get_global_id(0);
  uint at = (i & ~(uint)(distance - 1)) * 2 + (i & (distance - 1));
  int low = a[at], high = a[at + distance];
  bool up = (at & run) == 0;
  if ((low > high) == up) {
    a[at] = high;
    a[at + distance] = low;
  }
}

kernel void bitonic_group(global int *a) {
  local int s[256];
  uint l = get_local_id(0);
  s[l] = a[get_global_id(0)];
  for (uint run = 2; run <= 256; run <<= 1)
    for (uint distance = run >> 1; distance > 0; distance >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint other = l ^ distance;
      if (other > l) {
        int x = s[l], y = s[other];
        if ((x > y) == ((l & run) == 0)) {
          s[l] = y;
          s[other] = x;
        }
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = s[l];
}

kernel void insertion_sort(global const int *in, global int *out) {
  size_t i = get_global_id(0);
  int v[8];
  for (int k = 0; k < 8; k++) {
    int x = in[i * 8 + k], at = k;
    while (at > 0 && v[at - 1] > x) {
      v[at] = v[at - 1];
      at--;
    }
    v[at] = x;
  }
  for (int k = 0; k < 8; k++) out[i * 8 + k] = v[k];
}

kernel void newton(global const float *x, global float *out) {
  size_t i = get_global_id(0);
  float a = x[i], r = a;
  for (int k = 0; k < 60; k++) {
    float next = 0.5f * (r + a / r);
    if (fabs(next - r) <= 1e-6f * r) break;
    r = next;
  }
  out[i] = r;
}

// A little machine with an accumulator; its program differs from item to item.
kernel void machine(global const uchar *code, global const int *x, global int *out, int length) {
  size_t i = get_global_id(0);
  int a = x[i];
  for (int k = 0; k < length; k++) {
    switch (code[k * get_global_size(0) + i]) {
    case 0: a += 7; break;
    case 1: a ^= k; break;
    case 2: a *= 5; break;
    case 3: a >>= 1; break;
    case 4: a = -a; break;
    case 5:
      if (a > 1000) a -= 1000;
      break;
    default: continue;
    }
    a += 1;
  }
  out[i] = a;
}

kernel void rays(global const float4 *directions, global const float4 *spheres, int n,
                 global float *out) {
  size_t i = get_global_id(0);
  float4 d = directions[i];
  float nearest = 1e30f;
  int hit = -1;
  for (int k = 0; k < n; k++) {
    float4 s = spheres[k];
    float b = d.x * s.x + d.y * s.y + d.z * s.z;
    float q = b * b - (s.x * s.x + s.y * s.y + s.z * s.z) + s.w * s.w;
    if (q < 0.0f) continue;
    float t = b - sqrt(q);
    if (t > 0.0f && t < nearest) {
      nearest = t;
      hit = k;
    }
  }
  out[i] = hit < 0 ? 0.0f : nearest;
}

kernel void in_polygon(global const float2 *points, global const float2 *corners, int n,
                       global int *out) {
  size_t i = get_global_id(0);
  float2 p = points[i], last = corners[n - 1];
  int inside = 0;
  for (int k = 0; k < n; k++) {
    float2 c = corners[k];
    if ((c.y > p.y) != (last.y > p.y) &&
        p.x < (last.x - c.x) * (p.y - c.y) / (last.y - c.y) + c.x)
      inside = !inside;
    last = c;
  }
  out[i] = inside;
}

kernel void gcd(global const int *a, global const int *b, global int *out) {
  size_t i = get_global_id(0);
  int x = a[i], y = b[i];
  while (y) {
    int t = x % y;
    x = y;
    y = t;
  }
  out[i] = x;
}

kernel void primes(global int *out, int first) {
  int i = get_global_id(0), n = first + 2 * i, prime = 1;
  for (int d = 3; d * d <= n; d += 2)
    if (n % d == 0) {
      prime = 0;
      break;
    }
  out[i] = prime;
}

// Edit distance of short words, one pair a work-item; a row of the table is private.
kernel void edit_distance(global const uchar *a, global const uchar *b, global int *out) {
  size_t i = get_global_id(0);
  int row[17];
  for (int k = 0; k <= 16; k++) row[k] = k;
  for (int y = 1; y <= 16; y++) {
    int corner = row[0];
    row[0] = y;
    uchar c = a[i * 16 + y - 1];
    for (int x = 1; x <= 16; x++) {
      int change = corner + (c != b[i * 16 + x - 1]);
      corner = row[x];
      row[x] = min(change, min(row[x], row[x - 1]) + 1);
    }
  }
  out[i] = row[16];
}

/* What one work-item of a vector does at a time: calls, atomics, volatile memory; values of several
 * components, and private memory that is used oddly. */
#ifdef __OPENCL_VERSION__
#define FAR __attribute__((noinline))
struct pair { int a; long b; };
struct big { int4 v; short s[3]; char c; };

FAR int mix(global int *p, int a, int b) {
  for (int i = 0; i < (b & 3); i++) a = a * 5 + b;
  *p = a ^ 1;
  return a + b;
}
FAR int4 turned(int4 v, uchar by) { return by & 1 ? v.wxyz + by : v.zwxy * (int4)(1, 2, 3, by); }
FAR struct pair both(struct pair p, int k) {
  p.a += k;
  p.b = p.b * k - p.a;
  return p;
}
FAR void fill(int *a, int n, int with) {
  for (int i = 0; i < n; i++) a[i] = with + i;
}

kernel void calls(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 7;
  if (x & 1) y = mix(&out[at], x, y);
  for (int i = 0; i < (x & 3); i++) y += mix(&out[at], y, i + n);
  int4 v = turned((int4)(x, y, n, 4), (uchar)x);
  struct pair p = {x, y};
  if (y & 2) p = both(p, n);
  out[at] = (x & 1 ? out[at] : 0) + y + v.x * 3 + v.y * 5 + v.z * 7 + v.w * 11 + p.a * 13 + (int)p.b;
}

kernel void not_cached(global int *out, global const int *in, volatile local int *cells) {
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  volatile int own = in[at];
  volatile global int *to = out + at;
  cells[id] = own + 1;
  if (own & 1) cells[id] += 5;
  *to = cells[id];
  own = *to ^ 3;
  *to = own;
}

/* Combined first, or not: all at one place, some, each at its own. */
kernel void together(global int *out, global const int *in) {
  local int l[8];
  local uint u[4];
  local long w[2];
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  int x = in[at];
  if (id == 0) {
    for (int i = 0; i < 8; i++) l[i] = i == 4 ? INT_MIN : i == 5 ? INT_MAX : i == 1 ? -1 : 0;
    u[0] = 0, u[1] = UINT_MAX, u[2] = 0, u[3] = 0;
    w[0] = w[1] = 0;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&l[0], x);
  atomic_and(&l[1], x | 0xff);
  if (x & 1) atomic_or(&l[2], x);
  for (int i = 0; i < (x & 3); i++) atomic_xor(&l[3], x + i);
  if (x & 2) atomic_max(&l[4], x);
  if (x & 4) atomic_min(&l[5], x);
  atomic_sub(&l[6], x & 15);
  if (x > 1000) atomic_inc(&l[7]);
  atomic_max(&u[0], (uint)x);
  atomic_min(&u[1], (uint)x);
  if (x & 8) atomic_dec(&u[2]);
  atom_add(&w[0], (long)x << 20);
  if (x & 1) atom_max(&w[1], (long)(x & 0xff) << 33);
  barrier(CLK_LOCAL_MEM_FENCE);
  int sum = 0;
  for (int i = 0; i < 8; i++) sum = sum * 31 + l[i];
  for (int i = 0; i < 3; i++) sum = sum * 31 + (int)u[i];
  out[at] = sum * 31 + (int)(w[0] >> 20) + (int)(w[1] >> 33);
}

kernel void retries(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  local int lock, guarded, turns;
  local float sum;
  if (id == 0) lock = guarded = turns = 0, sum = 0;
  cells[id] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  volatile local int *bits = (volatile local int *)&sum;
  int seen, next;
  do {
    seen = *bits;
    next = as_int(as_float(seen) + (float)(in[at] & 7));
  } while (atomic_cmpxchg(bits, seen, next) != seen);
  for (bool done = false; !done;)
    if (atomic_cmpxchg(&lock, 0, 1) == 0) {
      mem_fence(CLK_LOCAL_MEM_FENCE);
      guarded = guarded + (in[at] & 31);
      mem_fence(CLK_LOCAL_MEM_FENCE);
      atomic_xchg(&lock, 0);
      done = true;
    }
  while (atomic_xchg(&lock, 1)) {}
  mem_fence(CLK_LOCAL_MEM_FENCE);
  turns = turns + 1;
  mem_fence(CLK_LOCAL_MEM_FENCE);
  atomic_xchg(&lock, 0);
  int place = atomic_add(&cells[0], 0);
  if (in[at] & 1) place += atomic_xchg(&cells[id], 0);
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = (int)sum * 64 + guarded + turns * 3 + place;
}

kernel void components(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  uchar4 b = as_uchar4(x).wzxy;
  int4 v = (int4)(x, x * 3, n, 5);
  short8 s = as_short8(v);
  int sum = v[x & 3] + as_int(b);
  v[(x >> 2) & 3] = 77;
  s = shuffle(s, (ushort8)(7, 6, 5, 4, (ushort)x & 7, 2, 1, 0));
  if (x & 1) v = v.yxwz, b += (uchar4)(1, 2, 3, 4);
  for (int i = 0; i < (x & 3); i++) v = v.wxyz + as_int4(s), b ^= b.yzwx;
  int3 t = select(v.xyz, v.zyx, v.xyz > v.yzw);
  long2 l = as_long2(v);
  out[at] = sum + v.x + v.y * 3 + v.z * 5 + v.w * 7 + as_int(b) + s.s4 + t.x + t.y * 9 + t.z * 11 +
            (int)(l.x >> 32) + (int)l.y;
}

/* One array by elements of 1, 2, 4 and 8 bytes, by indices that are the same for all and by others. */
kernel void parts(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], sum = 0;
  union { uchar c[32]; ushort s[16]; int i[8]; float f[8]; ulong l[4]; } u;
  for (int i = 0; i < n; i++) u.l[i] = x * (ulong)(i + 1);
  for (int i = 0; i < 8 * n; i += 3) u.c[i] ^= (uchar)(x + i);
  for (int i = 0; i < 4 * n; i++)
    if ((x >> i) & 1) u.s[i] += (ushort)(i * 5);
  if (x & 1) u.c[n] = 7, u.f[n - 1] = (float)(x & 255);
  u.c[x & 31] ^= 0x11;
  u.s[(x >> 3) & 15] += 3;
  u.i[(x >> 5) & 7] -= n;
  if (x & 4) u.l[(x >> 2) & 3]++;
  for (int i = 0; i < 8 * n; i++) sum = sum * 3 + u.c[i] + u.s[i >> 1];
  for (int i = 0; i < 2 * n; i++) sum = sum * 5 + u.i[i] + (int)u.l[i >> 1] + u.c[(x + i) & 31];
  out[at] = sum;
}

struct matrix { float m[12]; };
struct matrix shifted(struct matrix a, int by) {
  struct matrix r = a;
  for (int i = 0; i < 12; i++) r.m[(i + by) % 12] += a.m[i];
  return r;
}
kernel void whole_arrays(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], counts[40] = {0}, primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
  struct matrix a, b;
  for (int i = 0; i < 12; i++) a.m[i] = (x >> i) & 15;
  for (int i = 0; i < 20; i++) counts[(x >> i) & 31] += primes[i & 7] + i;
  b = shifted(a, x & 7);
  if (x & 1) a = shifted(b, n);
  if (x & 2) primes[x & 7] = 1;
  int sum = 0;
  for (int i = 0; i < 40; i++) sum = sum * 3 + counts[i];
  for (int i = 0; i < 12; i++) sum = sum * 5 + (int)a.m[i] + (int)b.m[11 - i] + primes[i & 7];
  out[at] = sum;
}

kernel void odd_private(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], a[6], sum = 0;
  union { int i[4]; uchar c[16]; short s[8]; } u;
  struct big t[3], copy;
  fill(a, 6, x);
  for (int i = 0; i < 4; i++) u.i[i] = x * (i + n);
  u.c[x & 15] ^= 0x5a;
  u.s[(x >> 4) & 7] += n;
  for (int i = 0; i < 3; i++) {
    t[i].v = (int4)(x, i, n, x + i);
    for (int k = 0; k < 3; k++) t[i].s[k] = (short)(x >> k);
    t[i].c = (char)(x + i);
  }
  copy = t[(uint)x % 3];
  t[(uint)(x >> 3) % 3] = t[0];
  copy.v.y += 5;
  t[1] = copy;
  int *p = x & 1 ? a : u.i, *q = x & 2 ? &a[2] : p;
  if (p == q) sum += 1000;
  p[x & 3] += 9;
  q[1] ^= 0x33;
  if (x & 8) fill(q, 2, n);
  for (int i = 0; i < 6; i++) sum = sum * 3 + a[i];
  for (int i = 0; i < 16; i++) sum = sum * 5 + u.c[i];
  for (int i = 0; i < 3; i++)
    sum = sum * 7 + t[i].v.x + t[i].v.y * 3 + t[i].v.w + t[i].s[i] + t[i].c;
  out[at] = sum;
}
#else
#include "run/case.h"

struct called { uint y, stored; };
static uint mixed(uint *p, uint a, uint b) {
  for (uint i = 0; i < (b & 3); i++) a = a * 5 + b;
  *p = a ^ 1;
  return a + b;
}
CASE(calls, int, int, .args = 1, .arg = {3}) {
  uint n = (uint)g->arg[0];
  EACH(i) {
    uint x = (uint)in[i], y = 7, stored = 0;
    if (x & 1) y = mixed(&stored, x, y);
    for (uint k = 0; k < (x & 3); k++) y += mixed(&stored, y, k + n);
    uint v[4] = {x, y, n, 4}, by = x & 255, t[4];
    for (int c = 0; c < 4; c++)
      t[c] = by & 1 ? v[(c + 3) % 4] + by : v[(c + 2) % 4] * (c == 3 ? by : (uint)c + 1);
    uint a = x;
    ulong b = (ulong)(long)(int)y;
    if (y & 2) a += n, b = b * n - (ulong)(long)(int)a;
    out[i] = (int)((x & 1 ? stored : 0) + y + t[0] * 3 + t[1] * 5 + t[2] * 7 + t[3] * 11 + a * 13 + (uint)b);
  }
}

CASE(not_cached, int, int, .local_per_item = 4) {
  EACH(i) out[i] = add(add(in[i], 1), in[i] & 1 ? 5 : 0) ^ 3;
}

CASE(together, int, int) {
  int l[8] = {0, -1, 0, 0, INT_MIN, INT_MAX, 0, 0};
  uint u[3] = {0, UINT_MAX, 0};
  ulong wide = 0;
  long most = 0;
  EACH(i) {
    int x = in[i];
    l[0] = add(l[0], x);
    l[1] &= x | 0xff;
    if (x & 1) l[2] |= x;
    for (int k = 0; k < (x & 3); k++) l[3] ^= add(x, k);
    if ((x & 2) && x > l[4]) l[4] = x;
    if ((x & 4) && x < l[5]) l[5] = x;
    l[6] -= x & 15;
    l[7] += x > 1000;
    if ((uint)x > u[0]) u[0] = (uint)x;
    if ((uint)x < u[1]) u[1] = (uint)x;
    if (x & 8) u[2]--;
    wide += (ulong)(long)x << 20;
    if ((x & 1) && (x & 0xff) > most) most = x & 0xff;
  }
  uint sum = 0;
  for (int k = 0; k < 8; k++) sum = sum * 31 + (uint)l[k];
  for (int k = 0; k < 3; k++) sum = sum * 31 + u[k];
  EACH(i) out[i] = (int)(sum * 31 + (uint)((long)wide >> 20) + (uint)most);
}

CASE(retries, int, int, .local_per_item = 4) {
  int sum = 0, guarded = 0;
  EACH(i) {
    sum += in[i] & 7;
    guarded += in[i] & 31;
  }
  EACH(i) out[i] = sum * 64 + guarded + (int)g->items * 3;
}

CASE(components, int, int, .args = 1, .arg = {6}) {
  EACH(i) {
    uint x = (uint)in[i], v[4] = {x, x * 3, (uint)g->arg[0], 5}, sum;
    uchar c[4], b[4];
    ushort s[8], r[8];
    memcpy(c, &x, 4);
    b[0] = c[3], b[1] = c[2], b[2] = c[0], b[3] = c[1];
    memcpy(s, v, 16);
    uint bits;
    memcpy(&bits, b, 4);
    sum = v[x & 3] + bits;
    v[x >> 2 & 3] = 77;
    for (int k = 0; k < 8; k++) r[k] = s[k == 4 ? x & 7 : 7 - (uint)k];
    r[5] = s[2], r[6] = s[1], r[7] = s[0];
    if (x & 1) {
      uint t[4] = {v[1], v[0], v[3], v[2]};
      memcpy(v, t, 16);
      for (int k = 0; k < 4; k++) b[k] += (uchar)(k + 1);
    }
    for (uint n = 0; n < (x & 3); n++) {
      uint add[4], t[4];
      memcpy(add, r, 16);
      uchar d[4];
      for (int k = 0; k < 4; k++) t[k] = v[(k + 3) % 4] + add[k], d[k] = b[k] ^ b[(k + 1) % 4];
      memcpy(v, t, 16);
      memcpy(b, d, 4);
    }
    uint t[3];
    for (int k = 0; k < 3; k++) t[k] = (int)v[k] > (int)v[k + 1] ? v[2 - k] : v[k];
    memcpy(&bits, b, 4);
    out[i] = (int)(sum + v[0] + v[1] * 3 + v[2] * 5 + v[3] * 7 + bits + (uint)(int)(short)r[4] + t[0] +
                   t[1] * 9 + t[2] * 11 + v[1] + v[2]);
  }
}

CASE(parts, int, int, .args = 1, .arg = {4}) {
  int n = g->arg[0];
  EACH(i) {
    int x = in[i];
    uint sum = 0;
    union { uchar c[32]; unsigned short s[16]; int i[8]; float f[8]; ulong l[4]; } u;
    for (int k = 0; k < n; k++) u.l[k] = (ulong)(long)x * (ulong)(k + 1);
    for (int k = 0; k < 8 * n; k += 3) u.c[k] ^= (uchar)add(x, k);
    for (int k = 0; k < 4 * n; k++)
      if ((x >> k) & 1) u.s[k] = (unsigned short)(u.s[k] + k * 5);
    if (x & 1) u.c[n] = 7, u.f[n - 1] = (float)(x & 255);
    u.c[x & 31] ^= 0x11;
    u.s[(x >> 3) & 15] = (unsigned short)(u.s[(x >> 3) & 15] + 3);
    u.i[(x >> 5) & 7] = sub(u.i[(x >> 5) & 7], n);
    if (x & 4) u.l[(x >> 2) & 3]++;
    for (int k = 0; k < 8 * n; k++) sum = sum * 3 + u.c[k] + u.s[k >> 1];
    for (int k = 0; k < 2 * n; k++) sum = sum * 5 + (uint)u.i[k] + (uint)u.l[k >> 1] + u.c[add(x, k) & 31];
    out[i] = (int)sum;
  }
}

struct matrix { float m[12]; };
static struct matrix shifted(struct matrix a, int by) {
  struct matrix r = a;
  for (int i = 0; i < 12; i++) r.m[(i + by) % 12] += a.m[i];
  return r;
}
CASE(whole_arrays, int, int, .args = 1, .arg = {4}) {
  EACH(i) {
    int x = in[i], counts[40] = {0}, primes[8] = {2, 3, 5, 7, 11, 13, 17, 19};
    struct matrix a, b;
    for (int k = 0; k < 12; k++) a.m[k] = (float)((x >> k) & 15);
    for (int k = 0; k < 20; k++) counts[(x >> k) & 31] += primes[k & 7] + k;
    b = shifted(a, x & 7);
    if (x & 1) a = shifted(b, g->arg[0]);
    if (x & 2) primes[x & 7] = 1;
    uint sum = 0;
    for (int k = 0; k < 40; k++) sum = sum * 3 + (uint)counts[k];
    for (int k = 0; k < 12; k++) sum = sum * 5 + (uint)(int)a.m[k] + (uint)(int)b.m[11 - k] + (uint)primes[k & 7];
    out[i] = (int)sum;
  }
}

struct big { int v[4]; short s[3]; signed char c; };
static void fill(int *a, int n, int with) {
  for (int i = 0; i < n; i++) a[i] = add(with, i);
}
CASE(odd_private, int, int, .args = 1, .arg = {4}) {
  int n = g->arg[0];
  EACH(i) {
    int x = in[i], a[6];
    union { int i[4]; uchar c[16]; short s[8]; } u;
    struct big t[3], copy;
    uint sum = 0;
    fill(a, 6, x);
    for (int k = 0; k < 4; k++) u.i[k] = mul(x, k + n);
    u.c[x & 15] ^= 0x5a;
    u.s[x >> 4 & 7] = (short)(u.s[x >> 4 & 7] + n);
    for (int k = 0; k < 3; k++) {
      t[k] = (struct big){{x, k, n, add(x, k)}, {(short)x, (short)(x >> 1), (short)(x >> 2)}, (signed char)add(x, k)};
    }
    copy = t[(uint)x % 3];
    t[(uint)(x >> 3) % 3] = t[0];
    copy.v[1] += 5;
    t[1] = copy;
    int *p = x & 1 ? a : u.i, *q = x & 2 ? &a[2] : p;
    if (p == q) sum += 1000;
    p[x & 3] = add(p[x & 3], 9);
    q[1] ^= 0x33;
    if (x & 8) fill(q, 2, n);
    for (int k = 0; k < 6; k++) sum = sum * 3 + (uint)a[k];
    for (int k = 0; k < 16; k++) sum = sum * 5 + u.c[k];
    for (int k = 0; k < 3; k++)
      sum = sum * 7 + (uint)t[k].v[0] + (uint)t[k].v[1] * 3 + (uint)t[k].v[3] + (uint)(int)t[k].s[k] + (uint)(int)t[k].c;
    out[i] = (int)sum;
  }
}
#endif

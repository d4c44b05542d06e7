/* Vector values across sync points. */
#define FOR_COMPARED(DO) DO(char, 3) DO(uchar, 4) DO(short, 2) DO(short, 3) DO(ushort, 4) DO(ushort, 8)
#ifdef __OPENCL_VERSION__
kernel void int4_lives(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int4 v = vload4(at, in);
  v.x = work_group_reduce_add(v.x);
  v.y = work_group_scan_inclusive_max(v.y);
  barrier(CLK_LOCAL_MEM_FENCE);
  v.zw = v.wz + v.xy;
  barrier(CLK_LOCAL_MEM_FENCE);
  vstore4(v, at, out);
}

kernel void int3_and_others(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int3 v = (int3)(in[at], in[at] + 1, in[at] ^ 3);
  uchar16 bytes = (uchar16)((uchar)in[at]) + (uchar16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
  float2 f = convert_float2(v.xy & 0xff);
  ulong2 w = (ulong2)((uint)in[at], n);
  for (int i = 0; i < n; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    v = v.yzx + i;
    bytes = bytes.s123456789abcdef0;
    f = f.yx + 1.0f;
    w = w * 3 + w.yx;
  }
  int high = work_group_reduce_max(v.z);
  out[at] = v.x + v.y * 3 + v.z * 5 + bytes.s0 + bytes.sf * 7 + (int)f.x + (int)f.y * 3 +
            (int)w.x + (int)(w.y >> 16) + high;
}

/* Small vectors at places that vary: of other work-items, at borders, under conditions, in place. */
#define ITEMS (get_local_size(0) * get_local_size(1) * get_local_size(2))
#define ELSEWHERE(VECTOR, ELEMENT, NAME)                                                            \
  kernel void NAME(global ELEMENT *out, global const ELEMENT *in, int n) {                         \
    size_t at = get_global_linear_id(), id = get_local_linear_id(), items = ITEMS;                 \
    global const VECTOR *from = (global const VECTOR *)in + (at - id);                             \
    global VECTOR *to = (global VECTOR *)out + (at - id);                                          \
    size_t left = clamp((int)id - n, 0, (int)items - 1), bits = (id * 5 + n) % items;              \
    VECTOR v = from[left];                                                                         \
    if (id & 1) v += from[bits] * (ELEMENT)3;                                                      \
    to[items - 1 - id] = v;                                                                        \
    barrier(CLK_GLOBAL_MEM_FENCE);                                                                 \
    v = to[(id ^ 1) < items ? id ^ 1 : id];                                                        \
    barrier(CLK_GLOBAL_MEM_FENCE);                                                                 \
    if (id % 3) to[id].x = v.y;                                                                    \
    if (id % 3 != 1) to[id].y = v.x;                                                               \
  }
/* Comparisons of small elements, and what is made of them. */
#define COMPARED(TYPE, N)                                                                          \
  kernel void compared_##TYPE##N(global TYPE *out, global const TYPE *in) {                        \
    size_t at = get_global_linear_id();                                                            \
    TYPE##N a = (vload##N(2 * at, in) & (TYPE)3) - (TYPE)1, b = (vload##N(2 * at + 1, in) & (TYPE)3) - (TYPE)1, \
            is = as_##TYPE##N(a < b) & (TYPE)1;                                                    \
    is |= as_##TYPE##N(a == b) & (TYPE)2;                                                          \
    is |= as_##TYPE##N(a >= b) & (TYPE)4;                                                          \
    is |= as_##TYPE##N(a && b) & (TYPE)8;                                                          \
    is |= as_##TYPE##N(!a) & (TYPE)16;                                                             \
    vstore##N(is + (a > b ? b : a), 2 * at, out);                                                  \
    vstore##N(as_##TYPE##N(vload##N(2 * at, in) < vload##N(2 * at + 1, in)), 2 * at + 1, out);     \
  }
FOR_COMPARED(COMPARED)
/* A component's lowest bit, as it is read and as it is computed: LLVM takes it of a vector of bits. */
kernel void component_bits(global ulong *out, global const uint *in) {
  size_t at = get_global_linear_id();
  uint4 v = ((global const uint4 *)in)[at], sum = v + v.yzwx * 3;
  out[2 * at] = (ulong)(uchar)((v.s2 & 1u) * 11u);
  out[2 * at + 1] = (sum.s3 & 1u) * 5u + (v.s1 & 1u ? v.s0 : 2u);
}
/* Vectors of three in constants: each takes the place of four. */
struct triple {
  float real;
  int3 whole[2];
  uchar3 bytes;
  double3 last;
};
constant int3 steps[3] = {(int3)(1, 2, 3), (int3)(4, 5, 6), (int3)(7, 8, 9)};
constant struct triple triples[2] = {
    {1, {(int3)(2, 3, 4), (int3)(5, 6, 7)}, (uchar3)(8, 9, 10), (double3)(11, 12, 13)},
    {14, {(int3)(15, 16, 17), (int3)(18, 19, 20)}, (uchar3)(21, 22, 23), (double3)(24, 25, 26)}};
kernel void threes_in_constants(global int *out, global const uint *in) {
  size_t at = get_global_linear_id();
  uint x = in[at];
  struct triple both[2] = {{1, {(int3)(2, 3, 4), (int3)(5, 6, 7)}, (uchar3)(8), (double3)(9)},
                           {10, {(int3)(11), (int3)(12, 13, 14)}, (uchar3)(15), (double3)(16)}};
  constant struct triple *t = &triples[x & 1];
  struct triple *own = &both[x >> 1 & 1];
  int3 step = steps[x % 3], whole = t->whole[x >> 2 & 1], mine = own->whole[x >> 3 & 1];
  out[4 * at] = step.x + step.y * 100 + step.z * 10000;
  out[4 * at + 1] = whole.x + whole.y * 100 + whole.z * 10000;
  out[4 * at + 2] = t->bytes.x + t->bytes.z * 100 + (int)(t->last.x + t->last.z * 10000 + t->real);
  out[4 * at + 3] = mine.x + mine.y * 100 + mine.z * 10000 + (int)(own->last.y + own->real);
}
/* Pairs of bytes side by side, to a function that stays one and from it. */
struct pairs {
  long whole;
  uchar2 bytes[2];
};
__attribute__((noinline, optnone)) long add_pairs(struct pairs p, uint at) {
  return p.whole * 100 + p.bytes[at].x * 3 + p.bytes[at ^ 1].y;
}
__attribute__((noinline, optnone)) struct pairs turn_pairs(global const struct pairs *from, uint at) {
  struct pairs p = *from;
  p.bytes[at] = p.bytes[at].yx;
  return p;
}
kernel void pairs_by_value(global long *out, global const struct pairs *in) {
  size_t at = get_global_linear_id();
  uint one = in[at].whole & 1;
  struct pairs turned = turn_pairs(&in[at], one);
  out[2 * at] = add_pairs(in[at], one);
  out[2 * at + 1] = add_pairs(turned, one);
}
/* The fourth is nobody's. */
kernel void short3_elsewhere(global short *out, global const short *in) {
  size_t at = get_global_linear_id(), id = get_local_linear_id(), other = ITEMS - 1 - id;
  global const short3 *from = (global const short3 *)in + (at - id);
  global short3 *to = (global short3 *)out + (at - id);
  short3 v = from[other] * (short)5;
  to[other] = v.zxy;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[4 * at + 3] = 4;
}
/* Rows that are longer than what is read or written whole, the last first or every other one, one
 * of them twice. */
kernel void row_elsewhere(global short *out, global const short *in) {
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  global const short *from = in + 22 * (at - id + (id * 5 + 3) % ITEMS);
  global short *to = out + 22 * (at - id + (ITEMS - 1 - id));
  short v[22];
  for (int k = 21; k >= 0; k--) v[k] = from[k];
  for (int k = 1; k < 22; k += 2) to[k] = v[k] + v[k - 1];
  to[7] = v[7];
  for (int k = 0; k < 22; k += 2) to[k] = v[k] ^ v[21 - k];
}
kernel void bytes_elsewhere(global uchar *out, global const uchar *in) {
  size_t at = get_global_linear_id(), id = get_local_linear_id();
  global const uchar *from = in + 37 * (at - id + (id * 5 + 3) % ITEMS);
  global uchar *to = out + 37 * (at - id + (ITEMS - 1 - id));
  uchar v[37];
  for (int k = 0; k < 37; k++) v[k] = from[k];
  if (v[0] & 1)
    for (int k = 0; k < 37; k++) to[k] = v[36 - k];
  else
    for (int k = 36; k >= 0; k--) to[k] = v[k] + 1;
}
ELSEWHERE(uchar4, uchar, elsewhere_uchar4)
ELSEWHERE(ushort2, ushort, elsewhere_ushort2)
ELSEWHERE(float2, float, elsewhere_float2)
ELSEWHERE(int4, int, elsewhere_int4)
ELSEWHERE(short8, short, elsewhere_short8)
ELSEWHERE(long2, long, elsewhere_long2)
#else
#include "run/case.h"

CASE(int4_lives, int, int, .in_per_item = 4, .out_per_item = 4) {
  int sum = 0, high = INT_MIN;
  EACH(i) sum = add(sum, in[4 * i]);
  EACH(i) {
    high = in[4 * i + 1] > high ? in[4 * i + 1] : high;
    out[4 * i] = sum;
    out[4 * i + 1] = high;
    out[4 * i + 2] = add(in[4 * i + 3], sum);
    out[4 * i + 3] = add(in[4 * i + 2], high);
  }
}

CASE(int3_and_others, int, int, .args = 1, .arg = {5}) {
  int high = INT_MIN;
  for (int pass = 0; pass < 2; pass++)
    EACH(i) {
      int v[3] = {in[i], add(in[i], 1), in[i] ^ 3};
      float f[2] = {(float)(v[0] & 0xff), (float)(v[1] & 0xff)};
      ulong w[2] = {(uint)in[i], 5};
      for (int k = 0; k < 5; k++) {
        int x = v[0];
        v[0] = add(v[1], k), v[1] = add(v[2], k), v[2] = add(x, k);
        float t = f[0];
        f[0] = f[1] + 1, f[1] = t + 1;
        ulong u = w[0];
        w[0] = w[0] * 3 + w[1], w[1] = w[1] * 3 + u;
      }
      high = v[2] > high ? v[2] : high;
      int bytes = (uchar)add(in[i], 5) + (uchar)add(in[i], 4) * 7;
      out[i] = add(add(v[0], mul(v[1], 3)), add(mul(v[2], 5), bytes));
      out[i] = add(out[i], (int)f[0] + (int)f[1] * 3);
      out[i] = add(add(out[i], (int)w[0]), add((int)(w[1] >> 16), high));
    }
}

/* C's own arithmetic of the element. */
#define ELSEWHERE(ELEMENT, SIZE, NAME, ...)                                                         \
  CASE(NAME, ELEMENT, ELEMENT, .in_per_item = SIZE, .out_per_item = SIZE, .args = 1, .arg = {3},    \
       .max_dims = 1, __VA_ARGS__) {                                                                               \
    static ELEMENT v[MAX_ITEMS * SIZE];                                                            \
    size_t n = g->items;                                                                           \
    EACH(i) {                                                                                      \
      size_t left = i < 3 ? 0 : i - 3, other = (i * 5 + 3) % n;                                    \
      for (size_t k = 0; k < SIZE; k++) {                                                          \
        ELEMENT x = in[left * SIZE + k];                                                           \
        if (i & 1) x = (ELEMENT)(PLUS(x, TIMES3(in[other * SIZE + k])));                           \
        v[(n - 1 - i) * SIZE + k] = x;                                                             \
      }                                                                                            \
    }                                                                                              \
    memcpy(out, v, n * SIZE * sizeof *out);                                                        \
    EACH(i) {                                                                                      \
      size_t from = (i ^ 1) < n ? i ^ 1 : i;                                                       \
      if (i % 3) out[i * SIZE] = v[from * SIZE + 1];                                               \
      if (i % 3 != 1) out[i * SIZE + 1] = v[from * SIZE];                                          \
    }                                                                                              \
  }
#define COMPARED(TYPE, N)                                                                          \
  CASE(compared_##TYPE##N, TYPE, TYPE, .in_per_item = 2 * N, .out_per_item = 2 * N) {              \
    EACH(i) for (size_t k = 0; k < N; k++) {                                                       \
      TYPE a = (TYPE)((in[2 * N * i + k] & 3) - 1), b = (TYPE)((in[2 * N * i + N + k] & 3) - 1);   \
      int is = (a < b) | (a == b) << 1 | (a >= b) << 2 | (a && b) << 3 | !a << 4;                  \
      out[2 * N * i + k] = (TYPE)(is + (a > b ? b : a));                                           \
      out[2 * N * i + N + k] = (TYPE)(in[2 * N * i + k] < in[2 * N * i + N + k] ? -1 : 0);         \
    }                                                                                              \
  }
FOR_COMPARED(COMPARED)

CASE(component_bits, uint, ulong, .in_per_item = 4, .out_per_item = 2) {
  EACH(i) {
    const uint *v = in + 4 * i;
    out[2 * i] = (v[2] & 1) * 11;
    out[2 * i + 1] = (ulong)(((v[3] + v[0] * 3) & 1) * 5 + (v[1] & 1 ? v[0] : 2));
  }
}
CASE(pairs_by_value, ulong, long, .in_per_item = 2, .out_per_item = 2) {
  EACH(i) {
    long whole = (long)(in[2 * i] * 100);
    unsigned one = in[2 * i] & 1;
    uint bytes[2] = {in[2 * i + 1] & 0xffff, in[2 * i + 1] >> 16 & 0xffff};
    out[2 * i] = whole + (bytes[one] & 255) * 3 + (bytes[one ^ 1] >> 8);
    out[2 * i + 1] = whole + (bytes[one] >> 8) * 3 + (bytes[one ^ 1] >> 8);
  }
}
CASE(threes_in_constants, uint, int, .out_per_item = 4) {
  static const int whole[2][2] = {{40302, 70605}, {171615, 201918}};
  static const int mine[2][2] = {{40302, 70605}, {111111, 141312}};
  EACH(i) {
    uint x = in[i];
    int first = 3 * (int)(x % 3) + 1;
    out[4 * i] = first + (first + 1) * 100 + (first + 2) * 10000;
    out[4 * i + 1] = whole[x & 1][x >> 2 & 1];
    out[4 * i + 2] = x & 1 ? 21 + 2300 + 24 + 260000 + 14 : 8 + 1000 + 11 + 130000 + 1;
    out[4 * i + 3] = mine[x >> 1 & 1][x >> 3 & 1] + (x >> 1 & 1 ? 26 : 10);
  }
}
CASE(short3_elsewhere, short, short, .in_per_item = 4, .out_per_item = 4, .max_dims = 1) {
  EACH(i) {
    for (size_t k = 0; k < 3; k++) out[i * 4 + k] = (short)(in[i * 4 + (k + 2) % 3] * 5);
    out[i * 4 + 3] = 4;
  }
}
CASE(row_elsewhere, short, short, .in_per_item = 22, .out_per_item = 22, .max_dims = 1) {
  EACH(i) {
    const short *v = in + 22 * ((i * 5 + 3) % g->items);
    short *to = out + 22 * (g->items - 1 - i);
    for (size_t k = 0; k < 22; k++) to[k] = (short)(k & 1 ? v[k] + v[k - 1] : v[k] ^ v[21 - k]);
    to[7] = v[7];
  }
}
CASE(bytes_elsewhere, uchar, uchar, .in_per_item = 37, .out_per_item = 37, .max_dims = 1) {
  EACH(i) {
    const uchar *v = in + 37 * ((i * 5 + 3) % g->items);
    uchar *to = out + 37 * (g->items - 1 - i);
    for (size_t k = 0; k < 37; k++) to[k] = (uchar)(v[0] & 1 ? v[36 - k] : v[k] + 1);
  }
}
#define PLUS(a, b)   _Generic((a), float: (a) + (b), default: (ulong)(a) + (ulong)(b))
#define TIMES3(a)    _Generic((a), float: (a) * 3, default: (ulong)(a) * 3)
ELSEWHERE(uchar, 4, elsewhere_uchar4)
ELSEWHERE(ushort, 2, elsewhere_ushort2)
ELSEWHERE(float, 2, elsewhere_float2, .small = true)
ELSEWHERE(int, 4, elsewhere_int4)
ELSEWHERE(short, 8, elsewhere_short8)
ELSEWHERE(long, 2, elsewhere_long2)
#endif

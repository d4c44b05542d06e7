/* Bytes and shorts at places that vary, which lie in words with others' and up to a buffer's ends, and are stored
 * where only some work-items do; upper halves of products of 64 and of 32 bits; a private array that a helper sorts. */
#ifdef __OPENCL_VERSION__
kernel void letters(global uchar *out, global const uchar *in) {
  size_t at = get_global_linear_id();
  global const uchar *s = in + 13 * at;
  global uchar *to = out + 7 * at;
  int k = 0, n = 0;
  while (k < 13 && s[k] % 11 != 5) {
    if ((s[k] & 3) && n < 7) to[n++] = s[k] ^ k;
    k++;
  }
  while (n < 7) to[n++] = k;
}

kernel void followed(global ushort *out, global const ushort *in) {
  size_t at = get_global_linear_id();
  global const ushort *s = in + 5 * at;
  uint k = at % 5;
  for (uint n = 0; n <= s[0] % 9; n++) {
    k = (k + s[k]) % 5;
    if (s[k] & 1) out[3 * at + n % 3] = s[k] + n;
  }
}

kernel void halves(global float *out, global const half *in, int from) {
  size_t at = get_global_linear_id();
  float sum = 0;
  for (int k = 0; k < 3; k++) sum += vload_half(3 * at + (at + from + k) % 3, in) * (k + 1);
  out[at] = sum;
}

kernel void high(global ulong *out, global const ulong *in) {
  size_t at = get_global_linear_id();
  ulong a = in[2 * at], b = in[2 * at + 1];
  out[5 * at] = mul_hi(a, b);
  out[5 * at + 1] = mul_hi((long)a, (long)b);
  out[5 * at + 2] = mul_hi(a, 0xfedcba9876543210UL);
  out[5 * at + 3] = mul_hi((long)b, -3L);
  if (a & 1) b = mad_hi(b, a, b);
  out[5 * at + 4] = b;
}

kernel void high_words(global uint *out, global const uint *in, int by) {
  size_t at = get_global_linear_id();
  uint a = in[2 * at], b = in[2 * at + 1];
  ulong both = (ulong)a * b;
  out[9 * at] = mul_hi(a, b);
  out[9 * at + 1] = mul_hi((int)a, (int)b);
  out[9 * at + 2] = mul_hi(mul_hi(a, 0xd256d193u) ^ b, 0xcd9e8d57u);
  out[9 * at + 3] = mul_hi((int)b, -3);
  out[9 * at + 4] = mul_hi((int)a, by);
  out[9 * at + 5] = mul_hi(a & 0xfff, (uint)(ushort)b << 8);
  out[9 * at + 6] = (uint)(both >> 32) ^ (uint)both;
  out[9 * at + 7] = (uint)((at & 0xffffffff) * 0x80000001ul >> 32);
  if (a & 1) b = mad_hi(b, a, b);
  out[9 * at + 8] = b;
}

/* From each place in a word, by indices of 32 bits, some of them negative. */
#define LOOKED_UP(name, T)                                                                         \
  kernel void name(global int *out, global const T *in, int from) {                                \
    int at = get_global_linear_id(), k = 13 * at + in[13 * at] % 9 - from, sum = 0;                \
    for (int n = 0; n < 4; n++) {                                                                  \
      global const T *table = in + (from + n);                                                     \
      sum = 3 * sum + table[k] + table[k - n + 1];                                                 \
    }                                                                                              \
    out[at] = sum;                                                                                 \
  }
LOOKED_UP(bytes_looked_up, uchar)
LOOKED_UP(shorts_looked_up, ushort)

void sift(int *heap, int at, int n) {
  int v = heap[at];
  while (2 * at + 1 < n) {
    int child = 2 * at + 1;
    if (child + 1 < n && heap[child + 1] > heap[child]) child++;
    if (heap[child] <= v) break;
    heap[at] = heap[child];
    at = child;
  }
  heap[at] = v;
}

kernel void sorted(global int *out, global const int *in) {
  size_t at = get_global_linear_id();
  int heap[8];
  for (int k = 0; k < 8; k++) heap[k] = in[8 * at + k];
  for (int k = 3; k >= 0; k--) sift(heap, k, 8);
  for (int k = 7; k > 0; k--) {
    int most = heap[0];
    heap[0] = heap[k];
    heap[k] = most;
    sift(heap, 0, k);
  }
  for (int k = 0; k < 8; k++) out[8 * at + k] = heap[k];
}
#else
#include "run/case.h"

#include <stdlib.h>

CASE(letters, uchar, uchar, .in_per_item = 13, .out_per_item = 7) {
  EACH(i) {
    int k = 0, n = 0;
    for (; k < 13 && in[13 * i + k] % 11 != 5; k++)
      if (in[13 * i + k] & 3 && n < 7) out[7 * i + n++] = (uchar)(in[13 * i + k] ^ k);
    while (n < 7) out[7 * i + n++] = (uchar)k;
  }
}

CASE(followed, ushort, ushort, .in_per_item = 5, .out_per_item = 3) {
  EACH(i) {
    uint k = (uint)(g->at[i] % 5);
    for (uint n = 0; n <= in[5 * i] % 9u; n++) {
      k = (k + in[5 * i + k]) % 5;
      if (in[5 * i + k] & 1) out[3 * i + n % 3] = (ushort)(in[5 * i + k] + n);
    }
  }
}

CASE(halves, half, float, .in_per_item = 3, .small = true, .args = 1, .arg = {1}) {
  EACH(i) {
    float sum = 0;
    for (int k = 0; k < 3; k++) sum += (float)in[3 * i + (g->at[i] + (size_t)g->arg[0] + (size_t)k) % 3] * (float)(k + 1);
    out[i] = sum;
  }
}

#define LOOKED_UP(name, type)                                                                      \
  CASE(name, type, int, .in_per_item = 13, .args = 1, .arg = {7}) {                                \
    EACH(i) {                                                                                      \
      int k = in[13 * i] % 9, sum = 0;                                                             \
      for (int n = 0; n < 4; n++) sum = 3 * sum + in[13 * i + k + n] + in[13 * i + k + 1];         \
      out[i] = sum;                                                                                \
    }                                                                                              \
  }
LOOKED_UP(bytes_looked_up, uchar)
LOOKED_UP(shorts_looked_up, ushort)

static ulong high_of(ulong a, ulong b) { return (ulong)((unsigned __int128)a * b >> 64); }
static ulong signed_high_of(ulong a, ulong b) { return (ulong)((__int128)(long)a * (long)b >> 64); }

CASE(high, ulong, ulong, .in_per_item = 2, .out_per_item = 5) {
  EACH(i) {
    ulong a = in[2 * i], b = in[2 * i + 1];
    out[5 * i] = high_of(a, b);
    out[5 * i + 1] = signed_high_of(a, b);
    out[5 * i + 2] = high_of(a, 0xfedcba9876543210UL);
    out[5 * i + 3] = signed_high_of(b, (ulong)-3L);
    out[5 * i + 4] = a & 1 ? high_of(b, a) + b : b;
  }
}

static uint word_of(ulong a, ulong b) { return (uint)(a * b >> 32); }
static uint signed_word_of(uint a, int b) { return (uint)((long)(int)a * b >> 32); }

CASE(high_words, uint, uint, .in_per_item = 2, .out_per_item = 9, .args = 1, .arg = {-1234567891}) {
  EACH(i) {
    uint a = in[2 * i], b = in[2 * i + 1];
    out[9 * i] = word_of(a, b);
    out[9 * i + 1] = signed_word_of(a, (int)b);
    out[9 * i + 2] = word_of(word_of(a, 0xd256d193) ^ b, 0xcd9e8d57);
    out[9 * i + 3] = signed_word_of(b, -3);
    out[9 * i + 4] = signed_word_of(a, (int)g->arg[0]);
    out[9 * i + 5] = word_of(a & 0xfff, (uint)(ushort)b << 8);
    out[9 * i + 6] = word_of(a, b) ^ a * b;
    out[9 * i + 7] = word_of(g->at[i] & 0xffffffff, 0x80000001);
    out[9 * i + 8] = a & 1 ? word_of(b, a) + b : b;
  }
}

static int before(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

CASE(sorted, int, int, .in_per_item = 8, .out_per_item = 8) {
  EACH(i) {
    memcpy(out + 8 * i, in + 8 * i, 8 * sizeof *out);
    qsort(out + 8 * i, 8, sizeof *out, before);
  }
}
#endif

/* Very many collectives in one kernel: scratch memory and compile time stay in bounds. */
#ifdef __OPENCL_VERSION__
#define TWO(X) X X
#define FOUR(X) TWO(X) TWO(X)
#define SIXTEEN(X) FOUR(FOUR(X))
#define MANY(X) SIXTEEN(SIXTEEN(X))

kernel void calls_256(global long *out, global const long *in) {
  size_t at = get_global_linear_id();
  long x = in[at];
  MANY(x = work_group_scan_inclusive_add(x ^ 0x5555);)
  out[at] = x;
}

kernel void sites_300(global long *out, global const long *in) {
  size_t at = get_global_linear_id();
  long x = in[at], y = 0;
  SIXTEEN(SIXTEEN(y += work_group_reduce_max(x + y);))
  SIXTEEN(y ^= work_group_scan_exclusive_add(x + y); barrier(CLK_LOCAL_MEM_FENCE);)
  SIXTEEN(TWO(x -= work_group_reduce_min(y);))
  out[at] = x + y;
}

/* Loops, conditions and what one work-item does alone, in a kernel that is compiled in pieces. */
kernel void pieces(global long *out, global const long *in) {
  size_t at = get_global_linear_id();
  local long kept;
  long x = in[at], y = 0;
  for (int i = 0; i < 5; i++) {
    SIXTEEN(y += work_group_reduce_max(x + y) ^ i; x ^= i;)
    if (get_local_linear_id() == 0) kept = y;
    if (i & 1) {
      FOUR(y ^= work_group_scan_inclusive_add(x + i);)
    } else {
      for (int k = 0; k <= i; k++) {
        SIXTEEN(x = work_group_scan_exclusive_add(x ^ y) + k;)
      }
    }
    if (work_group_any(x == 3 && i > 2)) break;
    x += kept;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = x + y;
}

/* Nothing but sums and votes: where the kernel is divided, some are begun on one side and asked for
 * on the other, also by the next turn of a loop. */
kernel void sums_in_pieces(global long *out, global const long *in) {
  size_t at = get_global_linear_id();
  ulong x = in[at], y = 0;
  for (ulong i = 0; i < 4; i++) {
    SIXTEEN(x += work_group_reduce_add(x ^ i); y ^= work_group_any((x & 7) == i) ? x : ~y;)
    if (work_group_all((long)x > (long)y && i > 1)) break;
    SIXTEEN(y += work_group_reduce_min((long)(y ^ x));)
  }
  out[at] = x + y;
}

/* Private arrays in many regions: one that none hands on, each work-item's own, and one that all do. */
kernel void arrays_in_pieces(global long *out, global const long *in) {
  size_t at = get_global_linear_id();
  long x = in[at], own[8], all[4] = {x, 1, 2, 3};
  SIXTEEN(FOUR(for (int k = 0; k < 8; k++) own[k] = x * k + all[k & 3];
               for (int k = 0; k < (x & 7); k++) own[(k + x) & 7] ^= own[k];
               all[x & 3] += own[x & 7]; x = work_group_scan_inclusive_add(own[(x + 1) & 7]);
               barrier(CLK_LOCAL_MEM_FENCE);))
  out[at] = x + 3 * all[0] + 5 * all[1] + 7 * all[2] + 11 * all[3];
}

/* All of these live at once. */
kernel void many_live(global long *out, global const long *in) {
  size_t at = get_global_linear_id();
  long x = in[at], a = x + 1, b = x * 3, c = x ^ 7, d = x - 9, e = ~x, f = x << 2, h = x >> 1;
  long r = 0;
  for (int i = 0; i < 9; i++) {
    r += work_group_scan_inclusive_add(a);
    a = b ^ r, b = c + i, c = d - 1, d = e ^ h, e = f + a, f = h * 3, h = x + r;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = a + 3 * b + 5 * c + 7 * d + 11 * e + 13 * f + 17 * h + r;
}
#else
#include "run/case.h"

CASE(calls_256, long, long) {
  ulong x[MAX_ITEMS];
  EACH(i) x[i] = (ulong)in[i];
  for (int k = 0; k < 256; k++) {
    ulong sum = 0;
    EACH(i) x[i] = sum += x[i] ^ 0x5555;
  }
  EACH(i) out[i] = (long)x[i];
}

CASE(sites_300, long, long) {
  ulong y[MAX_ITEMS], x[MAX_ITEMS];
  EACH(i) x[i] = (ulong)in[i], y[i] = 0;
  for (int k = 0; k < 256; k++) {
    long high = LONG_MIN;
    EACH(i) high = (long)(x[i] + y[i]) > high ? (long)(x[i] + y[i]) : high;
    EACH(i) y[i] += (ulong)high;
  }
  for (int k = 0; k < 16; k++) {
    ulong sum = 0;
    EACH(i) {
      ulong v = x[i] + y[i];
      y[i] ^= sum;
      sum += v;
    }
  }
  long low = LONG_MAX;
  EACH(i) low = (long)y[i] < low ? (long)y[i] : low;
  EACH(i) out[i] = (long)(x[i] - 32 * (ulong)low + y[i]);
}

CASE(pieces, long, long) {
  ulong x[MAX_ITEMS], y[MAX_ITEMS];
  EACH(i) x[i] = (ulong)in[i], y[i] = 0;
  for (int k = 0; k < 5; k++) {
    bool stop = false;
    for (int n = 0; n < 16; n++) {
      long high = LONG_MIN;
      EACH(i) high = (long)(x[i] + y[i]) > high ? (long)(x[i] + y[i]) : high;
      EACH(i) y[i] += (ulong)(high ^ k), x[i] ^= (ulong)k;
    }
    ulong kept = y[0];
    for (int n = 0; k & 1 && n < 4; n++) {
      ulong sum = 0;
      EACH(i) y[i] ^= sum += x[i] + (ulong)k;
    }
    for (int n = 0; !(k & 1) && n < 16 * (k + 1); n++) {
      ulong sum = 0;
      EACH(i) {
        ulong v = x[i] ^ y[i];
        x[i] = sum + (ulong)(n / 16);
        sum += v;
      }
    }
    EACH(i) stop |= x[i] == 3 && k > 2;
    if (stop) break;
    EACH(i) x[i] += kept;
  }
  EACH(i) out[i] = (long)(x[i] + y[i]);
}

CASE(sums_in_pieces, long, long) {
  ulong x[MAX_ITEMS], y[MAX_ITEMS];
  EACH(i) x[i] = (ulong)in[i], y[i] = 0;
  for (ulong k = 0; k < 4; k++) {
    bool all = true;
    for (int n = 0; n < 16; n++) {
      ulong sum = 0;
      bool any = false;
      EACH(i) sum += x[i] ^ k;
      EACH(i) any |= ((x[i] += sum) & 7) == k;
      EACH(i) y[i] ^= any ? x[i] : ~y[i];
    }
    EACH(i) all &= (long)x[i] > (long)y[i] && k > 1;
    if (all) break;
    for (int n = 0; n < 16; n++) {
      long low = LONG_MAX;
      EACH(i) low = (long)(y[i] ^ x[i]) < low ? (long)(y[i] ^ x[i]) : low;
      EACH(i) y[i] += (ulong)low;
    }
  }
  EACH(i) out[i] = (long)(x[i] + y[i]);
}

CASE(arrays_in_pieces, long, long) {
  ulong x[MAX_ITEMS], all[MAX_ITEMS][4];
  EACH(i) {
    x[i] = (ulong)in[i];
    for (ulong k = 0; k < 4; k++) all[i][k] = k ? k : x[i];
  }
  for (int n = 0; n < 64; n++) {
    ulong sum = 0;
    EACH(i) {
      ulong own[8];
      for (ulong k = 0; k < 8; k++) own[k] = x[i] * k + all[i][k & 3];
      for (ulong k = 0; k < (x[i] & 7); k++) own[(k + x[i]) & 7] ^= own[k];
      all[i][x[i] & 3] += own[x[i] & 7];
      x[i] = sum += own[(x[i] + 1) & 7];
    }
  }
  EACH(i) out[i] = (long)(x[i] + 3 * all[i][0] + 5 * all[i][1] + 7 * all[i][2] + 11 * all[i][3]);
}

CASE(many_live, long, long) {
  struct { ulong x, a, b, c, d, e, f, h, r; } v[MAX_ITEMS];
  EACH(i) {
    ulong x = (ulong)in[i];
    v[i].x = x, v[i].a = x + 1, v[i].b = x * 3, v[i].c = x ^ 7, v[i].d = x - 9, v[i].e = ~x;
    v[i].f = x << 2, v[i].h = (ulong)(in[i] >> 1), v[i].r = 0;
  }
  for (uint k = 0; k < 9; k++) {
    ulong sum = 0;
    EACH(i) {
      v[i].r += sum += v[i].a;
      v[i].a = v[i].b ^ v[i].r, v[i].b = v[i].c + k, v[i].c = v[i].d - 1;
      v[i].d = v[i].e ^ v[i].h, v[i].e = v[i].f + v[i].a, v[i].f = v[i].h * 3;
      v[i].h = v[i].x + v[i].r;
    }
  }
  EACH(i) out[i] = (long)(v[i].a + 3 * v[i].b + 5 * v[i].c + 7 * v[i].d + 11 * v[i].e +
                          13 * v[i].f + 17 * v[i].h + v[i].r);
}
#endif

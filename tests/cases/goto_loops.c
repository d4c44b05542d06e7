/* Loops built with goto, loops with several exits and entries, joins of many paths. */
#ifdef __OPENCL_VERSION__
kernel void goto_loop(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], i = 0;
again:
  x = x * 3 + work_group_reduce_min(x & 0xff);
  if (++i < n) goto again;
  if (i < 2 * n) {
    barrier(CLK_LOCAL_MEM_FENCE);
    i += n;
    goto again;
  }
  out[at] = x + i;
}

/* Two entries: the loop's body can be reached past its head (irreducible). */
kernel void two_entries(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], i = 0;
  if (n & 1) goto middle;
head:
  x += work_group_reduce_max(x & 0xfff);
  if (i > 20) goto done;
middle:
  barrier(CLK_LOCAL_MEM_FENCE);
  x ^= i;
  i += n;
  if (i < 15) goto head;
  if (i < 18) goto middle;
done:
  out[at] = x * 3 + i;
}

kernel void many_exits(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], y = 0;
  for (int i = 0; i < n; i++) {
    int high = work_group_reduce_max(x);
    if (high == 0) goto zero;
    if (high < 0) goto negative;
    for (int j = 0; j < 3; j++) {
      barrier(CLK_LOCAL_MEM_FENCE);
      x -= j + (high >> 1);
      if ((high & 15) == j + 9) goto odd;
    }
    y += high;
  }
  out[at] = x + y;
  return;
odd:
  y += work_group_scan_inclusive_add(1);
negative:
  y ^= 0x100;
  barrier(CLK_LOCAL_MEM_FENCE);
zero:
  out[at] = x - y;
}

kernel void deep(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], g = get_group_id(0);
  if (n > 1) {
    if (g & 1) {
      x += 1;
      if (n > 2) {
        for (int i = 0; i < n; i++) {
          if (i == g) continue;
          if (i & 1) {
            if (n > 3) {
              barrier(CLK_LOCAL_MEM_FENCE);
              x ^= work_group_reduce_max(x ^ i);
            }
          } else {
            x -= i;
          }
        }
        x *= 3;
      }
    } else if (n > 4) {
      switch (g) {
      case 0: x = ~x; break;
      case 2:
        for (int i = 0; i < 2; i++)
          if (work_group_any(x == i)) x += 100;
        break;
      default: barrier(CLK_LOCAL_MEM_FENCE); x -= 100;
      }
    }
    x += g;
  }
  out[at] = x;
}

/* A switch whose cases stand in a loop (Duff's device): one way into it for each. */
kernel void duff(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int count = (in[at] & 15) + 1, m = (count + 3) / 4, x = in[at];
  switch (count & 3) {
  case 0: do { x = x * 3 + 1;
  case 3:      x = x * 3 + 2;
  case 2:      x = x * 3 + 3;
  case 1:      x = x * 3 + 4;
          } while (--m > 0);
  }
  out[at] = x;
}

/* The same, where work-items meet. */
kernel void switch_into_loop(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at], left = 3;
  switch (n + (int)get_group_id(0) & 3) {
  case 0:
    do {
      x ^= work_group_reduce_max(x & 0xff);
  case 1:
  case 2: x += left;
      barrier(CLK_LOCAL_MEM_FENCE);
  default: x = x * 3 + work_group_any(x & 1);
    } while (--left);
  }
  out[at] = x;
}

/* Of three entries any may be next to be entered. */
kernel void three_entries(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  uint x = in[at];
  int steps = 0;
  switch (x & 3) {
  case 0: goto first;
  case 1: goto third;
  default: goto second;
  }
first:
  if (steps++ > n) goto done;
  x = x * 33 + 7;
  goto third;
second:
  if (steps++ > n) goto done;
  x = x * 33 + 8;
  if (!(x & 8)) goto done;
third:
  if (steps++ > n) goto done;
  x = x * 33 + 9;
  if (x & 8) goto second;
  goto first;
done:
  out[at] = (int)x + steps;
}

/* The same, where work-items meet. */
kernel void three_entries_meet(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  uint x = get_group_id(0) * 2654435761u;
  int steps = 0, y = in[at];
  switch (x >> 7 & 3) {
  case 0: goto first;
  case 1: goto third;
  default: goto second;
  }
first:
  if (steps++ > n) goto done;
  x = x * 33 + work_group_any(y & 1);
  goto third;
second:
  if (steps++ > n) goto done;
  x = x * 33 + 8;
  y ^= work_group_reduce_max(y & 0xfff);
  if (!(x & 8)) goto done;
third:
  if (steps++ > n) goto done;
  x = x * 33 + 9;
  y += steps;
  if (x & 8) goto second;
  goto first;
done:
  out[at] = y ^ (int)x;
}

kernel void nothing(global int *out, global const int *in, int n) {}
kernel void only_barriers(global int *out, global const int *in, int n) {
  barrier(CLK_LOCAL_MEM_FENCE);
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; i++) barrier(CLK_GLOBAL_MEM_FENCE);
}
kernel void ends_with_barrier(global int *out, global const int *in, int n) {
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_linear_id()] = in[get_global_linear_id()] + n;
  barrier(CLK_LOCAL_MEM_FENCE);
}
#else
#include "run/case.h"

CASE(goto_loop, int, int, .args = 1, .arg = {3}) {
  int k = 0;
  EACH(i) out[i] = in[i];
again:;
  int low = 255;
  EACH(i) low = (out[i] & 0xff) < low ? out[i] & 0xff : low;
  EACH(i) out[i] = add(mul(out[i], 3), low);
  if (++k < 3) goto again;
  if (k < 6) {
    k += 3;
    goto again;
  }
  EACH(i) out[i] = add(out[i], k);
}

static void two_entries_of(const struct group *g, const int *in, int *out, int n) {
  int k = 0;
  EACH(i) out[i] = in[i];
  bool skip = n & 1;
  for (;;) {
    if (!skip) {
      int high = 0;
      EACH(i) high = (out[i] & 0xfff) > high ? out[i] & 0xfff : high;
      EACH(i) out[i] = add(out[i], high);
      if (k > 20) break;
    }
    EACH(i) out[i] ^= k;
    k += n;
    skip = k >= 15;
    if (k >= 18) break;
  }
  EACH(i) out[i] = add(mul(out[i], 3), k);
}
CASE(two_entries, int, int, .args = 1, .arg = {3}) { two_entries_of(g, in, out, 3); }

CASE(many_exits, int, int, .args = 1, .arg = {6}) {
  int x[MAX_ITEMS], y = 0, k, high = 0;
  enum { END, ODD, NEGATIVE, ZERO } way = END;
  EACH(i) x[i] = in[i];
  for (k = 0; k < 6 && way == END; k++) {
    high = max_int(x, g->items);
    if (high <= 0) way = high ? NEGATIVE : ZERO;
    if (high <= 0) break;
    for (int j = 0; j < 3 && way == END; j++) {
      EACH(i) x[i] = sub(x[i], j + (high >> 1));
      if ((high & 15) == j + 9) way = ODD;
    }
    if (way == END) y = add(y, high);
  }
  EACH(i) {
    int v = way == ODD ? add(y, (int)i + 1) : y;
    if (way == ODD || way == NEGATIVE) v ^= 0x100;
    out[i] = way == END ? add(x[i], y) : sub(x[i], v);
  }
}

CASE(deep, int, int, .args = 1, .arg = {5}) {
  int id = (int)g->id[0], x[MAX_ITEMS];
  EACH(i) x[i] = in[i];
  if (id & 1) {
    EACH(i) x[i] = add(x[i], 1);
    for (int k = 0; k < 5; k++) {
      if (k == id) continue;
      int high = INT_MIN;
      EACH(i) high = (x[i] ^ k) > high ? x[i] ^ k : high;
      EACH(i) x[i] = k & 1 ? x[i] ^ high : sub(x[i], k);
    }
    EACH(i) x[i] = mul(x[i], 3);
  } else if (id == 0) {
    EACH(i) x[i] = ~x[i];
  } else if (id == 2) {
    for (int k = 0; k < 2; k++) {
      bool any = false;
      EACH(i) any |= x[i] == k;
      EACH(i) x[i] = any ? add(x[i], 100) : x[i];
    }
  } else {
    EACH(i) x[i] = sub(x[i], 100);
  }
  EACH(i) out[i] = add(x[i], id);
}

/* By steps that are counted: those of a turn, from where the first one begins. */
CASE(duff, int, int, .args = 1, .arg = {5}) {
  EACH(i) {
    int count = (in[i] & 15) + 1, x = in[i];
    for (int k = (4 - (count & 3)) & 3, last = 4 * ((count + 3) / 4); k < last; k++)
      x = add(mul(x, 3), k % 4 + 1);
    out[i] = x;
  }
}

CASE(switch_into_loop, int, int, .args = 1, .arg = {5}) {
  static const int first_of[] = {0, 1, 1, 2};
  int first = first_of[(5 + (int)g->id[0]) & 3];
  EACH(i) out[i] = in[i];
  for (int k = first; k < 9; k++) {
    int high = 0, left = 3 - k / 3;
    bool odd = false;
    EACH(i) high = (out[i] & 0xff) > high ? out[i] & 0xff : high;
    EACH(i) odd |= out[i] & 1;
    EACH(i) out[i] = k % 3 == 0 ? out[i] ^ high : k % 3 == 1 ? add(out[i], left) : add(mul(out[i], 3), odd);
  }
}

CASE(three_entries, int, int, .args = 1, .arg = {20}) {
  EACH(i) {
    unsigned x = (unsigned)in[i], way = (x & 3) == 0 ? 0 : (x & 3) == 1 ? 2 : 1;
    int steps = 0;
    while (way < 3 && steps++ <= 20) {
      x = x * 33 + 7 + way;
      way = way == 0 ? 2 : way == 1 ? (x & 8 ? 2 : 3) : x & 8 ? 1 : 0;
    }
    out[i] = (int)(x + (unsigned)steps);
  }
}

CASE(three_entries_meet, int, int, .args = 1, .arg = {20}) {
  unsigned x = (unsigned)g->id[0] * 2654435761u, first = x >> 7 & 3, way = first == 0 ? 0 : first == 1 ? 2 : 1;
  int steps = 0;
  EACH(i) out[i] = in[i];
  while (way < 3 && steps++ <= 20) {
    int high = 0;
    bool odd = false;
    EACH(i) high = (out[i] & 0xfff) > high ? out[i] & 0xfff : high;
    EACH(i) odd |= out[i] & 1;
    x = x * 33 + (way ? 7 + way : odd);
    EACH(i) out[i] = way == 0 ? out[i] : way == 1 ? out[i] ^ high : add(out[i], steps);
    way = way == 0 ? 2 : way == 1 ? (x & 8 ? 2 : 3) : x & 8 ? 1 : 0;
  }
  EACH(i) out[i] ^= (int)x;
}

static void poison(int *out, size_t n) { memset(out, 0xA5, n * sizeof *out); }
CASE(nothing, int, int, .args = 1, .arg = {5}) { poison(out, g->items); }
CASE(only_barriers, int, int, .args = 1, .arg = {5}) { poison(out, g->items); }
CASE(ends_with_barrier, int, int, .args = 1, .arg = {5}) { EACH(i) out[i] = add(in[i], 5); }
#endif

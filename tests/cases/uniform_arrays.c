/* Private arrays that live across sync points and are the same for all work-items, of which there is one copy; and those that
 * only look so. */
#ifdef __OPENCL_VERSION__
/* Each element the result of a collective; all of them are used by a later loop. */
kernel void results(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id(), here = get_local_linear_id();
  int r[8], row[8];
  for (int k = 0; k < 8; k++) r[k] = in[at] * (k + 1) + (here == k);
  for (int p = 0; p < n; p++) {
    for (int k = 0; k < 8; k++) row[k] = work_group_reduce_max(r[k] ^ p);
    for (int k = 0; k < 8; k++) r[k] -= 3 * row[(k + p) & 7];
  }
  int sum = 0;
  for (int k = 0; k < 8; k++) sum = sum * 5 + r[k];
  out[at] = sum;
}

/* An element is changed by what the collective gave, and read at a place of each work-item's own. */
kernel void changed(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[4] = {1, 2, 3, 4}, x = in[at];
  for (int r = 0; r < n; r++) {
    a[r & 3] += work_group_reduce_add(x) + a[(r + 1) & 3];
    x = x * 3 + a[x & 3];
  }
  out[at] = x;
}

/* Read, then written, in the same region: the next work-item must not read what this one wrote. */
kernel void read_first(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[4] = {5, 6, 7, 8}, x = in[at];
  for (int r = 0; r < n; r++) {
    int most = work_group_reduce_max(x);
    x = x * 5 + (x & 1 ? a[r & 3] : a[x & 3]);
    a[r & 3] = most;
    x ^= a[(r + 2) & 3];
  }
  out[at] = x;
}

/* The same in a loop inside of the region: written behind the loads of one round, in front of the next one's. */
kernel void read_in_turns(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[8], x = in[at];
  for (int k = 0; k < 8; k++) a[k] = k * n;
  for (int r = 0; r < n; r++) {
    int least = work_group_reduce_min(x);
    for (int k = 0; k < n; k++) {
      x = x * 3 + (x & 1 ? a[(k + 1) & 7] : 0);
      a[k & 7] = least ^ k;
    }
  }
  out[at] = x;
}

/* Not by all, not the same, or not to the same place. */
kernel void differing(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int some[4] = {1, 2, 3, 4}, late[4] = {9, 9, 9, 9}, values[4] = {0, 1, 2, 3}, places[4] = {0, 0, 0, 0}, x = in[at] & 0xffff;
  for (int r = 0; r < n; r++) {
    int sum = work_group_reduce_add(x);
    if (x & 1) some[r & 3] = sum;
    for (int k = 0; k < (x & 3); k++) late[k] = k + sum;
    values[r & 3] = x;
    places[x & 3] = sum;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = (x * 3 + some[(r + 1) & 3] + late[r & 3] + values[r & 3] + places[(r + 2) & 3]) & 0xffff;
  }
  out[at] = x;
}

/* Pointers to it are kept; it is copied as a whole. */
kernel void pointed(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[4] = {1, 2, 3, 4}, b[4] = {5, 6, 7, 8}, x = in[at], *to = x & 1 ? a : b;
  struct four { int v[4]; } c = {{1, 2, 3, 4}}, d;
  for (int r = 0; r < n; r++) {
    int most = work_group_reduce_max(x);
    to[r & 3] = most;
    c.v[r & 3] ^= most;
    d = c;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = x * 3 + a[(r + 1) & 3] + b[r & 3] + d.v[(r + 3) & 3];
  }
  out[at] = x;
}

/* One work-item of each row alone writes it. */
kernel void alone(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[4] = {1, 2, 3, 4}, x = in[at];
  for (int r = 0; r < n; r++) {
    if (get_local_id(0) == 0) a[r & 3] = 7 * r;
    barrier(CLK_LOCAL_MEM_FENCE);
    x = x * 3 + a[r & 3];
  }
  out[at] = x;
}

/* What is in it decides where work-items go, all together; elements of several words; rows of rows. */
kernel void deciding(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[4][4], x = in[at] + (int)get_local_id(1);
  int2 pairs[4];
  struct { char c; long l; } both[4];
  for (int r = 0; r < n; r++)
    for (int k = 0; k < 4; k++) a[r & 3][k] = work_group_reduce_max(x ^ k * r);
  for (int k = 0; k < 4; k++) {
    pairs[k] = (int2)(a[0][k], work_group_reduce_min(x + k));
    both[k].c = pairs[k].y;
    both[k].l = (long)pairs[k].x << 20;
  }
  for (int k = 0; k < 4; k++) {
    if (a[1][k] & 1) x += work_group_reduce_add(pairs[k].x ^ x);
    else x ^= both[k].c;
    while (both[k].l > 1 << 22) {
      barrier(CLK_LOCAL_MEM_FENCE);
      both[k].l >>= 2;
      x++;
    }
  }
  out[at] = x + (int)both[x & 3].l;
}

/* Small and many: each is written where something else varies too; a third of it is never written. */
kernel void between(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  uchar a[64];
  short b[16];
  int x = in[at], y = 0;
  for (int k = 0; k < 2 * n; k++) {
    y += x * k;
    a[k] = work_group_any(x > k);
    b[k & 15] = work_group_scan_inclusive_add(x) & 1;
    x ^= a[k] + b[k & 15];
  }
  for (int k = 0; k < 2 * n; k++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    y = y * 3 + a[k] + b[k & 15];
  }
  out[at] = y + a[(x & 0xff) % (2 * n)];
}
#else
#include "run/case.h"

static int most_of(const struct group *g, const int *x, int change) {
  int most = INT_MIN;
  EACH(i) most = (x[i] ^ change) > most ? x[i] ^ change : most;
  return most;
}

CASE(results, int, int, .args = 1, .arg = {5}) {
  static int r[8][MAX_ITEMS];
  EACH(i) for (int k = 0; k < 8; k++) r[k][i] = add(mul(in[i], k + 1), i == (size_t)k);
  for (int p = 0; p < 5; p++) {
    int row[8];
    for (int k = 0; k < 8; k++) row[k] = most_of(g, r[k], p);
    EACH(i) for (int k = 0; k < 8; k++) r[k][i] = sub(r[k][i], mul(3, row[(k + p) & 7]));
  }
  EACH(i) {
    out[i] = 0;
    for (int k = 0; k < 8; k++) out[i] = add(mul(out[i], 5), r[k][i]);
  }
}

CASE(changed, int, int, .args = 1, .arg = {6}) {
  int a[4] = {1, 2, 3, 4};
  EACH(i) out[i] = in[i];
  for (int r = 0; r < 6; r++) {
    a[r & 3] = add(a[r & 3], add(sum_int(out, g->items), a[(r + 1) & 3]));
    EACH(i) out[i] = add(mul(out[i], 3), a[out[i] & 3]);
  }
}

CASE(read_first, int, int, .args = 1, .arg = {6}) {
  int a[4] = {5, 6, 7, 8};
  EACH(i) out[i] = in[i];
  for (int r = 0; r < 6; r++) {
    int most = max_int(out, g->items);
    EACH(i) out[i] = add(mul(out[i], 5), out[i] & 1 ? a[r & 3] : a[out[i] & 3]);
    a[r & 3] = most;
    EACH(i) out[i] ^= a[(r + 2) & 3];
  }
}

CASE(read_in_turns, int, int, .args = 1, .arg = {9}) {
  int a[8];
  for (int k = 0; k < 8; k++) a[k] = k * 9;
  EACH(i) out[i] = in[i];
  for (int r = 0; r < 9; r++) {
    int least = min_int(out, g->items);
    for (int k = 0; k < 9; k++) {
      EACH(i) out[i] = add(mul(out[i], 3), out[i] & 1 ? a[(k + 1) & 7] : 0);
      a[k & 7] = least ^ k;
    }
  }
}

struct differing { int some[4], late[4], values[4], places[4]; };

CASE(differing, int, int, .args = 1, .arg = {7}) {
  static struct differing own[MAX_ITEMS];
  EACH(i) {
    own[i] = (struct differing){{1, 2, 3, 4}, {9, 9, 9, 9}, {0, 1, 2, 3}, {0}};
    out[i] = in[i] & 0xffff;
  }
  for (int r = 0; r < 7; r++) {
    int sum = sum_int(out, g->items);
    EACH(i) {
      struct differing *o = &own[i];
      if (out[i] & 1) o->some[r & 3] = sum;
      for (int k = 0; k < (out[i] & 3); k++) o->late[k] = add(k, sum);
      o->values[r & 3] = out[i];
      o->places[out[i] & 3] = sum;
      out[i] = add(add(mul(out[i], 3), o->some[(r + 1) & 3]), add(o->late[r & 3], o->values[r & 3]));
      out[i] = add(out[i], o->places[(r + 2) & 3]) & 0xffff;
    }
  }
}

CASE(pointed, int, int, .args = 1, .arg = {7}) {
  static int own[MAX_ITEMS][2][4];
  int c[4] = {1, 2, 3, 4};
  EACH(i) {
    for (int k = 0; k < 8; k++) own[i][k / 4][k % 4] = k + 1;
    out[i] = in[i];
  }
  for (int r = 0; r < 7; r++) {
    int most = max_int(out, g->items);
    c[r & 3] ^= most;
    EACH(i) {
      own[i][!(in[i] & 1)][r & 3] = most;
      out[i] = add(add(mul(out[i], 3), own[i][0][(r + 1) & 3]), add(own[i][1][r & 3], c[(r + 3) & 3]));
    }
  }
}

CASE(alone, int, int, .args = 1, .arg = {7}) {
  EACH(i) {
    int a[4] = {1, 2, 3, 4};
    out[i] = in[i];
    for (int r = 0; r < 7; r++) {
      if (local_x(g, i) == 0) a[r & 3] = 7 * r;
      out[i] = add(mul(out[i], 3), a[r & 3]);
    }
  }
}

CASE(deciding, int, int, .args = 1, .arg = {4}) {
  static int changed[MAX_ITEMS];
  int a[4][4], pairs[4][2];
  signed char small[4];
  long large[4];
  EACH(i) out[i] = add(in[i], (int)local_y(g, i));
  for (int r = 0; r < 4; r++)
    for (int k = 0; k < 4; k++) a[r][k] = most_of(g, out, k * r);
  for (int k = 0; k < 4; k++) {
    EACH(i) changed[i] = add(out[i], k);
    pairs[k][0] = a[0][k];
    pairs[k][1] = min_int(changed, g->items);
    small[k] = (signed char)pairs[k][1];
    large[k] = (long)((ulong)pairs[k][0] << 20);
  }
  for (int k = 0; k < 4; k++) {
    EACH(i) changed[i] = pairs[k][0] ^ out[i];
    int sum = sum_int(changed, g->items), more = 0;
    EACH(i) out[i] = a[1][k] & 1 ? add(out[i], sum) : out[i] ^ small[k];
    for (; large[k] > 1 << 22; large[k] >>= 2) more++;
    EACH(i) out[i] = add(out[i], more);
  }
  EACH(i) out[i] = add(out[i], (int)large[out[i] & 3]);
}

CASE(between, int, int, .args = 1, .arg = {11}) {
  static int x[MAX_ITEMS];
  static short b[16][MAX_ITEMS];
  uchar a[64];
  EACH(i) x[i] = in[i], out[i] = 0;
  for (int k = 0; k < 22; k++) {
    int sum = 0;
    a[k] = 0;
    EACH(i) {
      out[i] = add(out[i], mul(x[i], k));
      a[k] |= x[i] > k;
    }
    EACH(i) {
      sum = add(sum, x[i]);
      b[k & 15][i] = sum & 1;
    }
    EACH(i) x[i] ^= a[k] + b[k & 15][i];
  }
  EACH(i) {
    for (int k = 0; k < 22; k++) out[i] = add(mul(out[i], 3), a[k] + b[k & 15][i]);
    out[i] = add(out[i], a[(x[i] & 0xff) % 22]);
  }
}
#endif

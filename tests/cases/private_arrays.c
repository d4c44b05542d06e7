/* Private memory across sync points: arrays, constant and varying indices, structs, pointers. */
#ifdef __OPENCL_VERSION__
kernel void array_lives(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[8];
  for (int i = 0; i < 8; i++) a[i] = in[at] + i * i;
  for (int r = 0; r < n; r++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    a[(in[at] + r) & 7] += a[r & 7] ^ r;
  }
  int sum = 0;
  for (int i = 0; i < 8; i++) sum = sum * 3 + a[i];
  out[at] = sum;
}

kernel void array_of_results(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[16];
  for (int i = 0; i < n; i++) a[i] = work_group_scan_exclusive_add(in[at] ^ i);
  int sum = 0;
  for (int i = n - 1; i >= 0; i--) sum = sum * 5 + a[i] + work_group_reduce_max(a[i]);
  out[at] = sum;
}

struct item { char tag; int v[3]; long wide; struct { short s; float f; } inner; };
void change(struct item *p, int by) {
  p->v[by % 3] += by;
  p->wide ^= (long)by << 33;
}
kernel void struct_lives(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int x = in[at];
  struct item t = {x, {x, x * 2, x * 3}, x, {x, x & 0xff}};
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = 0; i < n; i++) {
    change(&t, i + 1);
    t.inner.f += work_group_reduce_min(t.v[0] & 7);
    struct item copy = t;
    barrier(CLK_LOCAL_MEM_FENCE);
    copy.tag++;
    t = copy;
  }
  out[at] = t.tag + t.v[0] + 3 * t.v[1] + 5 * t.v[2] + (int)(t.wide >> 32) * 7 + (int)t.wide +
            t.inner.s + (int)t.inner.f;
}

kernel void pointers_live(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a = in[at], b = a * 3, c[4] = {a, b, 5, 6};
  int *p = a & 1 ? &a : &b, *q = &c[a & 3];
  barrier(CLK_LOCAL_MEM_FENCE);
  *p += 7;
  for (int i = 0; i < n; i++) {
    *q ^= *p;
    barrier(CLK_LOCAL_MEM_FENCE);
    q = &c[(*p + i) & 3];
    if (i & 1) p = p == &a ? &b : &a;
  }
  out[at] = a + 3 * b + 5 * c[0] + 7 * c[1] + 11 * c[2] + 13 * c[3];
}

kernel void truths_live(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  bool even = !(in[at] & 1), small = in[at] < 5, flag = n > 2;
  uchar byte = in[at];
  short half_word = in[at] >> 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  bool both = even && small;
  if (flag) barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = (even ? 1 : 2) + (small ? 10 : 20) + (both ? 100 : 200) + byte * 1000 + half_word;
}

/* Elements that are read in front of a collective or a barrier and used behind it; some are written to in between, by the same
 * work-item, at the same place or another one. */
kernel void elements_kept(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int a[8], b[8], last = (int)get_local_size(0) - 1;
  for (int k = 0; k < 8; k++) {
    a[k] = in[at] * (k + 1);
    b[k] = in[at] ^ k;
  }
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < 8; k++) a[k] -= 3 * work_group_broadcast(a[k] + b[(k + r) & 7], 0, 0, 0);
    int old = b[r & 7], before = a[in[at] & 7];
    b[(r * 3) & 7] = r;
    int most = work_group_broadcast(old, last, 0, 0);
    b[r & 7] += old ^ most;
    int kept = b[(r + 2) & 7];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (kept & 1) b[(r + 2) & 7] = kept * 5 + before;
    else a[r & 7] ^= kept;
  }
  int sum = 0;
  for (int k = 0; k < 8; k++) sum = sum * 3 + a[k] + 7 * b[k];
  out[at] = sum;
}

/* Arrays that are the same for all work-items: a table, one that is counted on in its place.  And some that are not: written
 * by those that go one way, or that stay in a loop, or with a value or at a place of their own. */
kernel void shared_arrays(global int *out, global const int *in, int n) {
  size_t at = get_global_linear_id();
  int step[6] = {0, 3, 0, -1, 5, 0}, turns[4], some[4] = {n, 2, 3, 4}, late[4] = {9, 9, 9, 9},
      values[4] = {0, 1, 2, 3}, places[8] = {0, 0, 0, 0, 0, 0, 0, 0}, sum = in[at] & 0xffff;
  for (int k = 0; k < 4; k++) turns[k] = k * n;
  if (n & 1) step[5] = n;
  for (int r = 0; r < n; r++) {
    turns[r & 3] = (turns[r & 3] + step[r % 6] + turns[(r + 1) & 3]) & 0xfff;
    if (sum & 1)
      some[r & 3] ^= r;
    else
      some[(r + 1) & 3]++;
    for (int k = 0; k < (sum & 3); k++) late[k] = k + r;
    values[r & 3] = sum & 7;
    places[sum & 7] = r;
    sum = (sum * 3 + turns[r & 3] + 7 * step[(sum & 7) % 6] + some[r & 3] + late[r & 3] + values[(r + 1) & 3]) & 0xffff;
  }
  for (int k = 0; k < 8; k++) sum = (sum * 5 + places[k] + turns[k & 3] + some[k & 3] + late[k & 3]) & 0xffff;
  out[at] = sum;
}
#else
#include "run/case.h"

CASE(array_lives, int, int, .args = 1, .arg = {11}) {
  EACH(i) {
    int a[8], sum = 0;
    for (int k = 0; k < 8; k++) a[k] = add(in[i], k * k);
    for (int r = 0; r < 11; r++) {
      int *to = &a[add(in[i], r) & 7];
      *to = add(*to, a[r & 7] ^ r);
    }
    for (int k = 0; k < 8; k++) sum = add(mul(sum, 3), a[k]);
    out[i] = sum;
  }
}

CASE(array_of_results, int, int, .args = 1, .arg = {5}) {
  static int a[16][MAX_ITEMS];
  for (int k = 0; k < 5; k++) {
    int sum = 0;
    EACH(i) a[k][i] = sum, sum = add(sum, in[i] ^ k);
  }
  EACH(i) {
    int sum = 0;
    for (int k = 4; k >= 0; k--) sum = add(mul(sum, 5), a[k][i]), sum = add(sum, max_int(a[k], g->items));
    out[i] = sum;
  }
}

CASE(struct_lives, int, int, .args = 1, .arg = {4}, .max_items = 1024) {
  int v0[MAX_ITEMS], low[4];
  EACH(i) v0[i] = in[i];
  for (int k = 0; k < 4; k++) {
    low[k] = 7;
    EACH(i) {
      if ((k + 1) % 3 == 0) v0[i] = add(v0[i], k + 1);
      low[k] = (v0[i] & 7) < low[k] ? v0[i] & 7 : low[k];
    }
  }
  EACH(i) {
    int v[3] = {in[i], mul(in[i], 2), mul(in[i], 3)};
    long wide = in[i];
    float f = (float)(in[i] & 0xff);
    char tag = (char)in[i];
    for (int k = 0; k < 4; k++) {
      v[(k + 1) % 3] = add(v[(k + 1) % 3], k + 1);
      wide ^= (long)(k + 1) << 33;
      f += (float)low[k];
      tag++;
    }
    out[i] = add(add(tag, v[0]), add(mul(3, v[1]), mul(5, v[2])));
    out[i] = add(out[i], add(mul((int)(wide >> 32), 7), (int)wide));
    out[i] = add(out[i], (short)in[i] + (int)f);
  }
}

CASE(pointers_live, int, int, .args = 1, .arg = {5}) {
  EACH(i) {
    int a = in[i], b = mul(a, 3), c[4] = {a, b, 5, 6};
    int *p = a & 1 ? &a : &b, *q = &c[a & 3];
    *p = add(*p, 7);
    for (int k = 0; k < 5; k++) {
      *q ^= *p;
      q = &c[add(*p, k) & 3];
      if (k & 1) p = p == &a ? &b : &a;
    }
    out[i] = add(add(a, mul(3, b)), add(mul(5, c[0]), mul(7, c[1])));
    out[i] = add(out[i], add(mul(11, c[2]), mul(13, c[3])));
  }
}

CASE(truths_live, int, int, .args = 1, .arg = {3}) {
  EACH(i) {
    bool even = !(in[i] & 1), small = in[i] < 5;
    out[i] = (even ? 1 : 2) + (small ? 10 : 20) + (even && small ? 100 : 200);
    out[i] += (uchar)in[i] * 1000 + (short)(in[i] >> 3);
  }
}

CASE(elements_kept, int, int, .args = 1, .arg = {5}) {
  static int a[MAX_ITEMS][8], b[MAX_ITEMS][8], old[MAX_ITEMS], before[MAX_ITEMS];
  EACH(i) for (int k = 0; k < 8; k++) {
    a[i][k] = mul(in[i], k + 1);
    b[i][k] = in[i] ^ k;
  }
  for (int r = 0; r < 5; r++) {
    for (int k = 0; k < 8; k++) {
      int of_first = add(a[0][k], b[0][(k + r) & 7]);
      EACH(i) a[i][k] = sub(a[i][k], mul(3, of_first));
    }
    EACH(i) {
      old[i] = b[i][r & 7];
      before[i] = a[i][in[i] & 7];
      b[i][(r * 3) & 7] = r;
    }
    int most = old[g->size[0] - 1];
    EACH(i) {
      b[i][r & 7] = add(b[i][r & 7], old[i] ^ most);
      int kept = b[i][(r + 2) & 7];
      if (kept & 1) b[i][(r + 2) & 7] = add(mul(kept, 5), before[i]);
      else a[i][r & 7] ^= kept;
    }
  }
  EACH(i) {
    out[i] = 0;
    for (int k = 0; k < 8; k++) out[i] = add(mul(out[i], 3), add(a[i][k], mul(7, b[i][k])));
  }
}

CASE(shared_arrays, int, int, .args = 1, .arg = {7}) {
  EACH(i) {
    int step[6] = {0, 3, 0, -1, 5, 7}, turns[4] = {0, 7, 14, 21}, some[4] = {7, 2, 3, 4}, late[4] = {9, 9, 9, 9},
        values[4] = {0, 1, 2, 3}, places[8] = {0}, sum = in[i] & 0xffff;
    for (int r = 0; r < 7; r++) {
      turns[r & 3] = (turns[r & 3] + step[r % 6] + turns[(r + 1) & 3]) & 0xfff;
      if (sum & 1)
        some[r & 3] ^= r;
      else
        some[(r + 1) & 3]++;
      for (int k = 0; k < (sum & 3); k++) late[k] = k + r;
      values[r & 3] = sum & 7;
      places[sum & 7] = r;
      sum = (sum * 3 + turns[r & 3] + 7 * step[(sum & 7) % 6] + some[r & 3] + late[r & 3] + values[(r + 1) & 3]) & 0xffff;
    }
    for (int k = 0; k < 8; k++) sum = (sum * 5 + places[k] + turns[k & 3] + some[k & 3] + late[k & 3]) & 0xffff;
    out[i] = sum;
  }
}
#endif

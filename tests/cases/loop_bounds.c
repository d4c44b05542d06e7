/* Loops that begin and end at places that are clamped: mostly all lanes have as many turns. */
#ifdef __OPENCL_VERSION__
#define AT   get_global_linear_id()
#define ID   get_local_id(0)
#define SIZE get_local_size(0)

kernel void windows(global int *out, global const int *in, int r) {
  global const int *own = in + (AT - ID);
  int id = ID, last = SIZE - 1, lo = max(id - r, 0), hi = min(id + r, last), s = 1;
  for (int k = lo; k <= hi; k++) s = s * 3 + own[k];
  for (int k = hi; k >= lo; k--) s = s * 5 + own[k];
  for (int y = 0; y < 3; y++)
    for (int k = max(id - y, 0); k <= min(id + 2 * y, last); k++) s = s * 7 + own[k];
  out[AT] = s;
}

/* By conditions; unsigned; in twos; of a lane that is not there, of lanes that leave early; behind
 * a store. */
kernel void windows_elsewhere(global int *out, global const int *in, int r) {
  global const int *own = in + (AT - ID);
  int id = ID, size = SIZE, from = id < r ? 0 : id - r, s = 1;
  int to = id + r >= size ? size : id + r + 1;
  for (int k = from; k < to; k++) s = s * 3 + own[k];
  uint u = ID, low = u > (uint)r ? u - r : 0, high = min(u + r, (uint)size - 1);
  for (uint k = low; k <= high; k++) s = s * 5 + own[k];
  for (int k = max(2 * id - r, 0); k < min(2 * id + r, size); k++) s = s * 7 + own[k];
  if (id > 2)
    for (int k = max(id - r, 2); k <= min(id + r, size - 1); k++) s = s * 3 + own[k];
  for (int k = from; k < to; k++) {
    if ((own[k] & 7) == 1) break;
    s = s * 11 + own[k];
  }
  out[AT] = s;
  for (int k = from; k < to; k++) s = s * 13 + own[k];
  out[AT] = s;
}

/* How much there is still: of taps, in front of the first element and behind the last one. */
kernel void taps(global int *out, global const int *in, int n) {
  global const int *own = in + (AT - ID);
  int id = ID, size = SIZE, from = max(0, n / 2 - id), to = min(n, size + n / 2 - id), s = 1;
  for (int t = from; t < to; t++) s = s * 3 + own[id + t - n / 2] * (t + 1);
  out[AT] = s;
}

/* Numbers that wrap between two lanes: the bounds, the clamped ones, and what is counted; the last
 * have 8 turns where they are not clamped, or none. */
kernel void bounds_that_wrap(global int *out, global const int *in, uint by, int most, int turns) {
  global const int *own = in + (AT - ID);
  uint id = ID, u = id + by, s = 1;
  int i = (int)(id + (uint)most - 3u);
  for (uint k = u; k < u + 8; k++) s = s * 3 + k;
  for (uint k = u; k != u + 5; k++) s = s * 5 + k;
  for (uint k = max(u, 4u); k < min(u + 8, 4000000000u); k++) s = s * 7 + k;
  uint low = u > 2 ? u - 2 : 0;
  for (uint k = low; k - low < 6 && k < u + 2; k++) s = s * 11 + k;
  for (int k = max(i, 5); k < min((int)((uint)i + 4u), most); k++) s = s * 13 + (uint)k;
  for (int k = max(i, -most); k < min((int)((uint)i + 4u), -most + 9); k++) s = s * 17 + (uint)k;
  for (uint k = u; k < u + (uint)turns; k++) s = s * 19 + own[min((ulong)k, SIZE - 1)];
  for (int k = i; k < (int)((uint)i + (uint)turns); k++)
    s = s * 23 + own[max(min((long)k, (long)SIZE - 1), 0l)];
  out[AT] = (int)s;
}
#else
#include "run/case.h"

#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define MORE(a, b) ((a) > (b) ? (a) : (b))
static int go_on(int s, int by, int more) {
  return add(mul(s, by), more);
}

CASE(windows, int, int, .args = 1, .arg = {5}) {
  int last = (int)g->size[0] - 1, r = g->arg[0];
  EACH(i) {
    int id = (int)(i % g->size[0]), lo = MORE(id - r, 0), hi = LESS(id + r, last), s = 1;
    const int *own = in + (i - (size_t)id);
    for (int k = lo; k <= hi; k++) s = go_on(s, 3, own[k]);
    for (int k = hi; k >= lo; k--) s = go_on(s, 5, own[k]);
    for (int y = 0; y < 3; y++)
      for (int k = MORE(id - y, 0); k <= LESS(id + 2 * y, last); k++) s = go_on(s, 7, own[k]);
    out[i] = s;
  }
}

CASE(windows_elsewhere, int, int, .args = 1, .arg = {3}) {
  int size = (int)g->size[0], r = g->arg[0];
  EACH(i) {
    int id = (int)(i % g->size[0]), from = MORE(id - r, 0), to = LESS(id + r + 1, size), s = 1;
    const int *own = in + (i - (size_t)id);
    for (int k = from; k < to; k++) s = go_on(s, 3, own[k]);
    for (int k = from; k < to; k++) s = go_on(s, 5, own[k]);
    for (int k = MORE(2 * id - r, 0); k < LESS(2 * id + r, size); k++) s = go_on(s, 7, own[k]);
    if (id > 2)
      for (int k = MORE(id - r, 2); k < to; k++) s = go_on(s, 3, own[k]);
    for (int k = from; k < to && (own[k] & 7) != 1; k++) s = go_on(s, 11, own[k]);
    for (int k = from; k < to; k++) s = go_on(s, 13, own[k]);
    out[i] = s;
  }
}

CASE(taps, int, int, .args = 1, .arg = {7}) {
  int size = (int)g->size[0], n = g->arg[0];
  EACH(i) {
    int id = (int)(i % g->size[0]), s = 1;
    const int *own = in + (i - (size_t)id);
    for (int t = MORE(0, n / 2 - id); t < LESS(n, size + n / 2 - id); t++)
      s = go_on(s, 3, mul(own[id + t - n / 2], t + 1));
    out[i] = s;
  }
}

CASE(bounds_that_wrap, int, int, .args = 3, .arg = {-11, INT_MAX - 5, 3}) {
  uint size = (uint)g->size[0], turns = (uint)g->arg[2];
  EACH(i) {
    uint id = (uint)(i % g->size[0]), u = id + (uint)g->arg[0], s = 1;
    const int *own = in + (i - id);
    int most = g->arg[1], j = (int)(id + (uint)most - 3u), end = (int)((uint)j + 4u);
    for (uint k = u; k < u + 8; k++) s = s * 3 + k;
    for (uint k = u; k != u + 5; k++) s = s * 5 + k;
    for (uint k = MORE(u, 4u); k < LESS(u + 8, 4000000000u); k++) s = s * 7 + k;
    uint low = u > 2 ? u - 2 : 0;
    for (uint k = low; k - low < 6 && k < u + 2; k++) s = s * 11 + k;
    for (int k = MORE(j, 5); k < LESS(end, most); k++) s = s * 13 + (uint)k;
    for (int k = MORE(j, -most); k < LESS(end, -most + 9); k++) s = s * 17 + (uint)k;
    for (uint k = u; k < u + turns; k++) s = s * 19 + (uint)own[LESS(k, size - 1)];
    for (int k = j; k < (int)((uint)j + turns); k++) s = s * 23 + (uint)own[k < 0 ? 0 : size - 1];
    out[i] = (int)s;
  }
}
#endif

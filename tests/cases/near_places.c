/* Places that are mostly side by side, or one for all, but not always: clamped, divided, wrapped.
 */
#ifdef __OPENCL_VERSION__
#define AT   get_global_linear_id()
#define ID   get_local_id(0)
#define SIZE get_local_size(0)
/* `own`: a row's numbers, in local memory. */
#define TILE(own) \
  local int tile[4096]; \
  local const int *own = tile + (get_local_linear_id() - ID); \
  tile[get_local_linear_id()] = in[AT]; \
  barrier(CLK_LOCAL_MEM_FENCE);

kernel void clamped_places(global int *out, global const int *in) {
  global const int *own = in + (AT - ID);
  int id = ID, last = SIZE - 1, s = 0;
  for (int d = -2; d <= 2; d++) s = s * 3 + own[clamp(id + d, 0, last)];
  out[AT] = s + own[max(last - 1 - id, 0)] * 7;
}

kernel void clamped_under_masks(global int *out, global const int *in) {
  global const int *own = in + (AT - ID);
  int id = ID, last = SIZE - 1, s = 1;
  if (in[AT] & 1) s += own[max(id - 3, 0)];
  for (int k = 0; k < (in[AT] & 3); k++) s = s * 5 + own[min(id + k, last)];
  if (id > 2) s ^= own[max(id - 3, 2)];
  out[AT] = s;
}

/* Lanes stop at the borders of a tile: unsigned and long indices, of bytes too, twice, in both directions. */
kernel void stopped(global int *out, global const int *in, int most, int by) {
  TILE(own)
  local const uchar *bytes = (local const uchar *)own;
  uint id = ID, last = SIZE - 1;
  int s = own[min((size_t)id + 2, (size_t)last)] + bytes[min(id + 7, 4 * last + 3)] * 3;
  s += own[max(min((int)id + by, (int)last - 1), 0)] * 5 + bytes[max((long)id - by, 0l)] * 7;
  s += own[min((uint)max((int)id - 3, 1 - (int)(last == 0)) + 2 * (last > 2), last)] * 11;
  s += own[min(id + (uint)most - (uint)most, last)] * 13;
  if (own[id] & 1) s ^= own[max((int)id - by, 0)] + own[min((int)id, by)] * 17;
  out[AT] = s;
}

/* Without the clamp the sum would wrap; bounds that leave one place, or that no lane comes to; lanes
 * that are not there would stop outside of the buffer. */
kernel void stopped_and_moved(global int *out, global const int *in, int least, int most) {
  TILE(own)
  int id = ID, last = SIZE - 1, s = own[(long)(min(max(id - 3, 0), last) + least) - least];
  s += own[min(max(min(id, 0), 1), last)] * 3 + own[clamp(id, -5, most)] * 5;
  if (id >= 2 && id <= last - 2) s += own[clamp(id + 2, 0, most)] * 7 + own[max(id - 2, -most)] * 11;
  if (own[id] & 1) s ^= own[clamp(id + 3, 2 - (last < 2) * 2, last)];
  out[AT] = s;
}

/* Of row and column, looked at once, only some lanes ask, others in each turn. */
kernel void row_and_column(global int *out, global const int *in, int n, int turns) {
  global const int *own = in + (AT - ID);
  int id = ID, last = SIZE - 1, column = id % n, row = id / n, s = 0;
  for (int k = -turns; k <= turns; k++) {
    int x = column + k;
    if (x < 0 || x >= n || row * n + x > last) continue;
    if (in[AT] + k & 3) s = s * 3 + own[row * n + x];
  }
  if (in[AT] & 8) s ^= own[row] * 7;
  for (int k = 0; k < (in[AT] & 3) && row * n + k <= last; k++) s += own[row * n + k] * k;
  out[AT] = s;
}

/* What is known of x where it is used is not so of the first lanes, in steps from which the others are. */
kernel void behind_first(global int *out, global const int *in, int n, int step) {
  global const char *own = (global const char *)(in + (AT - ID));
  int x = (int)ID - n, s = n;
  if ((uint)x < 40u) s = *(global const int *)(own + (n * step + x * 4));
  out[AT] = s;
}
/* An odd first lane is not there, and its bits and 1 are no sum. */
kernel void behind_odd(global int *out, global const int *in, int odd) {
  global int *own = out + 2 * (AT - ID);
  global const int *from = in + (AT - ID);
  int i = (int)ID + odd, last = SIZE - 1;
  own[2 * ID] = own[2 * ID + 1] = 7;
  barrier(CLK_GLOBAL_MEM_FENCE);
  if ((i & 1) == 0) own[i | 1] = i + from[min(i | 1, last)];
}

kernel void rows_and_columns(global int *out, global const int *in, int w, int n) {
  global const int *own = in + (AT - ID);
  uint id = ID, size = SIZE, row = id / w, column = id % w;
  int s = own[min(row * w + column, size - 1)] + own[row] * 3;
  s += own[(id + 1) % size] * 5 + own[id / 64] * 7 + own[min((id & 31) + 1, size - 1)] * 11;
  s += own[(id >> 5) % size] * 13 + own[(int)(id % size) / n] * 17;
  out[AT] = s;
}

/* A rotation in a power of two, by a mask that is no constant; of masks that are none, and of bits. */
kernel void masked_places(global int *out, global const int *in, int odd) {
  global const int *own = in + (AT - ID);
  uint id = ID, size = SIZE, mask = 1;
  while (mask * 2 <= size) mask *= 2;
  mask--;
  int s = own[(id + 1) & mask] + own[mask & (id - 5)] * 3 + own[(id + 2) & mask & odd] * 5;
  out[AT] = s + own[(id * 7) & mask] * 7 + own[(in[AT] & 0xff) & mask] * 11;
}

/* Rows and columns of tiles that work-items number through; what their places are is computed again behind
 * the barrier. */
kernel void numbered_tile(global int *out, global const int *in, int far) {
  TILE(own)
  int id = ID, last = SIZE - 1, i = id / 16, j = id % 16, s = 0;
  uint eighth = (uint)ID / 8, inside = (uint)ID % 8;
  long quarter = (long)ID / 4;
  int at = (far + i) * 1024 + j, from = min(i * 16 + (j ^ 1), last), moved = (id + far) / 16 * 16 + (id - 3) % 16;
  for (int k = 0; k < 16; k++) {
    if (i * 16 + k <= last) s += own[i * 16 + k] * (k + 1);
    if (k * 16 + j <= last) s ^= own[k * 16 + j];
  }
  s += own[eighth] * 3 + own[min(8 * (int)inside, last)] * 5 + own[quarter] * 7 + own[from] * 11;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[AT - ID + (at - far * 1024 - i * 1024) + i * 16] = s + own[clamp(moved, 0, last)] * 13;
}

/* Round in a tile: once and more often, by all bits of a number and by some, bytes and long indices. */
kernel void round_in_tile(global int *out, global const int *in, int all, int odd) {
  TILE(own)
  local const uchar *bytes = (local const uchar *)own;
  uint id = ID, size = SIZE, mask = 1;
  while (mask * 2 <= size) mask *= 2;
  mask--;
  long second = mask >> 1, third = mask >> 2;
  int s = own[(id + 1) & mask] + own[mask & (id - 5)] * 3 + own[((long)id - 3) & second] * 5;
  s += own[(int)((id + 2) & third)] * 7 + own[(id + 2) & mask & odd] * 11 + own[id & (uint)all] * 13;
  s += bytes[(id + 9) & mask] * 17 + own[mask - ((id + 4) & mask)] * 19;
  if (size >= 32) s += own[((id + 5) & 15) + 16] * 23;
  if (own[id] & 1) s ^= own[(id + 7) & mask];
  out[AT] = s;
}

/* Starts of pieces, of sizes that are known in front of the loop: many chunks, less than one, no
 * power of two. */
#define UPPER_MASKS(name) \
  kernel void name(global int *out, global const int *in, int a, int b) { \
    global const int *own = in + (AT - ID); \
    uint id = ID, last = SIZE - 1; \
    int s = 1; \
    if (in[AT] & 3) s += own[id & -a] * 3 + own[min((id + 5) & ~(uint)b, last)] * 5; \
    if (in[AT] & 4) s ^= own[min(((id - 9) & -a) + 3, last)] + own[(id & -a) + (id & (a - 1) & 1)] * 7; \
    out[AT] = s + own[min((id & -a) * 2 + (id & (a - 1)), last)] * 11; \
  }
UPPER_MASKS(pieces_of_64)
UPPER_MASKS(pieces_of_48)
UPPER_MASKS(pieces_of_1)

kernel void wrapped_places(global int *out, global const int *in, int a, int b) {
  global const int *own = in + (AT - ID);
  ulong size = SIZE;
  uint u = (uint)ID + (uint)a;
  uchar c = (uchar)ID + (uchar)b;
  ushort h = (ushort)ID + (ushort)(b | 0xff00);
  int s = own[(ulong)u % 4096 % size] + own[min((ulong)u, size - 1)] * 3;
  s += own[c % size] * 5 + own[min((ulong)h, size - 1)] * 7;
  for (uint k = 0; k < 4; k++) s = s * 3 + own[min((ulong)(u + k * (uint)b), size - 1)];
  out[AT] = s;
}

kernel void at_the_limits(global int *out, global const int *in, int most) {
  global const int *own = in + (AT - ID);
  int last = SIZE - 1, i = (int)((uint)ID + (uint)(most - 9));
  int s = own[i < 0 ? last : min(i - (most - 9), last)];
  long l = (long)i + 1;
  s += own[min(max(l - most + 4, 0l), (long)last)] * 3;
  out[AT] = s;
}

/* What goes into a place is known only where lanes are: the row is computed under a mask, in a block
 * that is passed by where there are none, and the accesses are in others. */
kernel void places_under_masks(global int *out, global const int *in, int pitch, int size) {
  global const int *own = in + (AT - ID);
  int last = SIZE - 1, s = 0;
  for (int n = 0; n <= 1; n++) {
    int at = n * (last + 1) + (int)ID;
    if (at > last) continue;
    int x = clamp(at % pitch, 0, pitch - 1), y = clamp(at / pitch - 1, 0, last);
    global const char *row = (global const char *)own + (long)y * pitch * size;
    int form = own[0] & 3;
    if (form == 1)
      s += ((global const int *)row)[x];
    else if (form == 2)
      s += ((global const uchar *)row)[x];
    else
      s += ((global const ushort *)row)[x];
  }
  out[AT] = s;
}

/* Sums that cannot wrap, of a part that does. */
kernel void wrapped_parts(global int *out, global const int *in, int most, int n) {
  global const int *own = in + (AT - ID);
  int i = (int)((uint)ID + (uint)(most - 9)), s = 1;
  for (int k = 0; k < n; k++)
    if (i > 0 && i - (most - 9) >= k) s = s * 3 + own[i - (most - 9) - k];
  out[AT] = s;
}

kernel void stored_round(global int *out, global const int *in, int by) {
  uint size = SIZE;
  out[AT - ID + ((uint)ID + by) % size] = in[AT];
}

kernel void backwards(global int *out, global const int *in, int a) {
  local uchar narrow[4096];
  local double wide[4096];
  global const int *own = in + (AT - ID);
  int id = ID, last = SIZE - 1;
  narrow[last - id] = (uchar)own[id];
  if (own[id] & 1) wide[~id + last + 1] = own[last - id] * 0.5;
  barrier(CLK_LOCAL_MEM_FENCE);
  int s = narrow[id] + narrow[last - id] * 3;
  if (own[last - id] & 1) s += (int)(wide[id] * 2) * 5;
  if (id >= a) s ^= own[last - id + a];
  out[AT] = s;
}
#else
#include "run/case.h"

static int bounded(int x, int low, int high) {
  return x < low ? low : x > high ? high : x;
}
static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

CASE(clamped_places, int, int, .max_dims = 1) {
  int last = (int)g->items - 1;
  EACH(i) {
    int s = 0;
    for (int d = -2; d <= 2; d++) s = add(mul(s, 3), in[bounded((int)i + d, 0, last)]);
    out[i] = add(s, mul(in[bounded(last - 1 - (int)i, 0, last)], 7));
  }
}

CASE(behind_odd, int, int, .args = 1, .arg = {1}, .out_per_item = 2, .max_dims = 1) {
  int last = (int)g->items - 1;
  EACH(i) out[2 * i] = out[2 * i + 1] = 7;
  EACH(i) {
    int at = (int)i + g->arg[0];
    if (at % 2 == 0) out[at + 1] = add(at, in[bounded(at + 1, 0, last)]);
  }
}

CASE(clamped_under_masks, int, int, .max_dims = 1) {
  int last = (int)g->items - 1;
  EACH(i) {
    int s = 1, id = (int)i;
    if (in[i] & 1) s = add(s, in[bounded(id - 3, 0, last)]);
    for (int k = 0; k < (in[i] & 3); k++) s = add(mul(s, 5), in[bounded(id + k, 0, last)]);
    if (id > 2) s ^= in[bounded(id - 3, 2, last)];
    out[i] = s;
  }
}

CASE(stopped, int, int, .args = 2, .arg = {INT_MAX - 5, 4}) {
  const uchar *bytes = (const uchar *)in;
  long last = (long)g->size[0] - 1, by = g->arg[1];
  EACH(i) {
    long id = (long)(i % g->size[0]), row = (long)i - id, k = id - 3;
    const int *own = in + row;
    const uchar *own_bytes = bytes + 4 * row;
#define LESS(a, b) ((a) < (b) ? (a) : (b))
#define MORE(a, b) ((a) > (b) ? (a) : (b))
    uint s = (uint)own[LESS(id + 2, last)] + own_bytes[LESS(id + 7, 4 * last + 3)] * 3u;
    s += (uint)own[MORE(LESS(id + by, last - 1), 0)] * 5u + own_bytes[MORE(id - by, 0)] * 7u;
    k = MORE(k, 1 - (last == 0)) + 2 * (last > 2);
    s += (uint)own[LESS(k, last)] * 11u + (uint)own[LESS(id, last)] * 13u;
    if (own[id] & 1) s ^= (uint)own[MORE(id - by, 0)] + (uint)own[LESS(id, by)] * 17u;
    out[i] = (int)s;
  }
}

CASE(stopped_and_moved, int, int, .args = 2, .arg = {INT_MIN, INT_MAX}) {
  int last = (int)g->size[0] - 1;
  EACH(i) {
    int id = (int)(i % g->size[0]);
    const int *own = in + (i - (size_t)id);
    uint s = (uint)own[bounded(id - 3, 0, last)];
    s += (uint)own[bounded(1, 0, last)] * 3u + (uint)own[id] * 5u;
    if (id >= 2 && id <= last - 2) s += (uint)own[id + 2] * 7u + (uint)own[id - 2] * 11u;
    if (own[id] & 1) s ^= (uint)own[bounded(id + 3, last < 2 ? 0 : 2, last)];
    out[i] = (int)s;
  }
}

CASE(row_and_column, int, int, .args = 2, .arg = {24, 3}) {
  int n = g->arg[0], last = (int)g->size[0] - 1;
  EACH(i) {
    int id = (int)(i % g->size[0]), column = id % n, row = id / n, s = 0;
    const int *own = in + (i - (size_t)id);
    for (int k = -g->arg[1]; k <= g->arg[1]; k++) {
      int x = column + k;
      if (x >= 0 && x < n && row * n + x <= last && (add(in[i], k) & 3))
        s = add(mul(s, 3), own[row * n + x]);
    }
    if (in[i] & 8) s ^= mul(own[row], 7);
    for (int k = 0; k < (in[i] & 3) && row * n + k <= last; k++)
      s = add(s, mul(own[row * n + k], k));
    out[i] = s;
  }
}

CASE(behind_first, int, int, .args = 2, .arg = {2, 4}) {
  EACH(i) {
    size_t id = i % g->size[0];
    out[i] = id >= 2 && id < 42 ? in[i] : 2;
  }
}
CASE(rows_and_columns, int, int, .args = 2, .arg = {48, 37}, .max_dims = 1) {
  size_t n = g->items;
  EACH(i) {
    int s = add(in[i], mul(in[i / 48], 3));
    s = add(s, add(mul(in[(i + 1) % n], 5), mul(in[i / 64], 7)));
    s = add(s, mul(in[least((i & 31) + 1, n - 1)], 11));
    out[i] = add(s, add(mul(in[(i >> 5) % n], 13), mul(in[i / 37], 17)));
  }
}

CASE(masked_places, int, int, .args = 1, .arg = {0x55}, .max_dims = 1) {
  uint mask = 1;
  while (mask * 2 <= g->items) mask *= 2;
  mask--;
  EACH(i) {
    uint id = (uint)i;
    int s = add(in[(id + 1) & mask], mul(in[mask & (id - 5)], 3));
    s = add(s, add(mul(in[(id + 2) & mask & 0x55], 5), mul(in[(id * 7) & mask], 7)));
    out[i] = add(s, mul(in[(uint)in[i] & 0xff & mask], 11));
  }
}

CASE(numbered_tile, int, int, .args = 1, .arg = {3}) {
  int last = (int)g->size[0] - 1;
  EACH(n) {
    int id = (int)(n % g->size[0]), i = id / 16, j = id % 16;
    const int *own = in + (n - (size_t)id);
    uint s = 0;
    for (int k = 0; k < 16; k++) {
      if (i * 16 + k <= last) s += (uint)own[i * 16 + k] * (uint)(k + 1);
      if (k * 16 + j <= last) s ^= (uint)own[k * 16 + j];
    }
    s += (uint)own[id / 8] * 3 + (uint)own[bounded(8 * (id % 8), 0, last)] * 5 + (uint)own[id / 4] * 7;
    s += (uint)own[bounded(i * 16 + (j ^ 1), 0, last)] * 11;
    int moved = (id + g->arg[0]) / 16 * 16 + (id - 3) % 16;
    out[n] = (int)(s + (uint)own[bounded(moved, 0, last)] * 13);
  }
}

CASE(round_in_tile, int, int, .args = 2, .arg = {-1, 0x55}) {
  uint mask = 1;
  while (mask * 2 <= g->size[0]) mask *= 2;
  mask--;
  EACH(i) {
    uint id = (uint)(i % g->size[0]), second = mask >> 1, third = mask >> 2;
    const int *own = in + (i - id);
    uint s = (uint)own[(id + 1) & mask] + (uint)own[mask & (id - 5)] * 3;
    s += (uint)own[(id - 3) & second] * 5 + (uint)own[(id + 2) & third] * 7;
    s += (uint)own[(id + 2) & mask & 0x55] * 11 + (uint)own[id] * 13;
    s += ((const uchar *)own)[(id + 9) & mask] * 17u + (uint)own[mask - ((id + 4) & mask)] * 19;
    if (g->size[0] >= 32) s += (uint)own[((id + 5) & 15) + 16] * 23;
    if (own[id] & 1) s ^= (uint)own[(id + 7) & mask];
    out[i] = (int)s;
  }
}

static void start_pieces(const struct group *g, const int *in, int *out) {
  uint a = (uint)g->arg[0], b = (uint)g->arg[1];
  size_t last = g->items - 1;
  EACH(i) {
    uint id = (uint)i, start = id & -a, inside = id & (a - 1);
    int s = 1;
    if (in[i] & 3) s = add(s, add(mul(in[start], 3), mul(in[least((id + 5) & ~b, last)], 5)));
    if (in[i] & 4) s ^= add(in[least(((id - 9) & -a) + 3, last)], mul(in[start + (inside & 1)], 7));
    out[i] = add(s, mul(in[least(start * 2 + inside, last)], 11));
  }
}
CASE(pieces_of_64, int, int, .args = 2, .arg = {64, 31}, .max_dims = 1) {
  start_pieces(g, in, out);
}
CASE(pieces_of_48, int, int, .args = 2, .arg = {48, 5}, .max_dims = 1) {
  start_pieces(g, in, out);
}
CASE(pieces_of_1, int, int, .args = 2, .arg = {1, 0}, .max_dims = 1) {
  start_pieces(g, in, out);
}

CASE(wrapped_places, int, int, .args = 2, .arg = {-8, 250}, .max_dims = 1) {
  size_t n = g->items;
  EACH(i) {
    uint u = (uint)i - 8u;
    uchar c = (uchar)(i + 250);
    ushort h = (ushort)(i + (250 | 0xff00));
    int s = add(in[u % 4096 % n], mul(in[least(u, n - 1)], 3));
    s = add(s, add(mul(in[c % n], 5), mul(in[least(h, n - 1)], 7)));
    for (uint k = 0; k < 4; k++) s = add(mul(s, 3), in[least(u + k * 250u, n - 1)]);
    out[i] = s;
  }
}

CASE(at_the_limits, int, int, .args = 1, .arg = {INT_MAX}, .max_dims = 1) {
  int last = (int)g->items - 1;
  EACH(i) {
    int at = (int)((uint)i + (uint)(INT_MAX - 9));
    long l = (long)at + 1 - INT_MAX + 4;
    int s = in[at < 0 ? last : bounded(at - (INT_MAX - 9), 0, last)];
    out[i] = add(s, mul(in[l < 0 ? 0 : (int)least((size_t)l, (size_t)last)], 3));
  }
}

CASE(places_under_masks, int, int, .args = 2, .arg = {5, 4}, .max_dims = 1) {
  EACH(i) {
    size_t row = i / 5 ? i / 5 - 1 : 0, x = i % 5;
    const int *place = in + row * 5;
    int form = in[0] & 3;
    out[i] = form == 1   ? place[x]
             : form == 2 ? ((const uchar *)place)[x]
                         : ((const ushort *)place)[x];
  }
}

CASE(wrapped_parts, int, int, .args = 2, .arg = {INT_MAX, 3}, .max_dims = 1) {
  EACH(i) {
    int s = 1;
    for (size_t k = 0; k < 3; k++)
      if (i < 10 && i >= k) s = add(mul(s, 3), in[i - k]);
    out[i] = s;
  }
}

CASE(stored_round, int, int, .args = 1, .arg = {5}, .max_dims = 1) {
  EACH(i) out[(i + 5) % g->items] = in[i];
}

CASE(backwards, int, int, .args = 1, .arg = {3}, .max_dims = 1) {
  EACH(i) {
    size_t last = g->items - 1;
    int s = (unsigned char)in[last - i] + (unsigned char)in[i] * 3;
    if (in[last - i] & 1) s = add(s, mul(in[i], 5));
    out[i] = i >= 3 ? s ^ in[last - i + 3] : s;
  }
}
#endif

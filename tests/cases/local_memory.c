/* Work-items that exchange data through local and global memory. */
#ifdef __OPENCL_VERSION__
#define SIZE ((int)(get_local_size(0) * get_local_size(1) * get_local_size(2)))
#define ID ((int)get_local_linear_id())

kernel void tree_sum(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  cells[ID] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int n = SIZE; n > 1;) {
    int upper = (n + 1) / 2;
    if (ID < n / 2) cells[ID] += cells[ID + upper];
    barrier(CLK_LOCAL_MEM_FENCE);
    n = upper;
  }
  out[at] = cells[0];
}

kernel void scan_in_local(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  local int *from = cells, *to = cells + SIZE;
  from[ID] = in[at];
  for (int step = 1; step < SIZE; step *= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    to[ID] = from[ID] + (ID >= step ? from[ID - step] : 0);
    local int *t = from;
    from = to;
    to = t;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = from[SIZE - 1 - ID];
}

kernel void odd_even_sort(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  cells[ID] = in[at];
  for (int round = 0; round < SIZE; round++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if ((ID & 1) == (round & 1) && ID + 1 < SIZE && cells[ID] > cells[ID + 1]) {
      int t = cells[ID];
      cells[ID] = cells[ID + 1];
      cells[ID + 1] = t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = cells[ID];
}

kernel void bitonic_sort(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  int whole = 1;
  while (whole < SIZE) whole *= 2;
  for (int i = ID; i < whole; i += SIZE) cells[i] = i < SIZE ? 0 : INT_MAX;
  barrier(CLK_LOCAL_MEM_FENCE);
  cells[ID] = in[at];
  for (int run = 2; run <= whole; run *= 2)
    for (int step = run / 2; step; step /= 2) {
      barrier(CLK_LOCAL_MEM_FENCE);
      for (int i = ID; i < whole; i += SIZE) {
        int j = i ^ step;
        if (j > i && (cells[i] > cells[j]) == !(i & run)) {
          int t = cells[i];
          cells[i] = cells[j];
          cells[j] = t;
        }
      }
    }
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = cells[ID];
}

kernel void stencil(global int *out, global const int *in, int rounds) {
  local volatile int cells[4096 + 2];
  size_t at = get_global_linear_id();
  if (ID == 0) cells[0] = 1, cells[SIZE + 1] = 2;
  cells[ID + 1] = in[at];
  for (int i = 0; i < rounds; i++) {
    barrier(CLK_LOCAL_MEM_FENCE);
    int x = cells[ID] + 2 * cells[ID + 1] - cells[ID + 2];
    barrier(CLK_LOCAL_MEM_FENCE);
    cells[ID + 1] = x;
  }
  out[at] = cells[ID + 1];
}

kernel void all_pairs(global int *out, global const int *in) {
  local int tile[1024];
  size_t at = get_global_linear_id();
  int x = in[at], sum = 0;
  for (int t = 0; t < 2; t++) {
    tile[ID] = x * (t + 1);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < SIZE; j++) sum += tile[j] ^ x;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = sum;
}

/* Through global memory, with the group's own part of `out`. */
kernel void global_exchange(global int *out, global const int *in, int rounds) {
  size_t at = get_global_id(0), base = at - get_local_id(0);
  out[at] = in[at];
  for (int i = 1; i < rounds; i++) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    int x = out[base + (ID + i) % SIZE];
    barrier(CLK_GLOBAL_MEM_FENCE);
    out[at] = x * 3 + i;
  }
}

struct entry { int key; uchar tag[3]; };
kernel void several_arrays(global int *out, global const int *in, local int *given) {
  local struct entry entries[4096];
  local int total, most;
  local float weights[16][4];
  size_t at = get_global_linear_id();
  entries[ID].key = in[at];
  entries[ID].tag[ID % 3] = ID;
  given[SIZE - 1 - ID] = in[at] ^ 5;
  if (ID < 16) weights[ID][ID & 3] = ID;
  if (ID == SIZE / 2) total = 77;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (ID == SIZE - 1) most = total + given[ID];
  int next = (ID + 1) % SIZE;
  int x = entries[next].key + entries[next].tag[next % 3] + given[ID] + (int)weights[0][0];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = x + most;
}

kernel void chosen_array(global int *out, global const int *in) {
  local int a[4096], b[4096];
  size_t at = get_global_linear_id();
  int x = in[at];
  a[ID] = x;
  b[ID] = ~x;
  local int *p = x & 1 ? a : b;
  barrier(CLK_LOCAL_MEM_FENCE);
  int y = p[(ID * 7) % SIZE];
  barrier(CLK_LOCAL_MEM_FENCE);
  p[ID] = y;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[at] = a[(ID + 1) % SIZE] + 3 * b[ID];
}

/* A read before a barrier must not see what is written after it, and the other way round. */
kernel void order(global int *out, global const int *in, int rounds) {
  local int cell;
  size_t at = get_global_linear_id();
  int sum = 0;
  for (int i = 0; i < rounds; i++) {
    if (ID == i % SIZE) cell = in[at] + i;
    barrier(CLK_LOCAL_MEM_FENCE);
    sum = sum * 3 + cell;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = sum;
}

/* What one work-item of each row leaves behind, for all of the row: all compute its address. */
kernel void first_of_row(global int *out, global const int *in, local int *cells) {
  size_t at = get_global_linear_id();
  int row = (int)get_local_id(1), plane = (int)get_local_id(2) * (int)get_local_size(1);
  if (get_local_id(0) == 0) cells[row + plane] = in[at];
  barrier(CLK_LOCAL_MEM_FENCE);
  int first = cells[row + plane];
  for (int i = 1; i <= 4; i *= 2) {
    if (row % i == 0) first += i;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[at] = first - in[at] * cells[row + plane];
}
#else
#include "run/case.h"
#include <stdlib.h>

CASE(tree_sum, int, int, .local_per_item = 4) { EACH(i) out[i] = sum_int(in, g->items); }

CASE(scan_in_local, int, int, .local_per_item = 8) {
  int sum = 0;
  EACH(i) out[g->items - 1 - i] = sum = add(sum, in[i]);
}

static int by_value(const void *a, const void *b) {
  return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}
CASE(odd_even_sort, int, int, .local_per_item = 4, .max_items = 257) {
  memcpy(out, in, g->items * sizeof *in);
  qsort(out, g->items, sizeof *out, by_value);
}
CASE(bitonic_sort, int, int, .local_per_item = 8) {
  memcpy(out, in, g->items * sizeof *in);
  qsort(out, g->items, sizeof *out, by_value);
}

CASE(stencil, int, int, .args = 1, .arg = {5}) {
  static int a[MAX_ITEMS + 2], b[MAX_ITEMS + 2];
  size_t n = g->items;
  a[0] = b[0] = 1, a[n + 1] = b[n + 1] = 2;
  EACH(i) a[i + 1] = in[i];
  for (int k = 0; k < 5; k++) {
    EACH(i) b[i + 1] = sub(add(a[i], mul(2, a[i + 1])), a[i + 2]);
    EACH(i) a[i + 1] = b[i + 1];
  }
  EACH(i) out[i] = a[i + 1];
}

CASE(all_pairs, int, int, .max_items = 1024) {
  EACH(i) {
    int sum = 0;
    EACH(j) sum = add(sum, add(in[j] ^ in[i], mul(in[j], 2) ^ in[i]));
    out[i] = sum;
  }
}

CASE(global_exchange, int, int, .args = 1, .arg = {4}, .max_dims = 1, .no_offset = true) {
  int x[MAX_ITEMS];
  EACH(i) out[i] = in[i];
  for (int k = 1; k < 4; k++) {
    EACH(i) x[i] = out[(i + (size_t)k) % g->items];
    EACH(i) out[i] = add(mul(x[i], 3), k);
  }
}

CASE(several_arrays, int, int, .local_per_item = 4) {
  size_t n = g->items;
  EACH(i) {
    size_t next = (i + 1) % n;
    out[i] = add(add(in[next], (uchar)next), in[n - 1 - i] ^ 5);
    out[i] = add(out[i], add(77, in[0] ^ 5));
  }
}

CASE(chosen_array, int, int) {
  int a[MAX_ITEMS], b[MAX_ITEMS];
  EACH(i) {
    int v = in[i * 7 % g->items];
    a[i] = in[i] & 1 ? v : in[i];
    b[i] = in[i] & 1 ? ~in[i] : ~v;
  }
  EACH(i) out[i] = add(a[(i + 1) % g->items], mul(3, b[i]));
}

CASE(order, int, int, .args = 1, .arg = {6}) {
  int sum = 0;
  for (int k = 0; k < 6; k++) sum = add(mul(sum, 3), add(in[(size_t)k % g->items], k));
  EACH(i) out[i] = sum;
}

CASE(first_of_row, int, int, .local_per_item = 4) {
  EACH(i) {
    int first = in[i - local_x(g, i)], sum = first;
    for (int n = 1; n <= 4; n *= 2)
      if (local_y(g, i) % (size_t)n == 0) sum = add(sum, n);
    out[i] = sub(sum, mul(in[i], first));
  }
}
#endif

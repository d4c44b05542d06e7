/* Kernels that are right, though they do not look like it: each has a serial answer, and none may
 * be reported.  The schedule is chosen by MANIPLE_CHECK_SCHEDULE. */
#include <maniple/group.h>
#include <stdio.h>
#include <stdlib.h>

enum { ITEMS = 4 * 96, LOCAL = 96 };

static int out[ITEMS], in[ITEMS];
static int failures;

static void expect(const char *name, size_t item, long got, long want) {
  if (got == want) return;
  printf("%s: work-item %zu has %ld, should be %ld\n", name, item, got, want);
  failures++;
}

/* --- The same branch for all of a group, another for another group --- */

mpl_kernel(by_group, (int *)x, (const int *)y) {
  size_t i = get_global_id(0);
  if (get_group_id(0) % 2)
    x[i] = work_group_reduce_add(y[i]);
  else
    x[i] = work_group_scan_inclusive_max(y[i]);
}

static void test_by_group(void) {
  if (mpl_launch(by_group, mpl_1d(ITEMS, LOCAL), out, in)) failures++;
  for (size_t i = 0; i < ITEMS; i++) {
    size_t first = i / LOCAL * LOCAL, odd = i / LOCAL % 2;
    long sum = 0, highest = in[first];
    for (size_t k = first; k < first + LOCAL; k++) sum += in[k];
    for (size_t k = first; k <= i; k++) highest = in[k] > highest ? in[k] : highest;
    expect("by_group", i, out[i], odd ? sum : highest);
  }
}

/* --- A loop whose number of turns comes from a collective --- */

mpl_kernel(voted_loop, (int *)x, (const int *)y) {
  size_t i = get_global_id(0);
  int left = y[i] & 7, turns = 0;
  while (work_group_any(left > 0)) {
    left--;
    turns++;
  }
  x[i] = turns;
}

static void test_voted_loop(void) {
  if (mpl_launch(voted_loop, mpl_1d(ITEMS, LOCAL), out, in)) failures++;
  for (size_t i = 0; i < ITEMS; i++) {
    int most = 0;
    for (size_t k = i / LOCAL * LOCAL; k < i / LOCAL * LOCAL + LOCAL; k++)
      most = (in[k] & 7) > most ? in[k] & 7 : most;
    expect("voted_loop", i, out[i], most);
  }
}

/* --- Work-items that end early, after the last collective --- */

mpl_kernel(early_end, (int *)x, (const int *)y) {
  size_t i = get_global_id(0);
  mpl_local int tile[LOCAL];
  tile[get_local_id(0)] = y[i];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) % 3 == 0) return;
  x[i] = tile[get_local_size(0) - 1 - get_local_id(0)];
}

static void test_early_end(void) {
  for (size_t i = 0; i < ITEMS; i++) out[i] = -1;
  if (mpl_launch(early_end, mpl_1d(ITEMS, LOCAL), out, in)) failures++;
  for (size_t i = 0; i < ITEMS; i++) {
    size_t first = i / LOCAL * LOCAL, local = i - first;
    expect("early_end", i, out[i], local % 3 ? in[first + LOCAL - 1 - local] : -1);
  }
}

/* --- Sub-groups that part, each with its own collectives --- */

mpl_kernel(by_sub_group, (int *)x, (const int *)y) {
  size_t i = get_global_id(0);
  uint which = get_sub_group_id();
  int sum = 0;
  for (uint turn = 0; turn <= which; turn++) sum += sub_group_reduce_add(y[i]);
  if (which & 1) sum -= sub_group_broadcast(y[i], 2);
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  x[i] = sum + work_group_reduce_max(0);
}

static void test_by_sub_group(void) {
  enum { LANES = 16 };
  if (mpl_launch(by_sub_group, mpl_1d(ITEMS, LOCAL), out, in)) failures++;
  for (size_t i = 0; i < ITEMS; i++) {
    size_t first = i / LANES * LANES, which = i % LOCAL / LANES;
    long sum = 0;
    for (size_t k = first; k < first + LANES; k++) sum += in[k];
    expect("by_sub_group", i, out[i], sum * ((long)which + 1) - (which & 1 ? in[first + 2] : 0));
  }
}

/* --- Lanes that part: functions for those that are there --- */

mpl_kernel(some_lanes, (int *)x, (const int *)y) {
  size_t i = get_global_id(0);
  x[i] = 0;
  if (y[i] & 1) {
    x[i] = sub_group_non_uniform_reduce_add(1);
    if (sub_group_elect()) x[i] += 1000;
  }
  x[i] += (int)sub_group_ballot_bit_count(sub_group_ballot(y[i] & 1)) * 100000;
}

static void test_some_lanes(void) {
  enum { LANES = 16 };
  if (mpl_launch(some_lanes, mpl_1d(ITEMS, LOCAL), out, in)) failures++;
  for (size_t i = 0; i < ITEMS; i++) {
    size_t first = i / LANES * LANES, lowest = ITEMS;
    long count = 0;
    for (size_t k = first; k < first + LANES; k++) {
      count += in[k] & 1;
      if (in[k] & 1 && lowest == ITEMS) lowest = k;
    }
    expect("some_lanes", i, out[i],
           count * 100000 + (in[i] & 1 ? count : 0) + (lowest == i ? 1000 : 0));
  }
}

/* --- Ragged groups, three dimensions, a broadcast by an id of three --- */

mpl_kernel(ragged, (int *)x) {
  size_t i = get_global_linear_id();
  int id = (int)get_local_linear_id();
  x[i] = work_group_broadcast(id, get_local_size(0) - 1, get_local_size(1) - 1, 0) * 100 +
         (int)work_group_scan_exclusive_add(1u);
}

static void test_ragged(void) {
  const size_t gx = 7, gy = 5, gz = 3, lx = 4, ly = 2, lz = 2;
  if (mpl_launch(ragged, mpl_3d(gx, gy, gz, lx, ly, lz), out)) failures++;
  for (size_t z = 0; z < gz; z++)
    for (size_t y = 0; y < gy; y++)
      for (size_t x = 0; x < gx; x++) {
        size_t sx = gx - x / lx * lx < lx ? gx - x / lx * lx : lx;
        size_t sy = gy - y / ly * ly < ly ? gy - y / ly * ly : ly, i = (z * gy + y) * gx + x;
        size_t id = (z % lz * sy + y % ly) * sx + x % lx;
        expect("ragged", i, out[i], (long)((sy * sx - 1) * 100 + id));
      }
}

/* --- Values of any size, an operation of one's own --- */

struct pair {
  long sum, product;
};

static void join(void *left, const void *right, const void *state) {
  struct pair *a = left;
  const struct pair *b = right;
  a->sum += b->sum;
  a->product = a->product * b->product % *(const long *)state;
}

mpl_kernel(own_operation, (int *)x, (const int *)y) {
  size_t i = get_global_id(0);
  long modulus = 10007;
  struct pair own = {y[i], y[i] & 15}, first = {0, 1};
  mpl_work_group_scan_exclusive_bytes(&own, sizeof own, join, &modulus, &first, MPL_SITE());
  x[i] = (int)(own.sum % 10007 + own.product);
}

static void test_own_operation(void) {
  if (mpl_launch(own_operation, mpl_1d(ITEMS, LOCAL), out, in)) failures++;
  for (size_t i = 0; i < ITEMS; i++) {
    long sum = 0, product = 1;
    for (size_t k = i / LOCAL * LOCAL; k < i; k++) {
      sum += in[k];
      product = product * (in[k] & 15) % 10007;
    }
    expect("own_operation", i, out[i], sum % 10007 + product);
  }
}

/* --- char: what it is in C, which differs between processors --- */

mpl_kernel(least_char, (int *)x, (const int *)y) {
  size_t i = get_global_id(0);
  x[i] = sub_group_reduce_min((char)y[i]);
}

static void test_char(void) {
  int lanes = 16;
  if (mpl_launch(least_char, mpl_1d(ITEMS, LOCAL), out, in)) failures++;
  for (int i = 0; i < ITEMS; i++) {
    char least = (char)in[i / lanes * lanes];
    for (int k = i / lanes * lanes; k < i / lanes * lanes + lanes; k++)
      least = (char)in[k] < least ? (char)in[k] : least;
    expect("least_char", (size_t)i, (char)out[i], least);
  }
}

int main(void) {
  for (int i = 0; i < ITEMS; i++) in[i] = (i * 7919 + 13) % 1009;
  test_by_group();
  test_voted_loop();
  test_early_end();
  test_by_sub_group();
  test_some_lanes();
  test_ragged();
  test_own_operation();
  test_char();
  printf("%s\n", failures ? "FAILED" : "ok");
  return failures ? 1 : 0;
}

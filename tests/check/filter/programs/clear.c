/* clear CASE: right kernels in C, each of which its filter clears of suspicion.  Compiled with
 * --check-memory (programs.sh).  Answers are compared with serial ones. */
#include <maniple/group.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1024, GROUP = 128, SIDE = 32, TILE = 8 };

static int bad;

#define EXPECT(got, wanted)                                                                        \
  do {                                                                                             \
    if ((got) == (wanted)) break;                                                                  \
    if (bad++ < 3) printf("line %d: %g and not %g\n", __LINE__, (double)(got), (double)(wanted));  \
  } while (0)

static void *shared(size_t size) {
  void *memory = mpl_malloc(mpl_get_device(0), MPL_MEMORY_SHARED, size, 0);
  if (!memory) abort();
  return memory;
}

static void need(int error) {
  if (error) printf("error %d: %s\n", error, mpl_error_text()), bad++;
}

/* --- Memory --- */

mpl_kernel(saxpy, (float *) y, (const float *) x, (float) a) {
  size_t i = get_global_id(0);
  y[i] += a * x[i];
}

static void run_saxpy(float *y, float *x, size_t count) {
  for (size_t i = 0; i < count; i++) x[i] = (float)i, y[i] = 1;
  need(mpl_launch(saxpy, mpl_1d(count, GROUP), y, x, 2));
  for (size_t i = 0; i < count; i++) EXPECT(y[i], 1 + 2 * (float)i);
}

static void test_heap(void) {
  float *x = malloc(COUNT * sizeof *x), *y = malloc(COUNT * sizeof *y);
  run_saxpy(y, x, COUNT);
  free(x);
  free(y);
}

static void test_usm(void) {
  float *x = shared(COUNT * sizeof *x), *y = shared(COUNT * sizeof *y);
  run_saxpy(y, x, COUNT);
  mpl_free(x);
  mpl_free(y);
}

static void test_variables(void) {
  static float x[COUNT], y[COUNT];
  run_saxpy(y, x, COUNT);
}

static void test_stack(void) {
  float x[COUNT], y[COUNT];
  run_saxpy(y, x, COUNT);
}

/* Both of one memory. */
static void test_halves(void) {
  float *x = shared(2 * COUNT * sizeof *x);
  run_saxpy(x + COUNT, x, COUNT);
  mpl_free(x);
}

static int table[COUNT];
int shared_table[COUNT];

mpl_kernel(globals, (int *) out) {
  size_t i = get_global_id(0);
  out[i] = table[i] + shared_table[COUNT - 1 - i];
  table[i] = 0;
}

static void test_globals(void) {
  int *out = shared(COUNT * sizeof *out);
  for (int i = 0; i < COUNT; i++) table[i] = i, shared_table[i] = 3 * i;
  need(mpl_launch(globals, mpl_1d(COUNT, GROUP), out));
  for (int i = 0; i < COUNT; i++) EXPECT(out[i] + table[i], i + 3 * (COUNT - 1 - i));
  mpl_free(out);
}

/* Pointers that stand in memory, in two steps. */
struct inner { int *data; };
struct outer { int by; struct inner *in; int *result; };

mpl_kernel(followed, (const struct outer *) o) {
  size_t i = get_global_id(0);
  o->result[i] = o->in->data[i] * o->by;
}

static void test_followed(void) {
  struct outer *o = shared(sizeof *o);
  *o = (struct outer){3, malloc(sizeof *o->in), shared(COUNT * sizeof *o->result)};
  o->in->data = malloc(COUNT * sizeof *o->in->data);
  for (int i = 0; i < COUNT; i++) o->in->data[i] = i;
  need(mpl_launch(followed, mpl_1d(COUNT, GROUP), o));
  for (int i = 0; i < COUNT; i++) EXPECT(o->result[i], 3 * i);
  mpl_free(o->result);
  free(o->in->data);
  free(o->in);
  mpl_free(o);
}

/* Structures, of which elements of several sizes are accessed. */
struct particle { double mass; float at[3]; unsigned char kind; };

mpl_kernel(particles, (struct particle *) p) {
  size_t i = get_global_id(0);
  for (int d = 0; d < 3; d++) p[i].at[d] += (float)p[i].mass;
  p[i].kind ^= 1;
}

static void test_structures(void) {
  struct particle *p = shared(COUNT * sizeof *p);
  memset(p, 0, COUNT * sizeof *p);
  for (int i = 0; i < COUNT; i++) p[i].mass = i;
  need(mpl_launch(particles, mpl_1d(COUNT, GROUP), p));
  for (int i = 0; i < COUNT; i++) EXPECT(p[i].at[2] + p[i].kind, (float)i + 1);
  mpl_free(p);
}

mpl_kernel(copies, (struct particle *) to, (const struct particle *) from) {
  size_t i = get_global_id(0);
  to[i] = from[i];
}

static void test_copies(void) {
  struct particle *p = shared(2 * COUNT * sizeof *p);
  memset(p, 1, 2 * COUNT * sizeof *p);
  for (int i = 0; i < COUNT; i++) p[i].mass = i;
  need(mpl_launch(copies, mpl_1d(COUNT, GROUP), p + COUNT, p));
  EXPECT(memcmp(p, p + COUNT, COUNT * sizeof *p), 0);
  mpl_free(p);
}

/* The last group is smaller. */
static void test_ragged(void) {
  enum { ODD = 1000 };
  float *x = shared(ODD * sizeof *x), *y = shared(ODD * sizeof *y);
  run_saxpy(y, x, ODD);
  mpl_free(x);
  mpl_free(y);
}

/* --- Private arrays --- */

mpl_kernel(digits, (int *) out, (const int *) in) {
  size_t i = get_global_id(0);
  int counts[8] = {0};
  for (int k = 0; k < 24; k++) counts[(in[i] >> k) & 7]++;
  int most = 0;
  for (int k = 1; k < 8; k++)
    if (counts[k] > counts[most]) most = k;
  out[i] = counts[in[i] & 7] * 8 + most;
}

static int digits_of(int x) {
  int counts[8] = {0}, most = 0;
  for (int k = 0; k < 24; k++) counts[(x >> k) & 7]++;
  for (int k = 1; k < 8; k++)
    if (counts[k] > counts[most]) most = k;
  return counts[x & 7] * 8 + most;
}

static void test_private(void) {
  int *in = shared(COUNT * sizeof *in), *out = shared(COUNT * sizeof *out);
  for (int i = 0; i < COUNT; i++) in[i] = i * 7919;
  need(mpl_launch(digits, mpl_1d(COUNT, GROUP), out, in));
  for (int i = 0; i < COUNT; i++) EXPECT(out[i], digits_of(in[i]));
  mpl_free(in);
  mpl_free(out);
}

/* --- Local memory and collectives --- */

mpl_kernel(tree, (int *) sums, (const int *) in) {
  mpl_local int tile[GROUP];
  size_t i = get_local_id(0);
  tile[i] = in[get_global_id(0)];
  for (size_t step = GROUP / 2; step; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < step) tile[i] += tile[i + step];
  }
  if (i == 0) sums[get_group_id(0)] = tile[0];
}

mpl_kernel(reduce, (int *) sums, (const int *) in) {
  int sum = work_group_reduce_add(in[get_global_id(0)]);
  if (get_local_id(0) == 0) sums[get_group_id(0)] = sum;
}

static int sum_of(const int *in, int group) {
  int sum = 0;
  for (int i = 0; i < GROUP; i++) sum += in[group * GROUP + i];
  return sum;
}

#define TEST_SUM(kernel)                                                                           \
  static void test_##kernel(void) {                                                                \
    int *in = shared(COUNT * sizeof *in), *sums = shared(COUNT / GROUP * sizeof *sums);            \
    for (int i = 0; i < COUNT; i++) in[i] = i * i;                                                 \
    need(mpl_launch(kernel, mpl_1d(COUNT, GROUP), sums, in));                                      \
    for (int g = 0; g < COUNT / GROUP; g++) EXPECT(sums[g], sum_of(in, g));                        \
    mpl_free(in);                                                                                  \
    mpl_free(sums);                                                                                \
  }
TEST_SUM(tree)
TEST_SUM(reduce)

mpl_kernel(scans, (int *) out, (const int *) in) {
  size_t i = get_global_id(0);
  int before = work_group_scan_exclusive_add(in[i]);
  int first = work_group_broadcast(in[i], 0), last = work_group_broadcast(in[i], GROUP - 1);
  out[i] = work_group_any(before > 100) ? before + first + last : 0;
}

static void test_scans(void) {
  int *in = shared(COUNT * sizeof *in), *out = shared(COUNT * sizeof *out);
  for (int i = 0; i < COUNT; i++) in[i] = i % 9;
  need(mpl_launch(scans, mpl_1d(COUNT, GROUP), out, in));
  for (int g = 0; g < COUNT; g += GROUP)
    for (int i = 0, sum = in[g] + in[g + GROUP - 1]; i < GROUP; sum += in[g + i++])
      EXPECT(out[g + i], sum);
  mpl_free(in);
  mpl_free(out);
}

/* Variables and the launch's own local memory. */
mpl_kernel(both, (int *) out) {
  mpl_local int tile[GROUP];
  mpl_local char odd[GROUP / 2 + 1];
  int *own = mpl_get_local_memory();
  size_t i = get_local_id(0);
  tile[i] = (int)i;
  own[i] = 2 * (int)i;
  if (i < GROUP / 2) odd[i] = i & 1;
  barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[GROUP - 1 - i] + own[(i + 1) % GROUP] + odd[i / 2];
}

static void test_both(void) {
  int *out = shared(COUNT * sizeof *out);
  need(mpl_launch(both, mpl_with_local(mpl_1d(COUNT, GROUP), GROUP * sizeof(int)), out));
  for (int i = 0; i < COUNT; i++) {
    int l = i % GROUP;
    EXPECT(out[i], GROUP - 1 - l + 2 * ((l + 1) % GROUP) + (l / 2 & 1));
  }
  mpl_free(out);
}

mpl_kernel(product, (float *) c, (const float *) a, (const float *) b) {
  mpl_local float left[TILE][TILE], right[TILE][TILE];
  size_t x = get_local_id(0), y = get_local_id(1), column = get_global_id(0), row = get_global_id(1);
  float sum = 0;
  for (size_t t = 0; t < SIDE; t += TILE) {
    left[y][x] = a[row * SIDE + t + x];
    right[y][x] = b[(t + y) * SIDE + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (size_t k = 0; k < TILE; k++) sum += left[y][k] * right[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * SIDE + column] = sum;
}

static void test_product(void) {
  float *a = malloc(SIDE * SIDE * sizeof *a), *b = malloc(SIDE * SIDE * sizeof *b),
        *c = malloc(SIDE * SIDE * sizeof *c);
  for (int i = 0; i < SIDE * SIDE; i++) a[i] = (float)(i % 7), b[i] = (float)(i % 5);
  need(mpl_launch(product, mpl_2d(SIDE, SIDE, TILE, TILE), c, a, b));
  for (int y = 0; y < SIDE; y++)
    for (int x = 0; x < SIDE; x++) {
      float sum = 0;
      for (int k = 0; k < SIDE; k++) sum += a[y * SIDE + k] * b[k * SIDE + x];
      EXPECT(c[y * SIDE + x], sum);
    }
  free(a);
  free(b);
  free(c);
}

/* --- Atomics and sub-groups --- */

mpl_kernel(histogram, (int *) bins, (const int *) in) {
  mpl_local int own[16];
  size_t i = get_local_id(0);
  if (i < 16) own[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  __atomic_fetch_add(&own[in[get_global_id(0)] & 15], 1, __ATOMIC_RELAXED);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < 16) __atomic_fetch_add(&bins[i], own[i], __ATOMIC_RELAXED);
}

static void test_histogram(void) {
  int *in = shared(COUNT * sizeof *in), *bins = shared(16 * sizeof *bins), wanted[16] = {0};
  memset(bins, 0, 16 * sizeof *bins);
  for (int i = 0; i < COUNT; i++) in[i] = i * i / 3, wanted[in[i] & 15]++;
  need(mpl_launch(histogram, mpl_1d(COUNT, GROUP), bins, in));
  for (int i = 0; i < 16; i++) EXPECT(bins[i], wanted[i]);
  mpl_free(in);
  mpl_free(bins);
}

mpl_kernel(sub_groups, (int *) out, (const int *) in) {
  size_t i = get_global_id(0);
  int x = in[i] + (int)sub_group_shuffle_xor(in[i], 1);
  int sum = sub_group_reduce_add(x);
  if (sub_group_any(x > 1000)) sum += sub_group_non_uniform_reduce_max(x);
  out[i] = sum + sub_group_broadcast(x, 2);
}

static void test_sub_groups(void) {
  enum { LANES = 16 };
  int *in = shared(COUNT * sizeof *in), *out = shared(COUNT * sizeof *out);
  for (int i = 0; i < COUNT; i++) in[i] = i;
  need(mpl_launch(sub_groups, mpl_1d(COUNT, GROUP), out, in));
  for (int i = 0; i < COUNT; i++) {
    int first = i / LANES * LANES, sum = 0, most = 0;
    for (int k = first; k < first + LANES; k++) {
      int x = k + (k ^ 1);
      sum += x;
      if (x > most) most = x;
    }
    EXPECT(out[i], sum + (most > 1000 ? most : 0) + first + 2 + ((first + 2) ^ 1));
  }
  mpl_free(in);
  mpl_free(out);
}

/* Values go from work-item to work-item of a sub-group by memory. */
mpl_kernel(lanes_memory, (int *) out) {
  mpl_local int tile[GROUP];
  size_t i = get_local_id(0), first = i - get_sub_group_local_id();
  tile[i] = (int)i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  out[get_global_id(0)] = tile[first + (i + 1) % 16];
}

static void test_lanes_memory(void) {
  int *out = shared(COUNT * sizeof *out);
  need(mpl_launch(lanes_memory, mpl_1d(COUNT, GROUP), out));
  for (int i = 0; i < COUNT; i++) EXPECT(out[i], i % GROUP / 16 * 16 + (i + 1) % 16);
  mpl_free(out);
}

/* -------------------------------------------------------------------------------------------- */

#define CASES(of)                                                                                  \
  of(heap) of(usm) of(variables) of(stack) of(halves) of(globals) of(followed) of(structures)      \
      of(copies) of(ragged) of(private) of(tree) of(reduce) of(scans) of(both) of(product)         \
          of(histogram) of(sub_groups) of(lanes_memory)
#define CASE(name) {#name, test_##name},
static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {CASES(CASE)};

int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    if (argc < 2) puts(cases[i].name);
    if (argc > 1 && !strcmp(argv[1], cases[i].name)) cases[i].run();
  }
  return bad != 0;
}

/* What kernels in C may hold beside group functions: each compared with a plain loop.  Those that
 * cannot be compiled say so, and run all the same. */
#include "engines.h"

#include <math.h>

enum { N = 4096, LOCAL = 256 };
static int in[N], out[N], out2[N];
static float fin[N], fout[N];

#define CHECK_ALL(right, what)                                                                     \
  for (int i = 0; i < N; i++) EXPECT(right, "%s: work-item %d", what, i)

/* --- Flow of control around collectives --- */

mpl_kernel(loop, (const int *)x, (int *)y, (int)rounds) {
  size_t i = get_global_id(0);
  int v = x[i];
  for (int r = 0; r < rounds; r++) {
    int sum = work_group_reduce_add(v);
    if (r % 2)
      v = work_group_broadcast(v, (size_t)r) + sum % 7;
    else
      v += work_group_scan_exclusive_add(v) % 5;
  }
  y[i] = v;
}

static void plain_loop(int *v, int rounds) {
  for (int r = 0; r < rounds; r++) {
    int sum = 0, before = 0, from = v[r];
    for (int i = 0; i < LOCAL; i++) sum += v[i];
    for (int i = 0; i < LOCAL; i++) {
      int own = v[i];
      v[i] = r % 2 ? from + sum % 7 : own + before % 5;
      before += own;
    }
  }
}

static void test_loop(void) {
  EXPECT(!mpl_launch(loop, mpl_1d(N, LOCAL), in, out, 6), "%s", mpl_error_text());
  static int right[N];
  memcpy(right, in, sizeof in);
  for (int g = 0; g < N; g += LOCAL) plain_loop(right + g, 6);
  CHECK_ALL(out[i] == right[i], "loop");
}

/* --- Functions, recursion, static data --- */

static const int primes[] = {2, 3, 5, 7, 11, 13, 17, 19};
static int calls; /* shared with the host */

static int __attribute__((noinline)) helper(int x) {
  return x * primes[x % 8] + work_group_reduce_max(x);
}
static int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

mpl_kernel(functions, (const int *)x, (int *)y) {
  size_t i = get_global_id(0);
  y[i] = helper(x[i]) + fibonacci((int)(i % 10));
  if (i == 0) calls += 1;
}

static void test_functions(void) {
  calls = 41;
  EXPECT(!mpl_launch(functions, mpl_1d(N, LOCAL), in, out), "%s", mpl_error_text());
  EXPECT(calls == 42, "calls is %d", calls);
  for (int i = 0; i < N; i++) {
    int most = in[i / LOCAL * LOCAL];
    for (int k = i / LOCAL * LOCAL; k < i / LOCAL * LOCAL + LOCAL; k++)
      most = in[k] > most ? in[k] : most;
    EXPECT(out[i] == in[i] * primes[in[i] % 8] + most + fibonacci(i % 10), "functions: %d", i);
  }
  EXPECT(mpl_record_functions.group, "functions is not compiled");
}

/* --- Math, division by what may be zero, printf, assert-like ends --- */

mpl_kernel(mathematics, (const float *)x, (float *)y) {
  size_t i = get_global_id(0);
  float v = sinf(x[i]) + sqrtf(x[i]) * expf(-x[i]) + powf(x[i], 0.25f);
  y[i] = work_group_scan_inclusive_max(v);
}

static void test_mathematics(void) {
  EXPECT(!mpl_launch(mathematics, mpl_1d(N, LOCAL), fin, fout), "%s", mpl_error_text());
  for (int g = 0; g < N; g += LOCAL) {
    double most = -1;
    for (int i = g; i < g + LOCAL; i++) {
      double v = sin(fin[i]) + sqrt(fin[i]) * exp(-fin[i]) + pow(fin[i], 0.25);
      most = v > most ? v : most;
      EXPECT(fabs(fout[i] - most) < 1e-5 * (1 + most), "math: %d: %g, not %g", i, fout[i], most);
    }
  }
  EXPECT(mpl_record_mathematics.group, "mathematics is not compiled");
}

mpl_kernel(guarded, (const int *)x, (int *)y) {
  size_t i = get_global_id(0);
  int d = x[i] % 3;
  y[i] = d ? 1000 / d : -1;
  if (y[i] > 100000) abort();
  y[i] += work_group_any(d == 2);
}

static void test_guarded(void) {
  EXPECT(!mpl_launch(guarded, mpl_1d(N, LOCAL), in, out), "%s", mpl_error_text());
  CHECK_ALL(out[i] == (in[i] % 3 ? 1000 / (in[i] % 3) : -1) + 1, "guarded");
}

mpl_kernel(prints, (int)base) {
  if (get_global_id(0) == 5) printf("work-item %zu of %d %s\n", get_global_id(0), base, "here");
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
}

static void test_prints(void) {
  fflush(stdout);
  EXPECT(!mpl_launch(prints, mpl_1d(64, 64), 64), "%s", mpl_error_text());
  EXPECT(mpl_record_prints.group, "prints is not compiled");
}

/* --- Local memory, more dimensions, private arrays --- */

mpl_kernel(transpose, (const int *)x, (int *)y, (int)width) {
  mpl_local int tile[16][16];
  size_t lx = get_local_id(0), ly = get_local_id(1);
  tile[ly][lx] = x[get_global_id(1) * (size_t)width + get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  size_t tx = get_group_id(1) * 16 + lx, ty = get_group_id(0) * 16 + ly;
  y[ty * (size_t)width + tx] = tile[lx][ly];
}

mpl_kernel(dynamic, (const int *)x, (int *)y) {
  int *shared = mpl_get_local_memory(), own[4];
  size_t l = get_local_id(0), n = get_local_size(0);
  for (int k = 0; k < 4; k++) own[k] = x[get_global_id(0)] + k;
  shared[l] = x[get_global_id(0)];
  work_group_barrier(CLK_LOCAL_MEM_FENCE);
  y[get_global_id(0)] = shared[(l + 3) % n] + own[l % 4];
}

static void test_memory(void) {
  EXPECT(!mpl_launch(transpose, mpl_2d(64, 64, 16, 16), in, out, 64), "%s", mpl_error_text());
  CHECK_ALL(out[i] == in[i % 64 * 64 + i / 64], "transpose");
  struct mpl_range range = mpl_with_local(mpl_1d(N, LOCAL), LOCAL * sizeof(int));
  EXPECT(!mpl_launch(dynamic, range, in, out), "%s", mpl_error_text());
  CHECK_ALL(out[i] == in[i / LOCAL * LOCAL + (i + 3) % LOCAL] + in[i] + i % LOCAL % 4, "dynamic");
  EXPECT(mpl_record_transpose.group && mpl_record_dynamic.group, "memory is not compiled");
}

/* --- Structs, in bytes --- */

struct triple {
  double a;
  short b[5];
  char c;
};

mpl_kernel(bytes, (const struct triple *)x, (struct triple *)y) {
  size_t i = get_global_id(0);
  struct triple t = x[i], u = x[i];
  mpl_work_group_broadcast_bytes(&t, sizeof t, 7, MPL_SITE());
  mpl_sub_group_shuffle_xor_bytes(&u, sizeof u, 1, MPL_SITE());
  y[i] = (struct triple){t.a + u.a, {t.b[4], u.b[4]}, (char)(t.c + u.c)};
}

static void test_bytes(void) {
  static struct triple x[N], y[N];
  for (int i = 0; i < N; i++)
    x[i] = (struct triple){i, {0, 0, 0, 0, (short)(i * 3)}, (char)(i % 50)};
  EXPECT(!mpl_launch(bytes, mpl_1d(N, LOCAL), x, y), "%s", mpl_error_text());
  for (int i = 0; i < N; i++) {
    int t = i / LOCAL * LOCAL + 7, u = i ^ 1;
    EXPECT(y[i].a == t + u && y[i].b[0] == (short)(t * 3) && y[i].b[1] == (short)(u * 3) &&
               y[i].c == t % 50 + u % 50,
           "bytes: %d", i);
  }
  EXPECT(mpl_record_bytes.group, "bytes is not compiled");
}

/* --- What stays on fibres --- */

static int twice(int x) {
  return 2 * x + work_group_reduce_add(1);
}
static int (*volatile through)(int) = twice;

mpl_kernel(pointer, (const int *)x, (int *)y) {
  y[get_global_id(0)] = through(x[get_global_id(0)]);
}

static int down(int n, int x) {
  return n ? down(n - 1, x) + work_group_reduce_add(x) : 0;
}
mpl_kernel(recursive, (const int *)x, (int *)y) {
  y[get_global_id(0)] = down(3, x[get_global_id(0)]);
}

static void largest(void *left, const void *right, const void *state) {
  (void)state;
  if (*(const int *)right > *(int *)left) *(int *)left = *(const int *)right;
}
mpl_kernel(callback, (const int *)x, (int *)y) {
  int v = x[get_global_id(0)];
  mpl_work_group_reduce_bytes(&v, sizeof v, largest, NULL, MPL_SITE());
  y[get_global_id(0)] = v;
}

mpl_kernel(variable, (const int *)x, (int *)y, (int)n) {
  int list[n];
  for (int k = 0; k < n; k++) list[k] = x[get_global_id(0)] + k;
  y[get_global_id(0)] = list[n - 1] + work_group_all(1);
}

static void test_on_fibres(void) {
  EXPECT(!mpl_launch(pointer, mpl_1d(N, LOCAL), in, out), "%s", mpl_error_text());
  CHECK_ALL(out[i] == 2 * in[i] + LOCAL, "pointer");
  EXPECT(!mpl_launch(recursive, mpl_1d(N, LOCAL), in, out), "%s", mpl_error_text());
  EXPECT(!mpl_launch(callback, mpl_1d(N, LOCAL), in, out2), "%s", mpl_error_text());
  for (int g = 0; g < N; g += LOCAL) {
    int sum = 0, most = in[g];
    for (int i = g; i < g + LOCAL; i++) sum += in[i], most = in[i] > most ? in[i] : most;
    for (int i = g; i < g + LOCAL; i++) EXPECT(out[i] == 3 * sum, "recursive: %d", i);
    for (int i = g; i < g + LOCAL; i++) EXPECT(out2[i] == most, "callback: %d", i);
  }
  EXPECT(!mpl_launch(variable, mpl_1d(N, LOCAL), in, out, 9), "%s", mpl_error_text());
  CHECK_ALL(out[i] == in[i] + 8 + 1, "variable");
  EXPECT(!mpl_record_pointer.group && !mpl_record_recursive.group && !mpl_record_callback.group &&
             !mpl_record_variable.group,
         "a kernel is compiled that cannot be");
}

int main(void) {
  for (int i = 0; i < N; i++) {
    in[i] = i * 31 % 97;
    fin[i] = (float)in[i] / 16;
  }
  EXPECT(mpl_record_loop.group, "loop is not compiled");
  test_loop();
  test_functions();
  test_mathematics();
  test_guarded();
  test_prints();
  test_memory();
  test_bytes();
  test_on_fibres();
  return result();
}

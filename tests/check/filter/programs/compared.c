/* compared CASE: kernels of which it matters that the filter does not clear what the engine finds,
 * whatever becomes of the filter: with it and without the same is said (programs.sh). */
#include <maniple/group.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { N = 256, G = 64 };
static int *shared(size_t n) {
  int *m = mpl_malloc(mpl_get_device(0), MPL_MEMORY_SHARED, n * 4, 4);
  for (size_t i = 0; i < n; i++) m[i] = i;
  return m;
}
#define K(name)     static void t_##name(void)
#define RUN(k, ...) printf("%d\n", mpl_launch(k, mpl_1d(N, G), __VA_ARGS__))
mpl_kernel(k_memcpy, (char *)to, (const char *)from, (size_t)n) {
  size_t i = get_global_id(0);
  memcpy(to + i * 4, from + i * 4, i == N - 1 ? n : 4);
}
K(memcpy_behind) {
  RUN(k_memcpy, (char *)shared(N), (const char *)shared(N), (size_t)8);
}
mpl_kernel(k_memset, (char *)to, (size_t)n) {
  size_t i = get_global_id(0);
  memset(to + i * 4, 1, i == 17 ? n : 4);
}
K(memset_race) {
  RUN(k_memset, (char *)shared(N), (size_t)8);
}
mpl_kernel(k_neighbour, (int *)a) {
  size_t i = get_global_id(0);
  a[i] = a[(i + 1) % N];
}
K(neighbour) {
  RUN(k_neighbour, shared(N));
}
mpl_kernel(k_alias, (int *)a, (const int *)b) {
  size_t i = get_global_id(0);
  a[i] = b[i];
}
K(alias) {
  int *m = shared(2 * N);
  RUN(k_alias, m + 1, (const int *)m);
}
mpl_kernel(k_bytes, (int *)a, (const char *)b) {
  size_t i = get_global_id(0);
  a[i] = b[i + 1];
}
K(alias_bytes) {
  int *m = shared(N);
  RUN(k_bytes, m, (const char *)m);
}
struct s {
  int *p;
  int v[4];
};
mpl_kernel(k_follow, (struct s *)s) {
  size_t i = get_global_id(0);
  s->p[i] = i;
  if (i == 3)
    s->v[i - 3] = 1;
  else if (i == 4)
    s->v[0] = 2;
}
K(follow_race) {
  struct s *s = malloc(sizeof *s);
  s->p = shared(N);
  RUN(k_follow, s);
}
mpl_kernel(k_follow_writes, (struct s *)s, (int *)q) {
  size_t i = get_global_id(0);
  if (i == 5) s->p = q;
  s->p[i] = i;
}
K(follow_changes) {
  struct s *s = malloc(sizeof *s);
  s->p = shared(N);
  RUN(k_follow_writes, s, shared(N));
}
mpl_kernel(k_follow_dangling, (const struct s *)s) {
  size_t i = get_global_id(0);
  s->p[i] = i;
}
K(follow_dangling) {
  struct s *s = malloc(sizeof *s);
  s->p = shared(N);
  mpl_free(s->p);
  RUN(k_follow_dangling, s);
}
K(follow_beside) {
  struct s *s = malloc(4);
  RUN(k_follow_dangling, s);
}
mpl_kernel(k_two, (int *)a, (int *)b, (int)which) {
  size_t i = get_global_id(0);
  int *p = which ? a : b;
  p[i / 2] = (int)i;
}
K(chosen) {
  RUN(k_two, shared(N), shared(N), 1);
}
static int var[N];
mpl_kernel(k_var, (int *)a) {
  size_t i = get_global_id(0);
  var[i] += 1;
  a[i] = var[(i + 1) % N];
}
K(variable) {
  RUN(k_var, shared(N));
}
mpl_kernel(k_var_alias, (int *)a) {
  size_t i = get_global_id(0);
  var[i] += 1;
  a[(i + 1) % N] = 1;
}
K(variable_alias) {
  RUN(k_var_alias, var);
}
mpl_kernel(k_weak, (int *)a) {
  mpl_local int t[G];
  size_t i = get_local_id(0);
  a[get_global_id(0)] += 1;
  t[i] = i;
  barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] += a[get_global_id(0) ^ 1] + t[i ^ 1];
}
K(weak_barrier) {
  RUN(k_weak, shared(N));
}
mpl_kernel(k_weak_local, (int *)a) {
  mpl_local int t[G];
  size_t i = get_local_id(0);
  t[i] = i;
  barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_global_id(0)] = t[i ^ 1];
}
K(weak_local) {
  RUN(k_weak_local, shared(N));
}
mpl_kernel(k_flags, (int *)a) {
  size_t i = get_local_id(0);
  a[get_global_id(0)] = 1;
  barrier(i == 3 ? CLK_LOCAL_MEM_FENCE : CLK_GLOBAL_MEM_FENCE);
}
K(flags) {
  RUN(k_flags, shared(N));
}
mpl_kernel(k_bid, (int *)a) {
  size_t i = get_local_id(0);
  a[get_global_id(0)] = work_group_broadcast(a[get_global_id(0)], i / 63);
}
K(broadcast_id) {
  RUN(k_bid, shared(N));
}
mpl_kernel(k_bid2, (int *)a) {
  a[get_global_id(0)] = work_group_broadcast(a[get_global_id(0)], 0, 1);
}
K(broadcast_2d) {
  RUN(k_bid2, shared(N));
}
mpl_kernel(k_loop, (int *)a) {
  size_t i = get_local_id(0);
  for (size_t k = 0; k < 1 + i / 60; k++) a[get_global_id(0)] += work_group_reduce_add(1);
}
K(loop) {
  RUN(k_loop, shared(N));
}
mpl_kernel(k_sites, (int *)a) {
  size_t i = get_local_id(0);
  if (i & 1)
    a[get_global_id(0)] = work_group_reduce_add(1);
  else
    a[get_global_id(0)] = work_group_reduce_add(1);
}
K(sites) {
  RUN(k_sites, shared(N));
}
mpl_kernel(k_lanes_id, (int *)a) {
  size_t i = get_local_id(0);
  a[get_global_id(0)] = sub_group_broadcast((int)i, (uint)(i == 9));
}
K(lanes_id) {
  RUN(k_lanes_id, shared(N));
}
mpl_kernel(k_lanes_beyond, (int *)a, (uint)by) {
  size_t i = get_local_id(0);
  a[get_global_id(0)] = sub_group_broadcast((int)i, by);
}
K(lanes_beyond) {
  RUN(k_lanes_beyond, shared(N), 16u);
}
mpl_kernel(k_lanes_race, (int *)a) {
  mpl_local int t[G];
  size_t i = get_local_id(0);
  t[i] = i;
  sub_group_barrier(CLK_LOCAL_MEM_FENCE);
  a[get_global_id(0)] = t[(i + 16) % G];
}
K(lanes_race) {
  RUN(k_lanes_race, shared(N));
}
mpl_kernel(k_div, (int *)a, (const int *)b) {
  size_t i = get_global_id(0);
  a[i] = 1000 / b[i];
}
K(division) {
  RUN(k_div, shared(N), (const int *)shared(N));
}
mpl_kernel(k_two_dims, (int *)a) {
  a[get_global_id(0)] = get_global_id(1);
}
K(two_dims) {
  printf("%d\n", mpl_launch(k_two_dims, mpl_2d(16, 16, 8, 8), shared(N)));
}
mpl_kernel(k_args, (int *)a, (int)n) {
  int v[4] = {1, 2, 3, 4};
  a[get_global_id(0)] = v[get_global_id(0) & 3] + n;
  if (get_global_id(0) == 9) a[N] = 1;
}
K(last) {
  RUN(k_args, shared(N), 4);
}
mpl_kernel(k_half_written, (int *)a, (int *)b) {
  size_t i = get_global_id(0);
  if (i & 1) b[i] = 1;
  a[i] = b[i ^ 1] + b[i];
}
K(unwritten) {
  RUN(k_half_written, shared(N), (int *)mpl_malloc(mpl_get_device(0), MPL_MEMORY_DEVICE, N * 4, 0));
}
mpl_kernel(k_acq, (int *)a, (int *)f) {
  size_t i = get_global_id(0);
  if (i == 0) {
    a[5] = 1;
    __atomic_store_n(f, 1, __ATOMIC_RELAXED);
  }
  if (i == 255 && __atomic_load_n(f, __ATOMIC_ACQUIRE)) a[6] = a[5];
}
K(not_released) {
  int *f = shared(1);
  RUN(k_acq, shared(N), f);
}
static int deep(int n) {
  volatile char b[1024];
  b[n & 1023] = 1;
  return n ? deep(n - 1) + b[n & 1023] : 0;
}
mpl_kernel(k_deep, (int *)a) {
  a[get_global_id(0)] = deep(get_global_id(0) == 7 ? 2000 : 1);
}
K(stack) {
  RUN(k_deep, shared(N));
}
mpl_kernel(k_big, (int *)a) {
  volatile char b[300 << 10];
  b[get_global_id(0) * 1000] = 1;
  a[get_global_id(0)] = b[get_global_id(0) * 1000];
}
K(big_array) {
  RUN(k_big, shared(N));
}
mpl_kernel(k_volatile, (int *)a) {
  size_t i = get_global_id(0);
  *(volatile int *)&a[3] = 1;
  if (i == 100) a[4] = a[3];
}
K(volatile_half) {
  RUN(k_volatile, shared(N));
}
mpl_kernel(k_double, (double *)a) {
  size_t i = get_global_id(0);
  if (i < N / 2 + (i == 9)) a[i] = 1;
  if (i == 9) a[N / 2] = 1;
}
K(doubles) {
  RUN(k_double, (double *)shared(N));
}
mpl_kernel(k_same, (int *)a) {
  size_t i = get_global_id(0);
  a[i] = i;
  a[0] = 7;
  if (i == 77) a[N / 2] = a[0];
}
K(same_value) {
  RUN(k_same, shared(N));
}
#define CASES(X)                                                                                   \
  X(memcpy_behind)                                                                                 \
  X(memset_race)                                                                                   \
  X(neighbour) X(alias) X(alias_bytes) X(follow_race) X(follow_changes) X(follow_dangling)         \
      X(follow_beside) X(chosen) X(variable) X(variable_alias) X(weak_barrier) X(weak_local)       \
          X(flags) X(broadcast_id) X(broadcast_2d) X(loop) X(sites) X(lanes_id) X(lanes_beyond)    \
              X(lanes_race) X(division) X(two_dims) X(last) X(unwritten) X(not_released) X(stack)  \
                  X(big_array) X(volatile_half) X(doubles) X(same_value)
#define C(n) {#n, t_##n},
static struct {
  const char *name;
  void (*f)(void);
} cases[] = {CASES(C)};
int main(int argc, char **argv) {
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
    if (argc < 2)
      puts(cases[i].name);
    else if (!strcmp(argv[1], cases[i].name))
      cases[i].f();
}

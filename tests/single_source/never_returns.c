/* Kernels that end the process: in what one work-item does, in what all do, in a sub-group. */
#include "engines.h"

#include <assert.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

enum { N = 256, LOCAL = 64, LEFT = 9 };
static int in[N], out[N];

mpl_kernel(one_asserts, (const int *)x, (int *)y) {
  size_t i = get_global_id(0);
  assert(x[i] != 77);
  y[i] = x[i] + 1;
}
mpl_kernel(all_leave, (const int *)x, (int *)y, (int)n) {
  size_t i = get_global_id(0);
  if (n > 3) exit(LEFT);
  y[i] = x[i] + 1;
}
mpl_kernel(a_lane_leaves, (const int *)x, (int *)y) {
  size_t i = get_global_id(0);
  int sum = sub_group_reduce_add(x[i]);
  if (x[i] == 77) exit(LEFT);
  y[i] = sum + sub_group_reduce_max(x[i]);
}

/* How a process ends in which the kernel runs: -1 if it comes back. */
static int end_of(int (*launch)(void)) {
  int status = -1;
  pid_t child = fork();
  if (!child) {
    if (!freopen("/dev/null", "w", stderr)) _exit(3);
    _exit(launch() ? 2 : 0);
  }
  EXPECT(child > 0 && waitpid(child, &status, 0) == child, "no process");
  return WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_one_asserts(void) {
  return mpl_launch(one_asserts, mpl_1d(N, LOCAL), in, out);
}
static int run_all_leave(void) {
  return mpl_launch(all_leave, mpl_1d(N, LOCAL), in, out, in[200]);
}
static int run_a_lane_leaves(void) {
  return mpl_launch(a_lane_leaves, mpl_1d(N, LOCAL), in, out);
}

static void expect(int asserts, int all, int lane) {
  int ends[] = {end_of(run_one_asserts), end_of(run_all_leave), end_of(run_a_lane_leaves)};
  EXPECT(ends[0] == asserts, "assert: %d", ends[0]);
  EXPECT(ends[1] == all, "exit of all: %d", ends[1]);
  EXPECT(ends[2] == lane, "exit of one in a sub-group: %d", ends[2]);
}

int main(void) {
  EXPECT(mpl_record_one_asserts.group && mpl_record_all_leave.group &&
             mpl_record_a_lane_leaves.group,
         "a kernel is not compiled");
  for (int i = 0; i < N; i++) in[i] = i % 3;
  expect(0, 0, 0);
  in[200] = 77;
  expect(SIGABRT, LEFT, LEFT);
  return result();
}

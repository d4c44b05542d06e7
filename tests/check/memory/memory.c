/* main CASE: a kernel in C that accesses memory by a pointer as it must not.  What is reported
 * stands in c/CASE.ref. */
#include <maniple/group.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

mpl_kernel(read_at, (const int *) from, (int *) to, (int)offset) {
  size_t i = get_global_id(0);
  to[i] = from[(int)i + offset];
}

mpl_kernel(write_at, (int *) to, (int)offset, (int)stride) {
  int i = (int)get_global_id(0);
  to[i * stride + offset] = i;
}

mpl_kernel(write_last, (int *) to, (int)at) {
  int sum = work_group_reduce_add(1);
  if (get_local_id(0) == 7) to[at] = sum;
  work_group_barrier(CLK_GLOBAL_MEM_FENCE);
}

mpl_kernel(clear, (int *) to, (size_t)size) {
  if (!get_global_id(0)) memset(to, 0, size);
}

typedef int function(int);
mpl_kernel(call, (int *) to, (function *) f) {
  to[get_global_id(0)] = f(1);
}

enum { COUNT = 32, INT = sizeof(int) };
static int *memory, *other;

static void behind(void) {
  mpl_launch(read_at, mpl_1d(COUNT, COUNT), memory, other, 1);
}
static void before(void) {
  mpl_launch(read_at, mpl_1d(COUNT, COUNT), memory, other, -2000);
}
static void after_collective(void) {
  mpl_launch(write_last, mpl_1d(COUNT, COUNT), memory, COUNT + 3);
}
static void stride(void) {
  mpl_launch(write_at, mpl_1d(COUNT, COUNT), memory, 0, COUNT * 8);
}
static void callee(void) {
  mpl_launch(clear, mpl_1d(COUNT, COUNT), memory, (size_t)COUNT * INT + 1);
}
/* Every group, on all threads. */
static void threads(void) {
  mpl_launch(write_last, mpl_1d(COUNT * 64, COUNT), memory, COUNT);
}
/* It goes on: what comes later runs. */
static void twice(void) {
  behind();
  behind();
  mpl_launch(write_at, mpl_1d(COUNT, COUNT), memory, 0, 1);
  fprintf(stderr, "memory[%d] = %d\n", COUNT - 1, memory[COUNT - 1]);
}
static void null(void) {
  mpl_launch(write_at, mpl_1d(COUNT, COUNT), (int *)NULL, 0, 1);
}
static void null_member(void) {
  mpl_launch(read_at, mpl_1d(COUNT, COUNT), (const int *)NULL, other, 3);
}
static void null_function(void) {
  mpl_launch(call, mpl_1d(COUNT, COUNT), memory, (function *)NULL);
}
static void freed(void) {
  mpl_free(other);
  mpl_launch(write_at, mpl_1d(COUNT, COUNT), other, 0, 1);
}
static void nowhere(void) {
  mpl_launch(write_at, mpl_1d(COUNT, COUNT), (int *)0x10000000, 0, 1);
}
/* Not aligned to the end of a page: found when the launch has ended. */
static void slack(void) {
  int *odd = mpl_malloc(mpl_get_device(0), MPL_MEMORY_SHARED, 100, 128);
  mpl_launch(write_at, mpl_1d(26, 26), odd, 0, 1);
  mpl_launch(write_at, mpl_1d(2, 2), odd, -2, 1);
  odd[25] = 1; /* the host */
  mpl_launch(write_at, mpl_1d(2, 2), odd, 0, 1);
  odd[26] = 1;
  mpl_free(odd);
}

/* The host's own access ends the program, with a sentence; the program's handler is asked. */
static void on_fault(int number) {
  static const char text[] = "the program's own handler\n";
  _exit(write(STDERR_FILENO, text, sizeof text - 1) > 0 ? 5 : 6);
}
static void handler(void) {
  signal(SIGSEGV, on_fault);
  behind();
  memory[COUNT] = 1;
}

static const struct {
  const char *name;
  void (*run)(void);
} cases[] = {
    {"behind", behind},
    {"before", before},
    {"after_collective", after_collective},
    {"stride", stride},
    {"callee", callee},
    {"threads", threads},
    {"twice", twice},
    {"null", null},
    {"null_member", null_member},
    {"null_function", null_function},
    {"freed", freed},
    {"nowhere", nowhere},
    {"slack", slack},
    {"handler", handler},
};

int main(int argc, char **argv) {
  memory = mpl_malloc(mpl_get_device(0), MPL_MEMORY_DEVICE, COUNT * INT, INT);
  other = mpl_malloc(mpl_get_device(0), MPL_MEMORY_SHARED, COUNT * INT, INT);
  for (size_t i = 0; argc > 1 && i < sizeof cases / sizeof *cases; i++)
    if (!strcmp(cases[i].name, argv[1])) cases[i].run();
  return 0;
}

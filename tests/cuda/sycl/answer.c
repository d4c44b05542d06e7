/* A library with a kernel on a GPU; unloaded.c says what it answers. */
#include <maniple/group.h>
#include <maniple/maniple.h>

mpl_kernel(answer, (int *)to) {
  to[get_global_id(0)] = ANSWER;
}

int ask(int *to, size_t count);
int ask(int *to, size_t count) {
  return mpl_launch(answer, mpl_1d(count, count), to);
}

/* A child that launches nothing, and leaves by _exit: nothing is missing of what was checked. */
#include <maniple/group.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ITEMS = 32 };

mpl_kernel(count, (int *)out) {
  out[get_global_id(0)] = 1;
}

int main(void) {
  int out[ITEMS], status = 1;
  if (mpl_launch(count, mpl_1d(ITEMS, ITEMS), out)) return 1;
  pid_t child = fork();
  if (!child) _exit(0);
  return child < 0 || waitpid(child, &status, 0) != child || status;
}

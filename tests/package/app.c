#include <maniple/group.h>
#include <stdio.h>

mpl_kernel(sum, (int *) x) {
  x[get_global_id(0)] = work_group_reduce_add((int)get_local_id(0));
}

int main(void) {
  static int x[1024];
  int error = mpl_launch(sum, mpl_1d(1024, 256), x);
  printf("%d, %s\n", x[1000], mpl_record_sum.group ? "compiled" : "fibres");
  return error || x[1000] != 255 * 128;
}

/* main.cpp's mistakes in a kernel in C, whose local memory is a variable of the thread. */
#include <maniple/group.h>

mpl_kernel(k, (int *) out) {
  mpl_local int tile[32];
  size_t i = get_local_id(0);
  tile[i] = (int)i;
  out[get_global_id(0)] = tile[31 - i];
}

int main(void) {
  static int out[64];
  return mpl_launch(k, mpl_1d(64, 32), out) == 0 ? 0 : 1;
}

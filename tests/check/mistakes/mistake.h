/* One kernel `k` with one mistake, launched once on one work-group; what is reported stands in the
 * .ref file beside it. */
#include <maniple/group.h>

#ifndef RANGE
#define RANGE mpl_1d(32, 32)
#endif
#define MAIN                                                                                       \
  int main(void) {                                                                                 \
    static int out[64];                                                                            \
    return mpl_launch(k, RANGE, out) == 0 ? 0 : 1;                                                 \
  }

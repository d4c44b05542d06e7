/* On the same line as the call in two_files.c: the message shows both lines. */
#include "mistake.h"

static inline int second(int x) {
  int sum = work_group_reduce_add(x);
  return sum;
}

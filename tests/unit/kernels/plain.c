/* An object like the compiler's, with all that is placed without a linker: data too, and a table of
 * jumps. */
#include "abi/kernel.h"

static void data(const struct mpl_launch *launch, const struct mpl_group *group);
#define MORE_KERNELS                                                                               \
  {.name = "data",                                                                                 \
   .run = data,                                                                                    \
   .args = one_pointer,                                                                            \
   .num_args = 1,                                                                                  \
   .args_size = 8,                                                                                 \
   .sub_group = 64,                                                                                \
   .attributes = ""},
#include "kernels.c"

static int written = 40, zero[3000];
static int *volatile places[] = {&written, &zero[2999]};
static const char *const volatile words[] = {"none", "one", "two"};

__attribute__((noinline)) static int choose(int x, const int *y) {
  switch (x) {
  case 0:
    return y[3] * 7;
  case 1:
    return y[1] - y[0];
  case 2:
    return y[2] ^ 5;
  case 3:
    return y[0] | y[1];
  case 4:
    return 17;
  case 5:
    return y[5] << 1;
  default:
    return -1;
  }
}

/* Called once, as one work-item. */
static void data(const struct mpl_launch *launch, const struct mpl_group *group) {
  int *out = *(int *const *)launch->args;
  out[0] = ++*places[0];
  out[1] = *places[1] += 3;
  out[2] = words[2][1];
  for (int i = 0; i < 7; i++) out[3 + i] = choose(i, out);
}

/* Runs one kernel on both engines: as it is compiled, and, by a copy of its record without the
 * compiled function, on fibres.  For kernels with the parameters (const T *in, T *out). */
#ifndef TESTS_ENGINES_H
#define TESTS_ENGINES_H

#include <maniple/group.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define EXPECT(condition, ...)                                                                     \
  do {                                                                                             \
    if (!(condition) && ++failures <= 20) {                                                        \
      printf("%s:%d: ", __FILE__, __LINE__);                                                       \
      printf(__VA_ARGS__);                                                                         \
      putchar('\n');                                                                               \
    }                                                                                              \
  } while (0)

/* The argument block of such a kernel. */
struct in_out {
  const void *in;
  void *out;
};

static int run_on(const struct mpl_kernel_record *record, size_t global, size_t local,
                  const void *in, void *out) {
  struct in_out args = {in, out};
  struct mpl_kernel_launch launch = {
      .kernel = record, .dims = 1, .global = {global}, .local = {local}, .args = &args};
  return mpl_run_kernel(&launch);
}

/* The compiled result is in `out`; `size` bytes. */
static inline void compare_engines(const struct mpl_kernel_record *record, size_t global,
                                   size_t local, const void *in, void *out, size_t size) {
  struct mpl_kernel_record on_fibres = *record;
  on_fibres.group = NULL;
  on_fibres.flags = 0;
  void *other = malloc(size);
  memset(out, 0x55, size);
  memset(other, 0x55, size);
  EXPECT(record->group, "%s is not compiled", record->name);
  int a = run_on(record, global, local, in, out);
  int b = run_on(&on_fibres, global, local, in, other);
  EXPECT(!a && !b, "%s: errors %d and %d: %s", record->name, a, b, mpl_error_text());
  EXPECT(!memcmp(out, other, size), "%s, groups of %zu: the engines differ", record->name, local);
  free(other);
}

static inline int result(void) {
  if (failures) printf("%d failed\n", failures);
  return failures != 0;
}

#endif

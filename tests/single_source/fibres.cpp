// Kernels that are not compiled, each with the reason at the line that is one, and one that is.
// Without SYCL's header, which takes a compiler long.
#include <maniple/kernel.h>

#include <functional>

#define KERNEL(name)                                                                               \
  static void name(void *);                                                                        \
  MPL_KERNEL_RECORD mpl_kernel_record name##_record = {                                            \
      MPL_KERNEL_RECORD_VERSION, 0, #name, __FILE__, __LINE__, 1, name, sizeof(struct args)};      \
  static void name(void *block)

int elsewhere(int);
struct shape {
  virtual int area(int) const;
};
struct args {
  int *x;
  const std::function<int(int)> *wrapped;
  int (*const *functions)(int);
  const shape *shapes;
};
static const args &of(void *block) {
  return *static_cast<const args *>(block);
}
static int counted(int n) {
  int sum = mpl_sub_group_reduce_add_int(n, nullptr);
  return n < 2 ? sum : sum + counted(n - 1); // recursion
}

KERNEL(compiled) {
  of(block).x[mpl_get_global_id(0)] = mpl_work_group_reduce_add_int(1, nullptr);
}
KERNEL(by_pointer) {
  size_t i = mpl_get_global_id(0);
  of(block).x[i] = of(block).functions[i % 2](1); // it calls a function through a pointer
}
KERNEL(is_virtual) {
  size_t i = mpl_get_global_id(0);
  of(block).x[i] = of(block).shapes[i].area(1); // it calls a function through a pointer
}
KERNEL(of_another_file) {
  of(block).x[mpl_get_global_id(0)] =
      elsewhere(1); // it calls a function that is defined elsewhere: 'elsewhere(int)'
}
KERNEL(throws) {
  size_t i = mpl_get_global_id(0);
  if (of(block).x[i] > 1000000) throw i; // it may throw an exception
}
KERNEL(recursive) {
  of(block).x[mpl_get_global_id(0)] = counted(5);
}
// In a header of the library: the line that leads there is said.
static int call(const std::function<int(int)> &f) {
  return f(1); // it calls a function
}
KERNEL(by_library) {
  of(block).x[mpl_get_global_id(0)] = call(*of(block).wrapped);
}
KERNEL(jumps) {
  size_t i = mpl_get_global_id(0);
  const void *const places[] = {&&first, &&second};
  goto *places[i % 2]; // it jumps to the address of a label
first:
  of(block).x[i] = 1;
  return;
second:
  of(block).x[i] = 2;
}

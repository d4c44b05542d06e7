// options: -cl-std=clc++2021
// launch: 1 1 0
template <class T> T twice(T x) { return x + x; }
struct adder { int by; int operator()(int x) const { return x + by; } };
kernel void k(void) {
  constexpr auto inc = adder{1};
  if constexpr (__OPENCL_CPP_VERSION__ == 202100) printf("%d\n", twice(20) + inc(1));
}

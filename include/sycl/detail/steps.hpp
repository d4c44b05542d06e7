/* ++ and -- of the 16-bit floating-point types, by way of float. */
#ifndef SYCL_DETAIL_STEPS_HPP
#define SYCL_DETAIL_STEPS_HPP

namespace sycl::detail {

template <typename T> struct steps {
  friend constexpr T &operator++(T &a) { return a = T(float(a) + 1); }
  friend constexpr T &operator--(T &a) { return a = T(float(a) - 1); }
  friend constexpr T operator++(T &a, int) {
    T old = a;
    ++a;
    return old;
  }
  friend constexpr T operator--(T &a, int) {
    T old = a;
    --a;
    return old;
  }
};

} // namespace sycl::detail

#endif

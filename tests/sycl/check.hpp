// What the SYCL tests share: expectations, and a queue whose errors come out.
#ifndef TESTS_SYCL_CHECK_HPP
#define TESTS_SYCL_CHECK_HPP

#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>

namespace test {

inline int failures = 0;

inline bool expect(bool good, const char *what, const char *file, int line) {
  if (good) return true;
  if (++failures <= 20) std::printf("%s:%d: %s\n", file, line, what);
  return false;
}

// The error code with which `action` throws; success if it does not throw at all.
template <typename F> sycl::errc code_of(const F &action) {
  try {
    action();
  } catch (const sycl::exception &e) {
    return static_cast<sycl::errc>(e.code().value());
  }
  return sycl::errc::success;
}

inline void rethrow(sycl::exception_list list) {
  for (const auto &error : list) std::rethrow_exception(error);
}

// Of a program that is compiled for GPUs, on one, unless it is to see the CPU alone.
inline sycl::queue make_queue() {
#ifdef __MANIPLE_CUDA__
  const char *kinds = std::getenv("MANIPLE_DEVICES");
  if (!kinds || std::strcmp(kinds, "cpu")) return sycl::queue(sycl::gpu_selector_v, rethrow);
#endif
  return sycl::queue(rethrow);
}

inline int result() {
  if (failures) std::printf("%d failed\n", failures);
  return failures != 0;
}

} // namespace test

#define EXPECT(...) test::expect(bool(__VA_ARGS__), #__VA_ARGS__, __FILE__, __LINE__)

#endif

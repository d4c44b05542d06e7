// Functions of kernels on a GPU, each against the host's: math of float, double and half, integers,
// atomics of all types, kinds of USM, vectors.
#include "../../sycl/check.hpp"

#include <cmath>
#include <cstdint>
#include <limits>

namespace {

constexpr int count = 64;

// At most `ulp` units of the last place of T apart, or both NaN.
template <typename T> bool near(T a, double b, double ulp) {
  if (std::isnan(double(a)) || std::isnan(b)) return std::isnan(double(a)) == std::isnan(b);
  if (double(a) == b) return true;
  int bits = sizeof(T) == 2   ? 10
             : sizeof(T) == 4 ? 23
                              : 52,
      least = sizeof(T) == 2   ? -24
              : sizeof(T) == 4 ? -149
                               : -1074;
  double unit = std::ldexp(1.0, std::max(std::ilogb(b) - bits, least));
  return std::fabs(double(a) - b) <= ulp * unit;
}

template <typename T> T with_exponent(T v) {
  int exponent;
  T part = sycl::frexp(v, &exponent);
  return part + T(exponent);
}
double with_exponent(double v) {
  int exponent;
  double part = std::frexp(v, &exponent);
  return part + exponent;
}

// Units of the last place for float and double, twice as many for half but where a row says EXACT; what a kernel
// says of a v of type T; what the host says of the same as a double.
#define FUNCTIONS(ROW, EXACT)                                                                      \
  ROW(sin, 4, sycl::sin(v), std::sin(v))                                                           \
  ROW(cos, 4, sycl::cos(v), std::cos(v))                                                           \
  ROW(tan, 5, sycl::tan(v), std::tan(v))                                                           \
  ROW(asinh, 4, sycl::asinh(v), std::asinh(v))                                                     \
  ROW(atan, 5, sycl::atan(v), std::atan(v))                                                        \
  ROW(sinh, 4, sycl::sinh(v), std::sinh(v))                                                        \
  ROW(cosh, 4, sycl::cosh(v), std::cosh(v))                                                        \
  ROW(tanh, 5, sycl::tanh(v), std::tanh(v))                                                        \
  ROW(exp, 3, sycl::exp(v), std::exp(v))                                                           \
  ROW(exp2, 3, sycl::exp2(v), std::exp2(v))                                                        \
  ROW(expm1, 3, sycl::expm1(v), std::expm1(v))                                                     \
  ROW(log, 3, sycl::log(v), std::log(v))                                                           \
  ROW(log2, 3, sycl::log2(v), std::log2(v))                                                        \
  ROW(log10, 3, sycl::log10(v), std::log10(v))                                                     \
  ROW(log1p, 2, sycl::log1p(v), std::log1p(v))                                                     \
  ROW(cbrt, 2, sycl::cbrt(v), std::cbrt(v))                                                        \
  ROW(erf, 16, sycl::erf(v), std::erf(v))                                                          \
  ROW(erfc, 16, sycl::erfc(v), std::erfc(v))                                                       \
  ROW(tgamma, 16, sycl::tgamma(v), std::tgamma(v))                                                 \
  ROW(sqrt, 0.5, sycl::sqrt(v), std::sqrt(v))                                                      \
  ROW(floor, 0, sycl::floor(v), std::floor(v))                                                     \
  ROW(ceil, 0, sycl::ceil(v), std::ceil(v))                                                        \
  ROW(trunc, 0, sycl::trunc(v), std::trunc(v))                                                     \
  ROW(rint, 0, sycl::rint(v), std::rint(v))                                                        \
  ROW(round, 0, sycl::round(v), std::round(v))                                                     \
  ROW(fabs, 0, sycl::fabs(v), std::fabs(v))                                                        \
  ROW(logb, 0, sycl::logb(v), std::logb(v))                                                        \
  ROW(pow, 16, sycl::pow(v, T(1.7f)), std::pow(v, double(T(1.7f))))                                \
  ROW(atan2, 6, sycl::atan2(v, T(2.5f)), std::atan2(v, double(T(2.5f))))                           \
  ROW(hypot, 4, sycl::hypot(v, T(1.25f)), std::hypot(v, double(T(1.25f))))                         \
  ROW(fmod, 0, sycl::fmod(v, T(0.75f)), std::fmod(v, double(T(0.75f))))                            \
  ROW(remainder, 0, sycl::remainder(v, T(0.75f)), std::remainder(v, double(T(0.75f))))             \
  ROW(fmax, 0, sycl::fmax(v, T(3.0f)), std::fmax(v, double(T(3.0f))))                              \
  ROW(fmin, 0, sycl::fmin(v, T(3.0f)), std::fmin(v, double(T(3.0f))))                              \
  ROW(fdim, 0.5, sycl::fdim(v, T(2.0f)), std::fdim(v, double(T(2.0f))))                            \
  ROW(copysign, 0, sycl::copysign(v, T(-1.0f)), std::copysign(v, double(T(-1.0f))))                \
  EXACT(fma, 0.5, sycl::fma(v, v, T(1)), std::fma(v, v, 1.0))                                      \
  ROW(rsqrt, 2, sycl::rsqrt(v), 1 / std::sqrt(v))                                                  \
  EXACT(quotient, 0.5, T(1) / v, 1 / v)                                                            \
  EXACT(ldexp, 0, sycl::ldexp(v, 3), v * 8)                                                        \
  EXACT(frexp, 0.5, with_exponent(v), with_exponent(double(v)))

// All in one kernel of a type: with a kernel for each, a program's parts around its kernels took half the time to compile.
template <typename T> void math(sycl::queue &q, double factor) {
  constexpr int functions = 0
#define COUNT(...) +1
      FUNCTIONS(COUNT, COUNT);
  T *x = sycl::malloc_shared<T>(count, q), *y = sycl::malloc_shared<T>(count * functions, q);
  for (int i = 0; i < count; i++) x[i] = T(0.07f + 0.11f * float(i));
  q.parallel_for(sycl::range(count), [=](sycl::id<1> i) {
     T v = x[i], *to = y + i * functions;
#define KERNEL(name, ulp, kernel, host) *to++ = kernel;
     FUNCTIONS(KERNEL, KERNEL)
   }).wait();
  struct {
    const char *name;
    double ulp;
    double (*host)(double);
  } const expected[] = {
#define HOST(name, ulp, kernel, host) {#name, ulp * factor, [](double v) { return double(host); }},
#define SAME(name, ulp, kernel, host) {#name, ulp, [](double v) { return double(host); }},
      FUNCTIONS(HOST, SAME)};
  for (int k = 0; k < functions; k++) {
    bool right = true;
    for (int i = 0; i < count; i++)
      right &= near(y[i * functions + k], expected[k].host(double(x[i])), expected[k].ulp);
    test::expect(right, expected[k].name, __FILE__, int(sizeof(T)));
  }
  sycl::free(x, q);
  sycl::free(y, q);
}

void integers(sycl::queue &q) {
  std::uint32_t *x = sycl::malloc_shared<std::uint32_t>(8 * count, q);
  q.parallel_for(sycl::range(count), [=](sycl::id<1> id) {
     std::uint32_t i = std::uint32_t(id[0]), v = i * 2654435761u, *to = x + 8 * i;
     to[0] = sycl::clz(v);
     to[1] = sycl::popcount(v);
     to[2] = sycl::mul_hi(v, v);
     to[3] = sycl::rotate(v, 5u);
     to[4] = sycl::add_sat(v, 0x80000000u);
     to[5] = std::uint32_t(sycl::sub_sat(std::int32_t(v), std::int32_t(0x7fffffff)));
     to[6] = sycl::abs_diff(v, 12345u);
     to[7] = sycl::hadd(v, 3u);
   }).wait();
  for (std::uint32_t i = 0; i < count; i++) {
    std::uint32_t v = i * 2654435761u, *to = x + 8 * i;
    std::int64_t less = std::int64_t(std::int32_t(v)) - 0x7fffffff;
    EXPECT(to[0] == std::uint32_t(v ? __builtin_clz(v) : 32));
    EXPECT(to[1] == std::uint32_t(__builtin_popcount(v)));
    EXPECT(to[2] == std::uint32_t(std::uint64_t(v) * v >> 32));
    EXPECT(to[3] == (v << 5 | v >> 27));
    EXPECT(to[4] == (v >> 31 ? 0xffffffff : v + 0x80000000u));
    EXPECT(std::int32_t(to[5]) == (less < INT32_MIN ? INT32_MIN : less));
    EXPECT(to[6] == (v > 12345 ? v - 12345 : 12345 - v));
    EXPECT(to[7] == std::uint32_t((std::uint64_t(v) + 3) / 2));
  }
  sycl::free(x, q);
}

template <typename T, sycl::memory_order Order> void atomics(sycl::queue &q) {
  using reference = sycl::atomic_ref<T, Order, sycl::memory_scope::device>;
  T *x = sycl::malloc_shared<T>(4, q);
  x[0] = x[1] = 0;
  x[2] = T(1000);
  x[3] = 0;
  q.parallel_for(sycl::nd_range<1>(512, 64), [=](sycl::nd_item<1> it) {
     reference(x[0]).fetch_add(T(1));
     reference(x[1]).fetch_max(T(it.get_global_id(0)));
     reference(x[2]).fetch_min(T(it.get_global_id(0) + 3));
     reference both(x[3]);
     T seen = both.load();
     while (!both.compare_exchange_strong(seen, seen + T(2)))
       ;
   }).wait();
  EXPECT(x[0] == T(512));
  EXPECT(x[1] == T(511));
  EXPECT(x[2] == T(3));
  EXPECT(x[3] == T(1024));
  sycl::free(x, q);
}

void local_atomics(sycl::queue &q) {
  sycl::buffer<int> sums(8);
  q.submit([&](sycl::handler &h) {
    sycl::accessor to(sums, h, sycl::write_only);
    sycl::local_accessor<int> sum(1, h);
    h.parallel_for(sycl::nd_range<1>(8 * 96, 96), [=](sycl::nd_item<1> it) {
      if (it.get_local_id(0) == 0) sum[0] = 0;
      sycl::group_barrier(it.get_group());
      sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group>(sum[0]) +=
          int(it.get_local_id(0));
      sycl::group_barrier(it.get_group());
      if (it.get_local_id(0) == 5) to[it.get_group(0)] = sum[0];
    });
  });
  sycl::host_accessor seen(sums);
  for (int i = 0; i < 8; i++) EXPECT(seen[i] == 96 * 95 / 2);
}

// Memory of each kind is written by the host's commands and by kernels.
void memory(sycl::queue &q) {
  int *device = sycl::malloc_device<int>(count, q), *host = sycl::malloc_host<int>(count, q),
      mine[count], back[count];
  for (int i = 0; i < count; i++) mine[i] = i * i;
  sycl::event copied = q.memcpy(device, mine, sizeof mine);
  sycl::event filled = q.fill(host, 7, count);
  sycl::event ran = q.parallel_for(sycl::range(count), {copied, filled},
                                   [=](sycl::id<1> i) { device[i] += host[i]; });
  q.memcpy(back, device, sizeof back, ran).wait();
  for (int i = 0; i < count; i++) EXPECT(back[i] == i * i + 7);
  q.memset(device, 0, sizeof back).wait();
  q.copy(device, back, count).wait();
  for (int i = 0; i < count; i++) EXPECT(back[i] == 0);
  EXPECT(sycl::get_pointer_type(device, q.get_context()) == sycl::usm::alloc::device);
  EXPECT(sycl::get_pointer_device(host, q.get_context()) == q.get_device());
  sycl::free(device, q);
  sycl::free(host, q);
}

// One buffer, by turns of both devices, which nothing but its accessors orders.
void by_turns(sycl::queue &gpu, sycl::queue &cpu) {
  std::vector<long> data(count, 1);
  {
    sycl::buffer<long> b(data);
    for (int step = 0; step < 10; step++)
      (step % 2 ? cpu : gpu).submit([&](sycl::handler &h) {
        sycl::accessor a(b, h, sycl::read_write);
        h.parallel_for(sycl::range(count), [=](sycl::id<1> i) { a[i] = a[i] * 3 + long(i[0]); });
      });
  }
  for (int i = 0; i < count; i++) {
    long expected = 1;
    for (int step = 0; step < 10; step++) expected = expected * 3 + i;
    EXPECT(data[i] == expected);
  }
}

void in_three_dimensions(sycl::queue &q) {
  sycl::range<3> size(3, 4, 10);
  sycl::buffer<int, 3> b(size);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h, sycl::write_only, sycl::no_init);
    h.parallel_for(sycl::nd_range<3>(size, {1, 2, 5}), [=](sycl::nd_item<3> it) {
      int sum =
          sycl::reduce_over_group(it.get_group(), int(it.get_global_linear_id()), sycl::plus<>());
      a[it.get_global_id()] = sum + int(it.get_local_linear_id());
    });
  });
  sycl::host_accessor a(b, sycl::read_only);
  for (int z = 0; z < 3; z++)
    for (int y = 0; y < 4; y++)
      for (int x = 0; x < 10; x++) {
        int sum = 0;
        for (int k = 0; k < 10; k++) sum += (z * 4 + y / 2 * 2 + k / 5) * 10 + x / 5 * 5 + k % 5;
        EXPECT(a[z][y][x] == sum + y % 2 * 5 + x % 5);
      }
}

void times(sycl::device device) {
  sycl::queue q(device, sycl::property::queue::enable_profiling());
  sycl::event e = q.single_task([] {});
  e.wait();
  namespace info = sycl::info::event_profiling;
  EXPECT(e.get_profiling_info<info::command_submit>() <=
         e.get_profiling_info<info::command_start>());
  EXPECT(e.get_profiling_info<info::command_start>() <= e.get_profiling_info<info::command_end>());
}

} // namespace

int main() {
  sycl::queue q = test::make_queue(), cpu(sycl::cpu_selector_v, test::rethrow);
  math<float>(q, 1);
  math<double>(q, 1);
  math<sycl::half>(q, 2);
  integers(q);
  atomics<int, sycl::memory_order::relaxed>(q);
  atomics<std::uint32_t, sycl::memory_order::acq_rel>(q);
  atomics<long, sycl::memory_order::seq_cst>(q);
  atomics<float, sycl::memory_order::relaxed>(q);
  atomics<double, sycl::memory_order::acq_rel>(q);
  local_atomics(q);
  memory(q);
  by_turns(q, cpu);
  in_three_dimensions(q);
  times(q.get_device());
  return test::result();
}

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

template <typename T, typename Kernel, typename Host>
void compare(sycl::queue &q, const char *name, double ulp, const Kernel &kernel, const Host &host) {
  T *x = sycl::malloc_shared<T>(count, q), *y = sycl::malloc_shared<T>(count, q);
  for (int i = 0; i < count; i++) x[i] = T(0.07f + 0.11f * float(i));
  q.parallel_for(sycl::range(count), [=](sycl::id<1> i) { y[i] = kernel(x[i]); }).wait();
  for (int i = 0; i < count; i++) {
    if (near(y[i], double(host(double(x[i]))), ulp)) continue;
    test::expect(false, name, __FILE__, int(sizeof(T)));
    break;
  }
  sycl::free(x, q);
  sycl::free(y, q);
}

template <typename T> void math(sycl::queue &q, double factor) {
#define ONE(name, ulp)                                                                             \
  compare<T>(                                                                                      \
      q, #name, ulp * factor, [](T v) { return sycl::name(v); },                                   \
      [](double v) { return std::name(v); });
  ONE(sin, 4)
  ONE(cos, 4) ONE(tan, 5) ONE(asinh, 4) ONE(atan, 5) ONE(sinh, 4) ONE(cosh, 4) ONE(tanh, 5)
      ONE(exp, 3) ONE(exp2, 3) ONE(expm1, 3) ONE(log, 3) ONE(log2, 3) ONE(log10, 3) ONE(log1p, 2)
          ONE(cbrt, 2) ONE(erf, 16) ONE(erfc, 16) ONE(tgamma, 16) ONE(sqrt, 0.5) ONE(floor, 0)
              ONE(ceil, 0) ONE(trunc, 0) ONE(rint, 0) ONE(round, 0) ONE(fabs, 0) ONE(logb, 0)
#undef ONE
#define TWO(name, ulp, other)                                                                      \
  compare<T>(                                                                                      \
      q, #name, ulp * factor, [](T v) { return sycl::name(v, T(other)); },                         \
      [](double v) { return std::name(v, double(T(other))); });
                  TWO(pow, 16, 1.7f) TWO(atan2, 6, 2.5f) TWO(hypot, 4, 1.25f) TWO(fmod, 0, 0.75f)
                      TWO(remainder, 0, 0.75f) TWO(fmax, 0, 3.0f) TWO(fmin, 0, 3.0f)
                          TWO(fdim, 0.5, 2.0f) TWO(copysign, 0, -1.0f)
#undef TWO
                              compare<T>(
                                  q, "fma", 0.5, [](T v) { return sycl::fma(v, v, T(1)); },
                                  [](double v) { return std::fma(v, v, 1.0); });
  compare<T>(
      q, "rsqrt", 2 * factor, [](T v) { return sycl::rsqrt(v); },
      [](double v) { return 1 / std::sqrt(v); });
  compare<T>(
      q, "quotient", 0.5, [](T v) { return T(1) / v; }, [](double v) { return 1 / v; });
  compare<T>(
      q, "ldexp", 0, [](T v) { return sycl::ldexp(v, 3); }, [](double v) { return v * 8; });
  compare<T>(
      q, "frexp", 0.5,
      [](T v) {
        int exponent;
        T part = sycl::frexp(v, &exponent);
        return part + T(exponent);
      },
      [](double v) {
        int exponent;
        double part = std::frexp(v, &exponent);
        return part + exponent;
      });
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

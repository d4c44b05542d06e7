// Reductions of parallel_for, against serial loops.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace {

template <typename T, typename Op, typename Ref>
void over_ranges(sycl::queue &q, Op op, Ref ref, T start) {
  for (std::size_t n : {0, 1, 5, 64, 1000, 5000}) {
    T *x = sycl::malloc_shared<T>(n + 1, q);
    for (std::size_t i = 0; i < n; i++) x[i] = T(int(i * 7 % 13) + 1);
    T expected = start;
    for (std::size_t i = 0; i < n; i++) expected = ref(expected, x[i]);
    const T *p = x;
    T sum = start;
    q.parallel_for(sycl::range(n), sycl::reduction(&sum, op), [=](sycl::id<1> i, auto &r) {
       r.combine(p[i]);
     }).wait();
    EXPECT(sum == expected);
    if (n % 5 == 0) {
      sum = start;
      q.parallel_for(sycl::nd_range<1>(n, 5), sycl::reduction(&sum, op),
                     [=](sycl::nd_item<1> it, auto &r) { r.combine(p[it.get_global_id(0)]); })
          .wait();
      EXPECT(sum == expected);
    }
    sycl::free(x, q);
  }
}

struct point {
  int x, y;
};

void of_user_types(sycl::queue &q) {
  auto add = [](const point &a, const point &b) { return point{a.x + b.x, a.y + b.y}; };
  point sum{100, 200}, *p = &sum;
  q.parallel_for(sycl::range(50), sycl::reduction(p, add), [=](sycl::item<1> i, auto &r) {
     r.combine(point{int(i), 1});
   }).wait();
  EXPECT(sum.x == 100 + 1225 && sum.y == 250);
  q.parallel_for(sycl::nd_range<1>(60, 20), sycl::reduction(p, point{0, 0}, add),
                 [=](sycl::nd_item<1> it, auto &r) {
                   if (it.get_local_id(0) % 2) r.combine(r.identity());
                   r.combine(point{1, int(it.get_local_id(0))});
                 })
      .wait();
  EXPECT(sum.x == 1385 && sum.y == 250 + 3 * 190);
}

void several_at_once(sycl::queue &q) {
  int sum = 5, most = 0;
  double product = 1;
  {
    sycl::buffer<int> b(&most, 1);
    q.submit([&](sycl::handler &h) {
      auto s = sycl::reduction(&sum, sycl::plus<>(),
                               {sycl::property::reduction::initialize_to_identity()});
      auto m = sycl::reduction(b, h, sycl::maximum<>());
      h.parallel_for(sycl::range<2>(8, 10), s, m,
                     sycl::reduction(&product, 1.0, sycl::multiplies<double>()),
                     [=](sycl::id<2> i, auto &s, auto &m, auto &p) {
                       s += 1;
                       if (i[1] % 2)
                         ++s;
                       else
                         s++;
                       m.combine(int(i[0] * 10 + i[1]));
                       if (i[0] == 0) p *= 2.0;
                     });
    });
    q.wait_and_throw();
  }
  EXPECT(sum == 160 && most == 79 && product == 1024.0);
}

/* More than a work-item's stack should hold. */
void of_large_span(sycl::queue &q) {
  constexpr std::size_t size = 300;
  std::vector<int> counts(size, 1);
  q.parallel_for(sycl::nd_range<1>(32, 8),
                 sycl::reduction(sycl::span<int, size>(counts.data(), size), sycl::plus<>()),
                 [=](sycl::nd_item<1> it, auto &r) {
                   for (std::size_t i = 0; i < size; i += 2) r[i] += int(it.get_local_id(0));
                 })
      .wait();
  for (std::size_t i = 0; i < size; i++) EXPECT(counts[i] == (i % 2 ? 1 : 1 + 4 * 28));
}

// Into memory that the host may not reach.
void into_device_memory(sycl::queue &q) {
  constexpr std::size_t size = 1000;
  struct pair {
    int a, b;
  };
  int *sums = sycl::malloc_device<int>(3, q), seen[3] = {100, 200, 300};
  pair *both = sycl::malloc_device<pair>(1, q), seen_pair = {5, 1};
  auto add = [](pair a, pair b) { return pair{a.a + b.a, a.b * b.b}; };
  q.memcpy(sums, seen, sizeof seen).wait();
  q.memcpy(both, &seen_pair, sizeof seen_pair).wait();
  q.parallel_for(sycl::range(size), sycl::reduction(sums, sycl::plus<>()),
                 [=](sycl::id<1> i, auto &r) { r += int(i[0]); })
      .wait();
  q.parallel_for(sycl::nd_range<1>(1024, 64),
                 sycl::reduction(sycl::span<int, 2>(sums + 1, 2), sycl::plus<>()),
                 [=](sycl::nd_item<1> at, auto &r) { r[at.get_global_id(0) % 2] += 1; })
      .wait();
  q.parallel_for(sycl::range(size), sycl::reduction(both, add),
                 [=](sycl::id<1>, auto &r) { r.combine({1, -1}); })
      .wait();
  q.memcpy(seen, sums, sizeof seen).wait();
  q.memcpy(&seen_pair, both, sizeof seen_pair).wait();
  EXPECT(seen[0] == 100 + 499500 && seen[1] == 712 && seen[2] == 812);
  EXPECT(seen_pair.a == 1005 && seen_pair.b == 1);
  q.parallel_for(sycl::range(size),
                 sycl::reduction(sums, sycl::plus<>(),
                                 sycl::property::reduction::initialize_to_identity()),
                 [=](sycl::id<1>, auto &r) { ++r; })
      .wait();
  q.memcpy(seen, sums, sizeof seen).wait();
  EXPECT(seen[0] == int(size));
  sycl::free(sums, q);
  sycl::free(both, q);
}

// Floating-point sums are the same in every run.
void repeatable(sycl::queue &q) {
  constexpr std::size_t size = 10000;
  float *x = sycl::malloc_shared<float>(size, q);
  for (std::size_t i = 0; i < size; i++) x[i] = 1.0f / float(i + 1);
  const float *p = x;
  auto sum = [&] {
    float s = 0;
    q.parallel_for(sycl::range(size), sycl::reduction(&s, sycl::plus<>()),
                   [=](sycl::id<1> i, auto &r) { r += p[i]; })
        .wait();
    return s;
  };
  float first = sum();
  for (int turn = 0; turn < 10; turn++) EXPECT(sum() == first);
  EXPECT(first > 9.7f && first < 9.8f);
  sycl::free(x, q);
}

/* More positions than a GPU's work-items, in rows that no group ends with. */
void large(sycl::queue &q) {
  const sycl::range<2> size(577, 499);
  unsigned sum = 5, expected = 5;
  for (unsigned i = 0; i < size[0]; i++)
    for (unsigned j = 0; j < size[1]; j++) expected += i * 1000u + j * j;
  q.parallel_for(size, sycl::reduction(&sum, sycl::plus<>()), [=](sycl::item<2> at, auto &r) {
     unsigned i = unsigned(at[0]), j = unsigned(at[1]);
     r += i * 1000u + j * j;
   }).wait();
  EXPECT(sum == expected);
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  over_ranges<int>(
      q, sycl::plus<>(), [](int a, int b) { return a + b; }, 3);
  over_ranges<unsigned>(
      q, sycl::multiplies<unsigned>(), [](unsigned a, unsigned b) { return a * b; }, 1u);
  over_ranges<short>(
      q, sycl::minimum<>(), [](short a, short b) { return b < a ? b : a; }, short(9));
  over_ranges<long>(
      q, sycl::bit_xor<>(), [](long a, long b) { return a ^ b; }, 255l);
  over_ranges<double>(
      q, sycl::plus<double>(), [](double a, double b) { return a + b; }, 0.5);
  over_ranges<bool>(
      q, sycl::logical_and<>(), [](bool a, bool b) { return a && b; }, true);
  of_user_types(q);
  several_at_once(q);
  of_large_span(q);
  into_device_memory(q);
  repeatable(q);
  large(q);
  return test::result();
}

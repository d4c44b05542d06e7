// Reductions of the elements of a span, against serial loops.  Compiled by maniple c++, none of these
// kernels may run on fibres.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <functional>
#include <type_traits>

namespace {

/* A reducer stays where it is (4.9.2.2). */
template <typename R>
constexpr bool stays = !std::is_copy_constructible_v<R> && !std::is_move_constructible_v<R> &&
                       !std::is_copy_assignable_v<R> && !std::is_move_assignable_v<R>;

// A histogram: a reduction of each element of a span.
void of_spans(sycl::queue &q) {
  int counts[7] = {}, weights[3] = {1, 1, 1};
  q.parallel_for(sycl::range(1000), sycl::reduction(sycl::span(counts), sycl::plus<>()),
                 [=](sycl::id<1> i, auto &r) {
                   static_assert(stays<std::remove_reference_t<decltype(r)>> &&
                                 stays<std::remove_reference_t<decltype(r[0])>>);
                   r[i % 7] += 1;
                 })
      .wait();
  for (int i = 0; i < 7; i++) EXPECT(counts[i] == 1000 / 7 + (i < 1000 % 7));
  q.parallel_for(sycl::nd_range<1>(60, 20),
                 sycl::reduction(sycl::span<int, 3>(weights), 1, std::multiplies<>()),
                 sycl::reduction(sycl::span(counts), sycl::maximum<>()),
                 [=](sycl::nd_item<1> it, auto &w, auto &c) {
                   if (it.get_local_id(0) < 2) w[it.get_group(0)].combine(2);
                   c[it.get_global_id(0) % 7].combine(int(500 + it.get_global_id(0)));
                 })
      .wait();
  EXPECT(weights[0] == 4 && weights[2] == 4 && counts[3] == 559 && counts[4] == 553);
}

/* An operator without an identity: some work-items have combined nothing. */
void without_identity(sycl::queue &q) {
  auto more = [](int a, int b) { return a < b ? b : a; };
  int best[2] = {-5, 70};
  q.parallel_for(sycl::nd_range<1>(64, 16), sycl::reduction(sycl::span(best), more),
                 [=](sycl::nd_item<1> it, auto &r) {
                   if (it.get_global_id(0) % 3 == 0)
                     r[it.get_global_id(0) % 2].combine(int(it.get_global_id(0)));
                 })
      .wait();
  EXPECT(best[0] == 60 && best[1] == 70);
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  of_spans(q);
  without_identity(q);
  return test::result();
}

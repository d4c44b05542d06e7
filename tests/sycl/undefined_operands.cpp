// Only the work-item whose operand is taken has set it; the others pass what nobody knows.  What follows must not be
// taken for what that one alone does.
#include "check.hpp"

#if defined(__clang__)
#pragma clang diagnostic ignored "-Wsometimes-uninitialized"
#else
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#endif

namespace {

constexpr int n = 1024;

// `take(item, x)` gives lane `at` of a sub-group of 16, or of a work-group as wide, what lane `from(at)` has; only
// lanes that the first two take from have set theirs.
template <typename T, typename From, typename Take>
void run(sycl::queue &queue, const char *what, From from, Take take) {
  T *in = sycl::malloc_shared<T>(n, queue);
  int *out = sycl::malloc_shared<int>(n, queue);
  for (int i = 0; i < n; i++) in[i] = T(i * 31 % 97);
  queue
      .parallel_for(sycl::nd_range<1>(n, 16),
                    [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(16)]] {
                      int i = int(item.get_global_id(0)), at = i % 16;
                      T x;
                      if (at == from(0) || at == from(1)) x = T(in[i] + T(1));
                      x = take(item, x);
                      out[i] = at < 2 ? int(x) : -at;
                    })
      .wait();
  for (int i = 0; i < n; i++) {
    int at = i % 16, right = at < 2 ? int(in[i - at + from(at)]) + 1 : -at;
    if (!EXPECT(out[i] == right))
      std::printf("%s: work-item %d has %d in place of %d\n", what, i, out[i], right);
  }
  sycl::free(in, queue);
  sycl::free(out, queue);
}

// (An operand goes to `take` by reference: by value, clang would mark it as defined there.)
template <typename T> void of_type(sycl::queue &queue) {
  auto zero = [](int) { return 0; };
  auto three = [](int) { return 3; };
  auto next = [](int at) { return at + 1; };
  auto last = [](int at) { return at ? at - 1 : 0; };
  auto across = [](int at) { return at ^ 9; };
  using item = sycl::nd_item<1>;
  run<T>(queue, "group_broadcast of a group", zero,
         [](item i, const T &x) { return sycl::group_broadcast(i.get_group(), x); });
  run<T>(queue, "group_broadcast of a group, linear id", three,
         [](item i, const T &x) { return sycl::group_broadcast(i.get_group(), x, 3); });
  run<T>(queue, "group_broadcast of a group, id", three,
         [](item i, const T &x) { return sycl::group_broadcast(i.get_group(), x, sycl::id<1>(3)); });
  run<T>(queue, "group_broadcast of a sub_group", zero,
         [](item i, const T &x) { return sycl::group_broadcast(i.get_sub_group(), x); });
  run<T>(queue, "group_broadcast of a sub_group, linear id", three,
         [](item i, const T &x) { return sycl::group_broadcast(i.get_sub_group(), x, 3); });
  run<T>(queue, "select_from_group", three,
         [](item i, const T &x) { return sycl::select_from_group(i.get_sub_group(), x, 3); });
  run<T>(queue, "shift_group_left", next,
         [](item i, const T &x) { return sycl::shift_group_left(i.get_sub_group(), x); });
  run<T>(queue, "permute_group_by_xor", across,
         [](item i, const T &x) { return sycl::permute_group_by_xor(i.get_sub_group(), x, 9); });
  run<T>(queue, "shift_group_right", last, [](item i, const T &x) {
    T from = sycl::shift_group_right(i.get_sub_group(), x);
    return i.get_local_id(0) ? from : x;
  });
}

// A kernel that calls itself by way of a function stays on fibres.
int sum_to(int many) {
  volatile int once = many;
  return once > 0 ? many + sum_to(once - 1) : 0;
}

} // namespace

int main() {
  sycl::queue queue = test::make_queue();
  of_type<int>(queue);
  of_type<sycl::half>(queue);
  run<long>(queue, "on fibres", [](int) { return 0; }, [](sycl::nd_item<1> item, const long &x) {
    return sycl::group_broadcast(item.get_group(), x) + sum_to(3) - 6;
  });
  return test::result();
}

// Kernels that reduce over sub-groups of 16: a note on those that may count on larger ones, nothing
// on the others.
#include <sycl/sycl.hpp>

static sycl::queue q;
static int *out;

template <typename F> static void run(std::size_t size, const F &kernel) {
  q.parallel_for(sycl::nd_range<1>(size * 2, size), kernel).wait();
}

static int sum(sycl::nd_item<1> it) {
  return sycl::reduce_over_group(it.get_sub_group(), int(it.get_local_id(0)), sycl::plus<>());
}

/* The work-group's sum, if the sub-group were of 64. */
static void whole() {
  run(64, [](sycl::nd_item<1> it) {
    int all = sycl::reduce_over_group(it.get_sub_group(), 1, sycl::plus<>());
    if (it.get_local_id(0) == 0) out[it.get_group(0)] = all;
  });
}

/* Of two steps, with the width of 32 in the source. */
static void in_steps() {
  q.submit([](sycl::handler &h) {
     sycl::local_accessor<int> part(2, h);
     h.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it) {
       std::size_t i = it.get_local_id(0);
       int most = sycl::reduce_over_group(it.get_sub_group(), int(i), sycl::maximum<>());
       if (i % 32 == 0) part[i / 32] = most;
       sycl::group_barrier(it.get_group());
       if (i == 0) out[0] = part[0] + part[1];
     });
   }).wait();
}

/* Each is right for any size. */
static void others() {
  run(16, [](sycl::nd_item<1> it) { out[it.get_global_id(0)] = sum(it); });
  run(64, [](sycl::nd_item<1> it) {
    int here = sum(it);
    if (it.get_sub_group().leader())
      sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(out[0]) +=
          here;
  });
  run(64, [](sycl::nd_item<1> it) {
    int here = sum(it), size = int(it.get_sub_group().get_max_local_range()[0]);
    out[it.get_global_id(0) / size] = here;
  });
  run(64, [](sycl::nd_item<1> it) {
    out[it.get_global_id(0)] = sycl::reduce_over_group(it.get_group(), sum(it), sycl::plus<>());
  });
  namespace properties = sycl::ext::oneapi::experimental;
  q.parallel_for(sycl::nd_range<1>(64, 64), properties::properties{properties::sub_group_size<16>},
                 [](sycl::nd_item<1> it) { out[it.get_global_id(0)] = sum(it); })
      .wait();
}

int main() {
  out = sycl::malloc_shared<int>(128, q);
  for (int i = 0; i < 128; i++) out[i] = 0;
  others();
  for (int i = 0; i < 3; i++) whole();
  in_steps();
}

#include <sycl/sycl.hpp>

#include <cstdio>

int main() {
  sycl::queue queue;
  int *x = sycl::malloc_shared<int>(1024, queue);
  queue
      .parallel_for<class sum>(
          sycl::nd_range<1>(1024, 256),
          [=](sycl::nd_item<1> item) {
            x[item.get_global_id(0)] = sycl::reduce_over_group(
                item.get_group(), int(item.get_local_id(0)), sycl::plus<int>());
          })
      .wait();
  std::printf("%d\n", x[1000]);
  bool good = x[1000] == 255 * 128;
  sycl::free(x, queue);
  return good ? 0 : 1;
}

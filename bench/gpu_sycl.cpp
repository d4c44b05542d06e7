// Four ordinary kernels in SYCL on a GPU; gpu_sycl_beside.c has the same in OpenCL C:
//
//   maniple c++ --target=cuda -O3 gpu_sycl.cpp -o bench_gpu_sycl && ./bench_gpu_sycl
//
// Rows `kernel  microseconds  answer`: back to back by the host's clock, the least of five series, of
// 2^26 floats (the stencil 4096 x 4096) in memory of the device.
#include <sycl/sycl.hpp>

#include <chrono>
#include <cstdio>
#include <vector>

namespace {

constexpr std::size_t count = std::size_t(1) << 26, side = 4096, group = 256;

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

template <typename F> void measure(sycl::queue &queue, const char *name, float *answer, F enqueue) {
  constexpr int series = 5, launches = 30;
  double best = 1e30;
  for (int i = 0; i < 3; i++) enqueue();
  queue.wait();
  for (int s = 0; s < series; s++) {
    double start = now();
    for (int i = 0; i < launches; i++) enqueue();
    queue.wait();
    double each = (now() - start) / launches;
    if (each < best) best = each;
  }
  float value;
  queue.memcpy(&value, answer, sizeof value).wait();
  std::printf("%-24s %9.1f us  %g\n", name, best * 1e6, double(value));
}

} // namespace

int main() {
  sycl::queue queue{sycl::gpu_selector_v, sycl::property::queue::in_order()};
  float *x = sycl::malloc_device<float>(count, queue), *y = sycl::malloc_device<float>(count, queue);
  float *sum = sycl::malloc_device<float>(1, queue);
  std::vector<float> host(count);
  for (std::size_t i = 0; i < count; i++) host[i] = float(i % 1024) / 1024;
  queue.memcpy(x, host.data(), count * sizeof(float)).wait();
  queue.fill(y, 0.0f, count).wait();
  const sycl::nd_range<1> groups(count, group);
  const sycl::property::reduction::initialize_to_identity from_zero;

  measure(queue, "saxpy, range", y + 5, [&] {
    queue.parallel_for(sycl::range<1>(count), [=](sycl::id<1> i) { y[i] = 0.5f * x[i] + y[i]; });
  });
  measure(queue, "saxpy, nd_range", y + 5, [&] {
    queue.parallel_for(groups, [=](sycl::nd_item<1> at) {
      std::size_t i = at.get_global_id(0);
      y[i] = 0.5f * x[i] + y[i];
    });
  });
  auto stencil = [=](std::size_t i, std::size_t j) {
    if (i == 0 || j == 0 || i == side - 1 || j == side - 1) return;
    std::size_t at = i * side + j;
    y[at] = 0.5f * x[at] + 0.125f * (x[at - 1] + x[at + 1] + x[at - side] + x[at + side]);
  };
  measure(queue, "stencil, range", y + side + 5, [&] {
    queue.parallel_for(sycl::range<2>(side, side), [=](sycl::id<2> at) { stencil(at[0], at[1]); });
  });
  measure(queue, "stencil, nd_range", y + side + 5, [&] {
    queue.parallel_for(sycl::nd_range<2>({side, side}, {8, 32}), [=](sycl::nd_item<2> at) {
      stencil(at.get_global_id(0), at.get_global_id(1));
    });
  });
  measure(queue, "scans of groups", y + 5, [&] {
    queue.parallel_for(groups, [=](sycl::nd_item<1> at) {
      std::size_t i = at.get_global_id(0);
      y[i] = sycl::inclusive_scan_over_group(at.get_group(), x[i], sycl::plus<float>());
    });
  });
  measure(queue, "sums of groups", y + 5, [&] {
    queue.parallel_for(groups, [=](sycl::nd_item<1> at) {
      float own = x[at.get_global_id(0)];
      float all = sycl::reduce_over_group(at.get_group(), own, sycl::plus<float>());
      if (at.get_local_id(0) == 0) y[at.get_group(0)] = all;
    });
  });
  measure(queue, "reduction, range", sum, [&] {
    queue.parallel_for(sycl::range<1>(count), sycl::reduction(sum, sycl::plus<float>(), from_zero),
                       [=](sycl::id<1> i, auto &to) { to += x[i]; });
  });
  measure(queue, "reduction, nd_range", sum, [&] {
    queue.parallel_for(groups, sycl::reduction(sum, sycl::plus<float>(), from_zero),
                       [=](sycl::nd_item<1> at, auto &to) { to += x[at.get_global_id(0)]; });
  });
  sycl::free(x, queue);
  sycl::free(y, queue);
  sycl::free(sum, queue);
  return 0;
}

// A SYCL program whose kernels are compiled for the CPU and for GPUs: both give the same, and what
// a GPU cannot run says so.
#include "../../sycl/check.hpp"

#include <cstring>
#include <string>

static float table[64]; // the host's

static void normalise(sycl::queue &q) {
  constexpr int groups = 4, size = 256, count = groups * size;
  float *x = sycl::malloc_shared<float>(count, q);
  for (int i = 0; i < count; i++) x[i] = float(i);
  q.parallel_for(sycl::nd_range<1>(count, size), [=](sycl::nd_item<1> it) {
     float sum = sycl::reduce_over_group(it.get_group(), x[it.get_global_id(0)], sycl::plus<>());
     x[it.get_global_id(0)] /= sum;
   }).wait();
  for (int i = 0; i < count; i++) {
    float sum = 0; // of whole numbers: exact in any order
    for (int k = 0; k < size; k++) sum += float(i / size * size + k);
    EXPECT(x[i] == float(i) / sum);
  }
  sycl::free(x, q);
}

// Sub-groups of the size that a kernel requires, of functions that several kernels share too.
template <int Size> static void in_sub_groups(sycl::queue &q) {
  constexpr int count = 128;
  int *x = sycl::malloc_shared<int>(count, q);
  for (int i = 0; i < count; i++) x[i] = i;
  q.parallel_for(sycl::nd_range<1>(count, 64),
                 [=](sycl::nd_item<1> it) [[sycl::reqd_sub_group_size(Size)]] {
     auto group = it.get_sub_group();
     int &own = x[it.get_global_id(0)], sum = sycl::reduce_over_group(group, own, sycl::plus<>());
     own = sum + 10000 * int(group.get_max_local_range()[0]) +
           1000000 * int(sycl::shift_group_left(group, int(group.get_local_linear_id()), 1));
     if (group.get_local_linear_id() == Size - 1) own = sum + int(group.get_group_linear_id());
   }).wait();
  for (int i = 0; i < count; i++) {
    int first = i / Size * Size, sum = Size * first + Size * (Size - 1) / 2, lane = i % Size;
    EXPECT(x[i] == (lane == Size - 1 ? sum + i % 64 / Size
                                     : sum + 10000 * Size + 1000000 * (lane + 1)));
  }
  sycl::free(x, q);
}

static std::string message_of(const std::function<void()> &action) {
  try {
    action();
  } catch (const sycl::exception &e) {
    EXPECT(e.code() == sycl::errc::kernel_not_supported);
    return e.what();
  }
  return "";
}

static void refuse(sycl::queue &q) {
  std::string what = message_of([&] {
    q.parallel_for(sycl::nd_range<1>(64, 64),
                   [=](sycl::nd_item<1> it) { table[it.get_global_id(0)] = 1; });
  });
  EXPECT(what.find("cannot run on") != std::string::npos);
  EXPECT(what.find("uses the host's variable 'table") != std::string::npos);
  double (*volatile choice)(double) = [](double a) { return a + 1; };
  double (*function)(double) = choice;
  double *x = sycl::malloc_shared<double>(1, q);
  what = message_of([&] {
    q.parallel_for(sycl::nd_range<1>(1, 1), [=](sycl::nd_item<1>) { *x = function(*x); });
  });
  EXPECT(what.find("calls a function through a pointer") != std::string::npos);
  what = message_of([&] {
    q.parallel_for(sycl::nd_range<1>(1, 1),
                   [=](sycl::nd_item<1>) { *x = double(static_cast<long double>(*x) / 3.0L); });
  });
  EXPECT(what.find("long double") != std::string::npos);
  what = message_of([&] {
    q.single_task([=] {
      if (*x > 5) throw 1;
    });
  });
  EXPECT(what.find("may throw an exception") != std::string::npos);
  what = message_of([&] {
    q.parallel_for(sycl::nd_range<1>(64, 64), [=](sycl::nd_item<1> it)
                                                  [[sycl::reqd_sub_group_size(64)]] { *x = 1; });
  });
  EXPECT(what.find("no sub-groups of 64") != std::string::npos);
  sycl::free(x, q);
}

int main() {
  sycl::queue gpu(sycl::gpu_selector_v, test::rethrow), cpu(sycl::cpu_selector_v, test::rethrow);
  EXPECT(gpu.get_device().is_gpu() && gpu.get_device().has(sycl::aspect::gpu));
  EXPECT(cpu.get_device().is_cpu() && cpu.get_device().has(sycl::aspect::cpu));
  EXPECT(sycl::device().is_cpu());
  static_assert(sycl::any_device_has_v<sycl::aspect::gpu> &&
                !sycl::all_devices_have_v<sycl::aspect::gpu>);
  static_assert(sycl::all_devices_have_v<sycl::aspect::fp64>);
  EXPECT(sycl::device::get_devices(sycl::info::device_type::gpu).size() >= 1);
  auto sizes = gpu.get_device().get_info<sycl::info::device::sub_group_sizes>();
  EXPECT(sizes.size() == 3 && sizes[0] == 8 && sizes[2] == 32);
  normalise(gpu);
  normalise(cpu);
  in_sub_groups<8>(gpu);
  in_sub_groups<16>(gpu);
  in_sub_groups<32>(gpu);
  in_sub_groups<16>(cpu);
  refuse(gpu);
  return test::result();
}

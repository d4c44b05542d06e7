// [[sycl::reqd_work_group_size]], [[sycl::reqd_sub_group_size]] and [[sycl::device_has]] wherever they may stand:
// sub-groups have that size, another group size is refused, and the kernel's queries tell.
#include <sycl/sycl.hpp>

#include "../sycl/check.hpp"

namespace {

using sycl::nd_item, sycl::nd_range, sycl::errc;

template <int D> int lanes(const nd_item<D> &it) {
  return int(it.get_sub_group().get_max_local_range()[0]);
}

template <std::size_t N> struct before_the_function {
  int *out;
  [[sycl::reqd_work_group_size(N)]] void operator()(nd_item<1> it) const {
    out[it.get_global_id(0)] = int(N);
  }
};

template <std::size_t N> struct before_the_function_2 {
  int *out;
  [[sycl::reqd_work_group_size(N, 1)]] void operator()(nd_item<2>) const {
    out[0] = 1;
  }
};

struct behind_the_parameters {
  int *out;
  void operator()(nd_item<2> it) const
      [[sycl::reqd_work_group_size(2, 16), sycl::reqd_sub_group_size(8)]] {
    if (it.get_global_linear_id() < 64) {
      out[it.get_global_linear_id()] = lanes(it);
    }
  }
};

struct defined_elsewhere {
  int *out;
  [[sycl::reqd_work_group_size(3)]] int declared_only(int (&x)[2]) const;
  void operator()(nd_item<1> it) const;
};

void defined_elsewhere::operator()(nd_item<1> it) const
    [[sycl::reqd_work_group_size(32)]] [[sycl::reqd_sub_group_size(8)]] {
  out[it.get_global_id(0)] = lanes(it);
}

class work_groups_of_16;

void work_groups(sycl::queue &q, int *p) {
  auto kernel = [=](nd_item<1> it) [[sycl::reqd_work_group_size(16)]] {
    p[it.get_global_id(0)] = int(it.get_local_range(0));
  };
  q.parallel_for<work_groups_of_16>(nd_range<1>(64, 16), kernel).wait();
  EXPECT(p[63] == 16);
  auto with = [&](auto range, auto function) {
    return test::code_of([&] { q.parallel_for(range, function).wait(); });
  };
  EXPECT(with(nd_range<1>(64, 32), kernel) == errc::nd_range);
  EXPECT(with(nd_range<1>(64, 8), before_the_function<8>{p}) == errc::success && p[9] == 8);
  EXPECT(with(nd_range<1>(64, 8), before_the_function<16>{p}) == errc::nd_range);
  EXPECT(with(nd_range<2>({4, 16}, {2, 16}), behind_the_parameters{p}) == errc::success);
  EXPECT(p[3] == 8);
  EXPECT(with(nd_range<2>({16, 4}, {16, 2}), behind_the_parameters{p}) == errc::nd_range);
  EXPECT(with(nd_range<1>(64, 32), defined_elsewhere{p}) == errc::success && p[3] == 8);
  EXPECT(with(nd_range<1>(64, 64), defined_elsewhere{p}) == errc::nd_range);

  auto bundle = sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context());
  auto named = bundle.get_kernel(sycl::get_kernel_id<work_groups_of_16>());
  namespace query = sycl::info::kernel_device_specific;
  EXPECT(named.get_info<query::compile_work_group_size>(q.get_device()) ==
         sycl::range<3>(1, 1, 16));
}

// The arguments are constants of any kind.
template <int Size> void sub_groups(sycl::queue &q, int *p) {
  constexpr int half = Size / 2;
  q.parallel_for(nd_range<1>(128, 64), [=](nd_item<1> it) [[sycl::reqd_sub_group_size(2 * half)]] {
     p[it.get_global_id(0)] = lanes(it);
   }).wait();
  EXPECT(p[100] == Size);
  q.parallel_for(nd_range<1>(128, 64), [=](auto it) noexcept [[using sycl: reqd_sub_group_size(
                                           Size)]] {
     auto group = it.get_sub_group();
     p[it.get_global_id(0)] = sycl::reduce_over_group(group, 1, sycl::plus<>());
   }).wait();
  EXPECT(p[100] == Size);
  q.parallel_for(nd_range<1>(128, 64), [=](nd_item<1> it) [[sycl::reqd_sub_group_size(Size)]] {
     if (p[it.get_global_id(0)] != Size) throw 1; // not compiled: fibres
     p[it.get_global_id(0)] = -lanes(it);
   }).wait();
  EXPECT(p[100] == -Size);
}

// What has no work-groups of the program's takes no notice, and braces that are none of a kernel's
// get nothing.
void others(sycl::queue &q, int *p) {
  q.single_task([=]() [[sycl::reqd_work_group_size(1)]] { p[0] = 1; }).wait();
  q.parallel_for(64, [=](sycl::item<1> i) [[sycl::reqd_work_group_size(16)]] { p[i] = 5; }).wait();
  EXPECT(p[0] == 5 && p[63] == 5);
  struct [[sycl::reqd_work_group_size(3)]] wrong_place {
    int member;
  }
  value{4};
  int braces[] = {1, 2};
  EXPECT(value.member == 4 && braces[1] == 2);
  EXPECT(test::code_of([&] {
           q.parallel_for(nd_range<1>(64, 64),
                          [=](nd_item<1> it)
                              [[sycl::reqd_sub_group_size(128)]] { p[it.get_global_id(0)] = 1; });
         }) == errc::kernel_not_supported);
  // What no device has, whatever the range is.
  EXPECT(test::code_of([&] {
           q.parallel_for(nd_range<1>(1 << 20, 1 << 20),
                          [=](nd_item<1> it)
                              [[sycl::reqd_sub_group_size(128)]] { p[it.get_global_id(0)] = 1; });
         }) == errc::kernel_not_supported);
  EXPECT(test::code_of([&] {
           q.parallel_for(nd_range<2>({1 << 20, 1}, {1 << 20, 1}), before_the_function_2<1 << 20>{p});
         }) == errc::kernel_not_supported);
  EXPECT(test::code_of([&] {
           q.parallel_for(nd_range<1>(1ull << 32, 1ull << 32), before_the_function<1ull << 32>{p});
         }) == errc::kernel_not_supported);
}

// The groups of a hierarchy have the required size, also where the launch names none.
void sizes_of_hierarchies(sycl::queue &q, int *p) {
  using sycl::group, sycl::range;
  auto by_groups = [&](auto... launch) {
    return test::code_of([&] {
      q.submit([&](sycl::handler &h) { h.parallel_for_work_group(launch...); }).wait();
    });
  };
  auto line = [=](group<1> g) [[sycl::reqd_work_group_size(8)]] {
    g.parallel_for_work_item([&](sycl::h_item<1> i) { p[i.get_global_id(0)] = int(g.get_local_range(0)); });
  };
  auto plane = [=](group<2> g) [[sycl::reqd_work_group_size(2, 8)]] {
    p[0] = int(g.get_local_range(0) * 100 + g.get_local_range(1));
  };
  p[15] = 0;
  EXPECT(by_groups(range<1>(2), range<1>(4), line) == errc::nd_range && p[15] == 0);
  EXPECT(by_groups(range<1>(2), range<1>(8), line) == errc::success && p[15] == 8);
  p[15] = 0;
  EXPECT(by_groups(range<1>(2), line) == errc::success && p[15] == 8);
  EXPECT(by_groups(range<2>(1, 1), plane) == errc::success && p[0] == 208);
  EXPECT(by_groups(range<2>(1, 1), range<2>(8, 2), plane) == errc::nd_range);

  namespace ext = sycl::ext::oneapi::experimental;
  auto any = [=](group<1> g) { p[1] = int(g.get_local_range(0)); };
  ext::properties eight{ext::work_group_size<8>};
  EXPECT(by_groups(range<1>(1), range<1>(4), eight, any) == errc::nd_range);
  EXPECT(by_groups(range<1>(1), eight, any) == errc::success && p[1] == 8);
  EXPECT(by_groups(range<1>(1), any) == errc::success && p[1] == 1);
}

// Tasks, hierarchies and reductions: no group of theirs is the engine's, but the device may lack
// what they require.
void tasks_and_hierarchies(sycl::queue &q, int *p) {
  auto by_groups = [&](auto kernel) {
    return test::code_of([&] {
      q.submit([&](sycl::handler &h) {
         h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(4), kernel);
       }).wait();
    });
  };
  auto task = [&](auto kernel) { return test::code_of([&] { q.single_task(kernel).wait(); }); };
  using sycl::group;
  EXPECT(by_groups([=](group<1> g) [[sycl::reqd_work_group_size(4), sycl::reqd_sub_group_size(8)]] {
           g.parallel_for_work_item([&](sycl::h_item<1> i) { p[i.get_global_id(0)] = 6; });
         }) == errc::success && p[7] == 6);
  EXPECT(by_groups([=](group<1>) [[sycl::reqd_sub_group_size(128)]] { p[0] = 7; }) ==
         errc::kernel_not_supported);
  EXPECT(by_groups([=](group<1>) [[sycl::reqd_work_group_size(1ull << 32)]] { p[0] = 7; }) ==
         errc::kernel_not_supported);
  EXPECT(by_groups([=](group<1>) [[sycl::device_has(sycl::aspect::gpu)]] { p[0] = 7; }) ==
         errc::kernel_not_supported);
  EXPECT(task([=]() [[sycl::reqd_sub_group_size(8)]] { p[1] = 8; }) == errc::success && p[1] == 8);
  EXPECT(task([=]() [[sycl::reqd_sub_group_size(128)]] { p[0] = 7; }) == errc::kernel_not_supported);
  EXPECT(task([=]() [[sycl::device_has(sycl::aspect::gpu)]] { p[0] = 7; }) ==
         errc::kernel_not_supported);
  EXPECT(test::code_of([&] {
           q.parallel_for(sycl::range<1>(8), sycl::reduction(p, sycl::plus<>()),
                          [=](sycl::id<1>, auto &sum)
                              [[sycl::reqd_sub_group_size(128)]] { sum += 1; });
         }) == errc::kernel_not_supported);
  EXPECT(p[0] == 6);
}

[[sycl::device_has(sycl::aspect::accelerator)]] int of_accelerators(int x) {
  return x + 1;
}

// Aspects: a kernel that requires one that no device has is in no bundle, and not launched.
class on_gpus;
class on_cpus;
class on_any;
class on_accelerators;
class too_large;
void aspects(sycl::queue &q, int *p) {
  using sycl::aspect;
  auto on = [&](auto name, auto kernel) {
    return test::code_of([&] {
      q.parallel_for<std::remove_pointer_t<decltype(name)>>(nd_range<1>(64, 32), kernel).wait();
    });
  };
  p[5] = 0;
  EXPECT(on((on_gpus *)nullptr, [=](nd_item<1> it) [[sycl::device_has(aspect::gpu)]] {
           p[it.get_global_id(0)] = 1;
         }) == errc::kernel_not_supported);
  EXPECT(on((on_accelerators *)nullptr, [=](nd_item<1> it) {
           p[it.get_global_id(0)] = of_accelerators(1);
         }) == errc::kernel_not_supported);
  EXPECT(p[5] == 0);
  EXPECT(on((on_cpus *)nullptr, [=](nd_item<1> it) [[sycl::device_has(aspect::cpu, aspect::fp64)]] {
           p[it.get_global_id(0)] = 2;
         }) == errc::success && p[5] == 2);
  EXPECT(on((on_any *)nullptr, [=](nd_item<1> it) [[sycl::device_has()]] {
           p[it.get_global_id(0)] = 3;
         }) == errc::success && p[5] == 3);
  EXPECT(test::code_of([&] {
           q.parallel_for<too_large>(64, [=](sycl::item<1> i)
                                             [[sycl::reqd_work_group_size(~0ul)]] { p[i] = 5; });
         }) == errc::kernel_not_supported && p[5] == 3);
  EXPECT(test::code_of([&] {
           q.parallel_for(64, [=](sycl::item<1> i)
                                  [[sycl::reqd_work_group_size(4294967295)]] { p[i] = 5; });
         }) == errc::kernel_not_supported && p[5] == 3);
  EXPECT(!sycl::is_compatible<on_gpus>(q.get_device()) &&
         !sycl::is_compatible<on_accelerators>(q.get_device()) &&
         !sycl::is_compatible<too_large>(q.get_device()) &&
         sycl::is_compatible<on_cpus>(q.get_device()) &&
         sycl::is_compatible<on_any>(q.get_device()));
  EXPECT(!sycl::get_kernel_bundle<sycl::bundle_state::executable>(q.get_context())
              .has_kernel<on_gpus>());
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  int *p = sycl::malloc_shared<int>(128, q);
  work_groups(q, p);
  sub_groups<8>(q, p);
  sub_groups<32>(q, p);
  sub_groups<64>(q, p);
  others(q, p);
  sizes_of_hierarchies(q, p);
  tasks_and_hierarchies(q, p);
  aspects(q, p);
  sycl::free(p, q);
  return test::result();
}

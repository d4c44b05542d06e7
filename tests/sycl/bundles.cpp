// Specialization constants and kernel bundles: what kernels see, and what is refused.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <functional>
#include <vector>

namespace {

struct pair {
  int first;
  float second;
};
constexpr sycl::specialization_id<int> number{3};
constexpr sycl::specialization_id<pair> both{7, 0.5f};
constexpr sycl::specialization_id<sycl::vec<short, 3>> vector{short(1), short(2), short(3)};
constexpr sycl::specialization_id<int> unread{5};

class reads_all;
class reads_one;
class in_groups;

// A kernel's name is its type's and no more, whatever characters that has.
template <typename T> constexpr char last_of_name = sycl::detail::pretty_name<T>().back();
static_assert(last_of_name<reads_one> == 'e' && last_of_name<pair[2]> == ']');

void constants() {
  sycl::queue q = test::make_queue();
  float *o = sycl::malloc_shared<float>(64, q);
  auto run = [&](auto set) {
    q.submit([&](sycl::handler &h) {
       set(h);
       h.single_task<reads_all>([=](sycl::kernel_handler k) {
         o[0] = float(k.get_specialization_constant<number>());
         o[1] = float(k.get_specialization_constant<both>().first);
         o[2] = k.get_specialization_constant<both>().second;
         o[3] = k.get_specialization_constant<vector>()[2];
       });
     }).wait_and_throw();
  };
  run([](sycl::handler &) {});
  EXPECT(o[0] == 3 && o[1] == 7 && o[2] == 0.5f && o[3] == 3);
  run([](sycl::handler &h) {
    EXPECT(h.get_specialization_constant<number>() == 3);
    h.set_specialization_constant<number>(8);
    h.set_specialization_constant<number>(9); // the last one counts
    h.set_specialization_constant<both>({1, 2.5f});
    h.set_specialization_constant<unread>(1);
    EXPECT(h.get_specialization_constant<number>() == 9);
  });
  EXPECT(o[0] == 9 && o[1] == 1 && o[2] == 2.5f && o[3] == 3);
  run([](sycl::handler &) {}); // a command group knows nothing of the one before
  EXPECT(o[0] == 3);

  // In kernels over ranges, and with group functions around.
  q.submit([&](sycl::handler &h) {
    h.set_specialization_constant<number>(100);
    h.parallel_for<reads_one>(sycl::range<1>(64), [=](sycl::id<1> i, sycl::kernel_handler k) {
      o[i] = float(k.get_specialization_constant<number>() + int(i));
    });
  });
  q.wait_and_throw();
  for (int i = 0; i < 64; i++) EXPECT(o[i] == float(100 + i));
  q.submit([&](sycl::handler &h) {
    h.set_specialization_constant<number>(2);
    h.parallel_for<in_groups>(
        sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> it, sycl::kernel_handler k) {
          o[it.get_global_id(0)] = float(sycl::reduce_over_group(
              it.get_group(), k.get_specialization_constant<number>(), sycl::plus<>()));
        });
  });
  q.wait_and_throw();
  for (int i = 0; i < 64; i++) EXPECT(o[i] == 32);
  sycl::free(o, q);
}

void bundles() {
  using sycl::bundle_state;
  sycl::queue q = test::make_queue();
  sycl::context context = q.get_context(), other;
  sycl::kernel_id all = sycl::get_kernel_id<reads_all>(), one = sycl::get_kernel_id<reads_one>();
  auto input = sycl::get_kernel_bundle<bundle_state::input>(context, {all});
  EXPECT(input.has_kernel(all) && !input.has_kernel(one) && !input.empty());
  EXPECT(input.has_kernel<reads_all>(q.get_device()) && input.get_kernel_ids().size() == 1);
  EXPECT(input.has_specialization_constant<number>() &&
         !input.has_specialization_constant<unread>());
  input.set_specialization_constant<number>(41);
  auto object = sycl::compile(input);
  auto built = sycl::link(object);
  EXPECT(built == sycl::build(input) && built.get_specialization_constant<number>() == 41);
  EXPECT(std::hash<decltype(built)>()(built) == std::hash<decltype(built)>()(sycl::build(input)));
  EXPECT(built.get_kernel<reads_all>().get_kernel_bundle() == built);
  int images = 0;
  for (const auto &image : built) images += image.has_kernel(all);
  EXPECT(images == 1);

  int *o = sycl::malloc_shared<int>(2, q);
  auto launch = [&](const sycl::kernel_bundle<bundle_state::executable> &bundle) {
    q.submit([&](sycl::handler &h) {
       h.use_kernel_bundle(bundle);
       h.single_task<class from_bundle>(
           [=](sycl::kernel_handler k) { o[0] = k.get_specialization_constant<number>(); });
     }).wait_and_throw();
  };
  EXPECT(test::code_of([&] { launch(built); }) == sycl::errc::kernel_not_supported);
  auto whole = sycl::get_kernel_bundle<bundle_state::input>(context);
  whole.set_specialization_constant<number>(42);
  launch(sycl::build(whole));
  EXPECT(o[0] == 42);
  sycl::free(o, q);

  auto joined = sycl::join<bundle_state::executable>(
      {built, sycl::get_kernel_bundle<reads_one, bundle_state::executable>(context)});
  EXPECT(joined.has_kernel(all) && joined.has_kernel(one) &&
         joined.get_specialization_constant<number>() == 41);
  auto none = sycl::get_kernel_bundle<bundle_state::executable>(
      context, [](const sycl::device_image<bundle_state::executable> &) { return false; });
  EXPECT(none.empty() && !none.has_specialization_constant<number>());
  EXPECT(sycl::has_kernel_bundle<bundle_state::executable>(context) &&
         sycl::is_compatible({all, one}, q.get_device()));

  auto group = [&](auto body) {
    return test::code_of([&] {
      q.submit([&](sycl::handler &h) {
        body(h);
        h.single_task([] {});
      });
    });
  };
  EXPECT(group([&](sycl::handler &h) {
           h.set_specialization_constant<number>(1);
           h.use_kernel_bundle(built);
         }) == sycl::errc::invalid);
  EXPECT(group([&](sycl::handler &h) {
           h.use_kernel_bundle(built);
           h.set_specialization_constant<number>(1);
         }) == sycl::errc::invalid);
  sycl::context apart(q.get_device());
  auto foreign = sycl::get_kernel_bundle<bundle_state::executable>(apart);
  EXPECT(group([&](sycl::handler &h) { h.use_kernel_bundle(foreign); }) == sycl::errc::invalid);
  EXPECT(test::code_of([&] {
           sycl::join<bundle_state::executable>({built, foreign});
         }) == sycl::errc::invalid);
  EXPECT(test::code_of([&] {
           sycl::get_kernel_bundle<bundle_state::executable>(context, std::vector<sycl::device>());
         }) == sycl::errc::invalid);
  EXPECT(test::code_of([&] { sycl::compile(input, std::vector<sycl::device>()); }) ==
         sycl::errc::invalid);
  EXPECT(test::code_of([&] { none.get_kernel(all); }) == sycl::errc::invalid);
}

} // namespace

int main() {
  constants();
  bundles();
  return test::result();
}

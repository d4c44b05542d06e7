// Property lists, and variables of the program that each device of each context has for itself,
// against what plain variables would hold.
#include "check.hpp"

#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
using experimental::device_global;
using experimental::properties;

// --- Properties (sycl_ext_oneapi_properties) --------------------------------------------------------

struct level { // one whose value is known when the program runs
  int value;
};
struct speed_key {
  template <int Speed>
  using value_t = experimental::property_value<speed_key, std::integral_constant<int, Speed>>;
};
template <int Speed> inline constexpr speed_key::value_t<Speed> speed;
struct names_key;
template <typename... T> inline constexpr experimental::property_value<names_key, T...> names;

void lists() {
  properties a{speed<3>, names<int, bool>, level{7}}, b{level{8}, speed<3>, names<int, bool>};
  static_assert(std::is_same_v<decltype(a), decltype(b)>);
  static_assert(!std::is_same_v<decltype(a), decltype(properties{speed<3>, level{7}})>);
  static_assert(decltype(a)::has_property<speed_key>() && decltype(a)::has_property<level>());
  static_assert(!properties{level{1}}.has_property<speed_key>());
  static_assert(decltype(a)::get_property<speed_key>().value == 3);
  static_assert(decltype(a)::get_property<speed_key>() == speed<3>);
  static_assert(decltype(a)::get_property<speed_key>() != speed<4>);
  static_assert(std::is_same_v<experimental::empty_properties_t, decltype(properties{})>);
  static_assert(experimental::is_property_list_v<decltype(b)>);
  static_assert(!experimental::is_property_list_v<level>);
  static_assert(sycl::is_device_copyable_v<decltype(a)>);
  static_assert(experimental::work_group_size<4, 2>[0] == 4);
  static_assert(experimental::work_group_size<4, 2>[1] == 2);
  static_assert(experimental::sub_group_size<8>.value == 8);
  properties copy{a};
  EXPECT(copy.get_property<level>().value == 7 && b.get_property<level>().value == 8);
  sycl::queue q = test::make_queue();
  int *seen = sycl::malloc_shared<int>(1, q);
  q.single_task([=] { *seen = copy.get_property<level>().value; }).wait();
  EXPECT(*seen == 7);
  properties gpu{experimental::device_has<sycl::aspect::gpu>};
  properties cpu{experimental::device_has<sycl::aspect::cpu, sycl::aspect::fp64>};
  EXPECT(test::code_of([&] { q.single_task(gpu, [=] { *seen = 1; }); }) ==
         sycl::errc::kernel_not_supported);
  q.single_task(cpu, [=] { *seen += 2; }).wait();
  EXPECT(*seen == 9);
  q.submit([&](sycl::handler &h) {
     h.parallel_for_work_group(sycl::range<1>(1), cpu, [=](sycl::group<1>) { *seen += 4; });
   }).wait();
  EXPECT(*seen == 13);
  sycl::free(seen, q);
}

// --- Variables ---------------------------------------------------------------------------------------

struct pair {
  int first, second;
};

device_global<int> sum;
device_global<int[8]> table;
inline device_global<pair> both;
device_global<int *> pointer;
device_global<int[2][3]> grid;
template <typename T> device_global<T> of_type;
struct has_one {
  static device_global<unsigned> one;
};
device_global<unsigned> has_one::one;
device_global<int, decltype(properties(experimental::device_image_scope,
                                       experimental::host_access_read))>
    host_reads;
device_global<int, decltype(properties(experimental::host_access_none))> host_never;

static_assert(!std::is_copy_constructible_v<decltype(host_reads)>);
static_assert(std::is_copy_constructible_v<decltype(sum)>);
static_assert(host_reads.has_property<experimental::host_access_key>());
static_assert(host_reads.get_property<experimental::host_access_key>().value ==
              experimental::host_access_enum::read);

template <typename To, typename From, typename = void> constexpr bool copies = false;
template <typename To, typename From>
constexpr bool copies<To, From,
                      std::void_t<decltype(std::declval<sycl::queue>().memcpy(
                          std::declval<To>(), std::declval<From>()))>> = true;
static_assert(copies<decltype(sum) &, const void *> && copies<void *, decltype(sum) &>);
static_assert(!copies<decltype(host_reads) &, const void *> &&
              copies<void *, decltype(host_reads) &>);
static_assert(!copies<decltype(host_never) &, const void *> &&
              !copies<void *, decltype(host_never) &>);

template <typename T, typename P> T read(sycl::queue &q, device_global<T, P> &from) {
  T result{};
  q.memcpy(&result, from).wait();
  return result;
}

void values(sycl::queue q) {
  const int begin[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  int end[8] = {}, zero[6] = {9, 9, 9, 9, 9, 9};
  q.copy(grid, zero).wait();
  for (int each : zero) EXPECT(each == 0);
  q.copy(begin, table).wait();
  int *x = sycl::malloc_shared<int>(64, q);
  int before = read(q, sum);
  q.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> it) {
     int i = int(it.get_global_id(0));
     x[i] = table[i % 8];
     sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> all(sum.get());
     all += i;
     if (i == 0) {
       both.get() = {3, 4};
       pointer = &table[2];
       *pointer.get() += 10;
       grid[1][2] = 5;
       of_type<double> = 2.5;
       has_one::one = 6;
       host_reads = 11;
       host_never = host_reads + 1;
     }
   }).wait();
  for (int i = 0; i < 64; i++) EXPECT(x[i] == begin[i % 8] || i % 8 == 2);
  EXPECT(read(q, sum) == before + 63 * 64 / 2);
  EXPECT(read(q, both).first == 3 && read(q, both).second == 4);
  q.copy(table, end).wait();
  for (int i = 0; i < 8; i++) EXPECT(end[i] == begin[i] + (i == 2 ? 10 : 0));
  EXPECT(read(q, of_type<double>) == 2.5 && read(q, has_one::one) == 6 && read(q, host_reads) == 11);
  q.copy(grid, zero).wait();
  for (int i = 0; i < 6; i++) EXPECT(zero[i] == (i == 5 ? 5 : 0));
  q.parallel_for(4, [=](sycl::id<1> i) { // a later kernel sees what the earlier one wrote
     x[i] = i[0] == 0   ? host_never.get()
            : i[0] == 1 ? *table.get_multi_ptr<sycl::access::decorated::no>()[0]
                        : int(of_type<double> * 2);
   }).wait();
  EXPECT(x[0] == 12 && x[1] == 1 && x[2] == 5);
  sycl::free(x, q);
}

void parts(sycl::queue q) {
  const int some[3] = {70, 80, 90};
  int got[8] = {};
  sycl::event first = q.copy(some, table, 3, 5);
  sycl::event second = q.memcpy(table, some, sizeof(int), 4 * sizeof(int), first);
  q.copy(table, got, 4, 4, std::vector<sycl::event>{second}).wait();
  EXPECT(got[0] == 70 && got[1] == 70 && got[2] == 80 && got[3] == 90);
  q.submit([&](sycl::handler &h) { h.memcpy(got, table, 2 * sizeof(int), 6 * sizeof(int)); }).wait();
  EXPECT(got[0] == 80 && got[1] == 90 && got[2] == 80);
  for (std::size_t start : {6, 8, 9, -1}) {
    EXPECT(test::code_of([&] { q.copy(some, table, 3, start); }) == sycl::errc::invalid);
    EXPECT(test::code_of([&] { q.copy(table, got, 3, start); }) == sycl::errc::invalid);
    EXPECT(test::code_of([&] { q.memcpy(table, some, 33, start); }) == sycl::errc::invalid);
  }
}

// Each context and each device has its own; they begin as zeros (or as the program says).
int begins_as(int of_itself) {
#if __cpp_consteval
  return of_itself;
#else
  return of_itself * 0;
#endif
}
#if __cpp_consteval
device_global<int> own{17};
device_global<int> copied(own);
device_global<double> converted(own);
device_global<int[3]> list{5, 2, 3};
device_global<int[2][3]> lists_of{1, 2, 3, 4, 5, 6};
device_global<pair[2]> pairs{pair{1, 2}, pair{3, 4}};
device_global<int[3]> copied_list(list);

void constants(sycl::queue q) {
  int three[3] = {}, six[6] = {};
  q.copy(copied_list, three).wait();
  q.copy(lists_of, six).wait();
  for (int i = 0; i < 3; i++) EXPECT(three[i] == (i == 0 ? 5 : i + 1));
  for (int i = 0; i < 6; i++) EXPECT(six[i] == i + 1);
  pair two[2];
  q.copy(pairs, two).wait();
  EXPECT(two[1].first == 3 && read(q, copied) == 17 && read(q, converted) == 17.0);
}
#else
device_global<int> own;
device_global<int> copied(own);
device_global<double> converted(own);
void constants(sycl::queue q) {
  EXPECT(read(q, copied) == 0 && read(q, converted) == 0);
}
#endif

void instances(sycl::queue q) {
  std::vector<sycl::queue> queues{q};
  sycl::context other;
  queues.emplace_back(other, sycl::device());
  queues.emplace_back(sycl::context(), sycl::device());
  sycl::device root;
  if (root.get_info<sycl::info::device::max_compute_units>() >= 2) {
    auto parts = root.create_sub_devices<sycl::info::partition_property::partition_equally>(1);
    sycl::context of_parts(parts);
    queues.emplace_back(of_parts, parts[0]);
    queues.emplace_back(of_parts, parts[1]);
  }
  int number = 0, *seen = sycl::malloc_shared<int>(32, q);
  for (sycl::queue &each : queues) {
    EXPECT(read(each, own) == begins_as(17));
    int add = ++number;
    each.parallel_for(sycl::nd_range<1>(32, 8), [=](sycl::nd_item<1> it) {
          if (it.get_global_id(0) == 0) own += add;
        }).wait();
    each.parallel_for(sycl::nd_range<1>(32, 8), [=](sycl::nd_item<1> it) {
          seen[it.get_global_id(0)] = own.get() + int(it.get_global_id(0));
        }).wait();
    for (int i = 0; i < 32; i++) EXPECT(seen[i] == begins_as(17) + add + i);
  }
  number = 0;
  for (sycl::queue &each : queues) EXPECT(read(each, own) == begins_as(17) + ++number);
  sycl::queue again(other, sycl::device()); // the same place for another queue
  EXPECT(read(again, own) == begins_as(17) + 2);
  sycl::free(seen, q);
}

// A copy of a variable of one device image that no kernel there reads or writes is refused, where
// the compiler tells of kernels.
using of_image = decltype(properties(experimental::device_image_scope));
device_global<int, of_image> in_no_kernel, in_a_function, in_a_template, by_reference, in_a_range;

int deeper() {
  return in_a_function;
}
template <typename T> void put(T &to, int value) {
  to = value;
}

void images(sycl::queue q) {
  int *x = sycl::malloc_shared<int>(4, q), value = 30;
  q.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> it) {
     int i = int(it.get_global_id(0));
     x[i] = deeper();
     if (i == 0) put(by_reference, 5);
   }).wait();
  q.single_task([=] { put<decltype(in_a_template)>(in_a_template, 6); }).wait();
  q.parallel_for(4, [=](sycl::id<1> i) {
     if (i == 3) in_a_range = 7;
   }).wait();
  EXPECT(read(q, by_reference) == 5 && read(q, in_a_template) == 6 && read(q, in_a_range) == 7);
  EXPECT(read(q, in_a_function) == 0);
#ifdef SYCL_EXT_ONEAPI_DEVICE_GLOBAL
  const sycl::errc refused = sycl::errc::kernel_not_supported;
  EXPECT(test::code_of([&] { q.memcpy(in_no_kernel, &value, sizeof value); }) == refused);
  EXPECT(test::code_of([&] { q.memcpy(&value, in_no_kernel); }) == refused);
  EXPECT(test::code_of([&] { q.copy(in_no_kernel, &value); }) == refused);
  EXPECT(test::code_of([&] { q.copy(&value, in_no_kernel); }) == refused);
  EXPECT(value == 30);
#else // nobody can tell
  q.copy(&value, in_no_kernel).wait();
  EXPECT(read(q, in_no_kernel) == 30);
#endif
  sycl::free(x, q);
}

} // namespace

int main() {
  lists();
  sycl::queue q = test::make_queue();
  values(q);
  values(sycl::queue(sycl::context(), sycl::device()));
  parts(q);
  constants(q);
  instances(q);
  images(q);
  return test::result();
}

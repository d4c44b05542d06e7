// Buffers and accessors: order of commands, write-back, parts, host accessors, local memory.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <memory>
#include <numeric>
#include <vector>

namespace {

void order_of_commands(sycl::queue &q) {
  std::vector<int> data(1000, 1);
  {
    sycl::buffer<int> b(data.data(), data.size());
    sycl::buffer<int> copy{sycl::range(data.size())};
    for (int turn = 0; turn < 20; turn++) {
      q.submit([&](sycl::handler &h) { // reads b, writes copy
        sycl::accessor from(b, h, sycl::read_only);
        sycl::accessor to(copy, h, sycl::write_only, sycl::no_init);
        h.parallel_for(from.get_range(), [=](sycl::id<1> i) { to[i] = from[i] + 1; });
      });
      q.submit([&](sycl::handler &h) { // and back
        sycl::accessor from(copy, h, sycl::read_only);
        sycl::accessor to(b, h, sycl::write_only);
        h.parallel_for(from.get_range(), [=](sycl::item<1> i) { to[i] = from[i]; });
      });
    }
  }
  EXPECT(data[0] == 21 && data[999] == 21);
}

// To the object of a shared or weak pointer, which the buffer does not hold, of an array too.
void final_objects() {
  sycl::queue q = test::make_queue();
  std::vector<int> from{1, 2, 3};
  std::shared_ptr<int[]> array(new int[3]{0, 0, 0}), other(new int[3]{0, 0, 0});
  auto gone = std::make_shared<int>(0);
  int *nowhere = nullptr;
  for (int way = 0; way < 4; way++) {
    sycl::buffer<int> b(from.begin(), from.end());
    if (way == 0) b.set_final_data(array);
    if (way == 1) b.set_final_data(std::weak_ptr<int[]>(other));
    if (way == 2) b.set_final_data(gone);
    if (way == 3) b.set_final_data(nowhere);
    gone.reset();
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h);
      h.parallel_for(3, [=](sycl::id<1> i) { a[i] += 5; });
    });
  }
  EXPECT(array[0] == 6 && array[2] == 8 && other[0] == 6 && other[2] == 8);
  EXPECT(array.use_count() == 1);
}

// A new object, which `weak` watches.
std::shared_ptr<int> watched(std::weak_ptr<int> &weak) {
  auto made = std::make_shared<int>(7);
  weak = made;
  return made;
}

void write_back() {
  sycl::queue q = test::make_queue();
  auto add = [&](auto &b) {
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h);
      h.parallel_for(a.get_range(), [=](sycl::id<1> i) { a[i] += 5; });
    });
  };
  const int constant[3] = {1, 2, 3};
  { // constant data stays as it is
    sycl::buffer<int> b(constant, 3);
    add(b);
    sycl::host_accessor a(b);
    EXPECT(a[2] == 8);
  }
  EXPECT(constant[2] == 3);
  std::vector<int> from{1, 2, 3}, to(3);
  {
    sycl::buffer<int> b(from.begin(), from.end());
    b.set_final_data(to.begin());
    add(b);
  }
  EXPECT(from[0] == 1 && to[0] == 6 && to[2] == 8);
  {
    sycl::buffer<int> b(from.begin(), from.end());
    b.set_final_data(to.data());
    b.set_write_back(false);
    add(b);
    add(b);
  }
  EXPECT(to[0] == 6);
  std::weak_ptr<int> weak;
  {
    sycl::buffer<int> b(watched(weak), 1);
    add(b);
    EXPECT(!weak.expired()); // the buffer holds it
  }
  EXPECT(weak.expired());
  {
    std::unique_ptr<sycl::host_accessor<int>> late;
    const int *own;
    {
      auto made = watched(weak);
      own = made.get();
      sycl::buffer<int> b(std::move(made), 1);
      add(b);
      late = std::make_unique<sycl::host_accessor<int>>(b);
    }
    // An accessor that outlives the buffer has the data, which is the program's own where that is
    // used in place.
    EXPECT((*late)[0] == 12 && (&(*late)[0] != own || !weak.expired()));
  }
  {
    sycl::buffer container(from);
    EXPECT(container.get_range() == sycl::range(3));
    add(container);
  }
  EXPECT(from[1] == 7);
  int array[3] = {1, 2, 3};
  {
    sycl::buffer sized(array, sycl::range(3)); // not a container and its allocator
    static_assert(std::is_same_v<decltype(sized), sycl::buffer<int, 1>>);
    add(sized);
  }
  EXPECT(array[2] == 8);
  {
    sycl::buffer whole(array);
    static_assert(std::is_same_v<decltype(whole), sycl::buffer<int, 1>>);
    add(whole);
  }
  EXPECT(array[2] == 13);
  std::shared_ptr<int[]> held(new int[3]());
  {
    sycl::buffer one(std::make_shared<int>(1), sycl::range(1));
    sycl::buffer three(held, sycl::range(3));
    static_assert(std::is_same_v<decltype(one), sycl::buffer<int, 1>>);
    static_assert(std::is_same_v<decltype(three), sycl::buffer<int, 1>>);
    add(three);
  }
  EXPECT(held[2] == 5);
  { // a buffer of no elements, and one that nobody uses
    sycl::buffer<int> none{sycl::range(0)};
    sycl::buffer<int> of_nothing{nullptr, sycl::range(0)}, room(nullptr, sycl::range(3));
    EXPECT(of_nothing.size() == 0 && room.size() == 3);
    sycl::host_accessor into(room); // it has memory
    into[2] = 1;
    sycl::buffer<double, 2> unused{sycl::range(3, 4)};
    EXPECT(none.size() == 0 && unused.byte_size() == 96);
    add(none);
  }
}

void parts(sycl::queue &q) {
  std::vector<int> data(6 * 8);
  std::iota(data.begin(), data.end(), 0);
  sycl::buffer<int, 2> b(data.data(), sycl::range(6, 8));
  sycl::buffer<int, 2> rows(b, sycl::id(2, 0), sycl::range(2, 8));
  EXPECT(rows.is_sub_buffer() && rows.size() == 16);
  EXPECT(test::code_of([&] { sycl::buffer<int, 2>(b, sycl::id(0, 0), sycl::range(2, 4)); }) ==
         sycl::errc::invalid);
  EXPECT(test::code_of([&] { sycl::buffer<int, 2>(b, sycl::id(5, 0), sycl::range(2, 8)); }) ==
         sycl::errc::invalid);
  EXPECT(test::code_of([&] { sycl::buffer<int, 2>(rows, sycl::id(0, 0), sycl::range(1, 8)); }) ==
         sycl::errc::invalid);
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(rows, h);
    h.parallel_for(a.get_range(), [=](sycl::id<2> i) { a[i] += 100; });
  });
  q.submit([&](sycl::handler &h) { // a box in the middle; a[i][j], and its own iterators
    sycl::accessor box(b, h, sycl::range(3, 2), sycl::id(1, 3));
    h.single_task([=] {
      for (int &each : box) each += 1000;
      box[0][0] += 10000;
      if (box.size() == 6 && box.end() - box.begin() == 6) box[2][1] += 10000;
    });
  });
  sycl::host_accessor a(b, sycl::read_only);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 8; j++) {
      int expected = i * 8 + j + (i == 2 || i == 3 ? 100 : 0);
      if (i >= 1 && i < 4 && j >= 3 && j < 5) expected += 1000;
      if ((i == 1 && j == 3) || (i == 3 && j == 4)) expected += 10000;
      EXPECT(a[i][j] == expected);
    }
  EXPECT(a.get_range() == sycl::range(6, 8) && a.size() == 48);
  auto flat = b.reinterpret<float, 1>(sycl::range(48));
  EXPECT(flat.get_range() == sycl::range(48));
  EXPECT(test::code_of([&] { b.reinterpret<double, 1>(sycl::range(48)); }) == sycl::errc::invalid);
}

void host_accessors(sycl::queue &q) {
  sycl::buffer<int> b{sycl::range(4)};
  {
    sycl::host_accessor a(b, sycl::write_only);
    for (int i = 0; i < 4; i++) a[i] = i;
    sycl::host_accessor again(b, sycl::read_only); // two at once are no deadlock
    EXPECT(again[3] == 3);
    q.submit([&](sycl::handler &h) { // waits until the accessors are gone
      sycl::accessor d(b, h);
      h.parallel_for(sycl::range(4), [=](sycl::id<1> i) { d[i] *= 2; });
    });
    a[3] = 50;
  }
  sycl::host_accessor a(b, sycl::read_only);
  EXPECT(a[1] == 2 && a[3] == 100);
  int sum = 0;
  for (int each : a) sum += each;
  EXPECT(sum == 106 && *a.rbegin() == 100);
  // As in DPC++, where it is derived from an accessor.
  sycl::accessor before = b.get_host_access();
  before[2] = 9;
  static_assert(
      std::is_same_v<decltype(before), sycl::accessor<int, 1, sycl::access_mode::read_write,
                                                      sycl::target::host_buffer>>);
  EXPECT(a[2] == 9 && before.size() == 4);
}

void placeholders(sycl::queue &q) {
  int data = 3;
  {
    sycl::buffer<int> b(&data, 1);
    sycl::accessor<int, 1, sycl::access_mode::read_write> later(b);
    EXPECT(later.is_placeholder());
    q.submit([&](sycl::handler &h) {
      h.require(later);
      h.single_task([=] { later[0] = 8; });
    });
    sycl::accessor<int, 0> zero_dimensions;
    EXPECT(zero_dimensions.empty());
    sycl::buffer<int> empty{sycl::range(0)}, one{sycl::range(1)};
    sycl::accessor<int, 0> of_none(empty), of_one(one);
    EXPECT(of_none.empty() && of_none.byte_size() == 0 && of_one.size() == 1);
    EXPECT(test::code_of([&] {
             q.submit([&](sycl::handler &h) { h.require(zero_dimensions); });
           }) == sycl::errc::accessor);
    q.submit([&](sycl::handler &h) {
      sycl::accessor<int, 0> one(b, h);
      h.single_task([=] { one = one + 1; });
    });
  }
  EXPECT(data == 9);
}

void copies(sycl::queue &q) {
  std::vector<int> from(12), to(12);
  std::iota(from.begin(), from.end(), 1);
  sycl::buffer<int, 2> a{sycl::range(3, 4)}, b{sycl::range(3, 4)};
  q.submit([&](sycl::handler &h) { h.copy(from.data(), sycl::accessor(a, h, sycl::write_only)); });
  q.submit([&](sycl::handler &h) {
    h.copy(sycl::accessor(a, h, sycl::read_only), sycl::accessor(b, h, sycl::write_only));
  });
  q.submit([&](sycl::handler &h) {
     h.copy(sycl::accessor(b, h, sycl::read_only), to.data());
   }).wait();
  EXPECT(to == from);
  q.submit([&](sycl::handler &h) {
    h.fill(sycl::accessor<int, 2>(a, h, sycl::range(1, 2), sycl::id(1, 1)), 99);
  });
  sycl::host_accessor host(a, sycl::read_only);
  EXPECT(host[1][1] == 99 && host[1][2] == 99 && host[1][3] == 8 && host[0][1] == 2);
}

void local_memory(sycl::queue &q) {
  const std::size_t groups = 5, items = 48;
  std::vector<int> out(groups * items);
  {
    sycl::buffer b(out);
    q.submit([&](sycl::handler &h) {
      sycl::accessor to(b, h, sycl::write_only);
      sycl::local_accessor<char> bytes(3, h); // what comes after it is aligned again
      sycl::local_accessor<double, 2> tile(sycl::range(6, 8), h);
      sycl::local_accessor<int, 0> single(h);
      EXPECT(tile.get_range() == sycl::range(6, 8) && tile.byte_size() == 48 * sizeof(double));
      h.parallel_for(sycl::nd_range<1>(groups * items, items), [=](sycl::nd_item<1> it) {
        std::size_t i = it.get_local_id(0);
        if (i < 3) bytes[i] = char(i + 1);
        tile[i / 8][i % 8] = double(i);
        if (i == 7) single = int(it.get_group(0));
        sycl::group_barrier(it.get_group());
        std::size_t other = items - 1 - i;
        sycl::id<2> at = i % 2 ? sycl::id(other / 8, other % 8) : sycl::id<2>(0, other);
        to[it.get_global_id()] = int(tile[at]) + 1000 * single + /* rows run on */
                                 100000 * (bytes[0] + bytes[1] + bytes[2]);
      });
    });
  }
  for (std::size_t i = 0; i < out.size(); i++)
    EXPECT(out[i] == int(items - 1 - i % items + 1000 * (i / items) + 600000));
}

void old_spelling(sycl::queue &q) {
  int data[4] = {1, 2, 3, 4};
  {
    sycl::buffer<int, 1> b(data, sycl::range<1>(4));
    q.submit([&](sycl::handler &h) {
      auto a = b.get_access<sycl::access::mode::read_write>(h);
      sycl::accessor<int, 1, sycl::access::mode::read_write, sycl::access::target::local> l(
          sycl::range<1>(4), h);
      h.parallel_for<class old_kernel>(sycl::nd_range<1>(sycl::range<1>(4), sycl::range<1>(4)),
                                       [=](sycl::nd_item<1> it) {
                                         l[it.get_local_id()] = a[it.get_global_id()];
                                         it.barrier(sycl::access::fence_space::local_space);
                                         int *p = a.get_pointer();
                                         p[it.get_global_id(0)] = l[3 - it.get_local_id(0)];
                                       });
    });
    auto host = b.get_access<sycl::access::mode::read>();
    EXPECT(host[0] == 4 && host[3] == 1);
  }
  EXPECT(data[0] == 4);
}

template <typename T, typename A> constexpr bool makes = std::is_constructible_v<T, A>;

void pointers(sycl::queue &q) {
  using sycl::access_mode;
  using to_int =
      sycl::multi_ptr<int, sycl::access::address_space::global_space, sycl::access::decorated::no>;
  using to_const = sycl::multi_ptr<const int, sycl::access::address_space::global_space,
                                   sycl::access::decorated::no>;
  using to_local =
      sycl::multi_ptr<int, sycl::access::address_space::local_space, sycl::access::decorated::no>;
  static_assert(
      makes<to_int, sycl::accessor<int, 1, access_mode::read>>); // also of what only reads
  static_assert(makes<to_const, sycl::accessor<int, 1, access_mode::read_write>>);
  static_assert(makes<sycl::constant_ptr<int>,
                      sycl::accessor<int, 1, access_mode::read, sycl::target::constant_buffer>>);
  static_assert(makes<sycl::constant_ptr<void>,
                      sycl::accessor<int, 1, access_mode::read, sycl::target::constant_buffer>>);
  int data[4] = {1, 2, 3, 4};
  {
    sycl::buffer<int, 1> b(data, sycl::range<1>(4));
    q.submit([&](sycl::handler &h) {
      sycl::accessor<int, 1, access_mode::read> reads(b, h);
      sycl::accessor<int, 1, access_mode::read_write> writes(b, h);
      sycl::local_accessor<int, 1> local(4, h);
      h.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> it) {
        auto from = sycl::multi_ptr(reads);
        auto to = sycl::multi_ptr(writes);
        auto between = sycl::multi_ptr(local);
        static_assert(std::is_same_v<decltype(from), to_const> &&
                      std::is_same_v<decltype(to), to_int>);
        static_assert(std::is_same_v<decltype(between), to_local>);
        sycl::constant_ptr<int> old(reads);
        int i = int(it.get_local_id(0));
        between[i] = from[i] + old[i] * 10;
        sycl::group_barrier(it.get_group());
        to[i] = between[3 - i];
      });
    });
  }
  for (int i = 0; i < 4; i++) EXPECT(data[i] == (4 - i) * 11);
  void *const anything = data, *const other = nullptr;
  sycl::global_ptr<void> p(anything); // in the flavour of 1.2.1 pointers compare with each other
  EXPECT(p == anything && anything == p && p != other && other != p && !(p < anything) &&
         p >= anything);
  EXPECT(p != nullptr && nullptr != p);
  sycl::global_ptr<int> first(data), second(data + 1);
  int *const plain = data;
  EXPECT(first == plain && first < second && plain < second && second > plain && first <= plain);
}

void hierarchical(sycl::queue &q) {
  std::vector<int> out(24);
  {
    sycl::buffer b(out);
    q.submit([&](sycl::handler &h) {
      sycl::accessor to(b, h);
      sycl::local_accessor<int> sum(8, h);
      h.parallel_for_work_group<class hierarchical_kernel>(
          sycl::range<1>(3), sycl::range<1>(8), [=](sycl::group<1> g) {
            g.parallel_for_work_item(
                [&](sycl::h_item<1> i) { sum[i.get_local_id(0)] = int(i.get_global_id(0)); });
            int all = 0; // once for each work-group
            for (int each : sum) all += each;
            g.parallel_for_work_item(
                [&](sycl::h_item<1> i) { to[i.get_global_id()] = all + int(i.get_local_id(0)); });
          });
    });
  }
  EXPECT(out[0] == 28 && out[9] == 28 + 64 + 1 && out[23] == 28 + 128 + 7);
}

// Buffers of constant elements, accessors with properties, and those of SYCL 1.2.1.
void other_accessors() {
  int v[6] = {1, 2, 3, 4, 5, 6};
  sycl::queue q = test::make_queue();
  {
    sycl::buffer<const int> constant(v, sycl::range<1>(6));
    sycl::host_accessor<const int, 1, sycl::access_mode::read> host(constant);
    EXPECT(host[5] == 6 && !host.has_property<sycl::property::no_init>());
  }
  sycl::buffer braced{v, {2, 3}};
  static_assert(std::is_same_v<decltype(braced), sycl::buffer<int, 2>>);
  sycl::buffer<int> b(v, sycl::range<1>(6)), sum{sycl::range<1>(4)};
  q.submit([&](sycl::handler &h) {
    sycl::accessor fresh(sum, h, sycl::write_only, sycl::no_init);
    EXPECT(fresh.has_property<sycl::property::no_init>());
    fresh.get_property<sycl::property::no_init>();
    h.fill(fresh, 0);
  });
  q.submit([&](sycl::handler &h) {
    sycl::accessor<const int, 1, sycl::access_mode::read> in(b, h);
    sycl::accessor<int, 1, sycl::access_mode::read, sycl::target::constant_buffer> same(b, h);
    sycl::accessor<int, 1, sycl::access_mode::atomic> to(sum, h);
    sycl::accessor<int, 1, sycl::access_mode::atomic, sycl::target::local> part(2, h);
    EXPECT(test::code_of([&] { in.get_property<sycl::property::no_init>(); }) ==
           sycl::errc::invalid);
    EXPECT(test::code_of([&] { sycl::accessor(b, h, sycl::read_only, sycl::no_init); }) ==
           sycl::errc::invalid);
    EXPECT(test::code_of([&] { sycl::host_accessor(b, sycl::read_only, sycl::no_init); }) ==
           sycl::errc::invalid);
    h.parallel_for(sycl::nd_range<1>(6, 3), [=](sycl::nd_item<1> it) {
      std::size_t i = it.get_global_id(0);
      if (it.get_local_id(0) == 0) part[0].store(0);
      it.barrier();
      part[0].fetch_add(in[i]);
      it.barrier();
      if (it.get_local_id(0) == 0) to[0].fetch_add(part[0].load());
      sycl::atomic_fetch_max(to[1], in[i]);
      to[2].fetch_or(1 << i);
      sycl::constant_ptr<int> last = same.get_pointer();
      int expected = 0;
      if (to[3].compare_exchange_strong(expected, last[5] * 10)) to[3].fetch_sub(7);
    });
  });
  sycl::host_accessor result(sum, sycl::read_only);
  EXPECT(result[0] == 21 && result[1] == 6 && result[2] == 63 && result[3] == 53);
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  order_of_commands(q);
  write_back();
  final_objects();
  parts(q);
  host_accessors(q);
  placeholders(q);
  copies(q);
  local_memory(q);
  old_spelling(q);
  pointers(q);
  hierarchical(q);
  q.wait_and_throw();
  other_accessors();
  return test::result();
}

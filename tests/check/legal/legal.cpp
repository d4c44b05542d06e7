// SYCL that is right, though it does not look like it: each part has an answer of its own, and
// nothing may be reported.  The schedule is chosen by MANIPLE_CHECK_SCHEDULE.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <numeric>
#include <vector>

namespace {

int failures;

void expect(const char *what, bool right) {
  if (right) return;
  std::printf("%s: wrong\n", what);
  failures++;
}

constexpr size_t items = 96;

template <typename F> void all_of(const char *what, sycl::queue &q, const F &kernel) {
  int *right = sycl::malloc_shared<int>(2 * items, q);
  q.parallel_for(sycl::nd_range<1>(2 * items, items), [=](sycl::nd_item<1> it) {
     right[it.get_global_linear_id()] = kernel(it);
   }).wait();
  expect(what, std::accumulate(right, right + 2 * items, 0) == int(2 * items));
  sycl::free(right, q);
}

// What a predicate holds: a reference to the work-item's own variable, padding, a shared pointer.
void predicates(sycl::queue &q) {
  all_of("reference", q, [](sycl::nd_item<1> it) {
    int most = 3;
    return sycl::all_of_group(it.get_group(), 2, [&most](int x) { return x < most; });
  });
  all_of("padding", q, [](sycl::nd_item<1> it) {
    struct {
      char a;
      int b;
    } limits;
    std::memset(&limits, int(it.get_local_id(0)), sizeof limits);
    limits.a = 1;
    limits.b = 2;
    return sycl::any_of_group(it.get_group(), 2,
                              [limits](int x) { return x == limits.a * limits.b; });
  });
  int *shared = sycl::malloc_shared<int>(1, q);
  *shared = 7;
  all_of("pointer", q, [=](sycl::nd_item<1> it) {
    return !sycl::none_of_group(it.get_group(), 7, [shared](int x) { return x == *shared; });
  });
  sycl::free(shared, q);
}

void waiting(sycl::queue &q) {
  int *turn = sycl::malloc_shared<int>(2, q);
  turn[0] = turn[1] = 0;
  all_of("in turn", q, [=](sycl::nd_item<1> it) {
    sycl::atomic_ref<int, sycl::memory_order::acq_rel, sycl::memory_scope::device> now(
        turn[it.get_group(0)]);
    int own = int(it.get_local_id(0));
    while (now != own) continue;
    now = own + 1;
    sycl::group_barrier(it.get_group());
    return now == int(items);
  });
  sycl::free(turn, q);
}

void sub_groups(sycl::queue &q) {
  all_of("sub-groups", q, [](sycl::nd_item<1> it) {
    sycl::sub_group sg = it.get_sub_group();
    size_t sum = 0;
    for (size_t turn = 0; turn <= sg.get_group_linear_id(); turn++)
      sum += sycl::reduce_over_group(sg, 1, sycl::plus<>());
    bool right = sum == (sg.get_group_linear_id() + 1) * sg.get_local_linear_range();
    if (sg.get_group_linear_id() & 1) right &= sycl::select_from_group(sg, 5, 0) == 5;
    return right;
  });
}

void accessors(sycl::queue &q) {
  std::vector<int> data(64, 1);
  sycl::buffer<int> whole(data), other(sycl::range<1>(16));
  sycl::accessor placeholder(whole);
  q.submit([&](sycl::handler &h) {
    h.require(placeholder);
    h.parallel_for(sycl::range<1>(64), [=](sycl::id<1> i) { placeholder[i] += int(i); });
  });
  q.submit([&](sycl::handler &h) {
    sycl::accessor part(whole, h, sycl::range<1>(16), sycl::id<1>(48));
    sycl::accessor to(other, h, sycl::write_only);
    h.parallel_for(sycl::range<1>(16), [=](sycl::id<1> i) { to[i] = part[i]; });
  });
  {
    sycl::host_accessor read(other, sycl::read_only);
    bool right = true;
    for (size_t i = 0; i < 16; i++) right &= read[i] == int(49 + i);
    expect("part of a buffer", right);
    // Waits for what does not wait for `read`: another reader, and another buffer.
    q.submit([&](sycl::handler &h) {
      sycl::accessor from(other, h, sycl::read_only);
      sycl::accessor to(whole, h);
      h.parallel_for(sycl::range<1>(16), [=](sycl::id<1> i) { to[i] = from[i]; });
    });
    q.wait();
  }
  {
    sycl::host_accessor first(whole);
    expect("copied", first[0] == 49);
  }
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(whole, h);
    h.single_task([=] { a[0] = 3; });
  });
  q.wait();
  expect("after a host_accessor", sycl::host_accessor(whole)[0] == 3);
}

// Work-items are turns of loops here, and copies by the group are allowed.
void hierarchical(sycl::queue &q) {
  sycl::buffer<int> b(sycl::range<1>(64));
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(b, h);
    sycl::local_accessor<int> tile(32, h);
    h.parallel_for_work_group(sycl::range<1>(2), sycl::range<1>(32), [=](sycl::group<1> g) {
      g.parallel_for_work_item(
          [&](sycl::h_item<1> it) { tile[it.get_local_id(0)] = int(it.get_global_id(0)); });
      size_t first = 32 * g.get_group_id(0);
      g.wait_for(g.async_work_group_copy(sycl::global_ptr<int>(&a[first]),
                                         sycl::local_ptr<int>(&tile[0]), 32));
    });
  });
  sycl::host_accessor read(b);
  bool right = true;
  for (size_t i = 0; i < 64; i++) right &= read[i] == int(i);
  expect("hierarchical", right);
}

} // namespace

int main() {
  sycl::queue q;
  predicates(q);
  waiting(q);
  sub_groups(q);
  accessors(q);
  hierarchical(q);
  std::printf("%s\n", failures ? "FAILED" : "ok");
  return failures ? 1 : 0;
}

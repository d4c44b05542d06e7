// SYCL programs as `maniple c++` compiles them: which kernels are compiled, what stays on fibres,
// and that the answers are those of a plain loop.  (tests/sycl, compiled a second time, has the
// rest.)
#include "sycl/check.hpp"

#include <array>
#include <stdexcept>
#include <vector>

namespace {

constexpr int n = 4096, local = 256;

struct shared {
  sycl::queue queue = test::make_queue();
  int *in = sycl::malloc_shared<int>(n, queue), *out = sycl::malloc_shared<int>(n, queue);
  shared() {
    for (int i = 0; i < n; i++) in[i] = i * 31 % 97;
  }
  ~shared() {
    sycl::free(in, queue);
    sycl::free(out, queue);
  }
};

// A functor with members, a template, a helper that is never inlined by itself.
template <typename Op> struct shift_by {
  const int *in;
  int *out;
  int by;
  [[gnu::noinline]] static int combined(sycl::nd_item<1> item, int value) {
    return sycl::reduce_over_group(item.get_group(), value, Op());
  }
  void operator()(sycl::nd_item<1> item) const {
    std::size_t i = item.get_global_id(0);
    out[i] = combined(item, in[i]) + by;
  }
};

void functors(shared &s) {
  s.queue.parallel_for(sycl::nd_range<1>(n, local), shift_by<sycl::maximum<int>>{s.in, s.out, 5});
  s.queue.wait();
  for (int g = 0; g < n; g += local) {
    int most = 0;
    for (int i = g; i < g + local; i++) most = s.in[i] > most ? s.in[i] : most;
    for (int i = g; i < g + local; i++) EXPECT(s.out[i] == most + 5);
  }
}

// Plain ranges of every dimension, offsets in items, captured arrays.
void ranges(shared &s) {
  int *in = s.in, *out = s.out;
  std::array<int, 4> table{3, 1, 4, 1};
  s.queue.parallel_for(sycl::range<1>(n - 3), [=](sycl::id<1> i) { out[i] = in[i] + table[i % 4]; })
      .wait();
  for (int i = 0; i < n - 3; i++) EXPECT(out[i] == in[i] + table[i % 4]);
  s.queue
      .parallel_for(sycl::range<2>(32, 128),
                    [=](sycl::item<2> i) { out[i.get_linear_id()] = int(i[0] * 1000 + i[1]); })
      .wait();
  for (int i = 0; i < n; i++) EXPECT(out[i] == i / 128 * 1000 + i % 128);
  s.queue
      .parallel_for(sycl::range<3>(4, 8, 128),
                    [=](sycl::id<3> i) {
                      out[(i[0] * 8 + i[1]) * 128 + i[2]] = int(i[0] * 7 + i[1] * 5 + i[2]);
                    })
      .wait();
  for (int i = 0; i < n; i++) EXPECT(out[i] == i / 1024 * 7 + i / 128 % 8 * 5 + i % 128);
  s.queue.parallel_for(sycl::range<1>(0), [=](sycl::id<1>) { out[0] = -1; }).wait();
  EXPECT(out[0] == 0);
}

// The standard's way of an exception, in kernels that fibres and in ranges that loops run.
void exceptions(shared &s) {
  int *in = s.in, *out = s.out;
  bool caught = false;
  try {
    s.queue
        .parallel_for(sycl::nd_range<1>(n, local),
                      [=](sycl::nd_item<1> item) {
                        int sum = sycl::reduce_over_group(item.get_group(), 1, sycl::plus<int>());
                        if (item.get_global_id(0) == 700) throw std::runtime_error("item 700");
                        out[item.get_global_id(0)] = sum + in[0];
                      })
        .wait_and_throw();
  } catch (const std::runtime_error &e) {
    caught = std::string(e.what()) == "item 700";
  }
  EXPECT(caught);
  EXPECT(out[5] == local + in[0]);
  caught = false;
  try {
    s.queue
        .parallel_for(sycl::range<1>(n),
                      [=](sycl::id<1> i) {
                        if (i[0] == 1234) throw std::out_of_range("1234");
                        out[i] = 1;
                      })
        .wait_and_throw();
  } catch (const std::out_of_range &) {
    caught = true;
  }
  EXPECT(caught);
}

// Caught inside: no exception leaves the kernel.
void caught_inside(shared &s) {
  int *in = s.in, *out = s.out;
  s.queue
      .parallel_for(sycl::nd_range<1>(n, local),
                    [=](sycl::nd_item<1> item) {
                      std::size_t i = item.get_global_id(0);
                      try {
                        if (in[i] == 13) throw 13;
                        out[i] = in[i];
                      } catch (int thirteen) {
                        out[i] = -thirteen;
                      }
                    })
      .wait();
  for (int i = 0; i < n; i++) EXPECT(out[i] == (in[i] == 13 ? -13 : in[i]));
}

void atomics(shared &s) {
  int *in = s.in, *out = s.out;
  for (int i = 0; i < 97; i++) out[i] = 0;
  s.queue
      .submit([&](sycl::handler &h) {
        sycl::local_accessor<int, 1> bins(97, h);
        h.parallel_for(sycl::nd_range<1>(n, local), [=](sycl::nd_item<1> item) {
          std::size_t l = item.get_local_id(0);
          if (l < 97) bins[l] = 0;
          sycl::group_barrier(item.get_group());
          sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::work_group,
                           sycl::access::address_space::local_space>
              bin(bins[std::size_t(in[item.get_global_id(0)])]);
          bin++;
          sycl::group_barrier(item.get_group());
          if (l < 97)
            sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(
                out[l]) += bins[l];
        });
      })
      .wait();
  int right[97] = {};
  for (int i = 0; i < n; i++) right[in[i]]++;
  for (int i = 0; i < 97; i++) EXPECT(out[i] == right[i]);
}

// Sub-groups that part, and a size that is asked for.
void sub_groups(shared &s) {
  int *in = s.in, *out = s.out;
  s.queue
      .parallel_for(sycl::nd_range<1>(n, local),
                    [=](sycl::nd_item<1> item) [[sycl::reqd_sub_group_size(8)]] {
                      auto sub = item.get_sub_group();
                      std::size_t i = item.get_global_id(0);
                      int v = in[i];
                      if (sub.get_group_linear_id() % 2)
                        v = sycl::inclusive_scan_over_group(sub, v, sycl::plus<int>());
                      else
                        v = sycl::select_from_group(sub, v, 7 - sub.get_local_id()[0]);
                      out[i] = v + int(sub.get_max_local_range()[0]) * 1000;
                    })
      .wait();
  int width = out[0] / 1000;
  EXPECT(width == 8 || width == 16);
  for (int first = 0; first < n; first += width)
    for (int k = 0, sum = 0; k < width; k++) {
      sum += in[first + k];
      bool odd = first / width % 2;
      if (odd || k < 8) EXPECT(out[first + k] == width * 1000 + (odd ? sum : in[first + (7 - k)]));
    }
}

} // namespace

int main() {
  shared s;
  functors(s);
  ranges(s);
  exceptions(s);
  caught_inside(s);
  atomics(s);
  sub_groups(s);
  return test::result();
}

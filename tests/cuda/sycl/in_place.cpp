// Buffers that use the program's own memory in place (property::buffer::use_host_ptr), on a GPU: of
// the heap, of the stack, of one page and of several, at the same time and one after another.
#include "../../sycl/check.hpp"
#include "twin.hpp"

#include <memory>
#include <numeric>
#include <vector>

static const sycl::property_list in_place{sycl::property::buffer::use_host_ptr()};

// x[i] += by, by the device itself: the pointer is the program's.
static void add(sycl::queue &q, sycl::buffer<int> &x, int by, bool *same = nullptr,
                const int *host = nullptr) {
  q.submit([&](sycl::handler &h) {
    sycl::accessor a(x, h);
    if (same) *same = &a[0] == host;
    h.parallel_for(x.get_range(), [=](sycl::id<1> i) { a[i] += by; });
  });
}

static void one(sycl::queue &q, int *data, int count) {
  bool same = false;
  for (int i = 0; i < count; i++) data[i] = i;
  {
    sycl::buffer<int> x(data, count, in_place);
    EXPECT(test::lent() == 0); // nothing is done for what no kernel uses
    add(q, x, 5, &same, data);
    {
      sycl::host_accessor seen(x);
      EXPECT(seen[count - 1] == count + 4 && &seen[0] == data);
      seen[0] = 100;
    }
    add(q, x, 1);
  }
  EXPECT(same && data[0] == 101);
  for (int i = 1; i < count; i++) EXPECT(data[i] == i + 6);
  EXPECT(test::lent() == 0); // the memory may be freed now
}

// Pieces of the same pages, whose lives overlap.
static void several(sycl::queue &q) {
  constexpr int count = 5000, half = count / 2;
  std::vector<int> data(count);
  auto all = std::make_unique<sycl::buffer<int>>(data.data(), count, in_place);
  auto front = std::make_unique<sycl::buffer<int>>(data.data(), 100, in_place);
  auto back = std::make_unique<sycl::buffer<int>>(data.data() + half, half, in_place);
  add(q, *front, 1);
  q.wait();
  add(q, *back, 2);
  q.wait();
  front.reset();
  add(q, *all, 4);
  q.wait();
  back.reset();
  add(q, *all, 8);
  all.reset();
  for (int i = 0; i < count; i++) EXPECT(data[i] == 12 + (i < 100) + 2 * (i >= half));
  EXPECT(test::lent() == 0);
}

// A sub-buffer of it, and a queue of the CPU in between.
static void mixed(sycl::queue &gpu, sycl::queue &cpu) {
  std::vector<int> data(64, 1);
  {
    sycl::buffer<int> x(data.data(), 64, in_place), part(x, sycl::id<1>(32), sycl::range<1>(32));
    add(gpu, part, 1);
    add(cpu, x, 10);
    add(gpu, x, 100);
  }
  for (int i = 0; i < 64; i++) EXPECT(data[i] == 111 + (i >= 32));
}

// The driver does not take it: the command group says so, and nothing has changed.
static void refused(sycl::queue &q) {
  if (!test::twin()) return;
  std::vector<int> data(64, 1);
  {
    sycl::buffer<int> x(data.data(), 64, in_place);
    test::twin()->fault("cuMemHostRegister_v2", 1, 2);
    EXPECT(test::code_of([&] { add(q, x, 1); }) == sycl::errc::feature_not_supported);
    add(q, x, 1);
  }
  EXPECT(data[0] == 2 && data[63] == 2 && test::lent() == 0);
}

// Copies whose host side lies on such pages in part: those that begin there the driver does not take
// whole.  With gaps between the pages, as lines and as rows.
static void copies(sycl::queue &q) {
  constexpr int page = 1024, count = 16 * page, width = 3 * page;
  std::vector<int> in(count), out(count);
  int *x = sycl::malloc_device<int>(count, q);
  std::iota(in.begin(), in.end(), 1);
  auto copy_from = [&](int first) {
    std::size_t size = (count - first) * sizeof(int);
    q.memcpy(x + first, in.data() + first, size).wait();
    std::fill(out.begin(), out.end(), 0);
    q.memcpy(out.data() + first, x + first, size).wait();
    EXPECT(std::equal(in.begin() + first, in.end(), out.begin() + first));
  };
  {
    sycl::buffer<int> in_front(in.data() + 2 * page, page, in_place),
        behind(in.data() + 3 * page + 100, 2 * page, in_place), far(in.data() + 9 * page, 10, in_place),
        of_out(out.data() + 4 * page, 3 * page, in_place);
    for (auto *lent : {&in_front, &behind, &far, &of_out}) add(q, *lent, 0);
    q.wait();
    for (int first : {0, page, 2 * page + 8, 3 * page + 200, 4 * page + 8, 9 * page, 9 * page + 11}) copy_from(first);
    out.assign(count, 0);
    sycl::buffer<int, 2> rows(sycl::range<2>(count / width, width));
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(rows, h, sycl::range<2>(count / width, width - 5), sycl::id<2>(0, 5));
      h.copy(in.data(), a);
    });
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(rows, h, sycl::range<2>(count / width, width - 5), sycl::id<2>(0, 5));
      h.copy(a, out.data());
    });
    q.wait();
    const int copied = count / width * (width - 5);
    EXPECT(std::equal(in.begin(), in.begin() + copied, out.begin()) && out[copied] == 0);
  }
  sycl::free(x, q);
}

int main() {
  sycl::queue gpu(sycl::gpu_selector_v, test::rethrow), cpu(sycl::cpu_selector_v, test::rethrow);
  int few[4];
  std::vector<int> many(10000);
  one(gpu, few, 4);
  one(gpu, many.data(), int(many.size()));
  several(gpu);
  mixed(gpu, cpu);
  copies(gpu);
  refused(gpu);
  return test::result();
}

// Buffers that use the program's own memory in place (property::buffer::use_host_ptr), on a GPU: of
// the heap, of the stack, of one page and of several, at the same time and one after another.
#include "../../sycl/check.hpp"
#include "../twin/control.h"

#include <dlfcn.h>
#include <memory>
#include <vector>

static const sycl::property_list in_place{sycl::property::buffer::use_host_ptr()};

static const twin_left &left() {
  void *twin = dlopen(std::getenv("MANIPLE_CUDA_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  return *static_cast<const twin_control *>(dlsym(twin, "twin_control"))->left;
}

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
    EXPECT(left().lent == 0); // nothing is done for what no kernel uses
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
  EXPECT(left().lent == 0); // the memory may be freed now
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
  EXPECT(left().lent == 0);
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
  void *twin = dlopen(std::getenv("MANIPLE_CUDA_LIBRARY"), RTLD_NOW | RTLD_NOLOAD);
  const auto *control = static_cast<const twin_control *>(dlsym(twin, "twin_control"));
  std::vector<int> data(64, 1);
  {
    sycl::buffer<int> x(data.data(), 64, in_place);
    control->fault("cuMemHostRegister_v2", 1, 2);
    EXPECT(test::code_of([&] { add(q, x, 1); }) == sycl::errc::feature_not_supported);
    add(q, x, 1);
  }
  EXPECT(data[0] == 2 && data[63] == 2 && left().lent == 0);
}

int main() {
  sycl::queue gpu(sycl::gpu_selector_v, test::rethrow), cpu(sycl::cpu_selector_v, test::rethrow);
  int few[4];
  std::vector<int> many(10000);
  one(gpu, few, 4);
  one(gpu, many.data(), int(many.size()));
  several(gpu);
  mixed(gpu, cpu);
  refused(gpu);
  return test::result();
}

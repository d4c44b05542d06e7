// USM of three kinds on GPUs: which memory of the driver's it is, and that whatever copies or fills does
// so where the host does not reach the memory: queues of each device, graphs, patterns of any size.
#include "../../sycl/check.hpp"
#include "twin.hpp"

#include <cstring>
#include <numeric>
#include <vector>

enum { COUNT = 1000 };

static unsigned long calls(const char *name) {
  return test::twin() ? test::twin()->count(name) : 0;
}

static void kinds(sycl::queue &q) {
  const struct {
    sycl::usm::alloc kind;
    const char *call;
  } rows[] = {{sycl::usm::alloc::device, "cuMemAlloc_v2"},
              {sycl::usm::alloc::shared, "cuMemAllocManaged"},
              {sycl::usm::alloc::host, "cuMemHostAlloc"}};
  for (const auto &row : rows) {
    unsigned long before = calls(row.call);
    int *memory = sycl::malloc<int>(COUNT, q, row.kind);
    EXPECT(calls(row.call) == before + (test::twin() != nullptr));
    EXPECT(sycl::get_pointer_type(memory + COUNT - 1, q.get_context()) == row.kind);
    EXPECT(sycl::get_pointer_device(memory, q.get_context()) == q.get_device());
    sycl::free(memory, q);
    for (std::size_t align : {1, 64, 256, 512, 4096, 1 << 16}) {
      void *aligned = sycl::aligned_alloc(align, 100, q, row.kind);
      EXPECT(aligned && reinterpret_cast<std::uintptr_t>(aligned) % align == 0);
      q.memset(aligned, 7, 100).wait();
      sycl::free(aligned, q);
    }
  }
}

// x[i] = i on the device, through queues of both.
static void copies(sycl::queue &gpu, sycl::queue &other) {
  int *x = sycl::malloc_device<int>(COUNT, gpu), *y = sycl::malloc_device<int>(COUNT, gpu);
  std::vector<int> in(COUNT), out(COUNT);
  std::iota(in.begin(), in.end(), 5);
  for (sycl::queue &q : {std::ref(gpu), std::ref(other)}) {
    q.memset(y, 0, COUNT * sizeof *y).wait();
    q.memcpy(x, in.data(), COUNT * sizeof *x).wait();
    gpu.parallel_for(COUNT, [=](sycl::id<1> i) { x[i] += 10; }).wait();
    q.copy(x, y, COUNT).wait();
    q.copy(y, out.data(), COUNT).wait();
    for (int i = 0; i < COUNT; i++) EXPECT(out[i] == i + 15);
    q.memcpy(y + 1, y, (COUNT - 1) * sizeof *y).wait(); // as memmove does
    q.copy(y, out.data(), COUNT).wait();
    for (int i = 1; i < COUNT; i++) EXPECT(out[i] == i + 14);
  }
  sycl::free(x, gpu);
  sycl::free(y, gpu);
}

template <std::size_t Size> struct bytes {
  unsigned char at[Size];
};

template <std::size_t Size> static void fills(sycl::queue &gpu, sycl::queue &other) {
  constexpr std::size_t count = Size > 5000 ? 3 : 777;
  using T = bytes<Size>;
  T *x = sycl::malloc_device<T>(count + 1, gpu), pattern;
  std::vector<T> out(count + 1);
  for (sycl::queue &q : {std::ref(gpu), std::ref(other)}) {
    unsigned char first = &q == &gpu ? 3 : 90;
    for (std::size_t i = 0; i < Size; i++) pattern.at[i] = static_cast<unsigned char>(first + i * 7);
    q.memset(x, 0xee, (count + 1) * Size).wait();
    q.fill(x, pattern, count).wait();
    q.copy(x, out.data(), count + 1).wait();
    for (std::size_t k = 0; k < count; k++) EXPECT(!std::memcmp(&out[k], &pattern, Size));
    for (unsigned char each : out[count].at) EXPECT(each == 0xee);
  }
  sycl::free(x, gpu);
}

static void graphs(sycl::queue &gpu) {
  namespace exp = sycl::ext::oneapi::experimental;
  int *x = sycl::malloc_device<int>(COUNT, gpu), *y = sycl::malloc_device<int>(COUNT, gpu);
  std::vector<int> in(COUNT, 4), out(COUNT);
  exp::command_graph<exp::graph_state::modifiable> graph(gpu.get_context(), gpu.get_device());
  auto a = graph.add([&](sycl::handler &h) { h.copy(in.data(), x, COUNT); });
  auto b = graph.add([&](sycl::handler &h) { h.fill(y, 100, COUNT); });
  auto c = graph.add(
      [&](sycl::handler &h) { h.parallel_for(COUNT, [=](sycl::id<1> i) { y[i] += x[i]; }); },
      {exp::property::node::depends_on(a, b)});
  auto d = graph.add([&](sycl::handler &h) { h.memset(x, 0, 4); },
                     {exp::property::node::depends_on(c)});
  auto e = graph.add([&](sycl::handler &h) { h.memcpy(y, x, 4); },
                     {exp::property::node::depends_on(d)});
  graph.add([&](sycl::handler &h) { h.copy(y, out.data(), COUNT); },
            {exp::property::node::depends_on(e)});
  auto made = graph.finalize();
  for (int run = 0; run < 2; run++) {
    in[9] = 50 + run;
    gpu.ext_oneapi_graph(made).wait();
    for (int i = 0; i < COUNT; i++)
      EXPECT(out[i] == (i == 0 ? 0 : i == 9 ? 150 + run : 104));
  }
  sycl::free(x, gpu);
  sycl::free(y, gpu);
}

// From one GPU to another, by the queue of either.
static void between(const std::vector<sycl::device> &gpus) {
  if (gpus.size() < 2) return;
  sycl::queue a(gpus[0], test::rethrow), b(gpus[1], test::rethrow);
  int *x = sycl::malloc_device<int>(COUNT, a), *y = sycl::malloc_device<int>(COUNT, b);
  std::vector<int> out(COUNT);
  a.parallel_for(COUNT, [=](sycl::id<1> i) { x[i] = int(i[0]) * 3; }).wait();
  for (sycl::queue &q : {std::ref(a), std::ref(b)}) {
    b.fill(y, -1, COUNT).wait();
    q.copy(x, y, COUNT).wait();
    b.parallel_for(COUNT, [=](sycl::id<1> i) { y[i] += 1; }).wait();
    b.copy(y, out.data(), COUNT).wait();
    for (int i = 0; i < COUNT; i++) EXPECT(out[i] == i * 3 + 1);
  }
  sycl::free(x, a);
  sycl::free(y, b);
}

int main() {
  sycl::queue gpu(sycl::gpu_selector_v, test::rethrow), cpu(sycl::cpu_selector_v, test::rethrow);
  kinds(gpu);
  copies(gpu, cpu);
  fills<1>(gpu, cpu);
  fills<4>(gpu, cpu);
  fills<17>(gpu, cpu);
  fills<128>(gpu, cpu);
  fills<300>(gpu, cpu);
  fills<20000>(gpu, cpu);
  graphs(gpu);
  between(sycl::device::get_devices(sycl::info::device_type::gpu));
  return test::result();
}

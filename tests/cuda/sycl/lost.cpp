// A fault of a kernel comes to the queue's handler with the kernel's name, and, if the kernel used an
// address of the host's that it was given, with that; what follows says that the GPU is lost, and the
// CPU goes on.
#include "../../sycl/check.hpp"
#include "twin.hpp"

#include <memory>
#include <string>
#include <vector>

enum { ILLEGAL_ADDRESS = 700, LAUNCH_FAILED = 719 };

static int variable;
static std::string heard;

static void listen(sycl::exception_list list) {
  for (const auto &error : list) {
    try {
      std::rethrow_exception(error);
    } catch (const sycl::exception &e) {
      EXPECT(e.code() == sycl::errc::kernel);
      heard += e.what();
    }
  }
}

static bool has(const std::string &text, const std::string &what) {
  return text.find(what) != std::string::npos;
}
static std::string written(const void *address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

static void run_next(sycl::queue &gpu) {
  gpu.single_task<class next_kernel>([] {}).wait_and_throw();
}

// The kernel that `run` launches fails so, on the twin as it is told to: `heard` is what is said then, the
// result what is said of the next one.
template <typename F> static std::string fail(sycl::queue &gpu, int error, const F &run) {
  heard.clear();
  if (test::twin()) test::twin()->fault("kernel", 1, error);
  run();
  gpu.wait_and_throw();
  std::string first = heard;
  heard.clear();
  run_next(gpu);
  std::string next = heard;
  heard = first;
  EXPECT(has(next, "kernel next_kernel failed") && has(next, "the GPU is lost to this process"));
  return next;
}

// `host` is the program's, `own` is not.
static void given(sycl::queue &gpu, int *host, const std::string &what) {
  int *own = sycl::malloc_shared<int>(4, gpu);
  std::string next = fail(gpu, ILLEGAL_ADDRESS, [&] {
    gpu.single_task<class given_both>([=] { own[1] = host[0]; });
  });
  std::string wanted = "kernel given_both was given " + written(host) + ", of the host's " + what;
  EXPECT(has(next, wanted));
  EXPECT(has(heard, "kernel given_both failed") && has(heard, wanted));
}

static void given_own(sycl::queue &gpu) {
  int *shared = sycl::malloc_shared<int>(4, gpu), *pinned = sycl::malloc_host<int>(4, gpu);
  int *device = sycl::malloc_device<int>(4, gpu), *unused = &variable;
  std::vector<int> lent(64);
  std::size_t at = test::twin() ? 0 : std::size_t(1) << 44; // bytes in front of a fault
  {
    sycl::buffer<int> in_place(lent.data(), 64, sycl::property::buffer::use_host_ptr());
    std::string next = fail(gpu, ILLEGAL_ADDRESS, [&] {
      gpu.submit([&](sycl::handler &h) {
        sycl::accessor a(in_place, h);
        h.single_task<class given_its_own>(
            [=] { shared[at] = pinned[1] + device[2] + a[3] + (unused != nullptr); });
      });
    });
    EXPECT(has(heard, "kernel given_its_own failed") && !has(heard, "was given"));
    EXPECT(has(next, "an address outside its memory, as the host's heap and stack are"));
  }
}

// A process has one fault: its GPU is lost.
static void run(const std::string &name) {
  sycl::queue gpu(sycl::gpu_selector_v, listen);
  auto small = std::make_unique<int>(1);
  auto large = std::make_unique<int[]>(1 << 20); // not in the heap's own place
  int local = 0;
  run_next(gpu); // what could not be loaded would say so ever after
  EXPECT(heard.empty());
  if (name == "heap") given(gpu, small.get(), name);
  if (name == "memory") given(gpu, large.get(), name);
  if (name == "stack") given(gpu, &local, name);
  if (name == "variables") given(gpu, &variable, name);
  if (name == "own") given_own(gpu);
  if (name == "other" && test::twin()) {
    std::string next = fail(gpu, LAUNCH_FAILED, [&] { gpu.single_task<struct other>([] {}); });
    EXPECT(has(heard, "kernel other failed") && !has(next, "address"));
  }

  int *x = sycl::malloc_shared<int>(1, sycl::queue());
  sycl::queue().single_task([=] { *x = 7; }).wait();
  EXPECT(*x == 7);
  sycl::free(x, sycl::queue());
}

int main(int count, char **arguments) {
  if (count > 1) {
    run(arguments[1]);
    return test::result();
  }
  for (const char *name : {"heap", "memory", "stack", "variables", "own", "other"})
    EXPECT(!std::system((std::string(arguments[0]) + " " + name).c_str()));
  return test::result();
}

// Variables of sycl_ext_oneapi_device_global on GPUs: each device has its own, which begins as the
// program says, keeps what kernels and copies write, and is the same in all kernels and files' parts.
#include "../../sycl/check.hpp"

#include <vector>

namespace oneapi = sycl::ext::oneapi::experimental;

struct both_type {
  int a;
  double b;
};

#if __cpp_consteval
static oneapi::device_global<int> counter(40);
oneapi::device_global<int[4]> table(1, 2, 3, 4);
constexpr int begins = 40;
#else
static oneapi::device_global<int> counter;
oneapi::device_global<int[4]> table;
constexpr int begins = 0;
#endif
namespace {
oneapi::device_global<both_type, decltype(oneapi::properties(oneapi::host_access_read_write))> both;
}
oneapi::device_global<char[3000]> unused_by_most;
oneapi::device_global<int> other;

static int element_of(int i) { // a function of its own
  return table[i] + int(both.get().b);
}

static void add(sycl::queue &q) {
  q.single_task<class add_one>([=] { counter = counter + 1; }).wait();
}

// On a device of its own: nobody else has written to it.
static void whole(sycl::queue &q) {
  int *out = sycl::malloc_shared<int>(64, q);
  add(q);
  add(q);
  q.single_task<class read_all>([=] {
     out[0] = counter;
     for (int i = 0; i < 4; i++) out[1 + i] = element_of(i);
     out[5] = both.get().a;
   }).wait();
  EXPECT(out[0] == begins + 2 && out[5] == 0);
  for (int i = 0; i < 4; i++) EXPECT(out[1 + i] == (begins ? i + 1 : 0));

  int value = 7, four[4] = {9, 8, 7, 6};
  both_type p{5, 100.5};
  q.memcpy(counter, &value).wait();
  q.copy(four, table).wait();
  q.memcpy(both, &p).wait();
  q.parallel_for<class many>(sycl::nd_range<1>(64, 32), [=](sycl::nd_item<1> it) {
     int i = int(it.get_global_id(0));
     sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(
         counter.get());
     sum += i;
     out[i] = element_of(i % 4) + both.get().a;
   }).wait();
  for (int i = 0; i < 64; i++) EXPECT(out[i] == four[i % 4] + 100 + 5);
  q.memcpy(&value, counter).wait();
  EXPECT(value == 7 + 63 * 64 / 2);
  q.single_task<class large>([=] {
     for (int i = 0; i < 3000; i++) unused_by_most[i] = char(i);
   }).wait();
  std::vector<char> bytes(3000);
  q.copy(unused_by_most, bytes.data()).wait();
  for (int i = 0; i < 3000; i++) EXPECT(bytes[i] == char(i));
  sycl::free(out, q);
}

// Another context of the same device has others.
static void apart(const sycl::device &device) {
  sycl::context a(device), b(device);
  sycl::queue q(a, device, test::rethrow), r(b, device, test::rethrow);
  int value;
  add(q);
  add(q);
  add(r);
  q.memcpy(&value, counter).wait();
  EXPECT(value == begins + 2);
  r.memcpy(&value, counter).wait();
  EXPECT(value == begins + 1);
}

// What is not known before it runs is told.
static void refused(sycl::queue &q) {
  int *out = sycl::malloc_shared<int>(1, q);
  int *which = sycl::malloc_shared<int>(1, q);
  *which = 0;
  try {
    q.single_task<class chooses>([=] {
       auto &of = *which ? counter : other;
       *out = of;
     }).wait();
    EXPECT(!"it is not told");
  } catch (const sycl::exception &e) {
    EXPECT(e.code() == sycl::errc::kernel_not_supported);
    EXPECT(std::string(e.what()).find("the host's variable 'other'") != std::string::npos);
  }
  sycl::free(out, q);
  sycl::free(which, q);
}

int main() {
  for (const sycl::device &device : sycl::device::get_devices()) {
    sycl::queue q(device, test::rethrow);
    whole(q);
    apart(device);
    if (device.is_gpu()) refused(q);
  }
  return test::result();
}

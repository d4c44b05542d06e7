// Interoperability with the C interface: commands of both in one queue, events of one in the other.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <maniple/maniple.h>

namespace {

constexpr sycl::backend own = sycl::backend::maniple;

static_assert(std::is_same_v<sycl::backend_return_t<own, sycl::queue>, mpl_queue *>);
static_assert(std::is_same_v<sycl::backend_input_t<own, sycl::device>, mpl_device *>);
static_assert(std::is_same_v<sycl::backend_return_t<own, sycl::buffer<int, 2>>, int *>);

int triple(void *data) {
  int *x = static_cast<int *>(data);
  for (int i = 0; i < 16; i++) x[i] *= 3;
  return 0;
}

void in_one_queue() {
  sycl::queue q{sycl::property::queue::in_order()};
  int *x = sycl::malloc_shared<int>(16, q);
  q.parallel_for(16, [=](sycl::id<1> i) { x[i] = int(i[0]) + 1; });
  mpl_event *event = nullptr;
  EXPECT(!mpl_submit_task(sycl::get_native<own>(q), triple, nullptr, x, nullptr, 0, &event));
  q.parallel_for(16, [=](sycl::id<1> i) { x[i] += 5; }).wait();
  for (int i = 0; i < 16; i++) EXPECT(x[i] == 3 * (i + 1) + 5);
  sycl::event made = sycl::make_event<own>(event, q.get_context());
  EXPECT(sycl::get_native<own>(made) == event && made == sycl::make_event<own>(event, q.get_context()));
  mpl_release_event(event);
  made.wait();
  sycl::free(x, q);
}

void events() {
  sycl::queue q;
  int *x = sycl::malloc_shared<int>(16, q);
  std::fill(x, x + 16, 1);
  // One of SYCL's waits for one of C's, which waits for one of SYCL's.
  sycl::event first = q.submit([&](sycl::handler &h) { h.host_task([=] { x[3] = 7; }); });
  mpl_event *before = sycl::get_native<own>(first), *after = nullptr;
  EXPECT(!mpl_submit_task(sycl::get_native<own>(q), triple, nullptr, x, &before, 1, &after));
  sycl::event made = sycl::make_event<own>(after, q.get_context());
  mpl_release_event(after);
  q.submit([&](sycl::handler &h) {
     h.depends_on(made);
     h.single_task([=] { x[0] = x[3] + x[1]; });
   }).wait();
  EXPECT(x[0] == 24);
  EXPECT(sycl::get_native<own>(sycl::event()) == nullptr);
  sycl::make_event<own>(nullptr, q.get_context()).wait();
  sycl::free(x, q);
}

void devices() {
  sycl::device d;
  EXPECT(sycl::get_native<own>(d) == mpl_get_device(0));
  EXPECT(sycl::make_device<own>(mpl_get_device(0)) == d);
}

void host_tasks() {
  sycl::queue q = test::make_queue();
  int data[4] = {1, 2, 3, 4};
  bool good = false;
  sycl::errc code{};
  {
    sycl::buffer<int> a(data, sycl::range<1>(4)), b{sycl::range<1>(2)};
    EXPECT(sycl::get_native<own>(a) != nullptr);
    sycl::accessor other(b, sycl::read_only);
    q.submit([&](sycl::handler &h) {
      sycl::accessor seen(a, h);
      h.host_task([=, &good, &code](sycl::interop_handle ih) {
        int *x = ih.get_native_mem<own>(seen);
        x[2] = 30;
        good = ih.get_backend() == own && ih.get_native_queue<own>() == sycl::get_native<own>(q) &&
               ih.get_native_device<own>() == sycl::get_native<own>(q.get_device());
        code = test::code_of([&] { ih.get_native_mem<own>(other); });
      });
    });
  }
  EXPECT(good && data[2] == 30 && code == sycl::errc::invalid);
}

} // namespace

int main() {
  in_one_queue();
  events();
  devices();
  host_tasks();
  return test::result();
}

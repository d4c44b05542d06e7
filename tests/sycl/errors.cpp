// What goes wrong at run time: the error codes that the specification names, and nothing leaked
// (under AddressSanitizer with its leak checker; here counted too).
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

// Counts its copies, so that a command group that fails shows what it keeps.
struct counted {
  static inline std::atomic<int> alive{0};
  int *p;
  explicit counted(int *p) : p(p) { alive++; }
  counted(const counted &other) : p(other.p) { alive++; }
  ~counted() { alive--; }
  void operator()(sycl::nd_item<1> it) const { p[it.get_global_id(0)] = 1; }
};

void nd_ranges(sycl::queue &q) {
  int data[4096], *p = data;
  auto launch = [&](std::size_t global, std::size_t local) {
    return test::code_of(
        [&] { q.parallel_for(sycl::nd_range<1>(global, local), counted(p)).wait(); });
  };
  std::size_t most = q.get_device().get_info<sycl::info::device::max_work_group_size>();
  EXPECT(launch(10, 3) == sycl::errc::nd_range);
  EXPECT(launch(10, 0) == sycl::errc::nd_range);
  EXPECT(launch(5, 10) == sycl::errc::nd_range);
  EXPECT(launch(most * 2, most * 2) == sycl::errc::nd_range);
  EXPECT(launch(std::size_t(1) << 63, std::size_t(1) << 63) == sycl::errc::nd_range);
  EXPECT(launch(0, 4) == sycl::errc::success); // nothing runs
  EXPECT(launch(16, 8) == sycl::errc::success);
  EXPECT(test::code_of([&] {
           q.parallel_for(sycl::nd_range<3>({4, 4, 4}, {2, 3, 2}), [](sycl::nd_item<3>) {});
         }) == sycl::errc::nd_range);
  EXPECT(test::code_of([&] {
           q.parallel_for(sycl::nd_range<3>({4096, 4096, 4096}, {4096, 4096, 4096}),
                          [](sycl::nd_item<3>) {});
         }) == sycl::errc::nd_range);
  EXPECT(counted::alive == 0);
  try {
    launch(10, 3);
    q.parallel_for(sycl::nd_range<1>(10, 3), counted(p));
  } catch (const sycl::exception &e) { // a sentence that helps
    EXPECT(std::string(e.what()).find("3 of dimension 0 does not divide the global size 10") !=
           std::string::npos);
    EXPECT(e.category() == sycl::sycl_category() && !e.has_context());
    EXPECT(e.code() == sycl::errc::nd_range);
    EXPECT(test::code_of([&] { e.get_context(); }) == sycl::errc::invalid);
  }
}

void local_memory(sycl::queue &q) {
  std::size_t limit = q.get_device().get_info<sycl::info::device::local_mem_size>();
  for (std::size_t bytes : {limit + 1, std::size_t(-1)})
    EXPECT(test::code_of([&] {
             q.submit([&](sycl::handler &h) {
               sycl::local_accessor<char> l(bytes, h);
               h.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1>) { l[0] = 1; });
             });
           }) == sycl::errc::memory_allocation);
  EXPECT(test::code_of([&] { // half each, and a little
           q.submit([&](sycl::handler &h) {
             sycl::local_accessor<char> first(limit / 2, h), second(limit / 2 + 1, h);
             h.parallel_for(sycl::nd_range<1>(4, 4),
                            [=](sycl::nd_item<1>) { first[0] = second[0]; });
           });
         }) == sycl::errc::memory_allocation);
}

void command_groups(sycl::queue &q) {
  std::vector<int> data(16, 1);
  auto tracked = std::make_shared<int>(1);
  {
    sycl::buffer b(data);
    bool caught = false;
    try {
      q.submit([&, tracked](sycl::handler &h) {
        sycl::accessor a(b, h);
        h.parallel_for(sycl::nd_range<1>(16, 16), [a, tracked](sycl::nd_item<1>) { a[0] = 5; });
        throw std::out_of_range("from a command group");
      });
    } catch (const std::out_of_range &) {
      caught = true;
    }
    EXPECT(caught && tracked.use_count() == 1);
    EXPECT(test::code_of([&] {
             q.submit([&](sycl::handler &h) {
               h.single_task([] {});
               h.single_task([] {}); // two commands
             });
           }) == sycl::errc::invalid);
    q.submit([](sycl::handler &) {}).wait(); // none is allowed
  }
  EXPECT(data[0] == 1); // it has not run
}

void kernels() {
  sycl::queue q = test::make_queue();
  auto tracked = std::make_shared<int>(1);
  auto thrown_by = [&](auto launch) {
    int value = 0;
    try {
      launch();
      q.wait_and_throw();
    } catch (int v) {
      value = v;
    } catch (...) {
      value = -1;
    }
    return value;
  };
  int zero = 0, *p = &zero;
  EXPECT(thrown_by([&] {
           q.single_task([=] {
             if (!*p && *tracked) throw 3;
           });
         }) == 3);
  EXPECT(thrown_by([&] {
           q.parallel_for(sycl::range(1), [=](sycl::id<1>) {
             if (!*p) throw 4;
           });
         }) == 4);
  EXPECT(thrown_by([&] {
           q.parallel_for(sycl::nd_range<1>(8, 8), [=](sycl::nd_item<1> it) {
             if (it.get_local_id(0) == 3 && *tracked) throw 5;
           });
         }) == 5);
  EXPECT(thrown_by([&] {
           q.submit([&](sycl::handler &h) {
             h.host_task([=] {
               if (!*p && *tracked) throw 6;
             });
           });
         }) == 6);
  EXPECT(thrown_by([&] { q.single_task([] {}); }) == 0); // reported once
  EXPECT(tracked.use_count() == 1);

  // The event's wait_and_throw gives it too, and the handler gets all of them.
  int count = 0;
  sycl::queue counting([&](sycl::exception_list list) {
    count += int(list.size());
    EXPECT(list.end() - list.begin() == long(list.size()));
  });
  counting
      .parallel_for(sycl::range(3),
                    [=](sycl::id<1>) {
                      if (!*p) throw 1;
                    })
      .wait();
  counting
      .single_task([=] {
        if (!*p) throw 2;
      })
      .wait();
  counting.throw_asynchronous();
  EXPECT(count >= 2);
  sycl::queue of_context(sycl::context([&](sycl::exception_list) { count = -1; }),
                         sycl::default_selector_v);
  of_context
      .single_task([=] {
        if (!*p) throw 1;
      })
      .wait_and_throw();
  EXPECT(count == -1);
}

void categories() {
  sycl::exception plain(sycl::make_error_code(sycl::errc::feature_not_supported), "text");
  EXPECT(plain.code() == sycl::errc::feature_not_supported && std::string(plain.what()) == "text");
  sycl::exception from_enum(sycl::errc::build);
  EXPECT(!std::string(from_enum.what()).empty());
  sycl::context c;
  sycl::exception with_context(c, sycl::errc::kernel, "k");
  EXPECT(with_context.has_context() && with_context.get_context() == c);
  sycl::exception copy = with_context;
  EXPECT(copy.code() == sycl::errc::kernel && std::string(copy.what()) == "k");
  sycl::property_list none;
  EXPECT(test::code_of([&] { none.get_property<sycl::property::queue::in_order>(); }) ==
         sycl::errc::invalid);
  sycl::buffer<int> b{sycl::range(4)};
  EXPECT(test::code_of([&] { sycl::host_accessor a(b, sycl::range(3), sycl::id(2)); }) ==
         sycl::errc::invalid);
  EXPECT(test::code_of([] { sycl::get_kernel_id<struct no_such_kernel>(); }) ==
         sycl::errc::invalid);
  EXPECT(test::code_of([] {
           sycl::queue(
               sycl::context(),
               sycl::device().create_sub_devices<sycl::info::partition_property::partition_equally>(
                   1)[0]);
         }) == sycl::errc::invalid);
  EXPECT(
      test::code_of([] {
        (void)sycl::device().create_sub_devices<sycl::info::partition_property::partition_equally>(
            100000);
      }) == sycl::errc::invalid);
}

// Local memory is for kernels of an nd_range, and for those that hold it.
void held_local_memory() {
  sycl::queue q = test::make_queue();
  int *out = sycl::malloc_shared<int>(16, q);
  EXPECT(test::code_of([&] {
           q.submit([&](sycl::handler &h) {
             sycl::local_accessor<int> local(4, h);
             h.parallel_for(sycl::range<1>(4), [=](sycl::id<1> i) { local[i] = 1; });
           });
         }) == sycl::errc::kernel_argument);
  // What a kernel does not hold it does not need: more than there is, and one that fits.
  std::size_t limit = q.get_device().get_info<sycl::info::device::local_mem_size>();
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<char> small(16, h), large(limit, h);
     h.parallel_for(sycl::nd_range<1>(16, 16), [=](sycl::nd_item<1> it) {
       small[it.get_local_id(0)] = char(it.get_local_id(0));
       sycl::group_barrier(it.get_group());
       out[it.get_local_id(0)] = small[15 - it.get_local_id(0)];
     });
   }).wait_and_throw();
  for (int i = 0; i < 16; i++) EXPECT(out[i] == 15 - i);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<char> large(limit + 1, h);
     h.parallel_for(16, [=](sycl::id<1> i) { out[i] = 3; });
   }).wait_and_throw();
  EXPECT(out[0] == 3 && out[15] == 3);
  EXPECT(test::code_of([&] {
           q.submit([&](sycl::handler &h) {
             sycl::local_accessor<char> small(16, h), large(limit, h);
             h.parallel_for(sycl::nd_range<1>(16, 16), [=](sycl::nd_item<1> it) {
               large[it.get_local_id(0)] = small[it.get_local_id(0)];
             });
           });
         }) == sycl::errc::memory_allocation);
  sycl::free(out, q);
}

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  nd_ranges(q);
  local_memory(q);
  command_groups(q);
  kernels();
  categories();
  q.wait_and_throw();
  held_local_memory();
  return test::result();
}

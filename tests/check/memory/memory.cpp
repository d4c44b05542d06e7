// main CASE: a kernel that accesses memory by a pointer as it must not.  What is reported stands in
// sycl/CASE.ref.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <string>

constexpr int count = 32;

int main(int, char **argv) {
  sycl::queue q([](sycl::exception_list) {});
  const std::string which = argv[1];
  int *device = sycl::malloc_device<int>(count, q);
  int *shared = sycl::malloc_shared<int>(count, q);
  auto run = [&](auto kernel) { q.parallel_for(sycl::nd_range<1>(count, count), kernel).wait(); };

  if (which == "behind")
    run([=](sycl::nd_item<1> it) {
      size_t i = it.get_global_id(0);
      shared[i] = device[i + 1];
    });
  if (which == "range")
    q.parallel_for(sycl::range<1>(count + 1), [=](sycl::id<1> i) { device[i] = 1; }).wait();
  if (which == "atomic")
    run([=](sycl::nd_item<1>) {
      sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> a(device[40]);
      a += 1;
    });
  if (which == "null")
    run([=, null = static_cast<int *>(nullptr)](sycl::nd_item<1> it) {
      null[it.get_local_id(0)] = 1;
    });
  if (which == "freed") {
    sycl::free(device, q);
    run([=](sycl::nd_item<1> it) { device[it.get_local_id(0)] = 1; });
  }
  if (which == "buffer") {
    sycl::buffer<int> buffer(count);
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(buffer, h, sycl::write_only);
      h.parallel_for(sycl::nd_range<1>(count, count), [=](sycl::nd_item<1> it) {
        int *all = a.get_multi_ptr<sycl::access::decorated::no>().get();
        all[it.get_local_id(0) + 8] = 1;
      });
    });
    q.wait();
  }
  if (which == "command") { // refused: it would end the program
    try {
      q.memcpy(device, shared, (count + 1) * sizeof(int));
    } catch (const sycl::exception &e) {
      std::fprintf(stderr, "sycl::exception: %s\n", e.what());
    }
    q.fill(shared + 1, 7, count - 1).wait();
  }
  if (which == "joint")
    run([=](sycl::nd_item<1> it) {
      int sum = sycl::joint_reduce(it.get_group(), shared, shared + 2 * count, sycl::plus<>());
      device[it.get_local_id(0)] = sum;
    });
  if (which == "host_buffer") { // over a part of an array
    int all[count * 3] = {};
    {
      sycl::buffer<int> buffer(all + count, count);
      q.submit([&](sycl::handler &h) {
        sycl::accessor a(buffer, h);
        h.parallel_for(sycl::nd_range<1>(count, count), [=](sycl::nd_item<1> it) {
          int *part = a.get_multi_ptr<sycl::access::decorated::no>().get();
          size_t i = it.get_local_id(0);
          if (i < 4) part[i] = 7;
          sycl::group_barrier(it.get_group());
          part[i + 16] = 1;
        });
      });
    }
    std::fprintf(stderr, "%d %d\n", all[count], all[2 * count - 1]); // it is written back
  }
}

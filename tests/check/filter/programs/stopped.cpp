// stopped CASE: a mistake of a kernel in SYCL, at which its filter stops when it has written, as
// stopped.c.
#include <sycl/sycl.hpp>

#include <cstdio>
#include <cstring>
#include <vector>

namespace {

constexpr int count = 256, group_size = 64, last = count - 3;
const sycl::nd_range<1> groups(count, group_size);

int *shared(sycl::queue &q) {
  int *memory = sycl::malloc_shared<int>(count, q);
  for (int i = 0; i < count; i++) memory[i] = i;
  return memory;
}

void print(const int *memory) {
  long sum = 0, places = 0;
  for (int i = 0; i < count; i++) sum += memory[i], places += long(i) * memory[i];
  std::printf("%ld %ld\n", sum, places);
}

void beside(sycl::queue q, long by) {
  int *a = shared(q), *b = shared(q);
  q.parallel_for<class beside_kernel>(groups, [=](sycl::nd_item<1> it) {
     long i = long(it.get_global_id(0));
     a[i] += 1;
     b[i] *= 2;
     if (i == last) b[i] = a[i + by];
   }).wait();
  print(a);
  print(b);
}
void behind(sycl::queue q) { beside(q, count - last); }
void before(sycl::queue q) { beside(q, -1 - last); }

void race(sycl::queue q) {
  int *a = shared(q);
  q.parallel_for<class race_kernel>(groups, [=](sycl::nd_item<1> it) {
     std::size_t i = it.get_global_id(0);
     a[i] += 3;
     if (i == last) a[i] += a[i - 1];
   }).wait();
  print(a);
}

void race_of_groups(sycl::queue q) {
  int *a = shared(q), *sum = sycl::malloc_shared<int>(1, q);
  *sum = 0;
  q.parallel_for<class race_of_groups_kernel>(groups, [=](sycl::nd_item<1> it) {
     a[it.get_global_id(0)] += 1;
     if (it.get_group().leader()) *sum += int(it.get_group(0));
   }).wait();
  print(a);
}

// Over host memory, which gets it when the buffer ends.
void race_in_buffer(sycl::queue q) {
  std::vector<int> data(count, 1);
  {
    sycl::buffer<int> b(data.data(), sycl::range<1>(count));
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(b, h);
      h.parallel_for<class buffer_kernel>(groups, [=](sycl::nd_item<1> it) {
        std::size_t i = it.get_global_id(0);
        a[i] += int(i);
        if (i == last) a[i] += a[i - 1];
      });
    });
  }
  print(data.data());
}

void range(sycl::queue q) {
  int *a = shared(q);
  q.parallel_for<class range_kernel>(sycl::range<1>(count), [=](sycl::id<1> i) {
     a[i] += 1;
     if (i == last) a[0] = a[i + 3];
   }).wait();
  print(a);
}

void local(sycl::queue q) {
  int *a = shared(q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> tile(group_size, h);
     h.parallel_for<class local_kernel>(groups, [=](sycl::nd_item<1> it) {
       std::size_t l = it.get_local_id(0);
       a[it.get_global_id(0)] += 1;
       tile[l] = int(l);
       sycl::group_barrier(it.get_group());
       if (it.get_group(0) == 2 && l) tile[l] = tile[l - 1];
     });
   }).wait();
  print(a);
}

void local_behind(sycl::queue q) {
  int *a = shared(q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> tile(group_size, h);
     h.parallel_for<class local_behind_kernel>(groups, [=](sycl::nd_item<1> it) {
       std::size_t l = it.get_local_id(0);
       a[it.get_global_id(0)] += 1;
       tile[l] = int(l);
       sycl::group_barrier(it.get_group());
       a[it.get_global_id(0)] += tile[it.get_group(0) == 2 ? l + 1 : l];
     });
   }).wait();
  print(a);
}

void local_unwritten(sycl::queue q) {
  int *a = shared(q);
  q.submit([&](sycl::handler &h) {
     sycl::local_accessor<int> tile(group_size, h);
     h.parallel_for<class unwritten_kernel>(groups, [=](sycl::nd_item<1> it) {
       std::size_t l = it.get_local_id(0);
       if (l != 5) tile[l] = int(l);
       sycl::group_barrier(it.get_group());
       a[it.get_global_id(0)] += tile[group_size - 1 - l] == -5;
     });
   }).wait();
  print(a);
}

void unwritten(sycl::queue q) {
  int *a = shared(q), *b = sycl::malloc_device<int>(count, q);
  q.parallel_for<class reads_kernel>(groups, [=](sycl::nd_item<1> it) {
     std::size_t i = it.get_global_id(0);
     a[i] += 1;
     if (i == last) a[i] += b[i] > 0;
   }).wait();
  print(a);
}

void unfit_freed(sycl::queue q) {
  int *a = shared(q), *b = shared(q);
  sycl::free(b, q);
  q.parallel_for<class freed_kernel>(groups, [=](sycl::nd_item<1> it) {
     std::size_t i = it.get_global_id(0);
     a[i] += 1;
     if (i == last) a[i] += b[i];
   }).wait();
  print(a);
}

void half_atomic(sycl::queue q) {
  int *a = shared(q);
  q.parallel_for<class atomic_kernel>(groups, [=](sycl::nd_item<1> it) {
     sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device> sum(a[0]);
     sum += 1;
     if (it.get_global_id(0) == last) a[last] = a[0];
   }).wait();
}

void without_parts(sycl::queue q) {
  int *a = shared(q);
  q.parallel_for<class parts_kernel>(groups, [=](sycl::nd_item<1> it) {
     if (it.get_local_id(0) < 5)
       a[it.get_global_id(0)] = sycl::reduce_over_group(it.get_group(), 1, sycl::plus<>());
   }).wait();
}

void lanes_part(sycl::queue q) {
  int *a = shared(q);
  q.parallel_for<class lanes_kernel>(groups, [=](sycl::nd_item<1> it) {
     a[it.get_global_id(0)] += 1;
     if (it.get_local_id(0) % 16 < 5 || it.get_group(0) < 2)
       a[it.get_global_id(0)] = sycl::reduce_over_group(it.get_sub_group(), 1, sycl::plus<>());
   }).wait();
}

void deltas(sycl::queue q) {
  int *a = shared(q);
  q.parallel_for<class deltas_kernel>(groups, [=](sycl::nd_item<1> it) {
     int i = int(it.get_global_id(0));
     a[i] = sycl::shift_group_left(it.get_sub_group(), a[i], i == last ? 2 : 1);
   }).wait();
}

struct { const char *name; void (*run)(sycl::queue); } cases[] = {
#define CASE(name) {#name, name}
    CASE(behind), CASE(before), CASE(race), CASE(race_of_groups), CASE(race_in_buffer), CASE(range),
    CASE(local), CASE(local_behind), CASE(local_unwritten), CASE(unwritten), CASE(unfit_freed),
    CASE(half_atomic), CASE(without_parts), CASE(lanes_part), CASE(deltas)};

} // namespace

int main(int argc, char **argv) {
  for (auto &each : cases) {
    if (argc < 2) std::puts(each.name);
    if (argc > 1 && !std::strcmp(argv[1], each.name)) each.run(sycl::queue());
  }
}

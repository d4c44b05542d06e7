// Memory of a work-group that no command group asks for: group_local_memory and, by maniple's
// compiler, work_group_static, in each scope that it may stand in.
#include <sycl/sycl.hpp>

#include "check.hpp"

namespace {

namespace oneapi = sycl::ext::oneapi;
namespace experimental = sycl::ext::oneapi::experimental;

enum { local = 32, global = 8 * local };

struct pair {
  int a, b;
  pair(int a = 7, int b = 9) : a(a), b(b) {}
};

// Each place that calls has memory of its own, of one type too.
void places(sycl::queue q) {
  int *out = sycl::malloc_shared<int>(global, q);
  q.parallel_for(sycl::nd_range<1>(global, local), [=](sycl::nd_item<1> it) {
     auto g = it.get_group();
     int l = int(it.get_local_id(0)), n = int(it.get_group(0));
     auto up = oneapi::group_local_memory_for_overwrite<int[local]>(g);
     auto down = oneapi::group_local_memory_for_overwrite<int[local]>(g);
     auto grid = oneapi::group_local_memory_for_overwrite<short[4][8]>(g);
     (*up)[l] = l;
     (*down)[l] = -3 * l;
     (*grid)[l / 8][l % 8] = short(n);
     sycl::group_barrier(g);
     int other = local - 1 - l;
     out[it.get_global_id(0)] = (*up)[other] * 1000 + (*down)[other] + (*grid)[3][l % 8];
   }).wait_and_throw();
  for (int i = 0; i < global; i++) {
    int other = local - 1 - i % local;
    EXPECT(out[i] == other * 1000 - 3 * other + i / local);
  }
  sycl::free(out, q);
}

// Constructed once for a group, with what is different in each.
void objects(sycl::queue q) {
  int *out = sycl::malloc_shared<int>(global, q);
  q.parallel_for(sycl::nd_range<2>({8, local}, {1, local}), [=](sycl::nd_item<2> it) {
     auto g = it.get_group();
     int n = int(it.get_group(0)), l = int(it.get_local_id(1));
     auto number = oneapi::group_local_memory<double>(g, n + 0.5);
     auto nothing = oneapi::group_local_memory<int>(g);
     auto one = oneapi::group_local_memory<pair>(g, n);
     auto fresh = oneapi::group_local_memory_for_overwrite<pair>(g);
     auto list = oneapi::group_local_memory<int[5]>(g, 1, n, 3);
     auto row = *list;
     out[it.get_global_linear_id()] = int(*number * 2) + *nothing + one->a * 10 + one->b * 100 +
                                      fresh->a + row[l % 5] * 10000;
   }).wait_and_throw();
  for (int i = 0; i < global; i++) {
    int n = i / local, row[5] = {1, n, 3, 0, 0};
    EXPECT(out[i] == 2 * n + 1 + 10 * n + 900 + 7 + row[i % local % 5] * 10000);
  }
  sycl::free(out, q);
}

#ifdef SYCL_EXT_ONEAPI_WORK_GROUP_STATIC

extern experimental::work_group_static<int> outer; // defined below what uses it
experimental::work_group_static<int[local]> table;
struct holder {
  static experimental::work_group_static<float> defined_outside;
  static inline experimental::work_group_static<short[4]> defined_inside;
};
experimental::work_group_static<float> holder::defined_outside;

// One variable for each instantiation, the same for all who call it.
template <int Factor, typename Group> int turned(const Group &g, int x) {
  experimental::work_group_static<int[local]> row;
  sycl::group_barrier(g);
  row[g.get_local_linear_id()] = x * Factor;
  sycl::group_barrier(g);
  return row[g.get_local_linear_range() - 1 - g.get_local_linear_id()];
}

void statics(sycl::queue q) {
  int *out = sycl::malloc_shared<int>(3 * global, q);
  q.parallel_for(sycl::nd_range<1>(global, local), [=](sycl::nd_item<1> it) {
     auto g = it.get_group();
     int l = int(it.get_local_id(0)), n = int(it.get_group(0));
     experimental::work_group_static<int> one;
     static experimental::work_group_static<int[local]> tile;
     if (l == 0) {
       outer = n;
       one = 3;
       one += 4;
       holder::defined_outside = 2.0f;
     }
     if (l < 4) holder::defined_inside[l] = short(l);
     table[l] = -l;
     tile[l] = l * l;
     sycl::group_barrier(g);
     int *first = &tile[0], *same = &one, other = local - 1 - l;
     auto inner = [&] { return tile[other] - first[other] + outer; };
     int *mine = out + it.get_global_id(0);
     mine[0] = first[other] + one + *same + table[other];
     mine[global] = outer * 100 + int(holder::defined_outside) + holder::defined_inside[l % 4];
     mine[2 * global] = turned<2>(g, l) + 1000 * turned<5>(g, l) + inner() * 1000000;
   }).wait_and_throw();
  for (int i = 0; i < global; i++) {
    int l = i % local, other = local - 1 - l, n = i / local;
    EXPECT(out[i] == other * other + 14 - other);
    EXPECT(out[global + i] == n * 100 + 2 + l % 4);
    EXPECT(out[2 * global + i] == 2 * other + 5000 * other + n * 1000000);
  }
  sycl::free(out, q);
}

experimental::work_group_static<int> outer;

// All that a kernel wants together has to be there.
void too_much(sycl::queue q) {
  constexpr std::size_t half = 40000;
  std::size_t limit = q.get_device().get_info<sycl::info::device::local_mem_size>();
  char *out = sycl::malloc_shared<char>(4, q);
  auto launch = [&](std::size_t dynamic) {
    q.submit([&](sycl::handler &h) {
       sycl::local_accessor<char> more(dynamic, h);
       h.parallel_for(sycl::nd_range<1>(4, 4), [=](sycl::nd_item<1> it) {
         experimental::work_group_static<char[half]> large;
         large[it.get_local_id(0) * 9] = more[it.get_local_id(0)] = 1;
         sycl::group_barrier(it.get_group());
         out[it.get_local_id(0)] = char(large[27] + more[3]);
       });
     }).wait_and_throw();
  };
  launch(4);
  EXPECT(out[0] == 2);
  EXPECT(test::code_of([&] { launch(limit - half + 1000); }) == sycl::errc::memory_allocation);
  sycl::free(out, q);
}

#elif defined(__MANIPLE__) && defined(STATICS)
#error "maniple's compiler has work_group_static"
#endif

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  places(q);
  objects(q);
#ifdef SYCL_EXT_ONEAPI_WORK_GROUP_STATIC
  statics(q);
  too_much(q);
#endif
  return test::result();
}

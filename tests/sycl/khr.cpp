// Extensions of Khronos: groups of sycl_khr_group_interface in every group function, against those
// of SYCL 2020 and serial loops.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <vector>

namespace {

namespace khr = sycl::khr;

static_assert(sycl::is_group_v<khr::work_group<2>> && sycl::is_group_v<khr::sub_group> &&
              sycl::is_group_v<khr::member_item<khr::sub_group>>);
static_assert(SYCL_KHR_GROUP_INTERFACE == 1);

enum { values = 24 };

// What the groups of one work-item say of themselves and compute; `in` holds 64 numbers.
template <int D> void look(sycl::nd_item<D> it, const int *in, long *out) {
  khr::work_group<D> w = it.get_group();
  khr::sub_group s = it.get_sub_group();
  auto m = khr::get_member_item(w);
  auto n = khr::get_member_item(s);
  sycl::plus<> sum;
  std::size_t me = it.get_global_linear_id();
  int x = in[me % 64];
  sycl::group_barrier(w);
  sycl::group_barrier(s);
  sycl::group_barrier(m);
  auto even = [](int i) { return i % 2 == 0; };
  long v[values] = {
      w.id() == it.get_group().get_group_id() && w.range() == it.get_group_range(),
      long(w.linear_id()),
      long(w.size()),
      khr::leader_of(w) == it.get_group().leader() && khr::leader_of(m),
      s.id() == it.get_sub_group().get_group_id() && s.size() <= s.max_size(),
      m.id() == it.get_local_id() && m.range() == it.get_local_range() && m.size() == 1,
      long(m.linear_id()),
      n.linear_id() == it.get_sub_group().get_local_linear_id(),
      sycl::reduce_over_group(w, x, sum),
      sycl::exclusive_scan_over_group(w, x, sum),
      sycl::inclusive_scan_over_group(s, x, sum),
      sycl::group_broadcast(w, x, w.size() - 1),
      sycl::select_from_group(s, x, s.size() - 1),
      sycl::any_of_group(w, x == 5) + 2 * sycl::all_of_group(s, x >= 0),
      sycl::joint_reduce(w, in, in + 64, sum),
      sycl::reduce_over_group(m, x, 100, sum),
      sycl::exclusive_scan_over_group(m, x, sum),
      sycl::inclusive_scan_over_group(m, x, sycl::maximum<>(), 50),
      sycl::group_broadcast(m, x, m.linear_id()),
      sycl::joint_reduce(m, in, in + 64, sycl::maximum<>()),
      sycl::any_of_group(m, x, even) + 2 * sycl::none_of_group(m, x, even),
      sycl::joint_any_of(m, in, in + 64, even) + 2 * sycl::joint_all_of(m, in, in + 64, even) +
          4 * sycl::joint_none_of(m, in, in + 1, even),
      sycl::group_broadcast(w, x, m.range() - m.range()),
      0,
  };
  int scan[3];
  v[23] = sycl::joint_inclusive_scan(n, in, in + 3, scan, sum) - scan + scan[2] * 10;
  sycl::joint_exclusive_scan(n, in, in + 3, scan, 1, sum);
  v[23] += scan[2] * 10000;
  for (int i = 0; i < values; i++) out[me * values + i] = v[i];
}

template <int D> void groups(sycl::range<D> global, sycl::range<D> local) {
  sycl::queue q = test::make_queue();
  std::size_t all = global.size(), size = local.size();
  int *in = sycl::malloc_shared<int>(64, q);
  long *out = sycl::malloc_shared<long>(all * values, q);
  for (int i = 0; i < 64; i++) in[i] = (i * 37 + 11) % 101;
  sycl::nd_range<D> range(global, local);
  q.parallel_for(range, [=](sycl::nd_item<D> it) { look(it, in, out); }).wait_and_throw();
  // The same from the groups of SYCL 2020.
  long *core = sycl::malloc_shared<long>(all * 6, q);
  q.parallel_for(range, [=](sycl::nd_item<D> it) {
     auto w = it.get_group();
     auto s = it.get_sub_group();
     int x = in[it.get_global_linear_id() % 64];
     long v[6] = {long(w.get_group_linear_id()),
                  long(w.get_local_linear_id()),
                  sycl::reduce_over_group(w, x, sycl::plus<>()),
                  sycl::exclusive_scan_over_group(w, x, sycl::plus<>()),
                  sycl::inclusive_scan_over_group(s, x, sycl::plus<>()),
                  sycl::select_from_group(s, x, s.get_local_linear_range() - 1)};
     for (int i = 0; i < 6; i++) core[it.get_global_linear_id() * 6 + i] = v[i];
   }).wait_and_throw();
  long sum = 0, most = 0;
  for (int i = 0; i < 64; i++) sum += in[i], most = in[i] > most ? in[i] : most;
  for (std::size_t i = 0; i < all; i++) {
    const long *v = out + i * values, *c = core + i * 6;
    int x = in[i % 64];
    EXPECT(v[0] && v[1] == c[0] && v[2] == long(size) && v[3] && v[4] && v[5] && v[6] == c[1] &&
           v[7] && v[8] == c[2] && v[9] == c[3] && v[10] == c[4] && v[12] == c[5]);
    EXPECT(v[13] >= 2 && v[14] == sum && v[15] == x + 100 && v[16] == 0);
    EXPECT(v[17] == (x > 50 ? x : 50) && v[18] == x && v[19] == most);
    EXPECT(v[20] == (x % 2 == 0 ? 1 : 2) && v[21] == 1 + 4 * (in[0] % 2 != 0));
    EXPECT(v[23] == 3 + (in[0] + in[1] + in[2]) * 10 + (1 + in[0] + in[1]) * 10000);
  }
  if (D == 1) // the first and the last work-item of each group, by their numbers
    for (std::size_t i = 0; i < all; i++)
      EXPECT(out[i * values + 22] == in[i / size * size % 64] &&
             out[i * values + 11] == in[(i / size * size + size - 1) % 64]);
  sycl::free(in, q);
  sycl::free(out, q);
  sycl::free(core, q);
}

// Where pointers lead: 1 global, 2 local, 4 private, each by itself.
template <typename T> int spaces_of(T pointer) {
  using space = sycl::access::address_space;
  auto in_global = sycl::khr::dynamic_addrspace_cast<space::global_space>(pointer);
  auto in_local = sycl::khr::dynamic_addrspace_cast<space::local_space>(pointer);
  auto in_private = sycl::khr::dynamic_addrspace_cast<space::private_space>(pointer);
  auto anywhere = sycl::khr::dynamic_addrspace_cast<space::generic_space>(pointer);
  return bool(in_global.get()) + 2 * bool(in_local.get()) + 4 * bool(in_private.get()) +
         8 * (anywhere.get_raw() == sycl::generic_ptr<int>(pointer).get_raw());
}

void spaces() {
  sycl::queue q = test::make_queue();
  int on_stack[64] = {}, *shared = sycl::malloc_shared<int>(64, q);
  int *out = sycl::malloc_shared<int>(64 * 8, q);
  {
    sycl::buffer<int> buffer(on_stack, sycl::range<1>(64)); // memory of the host's stack is global
    q.submit([&](sycl::handler &h) {
      sycl::accessor a(buffer, h);
      sycl::local_accessor<int> local(16, h);
      h.parallel_for(sycl::nd_range<1>(64, 16), [=](sycl::nd_item<1> it) {
        int i = int(it.get_global_id(0)), l = i % 16, *v = out + i * 8, mine[3] = {i, i, i};
        local[l] = i;
        sycl::group_barrier(it.get_group());
        int *chosen = i % 3 == 0 ? &a[i] : i % 3 == 1 ? &local[15 - l] : &mine[i % 2];
        v[0] = spaces_of(&a[i]);
        v[1] = spaces_of(&local[15 - l]);
        v[2] = spaces_of(&mine[i % 3]);
        v[3] = spaces_of(chosen);
        v[4] = spaces_of(shared + i);
        v[5] = spaces_of(sycl::generic_ptr<int>(&local[l]));
        v[6] = spaces_of(
            sycl::decorated_generic_ptr<int>(sycl::decorated_global_ptr<int>(shared + i)));
        int *object = sycl::ext::oneapi::group_local_memory_for_overwrite<int>(it.get_group())
                          .get_raw();
        v[7] = spaces_of(object) + mine[i % 3] - i;
      });
    });
  }
  for (int i = 0; i < 64; i++) {
    const int *v = out + i * 8;
    EXPECT(v[0] == 9 && v[1] == 10 && v[2] == 12 && v[3] == (i % 3 == 0 ? 9 : i % 3 == 1 ? 10 : 12));
    EXPECT(v[4] == 9 && v[5] == 10 && v[6] == 9 && v[7] == 10);
  }
  q.parallel_for(64, [=](sycl::id<1> i) {
     int mine = int(i[0]);
     out[i] = spaces_of(&mine) + 100 * spaces_of(shared + mine);
   }).wait_and_throw();
  q.single_task([=] {
     int mine = 3;
     out[64] = spaces_of(&mine) + 100 * spaces_of(shared + mine);
   }).wait_and_throw();
  for (int i = 0; i <= 64; i++) EXPECT(out[i] == 912);
  sycl::free(out, q);
  sycl::free(shared, q);
}

} // namespace

int main() {
  spaces();
  groups<1>(128, 32);
  groups<1>(30, 5);
  groups<2>({6, 8}, {3, 4});
  groups<3>({2, 4, 8}, {2, 2, 4});
  return test::result();
}

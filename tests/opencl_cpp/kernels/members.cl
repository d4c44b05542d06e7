/* Every member and function of the classes of sections 3.4 to 3.10, 3.24 to 3.31 is there, in each
 * form; what they do is tested elsewhere. */
#include "check.h"
#include <opencl_array>
#include <opencl_atomic>
#include <opencl_half>
#include <opencl_iterator>
#include <opencl_limits>
#include <opencl_marker>
#include <opencl_memory>
#include <opencl_printf>
#include <opencl_range>
#include <opencl_tuple>
#include <opencl_utility>
#include <opencl_vec>
#include <opencl_vector_utility>
using namespace cl;
template <class A, class T> void every_atomic(A &a, volatile A &v, T x) {
  a.is_lock_free();
  v.is_lock_free();
  a.store(x);
  v.store(x, memory_order_relaxed, memory_scope_work_group);
  T y = a.load();
  y = v.load(memory_order_acquire);
  y = a;
  y = v;
  y = a.exchange(x);
  y = v.exchange(x, memory_order_acq_rel, memory_scope_device);
  bool b = a.compare_exchange_weak(y, x, memory_order_seq_cst, memory_order_seq_cst,
                                   memory_scope_device);
  b = v.compare_exchange_strong(y, x);
  b = a.compare_exchange_weak(y, x, memory_order_acq_rel);
  b = v.compare_exchange_weak(y, x, memory_order_release, memory_scope_work_group);
  a = x;
  v = x;
  (void)b;
  atomic_init(&a, x);
  atomic_is_lock_free(&a);
  atomic_is_lock_free(&v);
  atomic_store(&a, x);
  atomic_store(&v, x);
  atomic_store_explicit(&a, x, memory_order_release);
  atomic_store_explicit(&v, x, memory_order_release, memory_scope_device);
  y = atomic_load(&a);
  y = atomic_load_explicit(&v, memory_order_acquire, memory_scope_work_group);
  y = atomic_exchange(&a, x);
  y = atomic_exchange_explicit(&v, x, memory_order_relaxed);
  b = atomic_compare_exchange_weak(&a, &y, x);
  b = atomic_compare_exchange_strong(&v, &y, x);
  b = atomic_compare_exchange_weak_explicit(&a, &y, x, memory_order_relaxed, memory_order_relaxed,
                                            memory_scope_device);
  b = atomic_compare_exchange_strong_explicit(&v, &y, x, memory_order_relaxed, memory_scope_device);
}
template <class A, class T> void integer_atomic(A &a, volatile A &v, T x) {
  T y = a.fetch_add(x) + v.fetch_sub(x, memory_order_relaxed) + a.fetch_and(x) + v.fetch_or(x) +
        a.fetch_xor(x) + v.fetch_min(x) +
        a.fetch_max(x, memory_order_relaxed, memory_scope_work_group);
  a++;
  ++a;
  a--;
  --a;
  v++;
  ++v;
  v--;
  --v;
  a += x;
  v -= x;
  a &= x;
  v |= x;
  a ^= x;
  y = atomic_fetch_add(&a, x) + atomic_fetch_sub(&v, x) + atomic_fetch_and(&a, x) +
      atomic_fetch_or(&a, x) + atomic_fetch_xor(&a, x) + atomic_fetch_min(&a, x) +
      atomic_fetch_max(&a, x) + atomic_fetch_add_explicit(&a, x, memory_order_relaxed) +
      atomic_fetch_max_explicit(&v, x, memory_order_relaxed, memory_scope_device);
}
atomic<int> ai;
atomic<uint> au;
atomic_long al;
atomic_ulong aul;
atomic_float af;
atomic_double ad;
atomic<int *> ap;
atomic_size_t as;
atomic_intptr_t aip;
atomic_uintptr_t aup;
atomic_ptrdiff_t apd;
atomic_flag fl = ATOMIC_FLAG_INIT;
int target[4];
kernel void atomics(uint *failed, int *p) {
  every_atomic(ai, ai, 3);
  every_atomic(au, au, 3u);
  every_atomic(al, al, 3l);
  every_atomic(aul, aul, 3ul);
  every_atomic(af, af, 3.f);
  every_atomic(ad, ad, 3.);
  every_atomic(ap, ap, (int *)target);
  integer_atomic(ai, ai, 1);
  integer_atomic(au, au, 1u);
  integer_atomic(al, al, 1l);
  integer_atomic(aul, aul, 1ul);
  integer_atomic(as, as, (size_t)1);
  integer_atomic(aip, aip, (intptr_t)1);
  integer_atomic(aup, aup, (uintptr_t)1);
  integer_atomic(apd, apd, (ptrdiff_t)1);
  ap.fetch_add(1);
  ap.fetch_sub(1, memory_order_relaxed);
  ap++;
  ++ap;
  ap--;
  --ap;
  ap += 2;
  ap -= 2;
  atomic_fetch_add(&ap, 1);
  atomic_fetch_sub_explicit(&ap, 1, memory_order_relaxed);
  bool b = fl.test_and_set();
  fl.clear();
  b = atomic_flag_test_and_set(&fl);
  atomic_flag_clear(&fl);
  b = atomic_flag_test_and_set_explicit(&fl, memory_order_acquire);
  atomic_flag_clear_explicit(&fl, memory_order_release, memory_scope_device);
  atomic_fence(mem_fence::global | mem_fence::local, memory_order_seq_cst, memory_scope_device);
  atomic_fence(mem_fence::image, memory_order_seq_cst, memory_scope_device);
  work_group_barrier(mem_fence::image);
  (void)~mem_fence::local;
  (void)(mem_fence::local ^ mem_fence::global);
  memory_scope sc = memory_scope_all_svm_devices;
  sc = memory_scope_work_item;
  sc = memory_scope_sub_group;
  p[0] = b + sc;
}
kernel void vecs(uint *failed, int *p) {
  using v4 = vec<int, 4>;
  int4 b4 = int4(1, 2, 3, 4);
  v4 a, b(b4), c(int4(1)), d(1, 2, 3, 4), e(int2(1, 2), 3, 4), f(b), g = cl::move(b);
  a = b4;
  a = int4(3);
  a = d;
  int4 x = a;
  ++a;
  a++;
  --a;
  a--;
  a += b;
  a += 1;
  a -= b;
  a -= 1;
  a *= b;
  a *= 2;
  a /= b;
  a /= 2;
  a %= b;
  a %= 2;
  bool4 r = a == b;
  r = a != b;
  r = a < b;
  r = a > b;
  r = a <= b;
  r = a >= b;
  a = a + b;
  a = a + 1;
  a = 1 + a;
  a = a - b;
  a = a - 1;
  a = 1 - a;
  a = a * b;
  a = a * 2;
  a = 2 * a;
  a = a / d;
  a = a / 1;
  a = 1 / d;
  int2 s = a.swizzle<0, 1>();
  vec<int, 2> s2 = a.swizzle<3, 3>();
  a.swizzle<0, 1>() = int2(7, 8);
  const v4 ca = a;
  s = ca.swizzle<1, 2>();
  s = cl::swizzle<2, 1>(a);
  s = cl::swizzle<channel::x, channel::w>(a);
  s = cl::swizzle<channel::r, channel::a>(x);
  cl::swizzle<0>(a) = 3;
  int one = a.swizzle<2>();
  vec<bool, 4> vb(true, false, true, true);
  bool4 bb = vb;
  vec<half, 2> h2(1.0h, 2.0h);
  vec<double, 16> d16(1.0);
  p[0] = x.x + s.x + one + r.x + bb.y;
  static_assert(v4::size == 4 && is_same<v4::element_type, int>::value &&
                    is_same<v4::vector_type, int4>::value,
                "");
  fp16 hh, h3(1.0f), h4(2.0h), h5(3.0);
  hh = 1.0f;
  hh = h3;
  hh = 2.0h;
  hh = 2.5;
  ++hh;
  hh++;
  --hh;
  hh--;
  hh += h3;
  hh -= h3;
  hh *= h3;
  hh /= h3;
  bool q = hh == h3;
  q = hh != h3;
  q = hh < h3;
  q = hh > h3;
  q = hh <= h3;
  q = hh >= h3;
  hh = hh + h3;
  hh = hh - h3;
  hh = hh * h3;
  hh = hh / h3;
  float fl = hh;
  half ha = hh;
  double dd = hh;
  if (hh) p[1] = fl + ha + dd + q;
}
kernel void more(uint *failed, int *p) {
  if (get_global_id(0)) return; /* all would write to the same places */
  array<int, 3> a{1, 2, 3}, b = a;
  array<int, 0> z;
  a.begin();
  a.end();
  a.cbegin();
  a.rbegin();
  a.crend();
  a.size();
  a.max_size();
  a.empty();
  z.empty();
  p[0] = a[1] + a.front() + a.back() + *a.data() + get<1>(a) + tuple_size<array<int, 3>>::value;
  static_assert(is_same<tuple_element_t<1, array<int, 3>>, int>::value, "");
  int4 v = int4(1, 2, 3, 4);
  for (auto c : range(v)) p[1] += c;
  for (auto it = begin(v); it != end(v); ++it) *it += 1;
  for (auto c : range(v, 2)) c = 0;
  for (auto c : range(v, 1, 3)) p[2] += c;
  for (auto c : range(a)) p[3] += c;
  int arr[3] = {1, 2, 3};
  for (auto &c : range(arr, 1, 2)) c = 5;
  auto i = index(v, 2);
  i = 5;
  i += 1;
  i++;
  --i;
  p[4] = get<2>(v);
  set<1>(v, 9);
  channel_ptr<int4> cp(i);
  *cp = 4;
  *begin(v) = 3;
  tuple<int, float, char> t(1, 2.f, 'c'), u = make_tuple(1, 2.f, 'c');
  int ti;
  float tf;
  tie(ti, tf, ignore) = t;
  auto cat = tuple_cat(t, make_tuple(5));
  p[5] = get<3>(cat) + get<0>(t) + (int)get<float>(u) + (t == u) + (t < u) +
         tuple_size<decltype(cat)>::value;
  t.swap(u);
  swap(t, u);
  auto fw = forward_as_tuple(ti, 3);
  static_assert(is_same<tuple_element_t<1, decltype(t)>, float>::value, "");
  int x = 1, y = 2;
  swap(x, y);
  y = move_if_noexcept(x);
  y = cl::forward<int>(3);
  reverse_iterator<int *> ri(arr + 3), rj = make_reverse_iterator(arr);
  p[6] = *ri + ri[1] + (rj - ri);
  move_iterator<int *> mi(arr);
  p[7] = *mi;
  advance(mi, 1);
  p[7] += distance(arr, arr + 2) + *next(arr) + *prev(arr + 2);
  auto bi = begin(arr);
  auto ce = cend(arr);
  auto rb = rbegin(arr);
  auto cr = crbegin(arr);
  static_assert(is_same<iterator_traits<int *>::value_type, int>::value, "");
  if (p[0] == -12345) cl::printf("%d %s %v4d\n", 3, "x", v);
}
template <class P, class T> void every_pointer(P p) {
  static_assert(is_same<typename P::element_type, remove_extent_t<T>>::value, "");
  typename P::difference_type d = 1;
  typename P::pointer q = p.get();
  P a, b(nullptr), c(q), e(c);
  a = e;
  b = cl::move(e);
  a = q;
  a = nullptr;
  (void)(a == b);
  (void)(a != b);
  (void)(a < b);
  (void)(a > b);
  (void)(a <= b);
  (void)(a >= b);
  (void)(a == nullptr);
  (void)(nullptr == a);
  (void)(a != nullptr);
  (void)(nullptr != a);
  (void)(a < nullptr);
  (void)(nullptr < a);
  (void)(a > nullptr);
  (void)(nullptr > a);
  (void)(a <= nullptr);
  (void)(nullptr <= a);
  (void)(a >= nullptr);
  (void)(nullptr >= a);
  a.swap(b);
  swap(a, b);
  q = a.release();
  a.reset(q);
  a.reset();
  a.reset(nullptr);
  ++a;
  a++;
  --a;
  a--;
  a += d;
  a -= d;
  a = a + d;
  a = a - d;
  if (a) b = a;
  (void)!a;
}
struct cls {
  int x;
  int get() { return x; }
};
kernel void pointers(uint *failed, global_ptr<int[]> g, local_ptr<int[]> l, constant_ptr<int[]> c) {
  if (get_global_id(0)) return;
  every_pointer<global_ptr<int[]>, int[]>(g);
  every_pointer<local_ptr<int[]>, int[]>(l);
  every_pointer<constant_ptr<int[]>, int[]>(c);
  every_pointer<global_ptr<int>, int>(global_ptr<int>(g.get()));
  every_pointer<local_ptr<int>, int>(local_ptr<int>(l.get()));
  every_pointer<constant_ptr<int>, int>(constant_ptr<int>(c.get()));
  int x[4];
  private_ptr<int[]> p(x);
  every_pointer<private_ptr<int[]>, int[]>(p);
  every_pointer<private_ptr<int>, int>(private_ptr<int>(x));
  global_ptr<cls> o = reinterpret_asptr_cast<cls>(global_ptr<int>(g.get()));
  o->x = 3;
  g[0] = o->get() + (*o).x;
  local_ptr<int>::size_type s(16);
  size_t n = s;
  g[1] = n;
  global_ptr<const int> gc = static_asptr_cast<const int>(global_ptr<int>(g.get()));
  g[2] = *gc;
}

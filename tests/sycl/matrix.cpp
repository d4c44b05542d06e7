// joint_matrix (sycl_ext_oneapi_matrix, sycl_ext_intel_matrix) against serial loops: products of
// each combination that the device has, with layouts and shapes in turn, in sub-groups of each
// size, short ones too; by day (without ALL_COMBINATIONS) each third combination, in sub-groups of
// one size.
#include <sycl/sycl.hpp>

#include "check.hpp"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace {

namespace experimental = sycl::ext::oneapi::experimental;
namespace intel = sycl::ext::intel::experimental::matrix;
using namespace experimental::matrix;
using sycl::ext::oneapi::bfloat16;

#ifdef ALL_COMBINATIONS
constexpr bool all_combinations = true;
#else
constexpr bool all_combinations = false;
#endif

// --- Types of the table -------------------------------------------------------------------------

template <matrix_type> struct of_type;
#define SYCL_MATRIX_TYPE(name, T)                                                                  \
  template <> struct of_type<matrix_type::name> { using type = T; };
using sycl::half;
namespace ext = sycl::ext;
#include <sycl/ext/oneapi/matrix/combinations.def>

template <typename T> struct as_stored { using type = T; };
template <> struct as_stored<precision::tf32> { using type = float; };
template <typename T> using stored = typename as_stored<T>::type;

// Small numbers, exact in each type.
template <typename T> stored<T> number(std::size_t i, std::size_t step) {
  int value = int(i * step % 13);
  if (!std::is_unsigned_v<T>) value -= 6;
  return stored<T>(float(value));
}
template <typename T> long whole(T value) {
  return long(float(value));
}
template <typename T> bool is(T value, long exact) {
  return value == T(float(exact)); // the one rounding that is allowed
}

// Where a matrix in memory has an element, and how far its rows are apart.
template <typename T>
std::size_t place(layout l, std::size_t row, std::size_t col, std::size_t stride) {
  std::size_t together = sizeof(stored<T>) < 4 ? 4 / sizeof(stored<T>) : 1;
  if (l == layout::col_major) return col * stride + row;
  if (l == layout::row_major) return row * stride + col;
  return row / together * stride + col * together + row % together;
}
template <typename T>
constexpr std::size_t stride_of(layout l, std::size_t rows, std::size_t cols) {
  std::size_t together = sizeof(stored<T>) < 4 ? 4 / sizeof(stored<T>) : 1;
  if (l == layout::col_major) return rows + 3;
  return l == layout::row_major ? cols + 3 : cols * together + 2;
}

template <typename T> auto global(T *pointer) {
  return sycl::address_space_cast<sycl::access::address_space::global_space,
                                  sycl::access::decorated::no>(pointer);
}

bool has_size(const sycl::queue &q, std::size_t size) {
  auto sizes = q.get_device().get_info<sycl::info::device::sub_group_sizes>();
  return std::find(sizes.begin(), sizes.end(), size) != sizes.end();
}

template <std::uint32_t Size> constexpr auto of_size() {
  return experimental::properties{experimental::sub_group_size<Size>};
}

// The sub-group's number in the launch of two work-groups.
std::size_t number_of(sycl::nd_item<1> it) {
  sycl::sub_group g = it.get_sub_group();
  return it.get_group(0) * g.get_group_linear_range() + g.get_group_linear_id();
}
std::size_t sub_groups(std::size_t local, std::size_t size) {
  return 2 * ((local + size - 1) / size);
}

// --- Products
// -------------------------------------------------------------------------------------

template <std::uint32_t Size, std::size_t M, std::size_t N, std::size_t K, layout LayoutA,
          layout LayoutB, layout LayoutC, typename Ta, typename Tb, typename Tc, typename Td>
void product(sycl::queue &q, std::size_t local) {
  constexpr std::size_t stride_a = stride_of<Ta>(LayoutA, M, K),
                        stride_c = stride_of<Tc>(LayoutC, M, N);
  constexpr std::size_t stride_b = stride_of<Tb>(LayoutB, K, N), most = 80 * 80 + 64;
  std::size_t count = sub_groups(local, Size), of_d = (M + 3) * (N + 3);
  auto *a = sycl::malloc_shared<stored<Ta>>(most, q);
  auto *b = sycl::malloc_shared<stored<Tb>>(most, q);
  auto *c = sycl::malloc_shared<stored<Tc>>(most, q);
  auto *d = sycl::malloc_shared<stored<Td>>(count * of_d, q);
  for (std::size_t i = 0; i < most; i++) {
    a[i] = number<Ta>(i, 5);
    b[i] = number<Tb>(i, 7);
    c[i] = number<Tc>(i, 3);
  }
  for (std::size_t i = 0; i < count * of_d; i++) d[i] = stored<Td>(99.0f);
  q.parallel_for(sycl::nd_range<1>(2 * local, local), of_size<Size>(), [=](sycl::nd_item<1> it) {
     sycl::sub_group g = it.get_sub_group();
     std::size_t me = number_of(it);
     joint_matrix<sycl::sub_group, Ta, use::a, M, K, LayoutA> of_a;
     joint_matrix<sycl::sub_group, Tb, use::b, K, N, LayoutB> of_b;
     joint_matrix<sycl::sub_group, Tc, use::accumulator, M, N> of_c[2];
     joint_matrix<sycl::sub_group, Td, use::accumulator, M, N> result;
     joint_matrix_prefetch<M, K>(g, a + me, stride_a, layout::row_major);
     joint_matrix_load(g, of_a, global(a + me), stride_a);
     joint_matrix_load(g, of_b, global(static_cast<const stored<Tb> *>(b)), stride_b);
     joint_matrix_load(g, of_c[1], global(c + me), stride_c, LayoutC);
     joint_matrix_mad(g, result, of_a, of_b, of_c[1]);
     joint_matrix_store(g, result, global(d + me * of_d), N + 3, layout::row_major);
   }).wait_and_throw();
  for (std::size_t s = 0; s < count; s++)
    for (std::size_t row = 0; row < M; row++)
      for (std::size_t col = 0; col < N + 3; col++) {
        if (row * (N + 3) + col >= of_d) continue;
        long sum = col < N ? whole(c[s + place<Tc>(LayoutC, row, col, stride_c)]) : 99;
        for (std::size_t k = 0; col < N && k < K; k++)
          sum += whole(a[s + place<Ta>(LayoutA, row, k, stride_a)]) *
                 whole(b[place<Tb>(LayoutB, k, col, stride_b)]);
        EXPECT(is(d[s * of_d + row * (N + 3) + col], sum));
      }
  sycl::free(a, q);
  sycl::free(b, q);
  sycl::free(c, q);
  sycl::free(d, q);
}

// Layouts and shapes in turn.
template <std::uint32_t Size, int Number, typename... Types> void products_of_size(sycl::queue &q) {
  if (!has_size(q, Size)) return;
  constexpr int turn = Number % 3;
  constexpr layout a = turn == 0   ? layout::row_major
                       : turn == 1 ? layout::col_major
                                   : layout::ext_intel_packed;
  constexpr layout b = turn == 1   ? layout::row_major
                       : turn == 2 ? layout::col_major
                                   : layout::ext_intel_packed;
  constexpr layout c = Number % 2 ? layout::col_major : layout::row_major;
  constexpr std::size_t m = turn == 0   ? 5
                            : turn == 1 ? 8
                                        : 16,
                        n = turn == 0   ? 13
                            : turn == 1 ? 16
                                        : 40;
  constexpr std::size_t k = turn == 0 ? 6 : turn == 1 ? 16 : 32;
  for (std::size_t local :
       {std::size_t(Size), std::size_t(2 * Size + 3), std::size_t(1), std::size_t(6)})
    product<Size, m, n, k, a, b, c, Types...>(q, local);
}

template <int Number, typename... Types> void products(sycl::queue &q) {
  constexpr std::uint32_t turn = 8u << Number / 3 % 4;
  if constexpr (all_combinations) {
    products_of_size<8, Number, Types...>(q);
    products_of_size<16, Number, Types...>(q);
    products_of_size<32, Number, Types...>(q);
    products_of_size<64, Number, Types...>(q);
  } else if constexpr (Number % 3 == 2 || Number == 0) {
    products_of_size<turn, Number, Types...>(q);
  }
}

template <matrix_type A, matrix_type B, matrix_type C, matrix_type D, int Number>
void products_of_row(sycl::queue &q, const std::vector<combination> &rows) {
  products<Number, typename of_type<A>::type, typename of_type<B>::type, typename of_type<C>::type,
           typename of_type<D>::type>(q);
  const combination &row = rows.at(Number);
  EXPECT(row.atype == A && row.btype == B && row.ctype == C && row.dtype == D);
  EXPECT(row.max_msize >= 16 && row.max_nsize >= 40 && row.max_ksize >= 32);
  EXPECT(!row.msize && !row.nsize && !row.ksize);
}

void all_products() {
  sycl::queue q = test::make_queue();
  auto rows = q.get_device().get_info<experimental::info::device::matrix_combinations>();
  constexpr int first = __COUNTER__ + 1;
#define SYCL_MATRIX_COMBINATION(A, B, C, D, M, N, K)                                               \
  products_of_row<matrix_type::A, matrix_type::B, matrix_type::C, matrix_type::D,                  \
                  __COUNTER__ - first>(q, rows);
#include <sycl/ext/oneapi/matrix/combinations.def>
  EXPECT(rows.size() == std::size_t(__COUNTER__ - first));
}

// --- Elements
// -------------------------------------------------------------------------------------

enum { rows = 6, columns = 20, elements = rows * columns, outputs = 5 };

// What each use of a matrix does alike: changes, places, copies by way of a to other uses.
template <use Use, layout Layout, typename T, typename Other> struct of_use {
  using matrix = joint_matrix<sycl::sub_group, T, Use, rows, columns, Layout>;
  using other = joint_matrix<sycl::sub_group, Other, Use, rows, columns, Layout>;

  template <typename M, typename P> static void load(sycl::sub_group g, M &m, P *from) {
    if constexpr (Use == use::accumulator)
      joint_matrix_load(g, m, global(from), columns, layout::row_major);
    else
      joint_matrix_load(g, m, global(from), columns);
  }
  template <typename M, typename P> static void store(sycl::sub_group g, const M &m, P *to) {
    if constexpr (Use == use::accumulator)
      joint_matrix_store(g, m, global(to), columns, layout::row_major);
    else
      intel::joint_matrix_store(g, m, global(to), columns);
  }
};

template <std::uint32_t Size, use Use, layout Layout, typename T, typename Other>
void changes(std::size_t local) {
  using each = of_use<Use, Layout, T, Other>;
  sycl::queue q = test::make_queue();
  if (!has_size(q, Size)) return;
  std::size_t count = sub_groups(local, Size);
  auto *in = sycl::malloc_shared<stored<T>>(elements, q);
  auto *out = sycl::malloc_shared<stored<T>>(count * outputs * elements, q);
  auto *others = sycl::malloc_shared<stored<Other>>(count * elements, q);
  int *calls = sycl::malloc_shared<int>(count, q);
  for (std::size_t i = 0; i < elements; i++) in[i] = number<T>(i, 5);
  for (std::size_t i = 0; i < count; i++) calls[i] = 0;
  q.parallel_for(sycl::nd_range<1>(2 * local, local), of_size<Size>(), [=](sycl::nd_item<1> it) {
     sycl::sub_group g = it.get_sub_group();
     std::size_t me = number_of(it);
     auto *to = out + me * outputs * elements;
     typename each::matrix m, second;
     typename each::other other;
     joint_matrix_fill(g, m, 3);
     each::store(g, m, to);
     each::load(g, m, in);
     joint_matrix_apply(g, m, [=](stored<T> &x) {
       x = stored<T>(x + stored<T>(2.0f));
       sycl::atomic_ref<int, sycl::memory_order::relaxed, sycl::memory_scope::device>(calls[me])++;
     });
     each::store(g, m, to + elements);
     joint_matrix_fill(g, other, 1);
     joint_matrix_apply(g, m, other, [](const stored<T> &x, stored<Other> &y) {
       y = stored<Other>(y + stored<Other>(float(x) * 2));
     });
     each::store(g, other, others + me * elements);
     using intel::joint_matrix_apply; // which of them is meant, the function object says
     joint_matrix_apply(g, m, [](stored<T> &x, std::size_t row, std::size_t column) {
       x = stored<T>(float(row * 20 + column));
     });
     each::store(g, m, to + 2 * elements);
     // To all uses and back.
     joint_matrix<sycl::sub_group, half, use::accumulator, rows, columns> sums;
     joint_matrix<sycl::sub_group, float, use::a, rows, columns, layout::col_major> as_a;
     joint_matrix<sycl::sub_group, double, use::b, rows, columns, layout::row_major> as_b;
     joint_matrix_copy(g, m, as_a);
     joint_matrix_copy(g, as_a, as_b);
     joint_matrix_copy(g, as_b, sums);
     joint_matrix_copy(g, sums, second);
     each::store(g, second, to + 3 * elements);
     joint_matrix_copy(g, sums, as_a);
     joint_matrix_copy(g, as_a, second);
     each::store(g, second, to + 4 * elements);
   }).wait_and_throw();
  for (std::size_t s = 0; s < count; s++) {
    EXPECT(calls[s] == elements);
    for (std::size_t i = 0; i < elements; i++) {
      auto of = [&](int k) { return out[(s * outputs + k) * elements + i]; };
      EXPECT(is(of(0), 3) && is(of(1), whole(in[i]) + 2));
      EXPECT(is(others[s * elements + i], 2 * (whole(in[i]) + 2) + 1));
      EXPECT(is(of(2), long(i)) && is(of(3), long(i)) && is(of(4), long(i)));
    }
  }
  sycl::free(in, q);
  sycl::free(out, q);
  sycl::free(others, q);
  sycl::free(calls, q);
}

// With bounds: of 9 rows and 25 columns at a place where a part is outside, and beyond.
template <std::uint32_t Size, use Use, layout Layout, typename T> void bounds(std::size_t local) {
  sycl::queue q = test::make_queue();
  if (!has_size(q, Size)) return;
  constexpr std::size_t height = 9, width = 25, stride = 32, x = 5, y = 10;
  constexpr std::size_t memory = stride * stride;
  bool by_columns = Layout == layout::col_major;
  std::size_t count = sub_groups(local, Size);
  auto *in = sycl::malloc_shared<stored<T>>(memory, q);
  auto *out = sycl::malloc_shared<stored<T>>(count * memory * 2, q);
  for (std::size_t i = 0; i < memory; i++) in[i] = number<T>(i, 5);
  for (std::size_t i = 0; i < count * memory * 2; i++) out[i] = stored<T>(42.0f);
  q.parallel_for(sycl::nd_range<1>(2 * local, local), of_size<Size>(), [=](sycl::nd_item<1> it) {
     sycl::sub_group g = it.get_sub_group();
     auto *to = out + number_of(it) * memory * 2, *filled = to + memory;
     joint_matrix<sycl::sub_group, T, Use, rows, columns, Layout> m, ones;
     intel::joint_matrix_fill_checked(g, ones, 1, height, width, x, y);
     if constexpr (Use == use::accumulator) {
       layout l = layout::row_major;
       intel::joint_matrix_load_checked(g, m, global(in), stride, l, height, width, x, y);
       intel::joint_matrix_store_checked(g, m, global(to), stride, l, height + 1, width, x, y);
       joint_matrix_store(g, ones, global(filled), stride, l);
     } else {
       intel::joint_matrix_load_checked(g, m, global(in), stride, height, width, x, y);
       intel::joint_matrix_store_checked(g, m, global(to), stride, height + 1, width, x, y);
       intel::joint_matrix_store(g, ones, global(filled), stride);
     }
   }).wait_and_throw();
  for (std::size_t s = 0; s < count; s++)
    for (std::size_t row = 0; row < rows; row++)
      for (std::size_t col = 0; col < columns; col++) {
        std::size_t r = x + row, c = y + col, at = by_columns ? c * stride + r : r * stride + c;
        long expected = r < height && c < width ? whole(in[at]) : 0;
        if (r >= height + 1 || c >= width) expected = 42;
        EXPECT(is(out[s * 2 * memory + at], expected));
        at = by_columns ? col * stride + row : row * stride + col;
        EXPECT(is(out[s * 2 * memory + memory + at], r < height && c < width));
      }
  sycl::free(in, q);
  sycl::free(out, q);
}

template <std::uint32_t Size> void all_changes() {
  for (std::size_t local : {std::size_t(Size), std::size_t(Size + 5), std::size_t(3)}) {
    changes<Size, use::accumulator, layout::dynamic, float, std::int32_t>(local);
    changes<Size, use::a, layout::row_major, bfloat16, double>(local);
    changes<Size, use::b, layout::row_major, std::uint8_t, half>(local);
    bounds<Size, use::accumulator, layout::dynamic, std::int32_t>(local);
    bounds<Size, use::a, layout::col_major, half>(local);
    bounds<Size, use::b, layout::row_major, precision::tf32>(local);
  }
}

// --- Numbers and queries
// --------------------------------------------------------------------------

// To nearest, to even, against the two neighbours of 13 bits less.
void roundings() {
  for (float x : {1.0f, 1.0004884f, 1.0014648f, -3.1415927f, 1e-30f, 65535.5f, 0.0f}) {
    float low = __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, x) & ~0x1fffu);
    float high = __builtin_bit_cast(float, __builtin_bit_cast(std::uint32_t, low) + 0x2000u);
    float near = std::fabs(x - low) < std::fabs(high - x) ? low : high;
    if (std::fabs(x - low) == std::fabs(high - x))
      near = __builtin_bit_cast(std::uint32_t, low) & 0x2000u ? high : low;
    EXPECT(round_to_tf32(x) == near);
  }
  EXPECT(round_to_tf32(HUGE_VALF) == HUGE_VALF);
  EXPECT(std::isnan(round_to_tf32(std::nanf(""))));
}

using params = matrix_params<experimental::architecture::x86_64, bfloat16, bfloat16, float>;
using sized = matrix_params<experimental::architecture::intel_cpu_spr, std::int8_t, std::uint8_t,
                            std::int32_t, std::int32_t, 3, 64, 5>;
static_assert(params::M * params::N * params::K > 0 && sized::M == 3 && sized::N == 64 &&
              sized::K == 5);
static_assert(
    std::is_same_v<sized::joint_matrix_b<sycl::sub_group, layout::col_major>,
                   joint_matrix<sycl::sub_group, std::uint8_t, use::b, 5, 64, layout::col_major>>);
static_assert(
    std::is_same_v<params::joint_matrix_d<sycl::sub_group>,
                   joint_matrix<sycl::sub_group, float, use::accumulator, params::M, params::N>>);
static_assert(!std::is_copy_constructible_v<params::joint_matrix_c<sycl::sub_group>> &&
              !std::is_copy_assignable_v<params::joint_matrix_c<sycl::sub_group>>);

void queries() {
  sycl::device d = test::make_queue().get_device();
  EXPECT(d.has(sycl::aspect::ext_intel_matrix));
  EXPECT(d.get_info<sycl::ext::intel::experimental::info::device::matrix::numtiles>() == 0);
}

} // namespace

int main() {
  queries();
  roundings();
  all_products();
  all_changes<16>();
#ifdef ALL_COMBINATIONS
  all_changes<8>();
  all_changes<32>();
  all_changes<64>();
#endif
  return test::result();
}

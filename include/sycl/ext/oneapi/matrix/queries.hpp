/* sycl_ext_oneapi_matrix: what joint_matrix_mad multiplies, asked for when the program runs or when
 * it is compiled. */
#ifndef SYCL_EXT_ONEAPI_MATRIX_QUERIES_HPP
#define SYCL_EXT_ONEAPI_MATRIX_QUERIES_HPP

#include <vector>

#include "../../../info.hpp"
#include "../../../khr/version.hpp"
#include "../experimental/architecture.hpp"
#include "layouts.hpp"

namespace sycl {

namespace ext::oneapi::experimental::matrix {

template <typename Group, typename T, use Use, std::size_t Rows, std::size_t Cols, layout Layout>
struct joint_matrix;

enum class matrix_type {
#define SYCL_MATRIX_TYPE(name, type) name,
#include "combinations.def"
};

/* All sizes up to the greatest, which are max_*; the others are 0. */
struct combination {
  std::size_t max_msize, max_nsize, max_ksize;
  std::size_t msize, nsize, ksize;
  matrix_type atype, btype, ctype, dtype;
};

} // namespace ext::oneapi::experimental::matrix

namespace detail {

using ext::oneapi::experimental::matrix::matrix_type;

template <typename T> struct matrix_type_of { static constexpr bool is_known = false; };
#define SYCL_MATRIX_TYPE(name, type)                                                               \
  template <> struct matrix_type_of<type> {                                                        \
    static constexpr bool is_known = true;                                                         \
    static constexpr matrix_type value = matrix_type::name;                                        \
  };
#include "combinations.def"

/* What matrix_params suggests; nothing for types that are not multiplied. */
struct matrix_shape {
  std::size_t m, n, k;
};
constexpr matrix_shape suggested_shape(matrix_type a, matrix_type b, matrix_type c, matrix_type d) {
#define SYCL_MATRIX_COMBINATION(A, B, C, D, M, N, K)                                               \
  if (a == matrix_type::A && b == matrix_type::B && c == matrix_type::C && d == matrix_type::D)    \
    return {M, N, K};
#include "combinations.def"
  return {0, 0, 0};
}
template <typename Ta, typename Tb, typename Tc, typename Td>
constexpr matrix_shape suggested_shape_of() {
  return suggested_shape(matrix_type_of<Ta>::value, matrix_type_of<Tb>::value,
                         matrix_type_of<Tc>::value, matrix_type_of<Td>::value);
}
template <typename Ta, typename Tb, typename Tc, typename Td>
constexpr bool is_matrix_combination() {
  return suggested_shape_of<Ta, Tb, Tc, Td>().m != 0;
}

} // namespace detail

namespace ext::oneapi::experimental {

namespace info::device {

struct matrix_combinations {
  using return_type = std::vector<matrix::combination>;
  SYCL_WHEN_USED static return_type get(const sycl::detail::properties &) {
    using matrix::matrix_type;
    constexpr std::size_t most = SYCL_MATRIX_MOST;
    return {
#define SYCL_MATRIX_COMBINATION(A, B, C, D, M, N, K)                                               \
  {most, most, most, 0, 0, 0, matrix_type::A, matrix_type::B, matrix_type::C, matrix_type::D},
#include "combinations.def"
    };
  }
};

} // namespace info::device

namespace matrix {

/* The same for each architecture: all devices here have the same joint_matrix. */
template <architecture Arch, typename Ta, typename Tb, typename Tc, typename Td = Tc,
          std::size_t sM = 0, std::size_t sN = 0, std::size_t sK = 0>
struct matrix_params {
  static_assert(sycl::detail::is_matrix_combination<Ta, Tb, Tc, Td>(),
                "matrix_params takes the types of a row of matrix_combinations");
  static_assert((sM && sN && sK) || (!sM && !sN && !sK), "matrix_params takes all sizes or none");
  static_assert(sM <= SYCL_MATRIX_MOST && sN <= SYCL_MATRIX_MOST && sK <= SYCL_MATRIX_MOST,
                "matrix_params takes sizes up to those of matrix_combinations");

private:
  static constexpr auto suggested = sycl::detail::suggested_shape_of<Ta, Tb, Tc, Td>();

public:
  static constexpr std::size_t M = sM ? sM : suggested.m;
  static constexpr std::size_t N = sN ? sN : suggested.n;
  static constexpr std::size_t K = sK ? sK : suggested.k;

  template <typename Group, layout Layout>
  using joint_matrix_a = joint_matrix<Group, Ta, use::a, M, K, Layout>;
  template <typename Group, layout Layout>
  using joint_matrix_b = joint_matrix<Group, Tb, use::b, K, N, Layout>;
  template <typename Group>
  using joint_matrix_c = joint_matrix<Group, Tc, use::accumulator, M, N, layout::dynamic>;
  template <typename Group>
  using joint_matrix_d = joint_matrix<Group, Td, use::accumulator, M, N, layout::dynamic>;
};

} // namespace matrix
} // namespace ext::oneapi::experimental
} // namespace sycl

#endif

/* The multiplication of joint_matrix (sycl_ext_oneapi_matrix): for each column of b, sums of some
 * rows at a time, which are few enough to stay in registers. */
#ifndef SYCL_EXT_ONEAPI_MATRIX_MULTIPLY_HPP
#define SYCL_EXT_ONEAPI_MATRIX_MULTIPLY_HPP

#include "storage.hpp"

namespace sycl::detail {

/* What a sum of products adds up to with the element of c: of bytes, whose sums are floats, it may
 * wrap. */
template <typename Kept, typename Sum> Kept with_sum(Kept c, Sum sum) {
  if constexpr (std::is_integral_v<Kept>)
    return Kept(std::uint32_t(c) + std::uint32_t(std::int32_t(sum)));
  else
    return sum;
}

/* Rows of d and c from places of theirs on, with as many rows of a and a column of b. */
template <typename Td, typename Tc, std::size_t Rows, std::size_t K, typename Factor>
void multiply_rows(matrix_kept<Td> *d, const Factor *a, const Factor *b, const matrix_kept<Tc> *c) {
  constexpr bool with_c = !std::is_integral_v<matrix_kept<Tc>>;
  Factor sums[Rows];
  for (std::size_t row = 0; row < Rows; row++) sums[row] = with_c ? Factor(c[row]) : Factor(0);
  for (std::size_t k = 0; k < K; k++)
    for (std::size_t row = 0; row < Rows; row++) sums[row] += a[row * K + k] * b[k];
  for (std::size_t row = 0; row < Rows; row++)
    d[row] = keep<Td>(give<Td>(with_sum<matrix_kept<Td>>(matrix_kept<Td>(c[row]), sums[row])));
}

template <typename Td, typename Tc, std::size_t AtOnce, std::size_t M, std::size_t K,
          typename Factor>
void multiply_column_by(matrix_kept<Td> *d, const Factor *a, const Factor *b,
                        const matrix_kept<Tc> *c) {
  constexpr std::size_t blocks = M / AtOnce * AtOnce;
  for (std::size_t row = 0; row < blocks; row += AtOnce)
    multiply_rows<Td, Tc, AtOnce, K>(d + row, a + row * K, b, c + row);
  if constexpr (blocks < M)
    multiply_rows<Td, Tc, M - blocks, K>(d + blocks, a + blocks * K, b, c + blocks);
}

/* 256 bytes of sums at once: half of the registers of a processor with AVX2, and chains enough for
 * both its units. */
template <typename Td, typename Tc, std::size_t M, std::size_t K, typename Factor>
void multiply_column(const matrix_lane &lane, matrix_kept<Td> *d, const Factor *a, const Factor *b,
                     const matrix_kept<Tc> *c) {
  std::size_t bytes = lane.whole * sizeof(Factor);
  if (bytes <= 32)
    multiply_column_by<Td, Tc, 8, M, K>(d, a, b, c);
  else if (bytes <= 64)
    multiply_column_by<Td, Tc, 4, M, K>(d, a, b, c);
  else if (bytes <= 128)
    multiply_column_by<Td, Tc, 2, M, K>(d, a, b, c);
  else
    multiply_column_by<Td, Tc, 1, M, K>(d, a, b, c);
}

template <typename Td, typename Tc, std::size_t M, std::size_t K, std::size_t N, typename Factor>
void multiply(matrix_columns<matrix_kept<Td>, M, N> &d, const matrix_rows<Factor, M, K> &a,
              const matrix_columns<Factor, K, N> &b,
              const matrix_columns<matrix_kept<Tc>, M, N> &c) {
  matrix_lane lane;
  d.own_columns(lane, [&](std::size_t, std::size_t place) {
    const Factor *of_b = b.own + place / M * K;
    multiply_column<Td, Tc, M, K>(lane, d.own + place, a.all, of_b, c.own + place);
  });
  d.missing_columns(lane, [&](std::size_t column, std::size_t place) {
    multiply_column<Td, Tc, M, K>(lane, d.all + place, a.all, b.all + column * K, c.all + place);
  });
}

} // namespace sycl::detail

#endif

// Group functions that move a value, with values of all sizes from 1 to 80 bytes, of all shapes.  A
// part of them is one program: sizes FIRST, FIRST + STEP, ... and the shapes whose number is in
// that row.
#include <sycl/sycl.hpp>

#include "values.hpp"

#ifndef FIRST
#define FIRST 13
#endif
#ifndef STEP
#define STEP 16
#endif

namespace {

using namespace values;

constexpr std::size_t largest = 80, items = 21;

template <std::size_t N> void all_sizes(sycl::queue &q) {
  moves<bytes<N>, false, 1>(q, {items});
  if constexpr (N + STEP <= largest) all_sizes<N + STEP>(q);
}

template <typename... Types> struct list {};

template <std::size_t Number, typename T, typename... Rest>
void all_shapes(sycl::queue &q, list<T, Rest...>) {
  if constexpr (Number % STEP == FIRST % STEP) {
    if constexpr (Number % 3 == 0)
      moves<T, true, 1>(q, {items});
    else if constexpr (Number % 3 == 1)
      moves<T, true, 2>(q, {3, 7});
    else
      moves<T, true, 3>(q, {2, 3, 4});
  }
  if constexpr (sizeof...(Rest) > 0) all_shapes<Number + 1>(q, list<Rest...>());
}

using shapes =
    list<tail<std::uint16_t, 1>, tail<std::uint32_t, 3>, tail<double, 7>, gap<std::uint16_t, 3>,
         gap<std::uint32_t, 5>, tail<std::uint64_t, 5>, packed<2>, gap<float, 9>, aligned<1, 2>,
         aligned<5, 4>, aligned<13, 8>, aligned<11, 16>, aligned<33, 32>, outer<bytes<3>>,
         aligned<3, 64>, row<sycl::marray<short, 7>>, packed<1>, outer<gap<std::uint64_t, 1>>,
         packed<4>, packed<29>, row<std::array<std::uint16_t, 7>>,
         row<std::array<std::uint32_t, 5>>, row<sycl::vec<short, 3>>,
         row<sycl::marray<unsigned char, 13>>, row<sycl::marray<float, 5>>,
         row<sycl::marray<sycl::half, 15>>, row<sycl::vec<char, 3>>, row<sycl::vec<int, 3>>,
         row<sycl::vec<char, 16>>, gap<std::uint64_t, 6>, row<sycl::vec<double, 8>>,
         outer<tail<std::uint16_t, 3>>>;

} // namespace

int main() {
  sycl::queue q = test::make_queue();
  all_sizes<FIRST>(q);
  all_shapes<0>(q, shapes());
  return test::result();
}

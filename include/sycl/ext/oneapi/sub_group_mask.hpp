/* sycl_ext_oneapi_sub_group_mask: a bit for each work-item of a sub-group, and group_ballot, which
 * makes one of a predicate. */
#ifndef SYCL_EXT_ONEAPI_SUB_GROUP_MASK_HPP
#define SYCL_EXT_ONEAPI_SUB_GROUP_MASK_HPP

#include <climits>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../../group_functions.hpp"
#include "../../khr/version.hpp"
#include "../../marray.hpp"

namespace sycl::ext::oneapi {

class sub_group_mask {
  std::uint64_t word = 0;
  std::uint32_t count_of_bits = mpl_get_max_sub_group_size();

  static constexpr std::uint64_t ones(std::size_t count) {
    return count >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << count) - 1;
  }
  std::uint64_t bit(id<1> at) const { return std::uint64_t(1) << at[0]; }
  sub_group_mask with(std::uint64_t bits) const {
    sub_group_mask result = *this;
    result.word = bits & ones(count_of_bits);
    return result;
  }
  void put(std::uint64_t bits, std::size_t count, std::size_t at) {
    if (at >= count_of_bits) return;
    std::uint64_t place = ones(count) << at & ones(count_of_bits);
    word = (word & ~place) | (bits << at & place);
  }
  std::uint64_t get(std::size_t at) const { return at < 64 ? word >> at : 0; }

public:
  static constexpr std::size_t max_bits = 64;

  class reference {
    friend class sub_group_mask;
    sub_group_mask &of;
    id<1> at;
    reference(sub_group_mask &of, id<1> at) : of(of), at(at) {}

  public:
    reference &operator=(bool value) {
      of.set(at, value);
      return *this;
    }
    reference &operator=(const reference &other) { return *this = bool(other); }
    bool operator~() const { return !bool(*this); }
    operator bool() const { return of.test(at); }
    reference &flip() {
      of.flip(at);
      return *this;
    }
  };

  sub_group_mask() = default;
  sub_group_mask(const sub_group_mask &) = default;
  sub_group_mask &operator=(const sub_group_mask &) = default;

  bool operator[](id<1> at) const { return test(at); }
  reference operator[](id<1> at) { return {*this, at}; }
  bool test(id<1> at) const { return word & bit(at); }
  bool all() const { return word == ones(count_of_bits); }
  bool any() const { return word; }
  bool none() const { return !word; }
  std::uint32_t count() const { return std::uint32_t(__builtin_popcountll(word)); }
  std::uint32_t size() const { return count_of_bits; }
  /* size() if there is none. */
  id<1> find_low() const { return word ? std::size_t(__builtin_ctzll(word)) : size(); }
  id<1> find_high() const { return word ? std::size_t(63 - __builtin_clzll(word)) : size(); }

  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void insert_bits(T bits, id<1> at = 0) {
    put(std::uint64_t(std::make_unsigned_t<T>(bits)), sizeof(T) * CHAR_BIT, at[0]);
  }
  template <typename T, std::size_t N, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void insert_bits(const marray<T, N> &bits, id<1> at = 0) {
    for (std::size_t i = 0; i < N; i++) insert_bits(bits[i], at[0] + i * sizeof(T) * CHAR_BIT);
  }
  template <typename T, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void extract_bits(T &bits, id<1> at = 0) const {
    bits = static_cast<T>(get(at[0]));
  }
  template <typename T, std::size_t N, std::enable_if_t<std::is_integral_v<T>, int> = 0>
  void extract_bits(marray<T, N> &bits, id<1> at = 0) const {
    for (std::size_t i = 0; i < N; i++) extract_bits(bits[i], at[0] + i * sizeof(T) * CHAR_BIT);
  }

  void set() { word = ones(count_of_bits); }
  void set(id<1> at, bool value = true) { word = value ? word | bit(at) : word & ~bit(at); }
  void reset() { word = 0; }
  void reset(id<1> at) { set(at, false); }
  void reset_low() { word &= word - 1; }
  void reset_high() {
    if (word) reset(find_high());
  }
  void flip() { *this = ~*this; }
  void flip(id<1> at) { word ^= bit(at); }

  sub_group_mask operator~() const { return with(~word); }
  sub_group_mask operator<<(std::size_t by) const { return with(by < 64 ? word << by : 0); }
  sub_group_mask operator>>(std::size_t by) const { return with(by < 64 ? word >> by : 0); }
  sub_group_mask &operator<<=(std::size_t by) { return *this = *this << by; }
  sub_group_mask &operator>>=(std::size_t by) { return *this = *this >> by; }
#define SYCL_MASK(op)                                                                              \
  friend sub_group_mask operator op(const sub_group_mask &a, const sub_group_mask &b) {            \
    return a.with(a.word op b.word);                                                               \
  }                                                                                                \
  sub_group_mask &operator op##=(const sub_group_mask &other) {                                    \
    return *this = *this op other;                                                                 \
  }
  SYCL_MASK(&)
  SYCL_MASK(|)
  SYCL_MASK(^)
#undef SYCL_MASK
  friend bool operator==(const sub_group_mask &a, const sub_group_mask &b) {
    return a.word == b.word;
  }
  friend bool operator!=(const sub_group_mask &a, const sub_group_mask &b) {
    return !(a == b);
  }
};

/* Whose predicate is true. */
template <typename Group>
std::enable_if_t<sycl::detail::is_sub<Group>, sub_group_mask>
group_ballot(Group, bool predicate = true,
             const sycl::detail::here &at = sycl::detail::here("group_ballot")) {
  sub_group_mask result;
  result.insert_bits(std::uint64_t(mpl_sub_group_ballot(predicate, &at)));
  return result;
}

} // namespace sycl::ext::oneapi

#endif

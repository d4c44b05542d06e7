/* Parts of a sub-group: what the groups of sycl_ext_oneapi_non_uniform_groups and
 * sycl_ext_oneapi_tangle are made of, and how their work-items reach one another.
 *
 * Only functions of the engine are called here for which not all of the sub-group have to arrive:
 * the lanes of a part meet each other and, where parts do the same, those of others, of which
 * nothing is taken. */
#ifndef SYCL_DETAIL_MEMBERS_HPP
#define SYCL_DETAIL_MEMBERS_HPP

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "engine.hpp"

namespace sycl::detail {

constexpr std::uint64_t lower_lanes(std::uint32_t count) {
  return count >= 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << count) - 1;
}
/* Sets of lanes have 64 bits; where a sub-group has at most 32, half of each vector is saved. */
inline bool fits_word() {
  return mpl_get_max_sub_group_size() <= 32;
}
inline std::uint32_t number_of(std::uint64_t lanes) {
  return fits_word() ? std::uint32_t(__builtin_popcount(std::uint32_t(lanes)))
                     : std::uint32_t(__builtin_popcountll(lanes));
}
inline std::uint64_t lanes_before(std::uint32_t lane) {
  return (std::uint64_t(1) << lane) - 1;
}

/* The place of the last of them, or -1. */
inline std::int32_t last_lane(std::uint64_t lanes) {
  if (fits_word()) {
    std::uint32_t word = std::uint32_t(lanes);
    return word != 0 ? 31 - __builtin_clz(word) : -1;
  }
  return lanes != 0 ? 63 - __builtin_clzll(lanes) : -1;
}

/* The place of the set bit before which there are n. */
inline std::uint32_t nth_lane(std::uint64_t lanes, std::uint32_t n) {
  std::uint32_t place = 0;
  for (std::uint32_t width = mpl_get_max_sub_group_size() / 2; width > 0; width /= 2) {
    std::uint32_t low = std::uint32_t(lanes) & std::uint32_t(lower_lanes(width));
    std::uint32_t below = std::uint32_t(__builtin_popcount(low));
    bool above = n >= below;
    n -= above ? below : 0;
    lanes = above ? lanes >> width : lanes;
    place += above ? width : 0;
  }
  return place;
}

/* Some lanes of a sub-group, in their order, one of `range` groups that were made together. */
class members {
  std::uint64_t lanes;
  std::uint32_t group, range_of_groups;

protected:
  members(std::uint64_t lanes, std::uint32_t group, std::uint32_t range_of_groups)
      : lanes(lanes), group(group), range_of_groups(range_of_groups) {}

public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id<1> get_group_id() const { return group; }
  id<1> get_local_id() const { return get_local_linear_id(); }
  range<1> get_group_range() const { return range_of_groups; }
  range<1> get_local_range() const { return get_local_linear_range(); }
  range<1> get_max_local_range() const { return get_local_linear_range(); }
  std::uint32_t get_group_linear_id() const { return group; }
  std::uint32_t get_local_linear_id() const {
    return number_of(lanes & lanes_before(mpl_get_sub_group_local_id()));
  }
  std::uint32_t get_group_linear_range() const { return range_of_groups; }
  std::uint32_t get_local_linear_range() const { return number_of(lanes); }
  bool leader() const { return get_local_linear_id() == 0; }

  friend std::uint64_t lanes_of(const members &m) { return m.lanes; }
  friend std::uint32_t lane_in(const members &m, std::uint32_t place) {
    return nth_lane(m.lanes, place);
  }
};

/* A chunk of Size lanes, a power of two, that begins at a multiple of that; of `Parent` lanes, or
 * of a whole sub-group. */
template <std::size_t Size, std::size_t Parent> class chunk_members {
  static_assert(Size > 0 && (Size & (Size - 1)) == 0, "a chunk's size is a power of two");
  static_assert(Parent == 0 || Size <= Parent, "a chunk is not larger than its parent");
  static constexpr std::uint32_t size = std::uint32_t(Size);

  static std::uint32_t lane() { return mpl_get_sub_group_local_id(); }

public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id<1> get_group_id() const { return get_group_linear_id(); }
  id<1> get_local_id() const { return get_local_linear_id(); }
  range<1> get_group_range() const { return get_group_linear_range(); }
  range<1> get_local_range() const { return Size; }
  range<1> get_max_local_range() const { return Size; }
  std::uint32_t get_group_linear_id() const {
    return (Parent ? lane() % std::uint32_t(Parent ? Parent : 1) : lane()) / size;
  }
  std::uint32_t get_local_linear_id() const { return lane() % size; }
  std::uint32_t get_group_linear_range() const {
    return (Parent ? std::uint32_t(Parent) : mpl_get_sub_group_size()) / size;
  }
  std::uint32_t get_local_linear_range() const { return size; }
  bool leader() const { return get_local_linear_id() == 0; }

  friend std::uint64_t lanes_of(const chunk_members &) {
    return lower_lanes(size) << (lane() / size * size);
  }
  friend std::uint32_t lane_in(const chunk_members &, std::uint32_t place) {
    return lane() / size * size + place;
  }
};

template <std::size_t Size, std::size_t Parent>
std::true_type derives_from_members(const chunk_members<Size, Parent> *);
std::true_type derives_from_members(const members *);
std::false_type derives_from_members(const void *);
template <typename Group>
inline constexpr bool is_members =
    decltype(derives_from_members(static_cast<const Group *>(nullptr)))::value;

/* Whose value is true. */
template <typename Group> std::uint64_t ballot(const Group &g, bool value, const mpl_site *at) {
  return mpl_sub_group_ballot(value, at) & lanes_of(g);
}

/* The lane of the member before the caller, or -1. */
inline std::int32_t lane_before(const members &m) {
  return last_lane(lanes_of(m) & lanes_before(mpl_get_sub_group_local_id()));
}

/* The value of that lane. */
template <typename T> T of_lane(const T &x, std::uint32_t lane, const mpl_site *at) {
  return by_words(x, [=](auto word) { return shuffle(word, lane, at); });
}

/* The value of the member at that place; the caller's own where there is none. */
template <typename Group, typename T>
T moved(const Group &g, const T &x, std::uint64_t place, const mpl_site *at) {
  std::uint32_t from = place < g.get_local_linear_range() ? lane_in(g, std::uint32_t(place))
                                                          : mpl_get_sub_group_local_id();
  return of_lane(x, from, at);
}

} // namespace sycl::detail

#endif

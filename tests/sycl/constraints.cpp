// What the specification says is not available takes no part in overload resolution: each group
// function and algorithm is asked whether there is one for such arguments (4.17.3, 4.17.4).
#include <sycl/sycl.hpp>

#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace available {

#define DETECT(function)                                                                           \
  template <typename Void, typename... A> struct detect_##function : std::false_type {};           \
  template <typename... A>                                                                         \
  struct detect_##function<std::void_t<decltype(sycl::function(std::declval<A>()...))>, A...>      \
      : std::true_type {};                                                                         \
  template <typename... A> constexpr bool function = detect_##function<void, A...>::value;
DETECT(group_barrier)
DETECT(group_broadcast)
DETECT(any_of_group)
DETECT(all_of_group)
DETECT(none_of_group)
DETECT(joint_any_of)
DETECT(joint_all_of)
DETECT(joint_none_of)
DETECT(shift_group_left)
DETECT(shift_group_right)
DETECT(permute_group_by_xor)
DETECT(select_from_group)
DETECT(reduce_over_group)
DETECT(inclusive_scan_over_group)
DETECT(exclusive_scan_over_group)
DETECT(joint_reduce)
DETECT(joint_inclusive_scan)
DETECT(joint_exclusive_scan)

using sycl::group, sycl::sub_group;
struct point {
  int x, y;
};
struct scope_and_more {};
using text = std::string;
using item = sycl::nd_item<1>;
using plus = sycl::plus<>;
using bits = sycl::bit_xor<>;
using unknown = std::minus<>;
using vector = sycl::vec<float, 4>;
using array = sycl::marray<int, 3>;
using iterator = std::vector<bool>::iterator;
using local = sycl::local_ptr<int>;
struct is_odd {
  bool operator()(int x) const { return x & 1; }
};

// Every kind of group, as a value, a constant, a reference; and what is none.
template <typename Group> constexpr bool collectives() {
  return group_barrier<Group> && group_barrier<Group, sycl::memory_scope> &&
         group_broadcast<Group, int> && group_broadcast<Group, point> &&
         group_broadcast<Group, int, std::size_t> && any_of_group<Group, bool> &&
         all_of_group<Group, bool> && none_of_group<Group, bool> &&
         any_of_group<Group, int, is_odd> && all_of_group<Group, int, is_odd> &&
         none_of_group<Group, int, is_odd> && joint_any_of<Group, int *, int *, is_odd> &&
         joint_all_of<Group, const int *, const int *, is_odd> &&
         joint_none_of<Group, local, local, is_odd> && reduce_over_group<Group, int, plus> &&
         reduce_over_group<Group, short, long, plus> &&
         inclusive_scan_over_group<Group, float, plus> &&
         inclusive_scan_over_group<Group, char, plus, int> &&
         exclusive_scan_over_group<Group, sycl::half, plus> &&
         exclusive_scan_over_group<Group, int, double, plus> &&
         joint_reduce<Group, int *, int *, plus> && joint_reduce<Group, local, local, plus> &&
         joint_reduce<Group, const char *, const char *, int, plus> &&
         joint_inclusive_scan<Group, int *, int *, float *, plus> &&
         joint_inclusive_scan<Group, int *, int *, local, plus, int> &&
         joint_exclusive_scan<Group, const int *, const int *, int *, plus> &&
         joint_exclusive_scan<Group, int *, int *, int *, long, plus>;
}
template <typename Group> constexpr bool any_collective() {
  return group_barrier<Group> || group_barrier<Group, sycl::memory_scope> ||
         group_broadcast<Group, int> || group_broadcast<Group, int, std::size_t> ||
         group_broadcast<Group, int, sycl::id<1>> || any_of_group<Group, bool> ||
         all_of_group<Group, bool> || none_of_group<Group, bool> ||
         any_of_group<Group, int, is_odd> || all_of_group<Group, int, is_odd> ||
         none_of_group<Group, int, is_odd> || joint_any_of<Group, int *, int *, is_odd> ||
         joint_all_of<Group, int *, int *, is_odd> || joint_none_of<Group, int *, int *, is_odd> ||
         reduce_over_group<Group, int, plus> || reduce_over_group<Group, int, int, plus> ||
         inclusive_scan_over_group<Group, int, plus> ||
         inclusive_scan_over_group<Group, int, plus, int> ||
         exclusive_scan_over_group<Group, int, plus> ||
         exclusive_scan_over_group<Group, int, int, plus> ||
         joint_reduce<Group, int *, int *, plus> || joint_reduce<Group, int *, int *, int, plus> ||
         joint_inclusive_scan<Group, int *, int *, int *, plus> ||
         joint_inclusive_scan<Group, int *, int *, int *, plus, int> ||
         joint_exclusive_scan<Group, int *, int *, int *, plus> ||
         joint_exclusive_scan<Group, int *, int *, int *, int, plus>;
}
template <typename Group> constexpr bool shuffles() {
  return shift_group_left<Group, point> && shift_group_left<Group, int, int> &&
         shift_group_right<Group, vector> && shift_group_right<Group, int, int> &&
         permute_group_by_xor<Group, array, int> && select_from_group<Group, float, sycl::id<1>>;
}
template <typename Group> constexpr bool any_shuffle() {
  return shift_group_left<Group, int> || shift_group_left<Group, int, int> ||
         shift_group_right<Group, int> || shift_group_right<Group, int, int> ||
         permute_group_by_xor<Group, int, int> || select_from_group<Group, int, sycl::id<1>> ||
         select_from_group<Group, int, std::size_t>;
}
static_assert(collectives<group<1>>() && collectives<group<2>>() && collectives<group<3>>());
static_assert(collectives<sub_group>() && collectives<const sub_group &>());
static_assert(collectives<group<1> &>() && collectives<const group<2> &>());
static_assert(!any_collective<int>() && !any_collective<item>() && !any_collective<text>());
static_assert(!any_collective<group<1> *>() && !any_collective<scope_and_more>());
static_assert(shuffles<sub_group>() && shuffles<const sub_group &>());
static_assert(!any_shuffle<group<1>>() && !any_shuffle<group<3>>() && !any_shuffle<item>());

// Ids of the group's dimensions.
static_assert(group_broadcast<group<2>, int, sycl::id<2>> &&
              !group_broadcast<group<2>, int, sycl::id<3>> &&
              !group_broadcast<sub_group, int, sycl::id<2>>);

// Values that are not trivially copyable go nowhere; a predicate may take them.
static_assert(!group_broadcast<group<1>, text> && !group_broadcast<sub_group, text, int> &&
              !group_broadcast<group<2>, text, sycl::id<2>>);
static_assert(!shift_group_left<sub_group, text> && !shift_group_right<sub_group, text, int> &&
              !permute_group_by_xor<sub_group, text, int> &&
              !select_from_group<sub_group, text, sycl::id<1>>);
static_assert(!any_of_group<group<1>, text> && !all_of_group<sub_group, point> &&
              !none_of_group<group<3>, text>);
struct is_empty {
  bool operator()(const text &x) const { return x.empty(); }
};
static_assert(any_of_group<group<1>, text, is_empty> && none_of_group<sub_group, text, is_empty>);

// Numbers, by operators of the specification.
template <typename T, typename Op> constexpr bool combined() {
  using G = group<1>;
  bool all =
      reduce_over_group<G, T, Op> && reduce_over_group<G, T, T, Op> &&
      inclusive_scan_over_group<G, T, Op> && inclusive_scan_over_group<G, T, Op, T> &&
      exclusive_scan_over_group<G, T, Op> && exclusive_scan_over_group<G, T, T, Op> &&
      joint_reduce<G, T *, T *, Op> && joint_reduce<G, T *, T *, T, Op> &&
      joint_inclusive_scan<G, T *, T *, T *, Op> && joint_inclusive_scan<G, T *, T *, T *, Op, T> &&
      joint_exclusive_scan<G, T *, T *, T *, Op> && joint_exclusive_scan<G, T *, T *, T *, T, Op>;
  return all;
}
template <typename T, typename Op> constexpr bool not_combined() {
  using G = sub_group;
  bool any =
      reduce_over_group<G, T, Op> || reduce_over_group<G, T, T, Op> ||
      inclusive_scan_over_group<G, T, Op> || inclusive_scan_over_group<G, T, Op, T> ||
      exclusive_scan_over_group<G, T, Op> || exclusive_scan_over_group<G, T, T, Op> ||
      joint_reduce<G, T *, T *, Op> || joint_reduce<G, T *, T *, T, Op> ||
      joint_inclusive_scan<G, T *, T *, T *, Op> || joint_inclusive_scan<G, T *, T *, T *, Op, T> ||
      joint_exclusive_scan<G, T *, T *, T *, Op> || joint_exclusive_scan<G, T *, T *, T *, T, Op>;
  return !any;
}
static_assert(combined<int, plus>() && combined<char, sycl::plus<char>>());
static_assert(combined<bool, sycl::logical_or<bool>>() && combined<double, sycl::maximum<>>());
static_assert(combined<sycl::half, sycl::minimum<>>() && combined<unsigned long, bits>());
static_assert(combined<vector, plus>() && combined<array, sycl::bit_and<>>());
static_assert(combined<int, std::plus<>>() && combined<float, sycl::multiplies<float>>());
static_assert(not_combined<point, plus>() && not_combined<text, plus>());
static_assert(not_combined<int *, plus>() && not_combined<long double, plus>());
static_assert(not_combined<int, unknown>() && not_combined<int, is_odd>());
static_assert(not_combined<float, bits>() && not_combined<vector, sycl::bit_or<>>());
static_assert(!reduce_over_group<group<1>, int, point, plus> &&
              !reduce_over_group<group<1>, point, int, plus> &&
              !inclusive_scan_over_group<group<1>, int, plus, point> &&
              !exclusive_scan_over_group<sub_group, text, int, plus>);

// Joint functions take pointers.
template <typename P> constexpr bool any_joint() {
  using G = group<2>;
  return joint_any_of<G, P, P, is_odd> || joint_all_of<G, P, P, is_odd> ||
         joint_none_of<G, P, P, is_odd> || joint_reduce<G, P, P, plus> ||
         joint_reduce<G, P, P, int, plus> || joint_inclusive_scan<G, P, P, int *, plus> ||
         joint_inclusive_scan<G, int *, int *, P, plus, int> ||
         joint_exclusive_scan<G, P, P, int *, plus> ||
         joint_exclusive_scan<G, int *, int *, P, int, plus>;
}
static_assert(!any_joint<int>() && !any_joint<iterator>() && !any_joint<void *>());
static_assert(!any_joint<std::nullptr_t>() && !any_joint<text>());
static_assert(joint_any_of<group<1>, const point *, const point *, is_odd>);
static_assert(!joint_any_of<group<1>, int *, const int *, is_odd>);

} // namespace available

// A program's own groups, with functions of the same names for them alone.
namespace mine {

template <int N> struct tile { sycl::sub_group lanes; };
template <typename T> struct is_tile : std::false_type {};
template <int N> struct is_tile<tile<N>> : std::true_type {};
template <typename T> using if_tile = std::enable_if_t<is_tile<T>::value, int>;

template <typename G, if_tile<G> = 0> void group_barrier(G g) {
  sycl::group_barrier(g.lanes);
}
template <typename G, typename T, if_tile<G> = 0> T group_broadcast(G g, T x) {
  return sycl::group_broadcast(g.lanes, x);
}
template <typename G, typename T, if_tile<G> = 0> T shift_group_left(G g, T x, unsigned by = 1) {
  return sycl::shift_group_left(g.lanes, x, by);
}
template <typename G, if_tile<G> = 0> bool any_of_group(const G &g, bool x) {
  return sycl::any_of_group(g.lanes, x);
}
template <typename G, typename T, typename Op, if_tile<G> = 0>
T reduce_over_group(const G &g, T x, Op op) {
  return sycl::reduce_over_group(g.lanes, x, op);
}
template <typename G, typename P, typename Op, if_tile<G> = 0>
auto joint_reduce(G &&g, P first, P last, Op op) {
  return sycl::joint_reduce(g.lanes, first, last, op);
}
// Others come by a conversion.
struct any_group {
  template <int N> any_group(const tile<N> &) {}
};
inline bool none_of_group(any_group, bool x) {
  return !x;
}

} // namespace mine

namespace {

using namespace sycl;
using namespace mine;

[[maybe_unused]] int with_own(tile<16> t, int *p) {
  group_barrier(t);
  int x = group_broadcast(t, 5) + shift_group_left(t, 4);
  bool all = any_of_group(t, x > 3) && none_of_group(t, false);
  tile<4> four{t.lanes};
  return reduce_over_group(four, x, sycl::plus<>()) + all + group_broadcast(t.lanes, x) +
         reduce_over_group(t.lanes, std::move(p)[0], sycl::plus<>());
}

} // namespace

int main() {
  return 0;
}

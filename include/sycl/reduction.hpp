/* Reductions of parallel_for (SYCL 2020, 4.9.2).
 *
 * Each piece of a range, or each work-group, has a partial result of its own; once the kernel has
 * ended they are combined one after another.  So the order is the same in every run. */
#ifndef SYCL_REDUCTION_HPP
#define SYCL_REDUCTION_HPP

#include <memory>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "accessor.hpp"
#include "detail/command.hpp"
#include "functional.hpp"
#include "group_algorithms.hpp"

namespace sycl {

template <typename T, typename BinaryOperation, int Dimensions = 0> class reducer {
  static_assert(Dimensions == 0, "sycl::reducer combines into one variable");

  std::optional<T> sum;
  const T *neutral;
  BinaryOperation op;

public:
  using value_type = T;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = Dimensions;

  /* neutral: null if the operator's identity is not known. */
  reducer(const T *neutral, const BinaryOperation &op) : neutral(neutral), op(op) {}
  reducer(const reducer &) = delete;
  reducer(reducer &&) = default;

  reducer &combine(const T &value) {
    if (sum)
      *sum = op(*sum, value);
    else
      sum = value;
    return *this;
  }
  T identity() const {
    if (!neutral) detail::fail(errc::invalid, "the operator's identity is not known");
    return *neutral;
  }
  const std::optional<T> &partial() const { return sum; }

#define SYCL_REDUCER(op, kind)                                                                     \
  template <typename Op = BinaryOperation,                                                         \
            std::enable_if_t<detail::operation_of<Op> == detail::operation::kind, int> = 0>        \
  friend reducer &operator op(reducer &to, const T &value) {                                       \
    return to.combine(value);                                                                      \
  }
  SYCL_REDUCER(+=, add)
  SYCL_REDUCER(*=, mul)
  SYCL_REDUCER(&=, bit_and)
  SYCL_REDUCER(|=, bit_or)
  SYCL_REDUCER(^=, bit_xor)
#undef SYCL_REDUCER
  template <typename Op = BinaryOperation,
            std::enable_if_t<detail::operation_of<Op> == detail::operation::add, int> = 0>
  friend reducer &operator++(reducer &to) {
    return to.combine(T(1));
  }
};

namespace detail {

/* What sycl::reduction gives. */
template <typename T, typename Op> struct reduction_target {
  using value_type = T;
  using operation = Op;
  T *to;
  std::optional<T> neutral;
  Op op;
  bool overwrites; /* what the variable holds before does not count */
};

template <typename T> inline constexpr bool is_reduction = false;
template <typename T, typename Op>
inline constexpr bool is_reduction<reduction_target<T, Op>> = true;

template <typename T, typename Op>
reduction_target<T, Op> make_reduction(T *to, std::optional<T> neutral, const Op &op,
                                       const property_list &properties) {
  bool overwrites = properties.has_property<property::reduction::initialize_to_identity>();
  if constexpr (has_known_identity_v<Op, T>) {
    if (!neutral) neutral = known_identity_v<Op, T>;
  } else if (overwrites && !neutral) {
    fail(errc::invalid, "initialize_to_identity needs an operator whose identity is known");
  }
  return {to, neutral, op, overwrites};
}

/* The partial results of one reduction of one command. */
template <typename T, typename Op> struct partial_results {
  reduction_target<T, Op> target;
  std::vector<std::optional<T>> all;

  partial_results(const reduction_target<T, Op> &target, std::size_t count)
      : target(target), all(count) {}

  reducer<T, Op> make() const {
    return reducer<T, Op>(target.neutral ? &*target.neutral : nullptr, target.op);
  }
  void finish() {
    std::optional<T> sum;
    if (target.overwrites)
      sum = target.neutral;
    else
      sum = *target.to;
    for (const std::optional<T> &each : all)
      if (each) sum = target.op(*sum, *each);
    *target.to = *sum;
  }
};

template <typename... Targets> struct reductions {
  std::tuple<partial_results<typename Targets::value_type, typename Targets::operation>...> each;

  reductions(std::size_t count, const Targets &...target) : each{{target, count}...} {}

  void finish() {
    std::apply([](auto &...one) { (one.finish(), ...); }, each);
  }
};

template <typename Name, int D, typename F, typename All> struct range_reduction final : block {
  using name = Name;
  using function_type = void;
  static constexpr int dims = 1;
  F function;
  range<D> size;
  std::shared_ptr<All> results;

  range_reduction(const F &function, const range<D> &size, std::shared_ptr<All> results)
      : function(function), size(size), results(std::move(results)) {}

  void run() const {
    std::size_t pieces = mpl_get_global_size(0), piece = mpl_get_global_id(0), all = size.size();
    std::size_t end = piece_begin(piece + 1, pieces, all);
    std::apply(
        [&](auto &...partial) {
          std::tuple reducers{partial.make()...};
          std::apply(
              [&](auto &...reducer) {
                for (std::size_t i = piece_begin(piece, pieces, all); i < end; i++) {
                  auto at = make::item_of<D>(unlinear(i, size), size, id<D>());
                  function(at, reducer...);
                }
                ((partial.all[piece] = reducer.partial()), ...);
              },
              reducers);
        },
        results->each);
  }
};

/* Whether work-items can be combined by the group algorithm. */
template <typename T, typename Op> constexpr bool reduces_over_group() {
  if constexpr (is_number<T> && sizeof(T) <= 8)
    return has_identity<operation_of<Op>, T>;
  else
    return false;
}

template <typename Name, int D, typename F, typename All> struct nd_reduction final : block {
  using name = Name;
  using function_type = F;
  static constexpr int dims = D;
  F function;
  std::shared_ptr<All> results;

  nd_reduction(const F &function, std::shared_ptr<All> results)
      : function(function), results(std::move(results)) {}

  template <typename T, typename Op>
  static void put(const nd_item<D> &at, partial_results<T, Op> &to, const reducer<T, Op> &mine) {
    if constexpr (reduces_over_group<T, Op>()) {
      T value = mine.partial() ? *mine.partial() : known_identity_v<Op, T>;
      T sum = reduce_over_group(at.get_group(), value, Op());
      if (at.get_local_linear_id() == 0) to.all[at.get_group_linear_id()] = sum;
    } else {
      to.all[at.get_global_linear_id()] = mine.partial();
    }
  }

  void run() const {
    nd_item<D> at = make::this_nd_item<D>();
    std::apply(
        [&](auto &...partial) {
          std::tuple reducers{partial.make()...};
          std::apply(
              [&](auto &...reducer) {
                function(at, reducer...);
                (put(at, partial, reducer), ...);
              },
              reducers);
        },
        results->each);
  }
};

} // namespace detail

template <typename T, typename Op>
auto reduction(T *variable, Op op, const property_list &properties = {}) {
  return detail::make_reduction<T, Op>(variable, {}, op, properties);
}
template <typename T, typename Op>
auto reduction(T *variable, const T &identity, Op op, const property_list &properties = {}) {
  return detail::make_reduction<T, Op>(variable, identity, op, properties);
}
template <typename T, int D, typename A, typename Op>
auto reduction(buffer<T, D, A> variable, handler &group, Op op,
               const property_list &properties = {}) {
  if (variable.size() != 1)
    detail::fail(errc::invalid, "the buffer of a reduction has one element");
  accessor<T, D, access_mode::read_write> access(variable, group);
  return detail::make_reduction<T, Op>(&*access.begin(), {}, op, properties);
}
template <typename T, int D, typename A, typename Op>
auto reduction(buffer<T, D, A> variable, handler &group, const T &identity, Op op,
               const property_list &properties = {}) {
  if (variable.size() != 1)
    detail::fail(errc::invalid, "the buffer of a reduction has one element");
  accessor<T, D, access_mode::read_write> access(variable, group);
  return detail::make_reduction<T, Op>(&*access.begin(), identity, op, properties);
}

} // namespace sycl

#endif

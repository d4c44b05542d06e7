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
#include "detail/shared_memory.hpp"
#include "functional.hpp"
#include "group_algorithms.hpp"
#include "span.hpp"

namespace sycl {

/* Of one variable; reducer<T, Op, 1>, below, of a span of them. */
template <typename T, typename BinaryOperation, int Dimensions = 0> class reducer {
  std::optional<T>
      sum; /* from the start if the identity is known to the compiler: a plain sum then */
  const T *neutral;
  BinaryOperation op;

public:
  using value_type = T;
  using binary_operation = BinaryOperation;
  static constexpr int dimensions = Dimensions;

  /* neutral: null if the operator's identity is not known. */
  reducer(const T *neutral, const BinaryOperation &op) : neutral(neutral), op(op) {
    if constexpr (has_known_identity_v<BinaryOperation, T>)
      sum = known_identity_v<BinaryOperation, T>;
  }
  reducer(const reducer &) = delete; /* nor moved, 4.9.2.2 */
  reducer &operator=(const reducer &) = delete;

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
  template <typename Op = BinaryOperation,
            std::enable_if_t<detail::operation_of<Op> == detail::operation::add, int> = 0>
  friend void operator++(reducer &to, int) {
    to.combine(T(1));
  }
};

namespace detail {

/* Whether a work-item has so many objects in memory of its own: else they are on the heap, and a
 * kernel that calls `new` runs on fibres, whose stacks are small. */
template <typename T, std::size_t Count> constexpr bool is_kept_by_item() {
#ifdef __MANIPLE_CUDA__ /* a GPU's kernels have no heap */
  return true;
#else
  return Count <= 4096 / sizeof(T);
#endif
}

/* The reducers of a span. */
template <typename T, typename Op, std::size_t Extent> class span_reducer {
  using one = std::optional<reducer<T, Op>>;
  struct on_heap {
    std::unique_ptr<one[]> all{new one[Extent]};
    one &operator[](std::size_t i) const { return all[i]; }
  };
  struct in_item {
    one all[Extent];
    one &operator[](std::size_t i) { return all[i]; }
    const one &operator[](std::size_t i) const { return all[i]; }
  };
  std::conditional_t<is_kept_by_item<one, Extent>(), in_item, on_heap> each;

public:
  using value_type = T;
  using binary_operation = Op;
  static constexpr int dimensions = 1;

  span_reducer(const T *neutral, const Op &op) {
    for (std::size_t i = 0; i < Extent; i++) each[i].emplace(neutral, op);
  }
  span_reducer(const span_reducer &) = delete;
  span_reducer &operator=(const span_reducer &) = delete;
  reducer<T, Op> &operator[](std::size_t i) { return *each[i]; }
  T identity() const { return each[0]->identity(); }
};

/* What sycl::reduction gives.  Extent: of a span; 0 for one variable. */
template <typename T, typename Op, std::size_t Extent = 0> struct reduction_target {
  using value_type = T;
  using operation = Op;
  static constexpr std::size_t extent = Extent, count = Extent ? Extent : 1;
  using reducer_type = std::conditional_t<Extent != 0, span_reducer<T, Op, Extent>, reducer<T, Op>>;
  T *to;
  std::optional<T> neutral;
  Op op;
  bool overwrites; /* what the variable holds before does not count */
};

template <typename T> inline constexpr bool is_reduction = false;
template <typename T, typename Op, std::size_t E>
inline constexpr bool is_reduction<reduction_target<T, Op, E>> = true;

template <typename T, typename Op, std::size_t Extent = 0>
reduction_target<T, Op, Extent> make_reduction(T *to, std::optional<T> neutral, const Op &op,
                                               const property_list &properties) {
  check_properties<property::reduction::initialize_to_identity>(properties);
  bool overwrites = properties.has_property<property::reduction::initialize_to_identity>();
  if constexpr (has_known_identity_v<Op, T>) {
    if (!neutral) neutral = known_identity_v<Op, T>;
  } else if (overwrites && !neutral) {
    fail(errc::invalid, "initialize_to_identity needs an operator whose identity is known");
  }
  return {to, neutral, op, overwrites};
}

/* What a kernel has of one reduction, in its argument block: all partial results of the first
 * place, then all of the second... */
template <typename Target> struct partial_places {
  using T = typename Target::value_type;
  using operation = typename Target::operation;
  static constexpr std::size_t count = Target::count;
  std::optional<T> neutral;
  operation op;
  std::optional<T> *all;

  typename Target::reducer_type make() const {
    return typename Target::reducer_type(neutral ? &*neutral : nullptr, op);
  }
  void put(std::size_t place, typename Target::reducer_type &from) const {
    for (std::size_t i = 0; i < count; i++) all[place * count + i] = one(from, i).partial();
  }
  static reducer<T, operation> &one(typename Target::reducer_type &from,
                                    [[maybe_unused]] std::size_t i) {
    if constexpr (Target::extent != 0)
      return from[i];
    else
      return from;
  }
};

/* Variables as the host reaches them: a GPU's own memory is copied there, and back at the end. */
template <typename T> class reached_variables {
  T *to, *own = nullptr;
  std::size_t count;

public:
  reached_variables(T *to, std::size_t count, bool read) : to(to), count(count) {
    if (!has_gpu() || mpl_get_memory_kind(to, nullptr) != MPL_MEMORY_DEVICE) return;
    own = std::allocator<T>().allocate(count);
    if (read) check(mpl_copy(own, to, count * sizeof(T)));
  }
  ~reached_variables() {
    if (own) std::allocator<T>().deallocate(own, count);
  }
  reached_variables(const reached_variables &) = delete;
  reached_variables &operator=(const reached_variables &) = delete;
  T &operator[](std::size_t i) const { return own ? own[i] : to[i]; }
  void end() const {
    if (own) check(mpl_copy(to, own, count * sizeof(T)));
  }
};

/* The partial results of one reduction of one command. */
template <typename Target> struct partial_results {
  using T = typename Target::value_type;
  Target target;
  std::vector<std::optional<T>, result_allocator<std::optional<T>>> all;

  partial_results(const Target &target, std::size_t places)
      : target(target), all(places * Target::count) {}

  partial_places<Target> places() { return {target.neutral, target.op, all.data()}; }
  void finish() {
    reached_variables<T> to(target.to, Target::count, !target.overwrites);
    for (std::size_t i = 0; i < Target::count; i++) {
      std::optional<T> sum;
      if (target.overwrites)
        sum = target.neutral;
      else
        sum = to[i];
      for (std::size_t at = i; at < all.size(); at += Target::count)
        if (all[at]) sum = target.op(*sum, *all[at]);
      to[i] = *sum;
    }
    to.end();
  }
};

/* A reducer, made where it stays. */
template <typename Target> struct made {
  typename Target::reducer_type reducer;

  explicit made(const partial_places<Target> &of) : reducer(of.make()) {}
};

/* Whether work-items can be combined by the group algorithm. */
template <typename Target> constexpr bool reduces_over_group() {
  using T = typename Target::value_type;
  if constexpr (is_number<T> && sizeof(T) <= 8)
    return has_identity<operation_of<typename Target::operation>, T>;
  else
    return false;
}

template <typename... Targets> struct reductions {
  static constexpr bool by_group = (... && reduces_over_group<Targets>());
  std::tuple<partial_results<Targets>...> each;

  reductions(std::size_t places, const Targets &...target) : each{{target, places}...} {}

  void finish() {
    std::apply([](auto &...one) { (one.finish(), ...); }, each);
  }
  /* The same of as many places, empty. */
  std::shared_ptr<reductions> again(std::size_t places) const {
    return std::apply(
        [&](const auto &...one) { return std::make_shared<reductions>(places, one.target...); },
        each);
  }
  std::tuple<partial_places<Targets>...> places() {
    return std::apply([](auto &...one) { return std::make_tuple(one.places()...); }, each);
  }
};

/* What a block of a kernel with reductions has of them, for the kernel and for the host. */
template <typename All> struct used_results {
  std::shared_ptr<All> all;
  decltype(std::declval<All>().places()) places;

  explicit used_results(std::shared_ptr<All> made) : all(std::move(made)), places(all->places()) {}
  /* Others of the same reductions. */
  void use(std::shared_ptr<All> made) {
    all = std::move(made);
    use_places(std::make_index_sequence<std::tuple_size_v<decltype(places)>>());
  }

private:
  template <std::size_t... K> void use_places(std::index_sequence<K...>) {
    ((std::get<K>(places).all = std::get<K>(all->each).all.data()), ...);
  }
};

/* As they are left by one work-group: all of its work-items call it.  By the group algorithm, if
 * all reductions of the command can be combined so: places are groups then, else work-items. */
template <typename All, int D, typename Target>
void put_by_group(const nd_item<D> &at, const partial_places<Target> &to,
                  typename Target::reducer_type &mine) {
  if constexpr (All::by_group) {
    using Op = typename Target::operation;
    for (std::size_t i = 0; i < Target::count; i++) {
      auto sum = reduce_over_group(at.get_group(), *to.one(mine, i).partial(), Op());
      if (at.get_local_linear_id() == 0)
        to.all[at.get_group_linear_id() * Target::count + i] = sum;
    }
  } else {
    to.put(at.get_global_linear_id(), mine);
  }
}

template <typename Name, int D, typename F, typename All> struct range_reduction final : block {
  using name = Name;
  using function_type = void;
  static constexpr int dims = 1;
  F function;
  range<D> size;
  used_results<All> results;

  range_reduction(const F &function, const range<D> &size, std::shared_ptr<All> results)
      : function(function), size(size), results(std::move(results)) {}
  std::unique_ptr<block> copy() const override {
    auto *made = new range_reduction(*this);
    std::unique_ptr<block> owner(made);
    made->results.use(std::make_shared<All>(*results.all));
    return owner;
  }
  bool resize(const launch_size &to, mpl_kernel_launch &launch) override {
    if (to.dims != D || to.by_groups) return false;
    size = to.template range_of<D>();
    launch.global[0] = reduction_pieces_of(size.size(), !launch.local[0]);
    results.use(results.all->again(launch.global[0]));
    return true;
  }
  std::function<void()> ending() const override {
    return [all = results.all] { all->finish(); };
  }

  void run() const {
    std::size_t pieces = mpl_get_global_size(0), piece = mpl_get_global_id(0), all = size.size();
    std::apply(
        [&](auto &...partial) {
          [&](auto... one) {
            for_rows<D>(piece_begin(piece, pieces, all), piece_begin(piece + 1, pieces, all), size,
                        [&](id<D> at, std::size_t count) {
                          using item = decltype(make::item_of<D>(at, size, id<D>()));
                          constexpr bool fits = takes<F, item, decltype((one.reducer))...>;
                          if constexpr (fits)
                            for (; count; count--, at[D - 1]++)
                              function(make::item_of<D>(at, size, id<D>()), one.reducer...);
                          else
                            static_assert(fits, SYCL_RANGE_KERNEL);
                        });
            (partial.put(piece, one.reducer), ...);
          }(made(partial)...);
        },
        results.places);
  }
};

template <typename Name, int D, typename F, typename All> struct nd_reduction final : block {
  using name = Name;
  using function_type = F;
  static constexpr int dims = D;
  F function;
  used_results<All> results;

  nd_reduction(const F &function, std::shared_ptr<All> results)
      : function(function), results(std::move(results)) {}
  std::unique_ptr<block> copy() const override {
    auto *made = new nd_reduction(*this);
    std::unique_ptr<block> owner(made);
    made->results.use(std::make_shared<All>(*results.all));
    return owner;
  }
  bool resize(const launch_size &to, mpl_kernel_launch &launch) override {
    if (to.dims != D) return false;
    to.put(launch);
    std::size_t places = 1;
    for (int i = 0; i < D; i++)
      places *= All::by_group ? launch.global[i] / launch.local[i] : launch.global[i];
    results.use(results.all->again(places));
    return true;
  }
  std::function<void()> ending() const override {
    return [all = results.all] { all->finish(); };
  }

  void run() const {
    nd_item<D> at = make::this_nd_item<D>();
    std::apply(
        [&](auto &...partial) {
          [&](auto... one) {
            constexpr bool fits = takes<F, nd_item<D> &, decltype((one.reducer))...>;
            if constexpr (fits)
              function(at, one.reducer...);
            else
              static_assert(fits, SYCL_ND_KERNEL);
            (put_by_group<All>(at, partial, one.reducer), ...);
          }(made(partial)...);
        },
        results.places);
  }
};

#undef SYCL_ND_KERNEL
#undef SYCL_RANGE_KERNEL

} // namespace detail

template <typename T, typename Op>
auto reduction(T *variable, Op op, const property_list &properties = {}) {
  return detail::make_reduction<T, Op>(variable, {}, op, properties);
}
template <typename T, typename Op>
auto reduction(T *variable, const T &identity, Op op, const property_list &properties = {}) {
  return detail::make_reduction<T, Op>(variable, identity, op, properties);
}
template <typename T, std::size_t Extent, typename Op>
auto reduction(span<T, Extent> variables, Op op, const property_list &properties = {}) {
  static_assert(Extent != dynamic_extent && Extent > 0,
                "the span of a reduction has an extent that the compiler knows");
  return detail::make_reduction<T, Op, Extent>(variables.data(), {}, op, properties);
}
template <typename T, std::size_t Extent, typename Op>
auto reduction(span<T, Extent> variables, const T &identity, Op op,
               const property_list &properties = {}) {
  static_assert(Extent != dynamic_extent && Extent > 0,
                "the span of a reduction has an extent that the compiler knows");
  return detail::make_reduction<T, Op, Extent>(variables.data(), identity, op, properties);
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

/* atomic_ref: atomic operations on an object that is not atomic itself (SYCL 2020, 4.15.3). */
#ifndef SYCL_ATOMIC_REF_HPP
#define SYCL_ATOMIC_REF_HPP

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "access.hpp"
#include "detail/engine.hpp"

namespace sycl {

template <typename T, memory_order DefaultOrder, memory_scope DefaultScope,
          access::address_space Space = access::address_space::generic_space>
class atomic_ref {
  static_assert(std::is_arithmetic_v<T> || std::is_pointer_v<T>,
                "sycl::atomic_ref refers to an integer, a floating-point number or a pointer");
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "sycl::atomic_ref refers to 32 or 64 bits");
  static_assert(DefaultOrder == memory_order::relaxed || DefaultOrder == memory_order::acq_rel ||
                    DefaultOrder == memory_order::seq_cst,
                "the default order of a sycl::atomic_ref is relaxed, acq_rel or seq_cst");

  T *target;

  static constexpr bool is_integer = std::is_integral_v<T>;
  static constexpr bool is_pointer = std::is_pointer_v<T>;

  static constexpr int order_of(memory_order order) {
    switch (order) {
    case memory_order::relaxed:
      return __ATOMIC_RELAXED;
    case memory_order::acquire:
      return __ATOMIC_ACQUIRE;
    case memory_order::release:
      return __ATOMIC_RELEASE;
    case memory_order::acq_rel:
      return __ATOMIC_ACQ_REL;
    default:
      return __ATOMIC_SEQ_CST;
    }
  }
  static constexpr memory_order load_part(memory_order order) {
    return order == memory_order::acq_rel   ? memory_order::acquire
           : order == memory_order::release ? memory_order::relaxed
                                            : order;
  }
  static constexpr memory_order store_part(memory_order order) {
    return order == memory_order::acq_rel   ? memory_order::release
           : order == memory_order::acquire ? memory_order::relaxed
                                            : order;
  }

  /* Replaces the value by change(value); returns what it was. */
  template <typename Change>
  T modify(memory_order order, memory_scope scope, Change change) const {
    T old = load(load_part(order), scope);
    while (!compare_exchange_weak(old, change(old), order, load_part(order), scope)) {
    }
    return old;
  }

public:
  using value_type = T;
  using difference_type = std::conditional_t<is_pointer, std::ptrdiff_t, T>;
  static constexpr std::size_t required_alignment = sizeof(T);
  static constexpr bool is_always_lock_free = true;
  static constexpr memory_order default_read_order = load_part(DefaultOrder);
  static constexpr memory_order default_write_order = store_part(DefaultOrder);
  static constexpr memory_order default_read_modify_write_order = DefaultOrder;
  static constexpr memory_scope default_scope = DefaultScope;

  explicit atomic_ref(T &object) : target(&object) {}
  atomic_ref(const atomic_ref &) noexcept = default;
  atomic_ref &operator=(const atomic_ref &) = delete;

  bool is_lock_free() const noexcept { return true; }

  void store(T value, memory_order order = default_write_order,
             memory_scope scope = default_scope) const noexcept {
    detail::told_scope told(scope);
    __atomic_store(target, &value, order_of(order));
  }
  T operator=(T value) const noexcept {
    store(value);
    return value;
  }
  /* Whoever reads may be waiting in a loop: the checking engine lets others run. */
  T load(memory_order order = default_read_order, memory_scope scope = default_scope,
         const detail::here &at = detail::here()) const noexcept {
    detail::told_scope told(scope);
    T value;
    __atomic_load(target, &value, order_of(order));
    mpl_wait_hint(&at);
    return value;
  }
  operator T() const noexcept { return load(); }
  T exchange(T value, memory_order order = default_read_modify_write_order,
             memory_scope scope = default_scope,
             const detail::here &at = detail::here()) const noexcept {
    detail::told_scope told(scope);
    T old;
    __atomic_exchange(target, &value, &old, order_of(order));
    mpl_wait_hint(&at);
    return old;
  }

#define SYCL_COMPARE_EXCHANGE(name, weak)                                                          \
  bool name(T &expected, T desired, memory_order success, memory_order failure,                    \
            memory_scope scope = default_scope, const detail::here &at = detail::here())           \
      const noexcept {                                                                             \
    detail::told_scope told(scope);                                                                \
    bool done = __atomic_compare_exchange(target, &expected, &desired, weak, order_of(success),    \
                                          order_of(failure));                                      \
    if (!done) mpl_wait_hint(&at);                                                                 \
    return done;                                                                                   \
  }                                                                                                \
  bool name(T &expected, T desired, memory_order order = default_read_modify_write_order,          \
            memory_scope scope = default_scope, const detail::here &at = detail::here())           \
      const noexcept {                                                                             \
    return name(expected, desired, order, load_part(order), scope, at);                            \
  }
  SYCL_COMPARE_EXCHANGE(compare_exchange_weak, true)
  SYCL_COMPARE_EXCHANGE(compare_exchange_strong, false)
#undef SYCL_COMPARE_EXCHANGE

#define SYCL_FETCH(name, condition, operand, ...)                                                  \
  template <typename U = T, std::enable_if_t<condition<U>, int> = 0>                               \
  T name(operand value, memory_order order = default_read_modify_write_order,                      \
         memory_scope scope = default_scope, const detail::here &at = detail::here())              \
      const noexcept {                                                                             \
    detail::told_scope told(scope);                                                                \
    mpl_wait_hint(&at);                                                                            \
    return __VA_ARGS__;                                                                            \
  }
  template <typename U> static constexpr bool integral = std::is_integral_v<U>;
  template <typename U> static constexpr bool floating = std::is_floating_point_v<U>;
  template <typename U> static constexpr bool pointer = std::is_pointer_v<U>;
  SYCL_FETCH(fetch_add, integral, T, __atomic_fetch_add(target, value, order_of(order)))
  SYCL_FETCH(fetch_sub, integral, T, __atomic_fetch_sub(target, value, order_of(order)))
  SYCL_FETCH(fetch_and, integral, T, __atomic_fetch_and(target, value, order_of(order)))
  SYCL_FETCH(fetch_or, integral, T, __atomic_fetch_or(target, value, order_of(order)))
  SYCL_FETCH(fetch_xor, integral, T, __atomic_fetch_xor(target, value, order_of(order)))
#ifdef __clang__ /* one operation, which is a plain one on local memory */
  SYCL_FETCH(fetch_add, floating, T, __atomic_fetch_add(target, value, order_of(order)))
  SYCL_FETCH(fetch_sub, floating, T, __atomic_fetch_sub(target, value, order_of(order)))
  SYCL_FETCH(fetch_min, integral, T, __atomic_fetch_min(target, value, order_of(order)))
  SYCL_FETCH(fetch_max, integral, T, __atomic_fetch_max(target, value, order_of(order)))
#else
  SYCL_FETCH(fetch_add, floating, T, modify(order, scope, [=](T old) { return old + value; }))
  SYCL_FETCH(fetch_sub, floating, T, modify(order, scope, [=](T old) { return old - value; }))
  SYCL_FETCH(fetch_min, integral, T,
             modify(order, scope, [=](T old) { return value < old ? value : old; }))
  SYCL_FETCH(fetch_max, integral, T,
             modify(order, scope, [=](T old) { return value > old ? value : old; }))
#endif
  SYCL_FETCH(fetch_add, pointer, std::ptrdiff_t,
             modify(order, scope, [=](T old) { return old + value; }))
  SYCL_FETCH(fetch_sub, pointer, std::ptrdiff_t,
             modify(order, scope, [=](T old) { return old - value; }))
  SYCL_FETCH(fetch_min, floating, T,
             modify(order, scope, [=](T old) { return value < old ? value : old; }))
  SYCL_FETCH(fetch_max, floating, T,
             modify(order, scope, [=](T old) { return value > old ? value : old; }))
#undef SYCL_FETCH

  T operator+=(difference_type value) const noexcept {
    return fetch_add(value) + value;
  }
  T operator-=(difference_type value) const noexcept {
    return fetch_sub(value) - value;
  }
  template <typename U = T, std::enable_if_t<integral<U>, int> = 0>
  T operator&=(T value) const noexcept {
    return fetch_and(value) & value;
  }
  template <typename U = T, std::enable_if_t<integral<U>, int> = 0>
  T operator|=(T value) const noexcept {
    return fetch_or(value) | value;
  }
  template <typename U = T, std::enable_if_t<integral<U>, int> = 0>
  T operator^=(T value) const noexcept {
    return fetch_xor(value) ^ value;
  }
  template <typename U = T, std::enable_if_t<integral<U> || pointer<U>, int> = 0>
  T operator++() const noexcept {
    return fetch_add(1) + 1;
  }
  template <typename U = T, std::enable_if_t<integral<U> || pointer<U>, int> = 0>
  T operator++(int) const noexcept {
    return fetch_add(1);
  }
  template <typename U = T, std::enable_if_t<integral<U> || pointer<U>, int> = 0>
  T operator--() const noexcept {
    return fetch_sub(1) - 1;
  }
  template <typename U = T, std::enable_if_t<integral<U> || pointer<U>, int> = 0>
  T operator--(int) const noexcept {
    return fetch_sub(1);
  }
};

} // namespace sycl

#endif

/* atomic: of SYCL 1.2.1, deprecated in favour of atomic_ref (SYCL 2020, 4.15.4).  All its
 * operations are relaxed. */
#ifndef SYCL_ATOMIC_HPP
#define SYCL_ATOMIC_HPP

#include <type_traits>

#include "access.hpp"
#include "multi_ptr.hpp"

namespace sycl {

namespace detail {
struct atomic_access;
}

template <typename T, access::address_space Space = access::address_space::global_space>
class atomic {
  static_assert(std::is_integral_v<T> || std::is_same_v<T, float>,
                "sycl::atomic is of an integer or a float");
  static_assert(sizeof(T) == 4 || sizeof(T) == 8, "sycl::atomic is of 32 or 64 bits");

  friend struct detail::atomic_access;
  T *target;

  explicit atomic(T *target) : target(target) {}

  template <typename Pick> T modify(T operand, Pick picks) const {
    T old = load();
    while (!__atomic_compare_exchange_n(target, &old, picks(operand, old) ? operand : old, true,
                                        __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return old;
  }

public:
  template <typename PointerT, access::decorated Decorated>
  atomic(multi_ptr<PointerT, Space, Decorated> pointer)
      : target(reinterpret_cast<T *>(pointer.get())) {
    static_assert(sizeof(T) == sizeof(PointerT),
                  "sycl::atomic is of as many bytes as it points to");
  }

  void store(T operand, memory_order = memory_order::relaxed) const {
    __atomic_store(target, &operand, __ATOMIC_RELAXED);
  }
  T load(memory_order = memory_order::relaxed) const {
    T value;
    __atomic_load(target, &value, __ATOMIC_RELAXED);
    return value;
  }
  T exchange(T operand, memory_order = memory_order::relaxed) const {
    T old;
    __atomic_exchange(target, &operand, &old, __ATOMIC_RELAXED);
    return old;
  }

  template <typename U = T, std::enable_if_t<std::is_integral_v<U>, int> = 0>
  bool compare_exchange_strong(T &expected, T desired, memory_order = memory_order::relaxed,
                               memory_order = memory_order::relaxed) const {
    return __atomic_compare_exchange(target, &expected, &desired, false, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
  }
#define SYCL_FETCH(name, ...)                                                                      \
  template <typename U = T, std::enable_if_t<std::is_integral_v<U>, int> = 0>                      \
  T fetch_##name(T operand, memory_order = memory_order::relaxed) const {                          \
    return __VA_ARGS__;                                                                            \
  }
  SYCL_FETCH(add, __atomic_fetch_add(target, operand, __ATOMIC_RELAXED))
  SYCL_FETCH(sub, __atomic_fetch_sub(target, operand, __ATOMIC_RELAXED))
  SYCL_FETCH(and, __atomic_fetch_and(target, operand, __ATOMIC_RELAXED))
  SYCL_FETCH(or, __atomic_fetch_or(target, operand, __ATOMIC_RELAXED))
  SYCL_FETCH(xor, __atomic_fetch_xor(target, operand, __ATOMIC_RELAXED))
  SYCL_FETCH(min, modify(operand, [](T mine, T old) { return mine < old; }))
  SYCL_FETCH(max, modify(operand, [](T mine, T old) { return old < mine; }))
#undef SYCL_FETCH
};

namespace detail {

struct atomic_access {
  template <typename Atomic, typename T> static Atomic of(T &object) { return Atomic(&object); }
};

/* What an accessor gives for an element: a reference, or in access_mode::atomic an atomic. */
template <typename Reference, typename T> Reference refer(T &element) {
  if constexpr (std::is_reference_v<Reference>)
    return element;
  else
    return atomic_access::of<Reference>(element);
}

} // namespace detail

template <typename T, access::address_space Space>
void atomic_store(atomic<T, Space> object, T operand, memory_order = memory_order::relaxed) {
  object.store(operand);
}
template <typename T, access::address_space Space>
T atomic_load(atomic<T, Space> object, memory_order = memory_order::relaxed) {
  return object.load();
}
template <typename T, access::address_space Space>
bool atomic_compare_exchange_strong(atomic<T, Space> object, T &expected, T desired,
                                    memory_order = memory_order::relaxed,
                                    memory_order = memory_order::relaxed) {
  return object.compare_exchange_strong(expected, desired);
}
#define SYCL_ATOMIC(name)                                                                          \
  template <typename T, access::address_space Space>                                               \
  T atomic_##name(atomic<T, Space> object, T operand, memory_order = memory_order::relaxed) {      \
    return object.name(operand);                                                                   \
  }
SYCL_ATOMIC(exchange)
SYCL_ATOMIC(fetch_add)
SYCL_ATOMIC(fetch_sub)
SYCL_ATOMIC(fetch_and)
SYCL_ATOMIC(fetch_or)
SYCL_ATOMIC(fetch_xor)
SYCL_ATOMIC(fetch_min)
SYCL_ATOMIC(fetch_max)
#undef SYCL_ATOMIC

} // namespace sycl

#endif

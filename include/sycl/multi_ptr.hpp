/* multi_ptr: a pointer that knows its address space.  On a CPU all of them are plain pointers. */
#ifndef SYCL_MULTI_PTR_HPP
#define SYCL_MULTI_PTR_HPP

#include <cstddef>
#include <iterator>
#include <type_traits>

#include "access.hpp"

namespace sycl {

template <typename ElementType, access::address_space Space,
          access::decorated Decorated = access::decorated::legacy>
class multi_ptr;

template <typename T> struct remove_decoration { using type = T; };
template <typename T> using remove_decoration_t = typename remove_decoration<T>::type;

namespace detail {

/* What a pointer to T leads to in an accessor, whose tag is its elements' type as the program said
 * it. */
template <typename Accessor, typename T>
using pointed_by = std::conditional_t<std::is_const_v<T>, const typename Accessor::accessor_tag,
                                      typename Accessor::accessor_tag>;

/* generic_space points anywhere but to constant memory. */
constexpr bool space_converts(access::address_space from, access::address_space to) {
  return from == to || (to == access::address_space::generic_space &&
                        from != access::address_space::constant_space);
}

#define SYCL_POINTER_COMPARISONS                                                                   \
  SYCL_POINTER_COMPARISON(==)                                                                      \
  SYCL_POINTER_COMPARISON(!=)                                                                      \
  SYCL_POINTER_COMPARISON(<)                                                                       \
  SYCL_POINTER_COMPARISON(>)                                                                       \
  SYCL_POINTER_COMPARISON(<=)                                                                      \
  SYCL_POINTER_COMPARISON(>=)

/* How a multi_ptr becomes a pointer, and is compared with one or with nullptr: by itself in the
 * legacy flavour, else when the program says so.  These are no templates, so that a standard
 * conversion may follow, and so that overload resolution, which looks at them for each operator of
 * the language, has nothing to instantiate. */
template <typename Pointer, typename T, bool Legacy> class converts_to_pointer {
public:
  constexpr operator T *() const { return static_cast<const Pointer &>(*this).get(); }

#define SYCL_POINTER_COMPARISON(op)                                                                \
  friend constexpr bool operator op(const Pointer &a, T *b) {                                      \
    return a.get() op b;                                                                           \
  }                                                                                                \
  friend constexpr bool operator op(T *a, const Pointer &b) {                                      \
    return a op b.get();                                                                           \
  }
  SYCL_POINTER_COMPARISONS
#undef SYCL_POINTER_COMPARISON
};

template <typename Pointer, typename T> class converts_to_pointer<Pointer, T, false> {
public:
  constexpr explicit operator T *() const { return static_cast<const Pointer &>(*this).get(); }

  friend constexpr bool operator==(const Pointer &a, std::nullptr_t) { return !a.get(); }
  friend constexpr bool operator!=(const Pointer &a, std::nullptr_t) { return a.get(); }
  friend constexpr bool operator==(std::nullptr_t, const Pointer &a) { return !a.get(); }
  friend constexpr bool operator!=(std::nullptr_t, const Pointer &a) { return a.get(); }
};

} // namespace detail

template <typename ElementType, access::address_space Space, access::decorated Decorated>
class multi_ptr
    : public detail::converts_to_pointer<multi_ptr<ElementType, Space, Decorated>, ElementType,
                                         Decorated == access::decorated::legacy> {
  ElementType *target = nullptr;

  template <typename, access::address_space, access::decorated> friend class multi_ptr;

  static constexpr bool is_void = std::is_void_v<ElementType>;

public:
  static constexpr bool is_decorated = Decorated == access::decorated::yes;
  static constexpr access::address_space address_space = Space;
  using value_type = ElementType;
  using element_type = ElementType;
  using pointer = ElementType *;
  using pointer_t = ElementType *;
  using const_pointer_t = const ElementType *;
  using reference = std::add_lvalue_reference_t<ElementType>;
  using reference_t = reference;
  using const_reference_t = std::add_lvalue_reference_t<std::add_const_t<ElementType>>;
  using iterator_category = std::random_access_iterator_tag;
  using difference_type = std::ptrdiff_t;

  constexpr multi_ptr() = default;
  constexpr multi_ptr(const multi_ptr &) = default;
  constexpr multi_ptr &operator=(const multi_ptr &) = default;
  constexpr multi_ptr(std::nullptr_t) {}
  /* Explicit but for the legacy flavour, where a pointer converts. */
  template <access::decorated D = Decorated,
            std::enable_if_t<D == access::decorated::legacy, int> = 0>
  constexpr multi_ptr(ElementType *pointer) : target(pointer) {}
  template <access::decorated D = Decorated,
            std::enable_if_t<D != access::decorated::legacy, int> = 0>
  constexpr explicit multi_ptr(ElementType *pointer) : target(pointer) {}

  /* From an accessor, also one that only reads (4.7.7.1), and from pointers that mean no more than
   * this one. */
  template <typename Accessor, typename = typename Accessor::accessor_tag>
  multi_ptr(const Accessor &accessor)
      : target(const_cast<detail::pointed_by<Accessor, ElementType> *>(
            accessor.template get_multi_ptr<access::decorated::no>().get_raw())) {}
  template <
      typename Other, access::address_space From, access::decorated D,
      std::enable_if_t<std::is_convertible_v<Other *, ElementType *> &&
                           detail::space_converts(From, Space) &&
                           !(std::is_same_v<Other, ElementType> && From == Space && D == Decorated),
                       int> = 0>
  constexpr multi_ptr(const multi_ptr<Other, From, D> &other) : target(other.get()) {}
  /* Back from generic space, or to an element type from void, when the program says so. */
  template <typename Other, access::address_space From, access::decorated D,
            std::enable_if_t<!(std::is_convertible_v<Other *, ElementType *> &&
                               detail::space_converts(From, Space)) &&
                                 (From == access::address_space::generic_space || From == Space),
                             int> = 0>
  constexpr explicit multi_ptr(const multi_ptr<Other, From, D> &other)
      : target(static_cast<ElementType *>(other.get())) {}

  constexpr multi_ptr &operator=(std::nullptr_t) {
    target = nullptr;
    return *this;
  }

  constexpr pointer get() const { return target; }
  constexpr pointer get_raw() const { return target; }
  constexpr pointer get_decorated() const { return target; }

  template <typename E = ElementType, std::enable_if_t<!std::is_void_v<E>, int> = 0>
  constexpr E &operator*() const {
    return *target;
  }
  constexpr pointer operator->() const { return target; }
  template <typename E = ElementType, std::enable_if_t<!std::is_void_v<E>, int> = 0>
  constexpr E &operator[](difference_type i) const {
    return target[i];
  }
  void prefetch(std::size_t) const {}

  constexpr multi_ptr &operator+=(difference_type n) {
    target += n;
    return *this;
  }
  constexpr multi_ptr &operator-=(difference_type n) { return *this += -n; }
  constexpr multi_ptr &operator++() { return *this += 1; }
  constexpr multi_ptr &operator--() { return *this += -1; }
  constexpr multi_ptr operator++(int) {
    multi_ptr old = *this;
    ++*this;
    return old;
  }
  constexpr multi_ptr operator--(int) {
    multi_ptr old = *this;
    --*this;
    return old;
  }
  friend constexpr multi_ptr operator+(multi_ptr a, difference_type n) { return a += n; }
  friend constexpr multi_ptr operator-(multi_ptr a, difference_type n) { return a -= n; }
  friend constexpr difference_type operator-(const multi_ptr &a, const multi_ptr &b) {
    return a.target - b.target;
  }

#define SYCL_POINTER_COMPARISON(op)                                                                \
  friend constexpr bool operator op(const multi_ptr &a, const multi_ptr &b) {                      \
    return a.target op b.target;                                                                   \
  }
  SYCL_POINTER_COMPARISONS
#undef SYCL_POINTER_COMPARISON
#undef SYCL_POINTER_COMPARISONS
};

template <access::address_space Space, access::decorated Decorated, typename T>
multi_ptr<T, Space, Decorated> address_space_cast(T *pointer) {
  return multi_ptr<T, Space, Decorated>(pointer);
}

/* SYCL 1.2.1's has no third argument. */
template <typename T, access::address_space Space,
          access::decorated Decorated = access::decorated::legacy>
multi_ptr<T, Space, Decorated> make_ptr(T *pointer) {
  return multi_ptr<T, Space, Decorated>(pointer);
}

#define SYCL_POINTER_ALIASES(name, space)                                                          \
  template <typename T, access::decorated Decorated = access::decorated::legacy>                   \
  using name##_ptr = multi_ptr<T, access::address_space::space, Decorated>;                        \
  template <typename T>                                                                            \
  using raw_##name##_ptr = multi_ptr<T, access::address_space::space, access::decorated::no>;      \
  template <typename T>                                                                            \
  using decorated_##name##_ptr =                                                                   \
      multi_ptr<T, access::address_space::space, access::decorated::yes>;
SYCL_POINTER_ALIASES(global, global_space)
SYCL_POINTER_ALIASES(local, local_space)
SYCL_POINTER_ALIASES(private, private_space)
SYCL_POINTER_ALIASES(generic, generic_space)
SYCL_POINTER_ALIASES(constant, constant_space)
#undef SYCL_POINTER_ALIASES

} // namespace sycl

#endif

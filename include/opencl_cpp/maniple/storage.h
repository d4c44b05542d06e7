/* The class of global<T>, local<T> or priv<T> of <opencl_memory>: an object that behaves as a T and
 * knows which memory it is in.  It has no constructor where T has none, so that clang takes it as a
 * program-scope or local variable.  Included with
 *   __CL_STORAGE       the class's name
 *   __CL_QUALIFIER     the address space
 *   __CL_POINTER       the class of pointers to it
 *   __CL_OWN_POINTER(T)  if the object is not where it seems to be: the cast to that class's
 * pointer */
#pragma GCC system_header

#ifndef __CL_OWN_POINTER
#define __CL_OWN_POINTER(T) (__CL_QUALIFIER T *)
#endif

namespace cl {

/* Scalars, vectors and pointers.  clang's own operators do not see through the conversion. */
template <class T, __storage_kind = __kind_of_storage<T>> struct __CL_STORAGE {
  T __v;
  __CL_INLINE T &__value() noexcept { return __v; }
  __CL_INLINE const T &__value() const noexcept { return __v; }
#include "storage_members.h"
#define __CL_ASSIGNMENT(op)                                                                        \
  template <class U> __CL_INLINE auto operator op(const U &r) noexcept->decltype(__v op r) {       \
    return __v op r;                                                                               \
  }
  __CL_INLINE T &operator=(const T &value) noexcept {
    return __v = value;
  }
  __CL_ASSIGNMENT(+=)
  __CL_ASSIGNMENT(-=)
  __CL_ASSIGNMENT(*=)
  __CL_ASSIGNMENT(/=)
  __CL_ASSIGNMENT(%=)
  __CL_ASSIGNMENT(&=)
  __CL_ASSIGNMENT(|=)
  __CL_ASSIGNMENT(^=)
  __CL_ASSIGNMENT(<<=)
  __CL_ASSIGNMENT(>>=)
#undef __CL_ASSIGNMENT
  __CL_INLINE T &operator++() noexcept {
    return ++__v;
  }
  __CL_INLINE T &operator--() noexcept {
    return --__v;
  }
  __CL_INLINE T operator++(int) noexcept {
    return __v++;
  }
  __CL_INLINE T operator--(int) noexcept {
    return __v--;
  }
};

template <class T> struct __CL_STORAGE<T, __storage_kind::array> {
  T __v;
  typedef remove_extent_t<T> __element;
  __CL_INLINE T &__value() noexcept { return __v; }
  __CL_INLINE const T &__value() const noexcept { return __v; }
#include "storage_members.h"
  __CL_INLINE __element &operator[](size_t i) noexcept {
    return __v[i];
  }
  __CL_INLINE const __element &operator[](size_t i) const noexcept {
    return __v[i];
  }
  __CL_INLINE T &operator=(const T &value) noexcept {
    for (size_t i = 0; i < sizeof(T) / sizeof(__element); i++) __v[i] = value[i];
    return __v;
  }
};

/* Classes: with T's whole interface. */
template <class T> struct __CL_STORAGE<T, __storage_kind::aggregate> : T {
  __CL_INLINE T &__value() noexcept { return *this; }
  __CL_INLINE const T &__value() const noexcept { return *this; }
#include "storage_members.h"
  using T::operator=;
  __CL_INLINE T &operator=(const T &value) noexcept {
    return __value() = value;
  }
};

template <class T> struct __CL_STORAGE<T, __storage_kind::constructed> : T {
  using T::T;
  __CL_STORAGE() = default;
  __CL_INLINE T &__value() noexcept { return *this; }
  __CL_INLINE const T &__value() const noexcept { return *this; }
#include "storage_members.h"
  using T::operator=;
};

template <class T> struct __CL_STORAGE<T, __storage_kind::final_class> {
  static_assert(!__is_final(T), "global<T>, local<T>, priv<T>: T must not be a final class");
};

} // namespace cl
#undef __CL_STORAGE
#undef __CL_QUALIFIER
#undef __CL_POINTER
#undef __CL_OWN_POINTER

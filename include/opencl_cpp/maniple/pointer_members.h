/* What NAME_ptr<T> and NAME_ptr<T[]> both have (maniple/pointer.h).  One data member only, so that
 * a kernel's argument of this type is a pointer to the host. */
#pragma GCC system_header

typedef T element_type;
typedef ptrdiff_t difference_type;
typedef add_lvalue_reference_t<__CL_QUALIFIER T> reference;
typedef add_lvalue_reference_t<const __CL_QUALIFIER T> const_reference;
typedef __CL_QUALIFIER T *pointer;
typedef const __CL_QUALIFIER T *const_pointer;

__CL_INLINE constexpr __CL_POINTER() noexcept : __p(nullptr) {}
__CL_INLINE constexpr explicit __CL_POINTER(pointer p) noexcept : __p(p) {}
__CL_INLINE constexpr __CL_POINTER(nullptr_t) noexcept : __p(nullptr) {}
__CL_POINTER(const __CL_POINTER &) noexcept = default;
__CL_POINTER(__CL_POINTER &&) noexcept = default;

__CL_POINTER &operator=(const __CL_POINTER &) noexcept = default;
__CL_POINTER &operator=(__CL_POINTER &&) noexcept = default;
__CL_INLINE __CL_POINTER &operator=(pointer p) noexcept {
  __p = p;
  return *this;
}
__CL_INLINE __CL_POINTER &operator=(nullptr_t) noexcept {
  __p = nullptr;
  return *this;
}

__CL_INLINE pointer get() const noexcept {
  return __p;
}
__CL_INLINE explicit operator bool() const noexcept {
  return __p != nullptr;
}
__CL_INLINE operator pointer() const noexcept {
  return __p;
}

__CL_INLINE pointer release() noexcept {
  pointer p = __p;
  __p = nullptr;
  return p;
}
__CL_INLINE void swap(__CL_POINTER &r) noexcept {
  pointer p = __p;
  __p = r.__p;
  r.__p = p;
}
__CL_INLINE __CL_POINTER &operator+=(difference_type r) noexcept {
  __p += r;
  return *this;
}
__CL_INLINE __CL_POINTER &operator-=(difference_type r) noexcept {
  __p -= r;
  return *this;
}
__CL_INLINE __CL_POINTER &operator++() noexcept {
  return *this += 1;
}
__CL_INLINE __CL_POINTER &operator--() noexcept {
  return *this -= 1;
}
__CL_INLINE __CL_POINTER operator++(int) noexcept {
  return __CL_POINTER(__p++);
}
__CL_INLINE __CL_POINTER operator--(int) noexcept {
  return __CL_POINTER(__p--);
}
__CL_INLINE __CL_POINTER operator+(difference_type r) const noexcept {
  return __CL_POINTER(__p + r);
}
__CL_INLINE __CL_POINTER operator-(difference_type r) const noexcept {
  return __CL_POINTER(__p - r);
}

private:
pointer __p;

public:

/* What the storage classes of all kinds of T have (maniple/storage.h), over __value(). */
#pragma GCC system_header

__CL_INLINE operator T &() noexcept {
  return __value();
}
__CL_INLINE operator const T &() const noexcept {
  return __value();
}
__CL_INLINE T *operator&() noexcept {
  return __builtin_addressof(__value());
}
__CL_INLINE const T *operator&() const noexcept {
  return __builtin_addressof(__value());
}
__CL_INLINE __CL_POINTER<T> ptr() __CL_QUALIFIER noexcept {
  return __CL_POINTER<T>(__CL_OWN_POINTER(T) __builtin_addressof(*this));
}
__CL_INLINE __CL_POINTER<const T> ptr() const __CL_QUALIFIER noexcept {
  return __CL_POINTER<const T>(__CL_OWN_POINTER(const T) __builtin_addressof(*this));
}

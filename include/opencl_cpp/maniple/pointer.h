/* The class NAME_ptr of <opencl_memory> for objects and, as NAME_ptr<T[]>, arrays; included with
 *   __CL_POINTER        global_ptr, local_ptr, private_ptr or constant_ptr
 *   __CL_QUALIFIER      the address space */
#pragma GCC system_header

namespace cl {
template <class T> class __CL_POINTER;
template <class T> class __CL_POINTER<T[]>;

template <class T> class __CL_POINTER {
public:
#include "pointer_members.h"

  __CL_INLINE reference operator*() const noexcept {
    return *__p;
  }
  __CL_INLINE pointer operator->() const noexcept {
    return __p;
  }
  __CL_INLINE void reset(pointer p = pointer()) noexcept {
    __p = p;
  }
#ifdef __CL_POINTER_SIZE
  __CL_POINTER_SIZE
#endif
};

template <class T> class __CL_POINTER<T[]> {
public:
#include "pointer_members.h"

  __CL_INLINE reference operator[](size_t pos) const noexcept {
    return __p[pos];
  }
  __CL_INLINE void reset(pointer p) noexcept {
    __p = p;
  }
  __CL_INLINE void reset(nullptr_t = nullptr) noexcept {
    __p = nullptr;
  }
};

#define __CL_POINTER_COMPARISON(op)                                                                \
  template <class T, class U>                                                                      \
  __CL_INLINE bool operator op(const __CL_POINTER<T> &a, const __CL_POINTER<U> &b) noexcept {      \
    return a.get() op b.get();                                                                     \
  }                                                                                                \
  template <class T> __CL_INLINE bool operator op(const __CL_POINTER<T> &a, nullptr_t) noexcept {  \
    return a.get() op typename __CL_POINTER<T>::pointer(nullptr);                                  \
  }                                                                                                \
  template <class T> __CL_INLINE bool operator op(nullptr_t, const __CL_POINTER<T> &b) noexcept {  \
    return typename __CL_POINTER<T>::pointer(nullptr) op b.get();                                  \
  }
__CL_POINTER_COMPARISON(==)
__CL_POINTER_COMPARISON(!=)
__CL_POINTER_COMPARISON(<)
__CL_POINTER_COMPARISON(>)
__CL_POINTER_COMPARISON(<=)
__CL_POINTER_COMPARISON(>=)
#undef __CL_POINTER_COMPARISON

template <class T> __CL_INLINE void swap(__CL_POINTER<T> &a, __CL_POINTER<T> &b) noexcept {
  a.swap(b);
}
template <class T, class U>
__CL_INLINE __CL_POINTER<T> static_asptr_cast(const __CL_POINTER<U> &p) noexcept {
  return __CL_POINTER<T>(static_cast<typename __CL_POINTER<T>::pointer>(p.get()));
}
template <class T, class U>
__CL_INLINE __CL_POINTER<T> reinterpret_asptr_cast(const __CL_POINTER<U> &p) noexcept {
  return __CL_POINTER<T>(reinterpret_cast<typename __CL_POINTER<T>::pointer>(p.get()));
}
} // namespace cl
#undef __CL_POINTER
#undef __CL_QUALIFIER
#undef __CL_POINTER_SIZE

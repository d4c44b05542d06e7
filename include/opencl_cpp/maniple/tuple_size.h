/* What <opencl_tuple> and <opencl_array> both specialise, for types without qualifiers. */
#ifndef MANIPLE_OPENCL_CPP_TUPLE_SIZE
#define MANIPLE_OPENCL_CPP_TUPLE_SIZE
#pragma GCC system_header
#include "opencl_type_traits"

namespace cl {
template <class T> struct __tuple_size;
template <size_t I, class T> struct __tuple_element;

template <class T> struct tuple_size : __tuple_size<remove_attrs_t<T>> {};
template <size_t I, class T> struct tuple_element {
  typedef typename __tuple_element<I, remove_attrs_t<T>>::type __plain;
  typedef conditional_t<is_const<T>::value, const __plain, __plain> __maybe_const;
  typedef conditional_t<is_volatile<T>::value, volatile __maybe_const, __maybe_const> type;
};
template <size_t I, class T> using tuple_element_t = typename tuple_element<I, T>::type;
} // namespace cl
#endif

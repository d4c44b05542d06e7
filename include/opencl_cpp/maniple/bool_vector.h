/* bool2 ... bool16 of OpenCL C++ (section 2.1.2), which clang's OpenCL has no vector types for: a
 * class of N bytes, each 0 or 1.  What a comparison of built-in vectors gives, 0 or -1 in each
 * component, converts to it.  Of names of several components, as .xy, it has those that the program
 * uses: the compiler lists them in __CL_SWIZZLES. */
#ifndef MANIPLE_OPENCL_CPP_BOOL_VECTOR
#define MANIPLE_OPENCL_CPP_BOOL_VECTOR
#pragma GCC system_header
#include "maniple/base.h"

namespace cl {

template <class T, int N> using __ext = T __attribute__((ext_vector_type(N)));

/* The components by name: __v is the vector of bytes. */
template <int N> struct __bool_parts;

template <int N> struct __bool_vector;
template <class T> constexpr int __bool_size = 1;
template <int N> constexpr int __bool_size<__bool_vector<N>> = N;

/* M components of N: a vector, or one. */
template <int N, int M> struct __bools { typedef __bool_vector<M> type; };
template <int N> struct __bools<N, 1> { typedef bool type; };

template <int N> struct __bool_vector : __bool_parts<N> {
  using __bool_parts<N>::__v;
  static constexpr char __one = 1;

  __bool_vector() = default;
  __CL_INLINE __bool_vector(bool b) noexcept { __v = (char)b; }
  template <class T> __CL_INLINE __bool_vector(__ext<T, N> v) noexcept {
    __v = __builtin_convertvector(v != T(0), __ext<char, N>) & __one;
  }
  template <class A, class B, class... C> __CL_INLINE __bool_vector(A a, B b, C... c) noexcept {
    static_assert((__bool_size<A> + __bool_size<B> + (__bool_size<C> + ... + 0)) == N,
                  "a vector of bool needs a value for each component");
    int at = 0;
    __put(at, a);
    __put(at, b);
    (__put(at, c), ...);
  }

  __CL_INLINE bool operator[](size_t i) const noexcept { return __v[i]; }
  __CL_INLINE bool &operator[](size_t i) noexcept { return ((bool *)this)[i]; }

  /* 0 or -1 in each component, as comparisons of built-in vectors give. */
  template <class V> __CL_INLINE V __mask() const noexcept {
    return __builtin_convertvector(-__v, V);
  }

  template <int... I> __CL_INLINE __bool_vector<sizeof...(I)> __pick() const noexcept {
    static_assert(((I < N) && ...), "the vector of bool has no such component");
    return __bool_vector<sizeof...(I)>((*this)[I]...);
  }
  template <int... I> __CL_INLINE void __set(const __bool_vector<sizeof...(I)> &b) noexcept {
    static_assert(((I < N) && ...), "the vector of bool has no such component");
    int k = 0;
    ((__v[I] = b[k++]), ...);
  }

  /* Every second one; the fourth of three is any. */
  typedef typename __bools<N, (N + 1) / 2>::type __half_of_it;
  template <int first> __CL_INLINE __half_of_it __every_second() const noexcept {
    if constexpr (N == 2)
      return (*this)[first];
    else {
      __half_of_it part;
      for (int i = 0; i < (N + 1) / 2; i++) part.__v[i] = __v[(2 * i + first) % N];
      return part;
    }
  }
  template <int first> __CL_INLINE void __set_every_second(const __half_of_it &part) noexcept {
    if constexpr (N == 2)
      __v[first] = part;
    else
      for (int i = 0; 2 * i + first < N; i++) __v[2 * i + first] = part[i];
  }
  __CL_INLINE __half_of_it __get_even() const noexcept { return __every_second<0>(); }
  __CL_INLINE __half_of_it __get_odd() const noexcept { return __every_second<1>(); }
  __CL_INLINE void __put_even(const __half_of_it &part) noexcept { __set_every_second<0>(part); }
  __CL_INLINE void __put_odd(const __half_of_it &part) noexcept { __set_every_second<1>(part); }
  __declspec(property(get = __get_even, put = __put_even)) __half_of_it even;
  __declspec(property(get = __get_odd, put = __put_odd)) __half_of_it odd;

#define __CL_PROPERTY(name, size, ...)                                                             \
  __CL_INLINE typename __bools<N, size>::type __get_##name() const noexcept {                      \
    return __pick<__VA_ARGS__>();                                                                  \
  }                                                                                                \
  __CL_INLINE void __put_##name(const typename __bools<N, size>::type &b) noexcept {               \
    __set<__VA_ARGS__>(b);                                                                         \
  }                                                                                                \
  __declspec(property(get = __get_##name, put = __put_##name))                                     \
  typename __bools<N, size>::type name;
#define __CL_SWIZZLE(name, ...) __CL_PROPERTY(name, (sizeof((int[]){__VA_ARGS__}) / 4), __VA_ARGS__)
#ifdef __CL_SWIZZLES
  __CL_SWIZZLES(__CL_SWIZZLE)
#endif
#undef __CL_SWIZZLE
#undef __CL_PROPERTY

private:
  __CL_INLINE void __put(int &at, bool b) noexcept { __v[at++] = b; }
  template <int M> __CL_INLINE void __put(int &at, const __bool_vector<M> &v) noexcept {
    for (int i = 0; i < M; i++) __v[at++] = v[i];
  }
};

#define __CL_BOOL_PARTS(N, ...)                                                                    \
  template <> struct __bool_parts<N> {                                                             \
    union {                                                                                        \
      char##N __v;                                                                                 \
      __VA_ARGS__                                                                                  \
    };                                                                                             \
  };
__CL_BOOL_PARTS(
    2, struct { bool x, y; }; struct { bool r, g; }; struct { bool s0, s1; };
    struct { bool S0, S1; }; struct { bool lo, hi; };)
__CL_BOOL_PARTS(
    3, struct { bool x, y, z; }; struct { bool r, g, b; }; struct { bool s0, s1, s2; };
    struct { bool S0, S1, S2; }; struct { __bool_vector<2> lo, hi; };)
__CL_BOOL_PARTS(
    4, struct { bool x, y, z, w; }; struct { bool r, g, b, a; }; struct { bool s0, s1, s2, s3; };
    struct { bool S0, S1, S2, S3; }; struct { __bool_vector<2> lo, hi; };)
__CL_BOOL_PARTS(
    8, struct { bool s0, s1, s2, s3, s4, s5, s6, s7; };
    struct { bool S0, S1, S2, S3, S4, S5, S6, S7; }; struct { __bool_vector<4> lo, hi; };)
__CL_BOOL_PARTS(
    16, struct { bool s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf; };
    struct { bool S0, S1, S2, S3, S4, S5, S6, S7, S8, S9, SA, SB, SC, SD, SE, SF; };
    struct { __bool_vector<8> lo, hi; };)
#undef __CL_BOOL_PARTS

template <int N> __CL_INLINE __bool_vector<N> operator!(const __bool_vector<N> &a) noexcept {
  return a.__v == (char)0;
}
template <int N> __CL_INLINE __bool_vector<N> operator~(const __bool_vector<N> &a) noexcept {
  return !a;
}
#define __CL_BOOL_OPERATOR(op, expression)                                                         \
  template <int N>                                                                                 \
  __CL_INLINE __bool_vector<N> operator op(const __bool_vector<N> &a,                              \
                                           const __bool_vector<N> &b) noexcept {                   \
    return a.__v expression b.__v;                                                                 \
  }                                                                                                \
  template <int N>                                                                                 \
  __CL_INLINE __bool_vector<N> operator op(const __bool_vector<N> &a, bool b) noexcept {           \
    return a op __bool_vector<N>(b);                                                               \
  }                                                                                                \
  template <int N>                                                                                 \
  __CL_INLINE __bool_vector<N> operator op(bool a, const __bool_vector<N> &b) noexcept {           \
    return __bool_vector<N>(a) op b;                                                               \
  }
__CL_BOOL_OPERATOR(&&, &)
__CL_BOOL_OPERATOR(||, |)
__CL_BOOL_OPERATOR(&, &)
__CL_BOOL_OPERATOR(|, |)
__CL_BOOL_OPERATOR(^, ^)
__CL_BOOL_OPERATOR(==, ==)
__CL_BOOL_OPERATOR(!=, !=)
#undef __CL_BOOL_OPERATOR

} // namespace cl

typedef cl::__bool_vector<2> bool2;
typedef cl::__bool_vector<3> bool3;
typedef cl::__bool_vector<4> bool4;
typedef cl::__bool_vector<8> bool8;
typedef cl::__bool_vector<16> bool16;

#endif

/* bool2 ... bool16 of OpenCL C++ (section 2.1.2), which clang's OpenCL has no vector types for: a
 * class of N bytes, each 0 or 1.  What a comparison of built-in vectors gives, 0 or -1 in each
 * component, converts to it.  Its parts have names, as .y, .s3 or .hi, but not several in one, as
 * .xy. */
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

  /* 0 or -1 in each component, as comparisons of built-in vectors give. */
  template <class V> __CL_INLINE V __mask() const noexcept {
    return __builtin_convertvector(-__v, V);
  }

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
    struct { bool S0, S1, S2; };)
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

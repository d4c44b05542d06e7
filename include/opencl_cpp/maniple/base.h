/* What the headers of the OpenCL C++ library share.
 *
 * The functions of OpenCL C are visible in C++ for OpenCL without a header, in the global
 * namespace. Most of the library hands arguments on to them.  Its functions are templates, so that
 * after `using namespace cl` a call that both can take is the built-in's. */
#ifndef MANIPLE_OPENCL_CPP_BASE
#define MANIPLE_OPENCL_CPP_BASE
#pragma GCC system_header

#ifndef __OPENCL_CPP_VERSION__
#error "the OpenCL C++ library needs the build option -cl-std=c++ or -cl-std=clc++"
#endif

/* Inlined before anything else: a call costs nothing and hides nothing. */
#define __CL_INLINE __attribute__((always_inline)) inline

/* An argument's type without reference and qualifiers, the address space among them. */
template <class A> struct __cl_plain { typedef A type; };
template <class A> struct __cl_plain<A &> : __cl_plain<A> {};
template <class A> struct __cl_plain<const A> : __cl_plain<A> {};
template <class A> struct __cl_plain<volatile A> : __cl_plain<A> {};
template <class A> struct __cl_plain<const volatile A> : __cl_plain<A> {};
#define __CL_PLAIN(space)                                                                          \
  template <class A> struct __cl_plain<space A> : __cl_plain<A> {};                                \
  template <class A> struct __cl_plain<const space A> : __cl_plain<A> {};
__CL_PLAIN(__constant)
__CL_PLAIN(__global)
__CL_PLAIN(__local)
__CL_PLAIN(__private)
__CL_PLAIN(__generic)
#undef __CL_PLAIN

/* Objects that cannot be copied, as atomic<T>, and those in constant memory, are handed on where they
 * are; all others by value, since components of vectors have no references. */
template <class A, class P = typename __cl_plain<A>::type>
constexpr bool __cl_is_copied = !__is_class(P) || __is_constructible(P, A);
template <bool> struct __cl_if {};
template <> struct __cl_if<true> { typedef int type; };

/* cl::NAME takes what ::NAME takes. */
#define __CL_FORWARD(name) __CL_FORWARD_TO(name, name)
#define __CL_FORWARD_TO(name, builtin)                                                             \
  template <class... A, typename __cl_if<(__cl_is_copied<const A &> && ...)>::type = 0>            \
  __CL_INLINE auto name(A... a)->decltype(::builtin(a...)) {                                       \
    return ::builtin(a...);                                                                        \
  }                                                                                                \
  template <class... A, typename __cl_if<(!__cl_is_copied<A &> || ...)>::type = 0>                 \
  __CL_INLINE auto name(A &&...a)->decltype(::builtin(a...)) {                                     \
    return ::builtin(a...);                                                                        \
  }

/* For an overload that says in words why it is not to be called. */
#define __CL_REFUSE(sentence) __attribute__((unavailable(sentence)))

/* In OpenCL C++, which does not have it, hides the built-in of this name from unqualified calls. */
#ifdef __CL_OPENCL_CXX
struct __cl_nothing;
#define __CL_HIDE(name) void name(__cl_nothing)
#else
#define __CL_HIDE(name) static_assert(true)
#endif

#if defined(cl_khr_subgroups) || defined(__opencl_c_subgroups)
#define __CL_SUB_GROUPS 1
#endif

/* Scalar types, and numbers of components of vectors. */
#define __CL_INTEGER_TYPES(X) X(char) X(uchar) X(short) X(ushort) X(int) X(uint) X(long) X(ulong)
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define __CL_HALF_TYPE(X) X(half)
#else
#define __CL_HALF_TYPE(X)
#endif
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#define __CL_DOUBLE_TYPE(X) X(double)
#else
#define __CL_DOUBLE_TYPE(X)
#endif
#define __CL_FLOATING_TYPES(X) X(float) __CL_HALF_TYPE(X) __CL_DOUBLE_TYPE(X)
#define __CL_SCALAR_TYPES(X)   __CL_INTEGER_TYPES(X) __CL_FLOATING_TYPES(X)
#define __CL_WIDTHS(X, T)      X(T, 2) X(T, 3) X(T, 4) X(T, 8) X(T, 16)

#endif

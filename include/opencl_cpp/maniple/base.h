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

/* cl::NAME takes what ::NAME takes. */
#define __CL_FORWARD(name) __CL_FORWARD_TO(name, name)
#define __CL_FORWARD_TO(name, builtin)                                                             \
  template <class... A> __CL_INLINE auto name(A... a)->decltype(::builtin(a...)) {                 \
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

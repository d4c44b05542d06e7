/* What -cl-std=c++ has and C++ for OpenCL has not, or the other way round; included before the
 * source.  Names of address spaces and of an image's access are no keywords in OpenCL C++ (section
 * 2.2) but templates and enumerators of its library. */
#ifndef MANIPLE_OPENCL_CPP_LANGUAGE
#define MANIPLE_OPENCL_CPP_LANGUAGE
#pragma GCC system_header

#define __CL_OPENCL_CXX 1

#define cl_khr_subgroup_named_barrier 1

#define global     __cl_global
#define local      __cl_local
#define constant   __cl_constant
#define generic    __cl_generic
#define read_write __cl_read_write

/* Vector constructors (section 2.1.2.4): float4(1.0f, v.xy, 0.0f). */
#define __cl_type            /* stands between a type's name and a bracket that calls nothing */
#define __CL_VECTOR(T)       ((T)(0))
#define __CL_VECTOR1(T, ...) ((T)(__VA_ARGS__))
#define __CL_MAKE(T, ...)    __CL_VECTOR##__VA_OPT__(1)(T __VA_OPT__(, ) __VA_ARGS__)
#define char2(...)           __CL_MAKE(char2, __VA_ARGS__)
#define char3(...)           __CL_MAKE(char3, __VA_ARGS__)
#define char4(...)           __CL_MAKE(char4, __VA_ARGS__)
#define char8(...)           __CL_MAKE(char8, __VA_ARGS__)
#define char16(...)          __CL_MAKE(char16, __VA_ARGS__)
#define uchar2(...)          __CL_MAKE(uchar2, __VA_ARGS__)
#define uchar3(...)          __CL_MAKE(uchar3, __VA_ARGS__)
#define uchar4(...)          __CL_MAKE(uchar4, __VA_ARGS__)
#define uchar8(...)          __CL_MAKE(uchar8, __VA_ARGS__)
#define uchar16(...)         __CL_MAKE(uchar16, __VA_ARGS__)
#define short2(...)          __CL_MAKE(short2, __VA_ARGS__)
#define short3(...)          __CL_MAKE(short3, __VA_ARGS__)
#define short4(...)          __CL_MAKE(short4, __VA_ARGS__)
#define short8(...)          __CL_MAKE(short8, __VA_ARGS__)
#define short16(...)         __CL_MAKE(short16, __VA_ARGS__)
#define ushort2(...)         __CL_MAKE(ushort2, __VA_ARGS__)
#define ushort3(...)         __CL_MAKE(ushort3, __VA_ARGS__)
#define ushort4(...)         __CL_MAKE(ushort4, __VA_ARGS__)
#define ushort8(...)         __CL_MAKE(ushort8, __VA_ARGS__)
#define ushort16(...)        __CL_MAKE(ushort16, __VA_ARGS__)
#define int2(...)            __CL_MAKE(int2, __VA_ARGS__)
#define int3(...)            __CL_MAKE(int3, __VA_ARGS__)
#define int4(...)            __CL_MAKE(int4, __VA_ARGS__)
#define int8(...)            __CL_MAKE(int8, __VA_ARGS__)
#define int16(...)           __CL_MAKE(int16, __VA_ARGS__)
#define uint2(...)           __CL_MAKE(uint2, __VA_ARGS__)
#define uint3(...)           __CL_MAKE(uint3, __VA_ARGS__)
#define uint4(...)           __CL_MAKE(uint4, __VA_ARGS__)
#define uint8(...)           __CL_MAKE(uint8, __VA_ARGS__)
#define uint16(...)          __CL_MAKE(uint16, __VA_ARGS__)
#define long2(...)           __CL_MAKE(long2, __VA_ARGS__)
#define long3(...)           __CL_MAKE(long3, __VA_ARGS__)
#define long4(...)           __CL_MAKE(long4, __VA_ARGS__)
#define long8(...)           __CL_MAKE(long8, __VA_ARGS__)
#define long16(...)          __CL_MAKE(long16, __VA_ARGS__)
#define ulong2(...)          __CL_MAKE(ulong2, __VA_ARGS__)
#define ulong3(...)          __CL_MAKE(ulong3, __VA_ARGS__)
#define ulong4(...)          __CL_MAKE(ulong4, __VA_ARGS__)
#define ulong8(...)          __CL_MAKE(ulong8, __VA_ARGS__)
#define ulong16(...)         __CL_MAKE(ulong16, __VA_ARGS__)
#define half2(...)           __CL_MAKE(half2, __VA_ARGS__)
#define half3(...)           __CL_MAKE(half3, __VA_ARGS__)
#define half4(...)           __CL_MAKE(half4, __VA_ARGS__)
#define half8(...)           __CL_MAKE(half8, __VA_ARGS__)
#define half16(...)          __CL_MAKE(half16, __VA_ARGS__)
#define float2(...)          __CL_MAKE(float2, __VA_ARGS__)
#define float3(...)          __CL_MAKE(float3, __VA_ARGS__)
#define float4(...)          __CL_MAKE(float4, __VA_ARGS__)
#define float8(...)          __CL_MAKE(float8, __VA_ARGS__)
#define float16(...)         __CL_MAKE(float16, __VA_ARGS__)
#define double2(...)         __CL_MAKE(double2, __VA_ARGS__)
#define double3(...)         __CL_MAKE(double3, __VA_ARGS__)
#define double4(...)         __CL_MAKE(double4, __VA_ARGS__)
#define double8(...)         __CL_MAKE(double8, __VA_ARGS__)
#define double16(...)        __CL_MAKE(double16, __VA_ARGS__)

#endif

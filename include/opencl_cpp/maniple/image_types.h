/* What <opencl_image> is made of: the enumerations of OpenCL C++ 1.0, section 3.11, OpenCL C's type
 * for each sort of image, and its functions for each type of element. */
#ifndef MANIPLE_OPENCL_CPP_IMAGE_TYPES
#define MANIPLE_OPENCL_CPP_IMAGE_TYPES
#pragma GCC system_header
#include "opencl_def"
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
#pragma OPENCL EXTENSION cl_khr_depth_images : enable

namespace cl {
/* `read_write` is a keyword in C++ for OpenCL: there the name ends in an underscore. */
enum class image_access {
  sample,
  read,
  write,
  read_write_,
#ifdef __CL_OPENCL_CXX
  read_write = read_write_
#endif
};
enum class image_dim { image_1d, image_2d, image_3d, image_buffer };

template <image_dim Dim> struct image_dim_num;
template <> struct image_dim_num<image_dim::image_1d> { static constexpr size_t value = 1; };
template <> struct image_dim_num<image_dim::image_2d> { static constexpr size_t value = 2; };
template <> struct image_dim_num<image_dim::image_3d> { static constexpr size_t value = 3; };
template <> struct image_dim_num<image_dim::image_buffer> { static constexpr size_t value = 1; };

/* The values are the host's, CL_SNORM_INT8 and CL_R. */
enum class image_channel_type {
  snorm_int8 = 0x10d0,
  snorm_int16,
  unorm_int8,
  unorm_int16,
  unorm_short_565,
  unorm_short_555,
  unorm_int_101010,
  signed_int8,
  signed_int16,
  signed_int32,
  unsigned_int8,
  unsigned_int16,
  unsigned_int32,
  fp16,
  fp32,
  unorm_int24,
  unorm_int_101010_2
};
enum class image_channel_order {
  r = 0x10b0,
  a,
  rg,
  ra,
  rgb,
  rgba,
  bgra,
  argb,
  intensity,
  luminance,
  rx,
  rgx,
  rgbx,
  depth,
  depth_stencil,
  srgb,
  srgbx,
  srgba,
  sbgra,
  abgr
};

/* The values are bits of a sampler of OpenCL C. */
enum class addressing_mode {
  mirrored_repeat = CLK_ADDRESS_MIRRORED_REPEAT,
  repeat = CLK_ADDRESS_REPEAT,
  clamp_to_edge = CLK_ADDRESS_CLAMP_TO_EDGE,
  clamp = CLK_ADDRESS_CLAMP,
  none = CLK_ADDRESS_NONE
};
enum class normalized_coordinates {
  normalized = CLK_NORMALIZED_COORDS_TRUE,
  unnormalized = CLK_NORMALIZED_COORDS_FALSE
};
enum class filtering_mode { nearest = CLK_FILTER_NEAREST, linear = CLK_FILTER_LINEAR };

/* F::call(image, arguments ...) with a sort of image, of which the class has the address, in OpenCL
 * C's type.  (clang 19 knows no type that depends on a template in __builtin_astype.) */
typedef const __global void *__image_address;
template <image_access A, image_dim Dim, bool Depth, bool Array> struct __image_sort {
  static_assert(Depth && !Depth, "image: there are depth images of two dimensions, and arrays of "
                                 "images of one or two");
};
#define __CL_IMAGE(access_t, qualifier, dim, depth, array, image_t)                                \
  template <> struct __image_sort<image_access::access_t, image_dim::dim, depth, array> {          \
    template <class F, class... A> static __CL_INLINE auto apply(__image_address p, A... a) {      \
      return F::call(__builtin_astype(p, qualifier image_t), a...);                                \
    }                                                                                              \
  };
#define __CL_IMAGE_SORT(...)                                                                       \
  __CL_IMAGE(sample, __read_only, __VA_ARGS__)                                                     \
  __CL_IMAGE(read, __read_only, __VA_ARGS__)                                                       \
  __CL_IMAGE(write, __write_only, __VA_ARGS__)                                                     \
  __CL_IMAGE(read_write_, __read_write, __VA_ARGS__)
__CL_IMAGE_SORT(image_1d, false, false, image1d_t)
__CL_IMAGE_SORT(image_buffer, false, false, image1d_buffer_t)
__CL_IMAGE_SORT(image_1d, false, true, image1d_array_t)
__CL_IMAGE_SORT(image_2d, false, false, image2d_t)
__CL_IMAGE_SORT(image_2d, true, false, image2d_depth_t)
__CL_IMAGE_SORT(image_2d, false, true, image2d_array_t)
__CL_IMAGE_SORT(image_2d, true, true, image2d_array_depth_t)
__CL_IMAGE_SORT(image_3d, false, false, image3d_t)
#undef __CL_IMAGE_SORT
#undef __CL_IMAGE

/* OpenCL C's functions, for apply. */
#define __CL_IMAGE_QUERY(query)                                                                    \
  struct __##query {                                                                               \
    template <class I> static __CL_INLINE auto call(I image) { return (int)::query(image); }       \
  };
__CL_IMAGE_QUERY(get_image_width)
__CL_IMAGE_QUERY(get_image_height)
__CL_IMAGE_QUERY(get_image_depth)
__CL_IMAGE_QUERY(get_image_array_size)
__CL_IMAGE_QUERY(get_image_channel_data_type)
__CL_IMAGE_QUERY(get_image_channel_order)
#undef __CL_IMAGE_QUERY

/* Pixels as elements of type T; `depth` if they are those of depth images. */
template <class T> struct __image_element { static constexpr bool known = false, depth = false; };
#define __CL_IMAGE_ELEMENT(T, is_depth, suffix, to)                                                \
  template <> struct __image_element<T> {                                                          \
    static constexpr bool known = true, depth = is_depth;                                          \
    struct read {                                                                                  \
      template <class... A> static __CL_INLINE T call(A... a) {                                    \
        return (T)::read_image##suffix(a...);                                                      \
      }                                                                                            \
    };                                                                                             \
    struct write {                                                                                 \
      template <class I, class C> static __CL_INLINE void call(I image, C at, T color) {           \
        ::write_image##suffix(image, at, to color);                                                \
      }                                                                                            \
    };                                                                                             \
  };
__CL_IMAGE_ELEMENT(float4, false, f, )
__CL_IMAGE_ELEMENT(int4, false, i, )
__CL_IMAGE_ELEMENT(uint4, false, ui, )
__CL_IMAGE_ELEMENT(float, true, f, )
#ifdef cl_khr_fp16
__CL_IMAGE_ELEMENT(half4, false, h, )
__CL_IMAGE_ELEMENT(half, true, f, (float))
#endif
#undef __CL_IMAGE_ELEMENT

/* OpenCL C's coordinates are vectors of 4 where 3 would do. */
#define __CL_COORD(T, given, ...)                                                                  \
  __CL_INLINE T __image_coord(given at) {                                                          \
    return __VA_ARGS__;                                                                            \
  }
#define __CL_COORDS(T)                                                                             \
  __CL_COORD(T, T, at)                                                                             \
  __CL_COORD(T##2, T##2, at)                                                                       \
  __CL_COORD(T##4, T##3, (T##4)(at, 0))
__CL_COORDS(int)
__CL_COORDS(float)
#undef __CL_COORDS
#undef __CL_COORD
} // namespace cl
#endif

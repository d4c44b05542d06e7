/* Texels of the formats of images, as vectors of four; and how a sampler reads between them (OpenCL
 * 3.0, 8.2 and 8.3, which SYCL 2020, 4.7.8 refers to). */
#ifndef SYCL_DETAIL_TEXEL_HPP
#define SYCL_DETAIL_TEXEL_HPP

#include <cmath>
#include <cstdint>
#include <cstring>

#include "../vec.hpp"

namespace sycl {

enum class image_format {
  r8g8b8a8_unorm,
  r16g16b16a16_unorm,
  r8g8b8a8_sint,
  r16g16b16a16_sint,
  r32b32g32a32_sint,
  r8g8b8a8_uint,
  r16g16b16a16_uint,
  r32b32g32a32_uint,
  r16b16g16a16_sfloat,
  r32g32b32a32_sfloat,
  b8g8r8a8_unorm
};

enum class addressing_mode { mirrored_repeat, repeat, clamp_to_edge, clamp, none };
enum class filtering_mode { nearest, linear };
enum class coordinate_normalization_mode { normalized, unnormalized };

struct image_sampler {
  addressing_mode addressing;
  coordinate_normalization_mode coordinate;
  filtering_mode filtering;

  friend bool operator==(const image_sampler &a, const image_sampler &b) {
    return a.addressing == b.addressing && a.coordinate == b.coordinate &&
           a.filtering == b.filtering;
  }
  friend bool operator!=(const image_sampler &a, const image_sampler &b) { return !(a == b); }
};

namespace detail {

/* SYCL_FORMAT(name, type of a channel, type that is 1.0 as a normalized number or 0, index of red)
 */
#define SYCL_FORMATS(SYCL_FORMAT)                                                                  \
  SYCL_FORMAT(r8g8b8a8_unorm, std::uint8_t, 255, 0)                                                \
  SYCL_FORMAT(r16g16b16a16_unorm, std::uint16_t, 65535, 0)                                         \
  SYCL_FORMAT(r8g8b8a8_sint, std::int8_t, 0, 0)                                                    \
  SYCL_FORMAT(r16g16b16a16_sint, std::int16_t, 0, 0)                                               \
  SYCL_FORMAT(r32b32g32a32_sint, std::int32_t, 0, 0)                                               \
  SYCL_FORMAT(r8g8b8a8_uint, std::uint8_t, 0, 0)                                                   \
  SYCL_FORMAT(r16g16b16a16_uint, std::uint16_t, 0, 0)                                              \
  SYCL_FORMAT(r32b32g32a32_uint, std::uint32_t, 0, 0)                                              \
  SYCL_FORMAT(r16b16g16a16_sfloat, half, 0, 0)                                                     \
  SYCL_FORMAT(r32g32b32a32_sfloat, float, 0, 0)                                                    \
  SYCL_FORMAT(b8g8r8a8_unorm, std::uint8_t, 255, 2)

constexpr std::size_t texel_size(image_format format) {
  switch (format) {
#define SYCL_FORMAT(name, type, one, red)                                                          \
  case image_format::name:                                                                         \
    return 4 * sizeof(type);
    SYCL_FORMATS(SYCL_FORMAT)
#undef SYCL_FORMAT
  }
  return 0;
}

template <typename Channel, int One, int Red, typename DataT> DataT unpack(const char *from) {
  using T = typename DataT::element_type;
  Channel channel[4];
  std::memcpy(static_cast<void *>(channel), from, sizeof channel);
  DataT result;
  for (int i = 0; i < 4; i++) {
    Channel c = channel[i == 0 ? Red : i == 2 ? 2 - Red : i];
    result[i] = One ? static_cast<T>(float(c) / float(One ? One : 1)) : static_cast<T>(c);
  }
  return result;
}

template <typename Channel, int One, int Red, typename DataT>
void pack(char *to, const DataT &value) {
  Channel channel[4];
  for (int i = 0; i < 4; i++) {
    auto x = value[i];
    Channel &c = channel[i == 0 ? Red : i == 2 ? 2 - Red : i];
    if constexpr (One != 0) /* to the nearest, even of two */
      c = convert<Channel, rounding_mode::rte>(std::fmin(std::fmax(float(x), 0.0f), 1.0f) *
                                               float(One));
    else if constexpr (std::is_integral_v<Channel> && std::is_integral_v<decltype(x)>)
      c = saturate<Channel>(double(x));
    else
      c = convert<Channel, rounding_mode::rte>(x);
  }
  std::memcpy(to, static_cast<const void *>(channel), sizeof channel);
}

template <typename DataT> DataT read_texel(image_format format, const char *from) {
  switch (format) {
#define SYCL_FORMAT(name, type, one, red)                                                          \
  case image_format::name:                                                                         \
    return unpack<type, one, red, DataT>(from);
    SYCL_FORMATS(SYCL_FORMAT)
#undef SYCL_FORMAT
  }
  return DataT();
}
template <typename DataT> void write_texel(image_format format, char *to, const DataT &value) {
  switch (format) {
#define SYCL_FORMAT(name, type, one, red)                                                          \
  case image_format::name:                                                                         \
    return pack<type, one, red>(to, value);
    SYCL_FORMATS(SYCL_FORMAT)
#undef SYCL_FORMAT
  }
}
#undef SYCL_FORMATS

/* The place of texel i of a row of `size`; -1: none, the border. */
inline std::int64_t addressed(addressing_mode mode, std::int64_t i, std::int64_t size) {
  switch (mode) {
  case addressing_mode::repeat:
    return (i % size + size) % size;
  case addressing_mode::mirrored_repeat: {
    std::int64_t at = (i % (2 * size) + 2 * size) % (2 * size);
    return at < size ? at : 2 * size - 1 - at;
  }
  case addressing_mode::clamp:
    return i < 0 || i >= size ? -1 : i;
  default:
    return i < 0 ? 0 : i >= size ? size - 1 : i;
  }
}

/* An image as kernels see it: copied with its accessors. */
struct image_view {
  char *data = nullptr;
  std::int64_t size[3] = {1, 1, 1};
  std::size_t pitch[2] = {};
  image_format format{};
  image_sampler sampler{};

  char *at(const std::int64_t *i) const {
    return data + std::size_t(i[0]) * texel_size(format) + std::size_t(i[1]) * pitch[0] +
           std::size_t(i[2]) * pitch[1];
  }
  template <typename DataT> DataT texel(const std::int64_t *wanted, int dimensions) const {
    std::int64_t i[3] = {};
    for (int d = 0; d < dimensions; d++) {
      i[d] = addressed(sampler.addressing, wanted[d], size[d]);
      if (i[d] < 0) return DataT();
    }
    return read_texel<DataT>(format, at(i));
  }

  template <typename DataT> DataT sample(const float *coordinate, int dimensions) const {
    float u[3] = {};
    std::int64_t first[3] = {};
    bool linear = sampler.filtering == filtering_mode::linear;
    for (int d = 0; d < dimensions; d++) {
      u[d] = coordinate[d];
      if (sampler.coordinate == coordinate_normalization_mode::normalized) u[d] *= float(size[d]);
      if (linear) u[d] -= 0.5f;
      first[d] = std::int64_t(std::floor(u[d]));
    }
    if (!linear) return texel<DataT>(first, dimensions);
    vec<float, 4> sum(0.0f);
    for (int corner = 0; corner < 1 << dimensions; corner++) {
      std::int64_t i[3] = {};
      float weight = 1;
      for (int d = 0; d < dimensions; d++) {
        float part = u[d] - std::floor(u[d]);
        i[d] = first[d] + (corner >> d & 1);
        weight *= corner >> d & 1 ? part : 1 - part;
      }
      sum += texel<vec<float, 4>>(i, dimensions) * weight;
    }
    return sum.convert<typename DataT::element_type, rounding_mode::rte>();
  }
};

/* What a program gives as coordinates: a number, or a vec whose first elements count. */
template <typename T, typename CoordT> void put_coordinates(T *to, const CoordT &from, int count) {
  for (int i = 0; i < count; i++) to[i] = static_cast<T>(element_at<T>(from, i));
}

} // namespace detail
} // namespace sycl

#endif

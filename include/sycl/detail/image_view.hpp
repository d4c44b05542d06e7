/* How a sampler reads between the texels of an image (OpenCL 3.0, 8.2 and 8.3, which SYCL 2020,
 * 4.7.8, refers to). */
#ifndef SYCL_DETAIL_IMAGE_VIEW_HPP
#define SYCL_DETAIL_IMAGE_VIEW_HPP

#include <cmath>
#include <cstdint>

#include "../range_id.hpp"
#include "texel.hpp"

namespace sycl {

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
  texel_format format{};
  image_sampler sampler{};

  char *at(const std::int64_t *i) const {
    return data + std::size_t(i[0]) * texel_step(format) + std::size_t(i[1]) * pitch[0] +
           std::size_t(i[2]) * pitch[1];
  }
  template <typename DataT> DataT border() const {
    DataT result;
    result[3] = static_cast<typename DataT::element_type>(format.border_alpha);
    return result;
  }
  template <typename DataT> DataT texel(const std::int64_t *wanted, int dimensions) const {
    std::int64_t i[3] = {};
    for (int d = 0; d < dimensions; d++) {
      i[d] = addressed(sampler.addressing, wanted[d], size[d]);
      if (i[d] < 0) return border<DataT>();
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

template <int D> range<D> range_of(const image_view &view) {
  range<D> result;
  for (int i = 0; i < D; i++) result[i] = std::size_t(view.size[i]);
  return result;
}

/* What a program gives as coordinates: a number, or a vec whose first elements count. */
template <typename CoordT> auto first_of(const CoordT &coordinates) {
  if constexpr (is_vector<CoordT>)
    return typename CoordT::element_type();
  else
    return coordinates;
}
template <typename T, typename CoordT> void put_coordinates(T *to, const CoordT &from, int count) {
  for (int i = 0; i < count; i++) to[i] = static_cast<T>(element_at<T>(from, i));
}

} // namespace detail
} // namespace sycl

#endif

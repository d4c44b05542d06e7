/* Images and samplers of SYCL 1.2.1 (4.7.3, 4.7.6.11 to 13, 4.7.8; sycl_ext_intel_legacy_image), which programs
 * have that were migrated from CUDA: accessors of the targets image, image_array and host_image. */
#ifndef SYCL_LEGACY_IMAGE_HPP
#define SYCL_LEGACY_IMAGE_HPP

#include <functional>
#include <memory>
#include <type_traits>

#include "image_accessor.hpp"

namespace sycl {

class sampler : public detail::without_properties {
  image_sampler is;

public:
  sampler(coordinate_normalization_mode coordinate, addressing_mode addressing,
          filtering_mode filtering, const property_list &properties = {})
      : is{addressing, coordinate, filtering} {
    detail::check_properties<>(properties);
  }

  addressing_mode get_addressing_mode() const { return is.addressing; }
  filtering_mode get_filtering_mode() const { return is.filtering; }
  coordinate_normalization_mode get_coordinate_normalization_mode() const { return is.coordinate; }

  friend bool operator==(const sampler &a, const sampler &b) { return a.is == b.is; }
  friend bool operator!=(const sampler &a, const sampler &b) { return !(a == b); }
};

namespace detail {

template <typename DataT, int D, access_mode Mode>
class legacy_image_access : public unsampled_access<DataT, D, Mode> {
  using base = unsampled_access<DataT, D, Mode>;

public:
  template <typename Image>
  legacy_image_access(const Image &image, const property_list &properties)
      : base(image, properties) {}
  /* One of several that are one behind the other. */
  legacy_image_access(const image_accessor_base<DataT, D, Mode> &all, std::size_t index)
      : base(all) {
    this->view.data += index * this->view.pitch[D - 1];
  }

  std::size_t get_count() const { return this->size(); }
  range<D> get_range() const { return range_of<D>(this->view); }

  using base::read;
  template <typename CoordT, access_mode M = Mode, std::enable_if_t<reads(M), int> = 0>
  std::remove_const_t<DataT> read(const CoordT &coordinates, const sampler &through) const {
    image_view seen = this->view;
    seen.sampler = {through.get_addressing_mode(), through.get_coordinate_normalization_mode(),
                    through.get_filtering_mode()};
    if constexpr (std::is_integral_v<decltype(first_of(coordinates))>) {
      std::int64_t at[3] = {};
      put_coordinates(at, coordinates, D);
      return seen.template texel<std::remove_const_t<DataT>>(at, D);
    } else {
      float at[3] = {};
      put_coordinates(at, coordinates, D);
      return seen.template sample<std::remove_const_t<DataT>>(at, D);
    }
  }
};

template <access_mode Mode, int D, typename A> void require_image(image<D, A> &of, handler &group) {
  const auto &memory = image_access::memory(of);
  require_access(group, memory.get(), memory, Mode);
}

} // namespace detail

template <int Dimensions, typename AllocatorT>
class image : public detail::writable_image<Dimensions, AllocatorT> {
  using base = detail::writable_image<Dimensions, AllocatorT>;

public:
#define SYCL_IMAGE        image
#define SYCL_IMAGE_FORMAT detail::texel_format(order, type)
#define SYCL_IMAGE_BEFORE image_channel_order order, image_channel_type type
#define SYCL_IMAGE_GIVEN  order, type
#define SYCL_IMAGE_ATTACH this->attach(nullptr, nullptr, true)
#include "detail/image_constructors.def"
#define SYCL_IMAGE_BEFORE void *host, image_channel_order order, image_channel_type type
#define SYCL_IMAGE_GIVEN  host, order, type
#define SYCL_IMAGE_ATTACH this->attach(host, nullptr, true)
#include "detail/image_constructors.def"
#define SYCL_IMAGE_BEFORE const void *host, image_channel_order order, image_channel_type type
#define SYCL_IMAGE_GIVEN  host, order, type
#define SYCL_IMAGE_ATTACH this->attach(const_cast<void *>(host), nullptr, false, true)
#include "detail/image_constructors.def"
#define SYCL_IMAGE_BEFORE                                                                          \
  const std::shared_ptr<void> &host, image_channel_order order, image_channel_type type
#define SYCL_IMAGE_GIVEN  host, order, type
#define SYCL_IMAGE_ATTACH this->attach(host.get(), host, true)
#include "detail/image_constructors.def"
#undef SYCL_IMAGE
#undef SYCL_IMAGE_FORMAT

  std::size_t get_count() const { return this->size(); }
  std::size_t get_size() const { return this->byte_size(); }

  template <typename DataT, access_mode Mode>
  accessor<DataT, Dimensions, Mode, target::image> get_access(handler &group) {
    return {*this, group};
  }
  template <typename DataT, access_mode Mode>
  accessor<DataT, Dimensions, Mode, target::host_image> get_access() {
    return {*this};
  }
};

/* All of an image, which kernels use through a sampler or texel by texel. */
template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, Mode, target::image, IsPlaceholder>
    : public detail::legacy_image_access<DataT, Dimensions, Mode> {
public:
  template <typename A>
  accessor(image<Dimensions, A> &image, handler &group, const property_list &properties = {})
      : detail::legacy_image_access<DataT, Dimensions, Mode>(image, properties) {
    detail::require_image<Mode>(image, group);
  }
};

/* Images of one or two dimensions, one behind the other. */
template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, Mode, target::image_array, IsPlaceholder>
    : public detail::image_accessor_base<DataT, Dimensions, Mode> {
  static_assert(Dimensions < 3, "an array of images has one dimension more than its images");

public:
  template <typename A>
  accessor(image<Dimensions + 1, A> &image, handler &group, const property_list &properties = {})
      : detail::image_accessor_base<DataT, Dimensions, Mode>(image, properties) {
    detail::require_image<Mode>(image, group);
  }
  std::size_t get_count() const { return this->size(); }
  range<Dimensions + 1> get_range() const { return detail::range_of<Dimensions + 1>(this->view); }
  detail::legacy_image_access<DataT, Dimensions, Mode> operator[](std::size_t index) const {
    return {*this, index};
  }
};

template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, Mode, target::host_image, IsPlaceholder>
    : public detail::legacy_image_access<DataT, Dimensions, Mode> {
  std::shared_ptr<detail::host_claim> claim;

public:
  template <typename A>
  accessor(image<Dimensions, A> &image, const property_list &properties = {})
      : detail::legacy_image_access<DataT, Dimensions, Mode>(image, properties),
        claim(std::make_shared<detail::host_claim>(detail::image_access::memory(image), Mode)) {}
};

} // namespace sycl

template <> struct std::hash<sycl::sampler> {
  std::size_t operator()(const sycl::sampler &sampler) const noexcept {
    return std::size_t(sampler.get_addressing_mode()) * 4 +
           std::size_t(sampler.get_filtering_mode()) * 2 +
           std::size_t(sampler.get_coordinate_normalization_mode());
  }
};
#define SYCL_HASH(kind)                                                                            \
  template <typename T, int D, sycl::access_mode M, sycl::access::placeholder P>                   \
  struct std::hash<sycl::accessor<T, D, M, sycl::target::kind, P>> {                               \
    std::size_t operator()(                                                                        \
        const sycl::accessor<T, D, M, sycl::target::kind, P> &accessor) const noexcept {           \
      return std::hash<const void *>()(accessor.memory);           \
    }                                                                                              \
  };
SYCL_HASH(image)
SYCL_HASH(image_array)
SYCL_HASH(host_image)
#undef SYCL_HASH

#endif

/* Accessors of images (SYCL 2020, 4.7.6.12 and 13): of kernels, host tasks and the host. */
#ifndef SYCL_IMAGE_ACCESSOR_HPP
#define SYCL_IMAGE_ACCESSOR_HPP

#include <functional>
#include <memory>
#include <type_traits>

#include "accessor.hpp"
#include "image.hpp"

namespace sycl {

namespace detail {

template <typename DataT, int D, access_mode Mode> class image_accessor_base {
  using plain = std::remove_const_t<DataT>;
  static_assert(is_vector<plain> && count_of<plain> == 4,
                "an image accessor reads and writes vectors of four elements");
  template <typename> friend struct std::hash;

protected:
  image_view view;
  const memory_block *memory = nullptr;
  std::size_t count = 0;
  bool fresh = false;

  template <typename Image>
  image_accessor_base(const Image &image, const property_list &properties)
      : view(image_access::view(image)), memory(image_access::memory(image).get()),
        count(image.size()), fresh(is_fresh(properties, Mode)) {}

public:
  using value_type = value_of<DataT, Mode>;
  using reference = value_type &;
  using const_reference = const DataT &;

  std::size_t size() const noexcept { return count; }
  template <typename Property> bool has_property() const noexcept {
    return std::is_same_v<Property, property::no_init> && fresh;
  }
  template <typename Property> Property get_property() const { return get_fresh<Property>(fresh); }

  friend bool operator==(const image_accessor_base &a, const image_accessor_base &b) {
    return a.memory == b.memory;
  }
  friend bool operator!=(const image_accessor_base &a, const image_accessor_base &b) {
    return !(a == b);
  }
};

template <typename DataT, int D>
class sampled_reader : public image_accessor_base<DataT, D, access_mode::read> {
protected:
  using image_accessor_base<DataT, D, access_mode::read>::image_accessor_base;

public:
  template <typename CoordT>
  std::remove_const_t<DataT> read(const CoordT &coordinates) const noexcept {
    float at[3] = {};
    put_coordinates(at, coordinates, D);
    return this->view.template sample<std::remove_const_t<DataT>>(at, D);
  }
};

template <typename DataT, int D, access_mode Mode>
class unsampled_access : public image_accessor_base<DataT, D, Mode> {
protected:
  using image_accessor_base<DataT, D, Mode>::image_accessor_base;
  explicit unsampled_access(const image_accessor_base<DataT, D, Mode> &other)
      : image_accessor_base<DataT, D, Mode>(other) {}

public:
  template <typename CoordT, access_mode M = Mode,
            std::enable_if_t<reads(M), int> = 0>
  std::remove_const_t<DataT> read(const CoordT &coordinates) const noexcept {
    std::int64_t at[3] = {};
    put_coordinates(at, coordinates, D);
    return read_texel<std::remove_const_t<DataT>>(this->view.format, this->view.at(at));
  }
  template <typename CoordT, access_mode M = Mode,
            std::enable_if_t<writes(M), int> = 0>
  void write(const CoordT &coordinates, const DataT &colour) const {
    std::int64_t at[3] = {};
    put_coordinates(at, coordinates, D);
    write_texel(this->view.format, this->view.at(at), colour);
  }
};

} // namespace detail

template <typename DataT, int Dimensions, image_target Target>
class sampled_image_accessor : public detail::sampled_reader<DataT, Dimensions> {
public:
  template <typename A>
  sampled_image_accessor(sampled_image<Dimensions, A> &image, handler &group,
                         const property_list &properties = {})
      : detail::sampled_reader<DataT, Dimensions>(image, properties) {
    const auto &memory = detail::image_access::memory(image);
    detail::require_access(group, memory.get(), memory, access_mode::read);
  }
};

template <typename DataT, int Dimensions>
class host_sampled_image_accessor : public detail::sampled_reader<DataT, Dimensions> {
  std::shared_ptr<detail::host_claim> claim;

public:
  template <typename A>
  host_sampled_image_accessor(sampled_image<Dimensions, A> &image,
                              const property_list &properties = {})
      : detail::sampled_reader<DataT, Dimensions>(image, properties),
        claim(std::make_shared<detail::host_claim>(detail::image_access::memory(image),
                                                   access_mode::read)) {}
};

template <typename DataT, int Dimensions, access_mode Mode, image_target Target>
class unsampled_image_accessor : public detail::unsampled_access<DataT, Dimensions, Mode> {
public:
  template <typename A>
  unsampled_image_accessor(unsampled_image<Dimensions, A> &image, handler &group,
                           const property_list &properties = {})
      : detail::unsampled_access<DataT, Dimensions, Mode>(image, properties) {
    const auto &memory = detail::image_access::memory(image);
    detail::require_access(group, memory.get(), memory, Mode);
  }
};

template <typename DataT, int Dimensions, access_mode Mode>
class host_unsampled_image_accessor : public detail::unsampled_access<DataT, Dimensions, Mode> {
  std::shared_ptr<detail::host_claim> claim;

public:
  template <typename A>
  host_unsampled_image_accessor(unsampled_image<Dimensions, A> &image,
                                const property_list &properties = {})
      : detail::unsampled_access<DataT, Dimensions, Mode>(image, properties),
        claim(std::make_shared<detail::host_claim>(detail::image_access::memory(image), Mode)) {}
};

template <typename T, int D, access_mode M, image_target G>
struct is_property_of<property::no_init, unsampled_image_accessor<T, D, M, G>> : std::true_type {};
template <typename T, int D, access_mode M>
struct is_property_of<property::no_init, host_unsampled_image_accessor<T, D, M>> : std::true_type {
};

} // namespace sycl

#define SYCL_HASH(parameters, ...)                                                                 \
  template <parameters> struct std::hash<sycl::__VA_ARGS__> {                                      \
    std::size_t operator()(const sycl::__VA_ARGS__ &accessor) const noexcept {                     \
      return std::hash<const void *>()(accessor.memory);                                           \
    }                                                                                              \
  };
#define SYCL_COMMA ,
SYCL_HASH(typename T SYCL_COMMA int D SYCL_COMMA sycl::image_target G,
          sampled_image_accessor<T, D, G>)
SYCL_HASH(typename T SYCL_COMMA int D, host_sampled_image_accessor<T, D>)
SYCL_HASH(typename T SYCL_COMMA int D SYCL_COMMA sycl::access_mode M SYCL_COMMA
              sycl::image_target G,
          unsampled_image_accessor<T, D, M, G>)
SYCL_HASH(typename T SYCL_COMMA int D SYCL_COMMA sycl::access_mode M,
          host_unsampled_image_accessor<T, D, M>)
#undef SYCL_COMMA
#undef SYCL_HASH

#endif

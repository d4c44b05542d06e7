/* sampled_image and unsampled_image (SYCL 2020, 4.7.3). */
#ifndef SYCL_IMAGE_HPP
#define SYCL_IMAGE_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>

#include "detail/image_view.hpp"
#include "detail/memory.hpp"
#include "device.hpp"

namespace sycl {

class handler;

using image_allocator = std::allocator<std::byte>;

enum class image_target { device, host_task };

template <typename DataT, int Dimensions, image_target Target = image_target::device>
class sampled_image_accessor;
template <typename DataT, int Dimensions> class host_sampled_image_accessor;
template <typename DataT, int Dimensions, access_mode Mode,
          image_target Target = image_target::device>
class unsampled_image_accessor;
template <typename DataT, int Dimensions = 1,
          access_mode Mode = std::is_const_v<DataT> ? access_mode::read : access_mode::read_write>
class host_unsampled_image_accessor;
template <int Dimensions = 1, typename AllocatorT = image_allocator> class image; /* legacy_image.hpp */

namespace property::image {
using buffer::context_bound;
using buffer::use_host_ptr;
using buffer::use_mutex;
} // namespace property::image

namespace detail {

struct no_pitch {}; /* of an image of one dimension */
template <int D> using pitch_of = std::conditional_t<(D > 1), range<(D > 1 ? D - 1 : 1)>, no_pitch>;

struct image_access;

/* What both kinds of images are: memory, in which x varies fastest.  Copies are the same image. */
template <int D, typename AllocatorT>
class image_base : public with_properties<property::image::use_host_ptr, property::image::use_mutex,
                                          property::image::context_bound> {
  static_assert(D >= 1 && D <= 3, "an image has one, two or three dimensions");
  friend struct image_access;

protected:
  std::shared_ptr<buffer_life> life;
  image_view view;
  AllocatorT allocator;
  std::size_t bytes = 0;

  image_base(const texel_format &format, const range<D> &size, AllocatorT allocator,
             const property_list &properties)
      : with_properties(properties), allocator(allocator) {
    view.format = format;
    std::size_t step = format.bytes;
    for (int i = 0; i < D; i++) {
      view.size[i] = std::int64_t(size[i]);
      step *= size[i];
      if (i < 2) view.pitch[i] = step;
    }
    bytes = step;
  }
  void set_pitch(const pitch_of<D> &pitch) {
    if constexpr (D > 1) {
      for (int i = 0; i < D - 1; i++) {
        std::size_t least = i ? view.pitch[0] * std::size_t(view.size[1])
                              : std::size_t(view.size[0]) * view.format.bytes;
        if (pitch[i] < least) fail(errc::invalid, "the pitch of an image holds its rows");
        view.pitch[i] = pitch[i];
      }
      bytes = view.pitch[D - 2] * std::size_t(view.size[D - 1]);
    }
  }
  /* The program's memory in place, or memory of its own where there is none, where a copy is asked for, or
   * where there is a GPU, which does not reach the program's. */
  void attach(void *host, std::shared_ptr<void> owner, bool writes_back, bool copied = false) {
    std::shared_ptr<memory_block> memory;
    bool is_copy = host && (copied || has_gpu());
    if (host && !is_copy) {
      memory = std::make_shared<memory_block>(host, bytes, std::move(owner));
    } else {
      memory = std::make_shared<memory_block>(bytes, 16);
      if (is_copy && bytes)
        std::memcpy(memory->data, host, bytes);
      else if (bytes)
        std::memset(memory->data, 0, bytes);
    }
    view.data = static_cast<char *>(memory->data);
    life = std::make_shared<buffer_life>(std::move(memory), host && writes_back);
    if (is_copy && writes_back)
      life->write_back = [host, size = bytes, owner = std::move(owner)](const void *data) {
        std::memcpy(host, data, size);
      };
  }

public:
  range<D> get_range() const { return range_of<D>(view); }
  template <int N = D, std::enable_if_t<(N > 1), int> = 0> range<N - 1> get_pitch() const {
    range<N - 1> result;
    for (int i = 0; i < N - 1; i++) result[i] = view.pitch[i];
    return result;
  }
  std::size_t size() const noexcept { return get_range().size(); }
  std::size_t byte_size() const noexcept { return bytes; }
  AllocatorT get_allocator() const { return allocator; }

  friend bool operator==(const image_base &a, const image_base &b) { return a.life == b.life; }
  friend bool operator!=(const image_base &a, const image_base &b) { return !(a == b); }
};

/* One that commands may write to. */
template <int D, typename AllocatorT> class writable_image : public image_base<D, AllocatorT> {
protected:
  using image_base<D, AllocatorT>::image_base;

public:
  /* To memory, to what a weak_ptr leads to if it still is, or nowhere. */
  template <typename Destination = std::nullptr_t>
  void set_final_data(Destination destination = nullptr) {
    std::size_t bytes = this->bytes;
    this->life->writes_back = !std::is_same_v<Destination, std::nullptr_t>;
    if constexpr (std::is_same_v<Destination, std::nullptr_t>) {
      this->life->write_back = nullptr;
    } else if constexpr (std::is_pointer_v<Destination>) {
      this->life->write_back = [=](const void *data) { std::memcpy(destination, data, bytes); };
    } else {
      this->life->write_back = [=](const void *data) {
        if (auto to = destination.lock()) std::memcpy(to.get(), data, bytes);
      };
    }
  }
  void set_write_back(bool on = true) {
    this->life->writes_back = on;
  }
};

struct image_access {
  template <int D, typename A> static const image_view &view(const image_base<D, A> &of) {
    return of.view;
  }
  template <int D, typename A>
  static const std::shared_ptr<memory_block> &memory(const image_base<D, A> &of) {
    return of.life->memory();
  }
};

} // namespace detail

template <int Dimensions = 1, typename AllocatorT = image_allocator>
class unsampled_image : public detail::writable_image<Dimensions, AllocatorT> {
  using base = detail::writable_image<Dimensions, AllocatorT>;

public:
#define SYCL_IMAGE        unsampled_image
#define SYCL_IMAGE_FORMAT format
#define SYCL_IMAGE_BEFORE image_format format
#define SYCL_IMAGE_GIVEN  format
#define SYCL_IMAGE_ATTACH this->attach(nullptr, nullptr, true)
#include "detail/image_constructors.def"
#define SYCL_IMAGE_BEFORE void *host, image_format format
#define SYCL_IMAGE_GIVEN  host, format
#define SYCL_IMAGE_ATTACH this->attach(host, nullptr, true)
#include "detail/image_constructors.def"
#define SYCL_IMAGE_BEFORE std::shared_ptr<void> &host, image_format format
#define SYCL_IMAGE_GIVEN  host, format
#define SYCL_IMAGE_ATTACH this->attach(host.get(), host, true)
#include "detail/image_constructors.def"
#undef SYCL_IMAGE

  template <typename DataT,
            access_mode Mode = std::is_const_v<DataT> ? access_mode::read : access_mode::read_write,
            image_target Target = image_target::device>
  unsampled_image_accessor<DataT, Dimensions, Mode, Target>
  get_access(handler &group, const property_list &properties = {}) {
    return {*this, group, properties};
  }
  template <typename DataT,
            access_mode Mode = std::is_const_v<DataT> ? access_mode::read : access_mode::read_write>
  host_unsampled_image_accessor<DataT, Dimensions, Mode>
  get_host_access(const property_list &properties = {}) {
    return {*this, properties};
  }
};

/* An image that is only read, through a sampler. */
template <int Dimensions = 1, typename AllocatorT = image_allocator>
class sampled_image : public detail::image_base<Dimensions, AllocatorT> {
  using base = detail::image_base<Dimensions, AllocatorT>;

  void attach_read(void *host, std::shared_ptr<void> owner, const image_sampler &sampler) {
    this->attach(host, std::move(owner), false);
    this->view.sampler = sampler;
  }

public:
#define SYCL_IMAGE        sampled_image
#define SYCL_IMAGE_BEFORE const void *host, image_format format, image_sampler sampler
#define SYCL_IMAGE_GIVEN  host, format, sampler
#define SYCL_IMAGE_ATTACH attach_read(const_cast<void *>(host), nullptr, sampler)
#include "detail/image_constructors.def"
#define SYCL_IMAGE_BEFORE                                                                          \
  std::shared_ptr<const void> &host, image_format format, image_sampler sampler
#define SYCL_IMAGE_GIVEN  host, format, sampler
#define SYCL_IMAGE_ATTACH                                                                          \
  attach_read(const_cast<void *>(host.get()), std::const_pointer_cast<void>(host), sampler)
#include "detail/image_constructors.def"
#undef SYCL_IMAGE
#undef SYCL_IMAGE_FORMAT

  template <typename DataT, image_target Target = image_target::device>
  sampled_image_accessor<DataT, Dimensions, Target>
  get_access(handler &group, const property_list &properties = {}) {
    return {*this, group, properties};
  }
  template <typename DataT>
  host_sampled_image_accessor<DataT, Dimensions>
  get_host_access(const property_list &properties = {}) {
    return {*this, properties};
  }
};

#define SYCL_IMAGE_PROPERTIES(name)                                                                \
  template <int D, typename A>                                                                     \
  struct is_property_of<property::image::use_host_ptr, name<D, A>> : std::true_type {};            \
  template <int D, typename A>                                                                     \
  struct is_property_of<property::image::use_mutex, name<D, A>> : std::true_type {};               \
  template <int D, typename A>                                                                     \
  struct is_property_of<property::image::context_bound, name<D, A>> : std::true_type {};
SYCL_IMAGE_PROPERTIES(sampled_image)
SYCL_IMAGE_PROPERTIES(unsampled_image)
SYCL_IMAGE_PROPERTIES(image)
#undef SYCL_IMAGE_PROPERTIES

} // namespace sycl

#define SYCL_HASH(name)                                                                            \
  template <int D, typename A> struct std::hash<sycl::name<D, A>> {                                \
    std::size_t operator()(const sycl::name<D, A> &image) const noexcept {                         \
      return std::hash<const void *>()(sycl::detail::image_access::memory(image).get());           \
    }                                                                                              \
  };
SYCL_HASH(sampled_image)
SYCL_HASH(unsampled_image)
SYCL_HASH(image)
#undef SYCL_HASH

#endif

/* sampled_image and unsampled_image (SYCL 2020, 4.7.3). */
#ifndef SYCL_IMAGE_HPP
#define SYCL_IMAGE_HPP

#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>

#include "detail/memory.hpp"
#include "detail/texel.hpp"
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

  image_base(image_format format, const range<D> &size, AllocatorT allocator,
             const property_list &properties)
      : with_properties(properties), allocator(allocator) {
    std::size_t step = texel_size(view.format = format);
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
                              : std::size_t(view.size[0]) * texel_size(view.format);
        if (pitch[i] < least) fail(errc::invalid, "the pitch of an image holds its rows");
        view.pitch[i] = pitch[i];
      }
      bytes = view.pitch[D - 2] * std::size_t(view.size[D - 1]);
    }
  }
  /* The program's memory in place, or memory of its own where there is none, or where there is a GPU,
   * which does not reach the program's. */
  void attach(void *host, std::shared_ptr<void> owner, bool writes_back) {
    std::shared_ptr<memory_block> memory;
    bool is_copy = host && has_gpu();
    if (host && !is_copy) {
      memory = std::make_shared<memory_block>(host, bytes, std::move(owner));
    } else {
      memory = std::make_shared<memory_block>(bytes, 16);
      if (is_copy)
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
  range<D> get_range() const {
    range<D> result;
    for (int i = 0; i < D; i++) result[i] = std::size_t(view.size[i]);
    return result;
  }
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

/* Each constructor with and without a pitch and an allocator.  BEFORE: its first parameters. */
#define SYCL_IMAGE_CONSTRUCTORS(name, before, host, owner)                                         \
  name(before const range<Dimensions> &size, const property_list &properties = {})                 \
      : name(SYCL_IMAGE_GIVEN size, AllocatorT(), properties) {}                                   \
  name(before const range<Dimensions> &size, AllocatorT allocator,                                 \
       const property_list &properties = {})                                                       \
      : base(format, size, allocator, properties) {                                                \
    this->attach(host, owner, SYCL_IMAGE_WRITES);                                                  \
    SYCL_IMAGE_SAMPLER;                                                                            \
  }                                                                                                \
  template <int N = Dimensions, std::enable_if_t<(N > 1), int> = 0>                                \
  name(before const range<Dimensions> &size, const range<N - 1> &pitch,                            \
       const property_list &properties = {})                                                       \
      : name(SYCL_IMAGE_GIVEN size, pitch, AllocatorT(), properties) {}                            \
  template <int N = Dimensions, std::enable_if_t<(N > 1), int> = 0>                                \
  name(before const range<Dimensions> &size, const range<N - 1> &pitch, AllocatorT allocator,      \
       const property_list &properties = {})                                                       \
      : base(format, size, allocator, properties) {                                                \
    this->set_pitch(pitch);                                                                        \
    this->attach(host, owner, SYCL_IMAGE_WRITES);                                                  \
    SYCL_IMAGE_SAMPLER;                                                                            \
  }
#define SYCL_COMMA ,

template <int Dimensions = 1, typename AllocatorT = image_allocator>
class unsampled_image : public detail::image_base<Dimensions, AllocatorT> {
  using base = detail::image_base<Dimensions, AllocatorT>;

public:
#define SYCL_IMAGE_WRITES  true
#define SYCL_IMAGE_SAMPLER (void)0
#define SYCL_IMAGE_GIVEN   format,
  SYCL_IMAGE_CONSTRUCTORS(unsampled_image, image_format format SYCL_COMMA, nullptr, nullptr)
#undef SYCL_IMAGE_GIVEN
#define SYCL_IMAGE_GIVEN host, format,
  SYCL_IMAGE_CONSTRUCTORS(unsampled_image, void *host SYCL_COMMA image_format format SYCL_COMMA,
                          host, nullptr)
  SYCL_IMAGE_CONSTRUCTORS(unsampled_image,
                          std::shared_ptr<void> &host SYCL_COMMA image_format format SYCL_COMMA,
                          host.get(), host)
#undef SYCL_IMAGE_GIVEN
#undef SYCL_IMAGE_SAMPLER
#undef SYCL_IMAGE_WRITES

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

/* An image that is only read, through a sampler. */
template <int Dimensions = 1, typename AllocatorT = image_allocator>
class sampled_image : public detail::image_base<Dimensions, AllocatorT> {
  using base = detail::image_base<Dimensions, AllocatorT>;

public:
#define SYCL_IMAGE_WRITES  false
#define SYCL_IMAGE_SAMPLER this->view.sampler = sampler
#define SYCL_IMAGE_GIVEN   host, format, sampler,
  SYCL_IMAGE_CONSTRUCTORS(sampled_image,
                          const void *host SYCL_COMMA image_format format SYCL_COMMA image_sampler
                              sampler SYCL_COMMA,
                          const_cast<void *>(host), nullptr)
  SYCL_IMAGE_CONSTRUCTORS(sampled_image,
                          std::shared_ptr<const void> &host SYCL_COMMA image_format format
                              SYCL_COMMA image_sampler sampler SYCL_COMMA,
                          const_cast<void *>(host.get()), std::const_pointer_cast<void>(host))
#undef SYCL_IMAGE_GIVEN
#undef SYCL_IMAGE_SAMPLER
#undef SYCL_IMAGE_WRITES

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
#undef SYCL_IMAGE_CONSTRUCTORS
#undef SYCL_COMMA

template <int D, typename A>
struct is_property_of<property::image::use_host_ptr, sampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::use_mutex, sampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::context_bound, sampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::use_host_ptr, unsampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::use_mutex, unsampled_image<D, A>> : std::true_type {};
template <int D, typename A>
struct is_property_of<property::image::context_bound, unsampled_image<D, A>> : std::true_type {};

} // namespace sycl

#define SYCL_HASH(name)                                                                            \
  template <int D, typename A> struct std::hash<sycl::name<D, A>> {                                \
    std::size_t operator()(const sycl::name<D, A> &image) const noexcept {                         \
      return std::hash<const void *>()(sycl::detail::image_access::memory(image).get());           \
    }                                                                                              \
  };
SYCL_HASH(sampled_image)
SYCL_HASH(unsampled_image)
#undef SYCL_HASH

#endif

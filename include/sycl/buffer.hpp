/* buffer: data that command groups access by accessors, which order the commands. */
#ifndef SYCL_BUFFER_HPP
#define SYCL_BUFFER_HPP

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>

#include "detail/memory.hpp"
#include "property.hpp"
#include "range_id.hpp"

namespace sycl {

class handler;

template <typename T> using buffer_allocator = std::allocator<T>;

template <typename DataT, int Dimensions, access_mode Mode, target Target,
          access::placeholder IsPlaceholder>
class accessor;
template <typename DataT, int Dimensions, access_mode Mode> class host_accessor;

namespace detail {

template <typename T, typename = void> inline constexpr bool is_container = false;
template <typename T>
inline constexpr bool is_container<T, std::void_t<decltype(std::data(std::declval<T &>())),
                                                  decltype(std::size(std::declval<T &>()))>> = true;

template <typename T, typename = void> inline constexpr bool is_input_iterator = false;
template <typename T>
inline constexpr bool
    is_input_iterator<T, std::void_t<typename std::iterator_traits<T>::iterator_category>> = true;

template <typename T, typename = void> inline constexpr bool is_allocator = false;
template <typename T>
inline constexpr bool is_allocator<
    T, std::void_t<typename T::value_type, decltype(std::declval<T &>().allocate(1))>> = true;

template <typename T>
using element_of_container = std::remove_pointer_t<decltype(std::data(std::declval<T &>()))>;

struct reinterpret_tag {};
struct buffer_access; /* what accessors may see of a buffer */

} // namespace detail

template <typename T, int Dimensions = 1,
          typename AllocatorT = buffer_allocator<std::remove_const_t<T>>>
class buffer
    : public detail::with_properties<property::buffer::use_host_ptr, property::buffer::use_mutex,
                                     property::buffer::context_bound> {
  static_assert(Dimensions >= 1 && Dimensions <= 3,
                "a sycl::buffer has one, two or three dimensions");
  static_assert(!std::is_reference_v<T> && !std::is_void_v<T>, "a sycl::buffer holds objects");

  friend struct detail::buffer_access;
  friend struct std::hash<buffer>;
  template <typename, int, typename> friend class buffer;

  std::shared_ptr<detail::buffer_life> life;
  range<Dimensions> size_;
  std::size_t first = 0; /* byte in the memory where it begins */
  bool sub = false;
  AllocatorT allocator;

  using plain = std::remove_const_t<T>;

  T *data() const { return reinterpret_cast<T *>(static_cast<char *>(memory()->data) + first); }
  const std::shared_ptr<detail::memory_block> &memory() const { return life->memory(); }

  void allocate() {
    auto memory = std::make_shared<detail::memory_block>(size_.size() * sizeof(T), alignof(T));
    life = std::make_shared<detail::buffer_life>(std::move(memory), false);
  }
  /* The program's own memory, used in place: it is ours as long as the buffer lives. */
  void adopt(void *host, std::shared_ptr<void> owner, bool goes_back = true) {
    auto memory =
        std::make_shared<detail::memory_block>(host, size_.size() * sizeof(T), std::move(owner));
    memory->goes_back = goes_back;
    memory->is_foreign = mpl_get_memory_kind(host, nullptr) == MPL_MEMORY_UNKNOWN;
    life = std::make_shared<detail::buffer_life>(std::move(memory), true);
  }
  /* While kernels are checked a copy of it: what lies beside that is nobody's.  So too where there is
   * a GPU, which does not reach it. */
  void adopt_copy(void *host, std::shared_ptr<void> owner) {
    const std::size_t bytes = size_.size() * sizeof(T);
    allocate();
    memory()->goes_back = true;
    if (bytes) std::memcpy(memory()->data, host, bytes);
    life->waits = true;
    life->write_back = [host, bytes, owner = std::move(owner)](const void *data) {
      if (bytes) std::memcpy(host, data, bytes);
    };
  }
  void adopt_or_allocate(void *host, std::shared_ptr<void> owner) {
    if (host && (mpl_is_checked() || detail::has_gpu()) && !has_property<property::buffer::use_host_ptr>())
      adopt_copy(host, std::move(owner));
    else if (host)
      adopt(host, std::move(owner));
    else
      allocate();
  }
  template <typename It> void copy_in(It first, It last) {
    plain *to = static_cast<plain *>(memory()->data);
    for (; first != last; ++first) ::new (static_cast<void *>(to++)) plain(*first);
  }

  using writer = std::function<void(const void *data)>;
  void write_to(writer write) {
    life->writes_back = memory()->goes_back = bool(write);
    life->write_back = std::move(write);
  }
  template <typename It> writer writer_to(It destination) const {
    return [=, count = size()](const void *data) {
      std::copy_n(static_cast<const plain *>(data), count, destination);
    };
  }
  template <typename U> void set_final_object(const std::weak_ptr<U> &destination) {
    write_to([=, count = size()](const void *data) {
      if (auto to = destination.lock())
        std::copy_n(static_cast<const plain *>(data), count, to.get());
    });
  }

public:
  using value_type = T;
  using reference = value_type &;
  using const_reference = const value_type &;
  using allocator_type = AllocatorT;

  buffer(const range<Dimensions> &size, const property_list &properties = {})
      : buffer(size, AllocatorT(), properties) {}
  buffer(const range<Dimensions> &size, AllocatorT allocator, const property_list &properties = {})
      : with_properties(properties), size_(size), allocator(allocator) {
    allocate();
  }

  buffer(plain *host, const range<Dimensions> &size, const property_list &properties = {})
      : buffer(host, size, AllocatorT(), properties) {}
  buffer(plain *host, const range<Dimensions> &size, AllocatorT allocator,
         const property_list &properties = {})
      : with_properties(properties), size_(size), allocator(allocator) {
    adopt_or_allocate(host, nullptr);
  }

  /* Of no data: it would be a pointer to either, or to a shared one. */
  buffer(std::nullptr_t, const range<Dimensions> &size, const property_list &properties = {})
      : buffer(size, AllocatorT(), properties) {}
  buffer(std::nullptr_t, const range<Dimensions> &size, AllocatorT allocator,
         const property_list &properties = {})
      : buffer(size, allocator, properties) {}

  /* Constant data is copied: commands may write to the buffer, not to it. */
  buffer(const plain *host, const range<Dimensions> &size, const property_list &properties = {})
      : buffer(host, size, AllocatorT(), properties) {}
  buffer(const plain *host, const range<Dimensions> &size, AllocatorT allocator,
         const property_list &properties = {})
      : with_properties(properties), size_(size), allocator(allocator) {
    if (host && has_property<property::buffer::use_host_ptr>()) {
      adopt(const_cast<plain *>(host), nullptr, false);
    } else {
      allocate();
      if (host) copy_in(host, host + size_.size());
    }
  }

  buffer(const std::shared_ptr<plain> &host, const range<Dimensions> &size,
         const property_list &properties = {})
      : buffer(host, size, AllocatorT(), properties) {}
  buffer(const std::shared_ptr<plain> &host, const range<Dimensions> &size, AllocatorT allocator,
         const property_list &properties = {})
      : with_properties(properties), size_(size), allocator(allocator) {
    adopt_or_allocate(host.get(), host);
  }
  buffer(const std::shared_ptr<plain[]> &host, const range<Dimensions> &size,
         const property_list &properties = {})
      : buffer(host, size, AllocatorT(), properties) {}
  buffer(const std::shared_ptr<plain[]> &host, const range<Dimensions> &size, AllocatorT allocator,
         const property_list &properties = {})
      : with_properties(properties), size_(size), allocator(allocator) {
    adopt_or_allocate(host.get(), host);
  }

  template <
      typename It, int N = Dimensions,
      std::enable_if_t<N == 1 && detail::is_input_iterator<It> && !std::is_integral_v<It>, int> = 0>
  buffer(It first, It last, const property_list &properties = {})
      : buffer(first, last, AllocatorT(), properties) {}
  template <typename It, int N = Dimensions,
            std::enable_if_t<N == 1 && detail::is_input_iterator<It>, int> = 0>
  buffer(It first, It last, AllocatorT allocator, const property_list &properties = {})
      : with_properties(properties), size_(std::size_t(std::distance(first, last))),
        allocator(allocator) {
    allocate();
    copy_in(first, last);
  }

  template <typename Container, int N = Dimensions,
            std::enable_if_t<N == 1 && detail::is_container<Container> &&
                                 std::is_convertible_v<
                                     detail::element_of_container<Container> (*)[], const T (*)[]>,
                             int> = 0>
  buffer(Container &container, const property_list &properties = {})
      : buffer(container, AllocatorT(), properties) {}
  template <typename Container, int N = Dimensions,
            std::enable_if_t<N == 1 && detail::is_container<Container> &&
                                 std::is_convertible_v<
                                     detail::element_of_container<Container> (*)[], const T (*)[]>,
                             int> = 0>
  buffer(Container &container, AllocatorT allocator, const property_list &properties = {})
      : buffer(std::data(container), range<1>(std::size(container)), allocator, properties) {}

  /* A part of another buffer, whose elements have to lie one behind the other. */
  buffer(buffer &parent, const id<Dimensions> &base, const range<Dimensions> &size)
      : with_properties(parent.properties), life(parent.life), size_(size), sub(true),
        allocator(parent.allocator) {
    if (parent.sub) detail::fail(errc::invalid, "a sub-buffer cannot have sub-buffers");
    bool inner = false; /* a dimension that is not whole has been seen: those before it must be 1 */
    for (int i = 0; i < Dimensions; i++) {
      if (base[i] + size[i] > parent.size_[i])
        detail::fail(errc::invalid, "a sub-buffer lies inside its buffer");
      if (inner && size[i] != parent.size_[i])
        detail::fail(errc::invalid, "a sub-buffer is one contiguous piece of its buffer");
      inner = inner || size[i] > 1;
    }
    first = parent.first + detail::linear(base, parent.size_) * sizeof(T);
  }

  range<Dimensions> get_range() const { return size_; }
  std::size_t size() const noexcept { return size_.size(); }
  std::size_t byte_size() const noexcept { return size() * sizeof(T); }
  std::size_t get_count() const { return size(); }
  std::size_t get_size() const { return byte_size(); }
  AllocatorT get_allocator() const { return allocator; }
  bool is_sub_buffer() const { return sub; }

  template <access_mode Mode = access_mode::read_write, target Target = target::device>
  auto get_access(handler &group) {
    return accessor<T, Dimensions, Mode, Target, access::placeholder::false_t>(*this, group);
  }
  template <access_mode Mode, target Target = target::device>
  auto get_access(handler &group, range<Dimensions> size, id<Dimensions> offset = {}) {
    return accessor<T, Dimensions, Mode, Target, access::placeholder::false_t>(*this, group, size,
                                                                               offset);
  }
  template <access_mode Mode> auto get_access() {
    return accessor<T, Dimensions, Mode, target::host_buffer, access::placeholder::false_t>(*this);
  }
  template <access_mode Mode> auto get_access(range<Dimensions> size, id<Dimensions> offset = {}) {
    return accessor<T, Dimensions, Mode, target::host_buffer, access::placeholder::false_t>(
        *this, size, offset);
  }
  template <typename... Args> auto get_access(Args &&...args);
  template <typename... Args> auto get_host_access(Args &&...args);

  /* Where the data goes when the buffer ends: through an iterator, to the object of a weak_ptr if it
   * still is (of a shared_ptr as of a weak one), nowhere (nullptr). */
  template <typename Destination = std::nullptr_t>
  void set_final_data(Destination destination = nullptr) {
    if constexpr (std::is_same_v<Destination, std::nullptr_t>) {
      write_to(nullptr);
    } else if constexpr (std::is_pointer_v<Destination>) {
      write_to(destination ? writer_to(destination) : nullptr);
    } else if constexpr (detail::is_input_iterator<Destination>) {
      write_to(writer_to(destination));
    } else {
      set_final_object(std::weak_ptr(destination));
    }
  }
  void set_write_back(bool on = true) {
    life->writes_back = on;
    memory()->goes_back = on && (life->waits || life->write_back);
  }

  template <typename Other, int D>
  buffer<
      Other, D,
      typename std::allocator_traits<AllocatorT>::template rebind_alloc<std::remove_const_t<Other>>>
  reinterpret(range<D> size) const {
    if (size.size() * sizeof(Other) != byte_size())
      detail::fail(errc::invalid, "a buffer and its reinterpretation have the same size");
    return {detail::reinterpret_tag(), *this, size};
  }
  template <typename Other, int D = Dimensions> auto reinterpret() const {
    static_assert(D == 1 || (D == Dimensions && sizeof(Other) == sizeof(T)),
                  "say the range of the reinterpreted buffer");
    if constexpr (D == 1) {
      if (byte_size() % sizeof(Other))
        detail::fail(errc::invalid, "a buffer and its reinterpretation have the same size");
      return reinterpret<Other>(range<1>(byte_size() / sizeof(Other)));
    } else {
      return reinterpret<Other>(size_);
    }
  }

  friend bool operator==(const buffer &a, const buffer &b) {
    return a.life == b.life && a.first == b.first && a.size_ == b.size_;
  }
  friend bool operator!=(const buffer &a, const buffer &b) { return !(a == b); }

  /* For reinterpret. */
  template <typename From, int D, typename A>
  buffer(detail::reinterpret_tag, const buffer<From, D, A> &from, const range<Dimensions> &size)
      : with_properties(from.properties), life(from.life), size_(size), first(from.first),
        sub(from.sub) {}
};

template <typename It, std::enable_if_t<detail::is_input_iterator<It>, int> = 0>
buffer(It, It, const property_list & = {})
    -> buffer<typename std::iterator_traits<It>::value_type, 1>;
template <typename It, typename A,
          std::enable_if_t<detail::is_input_iterator<It> && detail::is_allocator<A>, int> = 0>
buffer(It, It, A, const property_list & = {})
    -> buffer<typename std::iterator_traits<It>::value_type, 1, A>;
template <typename T, int D>
buffer(const T *, const range<D> &, const property_list & = {}) -> buffer<T, D>;
template <typename T, int D, typename A, std::enable_if_t<detail::is_allocator<A>, int> = 0>
buffer(const T *, const range<D> &, A, const property_list & = {}) -> buffer<T, D, A>;
/* The size as a list in braces: {4}, {4, 4}, {4, 4, 4}. */
template <typename T> buffer(const T *, const range<1> &, const property_list & = {}) -> buffer<T>;
template <typename T>
buffer(const T *, const range<2> &, const property_list & = {}) -> buffer<T, 2>;
template <typename T>
buffer(const T *, const range<3> &, const property_list & = {}) -> buffer<T, 3>;
template <typename T, int D>
buffer(const std::shared_ptr<T> &, const range<D> &, const property_list & = {})
    -> buffer<std::remove_extent_t<T>, D>;
template <typename T, int D, typename A, std::enable_if_t<detail::is_allocator<A>, int> = 0>
buffer(const std::shared_ptr<T> &, const range<D> &, A, const property_list & = {})
    -> buffer<std::remove_extent_t<T>, D, A>;
template <typename Container, std::enable_if_t<detail::is_container<Container>, int> = 0>
buffer(Container &, const property_list & = {})
    -> buffer<std::remove_const_t<detail::element_of_container<Container>>, 1>;
template <typename Container, typename A,
          std::enable_if_t<detail::is_container<Container> && detail::is_allocator<A>, int> = 0>
buffer(Container &, A, const property_list & = {})
    -> buffer<std::remove_const_t<detail::element_of_container<Container>>, 1, A>;

namespace detail {

struct buffer_access {
  template <typename T, int D, typename A>
  static const std::shared_ptr<memory_block> &memory(const buffer<T, D, A> &of) {
    return of.memory();
  }
  template <typename T, int D, typename A> static T *data(const buffer<T, D, A> &of) {
    return of.data();
  }
};

} // namespace detail
} // namespace sycl

template <typename T, int D, typename A> struct std::hash<sycl::buffer<T, D, A>> {
  std::size_t operator()(const sycl::buffer<T, D, A> &buffer) const noexcept {
    return std::hash<const void *>()(buffer.life.get()) ^ buffer.first;
  }
};

#endif

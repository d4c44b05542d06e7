/* local_accessor: memory that the work-items of a group share. */
#ifndef SYCL_LOCAL_ACCESSOR_HPP
#define SYCL_LOCAL_ACCESSOR_HPP

#include <maniple/kernel.h>

#include <cstddef>
#include <cstring>
#include <functional>
#include <vector>

#include "accessor.hpp"

namespace sycl {

class handler;

namespace detail {

struct local_place { /* in the local memory of a launch */
  std::size_t offset, serial;
};

/* Serials look like nothing else, so that a kernel that holds one is found by it. */
inline constexpr std::size_t first_local_serial = 0x9e6c'6f63'616c'0000;

struct local_use {
  std::size_t serial, end; /* behind it, in the local memory of the launch */
};

/* The last of them that the object holds; null: it holds none. */
inline const local_use *last_held(const void *object, std::size_t size,
                                  const std::vector<local_use> &uses) {
  const char *bytes = static_cast<const char *>(object);
  const local_use *last = nullptr;
  for (std::size_t at = 0, word; at + sizeof word <= size; at += sizeof word) {
    std::memcpy(&word, bytes + at, sizeof word);
    for (const local_use &each : uses)
      if (each.serial == word && (!last || each.serial > last->serial)) last = &each;
  }
  return last;
}

local_place reserve_local(handler &, std::size_t bytes, std::size_t align); /* handler.hpp */

} // namespace detail

template <typename DataT, int Dimensions = 1>
class local_accessor
    : public detail::accessor_base<local_accessor<DataT, Dimensions>, DataT, DataT, Dimensions>,
      public detail::without_properties {
  static constexpr int dims = Dimensions ? Dimensions : 1;
  static constexpr std::size_t none = std::size_t(-1);
  /* An index past the end of a row is one in the next: the conformance test suite counts on it
   * (local_accessor_linearization). */
  static constexpr bool rows_run_on = true;
  struct none_of_that;

  template <typename, int> friend class local_accessor;
  template <typename, int, access_mode, target, access::placeholder> friend class accessor;
  template <typename, typename, typename, int, typename> friend class detail::accessor_base;
  friend struct std::hash<local_accessor>;

  std::size_t offset = none, serial = 0; /* serial tells apart what is at the same place */
  range<dims> size_;

  DataT *origin() const {
    if (offset == none) return nullptr;
    return reinterpret_cast<DataT *>(static_cast<char *>(mpl_get_local_memory()) + offset);
  }
  const range<dims> &whole() const { return size_; }
  const std::size_t *sizes() const { return &const_cast<range<dims> &>(size_)[0]; }
  const std::size_t *box_sizes() const { return sizes(); }
  range<dims> box() const { return size_; }
  void check_required() const {}
  bool accessible() const { return offset != none; }

  /* Bytes may become memory for anything (scratch memory of groups). */
  static constexpr std::size_t alignment = sizeof(DataT) > 1 ? alignof(DataT) : 128;

  void reserve(const range<dims> &size, handler &group) {
    detail::local_place place =
        detail::reserve_local(group, size.size() * sizeof(DataT), alignment);
    offset = place.offset;
    serial = place.serial;
    size_ = size;
  }

public:
  template <access::decorated Decorated>
  using accessor_ptr = multi_ptr<DataT, access::address_space::local_space, Decorated>;

  local_accessor() = default;
  template <int N = Dimensions, std::enable_if_t<N == 0, int> = 0>
  local_accessor(handler &group, const property_list & = {}) {
    reserve(range<1>(1), group);
  }
  local_accessor(std::conditional_t<Dimensions != 0, range<dims>, none_of_that> size,
                 handler &group, const property_list & = {}) {
    reserve(size, group);
  }
  /* Of T as of const T. */
  template <
      typename Other,
      std::enable_if_t<std::is_same_v<const Other, DataT> && !std::is_const_v<Other>, int> = 0>
  local_accessor(const local_accessor<Other, Dimensions> &other)
      : offset(other.offset), serial(other.serial), size_(other.size_) {}

  template <int N = Dimensions, std::enable_if_t<(N > 0), int> = 0> range<N> get_range() const {
    return size_;
  }

  local_ptr<DataT> get_pointer() const noexcept { return local_ptr<DataT>(origin()); }
  template <access::decorated Decorated> accessor_ptr<Decorated> get_multi_ptr() const noexcept {
    return accessor_ptr<Decorated>(origin());
  }

  template <int N = Dimensions, std::enable_if_t<N == 0 && !std::is_const_v<DataT>, int> = 0>
  const local_accessor &operator=(const std::remove_const_t<DataT> &value) const {
    *origin() = value;
    return *this;
  }
  template <int N = Dimensions, std::enable_if_t<N == 0 && !std::is_const_v<DataT>, int> = 0>
  const local_accessor &operator=(std::remove_const_t<DataT> &&value) const {
    *origin() = std::move(value);
    return *this;
  }

  friend bool operator==(const local_accessor &a, const local_accessor &b) {
    return a.serial == b.serial;
  }
  friend bool operator!=(const local_accessor &a, const local_accessor &b) { return !(a == b); }
};

template <typename T, int D>
multi_ptr(const local_accessor<T, D> &)
    -> multi_ptr<T, access::address_space::local_space, access::decorated::no>;

/* Of SYCL 1.2.1. */
template <typename DataT, int Dimensions, access_mode Mode, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, Mode, target::local, IsPlaceholder>
    : public local_accessor<DataT, Dimensions> {
public:
  using local_accessor<DataT, Dimensions>::local_accessor;
};
template <typename DataT, int Dimensions, access::placeholder IsPlaceholder>
class accessor<DataT, Dimensions, access_mode::atomic, target::local, IsPlaceholder>
    : public local_accessor<DataT, Dimensions> {
  using base = local_accessor<DataT, Dimensions>;
  using element = atomic<DataT, access::address_space::local_space>;
  struct nothing; /* the index of an accessor without dimensions */

public:
  using local_accessor<DataT, Dimensions>::local_accessor;

  element operator[](
      std::conditional_t<Dimensions != 0, id<Dimensions ? Dimensions : 1>, nothing> at) const {
    return detail::refer<element>(base::operator[](at));
  }
  template <int N = Dimensions, std::enable_if_t<N == 1, int> = 0>
  element operator[](std::size_t at) const {
    return detail::refer<element>(base::operator[](at));
  }
  template <int N = Dimensions, std::enable_if_t<(N > 1), int> = 0>
  auto operator[](std::size_t at) const {
    id<N> first;
    first[0] = at;
    return detail::subscript<DataT, N - 1, element>(&base::operator[](first), this->sizes() + 1,
                                                    this->box_sizes() + 1, 1);
  }
  template <int N = Dimensions, std::enable_if_t<N == 0, int> = 0> operator element() const {
    return detail::refer<element>(*this->begin());
  }
};

} // namespace sycl

template <typename T, int D> struct std::hash<sycl::local_accessor<T, D>> {
  std::size_t operator()(const sycl::local_accessor<T, D> &accessor) const noexcept {
    return std::hash<std::size_t>()(accessor.serial);
  }
};

template <typename T, int D, sycl::access_mode M, sycl::access::placeholder P>
struct std::hash<sycl::accessor<T, D, M, sycl::target::local, P>>
    : std::hash<sycl::local_accessor<T, D>> {};

#endif

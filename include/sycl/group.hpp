/* group and sub_group: the groups that a work-item belongs to. */
#ifndef SYCL_GROUP_HPP
#define SYCL_GROUP_HPP

#include <cstdint>

#include "detail/engine.hpp"
#include "item.hpp"
#include "multi_ptr.hpp"

namespace sycl {

template <int Dimensions> class nd_item;
template <int Dimensions> class h_item;
class handler;
namespace ext::oneapi::experimental {
template <int Dimensions> class root_group;
}

/* What an asynchronous copy of a work-group gives. */
class device_event {
public:
  device_event() = default;
  /* Every work-item has done its part of the copy when it gets here. */
  void wait(const detail::here &at = detail::here("wait")) const {
    mpl_work_group_barrier(MPL_FENCE_LOCAL | MPL_FENCE_GLOBAL | MPL_FENCE_COPIES,
                           MPL_SCOPE_WORK_GROUP, &at);
  }
};

namespace detail {

/* Each work-item copies every local_size-th element; strides are in elements. */
template <typename T>
void copy_share(T *to, std::size_t to_stride, const T *from, std::size_t from_stride,
                std::size_t count) {
  std::size_t items = mpl_get_local_size(0) * mpl_get_local_size(1) * mpl_get_local_size(2);
  for (std::size_t i = mpl_get_local_linear_id(); i < count; i += items)
    to[i * to_stride] = from[i * from_stride];
}

/* async_work_group_copy and wait_for, which nd_item and group both have. */
class group_copies {
public:
  template <typename To, typename From, access::decorated D, access::decorated E>
  device_event async_work_group_copy(multi_ptr<To, access::address_space::local_space, D> to,
                                     multi_ptr<From, access::address_space::global_space, E> from,
                                     std::size_t count, std::size_t from_stride = 1) const {
    copy_share<To>(to.get(), 1, from.get(), from_stride, count);
    return {};
  }
  template <typename To, typename From, access::decorated D, access::decorated E>
  device_event async_work_group_copy(multi_ptr<To, access::address_space::global_space, D> to,
                                     multi_ptr<From, access::address_space::local_space, E> from,
                                     std::size_t count, std::size_t to_stride = 1) const {
    copy_share<To>(to.get(), to_stride, from.get(), 1, count);
    return {};
  }
  template <typename... Events> void wait_for(const Events &...) const {
    static_assert((... && std::is_same_v<Events, device_event>), "wait_for takes device_events");
    device_event().wait();
  }
};

} // namespace detail

template <int Dimensions = 1> class group : public detail::group_copies {
  friend struct detail::make;
  id<Dimensions> at;
  range<Dimensions> local, groups;

  group(const id<Dimensions> &at, const range<Dimensions> &local, const range<Dimensions> &groups)
      : at(at), local(local), groups(groups) {}

public:
  using id_type = id<Dimensions>;
  using range_type = range<Dimensions>;
  using linear_id_type = std::size_t;
  static constexpr int dimensions = Dimensions;
  static constexpr memory_scope fence_scope = memory_scope::work_group;

  id<Dimensions> get_group_id() const { return at; }
  std::size_t get_group_id(int dimension) const { return at[dimension]; }
  id<Dimensions> get_id() const { return at; }
  std::size_t get_id(int dimension) const { return at[dimension]; }
  std::size_t operator[](int dimension) const { return at[dimension]; }
  id<Dimensions> get_local_id() const { return detail::local_id<Dimensions>(); }
  std::size_t get_local_id(int dimension) const {
    return mpl_get_local_id(detail::engine_dimension<Dimensions>(dimension));
  }
  range<Dimensions> get_local_range() const { return local; }
  std::size_t get_local_range(int dimension) const { return local[dimension]; }
  range<Dimensions> get_group_range() const { return groups; }
  std::size_t get_group_range(int dimension) const { return groups[dimension]; }
  range<Dimensions> get_max_local_range() const { return local; }
  range<Dimensions> get_global_range() const { return groups * local; }
  std::size_t get_global_range(int dimension) const { return groups[dimension] * local[dimension]; }
  std::size_t get_group_linear_id() const { return detail::linear(at, groups); }
  std::size_t get_linear_id() const { return get_group_linear_id(); }
  std::size_t get_local_linear_id() const { return mpl_get_local_linear_id(); }
  std::size_t get_group_linear_range() const { return groups.size(); }
  std::size_t get_local_linear_range() const { return local.size(); }
  bool leader() const { return get_local_linear_id() == 0; }

  template <typename F> void parallel_for_work_item(const F &function) const;
  template <typename F>
  void parallel_for_work_item(const range<Dimensions> &size, const F &function) const;

  friend bool operator==(const group &a, const group &b) {
    return a.at == b.at && a.local == b.local && a.groups == b.groups;
  }
  friend bool operator!=(const group &a, const group &b) { return !(a == b); }
};

class sub_group {
  friend struct detail::make;
  std::uint32_t at;

  explicit sub_group(std::uint32_t at) : at(at) {}
  std::size_t row(int i) const {
    return std::size_t(i) * mpl_get_max_sub_group_size() + get_local_linear_id();
  }

public:
  using id_type = id<1>;
  using range_type = range<1>;
  using linear_id_type = std::uint32_t;
  static constexpr int dimensions = 1;
  static constexpr memory_scope fence_scope = memory_scope::sub_group;

  id<1> get_group_id() const { return at; }
  id<1> get_local_id() const { return mpl_get_sub_group_local_id(); }
  range<1> get_local_range() const { return mpl_get_sub_group_size(); }
  range<1> get_group_range() const { return mpl_get_num_sub_groups(); }
  range<1> get_max_local_range() const { return mpl_get_max_sub_group_size(); }
  std::uint32_t get_group_linear_id() const { return at; }
  std::uint32_t get_local_linear_id() const { return mpl_get_sub_group_local_id(); }
  std::uint32_t get_group_linear_range() const { return mpl_get_num_sub_groups(); }
  std::uint32_t get_local_linear_range() const { return mpl_get_sub_group_size(); }
  bool leader() const { return get_local_linear_id() == 0; }

  /* Of oneAPI before group_load: element i of a vec is the local id's of the row i of as many
   * elements as a whole sub-group has work-items. */
  template <typename T> T load(const T *from) const { return from[get_local_linear_id()]; }
  template <int N, typename T> vec<T, N> load(const T *from) const {
    vec<T, N> result;
    for (int i = 0; i < N; i++) result[i] = from[row(i)];
    return result;
  }
  template <typename T> void store(T *to, const T &value) const {
    to[get_local_linear_id()] = value;
  }
  template <int N, typename T> void store(T *to, const vec<T, N> &value) const {
    for (int i = 0; i < N; i++) to[row(i)] = value[i];
  }
  template <typename T, access::address_space Space, access::decorated D>
  std::remove_const_t<T> load(multi_ptr<T, Space, D> from) const {
    return load(static_cast<const std::remove_const_t<T> *>(from.get_raw()));
  }
  template <int N, typename T, access::address_space Space, access::decorated D>
  vec<std::remove_const_t<T>, N> load(multi_ptr<T, Space, D> from) const {
    return load<N>(static_cast<const std::remove_const_t<T> *>(from.get_raw()));
  }
  template <typename T, access::address_space Space, access::decorated D>
  void store(multi_ptr<T, Space, D> to, const T &value) const {
    store(to.get_raw(), value);
  }
  template <int N, typename T, access::address_space Space, access::decorated D>
  void store(multi_ptr<T, Space, D> to, const vec<T, N> &value) const {
    store<N>(to.get_raw(), value);
  }

  friend bool operator==(const sub_group &a, const sub_group &b) { return a.at == b.at; }
  friend bool operator!=(const sub_group &a, const sub_group &b) { return !(a == b); }
};

/* Where one work-item of an ND-range is. */
template <int Dimensions = 1> class nd_item : public detail::group_copies {
  friend struct detail::make;
  item<Dimensions, true> global;
  item<Dimensions, false> local;
  group<Dimensions> of;

  nd_item(const item<Dimensions, true> &global, const item<Dimensions, false> &local,
          const group<Dimensions> &of)
      : global(global), local(local), of(of) {}

public:
  static constexpr int dimensions = Dimensions;

  id<Dimensions> get_global_id() const { return global.get_id(); }
  std::size_t get_global_id(int dimension) const { return global.get_id(dimension); }
  std::size_t get_global_linear_id() const { return global.get_linear_id(); }
  id<Dimensions> get_local_id() const { return local.get_id(); }
  std::size_t get_local_id(int dimension) const { return local.get_id(dimension); }
  std::size_t get_local_linear_id() const { return local.get_linear_id(); }
  group<Dimensions> get_group() const { return of; }
  std::size_t get_group(int dimension) const { return of.get_group_id(dimension); }
  std::size_t get_group_linear_id() const { return of.get_group_linear_id(); }
  sub_group get_sub_group() const;
  ext::oneapi::experimental::root_group<Dimensions> ext_oneapi_get_root_group() const;
  range<Dimensions> get_group_range() const { return of.get_group_range(); }
  std::size_t get_group_range(int dimension) const { return of.get_group_range(dimension); }
  range<Dimensions> get_global_range() const { return global.get_range(); }
  std::size_t get_global_range(int dimension) const { return global.get_range(dimension); }
  range<Dimensions> get_local_range() const { return of.get_local_range(); }
  std::size_t get_local_range(int dimension) const { return of.get_local_range(dimension); }
  id<Dimensions> get_offset() const { return global.get_offset(); }
  nd_range<Dimensions> get_nd_range() const {
    return nd_range<Dimensions>(get_global_range(), get_local_range(), get_offset());
  }

  /* Of SYCL 1.2.1; group_barrier and atomic_fence are what replaced them. */
  void barrier(access::fence_space = access::fence_space::global_and_local,
               const detail::here &at = detail::here("barrier")) const {
    detail::barrier<false>(memory_scope::work_group, &at);
  }
  void mem_fence(access::fence_space = access::fence_space::global_and_local) const {
    atomic_fence(memory_order::acq_rel, memory_scope::work_group);
  }

  friend bool operator==(const nd_item &a, const nd_item &b) {
    return a.global == b.global && a.local == b.local && a.of == b.of;
  }
  friend bool operator!=(const nd_item &a, const nd_item &b) { return !(a == b); }
};

namespace detail {

struct make {
  template <int D>
  static item<D, true> item_of(const id<D> &at, const range<D> &size, const id<D> &offset) {
    return {at, size, offset};
  }
  template <int D> static item<D, false> item_of(const id<D> &at, const range<D> &size) {
    return {at, size};
  }
  template <int D>
  static group<D> group_of(const id<D> &at, const range<D> &local, const range<D> &groups) {
    return {at, local, groups};
  }
  template <int D> static group<D> this_group() {
    return {group_id<D>(), local_range<D>(), group_range<D>()};
  }
  static sub_group this_sub_group() { return sub_group(mpl_get_sub_group_id()); }

  template <int D> static nd_item<D> this_nd_item() {
    return nd_item<D>(item_of<D>(global_id<D>(), global_range<D>(), global_offset<D>()),
                      item_of<D>(local_id<D>(), local_range<D>()), this_group<D>());
  }
  template <int D>
  static h_item<D> h_item_of(const item<D, false> &global, const item<D, false> &local,
                             const item<D, false> &physical) {
    return h_item<D>(global, local, physical);
  }
};

} // namespace detail

template <int Dimensions> sub_group nd_item<Dimensions>::get_sub_group() const {
  return detail::make::this_sub_group();
}

/* Where the calling work-item is, without its nd_item (SYCL_KHR_WORK_ITEM_QUERIES); the same under
 * the names of sycl_ext_oneapi_free_function_queries. */
namespace khr {
template <int Dimensions> nd_item<Dimensions> this_nd_item() {
  return detail::make::this_nd_item<Dimensions>();
}
template <int Dimensions> group<Dimensions> this_group() {
  return detail::make::this_group<Dimensions>();
}
inline sycl::sub_group this_sub_group() {
  return detail::make::this_sub_group();
}
} // namespace khr

namespace ext::oneapi::this_work_item {
template <int Dimensions> nd_item<Dimensions> get_nd_item() {
  return khr::this_nd_item<Dimensions>();
}
template <int Dimensions> group<Dimensions> get_work_group() {
  return khr::this_group<Dimensions>();
}
inline sub_group get_sub_group() {
  return khr::this_sub_group();
}
} // namespace ext::oneapi::this_work_item

} // namespace sycl

#endif

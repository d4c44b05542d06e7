/* Hierarchical parallelism (deprecated in SYCL 2020): code of a work-group, with loops over its
 * work-items inside. */
#ifndef SYCL_HIERARCHICAL_HPP
#define SYCL_HIERARCHICAL_HPP

#include "detail/command.hpp"
#include "group.hpp"

namespace sycl {

template <int Dimensions> class h_item {
  friend struct detail::make;
  item<Dimensions, false> global, logical, physical;

  h_item(const item<Dimensions, false> &global, const item<Dimensions, false> &logical,
         const item<Dimensions, false> &physical)
      : global(global), logical(logical), physical(physical) {}

public:
  static constexpr int dimensions = Dimensions;

#define SYCL_H_ITEM(name, of)                                                                      \
  item<Dimensions, false> get_##name() const {                                                     \
    return of;                                                                                     \
  }                                                                                                \
  range<Dimensions> get_##name##_range() const {                                                   \
    return of.get_range();                                                                         \
  }                                                                                                \
  std::size_t get_##name##_range(int dimension) const {                                            \
    return of.get_range(dimension);                                                                \
  }                                                                                                \
  id<Dimensions> get_##name##_id() const {                                                         \
    return of.get_id();                                                                            \
  }                                                                                                \
  std::size_t get_##name##_id(int dimension) const {                                               \
    return of.get_id(dimension);                                                                   \
  }
  SYCL_H_ITEM(global, global)
  SYCL_H_ITEM(local, logical)
  SYCL_H_ITEM(logical_local, logical)
  SYCL_H_ITEM(physical_local, physical)
#undef SYCL_H_ITEM

  friend bool operator==(const h_item &a, const h_item &b) {
    return a.global == b.global && a.logical == b.logical && a.physical == b.physical;
  }
  friend bool operator!=(const h_item &a, const h_item &b) {
    return !(a == b);
  }
};

/* A variable of each work-item that lives across parallel_for_work_item. */
template <typename T, int Dimensions = 1> class private_memory {
  std::vector<T> all;

public:
  explicit private_memory(const group<Dimensions> &group) : all(group.get_local_range().size()) {}
  T &operator()(const h_item<Dimensions> &item) {
    return all[item.get_physical_local().get_linear_id()];
  }
};

template <int Dimensions>
template <typename F>
void group<Dimensions>::parallel_for_work_item(const range<Dimensions> &size,
                                               const F &function) const {
  detail::for_positions<Dimensions>(0, size.size(), size, [&](const id<Dimensions> &each) {
    id<Dimensions> physical_at = each % id<Dimensions>(local);
    function(detail::make::h_item_of<Dimensions>(
        detail::make::item_of<Dimensions>(at * id<Dimensions>(local) + physical_at, groups * local),
        detail::make::item_of<Dimensions>(each, size),
        detail::make::item_of<Dimensions>(physical_at, local)));
  });
}

template <int Dimensions>
template <typename F>
void group<Dimensions>::parallel_for_work_item(const F &function) const {
  parallel_for_work_item(local, function);
}

namespace detail {

/* One work-item of the engine for each work-group of the program. */
template <typename Name, int D, typename F> struct group_kernel final : block {
  using name = Name;
  using function_type = void;
  static constexpr int dims = D;
  F function;
  range<D> local;

  group_kernel(const F &function, const range<D> &local) : function(function), local(local) {}
  std::unique_ptr<block> copy() const override { return make_block<group_kernel>(*this); }
  bool resize(const launch_size &size, mpl_kernel_launch &launch) override {
    if (size.dims == D) size.put(launch);
    return size.dims == D;
  }

  void run() const {
    group<D> g = make::group_of<D>(group_id<D>(), local, group_range<D>());
    if constexpr (takes<F, group<D>, kernel_handler>)
      function(g, handler());
    else
      function(g);
  }
};

} // namespace detail
} // namespace sycl

#endif

/* Reductions on a GPU that can be combined by the group algorithm: each work-group leaves a result
 * to the last that ends, which combines them in their order.  So the order is the same in every run,
 * and the host gets one value. */
#ifndef SYCL_DETAIL_GPU_REDUCTION_HPP
#define SYCL_DETAIL_GPU_REDUCTION_HPP

#include "../atomic_ref.hpp"
#include "../reduction.hpp"

#ifdef __MANIPLE_CUDA__
namespace sycl::detail {

/* The results of groups: of the first reduction, then of the second...; in front of them the number
 * of groups that have ended, which is 0 between launches. */
class group_results {
  std::size_t size;
  void *memory;

public:
  explicit group_results(std::size_t bytes)
      : size(kept_blocks::head + bytes), memory(kept_blocks::of_device().take(size)) {}
  ~group_results() { kept_blocks::of_device().give(memory, size); }
  group_results(const group_results &) = delete;
  group_results &operator=(const group_results &) = delete;
  char *data() const { return static_cast<char *>(memory); }
};

template <typename Target> constexpr std::size_t group_results_size(std::size_t groups) {
  constexpr std::size_t align = 16;
  std::size_t size = groups * Target::count * sizeof(typename Target::value_type);
  return (size + align - 1) / align * align;
}

/* What a block has of its reductions. */
template <typename All> struct gpu_results;
template <typename... Targets> struct gpu_results<reductions<Targets...>> {
  using all_type = reductions<Targets...>;
  used_results<all_type> host; /* of one place: the last group's */
  std::size_t groups;
  std::shared_ptr<group_results> of_groups;
  char *at;

  gpu_results(std::size_t groups, const Targets &...target)
      : host(std::make_shared<all_type>(1, target...)) {
    make_room(groups);
  }
  /* For another launch, which may run at the same time. */
  void renew(std::size_t groups) {
    host.use(host.all->again(1));
    make_room(groups);
  }

  /* All work-items of all groups call it. */
  template <int D>
  void put(const nd_item<D> &of, typename Targets::reducer_type &...mine) const {
    std::apply([&](const auto &...partial) { put_each(of, partial..., mine...); }, host.places);
  }

private:
  void make_room(std::size_t count) {
    groups = count;
    of_groups = std::make_shared<group_results>((0 + ... + group_results_size<Targets>(groups)));
    at = of_groups->data();
  }
  template <int D>
  void put_each(const nd_item<D> &of, const partial_places<Targets> &...partial,
                typename Targets::reducer_type &...mine) const {
    char *own = at + kept_blocks::head;
    (put_own<Targets>(of, own, mine), ...);
    if (!is_last(of)) return;
    own = at + kept_blocks::head;
    (combine<Targets>(of, own, partial), ...);
  }
  template <typename Target, int D>
  void put_own(const nd_item<D> &of, char *&own, typename Target::reducer_type &mine) const {
    using T = typename Target::value_type;
    T *results = reinterpret_cast<T *>(own);
    for (std::size_t i = 0; i < Target::count; i++) {
      T sum = reduce_over_group(of.get_group(), *partial_places<Target>::one(mine, i).partial(),
                                typename Target::operation());
      if (of.get_local_linear_id() == 0)
        results[of.get_group_linear_id() * Target::count + i] = sum;
    }
    own += group_results_size<Target>(groups);
  }
  template <int D> bool is_last(const nd_item<D> &of) const {
    std::uint32_t ended = 0;
    if (of.get_local_linear_id() == 0) {
      auto &counter = *reinterpret_cast<std::uint32_t *>(at);
      atomic_ref<std::uint32_t, memory_order::relaxed, memory_scope::device> all(counter);
      ended = all.fetch_add(1, memory_order::release) + 1;
      if (ended == groups) { /* the others need not see what it does */
        atomic_fence(memory_order::acquire, memory_scope::device);
        counter = 0;
      }
    }
    return group_broadcast(of.get_group(), ended, 0) == groups;
  }
  /* Several at a time, which need not wait for one another. */
  template <int D, typename T, typename Op>
  T sum_of_item(const nd_item<D> &of, const T *results, std::size_t count, Op op) const {
    constexpr std::size_t at_once = 8;
    const std::size_t step = of.get_group().get_local_linear_range();
    std::size_t g = of.get_local_linear_id();
    T sums[at_once];
    for (std::size_t k = 0; k < at_once; k++) sums[k] = known_identity_v<Op, T>;
    for (; g + (at_once - 1) * step < groups; g += at_once * step)
      for (std::size_t k = 0; k < at_once; k++)
        sums[k] = op(sums[k], results[(g + k * step) * count]);
    for (; g < groups; g += step) sums[0] = op(sums[0], results[g * count]);
    for (std::size_t k = 1; k < at_once; k++) sums[0] = op(sums[0], sums[k]);
    return sums[0];
  }
  template <typename Target, int D>
  void combine(const nd_item<D> &of, char *&own, const partial_places<Target> &to) const {
    using T = typename Target::value_type;
    using Op = typename Target::operation;
    const T *results = reinterpret_cast<const T *>(own);
    for (std::size_t i = 0; i < Target::count; i++) {
      T sum = sum_of_item(of, results + i, Target::count, Op());
      sum = reduce_over_group(of.get_group(), sum, Op());
      if (of.get_local_linear_id() == 0) to.all[i] = sum;
    }
    own += group_results_size<Target>(groups);
  }
};

/* Of a plain range: neighbours do positions beside one another, so that what they read lies in the
 * same lines of memory. */
template <typename Name, int D, typename F, typename All> struct gpu_range_reduction final : block {
  using name = Name;
  using function_type = void;
  static constexpr int dims = 1;
  static constexpr std::size_t group_size = 256, most_groups = 1024;
  F function;
  range<D> size;
  gpu_results<All> results;

  gpu_range_reduction(const F &function, const range<D> &size, const gpu_results<All> &results)
      : function(function), size(size), results(results) {}
  /* The number of compute units has no part in it. */
  static std::size_t groups_of(std::size_t size) {
    std::size_t groups = (size + group_size - 1) / group_size;
    return groups < most_groups ? groups : most_groups;
  }
  std::unique_ptr<block> copy() const override {
    auto *made = new gpu_range_reduction(*this);
    std::unique_ptr<block> owner(made);
    made->results.renew(results.groups);
    return owner;
  }
  bool resize(const launch_size &to, mpl_kernel_launch &launch) override {
    if (to.dims != D || to.by_groups) return false;
    size = to.template range_of<D>();
    results.renew(groups_of(size.size()));
    launch.global[0] = results.groups * group_size;
    launch.local[0] = group_size;
    return true;
  }
  std::function<void()> ending() const override {
    return [all = results.host.all] { all->finish(); };
  }

  static id<D> position(std::size_t at, const range<D> &size) {
    if constexpr (D > 1)
      if (size.size() >> 32 == 0) { /* divisions of 64 bits are long there */
        id<D> result;
        std::uint32_t left = std::uint32_t(at);
        for (int i = D - 1; i > 0; left /= std::uint32_t(size[i]), i--)
          result[i] = left % std::uint32_t(size[i]);
        result[0] = left;
        return result;
      }
    return unlinear(at, size);
  }
  void run() const {
    nd_item<1> of = make::this_nd_item<1>();
    const std::size_t all = size.size(), step = of.get_global_range(0);
    std::apply(
        [&](const auto &...partial) {
          [&](auto... one) {
            for (std::size_t i = of.get_global_id(0); i < all; i += step)
              function(make::item_of<D>(position(i, size), size, id<D>()), one.reducer...);
            results.put(of, one.reducer...);
          }(made(partial)...);
        },
        results.host.places);
  }
};

template <typename Name, int D, typename F, typename All> struct gpu_nd_reduction final : block {
  using name = Name;
  using function_type = F;
  static constexpr int dims = D;
  F function;
  gpu_results<All> results;

  gpu_nd_reduction(const F &function, const gpu_results<All> &results)
      : function(function), results(results) {}
  std::unique_ptr<block> copy() const override {
    auto *made = new gpu_nd_reduction(*this);
    std::unique_ptr<block> owner(made);
    made->results.renew(results.groups);
    return owner;
  }
  bool resize(const launch_size &to, mpl_kernel_launch &launch) override {
    if (to.dims != D) return false;
    to.put(launch);
    std::size_t groups = 1;
    for (int i = 0; i < D; i++) groups *= launch.global[i] / launch.local[i];
    results.renew(groups);
    return true;
  }
  std::function<void()> ending() const override {
    return [all = results.host.all] { all->finish(); };
  }

  void run() const {
    nd_item<D> of = make::this_nd_item<D>();
    std::apply(
        [&](const auto &...partial) {
          [&](auto... one) {
            function(of, one.reducer...);
            results.put(of, one.reducer...);
          }(made(partial)...);
        },
        results.host.places);
  }
};

template <typename Kernel>
MPL_KERNEL_RECORD inline mpl_kernel_record gpu_record =
    make_record<Kernel>(MPL_RECORD_EVEN | MPL_RECORD_GPU_ONLY);

} // namespace sycl::detail
#endif

#endif

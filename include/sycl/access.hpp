/* Enumerations of access and memory order, and the tags that accessors deduce from. */
#ifndef SYCL_ACCESS_HPP
#define SYCL_ACCESS_HPP

#include <atomic>
#include <cstdint>

namespace sycl {

enum class access_mode { read, write, read_write, discard_write, discard_read_write, atomic };

enum class target {
  device,
  host_task,
  constant_buffer,
  local,
  host_buffer,
  image, /* of SYCL 1.2.1, as the next two */
  host_image,
  image_array,
  global_buffer = device,
};

namespace access {

using sycl::target;
using mode = sycl::access_mode;

enum class placeholder { false_t, true_t };

enum class address_space {
  global_space,
  local_space,
  constant_space,
  private_space,
  generic_space,
};

enum class decorated { no, yes, legacy };

enum class fence_space { local_space, global_space, global_and_local };

} // namespace access

using addrspace = access::address_space;
inline constexpr addrspace addrspace_global = addrspace::global_space;
inline constexpr addrspace addrspace_local = addrspace::local_space;
inline constexpr addrspace addrspace_private = addrspace::private_space;
inline constexpr addrspace addrspace_generic = addrspace::generic_space;

enum class memory_order {
  relaxed,
  acquire,
  release,
  acq_rel,
  seq_cst,
};

enum class memory_scope { work_item, sub_group, work_group, device, system };

inline constexpr memory_order memory_order_relaxed = memory_order::relaxed;
inline constexpr memory_order memory_order_acquire = memory_order::acquire;
inline constexpr memory_order memory_order_release = memory_order::release;
inline constexpr memory_order memory_order_acq_rel = memory_order::acq_rel;
inline constexpr memory_order memory_order_seq_cst = memory_order::seq_cst;

inline constexpr memory_scope memory_scope_work_item = memory_scope::work_item;
inline constexpr memory_scope memory_scope_sub_group = memory_scope::sub_group;
inline constexpr memory_scope memory_scope_work_group = memory_scope::work_group;
inline constexpr memory_scope memory_scope_device = memory_scope::device;
inline constexpr memory_scope memory_scope_system = memory_scope::system;

template <access_mode> struct mode_tag_t { explicit mode_tag_t() = default; };
template <access_mode, target> struct mode_target_tag_t { explicit mode_target_tag_t() = default; };

inline constexpr mode_tag_t<access_mode::read> read_only{};
inline constexpr mode_tag_t<access_mode::write> write_only{};
inline constexpr mode_tag_t<access_mode::read_write> read_write{};
inline constexpr mode_target_tag_t<access_mode::read, target::host_task> read_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::write, target::host_task> write_only_host_task{};
inline constexpr mode_target_tag_t<access_mode::read_write, target::host_task>
    read_write_host_task{};

namespace detail {

constexpr std::memory_order std_order(memory_order order) {
  switch (order) {
  case memory_order::relaxed:
    return std::memory_order_relaxed;
  case memory_order::acquire:
    return std::memory_order_acquire;
  case memory_order::release:
    return std::memory_order_release;
  case memory_order::acq_rel:
    return std::memory_order_acq_rel;
  default:
    return std::memory_order_seq_cst;
  }
}

constexpr bool reads(access_mode mode) {
  return mode != access_mode::write && mode != access_mode::discard_write &&
         mode != access_mode::discard_read_write;
}

constexpr bool writes(access_mode mode) {
  return mode != access_mode::read;
}

} // namespace detail

namespace detail {

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define SYCL_DETAIL_TELLS_SCOPES
#endif
#elif defined(__SANITIZE_THREAD__)
#define SYCL_DETAIL_TELLS_SCOPES
#endif

#ifdef SYCL_DETAIL_TELLS_SCOPES
extern "C" void mpl_told_scope(std::uint32_t scope) noexcept;
#undef SYCL_DETAIL_TELLS_SCOPES

/* As long as it is there, atomic operations are of that scope: `maniple check` hears of it. */
class told_scope {
  static constexpr std::uint32_t none = 255;
  static constexpr std::uint32_t number(memory_scope scope) { /* as OpenCL has them */
    return scope == memory_scope::work_item    ? 0
           : scope == memory_scope::work_group ? 1
           : scope == memory_scope::device     ? 2
           : scope == memory_scope::system     ? 3
                                               : 4;
  }

public:
  explicit told_scope(memory_scope scope) { mpl_told_scope(number(scope)); }
  ~told_scope() { mpl_told_scope(none); }
  told_scope(const told_scope &) = delete;
};
#else
struct told_scope {
  explicit constexpr told_scope(memory_scope) {}
};
#endif

} // namespace detail

inline void atomic_fence(memory_order order, memory_scope scope) {
  detail::told_scope told(scope);
  std::atomic_thread_fence(detail::std_order(order));
}

} // namespace sycl

#endif

/* Descriptors of get_info, each with its type and how it is answered. */
#ifndef SYCL_INFO_HPP
#define SYCL_INFO_HPP

#include <maniple/maniple.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "access.hpp"
#include "detail/when_used.hpp"
#include "range_id.hpp"

namespace sycl {

class platform;
class device;
class context;

enum class aspect {
#define SYCL_ASPECT(name, has) name,
#include "aspect.def"
};

namespace detail {

#ifdef __MANIPLE_CUDA__
inline constexpr bool with_gpus = true;
#else
inline constexpr bool with_gpus = false;
#endif

constexpr bool cpu_has(aspect which) {
  switch (which) {
#define SYCL_ASPECT(name, has)                                                                     \
  case aspect::name:                                                                               \
    return has;
#include "aspect.def"
  }
  return false;
}
constexpr bool gpu_has(aspect which) {
  switch (which) {
#define SYCL_ASPECT(name, has)
#define SYCL_GPU_ASPECT(name, has)                                                                 \
  case aspect::name:                                                                               \
    return has;
#include "aspect.def"
  default:
    return false;
  }
}

} // namespace detail

/* What is known before a program runs (4.6.4.4): its devices are the CPU and, if it is compiled for
 * them, GPUs. */
template <aspect Aspect>
struct any_device_has
    : std::bool_constant<detail::cpu_has(Aspect) || (detail::with_gpus && detail::gpu_has(Aspect))> {};
template <aspect Aspect>
struct all_devices_have
    : std::bool_constant<detail::cpu_has(Aspect) && (!detail::with_gpus || detail::gpu_has(Aspect))> {};
template <aspect Aspect> inline constexpr bool any_device_has_v = any_device_has<Aspect>::value;
template <aspect Aspect> inline constexpr bool all_devices_have_v = all_devices_have<Aspect>::value;

enum class backend { maniple };

namespace usm {
enum class alloc { host, device, shared, unknown };
}

namespace info {

enum class device_type : std::uint32_t { cpu, gpu, accelerator, custom, automatic, host, all };
enum class partition_property {
  no_partition,
  partition_equally,
  partition_by_counts,
  partition_by_affinity_domain,
};
enum class partition_affinity_domain {
  not_applicable,
  numa,
  L4_cache,
  L3_cache,
  L2_cache,
  L1_cache,
  next_partitionable,
};
enum class local_mem_type { none, local, global };
enum class fp_config {
  denorm,
  inf_nan,
  round_to_nearest,
  round_to_zero,
  round_to_inf,
  fma,
  correctly_rounded_divide_sqrt,
  soft_float,
};
enum class global_mem_cache_type { none, read_only, read_write };
enum class execution_capability { exec_kernel, exec_native_kernel };
enum class event_command_status { submitted, running, complete, ext_oneapi_unknown };

} // namespace info

namespace detail {

using properties = mpl_device_properties;

SYCL_WHEN_USED std::vector<memory_order> all_orders() {
  return {memory_order::relaxed, memory_order::acquire, memory_order::release,
          memory_order::acq_rel, memory_order::seq_cst};
}
SYCL_WHEN_USED std::vector<memory_scope> all_scopes() {
  return {memory_scope::work_item, memory_scope::sub_group, memory_scope::work_group,
          memory_scope::device, memory_scope::system};
}
SYCL_WHEN_USED std::vector<info::fp_config> float_config() {
  return {info::fp_config::denorm, info::fp_config::inf_nan, info::fp_config::round_to_nearest,
          info::fp_config::fma};
}
template <int D> range<D> square(std::size_t size) {
  range<D> result;
  for (int i = 0; i < D; i++) result[i] = size;
  return result;
}
inline std::vector<std::size_t> sub_group_sizes(const properties &p) {
  std::vector<std::size_t> result;
  for (std::uint32_t size : p.sub_group_sizes)
    if (size) result.push_back(size);
  if (result.empty()) result.push_back(p.sub_group_size);
  return result;
}
inline std::uint32_t most_sub_groups(const properties &p) {
  std::size_t smallest = p.max_work_group_size;
  for (std::size_t size : sub_group_sizes(p)) smallest = size < smallest ? size : smallest;
  return std::uint32_t((p.max_work_group_size + smallest - 1) / smallest);
}
inline bool has_aspect(const properties &p, aspect which) {
  switch (which) { /* MANIPLE_DEVICE_TYPE */
  case aspect::cpu:
    return p.type == MPL_SAID_CPU;
  case aspect::gpu:
    return p.type == MPL_SAID_GPU;
  case aspect::accelerator:
    return p.type == MPL_SAID_ACCELERATOR;
  default:
    return p.is_gpu ? gpu_has(which) : cpu_has(which);
  }
}
inline info::device_type said_type(const properties &p) {
  return p.type == MPL_SAID_GPU           ? info::device_type::gpu
         : p.type == MPL_SAID_ACCELERATOR ? info::device_type::accelerator
                                          : info::device_type::cpu;
}
SYCL_WHEN_USED std::vector<aspect> aspects(const properties &p) {
  std::vector<aspect> result;
#define SYCL_ASPECT(name, has)                                                                     \
  if (has_aspect(p, aspect::name)) result.push_back(aspect::name);
#include "aspect.def"
  return result;
}

SYCL_WHEN_USED std::vector<info::partition_property> partition_kinds() {
  return {info::partition_property::partition_equally,
          info::partition_property::partition_by_counts};
}

} // namespace detail

namespace info {

#define SYCL_INFO(name, type, answer)                                                              \
  struct name {                                                                                    \
    using return_type = type;                                                                      \
    SYCL_WHEN_USED static return_type get([[maybe_unused]] const detail::properties &p) {          \
      return answer;                                                                               \
    }                                                                                              \
  };

namespace device {

SYCL_INFO(device_type, info::device_type, detail::said_type(p))
SYCL_INFO(vendor_id, std::uint32_t, p.vendor_id)
SYCL_INFO(name, std::string, p.name)
SYCL_INFO(vendor, std::string, p.vendor)
SYCL_INFO(driver_version, std::string, p.version)
SYCL_INFO(profile, std::string, "FULL_PROFILE")
SYCL_INFO(version, std::string, p.version)
SYCL_INFO(backend_version, std::string, p.version)
SYCL_INFO(opencl_c_version, std::string, "OpenCL C 3.0")
SYCL_INFO(extensions, std::vector<std::string>, {})
SYCL_INFO(aspects, std::vector<aspect>, detail::aspects(p))
SYCL_INFO(max_compute_units, std::uint32_t, p.compute_units)
SYCL_INFO(max_work_item_dimensions, std::uint32_t, 3)
SYCL_INFO(max_work_group_size, std::size_t, p.max_work_group_size)
SYCL_INFO(max_num_sub_groups, std::uint32_t, detail::most_sub_groups(p))
SYCL_INFO(sub_group_sizes, std::vector<std::size_t>, detail::sub_group_sizes(p))
SYCL_INFO(sub_group_independent_forward_progress, bool, false)
template <int D> struct max_work_item_sizes {
  using return_type = range<D>;
  static return_type get(const detail::properties &p) {
    return detail::square<D>(p.max_work_group_size);
  }
};
SYCL_INFO(preferred_vector_width_char, std::uint32_t, p.vector_bytes)
SYCL_INFO(preferred_vector_width_short, std::uint32_t, p.vector_bytes / 2)
SYCL_INFO(preferred_vector_width_int, std::uint32_t, p.vector_bytes / 4)
SYCL_INFO(preferred_vector_width_long, std::uint32_t, p.vector_bytes / 8)
SYCL_INFO(preferred_vector_width_long_long, std::uint32_t, p.vector_bytes / 8)
SYCL_INFO(preferred_vector_width_float, std::uint32_t, p.vector_bytes / 4)
SYCL_INFO(preferred_vector_width_double, std::uint32_t, p.vector_bytes / 8)
SYCL_INFO(preferred_vector_width_half, std::uint32_t, p.vector_bytes / 2)
SYCL_INFO(native_vector_width_char, std::uint32_t, p.vector_bytes)
SYCL_INFO(native_vector_width_short, std::uint32_t, p.vector_bytes / 2)
SYCL_INFO(native_vector_width_int, std::uint32_t, p.vector_bytes / 4)
SYCL_INFO(native_vector_width_long, std::uint32_t, p.vector_bytes / 8)
SYCL_INFO(native_vector_width_long_long, std::uint32_t, p.vector_bytes / 8)
SYCL_INFO(native_vector_width_float, std::uint32_t, p.vector_bytes / 4)
SYCL_INFO(native_vector_width_double, std::uint32_t, p.vector_bytes / 8)
SYCL_INFO(native_vector_width_half, std::uint32_t, p.vector_bytes / 2)
SYCL_INFO(max_clock_frequency, std::uint32_t, p.clock_mhz)
SYCL_INFO(address_bits, std::uint32_t, 64)
SYCL_INFO(max_mem_alloc_size, std::uint64_t, p.max_allocation)
SYCL_INFO(image_support, bool, true)
SYCL_INFO(max_read_image_args, std::uint32_t, 1024)
SYCL_INFO(max_write_image_args, std::uint32_t, 1024)
SYCL_INFO(image2d_max_height, std::size_t, 65536)
SYCL_INFO(image2d_max_width, std::size_t, 65536)
SYCL_INFO(image3d_max_height, std::size_t, 65536)
SYCL_INFO(image3d_max_width, std::size_t, 65536)
SYCL_INFO(image3d_max_depth, std::size_t, 65536)
SYCL_INFO(image_max_buffer_size, std::size_t, std::size_t(1) << 31)
SYCL_INFO(max_samplers, std::uint32_t, 1024)
SYCL_INFO(max_parameter_size, std::size_t, p.is_gpu ? 3584 : 1 << 20)
SYCL_INFO(mem_base_addr_align, std::uint32_t, 1024)
SYCL_INFO(half_fp_config, std::vector<fp_config>, detail::float_config())
SYCL_INFO(single_fp_config, std::vector<fp_config>, detail::float_config())
SYCL_INFO(double_fp_config, std::vector<fp_config>, detail::float_config())
SYCL_INFO(global_mem_cache_type, info::global_mem_cache_type,
          info::global_mem_cache_type::read_write)
SYCL_INFO(global_mem_cache_line_size, std::uint32_t, std::uint32_t(p.cache_line))
SYCL_INFO(global_mem_cache_size, std::uint64_t, p.cache)
SYCL_INFO(global_mem_size, std::uint64_t, p.global_memory)
SYCL_INFO(max_constant_buffer_size, std::uint64_t, p.max_allocation)
SYCL_INFO(max_constant_args, std::uint32_t, 1024)
SYCL_INFO(local_mem_type, info::local_mem_type,
          p.is_gpu ? info::local_mem_type::local : info::local_mem_type::global)
SYCL_INFO(local_mem_size, std::uint64_t, p.local_memory)
SYCL_INFO(error_correction_support, bool, false)
SYCL_INFO(host_unified_memory, bool, !p.is_gpu)
SYCL_INFO(atomic_memory_order_capabilities, std::vector<memory_order>, detail::all_orders())
SYCL_INFO(atomic_fence_order_capabilities, std::vector<memory_order>, detail::all_orders())
SYCL_INFO(atomic_memory_scope_capabilities, std::vector<memory_scope>, detail::all_scopes())
SYCL_INFO(atomic_fence_scope_capabilities, std::vector<memory_scope>, detail::all_scopes())
SYCL_INFO(profiling_timer_resolution, std::size_t, 1)
SYCL_INFO(is_endian_little, bool, true)
SYCL_INFO(is_available, bool, true)
SYCL_INFO(is_compiler_available, bool, true)
SYCL_INFO(is_linker_available, bool, true)
SYCL_INFO(execution_capabilities, std::vector<execution_capability>,
          {execution_capability::exec_kernel})
SYCL_INFO(queue_profiling, bool, true)
SYCL_INFO(built_in_kernels, std::vector<std::string>, {})
SYCL_INFO(printf_buffer_size, std::size_t, 1 << 20)
SYCL_INFO(preferred_interop_user_sync, bool, true)
SYCL_INFO(partition_max_sub_devices, std::uint32_t, p.compute_units)
SYCL_INFO(partition_properties, std::vector<partition_property>, detail::partition_kinds())
SYCL_INFO(partition_affinity_domains, std::vector<partition_affinity_domain>,
          {partition_affinity_domain::not_applicable})
struct platform {
  using return_type = sycl::platform;
};
struct parent_device {
  using return_type = sycl::device;
};
struct built_in_kernel_ids; /* kernel_bundle.hpp */
struct partition_type_property {
  using return_type = partition_property;
};
struct partition_type_affinity_domain {
  using return_type = partition_affinity_domain;
};

} // namespace device

namespace platform {
SYCL_INFO(profile, std::string, "FULL_PROFILE")
SYCL_INFO(version, std::string, p.version)
SYCL_INFO(name, std::string, "Maniple")
SYCL_INFO(vendor, std::string, p.vendor)
SYCL_INFO(extensions, std::vector<std::string>, {})
} // namespace platform

namespace context {
struct platform {
  using return_type = sycl::platform;
};
struct devices {
  using return_type = std::vector<sycl::device>;
};
SYCL_INFO(atomic_memory_order_capabilities, std::vector<memory_order>, detail::all_orders())
SYCL_INFO(atomic_fence_order_capabilities, std::vector<memory_order>, detail::all_orders())
SYCL_INFO(atomic_memory_scope_capabilities, std::vector<memory_scope>, detail::all_scopes())
SYCL_INFO(atomic_fence_scope_capabilities, std::vector<memory_scope>, detail::all_scopes())
} // namespace context

#undef SYCL_INFO

namespace queue {
struct context {
  using return_type = sycl::context;
};
struct device {
  using return_type = sycl::device;
};
} // namespace queue

namespace event {
struct command_execution_status {
  using return_type = event_command_status;
};
} // namespace event

namespace event_profiling {
struct command_submit {
  using return_type = std::uint64_t;
};
struct command_start {
  using return_type = std::uint64_t;
};
struct command_end {
  using return_type = std::uint64_t;
};
} // namespace event_profiling

namespace kernel {
struct num_args {
  using return_type = std::uint32_t;
};
struct attributes {
  using return_type = std::string;
};
} // namespace kernel

namespace kernel_device_specific {
struct global_work_size {
  using return_type = range<3>;
};
struct work_group_size {
  using return_type = std::size_t;
};
struct compile_work_group_size {
  using return_type = range<3>;
};
struct preferred_work_group_size_multiple {
  using return_type = std::size_t;
};
struct private_mem_size {
  using return_type = std::size_t;
};
struct max_num_sub_groups {
  using return_type = std::uint32_t;
};
struct compile_num_sub_groups {
  using return_type = std::uint32_t;
};
struct max_sub_group_size {
  using return_type = std::uint32_t;
};
struct compile_sub_group_size {
  using return_type = std::uint32_t;
};
} // namespace kernel_device_specific

} // namespace info
} // namespace sycl

#endif

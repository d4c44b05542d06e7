/* sycl_ext_oneapi_virtual_mem: ranges of addresses, and memory of devices that is mapped to them.
 * What the text leaves undefined (sizes that are no multiples, ranges of others) is errc::invalid.
 */
#ifndef SYCL_EXT_ONEAPI_EXPERIMENTAL_VIRTUAL_MEM_HPP
#define SYCL_EXT_ONEAPI_EXPERIMENTAL_VIRTUAL_MEM_HPP

#include <memory>

#include "../../../detail/virtual_memory.hpp"
#include "../../../device.hpp"
#include "../../../queue.hpp"

namespace sycl {

namespace detail {

inline void check_virtual_memory(const device &device) {
  if (!device.has(aspect::ext_oneapi_virtual_mem))
    fail(errc::feature_not_supported, "the device has no aspect ext_oneapi_virtual_mem");
}
inline void check_virtual_memory(const context &context) {
  for (const device &each : context.get_devices()) check_virtual_memory(each);
}

struct physical_memory {
  sycl::device device;
  sycl::context context;
  std::size_t size;
  int file;

  physical_memory(const sycl::device &device, const sycl::context &context, std::size_t size)
      : device(device), context(context), size(size), file(-1) {
    check_virtual_memory(device);
    if (!belongs_to(context, device)) fail(errc::invalid, "the device is none of the context's");
    virtual_memory::check_aligned(0, size, 0);
    if (size <= device.get_info<info::device::global_mem_size>())
      file = memfd_create("sycl::physical_mem", MFD_CLOEXEC);
    if (file >= 0 && ftruncate(file, off_t(size))) close(file), file = -1;
    if (file < 0) fail(errc::memory_allocation, "the device does not have that much memory");
  }
  physical_memory(const physical_memory &) = delete;
  ~physical_memory() { close(file); } /* ranges that are mapped keep the memory */
};

} // namespace detail

namespace ext::oneapi::experimental {

enum class granularity_mode { minimum, recommended };

class physical_mem {
  friend struct std::hash<physical_mem>;
  std::shared_ptr<const sycl::detail::physical_memory> state;

public:
  physical_mem(const device &syclDevice, const context &syclContext, std::size_t numBytes)
      : state(std::make_shared<sycl::detail::physical_memory>(syclDevice, syclContext, numBytes)) {}
  physical_mem(const queue &syclQueue, std::size_t numBytes)
      : physical_mem(syclQueue.get_device(), syclQueue.get_context(), numBytes) {}

  void *map(std::uintptr_t ptr, std::size_t numBytes, address_access_mode mode,
            std::size_t offset = 0) const {
    if (offset > state->size || numBytes > state->size - offset)
      sycl::detail::fail(errc::invalid, "the range is larger than the memory behind the offset");
    sycl::detail::virtual_memory::get().map(ptr, numBytes, mode, state->file, offset,
                                            state->device.engine());
    return reinterpret_cast<void *>(ptr);
  }
  void *map(std::uintptr_t ptr, std::size_t numBytes, std::size_t offset = 0) const {
    return map(ptr, numBytes, address_access_mode::none, offset); /* of the text before 2025 */
  }

  context get_context() const { return state->context; }
  device get_device() const { return state->device; }
  std::size_t size() const noexcept { return state->size; }

  friend bool operator==(const physical_mem &a, const physical_mem &b) {
    return a.state == b.state;
  }
  friend bool operator!=(const physical_mem &a, const physical_mem &b) { return !(a == b); }
};

/* Pages, of memory and of addresses. */
inline std::size_t get_mem_granularity(const device &syclDevice, const context &,
                                       granularity_mode = granularity_mode::recommended) {
  sycl::detail::check_virtual_memory(syclDevice);
  return sycl::detail::virtual_memory::granularity();
}
inline std::size_t get_mem_granularity(const context &syclContext,
                                       granularity_mode = granularity_mode::recommended) {
  sycl::detail::check_virtual_memory(syclContext);
  return sycl::detail::virtual_memory::granularity();
}

inline std::uintptr_t reserve_virtual_mem(std::uintptr_t start, std::size_t numBytes,
                                          const context &syclContext) {
  sycl::detail::check_virtual_memory(syclContext);
  return sycl::detail::virtual_memory::get().reserve(start, numBytes);
}
inline std::uintptr_t reserve_virtual_mem(std::size_t numBytes, const context &syclContext) {
  return reserve_virtual_mem(0, numBytes, syclContext);
}
inline void free_virtual_mem(std::uintptr_t ptr, std::size_t numBytes, const context &syclContext) {
  sycl::detail::check_virtual_memory(syclContext);
  sycl::detail::virtual_memory::get().free(ptr, numBytes);
}

inline void set_access_mode(const void *ptr, std::size_t numBytes, address_access_mode mode,
                            const context &syclContext) {
  sycl::detail::check_virtual_memory(syclContext);
  sycl::detail::virtual_memory::get().set_mode(reinterpret_cast<std::uintptr_t>(ptr), numBytes,
                                               mode);
}
inline address_access_mode get_access_mode(const void *ptr, std::size_t numBytes,
                                           const context &syclContext) {
  sycl::detail::check_virtual_memory(syclContext);
  return sycl::detail::virtual_memory::get().mode(reinterpret_cast<std::uintptr_t>(ptr), numBytes);
}
inline void unmap(const void *ptr, std::size_t numBytes, const context &syclContext) {
  sycl::detail::check_virtual_memory(syclContext);
  sycl::detail::virtual_memory::get().unmap(reinterpret_cast<std::uintptr_t>(ptr), numBytes);
}

} // namespace ext::oneapi::experimental
} // namespace sycl

template <> struct std::hash<sycl::ext::oneapi::experimental::physical_mem> {
  std::size_t operator()(const sycl::ext::oneapi::experimental::physical_mem &m) const noexcept {
    return std::hash<const void *>()(m.state.get());
  }
};

#endif

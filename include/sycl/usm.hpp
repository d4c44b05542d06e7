/* Unified shared memory (SYCL 2020, 4.8): pointers that host and kernels share. */
#ifndef SYCL_USM_HPP
#define SYCL_USM_HPP

#include <maniple/maniple.h>

#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>

#include "detail/virtual_memory.hpp"
#include "device.hpp"
#include "queue.hpp"

namespace sycl {

namespace detail {

/* A kind that is unknown, a size of 0, no memory: null. */
inline void *usm_malloc(std::size_t size, std::size_t align, const device &device,
                        const context &context, usm::alloc kind) {
  bool known = false;
  for (const auto &each : context.get_devices()) known = known || each == device;
  if (!known) fail(errc::invalid, "the device is not one of the context");
  if (align & (align - 1)) return nullptr;
  switch (kind) {
  case usm::alloc::device:
    return mpl_malloc(device.engine(), MPL_MEMORY_DEVICE, size, align);
  case usm::alloc::shared:
    return mpl_malloc(device.engine(), MPL_MEMORY_SHARED, size, align);
  case usm::alloc::host:
    return mpl_malloc(device.engine(), MPL_MEMORY_HOST, size, align);
  default:
    return nullptr;
  }
}

template <typename T> std::size_t usm_bytes(std::size_t count) {
  return count > std::numeric_limits<std::size_t>::max() / sizeof(T)
             ? std::numeric_limits<std::size_t>::max() / 2
             : count * sizeof(T);
}

template <typename T> std::size_t usm_align(std::size_t align) {
  if (!align && alignof(T) <= 128) return 0; /* the engine's, of 128: float may be read as float4 */
  return align < alignof(T) ? alignof(T) : align;
}

} // namespace detail

inline void *malloc(std::size_t size, const device &device, const context &context, usm::alloc kind,
                    const property_list & = {}) {
  return detail::usm_malloc(size, 0, device, context, kind);
}
inline void *malloc(std::size_t size, const queue &queue, usm::alloc kind,
                    const property_list & = {}) {
  return malloc(size, queue.get_device(), queue.get_context(), kind);
}
inline void *aligned_alloc(std::size_t align, std::size_t size, const device &device,
                           const context &context, usm::alloc kind, const property_list & = {}) {
  return detail::usm_malloc(size, align, device, context, kind);
}
inline void *aligned_alloc(std::size_t align, std::size_t size, const queue &queue, usm::alloc kind,
                           const property_list & = {}) {
  return aligned_alloc(align, size, queue.get_device(), queue.get_context(), kind);
}
template <typename T>
T *malloc(std::size_t count, const device &device, const context &context, usm::alloc kind,
          const property_list & = {}) {
  return static_cast<T *>(
      aligned_alloc(detail::usm_align<T>(0), detail::usm_bytes<T>(count), device, context, kind));
}
template <typename T>
T *malloc(std::size_t count, const queue &queue, usm::alloc kind, const property_list & = {}) {
  return malloc<T>(count, queue.get_device(), queue.get_context(), kind);
}
template <typename T>
T *aligned_alloc(std::size_t align, std::size_t count, const device &device, const context &context,
                 usm::alloc kind, const property_list & = {}) {
  return static_cast<T *>(aligned_alloc(detail::usm_align<T>(align), detail::usm_bytes<T>(count),
                                        device, context, kind));
}
template <typename T>
T *aligned_alloc(std::size_t align, std::size_t count, const queue &queue, usm::alloc kind,
                 const property_list & = {}) {
  return aligned_alloc<T>(align, count, queue.get_device(), queue.get_context(), kind);
}

#define SYCL_USM_KIND(kind)                                                                        \
  inline void *malloc_##kind(std::size_t size, const device &device, const context &context,       \
                             const property_list & = {}) {                                         \
    return malloc(size, device, context, usm::alloc::kind);                                        \
  }                                                                                                \
  inline void *malloc_##kind(std::size_t size, const queue &queue, const property_list & = {}) {   \
    return malloc(size, queue, usm::alloc::kind);                                                  \
  }                                                                                                \
  template <typename T>                                                                            \
  T *malloc_##kind(std::size_t count, const device &device, const context &context,                \
                   const property_list & = {}) {                                                   \
    return malloc<T>(count, device, context, usm::alloc::kind);                                    \
  }                                                                                                \
  template <typename T>                                                                            \
  T *malloc_##kind(std::size_t count, const queue &queue, const property_list & = {}) {            \
    return malloc<T>(count, queue, usm::alloc::kind);                                              \
  }                                                                                                \
  inline void *aligned_alloc_##kind(std::size_t align, std::size_t size, const device &device,     \
                                    const context &context, const property_list & = {}) {          \
    return aligned_alloc(align, size, device, context, usm::alloc::kind);                          \
  }                                                                                                \
  inline void *aligned_alloc_##kind(std::size_t align, std::size_t size, const queue &queue,       \
                                    const property_list & = {}) {                                  \
    return aligned_alloc(align, size, queue, usm::alloc::kind);                                    \
  }                                                                                                \
  template <typename T>                                                                            \
  T *aligned_alloc_##kind(std::size_t align, std::size_t count, const device &device,              \
                          const context &context, const property_list & = {}) {                    \
    return aligned_alloc<T>(align, count, device, context, usm::alloc::kind);                      \
  }                                                                                                \
  template <typename T>                                                                            \
  T *aligned_alloc_##kind(std::size_t align, std::size_t count, const queue &queue,                \
                          const property_list & = {}) {                                            \
    return aligned_alloc<T>(align, count, queue, usm::alloc::kind);                                \
  }
SYCL_USM_KIND(device)
SYCL_USM_KIND(shared)
#undef SYCL_USM_KIND

/* Memory of the host belongs to a context. */
inline void *malloc_host(std::size_t size, const context &context, const property_list & = {}) {
  return malloc(size, context.get_devices().front(), context, usm::alloc::host);
}
inline void *malloc_host(std::size_t size, const queue &queue, const property_list & = {}) {
  return malloc(size, queue, usm::alloc::host);
}
template <typename T>
T *malloc_host(std::size_t count, const context &context, const property_list & = {}) {
  return malloc<T>(count, context.get_devices().front(), context, usm::alloc::host);
}
template <typename T>
T *malloc_host(std::size_t count, const queue &queue, const property_list & = {}) {
  return malloc<T>(count, queue, usm::alloc::host);
}
inline void *aligned_alloc_host(std::size_t align, std::size_t size, const context &context,
                                const property_list & = {}) {
  return aligned_alloc(align, size, context.get_devices().front(), context, usm::alloc::host);
}
inline void *aligned_alloc_host(std::size_t align, std::size_t size, const queue &queue,
                                const property_list & = {}) {
  return aligned_alloc(align, size, queue, usm::alloc::host);
}
template <typename T>
T *aligned_alloc_host(std::size_t align, std::size_t count, const context &context,
                      const property_list & = {}) {
  return aligned_alloc<T>(align, count, context.get_devices().front(), context, usm::alloc::host);
}
template <typename T>
T *aligned_alloc_host(std::size_t align, std::size_t count, const queue &queue,
                      const property_list & = {}) {
  return aligned_alloc<T>(align, count, queue, usm::alloc::host);
}

inline void free(void *pointer, const context &, const property_list & = {}) {
  detail::check(mpl_free(pointer));
}
inline void free(void *pointer, const queue &queue, const property_list & = {}) {
  free(pointer, queue.get_context());
}

inline usm::alloc get_pointer_type(const void *pointer, const context &) {
  switch (mpl_get_memory_kind(pointer, nullptr)) {
  case MPL_MEMORY_DEVICE:
    return usm::alloc::device;
  case MPL_MEMORY_SHARED:
    return usm::alloc::shared;
  case MPL_MEMORY_HOST:
    return usm::alloc::host;
  default: /* sycl_ext_oneapi_virtual_mem: what is mapped is like memory of the device's */
    return detail::virtual_memory::get().device_of(pointer) ? usm::alloc::device
                                                            : usm::alloc::unknown;
  }
}

inline device get_pointer_device(const void *pointer, const context &context) {
  mpl_device *of = nullptr;
  if (mpl_get_memory_kind(pointer, &of) == MPL_MEMORY_UNKNOWN &&
      !(of = detail::virtual_memory::get().device_of(pointer)))
    detail::fail(errc::invalid, "the pointer is none of unified shared memory");
  for (const device &each : context.get_devices())
    if (each.engine() == of) return each;
  return context.get_devices().front();
}

template <typename T, usm::alloc Kind, std::size_t Alignment = 0> class usm_allocator {
  static_assert(Kind == usm::alloc::host || Kind == usm::alloc::shared,
                "sycl::usm_allocator needs memory that the host can write: host or shared");
  template <typename, usm::alloc, std::size_t> friend class usm_allocator;
  sycl::context context;
  sycl::device device;

public:
  using value_type = T;
  using propagate_on_container_copy_assignment = std::true_type;
  using propagate_on_container_move_assignment = std::true_type;
  using propagate_on_container_swap = std::true_type;
  template <typename U> struct rebind { using other = usm_allocator<U, Kind, Alignment>; };

  usm_allocator() = delete;
  usm_allocator(const sycl::context &context, const sycl::device &device,
                const property_list & = {})
      : context(context), device(device) {}
  usm_allocator(const queue &queue, const property_list & = {})
      : usm_allocator(queue.get_context(), queue.get_device()) {}
  template <typename U>
  usm_allocator(const usm_allocator<U, Kind, Alignment> &other) noexcept
      : context(other.context), device(other.device) {}

  T *allocate(std::size_t count) {
    T *made = aligned_alloc<T>(Alignment, count, device, context, Kind);
    if (!made && count) detail::fail(errc::memory_allocation, "sycl::usm_allocator: no memory");
    return made;
  }
  void deallocate(T *pointer, std::size_t) { free(pointer, context); }

  template <typename U, usm::alloc K, std::size_t A>
  friend bool operator==(const usm_allocator &a, const usm_allocator<U, K, A> &b) {
    return K == Kind && a.context == b.context && a.device == b.device;
  }
  template <typename U, usm::alloc K, std::size_t A>
  friend bool operator!=(const usm_allocator &a, const usm_allocator<U, K, A> &b) {
    return !(a == b);
  }
};

} // namespace sycl

#endif

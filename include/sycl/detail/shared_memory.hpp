/* Memory that the host and kernels on any device reach.  Where the program has a GPU (behind the
 * CPU in the engine's list) its driver gives it, else the C++ library. */
#ifndef SYCL_DETAIL_SHARED_MEMORY_HPP
#define SYCL_DETAIL_SHARED_MEMORY_HPP

#include <maniple/maniple.h>

#include <cstddef>
#include <memory>
#include <new>

#include "errors.hpp"

namespace sycl::detail {

/* The device whose memory all others reach too. */
inline mpl_device *shared_device() {
  static mpl_device *const last = mpl_get_device(mpl_count_devices() - 1);
  return last;
}
inline bool has_gpu() {
  static const bool is_gpu = [] {
    mpl_device_properties about{};
    if (mpl_device *device = shared_device()) mpl_describe_device(device, &about, sizeof about);
    return about.is_gpu != 0;
  }();
  return is_gpu;
}

template <typename T> struct shared_allocator {
  using value_type = T;

  shared_allocator() = default;
  template <typename U> shared_allocator(const shared_allocator<U> &) {}

  T *allocate(std::size_t count) {
    if (!has_gpu()) return std::allocator<T>().allocate(count);
    if (count > std::size_t(-1) / sizeof(T)) throw std::bad_alloc();
    void *memory = mpl_malloc(shared_device(), MPL_MEMORY_SHARED, count * sizeof(T), alignof(T));
    if (!memory) fail(errc::memory_allocation, mpl_error_text());
    return static_cast<T *>(memory);
  }
  void deallocate(T *memory, std::size_t count) {
    if (has_gpu())
      mpl_free(memory);
    else
      std::allocator<T>().deallocate(memory, count);
  }

  template <typename U>
  friend bool operator==(const shared_allocator &, const shared_allocator<U> &) {
    return true;
  }
  template <typename U>
  friend bool operator!=(const shared_allocator &, const shared_allocator<U> &) {
    return false;
  }
};

} // namespace sycl::detail

#endif

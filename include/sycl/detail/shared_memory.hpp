/* Memory that the host and kernels on any device reach.  Where the program has a GPU (behind the
 * CPU in the engine's list) its driver gives it, else the C++ library. */
#ifndef SYCL_DETAIL_SHARED_MEMORY_HPP
#define SYCL_DETAIL_SHARED_MEMORY_HPP

#include <maniple/maniple.h>

#include <cstddef>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

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

/* Blocks of a GPU's memory for commands.  Those that are free are kept: its driver takes longer for
 * one, and waits for the GPU to free it, than a short command takes.  Each begins with HEAD bytes of
 * zeros when it is new. */
class kept_blocks {
  static constexpr std::size_t least = 4096, most_kept = std::size_t(64) << 20;
  const mpl_memory_kind kind;
  std::mutex lock;
  std::map<std::size_t, std::vector<void *>> free; /* by size */
  std::size_t kept = 0;

  explicit kept_blocks(mpl_memory_kind kind) : kind(kind) {}
  static std::size_t rounded(std::size_t size) {
    std::size_t block = least;
    while (block < size) block *= 2;
    return block;
  }
  void *find(std::size_t block) {
    std::lock_guard<std::mutex> guard(lock);
    std::vector<void *> &those = free[block];
    if (those.empty()) return nullptr;
    void *memory = those.back();
    those.pop_back();
    kept -= block;
    return memory;
  }

public:
  static constexpr std::size_t head = 128;

  /* Until the process ends: commands may end later than any object that is destroyed then. */
  static kept_blocks &of_host() {
    static kept_blocks *const blocks = new kept_blocks(MPL_MEMORY_HOST);
    return *blocks;
  }
  static kept_blocks &of_device() {
    static kept_blocks *const blocks = new kept_blocks(MPL_MEMORY_SHARED);
    return *blocks;
  }
  void *take(std::size_t size) {
    std::size_t block = rounded(size);
    if (void *memory = find(block)) return memory;
    void *memory = mpl_malloc(shared_device(), kind, block, 0);
    if (!memory) fail(errc::memory_allocation, mpl_error_text());
    std::memset(memory, 0, head);
    return memory;
  }
  void give(void *memory, std::size_t size) {
    std::size_t block = rounded(size);
    {
      std::lock_guard<std::mutex> guard(lock);
      if (kept + block <= most_kept) {
        free[block].push_back(memory);
        kept += block;
        return;
      }
    }
    mpl_free(memory);
  }
};

/* For what a command leaves to the host. */
template <typename T> struct result_allocator {
  using value_type = T;

  result_allocator() = default;
  template <typename U> result_allocator(const result_allocator<U> &) {}

  T *allocate(std::size_t count) {
    if (!has_gpu()) return std::allocator<T>().allocate(count);
    if (count > std::size_t(-1) / 2 / sizeof(T)) throw std::bad_alloc();
    return static_cast<T *>(kept_blocks::of_host().take(count * sizeof(T)));
  }
  void deallocate(T *memory, std::size_t count) {
    if (has_gpu())
      kept_blocks::of_host().give(memory, count * sizeof(T));
    else
      std::allocator<T>().deallocate(memory, count);
  }

  template <typename U>
  friend bool operator==(const result_allocator &, const result_allocator<U> &) {
    return true;
  }
  template <typename U>
  friend bool operator!=(const result_allocator &, const result_allocator<U> &) {
    return false;
  }
};

} // namespace sycl::detail

#endif

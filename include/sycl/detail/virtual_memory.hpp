/* Address ranges of the process and what is mapped to them (sycl_ext_oneapi_virtual_mem): memory is
 * an anonymous file's, and a range without memory is one that cannot be accessed. */
#ifndef SYCL_DETAIL_VIRTUAL_MEMORY_HPP
#define SYCL_DETAIL_VIRTUAL_MEMORY_HPP

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

#include "../exception.hpp"

struct mpl_device;

namespace sycl {

namespace ext::oneapi::experimental {
enum class address_access_mode { none, read, read_write };
}

namespace detail {

using ext::oneapi::experimental::address_access_mode;

class virtual_memory {
  struct mapping {
    std::size_t size;
    mpl_device *device;
    std::map<std::size_t, address_access_mode> from; /* the mode from an offset to the next one */

    address_access_mode mode_at(std::size_t offset) const {
      return std::prev(from.upper_bound(offset))->second;
    }
    void set(std::size_t begin, std::size_t end, address_access_mode mode) {
      if (end < size) from.emplace(end, mode_at(end));
      from.erase(from.lower_bound(begin), from.lower_bound(end));
      from[begin] = mode;
    }
  };
  using ranges = std::map<std::uintptr_t, std::size_t>;

  std::mutex lock;
  ranges reserved;
  std::map<std::uintptr_t, mapping> mapped;

  static int protection(address_access_mode mode) {
    if (mode == address_access_mode::none) return PROT_NONE;
    return mode == address_access_mode::read ? PROT_READ : PROT_READ | PROT_WRITE;
  }
  static void *address(std::uintptr_t at) { return reinterpret_cast<void *>(at); }

  /* The range of the map that the address is in, or its end. */
  template <typename Map> static auto around(Map &map, std::uintptr_t at) {
    auto next = map.upper_bound(at);
    if (next == map.begin()) return map.end();
    auto it = std::prev(next);
    return at - it->first < size_of(it->second) ? it : map.end();
  }
  static std::size_t size_of(std::size_t size) { return size; }
  static std::size_t size_of(const mapping &m) { return m.size; }

  void check_free(std::uintptr_t at, std::size_t size) {
    auto range = around(reserved, at);
    if (!size || range == reserved.end() || at + size > range->first + range->second)
      fail(errc::invalid, "the addresses are not a part of a range of reserve_virtual_mem");
    auto next = mapped.lower_bound(at);
    if (around(mapped, at) != mapped.end() || (next != mapped.end() && next->first < at + size))
      fail(errc::invalid, "memory is mapped to these addresses already");
  }

  /* action(mapping, begin and end in it) for each part of a range, all of which is mapped. */
  template <typename Action> void each_part(std::uintptr_t at, std::size_t size, Action action) {
    for (std::uintptr_t end = at + size; at < end;) {
      auto part = around(mapped, at);
      if (part == mapped.end()) fail(errc::invalid, "no memory is mapped to these addresses");
      std::size_t begin = at - part->first;
      std::size_t upto =
          end - part->first < part->second.size ? end - part->first : part->second.size;
      action(part->second, begin, upto);
      at = part->first + upto;
    }
  }

public:
  static virtual_memory &get() {
    static virtual_memory all;
    return all;
  }
  static std::size_t granularity() { return std::size_t(sysconf(_SC_PAGESIZE)); }
  static void check_aligned(std::uintptr_t at, std::size_t size, std::size_t offset) {
    if ((at | size | offset) % granularity())
      fail(errc::invalid, "addresses, sizes and offsets are multiples of get_mem_granularity");
  }

  std::uintptr_t reserve(std::uintptr_t start, std::size_t size) {
    check_aligned(start, size, 0);
    void *at =
        mmap(address(start), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (at == MAP_FAILED) fail(errc::memory_allocation, "no such range of addresses is free");
    std::lock_guard<std::mutex> guard(lock);
    reserved[reinterpret_cast<std::uintptr_t>(at)] = size;
    return reinterpret_cast<std::uintptr_t>(at);
  }
  void free(std::uintptr_t at, std::size_t size) {
    std::lock_guard<std::mutex> guard(lock);
    auto range = reserved.find(at);
    if (range == reserved.end() || range->second != size)
      fail(errc::invalid, "no range of reserve_virtual_mem begins there and has that size");
    check_free(at, size);
    reserved.erase(range);
    munmap(address(at), size);
  }

  void map(std::uintptr_t at, std::size_t size, address_access_mode mode, int file,
           std::size_t offset, mpl_device *device) {
    check_aligned(at, size, offset);
    std::lock_guard<std::mutex> guard(lock);
    check_free(at, size);
    if (mmap(address(at), size, protection(mode), MAP_SHARED | MAP_FIXED, file, off_t(offset)) ==
        MAP_FAILED)
      fail(errc::memory_allocation, "the memory cannot be mapped");
    mapped[at] = {size, device, {{0, mode}}};
  }
  void unmap(std::uintptr_t at, std::size_t size) {
    std::lock_guard<std::mutex> guard(lock);
    auto range = mapped.find(at);
    if (range == mapped.end() || range->second.size != size)
      fail(errc::invalid, "no range of map begins there and has that size");
    if (mmap(address(at), size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
             -1, 0) == MAP_FAILED)
      fail(errc::runtime, "the memory cannot be unmapped");
    mapped.erase(range);
  }

  void set_mode(std::uintptr_t at, std::size_t size, address_access_mode mode) {
    check_aligned(at, size, 0);
    std::lock_guard<std::mutex> guard(lock);
    each_part(at, size, [](const mapping &, std::size_t, std::size_t) {});
    if (mprotect(address(at), size, protection(mode)))
      fail(errc::runtime, "the access mode cannot be changed");
    each_part(at, size,
              [=](mapping &m, std::size_t begin, std::size_t end) { m.set(begin, end, mode); });
  }
  /* What may be done everywhere in the range. */
  address_access_mode mode(std::uintptr_t at, std::size_t size) {
    check_aligned(at, size, 0);
    std::lock_guard<std::mutex> guard(lock);
    auto least = address_access_mode::read_write;
    each_part(at, size, [&](const mapping &m, std::size_t begin, std::size_t end) {
      if (m.mode_at(begin) < least) least = m.mode_at(begin);
      for (auto it = m.from.upper_bound(begin); it != m.from.end() && it->first < end; ++it)
        if (it->second < least) least = it->second;
    });
    return least;
  }

  /* Of the memory that can be accessed there, or null. */
  mpl_device *device_of(const void *pointer) {
    std::lock_guard<std::mutex> guard(lock);
    auto at = reinterpret_cast<std::uintptr_t>(pointer);
    auto range = around(mapped, at);
    if (range == mapped.end()) return nullptr;
    bool none = range->second.mode_at(at - range->first) == address_access_mode::none;
    return none ? nullptr : range->second.device;
  }
};

} // namespace detail
} // namespace sycl

#endif

/* sycl_ext_oneapi_memcpy2d: rows of `width` elements (bytes, for void) that begin `pitch` apart. */
#ifndef SYCL_DETAIL_ROWS_HPP
#define SYCL_DETAIL_ROWS_HPP

#include "../handler.hpp"

namespace sycl {

inline void handler::check_rows(const void *rows, std::size_t pitch, std::size_t width,
                                std::size_t height, bool written) const {
  if (width > pitch) detail::fail(errc::invalid, "a row is wider than rows are apart");
  if (queue->device.about().is_gpu)
    detail::fail(errc::feature_not_supported,
                 "rows of memory are copied and filled on the CPU only");
  if (width && height) detail::check(mpl_check_access(rows, (height - 1) * pitch + width, written));
}

inline void handler::ext_oneapi_memcpy2d(void *to, std::size_t to_pitch, const void *from,
                                         std::size_t from_pitch, std::size_t width,
                                         std::size_t height) {
  check_rows(to, to_pitch, width, height, true);
  check_rows(from, from_pitch, width, height, false);
  set_task(
      [=] {
        for (std::size_t y = 0; y < height; y++)
          std::memmove(static_cast<char *>(to) + y * to_pitch,
                       static_cast<const char *>(from) + y * from_pitch, width);
      },
      detail::node_type::memcpy);
}

template <typename T>
void handler::ext_oneapi_copy2d(const T *from, std::size_t from_pitch, T *to, std::size_t to_pitch,
                                std::size_t width, std::size_t height) {
  static_assert(is_device_copyable_v<T>,
                "handler::ext_oneapi_copy2d takes device copyable elements");
  ext_oneapi_memcpy2d(to, to_pitch * sizeof(T), from, from_pitch * sizeof(T), width * sizeof(T),
                      height);
}

inline void handler::ext_oneapi_memset2d(void *to, std::size_t pitch, int value, std::size_t width,
                                         std::size_t height) {
  ext_oneapi_fill2d(to, pitch, static_cast<unsigned char>(value), width, height);
}

template <typename T>
void handler::ext_oneapi_fill2d(void *to, std::size_t pitch, const T &pattern, std::size_t width,
                                std::size_t height) {
  static_assert(is_device_copyable_v<T>,
                "handler::ext_oneapi_fill2d takes device copyable elements");
  check_rows(to, pitch * sizeof(T), width * sizeof(T), height, true);
  set_task(
      [=] {
        for (std::size_t y = 0; y < height; y++)
          std::fill_n(static_cast<T *>(to) + y * pitch, width, pattern);
      },
      detail::node_type::memfill);
}

} // namespace sycl

#endif

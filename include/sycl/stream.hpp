/* stream: text from kernels (SYCL 2020, 4.16).  A work-item notes what it writes in a buffer; when
 * the kernel has ended the host formats and prints it, so that lines of different work-items do not
 * mix. */
#ifndef SYCL_STREAM_HPP
#define SYCL_STREAM_HPP

#include <maniple/kernel.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <iomanip>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

#include "detail/shared_memory.hpp"
#include "detail/when_used.hpp"
#include "group.hpp"
#include "half.hpp"
#include "item.hpp"
#include "marray.hpp"
#include "multi_ptr.hpp"
#include "property.hpp"
#include "range_id.hpp"
#include "vec.hpp"

namespace sycl {

class handler;

enum class stream_manipulator {
  flush,
  dec,
  hex,
  oct,
  noshowbase,
  showbase,
  noshowpos,
  showpos,
  endl,
  fixed,
  scientific,
  hexfloat,
  defaultfloat
};
inline constexpr stream_manipulator flush = stream_manipulator::flush;
inline constexpr stream_manipulator dec = stream_manipulator::dec;
inline constexpr stream_manipulator hex = stream_manipulator::hex;
inline constexpr stream_manipulator oct = stream_manipulator::oct;
inline constexpr stream_manipulator noshowbase = stream_manipulator::noshowbase;
inline constexpr stream_manipulator showbase = stream_manipulator::showbase;
inline constexpr stream_manipulator noshowpos = stream_manipulator::noshowpos;
inline constexpr stream_manipulator showpos = stream_manipulator::showpos;
inline constexpr stream_manipulator endl = stream_manipulator::endl;
inline constexpr stream_manipulator fixed = stream_manipulator::fixed;
inline constexpr stream_manipulator scientific = stream_manipulator::scientific;
inline constexpr stream_manipulator hexfloat = stream_manipulator::hexfloat;
inline constexpr stream_manipulator defaultfloat = stream_manipulator::defaultfloat;

namespace detail {

enum class stream_part : std::uint8_t {
  text,
  character,
  signed_number,
  unsigned_number,
  single_float,
  double_float,
  pointer,
  manipulator,
  precision,
  width
};

struct stream_setting {
  stream_part part;
  std::int64_t value;
};

struct stream_entry {
  std::uint64_t item; /* who wrote it */
  stream_part part;
  std::uint8_t length; /* of a piece of text */
  char data[22];       /* that, or a number */
};

template <typename T> T entry_value(const stream_entry &entry) {
  T value;
  std::memcpy(&value, entry.data, sizeof value);
  return value;
}

inline void write_manipulator(std::ostream &to, stream_manipulator which) {
  using manipulate = std::ios_base &(*)(std::ios_base &);
  static constexpr manipulate list[] = {
      nullptr,         std::dec,       std::hex,         std::oct, std::noshowbase,
      std::showbase,   std::noshowpos, std::showpos,     nullptr,  std::fixed,
      std::scientific, std::hexfloat,  std::defaultfloat};
  if (which == stream_manipulator::endl)
    to << '\n';
  else if (manipulate one = list[int(which)])
    to << one;
}

inline void write_entry(std::ostream &to, const stream_entry &entry) {
  switch (entry.part) {
  case stream_part::text:
    to << std::string(entry.data, entry.length);
    break;
  case stream_part::character:
    to << entry.data[0];
    break;
  case stream_part::signed_number:
    to << entry_value<std::int64_t>(entry);
    break;
  case stream_part::unsigned_number:
    to << entry_value<std::uint64_t>(entry);
    break;
  case stream_part::single_float:
    to << entry_value<float>(entry);
    break;
  case stream_part::double_float:
    to << entry_value<double>(entry);
    break;
  case stream_part::pointer:
    to << entry_value<const void *>(entry);
    break;
  case stream_part::manipulator:
    write_manipulator(to, stream_manipulator(entry_value<std::int64_t>(entry)));
    break;
  case stream_part::precision:
    to << std::setprecision(int(entry_value<std::int64_t>(entry)));
    break;
  case stream_part::width:
    to << std::setw(int(entry_value<std::int64_t>(entry)));
  }
}

/* What the work-items of a launch write.  What does not fit is dropped. */
class stream_buffer {
  std::size_t capacity, used = 0;
  std::vector<stream_entry, shared_allocator<stream_entry>> entries;

public:
  explicit stream_buffer(std::size_t capacity) : capacity(capacity), entries(capacity) {}

  /* Places for `count` entries in a row, or null. */
  stream_entry *reserve(std::size_t count) {
    std::size_t at = __atomic_fetch_add(&used, count, __ATOMIC_RELAXED);
    return at + count <= capacity ? &entries[at] : nullptr;
  }

  /* Whole lines in the order of their ends, then what is not a line, by work-item. */
  SYCL_WHEN_USED void print(std::ostream &to) {
    std::map<std::uint64_t, std::ostringstream> items;
    std::size_t count = used < capacity ? used : capacity;
    for (std::size_t i = 0; i < count; i++) {
      if (!entries[i].item) continue; /* reserved, never written */
      auto [place, is_new] = items.try_emplace(entries[i].item, std::ios_base::ate);
      std::ostringstream &text = place->second;
      write_entry(text, entries[i]);
      std::string all = text.str();
      std::size_t end = all.rfind('\n');
      if (end == std::string::npos) continue;
      to << all.substr(0, end + 1);
      text.str(all.substr(end + 1));
    }
    for (const auto &[item, text] : items) to << text.str();
    to << std::flush;
    for (std::size_t i = 0; i < count; i++) entries[i] = {}; /* a graph runs its kernel again */
    used = 0;
  }
};

void at_end_of(handler &, std::function<void()>); /* handler.hpp */

} // namespace detail

inline constexpr detail::stream_setting setprecision(int precision) {
  return {detail::stream_part::precision, precision};
}
inline constexpr detail::stream_setting setw(int width) {
  return {detail::stream_part::width, width};
}

class stream : public detail::without_properties {
  friend struct std::hash<stream>;
  detail::stream_buffer *buffer; /* the command group's, until its text is printed */
  std::size_t total, of_item;

  /* Entries are marked by the work-item's number + 1: 0 is one that was never written. */
  template <typename T> void put(detail::stream_part part, const T &value) const {
    static_assert(sizeof value <= sizeof(detail::stream_entry::data), "a value fits");
    if (detail::stream_entry *entry = buffer->reserve(1)) {
      std::memcpy(entry->data, &value, sizeof value);
      entry->part = part;
      entry->item = mpl_get_global_linear_id() + 1;
    }
  }

  void put_text(const char *text) const {
    constexpr std::size_t piece = sizeof(detail::stream_entry::data);
    std::size_t length = 0;
    while (text[length]) length++;
    detail::stream_entry *entry = buffer->reserve((length + piece - 1) / piece);
    for (std::size_t at = 0; entry && at < length; at += piece, entry++) {
      std::size_t count = length - at < piece ? length - at : piece;
      for (std::size_t i = 0; i < count; i++) entry->data[i] = text[at + i];
      entry->length = std::uint8_t(count);
      entry->part = detail::stream_part::text;
      entry->item = mpl_get_global_linear_id() + 1;
    }
  }

  template <typename List> void put_list(const List &list, std::size_t count) const {
    for (std::size_t i = 0; i < count; i++) *this << (i ? ", " : "") << list[int(i)];
  }

public:
  SYCL_WHEN_USED stream(std::size_t size, std::size_t work_item_size, handler &group,
                        const property_list &properties = {})
      : total(size), of_item(work_item_size) {
    detail::check_properties<>(properties);
    auto made = std::allocate_shared<detail::stream_buffer>(
        detail::shared_allocator<detail::stream_buffer>(), size);
    buffer = made.get();
    detail::at_end_of(group, [made] { made->print(std::cout); });
  }

  std::size_t size() const noexcept { return total; }
  std::size_t get_work_item_buffer_size() const noexcept { return of_item; }
  std::size_t get_size() const { return total; }
  std::size_t get_max_statement_size() const { return of_item; }

  friend bool operator==(const stream &a, const stream &b) { return a.buffer == b.buffer; }
  friend bool operator!=(const stream &a, const stream &b) { return !(a == b); }

  template <typename T> friend const stream &operator<<(const stream &to, const T &value) {
    using plain = std::decay_t<T>;
    using part = detail::stream_part;
    if constexpr (std::is_same_v<plain, stream_manipulator>)
      to.put(part::manipulator, std::int64_t(value));
    else if constexpr (std::is_same_v<plain, detail::stream_setting>)
      to.put(value.part, value.value);
    else if constexpr (std::is_same_v<plain, char *> || std::is_same_v<plain, const char *>)
      to.put_text(value);
    else if constexpr (std::is_same_v<T, char> || std::is_same_v<T, signed char> ||
                       std::is_same_v<T, unsigned char>)
      to.put(part::character, value);
    else if constexpr (std::is_same_v<T, half> || std::is_same_v<T, float>)
      to.put(part::single_float, float(value));
    else if constexpr (std::is_same_v<T, double>)
      to.put(part::double_float, value);
    else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>)
      to.put(part::signed_number, std::int64_t(value));
    else if constexpr (std::is_integral_v<T>)
      to.put(part::unsigned_number, std::uint64_t(value));
    else if constexpr (std::is_pointer_v<plain>)
      to.put(part::pointer, static_cast<const void *>(value));
    else
      to.put_compound(value);
    return to;
  }

private:
  template <typename T, access::address_space Space, access::decorated Decorated>
  void put_compound(const multi_ptr<T, Space, Decorated> &pointer) const {
    put(detail::stream_part::pointer, static_cast<const void *>(pointer.get_raw()));
  }
  template <typename T, int N> void put_compound(const vec<T, N> &value) const {
    put_list(value, N);
  }
  template <typename V, int... K>
  void put_compound(const detail::swizzled_vec<V, K...> &value) const {
    put_list(value, sizeof...(K));
  }
  template <typename T, std::size_t N> void put_compound(const marray<T, N> &value) const {
    put_list(value, N);
  }
  template <int D> void put_compound(const id<D> &value) const {
    *this << '{';
    put_list(value, D);
    *this << '}';
  }
  template <int D> void put_compound(const range<D> &value) const { put_compound(id<D>(value)); }
  template <int D> void put_compound(const nd_range<D> &value) const {
    *this << "nd_range(global_range: " << value.get_global_range()
          << ", local_range: " << value.get_local_range() << ", offset: " << value.get_offset()
          << ')';
  }
  template <int D, bool WithOffset> void put_compound(const item<D, WithOffset> &value) const {
    *this << "item(range: " << value.get_range() << ", id: " << value.get_id() << ')';
  }
  template <int D> void put_compound(const nd_item<D> &value) const {
    *this << "nd_item(global_id: " << value.get_global_id()
          << ", local_id: " << value.get_local_id() << ')';
  }
  template <int D> void put_compound(const h_item<D> &value) const {
    *this << "h_item(global_id: " << value.get_global_id()
          << ", logical_local_id: " << value.get_logical_local_id()
          << ", physical_local_id: " << value.get_physical_local_id() << ')';
  }
  template <int D> void put_compound(const group<D> &value) const {
    *this << "group(id: " << value.get_group_id() << ", range: " << value.get_group_range() << ')';
  }
  template <typename T> void put_compound(const T &) const {
    static_assert(std::is_void_v<T>,
                  "sycl::stream writes numbers, text, pointers, vec, marray, id, "
                  "range, nd_range, item, nd_item, h_item and group");
  }
};

} // namespace sycl

template <> struct std::hash<sycl::stream> {
  std::size_t operator()(const sycl::stream &stream) const noexcept {
    return std::hash<const void *>()(stream.buffer);
  }
};

#endif

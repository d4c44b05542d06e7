/* Specialization constants (SYCL 2020, 4.9.5): values that a program sets before it launches a
 * kernel, and that the kernel reads through its kernel_handler. */
#ifndef SYCL_SPECIALIZATION_HPP
#define SYCL_SPECIALIZATION_HPP

#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#include "detail/shared_memory.hpp"

namespace sycl {

namespace detail {
struct specialization_access;
}

template <typename T> class specialization_id {
  friend struct detail::specialization_access;
  T value;

  /* In parentheses where T has such a constructor; braces are for aggregates. */
  template <typename... Args> static constexpr T make(Args &&...args) {
    if constexpr (std::is_constructible_v<T, Args...>)
      return T(std::forward<Args>(args)...);
    else
      return T{std::forward<Args>(args)...};
  }

public:
  using value_type = T;

  template <typename... Args>
  explicit constexpr specialization_id(Args &&...args) : value(make(std::forward<Args>(args)...)) {}
  specialization_id(const specialization_id &) = delete;
  specialization_id(specialization_id &&) = delete;
  specialization_id &operator=(const specialization_id &) = delete;
  specialization_id &operator=(specialization_id &&) = delete;
};

namespace detail {

struct specialization_access {
  template <typename T> static constexpr const T &initial(const specialization_id<T> &of) {
    return of.value;
  }
};

template <auto &Name>
using specialized = typename std::remove_reference_t<decltype(Name)>::value_type;

/* The values that a program has set; all others are those of their specialization_id. */
class specialization_values {
  struct entry {
    const void *name;
    std::uint64_t key; /* of the name's text */
    std::shared_ptr<const void> value;

    template <auto &Name> bool is_of([[maybe_unused]] bool by_key) const {
#ifdef __MANIPLE_CUDA__
      if (by_key) return key == key_of<Name>();
#endif
      return name == &Name;
    }
  };
  std::vector<entry, shared_allocator<entry>> all;
  bool by_key = false; /* a GPU has its own addresses of the program's constants */

  template <auto &Name> static constexpr std::uint64_t key_of() {
    std::uint64_t hash = 0xcbf29ce484222325; /* FNV-1a */
    for (const char *at = __PRETTY_FUNCTION__; *at; at++)
      hash = (hash ^ static_cast<unsigned char>(*at)) * 0x100000001b3;
    return hash;
  }

public:
  template <auto &Name> void set(const specialized<Name> &value) {
    using T = specialized<Name>;
    auto copy = std::allocate_shared<T>(shared_allocator<T>(), value);
    for (entry &each : all)
      if (each.name == &Name) {
        each.value = std::move(copy);
        return;
      }
    constexpr std::uint64_t key = key_of<Name>();
    all.push_back({&Name, key, std::move(copy)});
  }
  template <auto &Name> const specialized<Name> &get() const {
    for (const entry &each : all)
      if (each.template is_of<Name>(by_key))
        return *static_cast<const specialized<Name> *>(each.value.get());
    return specialization_access::initial(Name);
  }
  bool empty() const { return all.empty(); }
  /* For a kernel on a GPU.  False: two constants, of two source files, have the same name. */
  bool use_keys() {
    by_key = true;
    for (const entry &a : all)
      for (const entry &b : all)
        if (&a != &b && a.key == b.key) return false;
    return true;
  }
  template <typename Values> void add(const Values &others) { /* no others: for what it costs */
    for (const entry &other : others.all) {
      bool known = false;
      for (const entry &each : all) known = known || each.name == other.name;
      if (!known) all.push_back(other);
    }
  }
};

/* Constants that a kernel of the program reads; noted before main. */
inline std::vector<const void *> &read_constants() {
  static std::vector<const void *> all;
  return all;
}
template <auto &Name> struct constant_registration {
  inline static const bool noted = (read_constants().push_back(&Name), true);
};

} // namespace detail

class kernel_handler {
  const detail::specialization_values *constants;

public:
  explicit kernel_handler(const detail::specialization_values &constants) : constants(&constants) {}

  template <auto &Name> detail::specialized<Name> get_specialization_constant() const {
    (void)&detail::constant_registration<Name>::noted;
    return constants->get<Name>();
  }
};

} // namespace sycl

#endif

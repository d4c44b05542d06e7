/* Specialization constants (SYCL 2020, 4.9.5): values that a program sets before it launches a
 * kernel, and that the kernel reads through its kernel_handler. */
#ifndef SYCL_SPECIALIZATION_HPP
#define SYCL_SPECIALIZATION_HPP

#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

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
    std::shared_ptr<const void> value;
  };
  std::vector<entry> all;

public:
  template <auto &Name> void set(const specialized<Name> &value) {
    auto copy = std::make_shared<const specialized<Name>>(value);
    for (entry &each : all)
      if (each.name == &Name) {
        each.value = std::move(copy);
        return;
      }
    all.push_back({&Name, std::move(copy)});
  }
  template <auto &Name> const specialized<Name> &get() const {
    for (const entry &each : all)
      if (each.name == &Name) return *static_cast<const specialized<Name> *>(each.value.get());
    return specialization_access::initial(Name);
  }
  bool empty() const { return all.empty(); }
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

/* Exceptions, error codes and the list that an asynchronous handler gets (SYCL 2020, 4.13). */
#ifndef SYCL_EXCEPTION_HPP
#define SYCL_EXCEPTION_HPP

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace sycl {

class context;

enum class errc : unsigned {
  success = 0,
  runtime,
  kernel,
  accessor,
  nd_range,
  event,
  kernel_argument,
  build,
  invalid,
  memory_allocation,
  platform,
  profiling,
  feature_not_supported,
  kernel_not_supported,
  backend_mismatch,
};

namespace detail {

class error_category final : public std::error_category {
public:
  const char *name() const noexcept override { return "sycl"; }

  std::string message(int code) const override {
    static const char *const text[] = {
        "success",
        "run-time error",
        "error in a kernel",
        "wrong use of an accessor",
        "wrong ND-range",
        "wrong use of an event",
        "wrong kernel argument",
        "a kernel bundle could not be built",
        "invalid argument",
        "out of memory",
        "error of the platform",
        "no profiling information",
        "feature not supported by the device",
        "kernel not supported by the device",
        "object of another backend",
    };
    bool known = code >= 0 && code < int(sizeof text / sizeof *text);
    return known ? text[code] : "unknown error";
  }
};

} // namespace detail

inline const std::error_category &sycl_category() noexcept {
  static const detail::error_category category;
  return category;
}

inline std::error_code make_error_code(errc code) noexcept {
  return {static_cast<int>(code), sycl_category()};
}

/* Copies share one state, so that copying never throws (std::exception's rule). */
class exception : public virtual std::exception {
  struct state {
    std::string what;
    std::error_code code;
    std::shared_ptr<context> where;
  };
  std::shared_ptr<const state> shared;

  static std::string join(const std::string &what, const std::error_code &code) {
    return what.empty() ? code.message() : what;
  }

public:
  exception(std::error_code code, const std::string &what)
      : shared(std::make_shared<state>(state{join(what, code), code, nullptr})) {}
  exception(std::error_code code, const char *what) : exception(code, std::string(what)) {}
  exception(std::error_code code) : exception(code, std::string()) {}
  exception(int value, const std::error_category &category, const std::string &what)
      : exception(std::error_code(value, category), what) {}
  exception(int value, const std::error_category &category, const char *what)
      : exception(std::error_code(value, category), what) {}
  exception(int value, const std::error_category &category)
      : exception(std::error_code(value, category)) {}

  /* With a context: defined in device.hpp, where the class is complete. */
  inline exception(context, std::error_code, const std::string &what);
  inline exception(context, std::error_code, const char *what);
  inline exception(context, std::error_code);
  inline exception(context, int value, const std::error_category &, const std::string &what);
  inline exception(context, int value, const std::error_category &, const char *what);
  inline exception(context, int value, const std::error_category &);

  const std::error_code &code() const noexcept { return shared->code; }
  const std::error_category &category() const noexcept { return shared->code.category(); }
  const char *what() const noexcept override { return shared->what.c_str(); }
  bool has_context() const noexcept { return bool(shared->where); }
  inline context get_context() const;
};

class exception_list {
  std::vector<std::exception_ptr> all;

public:
  using value_type = std::exception_ptr;
  using reference = value_type &;
  using const_reference = const value_type &;
  using size_type = std::size_t;
  using iterator = std::vector<std::exception_ptr>::const_iterator;
  using const_iterator = iterator;

  exception_list() = default;
  explicit exception_list(std::vector<std::exception_ptr> list) : all(std::move(list)) {}

  size_type size() const { return all.size(); }
  iterator begin() const { return all.begin(); }
  iterator end() const { return all.end(); }
};

using async_handler = std::function<void(exception_list)>;

namespace detail {

[[noreturn]] inline void fail(errc code, const std::string &what) {
  throw exception(make_error_code(code), what);
}

} // namespace detail

} // namespace sycl

template <> struct std::is_error_code_enum<sycl::errc> : std::true_type {};

#endif

/* From the engine's error codes to exceptions; the list of what went wrong on a queue. */
#ifndef SYCL_DETAIL_ERRORS_HPP
#define SYCL_DETAIL_ERRORS_HPP

#include <maniple/maniple.h>

#include <cstdio>
#include <exception>
#include <mutex>
#include <string>
#include <vector>

#include "../exception.hpp"

namespace sycl::detail {

enum engine_error { /* of OpenCL's codes those that mean something here */
                    out_of_resources = -5,
                    out_of_host_memory = -6,
                    wait_list_failed = -14,
                    invalid_kernel_definition = -47,
                    invalid_work_dimension = -53,
                    invalid_work_group_size = -54,
                    invalid_work_item_size = -55,
                    invalid_global_offset = -56,
                    invalid_buffer_size = -61,
                    invalid_global_work_size = -63,
};

inline errc code_of(int error) {
  switch (error) {
  case invalid_work_dimension:
  case invalid_work_group_size:
  case invalid_work_item_size:
  case invalid_global_offset:
  case invalid_global_work_size:
    return errc::nd_range;
  case invalid_kernel_definition:
    return errc::kernel_not_supported;
  case -4:
  case out_of_resources:
  case out_of_host_memory:
  case invalid_buffer_size:
    return errc::memory_allocation;
  default:
    return errc::runtime;
  }
}

/* For what an engine function returned. */
inline void check(int error) {
  if (error) fail(code_of(error), mpl_error_text());
}

/* What commands of a queue have thrown, until the program asks for it. */
class error_list {
  std::mutex lock;
  std::vector<std::exception_ptr> all;
  async_handler handler;

public:
  explicit error_list(async_handler handler) : handler(std::move(handler)) {}

  void add(std::exception_ptr error) {
    std::lock_guard<std::mutex> guard(lock);
    all.push_back(std::move(error));
  }

  /* Without a handler of the program's the specification wants a report and then the end
   * (4.13.1.2). */
  void report() {
    std::vector<std::exception_ptr> list;
    {
      std::lock_guard<std::mutex> guard(lock);
      list.swap(all);
    }
    if (list.empty()) return;
    if (handler) return handler(exception_list(std::move(list)));
    for (const auto &error : list) {
      try {
        std::rethrow_exception(error);
      } catch (const std::exception &e) {
        std::fprintf(stderr, "sycl: error of a command, and no asynchronous handler: %s\n",
                     e.what());
      } catch (...) {
        std::fprintf(stderr, "sycl: error of a command, and no asynchronous handler\n");
      }
    }
    std::terminate();
  }
};

} // namespace sycl::detail

#endif

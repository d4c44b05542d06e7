/* Mistakes that only these headers can see: indices that do not exist, accessors that a command
 * group did not ask for, waiting for oneself.  They are reported as those of the checking engine
 * are; in a kernel the work-group is then given up, on the host an exception is thrown.
 *
 * Accesses are checked unless a kernel is compiled by maniple, where loops with a check inside
 * would not become vector code; -DSYCL_CHECK_ACCESS=1 or 0 decides otherwise. */
#ifndef SYCL_DETAIL_MISTAKES_HPP
#define SYCL_DETAIL_MISTAKES_HPP

#include <maniple/kernel.h>

#include <cstddef>
#include <cstdio>

#include "../exception.hpp"

#ifndef SYCL_CHECK_ACCESS
#ifdef __MANIPLE__
#define SYCL_CHECK_ACCESS 0
#else
#define SYCL_CHECK_ACCESS 1
#endif
#endif

namespace sycl::detail {

[[gnu::cold, gnu::noinline]] inline void mistake(mpl_mistake kind, errc code, const char *message,
                                                 const mpl_site *at = nullptr) {
  mpl_report_mistake(kind, message, at);
  fail(code, message);
}

[[gnu::cold, gnu::noinline]] inline void bad_index(const char *of, std::size_t index,
                                                   std::size_t size, int dimension = 0) {
  char text[160];
  std::snprintf(text, sizeof text, "index %zu in dimension %d is outside of %s of size %zu", index,
                dimension, of, size);
  mistake(MPL_MISTAKE_INDEX, errc::invalid, text);
}

[[gnu::cold, gnu::noinline]] inline void bad_dimension(int dimension, int dimensions) {
  char text[80];
  std::snprintf(text, sizeof text, "dimension %d of an id or a range that has %d", dimension,
                dimensions);
  mistake(MPL_MISTAKE_INDEX, errc::invalid, text);
}

[[gnu::cold, gnu::noinline]] inline void bad_access(const char *message) {
  mistake(MPL_MISTAKE_ACCESS, errc::accessor, message);
}

} // namespace sycl::detail

#endif

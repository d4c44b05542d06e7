// NAME.cpp holds one command group with one mistake, MISTAKE(NAME); what is reported stands in
// NAME.ref.  Work-groups of 32 work-items, sub-groups of 16; `out` points to 64 zeros.
#ifndef MISTAKE_HPP
#define MISTAKE_HPP

#include <sycl/sycl.hpp>

#include <cstdio>

struct named_mistake {
  const char *name;
  void (*run)(sycl::queue &q, int *out);
  named_mistake *next;
  static inline named_mistake *all;
  named_mistake(const char *name, void (*run)(sycl::queue &q, int *out))
      : name(name), run(run), next(all) {
    all = this;
  }
};

#define MISTAKE(name)                                                                              \
  static void name([[maybe_unused]] sycl::queue &q, [[maybe_unused]] int *out);                    \
  static named_mistake named_##name(#name, name);                                                  \
  static void name([[maybe_unused]] sycl::queue &q, [[maybe_unused]] int *out)

template <typename F> void run(sycl::queue &q, const F &kernel) {
  q.parallel_for(sycl::nd_range<1>(32, 32), kernel).wait();
}

#endif

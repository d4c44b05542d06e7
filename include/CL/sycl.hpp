/* SYCL under the names of SYCL 1.2.1: this header, and namespace cl::sycl (SYCL 2020, 4.1). */
#ifndef CL_SYCL_HPP
#define CL_SYCL_HPP

#include "../sycl/sycl.hpp"

namespace cl {
namespace sycl = ::sycl;
}

#endif

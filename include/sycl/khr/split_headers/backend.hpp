/* sycl_khr_split_headers: interoperability with the backend. */
#ifndef SYCL_KHR_SPLIT_HEADERS_BACKEND_HPP
#define SYCL_KHR_SPLIT_HEADERS_BACKEND_HPP

#include "../../backend.hpp"
#include "version.hpp"

#endif

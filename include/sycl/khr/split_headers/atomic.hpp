/* sycl_khr_split_headers: atomic_ref, atomic and fences. */
#ifndef SYCL_KHR_SPLIT_HEADERS_ATOMIC_HPP
#define SYCL_KHR_SPLIT_HEADERS_ATOMIC_HPP

#include "../../atomic.hpp"
#include "../../atomic_ref.hpp"
#include "../../group_functions.hpp"
#include "version.hpp"

#endif

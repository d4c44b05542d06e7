/* sycl_khr_split_headers: relational functions (4.17.9). */
#ifndef SYCL_KHR_SPLIT_HEADERS_BUILTINS_RELATIONAL_HPP
#define SYCL_KHR_SPLIT_HEADERS_BUILTINS_RELATIONAL_HPP

#include "../../relational.hpp"
#include "version.hpp"

#endif

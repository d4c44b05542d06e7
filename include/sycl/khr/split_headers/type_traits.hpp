/* sycl_khr_split_headers: type traits. */
#ifndef SYCL_KHR_SPLIT_HEADERS_TYPE_TRAITS_HPP
#define SYCL_KHR_SPLIT_HEADERS_TYPE_TRAITS_HPP

#include "../../bit_cast.hpp"
#include "../../functional.hpp"
#include "../../group_functions.hpp"
#include "../../info.hpp"
#include "../../multi_ptr.hpp"
#include "../../property.hpp"
#include "version.hpp"

#endif

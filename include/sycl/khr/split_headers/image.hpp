/* sycl_khr_split_headers: images and their accessors. */
#ifndef SYCL_KHR_SPLIT_HEADERS_IMAGE_HPP
#define SYCL_KHR_SPLIT_HEADERS_IMAGE_HPP

#include "../../image.hpp"
#include "../../image_accessor.hpp"
#include "version.hpp"

#endif

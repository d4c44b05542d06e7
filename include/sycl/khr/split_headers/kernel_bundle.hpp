/* sycl_khr_split_headers: kernels, bundles, specialization constants (4.11). */
#ifndef SYCL_KHR_SPLIT_HEADERS_KERNEL_BUNDLE_HPP
#define SYCL_KHR_SPLIT_HEADERS_KERNEL_BUNDLE_HPP

#include "../../kernel.hpp"
#include "../../kernel_bundle.hpp"
#include "../../specialization.hpp"
#include "version.hpp"

#endif

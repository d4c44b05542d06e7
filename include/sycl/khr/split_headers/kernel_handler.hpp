/* sycl_khr_split_headers: kernel_handler. */
#ifndef SYCL_KHR_SPLIT_HEADERS_KERNEL_HANDLER_HPP
#define SYCL_KHR_SPLIT_HEADERS_KERNEL_HANDLER_HPP

#include "../../specialization.hpp"
#include "version.hpp"

#endif

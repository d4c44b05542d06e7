/* SYCL 2020 for C++17 on maniple's engine: group functions and what a program needs around them.
 * docs/sycl.md says what is here. */
#ifndef SYCL_SYCL_HPP
#define SYCL_SYCL_HPP

#define SYCL_LANGUAGE_VERSION 202012L
#define SYCL_MANIPLE          1
#define SYCL_EXTERNAL         /* kernels that call functions of other files run on fibres */

/* [[sycl::reqd_work_group_size]] and the like: for compilers that do not know them. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored_attributes "sycl::"
#endif

#include <cassert> /* programs expect these two: other implementations bring them along */
#include <iostream>

#include "access.hpp"
#include "accessor.hpp"
#include "atomic.hpp"
#include "atomic_ref.hpp"
#include "bit_cast.hpp"
#include "buffer.hpp"
#include "device.hpp"
#include "event.hpp"
#include "exception.hpp"
#include "functional.hpp"
#include "group.hpp"
#include "group_algorithms.hpp"
#include "group_functions.hpp"
#include "half.hpp"
#include "handler.hpp"
#include "hierarchical.hpp"
#include "image.hpp"
#include "image_accessor.hpp"
#include "info.hpp"
#include "item.hpp"
#include "kernel.hpp"
#include "kernel_bundle.hpp"
#include "kernel_properties.hpp"
#include "local_accessor.hpp"
#include "marray.hpp"
#include "math.hpp"
#include "math_second.hpp"
#include "multi_ptr.hpp"
#include "property.hpp"
#include "queue.hpp"
#include "range_id.hpp"
#include "reduction.hpp"
#include "relational.hpp"
#include "span.hpp"
#include "specialization.hpp"
#include "stream.hpp"
#include "usm.hpp"
#include "vec.hpp"

#include "ext/oneapi/experimental/enqueue_functions.hpp"
#include "ext/oneapi/experimental/group_load_store.hpp"
#include "ext/oneapi/experimental/group_sort.hpp"
#include "ext/oneapi/experimental/non_uniform_groups.hpp"
#include "ext/oneapi/experimental/printf.hpp"
#include "ext/oneapi/experimental/root_group.hpp"
#include "ext/oneapi/experimental/user_defined_reductions.hpp"
#include "ext/oneapi/experimental/work_group_memory.hpp"
#include "ext/oneapi/experimental/work_group_static.hpp"
#include "ext/oneapi/group_local_memory.hpp"
#include "ext/oneapi/sub_group_mask.hpp"
#include "khr/dynamic_addrspace_cast.hpp"
#include "khr/free_function_commands.hpp"
#include "khr/group_interface.hpp"
#include "khr/max_work_group_queries.hpp"
#include "khr/static_addrspace_cast.hpp"
#include "khr/version.hpp"

#endif

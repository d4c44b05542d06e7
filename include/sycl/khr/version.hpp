/* Macros (SYCL 2020, 5.6): of the language, and of the extensions that are there, whole. */
#ifndef SYCL_KHR_VERSION_HPP
#define SYCL_KHR_VERSION_HPP

#define SYCL_LANGUAGE_VERSION 202012L
#define SYCL_MANIPLE          1
#define SYCL_FEATURE_SET_FULL 1
#define SYCL_BACKEND_MANIPLE  1
#ifdef __MANIPLE__
#define __SYCL_SINGLE_SOURCE__ 1
#endif

/* Kernels that call functions of other files run on fibres.  The mark is for the compiler
 * (src/compiler/records/kernel_variables.c). */
#ifdef __MANIPLE_GROUP_STATICS__
#define SYCL_EXTERNAL __attribute__((annotate("maniple.external")))
#else
#define SYCL_EXTERNAL
#endif

/* [[sycl::reqd_work_group_size]] and the like: for compilers that do not know them. */
#if defined(__clang__)
#pragma clang diagnostic ignored "-Wunknown-attributes"
#elif defined(__GNUC__)
#pragma GCC diagnostic ignored_attributes "sycl::"
#endif

#define SYCL_KHR_DEFAULT_CONTEXT        1
#define SYCL_KHR_DYNAMIC_ADDRSPACE_CAST 1
#define SYCL_KHR_FREE_FUNCTION_COMMANDS 1
#define SYCL_KHR_GROUP_INTERFACE        1
#define SYCL_KHR_MAX_WORK_GROUP_QUERIES 1
#define SYCL_KHR_QUEUE_EMPTY_QUERY      1
#define SYCL_KHR_QUEUE_FLUSH            1
#define SYCL_KHR_SPLIT_HEADERS          1
#define SYCL_KHR_STATIC_ADDRSPACE_CAST  1
#define SYCL_KHR_WORK_ITEM_QUERIES      1

#define SYCL_EXT_INTEL_DEVICE_INFO                  6
#define SYCL_EXT_INTEL_LEGACY_IMAGE                 1
#define SYCL_EXT_INTEL_QUEUE_IMMEDIATE_COMMAND_LIST 1

#define SYCL_EXT_ONEAPI_BFLOAT16              1
#define SYCL_EXT_ONEAPI_CURRENT_DEVICE        1
#define SYCL_EXT_ONEAPI_DISCARD_QUEUE_EVENTS  1
#define SYCL_EXT_ONEAPI_DOT_ACCUMULATE        1
#define SYCL_EXT_ONEAPI_ENQUEUE_BARRIER       1
#define SYCL_EXT_ONEAPI_ENQUEUE_FUNCTIONS     1
#define SYCL_EXT_ONEAPI_FREE_FUNCTION_QUERIES 1
#define SYCL_EXT_ONEAPI_GRAPH                 2
#define SYCL_EXT_ONEAPI_GROUP_LOAD_STORE      1
#define SYCL_EXT_ONEAPI_GROUP_SORT            2
#define SYCL_EXT_ONEAPI_KERNEL_PROPERTIES     1
#define SYCL_EXT_ONEAPI_LAUNCH_QUERIES        1
#define SYCL_EXT_ONEAPI_MAX_WORK_GROUP_QUERY  1
#define SYCL_EXT_ONEAPI_NON_UNIFORM_GROUPS    1
#define SYCL_EXT_ONEAPI_NUM_COMPUTE_UNITS     1
#define SYCL_EXT_ONEAPI_PEER_ACCESS           1
#define SYCL_EXT_ONEAPI_PROPERTIES            1
#define SYCL_EXT_ONEAPI_QUEUE_EMPTY           1
#define SYCL_EXT_ONEAPI_QUEUE_PRIORITY        1
#define SYCL_EXT_ONEAPI_ROOT_GROUP            1
#define SYCL_EXT_ONEAPI_SUB_GROUP_MASK        1
#define SYCL_EXT_ONEAPI_TANGLE                1
#define SYCL_EXT_ONEAPI_WORK_GROUP_MEMORY     1

#ifndef __MANIPLE_CUDA__ /* what GPUs lack */
#define SYCL_EXT_ONEAPI_MEMCPY2D    1
#define SYCL_EXT_ONEAPI_VIRTUAL_MEM 1
#endif

#ifdef __MANIPLE_GROUP_STATICS__ /* what only maniple's compiler can do */
#define SYCL_EXT_ONEAPI_DEVICE_GLOBAL     1
#define SYCL_EXT_ONEAPI_LOCAL_MEMORY      2
#define SYCL_EXT_ONEAPI_WORK_GROUP_STATIC 1
#endif

#define SYCL_EXT_ONEAPI_BFLOAT16_MATH_FUNCTIONS 1
#define SYCL_EXT_ONEAPI_CUDA_TEX_CACHE_READ     1
#define SYCL_EXT_ONEAPI_USER_DEFINED_REDUCTIONS 1

#endif

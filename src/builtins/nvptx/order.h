/* The order of memory accesses on a GPU, by fences: LLVM 19 has no atomics with an order for it, and
 * makes relaxed ones of some without a word.  What the shared sources call builtins of clang's
 * becomes a relaxed one between fences here.  A fence of the device is enough for every scope: what
 * host and kernel do at the same time has no order without SVM's atomics, which are not offered. */
#ifndef MPL_NVPTX_ORDER_H
#define MPL_NVPTX_ORDER_H

#include "sync.h"

static __attribute__((always_inline, unused)) void fence_for(memory_order order) {
  if (order == memory_order_seq_cst)
    __asm__ volatile("fence.sc.gpu;" ::: "memory");
  else if (order != memory_order_relaxed)
    __asm__ volatile("fence.acq_rel.gpu;" ::: "memory");
}
static __attribute__((always_inline, unused)) void fence_before(memory_order order) {
  if (order != memory_order_acquire) fence_for(order);
}
static __attribute__((always_inline, unused)) void fence_after(memory_order order) {
  if (order == memory_order_acquire || order == memory_order_acq_rel ||
      order == memory_order_seq_cst)
    fence_for(memory_order_acq_rel);
}

#define BETWEEN(order, operation) \
  __extension__({ \
    fence_before(order); \
    __auto_type result = operation; \
    fence_after(order); \
    result; \
  })
#define __opencl_atomic_store(p, x, order, scope) \
  do { \
    fence_before(order); \
    __opencl_atomic_store(p, x, memory_order_relaxed, scope); \
  } while (0)
#define __opencl_atomic_load(p, order, scope) \
  BETWEEN(order, __opencl_atomic_load(p, memory_order_relaxed, scope))
#define __opencl_atomic_exchange(p, x, order, scope) \
  BETWEEN(order, __opencl_atomic_exchange(p, x, memory_order_relaxed, scope))
#define __opencl_atomic_fetch_add(p, x, order, scope) \
  BETWEEN(order, __opencl_atomic_fetch_add(p, x, memory_order_relaxed, scope))
#define __opencl_atomic_fetch_sub(p, x, order, scope) \
  BETWEEN(order, __opencl_atomic_fetch_sub(p, x, memory_order_relaxed, scope))
#define __opencl_atomic_fetch_min(p, x, order, scope) \
  BETWEEN(order, __opencl_atomic_fetch_min(p, x, memory_order_relaxed, scope))
#define __opencl_atomic_fetch_max(p, x, order, scope) \
  BETWEEN(order, __opencl_atomic_fetch_max(p, x, memory_order_relaxed, scope))
#define __opencl_atomic_fetch_and(p, x, order, scope) \
  BETWEEN(order, __opencl_atomic_fetch_and(p, x, memory_order_relaxed, scope))
#define __opencl_atomic_fetch_or(p, x, order, scope) \
  BETWEEN(order, __opencl_atomic_fetch_or(p, x, memory_order_relaxed, scope))
#define __opencl_atomic_fetch_xor(p, x, order, scope) \
  BETWEEN(order, __opencl_atomic_fetch_xor(p, x, memory_order_relaxed, scope))
/* The order of success is at least that of failure. */
#define __opencl_atomic_compare_exchange_strong(p, expected, x, success, failure, scope) \
  BETWEEN(success, \
          __opencl_atomic_compare_exchange_strong(p, expected, x, memory_order_relaxed, \
                                                  memory_order_relaxed, scope))
#define __opencl_atomic_compare_exchange_weak(p, expected, x, success, failure, scope) \
  BETWEEN(success, \
          __opencl_atomic_compare_exchange_weak(p, expected, x, memory_order_relaxed, \
                                                memory_order_relaxed, scope))
#define __c11_atomic_thread_fence(order) fence_for(order)

#endif

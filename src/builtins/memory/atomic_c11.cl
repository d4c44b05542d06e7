/* Atomic functions in the manner of C11 (OpenCL C 3.0, 6.15.12), and fences.  The processor keeps
 * all threads coherent, so a scope makes no difference. */
#include "value.h"

#define DEVICE memory_scope_device
/* The ends of the _explicit forms' parameters. */
#define EACH_ORDER(X, ...) \
  X(__VA_ARGS__, memory_order order) X(__VA_ARGS__, memory_order order, memory_scope scope)
#define EACH_TWO_ORDERS(X, ...) \
  X(__VA_ARGS__, memory_order success, memory_order failure) \
  X(__VA_ARGS__, memory_order success, memory_order failure, memory_scope scope)

#define OBJECTS(space, T) \
  MPL_WRITES void atomic_init(volatile space atomic_##T *p, T value) { \
    __opencl_atomic_init(p, value); \
  } \
  MPL_WRITES void atomic_store(volatile space atomic_##T *p, T value) { \
    __opencl_atomic_store(p, value, memory_order_seq_cst, DEVICE); \
  } \
  MPL_WRITES T atomic_load(volatile space atomic_##T *p) { \
    return __opencl_atomic_load(p, memory_order_seq_cst, DEVICE); \
  } \
  MPL_WRITES T atomic_exchange(volatile space atomic_##T *p, T value) { \
    return __opencl_atomic_exchange(p, value, memory_order_seq_cst, DEVICE); \
  } \
  EACH_ORDER(EXPLICIT, space, T) \
  EXCHANGES(space, T, private) EXCHANGES(space, T, global) EXCHANGES(space, T, local)
#define EXPLICIT(space, T, ...) \
  MPL_WRITES void atomic_store_explicit(volatile space atomic_##T *p, T value, __VA_ARGS__) { \
    __opencl_atomic_store(p, value, order, DEVICE); \
  } \
  MPL_WRITES T atomic_load_explicit(volatile space atomic_##T *p, __VA_ARGS__) { \
    return __opencl_atomic_load(p, order, DEVICE); \
  } \
  MPL_WRITES T atomic_exchange_explicit(volatile space atomic_##T *p, T value, __VA_ARGS__) { \
    return __opencl_atomic_exchange(p, value, order, DEVICE); \
  }

/* The expected value may lie in any address space. */
#define EXCHANGES(space, T, other) EXCHANGE(space, T, other, strong) EXCHANGE(space, T, other, weak)
#define EXCHANGE(space, T, other, kind) \
  MPL_WRITES bool atomic_compare_exchange_##kind(volatile space atomic_##T *p, other T *expected, \
                                                 T desired) { \
    return __opencl_atomic_compare_exchange_##kind(p, expected, desired, memory_order_seq_cst, \
                                                   memory_order_seq_cst, DEVICE); \
  } \
  EACH_TWO_ORDERS(EXCHANGE_EXPLICIT, space, T, other, kind)
#define EXCHANGE_EXPLICIT(space, T, other, kind, ...) \
  MPL_WRITES bool atomic_compare_exchange_##kind##_explicit( \
    volatile space atomic_##T *p, other T *expected, T desired, __VA_ARGS__) { \
    return __opencl_atomic_compare_exchange_##kind(p, expected, desired, success, failure, DEVICE); \
  }

/* V: the operand's type; for the integers that hold pointers it is ptrdiff_t. */
#define FETCH(space, T, V, op) \
  MPL_WRITES T atomic_fetch_##op(volatile space atomic_##T *p, V value) { \
    return __opencl_atomic_fetch_##op(p, (T)value, memory_order_seq_cst, DEVICE); \
  } \
  EACH_ORDER(FETCH_EXPLICIT, space, T, V, op)
#define FETCH_EXPLICIT(space, T, V, op, ...) \
  MPL_WRITES T atomic_fetch_##op##_explicit(volatile space atomic_##T *p, V value, __VA_ARGS__) { \
    return __opencl_atomic_fetch_##op(p, (T)value, order, DEVICE); \
  }
#define FETCHES(space, T) \
  FETCH(space, T, T, add) FETCH(space, T, T, sub) FETCH(space, T, T, or) FETCH(space, T, T, xor) \
  FETCH(space, T, T, and) FETCH(space, T, T, min) FETCH(space, T, T, max)
/* cl_ext_float_atomics; minima are those of fmin. */
#define FLOAT_FETCHES(space, T) \
  FETCH(space, T, T, add) FETCH(space, T, T, sub) FETCH(space, T, T, min) FETCH(space, T, T, max)
#define POINTER_FETCHES(space) \
  FETCH(space, ulong, long, add) FETCH(space, ulong, long, sub)

#define FLAGS(space, ...) \
  MPL_WRITES bool atomic_flag_test_and_set(volatile space atomic_flag *p) { \
    return __opencl_atomic_exchange(p, 1, memory_order_seq_cst, DEVICE); \
  } \
  MPL_WRITES void atomic_flag_clear(volatile space atomic_flag *p) { \
    __opencl_atomic_store(p, 0, memory_order_seq_cst, DEVICE); \
  } \
  EACH_ORDER(FLAGS_EXPLICIT, space)
#define FLAGS_EXPLICIT(space, ...) \
  MPL_WRITES bool atomic_flag_test_and_set_explicit(volatile space atomic_flag *p, __VA_ARGS__) { \
    return __opencl_atomic_exchange(p, 1, order, DEVICE); \
  } \
  MPL_WRITES void atomic_flag_clear_explicit(volatile space atomic_flag *p, __VA_ARGS__) { \
    __opencl_atomic_store(p, 0, order, DEVICE); \
  }

#define SPACE(space) \
  OBJECTS(space, int) OBJECTS(space, uint) OBJECTS(space, long) OBJECTS(space, ulong) \
  OBJECTS(space, float) OBJECTS(space, double) FETCHES(space, int) FETCHES(space, uint) \
  FETCHES(space, long) FETCHES(space, ulong) FLOAT_FETCHES(space, float) FLOAT_FETCHES(space, double) POINTER_FETCHES(space) FLAGS(space)
SPACE(global) SPACE(local) SPACE(generic)
EXCHANGES(generic, int, generic) EXCHANGES(generic, uint, generic) EXCHANGES(generic, long, generic)
EXCHANGES(generic, ulong, generic) EXCHANGES(generic, float, generic)
EXCHANGES(generic, double, generic)

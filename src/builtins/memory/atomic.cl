/* The atomic functions of OpenCL C 1.x (OpenCL C 3.0, 6.15.12.8, and cl_khr_int64_*_atomics): on
 * plain integers, relaxed. */
#include "value.h"

/* The operations work on unsigned integers where the sign does not matter. */
#define EXCHANGE(name, space, T, I) \
  MPL_WRITES T name##_xchg(volatile space T *p, T value) { \
    I was = __scoped_atomic_exchange_n((space I *)p, __builtin_astype(value, I), \
                                       __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM); \
    return __builtin_astype(was, T); \
  }
#define FETCH(name, space, T, op) \
  MPL_WRITES T name##_##op(volatile space T *p, T value) { \
    return __scoped_atomic_fetch_##op((space T *)p, value, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM); \
  }
#define STEP(name, space, T, step, op) \
  MPL_WRITES T name##_##step(volatile space T *p) { \
    return __scoped_atomic_fetch_##op((space T *)p, (T)1, __ATOMIC_RELAXED, __MEMORY_SCOPE_SYSTEM); \
  }
#define ATOMICS(name, space, T) \
  EXCHANGE(name, space, T, T) \
  FETCH(name, space, T, add) FETCH(name, space, T, sub) FETCH(name, space, T, min) \
  FETCH(name, space, T, max) FETCH(name, space, T, and) FETCH(name, space, T, or) \
  FETCH(name, space, T, xor) STEP(name, space, T, inc, add) STEP(name, space, T, dec, sub) \
  MPL_WRITES T name##_cmpxchg(volatile space T *p, T expected, T value) { \
    __opencl_atomic_compare_exchange_strong((volatile space atomic_##T *)p, &expected, value, \
                                            memory_order_relaxed, memory_order_relaxed, \
                                            memory_scope_device); \
    return expected; \
  }
#define SPACES(name, T) ATOMICS(name, global, T) ATOMICS(name, local, T)
SPACES(atomic, int) SPACES(atomic, uint)
SPACES(atom, int) SPACES(atom, uint) SPACES(atom, long) SPACES(atom, ulong)
EXCHANGE(atomic, global, float, uint)
EXCHANGE(atomic, local, float, uint)

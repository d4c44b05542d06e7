/* libmaniple_accesses.a: linked with programs whose kernels' accesses to memory are to be watched.
 *
 * Such a program is compiled with -fsanitize=thread, by any compiler that has it, and linked
 * without.  The functions that the compiler calls at each access are here, in place of
 * ThreadSanitizer's run time, and report to the checking engine.  The names and parameters are
 * those of compiler-rt's tsan_interface.h and tsan_interface_atomic.h.
 *
 * Outside of kernels they do only what the program asked for. */
#include <stdbool.h>
#include <stdint.h>

#include "check/memory/told_accesses.h"

#define CALLED __builtin_return_address(0)
#define PUBLIC __attribute__((visibility("default")))

enum {
  READ = MPL_ACCESS_READ,
  WRITE = MPL_ACCESS_WRITE,
  ATOMIC = MPL_ACCESS_ATOMIC,
  VOLATILE = MPL_ACCESS_ATOMIC | MPL_ACCESS_VOLATILE /* so far as that is known: mpl_told_volatile */
};

PUBLIC void __tsan_init(void);
void __tsan_init(void) {
  mpl_told_begin();
}

PUBLIC void __tsan_func_entry(void *caller);
void __tsan_func_entry(void *caller) {
  mpl_told_enter(caller);
}
PUBLIC void __tsan_func_exit(void);
void __tsan_func_exit(void) {
  mpl_told_leave();
}

/* What ThreadSanitizer keeps books of, and we need not. */
#define NOTHING(name, ...)                                                                         \
  PUBLIC void name(__VA_ARGS__);                                                                   \
  void name(__VA_ARGS__) {}
NOTHING(__tsan_vptr_update, void **at, void *value)
NOTHING(__tsan_vptr_read, void **at)
NOTHING(__tsan_ignore_thread_begin, void)
NOTHING(__tsan_ignore_thread_end, void)
NOTHING(__tsan_atomic_signal_fence, int order)

/* --- Plain accesses --- */

#define ACCESS(name, bytes, flags)                                                                 \
  PUBLIC void name(void *address);                                                                 \
  void name(void *address) {                                                                       \
    mpl_told_access(address, bytes, flags, CALLED);                                             \
  }
#define ACCESSES(n)                                                                                \
  ACCESS(__tsan_read##n, n, READ)                                                                  \
  ACCESS(__tsan_write##n, n, WRITE)                                                                \
  ACCESS(__tsan_read_write##n, n, READ | WRITE)                                                    \
  ACCESS(__tsan_unaligned_read##n, n, READ)                                                        \
  ACCESS(__tsan_unaligned_write##n, n, WRITE)                                                      \
  ACCESS(__tsan_unaligned_read_write##n, n, READ | WRITE)                                          \
  ACCESS(__tsan_volatile_read##n, n, READ | VOLATILE)                                              \
  ACCESS(__tsan_volatile_write##n, n, WRITE | VOLATILE)                                            \
  ACCESS(__tsan_unaligned_volatile_read##n, n, READ | VOLATILE)                                    \
  ACCESS(__tsan_unaligned_volatile_write##n, n, WRITE | VOLATILE)
ACCESSES(1)
ACCESSES(2)
ACCESSES(4)
ACCESSES(8)
ACCESSES(16)

#define RANGE(name, flags)                                                                         \
  PUBLIC void name(void *address, uintptr_t size);                                                 \
  void name(void *address, uintptr_t size) {                                                       \
    mpl_told_access(address, size, flags, CALLED);                                              \
  }
RANGE(__tsan_read_range, READ | MPL_ACCESS_UNUSED) /* structures, which may have holes */
RANGE(__tsan_write_range, WRITE)

/* --- Atomics.  Orders: C11's numbers, whatever enum the compiler has for them --- */

static uint32_t order_flags(int order) {
  switch (order) {
  case __ATOMIC_CONSUME:
  case __ATOMIC_ACQUIRE:
    return MPL_ACCESS_ACQUIRE;
  case __ATOMIC_RELEASE:
    return MPL_ACCESS_RELEASE;
  case __ATOMIC_ACQ_REL:
  case __ATOMIC_SEQ_CST:
    return MPL_ACCESS_ACQUIRE | MPL_ACCESS_RELEASE;
  default:
    return 0;
  }
}

#define TELL(T, accesses)                                                                          \
  mpl_told_access((const void *)address, sizeof(T), (accesses) | ATOMIC | order_flags(order),   \
                     CALLED)

#define FETCH(bits, T, operation, builtin)                                                         \
  PUBLIC T __tsan_atomic##bits##_##operation(volatile T *address, T value, int order);             \
  T __tsan_atomic##bits##_##operation(volatile T *address, T value, int order) {                   \
    TELL(T, READ | WRITE);                                                                         \
    return builtin(address, value, __ATOMIC_SEQ_CST);                                              \
  }
/* One that fails only reads. */
#define EXCHANGE(bits, T, strength, weak)                                                          \
  PUBLIC int __tsan_atomic##bits##_compare_exchange_##strength(volatile T *address, T *expected,   \
                                                               T desired, int order, int failure); \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile T *address, T *expected,          \
                                                        T desired, int order, int failure) {       \
    TELL(T, READ);                                                                                 \
    bool done = __atomic_compare_exchange_n(address, expected, desired, weak, __ATOMIC_SEQ_CST,    \
                                            __ATOMIC_SEQ_CST);                                     \
    if (done) TELL(T, WRITE);                                                                      \
    return done;                                                                                   \
  }
#define ATOMICS(bits, T)                                                                           \
  PUBLIC T __tsan_atomic##bits##_load(const volatile T *address, int order);                       \
  T __tsan_atomic##bits##_load(const volatile T *address, int order) {                             \
    TELL(T, READ);                                                                                 \
    return __atomic_load_n(address, __ATOMIC_SEQ_CST);                                             \
  }                                                                                                \
  PUBLIC void __tsan_atomic##bits##_store(volatile T *address, T value, int order);                \
  void __tsan_atomic##bits##_store(volatile T *address, T value, int order) {                      \
    TELL(T, WRITE);                                                                                \
    __atomic_store_n(address, value, __ATOMIC_SEQ_CST);                                            \
  }                                                                                                \
  PUBLIC T __tsan_atomic##bits##_compare_exchange_val(volatile T *address, T expected, T desired,  \
                                                      int order, int failure);                     \
  T __tsan_atomic##bits##_compare_exchange_val(volatile T *address, T expected, T desired,         \
                                               int order, int failure) {                           \
    TELL(T, READ);                                                                                 \
    if (__atomic_compare_exchange_n(address, &expected, desired, false, __ATOMIC_SEQ_CST,          \
                                    __ATOMIC_SEQ_CST))                                             \
      TELL(T, WRITE);                                                                              \
    return expected;                                                                               \
  }                                                                                                \
  EXCHANGE(bits, T, strong, false)                                                                 \
  EXCHANGE(bits, T, weak, true)                                                                    \
  FETCH(bits, T, exchange, __atomic_exchange_n)                                                    \
  FETCH(bits, T, fetch_add, __atomic_fetch_add)                                                    \
  FETCH(bits, T, fetch_sub, __atomic_fetch_sub)                                                    \
  FETCH(bits, T, fetch_and, __atomic_fetch_and)                                                    \
  FETCH(bits, T, fetch_or, __atomic_fetch_or)                                                      \
  FETCH(bits, T, fetch_xor, __atomic_fetch_xor)                                                    \
  FETCH(bits, T, fetch_nand, __atomic_fetch_nand)
ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

PUBLIC void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order) {
  mpl_told_access(0, 0, order_flags(order), CALLED);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

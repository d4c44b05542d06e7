/* System calls without errno, for processes that share a thread's memory and are not that thread:
 * minus errno is what they return. */
#ifndef MPL_TOOLCHAIN_RAW_CALL_H
#define MPL_TOOLCHAIN_RAW_CALL_H

#if defined(__x86_64__)
static inline __attribute__((always_inline)) long mpl_raw_call(long number, long a, long b, long c,
                                                               long d, long e) {
  register long r10 __asm__("r10") = d;
  register long r8 __asm__("r8") = e;
  long result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8)
                   : "rcx", "r11", "memory");
  return result;
}

/* clone() with a stack for the child, on which it calls run(argument), which does not return. */
static inline __attribute__((always_inline)) long
mpl_raw_clone(long number, unsigned long flags, void *stack, void (*run)(void *), void *argument) {
  register long r10 __asm__("r10") = 0;
  register long r8 __asm__("r8") = 0;
  register void *r12 __asm__("r12") = (void *)run;
  register void *r13 __asm__("r13") = argument;
  long result;
  __asm__ volatile("syscall\n\t"
                   "test %%rax, %%rax\n\t"
                   "jnz 1f\n\t"
                   "xor %%ebp, %%ebp\n\t"
                   "mov %%r13, %%rdi\n\t"
                   "call *%%r12\n\t"
                   "ud2\n"
                   "1:"
                   : "=a"(result)
                   : "a"(number), "D"(flags), "S"(stack), "d"(0L), "r"(r10), "r"(r8), "r"(r12),
                     "r"(r13)
                   : "rcx", "r11", "memory", "cc");
  return result;
}
#elif defined(__aarch64__)
static inline __attribute__((always_inline)) long mpl_raw_call(long number, long a, long b, long c,
                                                               long d, long e) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = a;
  register long x1 __asm__("x1") = b;
  register long x2 __asm__("x2") = c;
  register long x3 __asm__("x3") = d;
  register long x4 __asm__("x4") = e;
  __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4) : "memory");
  return x0;
}

static inline __attribute__((always_inline)) long
mpl_raw_clone(long number, unsigned long flags, void *stack, void (*run)(void *), void *argument) {
  register long x8 __asm__("x8") = number;
  register long x0 __asm__("x0") = (long)flags;
  register void *x1 __asm__("x1") = stack;
  register long x2 __asm__("x2") = 0;
  register long x3 __asm__("x3") = 0;
  register long x4 __asm__("x4") = 0;
  register void *x19 __asm__("x19") = (void *)run;
  register void *x20 __asm__("x20") = argument;
  __asm__ volatile("svc #0\n\t"
                   "cbnz x0, 1f\n\t"
                   "mov x29, #0\n\t"
                   "mov x0, x20\n\t"
                   "blr x19\n\t"
                   "brk #1\n"
                   "1:"
                   : "+r"(x0)
                   : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x19), "r"(x20)
                   : "memory", "cc");
  return x0;
}
#else
#error "no system calls are known for this processor"
#endif

#endif

/* The level of the x86-64 architecture (x86-64 psABI, 3.1.1) that this processor has. */
#ifndef MPL_X86_64_LEVEL_H
#define MPL_X86_64_LEVEL_H

#ifdef __x86_64__
/* 1 to 4. */
static inline unsigned mpl_x86_64_level(void) {
#define HAS __builtin_cpu_supports
  if (!HAS("sse4.2") || !HAS("ssse3") || !HAS("popcnt")) return 1;
  if (!HAS("avx2") || !HAS("bmi") || !HAS("bmi2") || !HAS("fma")) return 2;
  if (!HAS("avx512f") || !HAS("avx512bw") || !HAS("avx512cd") || !HAS("avx512dq") ||
      !HAS("avx512vl"))
    return 3;
  return 4;
#undef HAS
}
#else
static inline unsigned mpl_x86_64_level(void) {
  return 4;
}
#endif

#endif

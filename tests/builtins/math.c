/* Math functions against long double: math HALF|FLOAT|DOUBLE WIDTH (0, 1, 2). */
#define _GNU_SOURCE /* exp10l, lgammal_r */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/evaluate.h"

enum { COUNT = 48 * 256 }; /* a multiple of every width */
#define PI 3.14159265358979323846264338327950288L

static const struct format *format;
static int width;
static cl_program program;
static double a[COUNT], b[COUNT], c[COUNT], out[COUNT], second[COUNT]; /* of the widest type */
static int numbers[COUNT];

/* x = whole + part, |part| <= 1/2. */
static long double sine_of_part(long double part) {
  return sinl(part * PI);
}
static bool odd(long double x) {
  return fabsl(fmodl(rintl(x), 2)) == 1;
}
static long double exact_sinpi(long double x) {
  if (!isfinite(x)) return NAN;
  return odd(x) ? -sine_of_part(x - rintl(x)) : sine_of_part(x - rintl(x));
}
static long double exact_cospi(long double x) {
  if (!isfinite(x)) return NAN;
  long double cosine = sine_of_part(0.5L - fabsl(x - rintl(x)));
  return odd(x) ? -cosine : cosine;
}
static long double exact_tanpi(long double x) {
  if (!isfinite(x)) return NAN;
  long double part = x - rintl(x);
  return sine_of_part(part) / sine_of_part(0.5L - fabsl(part));
}
static long double exact_maxmag(long double x, long double y) {
  return fabsl(x) > fabsl(y) ? x : fabsl(y) > fabsl(x) ? y : fmaxl(x, y);
}
static long double exact_minmag(long double x, long double y) {
  return fabsl(x) < fabsl(y) ? x : fabsl(y) < fabsl(x) ? y : fminl(x, y);
}
static long double exact_powr(long double x, long double y) {
  if (isnan(x) || isnan(y) || x < 0) return NAN;
  if ((x == 0 || isinf(x)) && y == 0) return NAN;
  if (x == 1 && isinf(y)) return NAN;
  return powl(fabsl(x), y);
}
static long double exact_powi(long double x, int n) {
  return powl(x, n);
}
static long double exact_rootn(long double x, int n) {
  if (n == 0 || (x < 0 && n % 2 == 0)) return NAN;
  long double root = powl(fabsl(x), 1.0L / n);
  return n % 2 ? copysignl(root, x) : root;
}
static long double fused(long double x, long double y, long double z) {
  return fmal(x, y, z);
}
static long double exact_fract(long double x) {
  return isinf(x) ? 0 : x == 0 ? x : x - floorl(x);
}

/* The low 7 bits of what remainder() divides by. */
static int quotient(long double x, long double y) {
  if (!isfinite(x) || isnan(y) || y == 0) return 0;
  if (isinf(y)) return 0;
  long double size = fmodl(fabsl(x), 128 * fabsl(y)); /* 128 y is exact, and even */
  long double whole = (size - remainderl(size, y)) / fabsl(y);
  int low = (int)whole & 127;
  return signbit(x) == signbit(y) ? low : -low;
}

static void compare(const char *name, size_t i, const void *values, long double exact, double limit,
                    double *worst) {
  long double got = get(format, values, i);
  double off = ulps_off(format, got, exact);
  if (isinf(get(format, a, i)) && isinf(get(format, b, i)) && limit > 0.5 &&
      rounded(format, exact, 0) == exact)
    limit = 0.5; /* edge cases are told exactly (OpenCL C 3.0, 7.5.1) */
  if (off > *worst) *worst = off;
  if (off <= limit + 0.001 || (isinf(limit) && !isnan(off))) return;
  wrong("%s %s%s: f(%La, %La, %La, %d) is %La, not %La: off by %g, allowed %g", format->name,
        width > 1 ? "vector " : "", name, get(format, a, i), get(format, b, i), get(format, c, i),
        numbers[i], got, exact, off, limit);
}

static void run(const char *prefix, const char *name, struct call *call) {
  char kernel[64];
  snprintf(kernel, sizeof kernel, "%s_%s", prefix, name);
  unsigned scale = strcmp(prefix, "vector") ? 1 : (unsigned)width;
  struct call scaled = *call;
  scaled.items = COUNT / scale;
  scaled.out_size *= scale;
  scaled.second_size *= scale;
  for (int i = 0; i < 4; i++) scaled.in[i].size *= scale;
  memset(out, 0, sizeof out);
  evaluate(program, kernel, &scaled);
}

static void fill_operands(const char *name, double low, double high) {
  uint64_t seed = (unsigned char)name[0] * 131u + (unsigned char)name[1];
  fill(format, a, COUNT, seed, low, high);
  fill(format, b, COUNT, seed + 1, low, high);
  fill(format, c, COUNT, seed + 2, low, high);
  for (size_t i = 0; i < 64; i++) { /* the smallest numbers, whose quotients are ordinary ones */
    int exponent = format->min_exponent - format->digits + 1;
    put(format, a, i, ldexpl((long double)(i % 8 + 1), exponent));
    put(format, b, i, ldexpl((long double)(i / 8 + 1), exponent) * (i & 1 ? -1 : 1));
  }
  for (size_t i = 0; i < COUNT; i++) {
    uint64_t bits = random_next(&seed);
    numbers[i] = bits & 3 ? (int)(bits >> 8) % 40 : (int)(bits >> 32);
  }
}

#define SIZE format->size
#define CHECK(reference, ulp)                                                                      \
  for (size_t i = 0; i < COUNT; i++) {                                                             \
    long double x = get(format, a, i), y = get(format, b, i), z = get(format, c, i), whole = 0;    \
    int n = numbers[i];                                                                            \
    (void)y, (void)z, (void)n, (void)whole;                                                        \
    compare(name, i, out, reference, ulp, &worst);                                                 \
  }
#define BOTH(reference, ulp, ...)                                                                  \
  static const char *const prefixes[] = {"scalar", "vector"};                                      \
  double worst = 0;                                                                                \
  for (int form = 0; form < 2; form++) {                                                           \
    run(prefixes[form], name, &(struct call){.out_size = SIZE, .out = out, __VA_ARGS__});          \
    CHECK(reference, ulp)                                                                          \
  }                                                                                                \
  printf("%-10s %6.2f of %g\n", name, worst, (double)(ulp));

#define MATH_1(f, reference, ulp, low, high)                                                       \
  static void test_##f(const char *name) {                                                         \
    fill_operands(name, low, high);                                                                \
    BOTH(reference, ulp, .in = {{a, SIZE}})                                                        \
  }
#define MATH_2(f, reference, ulp, low, high)                                                       \
  static void test_##f(const char *name) {                                                         \
    fill_operands(name, low, high);                                                                \
    BOTH(reference, ulp, .in = {{a, SIZE}, {b, SIZE}})                                             \
  }
#define MATH_3(f, reference, ulp, low, high)                                                       \
  static void test_##f(const char *name) {                                                         \
    fill_operands(name, low, high);                                                                \
    BOTH(reference, ulp, .in = {{a, SIZE}, {b, SIZE}, {c, SIZE}})                                  \
  }
#define MATH_INT(f, reference, ulp, low, high)                                                     \
  static void test_##f(const char *name) {                                                         \
    fill_operands(name, low, high);                                                                \
    BOTH(reference, ulp, .in = {{a, SIZE}, {numbers, sizeof *numbers}})                            \
  }

/* The second result: an int exactly, a T within the same limit. */
static void compare_second(const char *name, size_t i, bool is_int, long double exact, double ulp,
                           double *worst) {
  if (!is_int)
    compare(name, i, second, exact, ulp, worst);
  else if (((int *)second)[i] != (int)exact)
    wrong("%s %s: second result of %La is %d, not %d", format->name, name, get(format, a, i),
          ((int *)second)[i], (int)exact);
}
#define IS_INT_T   false
#define IS_INT_int true
#define SECOND(reference, ulp, U, other, ...)                                                      \
  BOTH(reference, ulp, .second = second, .second_size = IS_INT_##U ? 4 : SIZE, .in = __VA_ARGS__)  \
  for (size_t i = 0; i < COUNT; i++) {                                                             \
    long double x = get(format, a, i), y = get(format, b, i), whole = 0, first;                    \
    int n = 0;                                                                                     \
    first = reference;                                                                             \
    (void)y, (void)n, (void)whole, (void)first;                                                    \
    compare_second(name, i, IS_INT_##U, other, ulp, &worst);                                       \
  }
#define MATH_OUT(f, reference, ulp, U, other, low, high)                                           \
  static void test_##f(const char *name) {                                                         \
    fill_operands(name, low, high);                                                                \
    SECOND(reference, ulp, U, other, {{a, SIZE}})                                                  \
  }
#define MATH_OUT_2(f, reference, ulp, U, other, low, high)                                         \
  static void test_##f(const char *name) {                                                         \
    fill_operands(name, low, high);                                                                \
    SECOND(reference, ulp, U, other, {{a, SIZE}, {b, SIZE}})                                       \
  }
#include "builtins/math.def"

static const struct {
  const char *name;
  void (*test)(const char *name);
} tests[] = {
#undef MATH_1
#undef MATH_2
#undef MATH_3
#undef MATH_INT
#undef MATH_OUT
#undef MATH_OUT_2
#define MATH_1(f, ...)     {#f, test_##f},
#define MATH_2(f, ...)     {#f, test_##f},
#define MATH_3(f, ...)     {#f, test_##f},
#define MATH_INT(f, ...)   {#f, test_##f},
#define MATH_OUT(f, ...)   {#f, test_##f},
#define MATH_OUT_2(f, ...) {#f, test_##f},
#include "builtins/math.def"
};

int main(int argc, char **argv) {
  if (argc < 3) die("usage: math half|float|double WIDTH [FUNCTION]");
  for (int f = 0; f < 3; f++)
    if (!strcmp(argv[1], formats[f].name)) format = &formats[f];
  if (!format) die("%s is no type", argv[1]);
  width = atoi(argv[2]);
  bool fast = format == &formats[FLOAT];
  char options[128];
  snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s -DN=%d%s", format->name, width,
           fast ? " -cl-fp32-correctly-rounded-divide-sqrt" : " -DMATH_FULL_ONLY");
  program = build_file("math.cl", options);
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    if (!fast && !strncmp(tests[i].name, "half_", 5)) continue;
    if (argc == 3 || !strcmp(argv[3], tests[i].name)) tests[i].test(tests[i].name);
  }
  return verdict();
}

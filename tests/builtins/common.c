/* Common functions against long double, of NaN, infinities and zeros too: common WIDTH. */
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
static double operands[3][COUNT], out[COUNT]; /* of the widest type */

static bool is_moderate(long double x) {
  return fabsl(x) < 64;
}

/* The number next to x on y's side (C, nextafter), by the formats' places. */
static long double following(long double x, long double y) {
  long double largest = ldexpl(2 - ldexpl(1, 1 - format->digits), format->max_exponent);
  if (isnan(x) || isnan(y)) return NAN;
  if (x == y) return y;
  if (isinf(x)) return copysignl(largest, x);
  int exponent = x == 0 ? format->min_exponent : ilogbl(x);
  bool inwards = x != 0 && (y > x) != (x > 0);
  long double whole = ldexpl(1, exponent);
  if (inwards && fabsl(x) == whole) exponent--;
  if (exponent < format->min_exponent) exponent = format->min_exponent;
  long double step = ldexpl(1, exponent - format->digits + 1), next = x + (y > x ? step : -step);
  return fabsl(next) > largest ? copysignl(INFINITY, next) : next;
}

static long double smooth(long double low, long double high, long double x) {
  long double t = fminl(fmaxl((x - low) / (high - low), 0), 1);
  return t * t * (3 - 2 * t);
}

/* The operand in a form: of its own, or the first of its vector. */
enum { V, S };
static long double operand(int which, int form, size_t i) {
  return get(format, operands[which], form == S ? i / (size_t)width * (size_t)width : i);
}

static void compare(const char *kernel, size_t i, const long double in[3], long double exact,
                    double tolerance) {
  long double got = get(format, out, i), size = 1;
  for (int k = 0; k < 3; k++)
    if (is_moderate(in[k]) && fabsl(in[k]) > size) size = fabsl(in[k]);
  long double place = ldexpl(size, 1 - format->digits);
  exact = tolerance == 0 ? exact : rounded(format, exact, 0);
  bool same = isnan(exact) ? isnan(got) : got == exact;
  bool near = tolerance > 0 && (fabsl(got - exact) <= tolerance * place ||
                                ulps_off(format, got, exact) <= tolerance);
  if (!same && !near)
    wrong("%s %s(%La, %La, %La) is %La, not %La", format->name, kernel, in[0], in[1], in[2], got,
          exact);
}

typedef long double reference(long double x, long double y, long double z);
typedef bool where(long double x, long double y, long double z);

static void test(const char *name, int count, const int forms[3], reference *exact,
                 where *is_defined, double tolerance) {
  static const char *const prefixes[] = {"scalar", "vector", "mixed"};
  for (int kind = 0; kind < (count == 1 ? 2 : 3); kind++) {
    char kernel[64];
    unsigned scale = kind ? (unsigned)width : 1, size = scale * format->size;
    struct call call = {.items = COUNT / scale, .out_size = size, .out = out};
    for (int k = 0; k < count; k++) call.in[k].data = operands[k], call.in[k].size = size;
    snprintf(kernel, sizeof kernel, "%s_%s", prefixes[kind], name);
    evaluate(program, kernel, &call);
    for (size_t i = 0; i < COUNT; i++) {
      long double in[3];
      for (int k = 0; k < 3; k++) in[k] = operand(k, kind == 2 ? forms[k] : V, i);
      if (!is_defined(in[0], in[1], in[2])) continue;
      long double expected = exact(in[0], in[1], in[2]);
      compare(kernel, i, in, expected, tolerance);
      if (count == 1 && expected == 0 && in[0] == 0 &&
          signbit(in[0]) != signbit(get(format, out, i)) && strncmp(name, "clamp", 5) &&
          strncmp(name, "smooth", 6))
        wrong("%s %s(%La) has lost the sign", format->name, kernel, in[0]);
    }
  }
}

#define REFERENCE(f, expression, condition)                                                        \
  static long double exact_##f(long double x, long double y, long double z) {                      \
    return (void)x, (void)y, (void)z, (expression);                                                \
  }                                                                                                \
  static bool where_##f(long double x, long double y, long double z) {                             \
    return (void)x, (void)y, (void)z, (condition);                                                 \
  }
#define COMMON_1(f, expression, tolerance)                     REFERENCE(f, expression, true)
#define COMMON_2(f, P, Q, expression, tolerance, condition)    REFERENCE(f, expression, condition)
#define COMMON_3(f, P, Q, R, expression, tolerance, condition) REFERENCE(f, expression, condition)
#include "builtins/common.def"
#undef COMMON_1
#undef COMMON_2
#undef COMMON_3

static void test_all(void) {
#define COMMON_1(f, expression, tolerance)                                                         \
  test(#f, 1, (const int[]){V, V, V}, exact_##f, where_##f, tolerance);
#define COMMON_2(f, P, Q, expression, tolerance, condition)                                        \
  test(#f, 2, (const int[]){P, Q, V}, exact_##f, where_##f, tolerance);
#define COMMON_3(f, P, Q, R, expression, tolerance, condition)                                     \
  test(#f, 3, (const int[]){P, Q, R}, exact_##f, where_##f, tolerance);
#include "builtins/common.def"
}

int main(int argc, char **argv) {
  if (argc < 2) die("usage: common WIDTH");
  width = atoi(argv[1]);
  for (int f = 0; f < 3; f++) {
    char options[64];
    format = &formats[f];
    for (int k = 0; k < 3; k++)
      fill(format, operands[k], COUNT, 7 + (uint64_t)k, k == 2 ? 0 : -4, k + 1);
    for (size_t i = 0; i < COUNT; i += 5) /* bounds in order, equal operands */
      memcpy((char *)operands[1] + i * format->size, (char *)operands[i % 2 * 2] + i * format->size,
             format->size);
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s -DN=%d", format->name, width);
    program = build_file("common.cl", options);
    test_all();
    CL(clReleaseProgram(program));
  }
  return verdict();
}

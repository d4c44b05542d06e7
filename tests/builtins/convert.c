/* Conversions between all types, in all modes, against long double, which holds every operand
 * exactly: convert WIDTH [TYPE ...], the types of what is converted. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/evaluate.h"

enum { COUNT = 48 * 40 };
static const struct type {
  const char *name;
  unsigned size;
  int kind; /* 0 unsigned, 1 signed, 2 floating point */
} types[] = {{"char", 1, 1}, {"uchar", 1, 0}, {"short", 2, 1}, {"ushort", 2, 0},
             {"int", 4, 1},  {"uint", 4, 0},  {"long", 8, 1},  {"ulong", 8, 0},
             {"half", 2, 2}, {"float", 4, 2}, {"double", 8, 2}};
enum { TYPES = 11, INTEGERS = 8 };

static uint64_t in[COUNT], out[COUNT];
static int width;

static const struct format *format_of(const struct type *t) {
  return &formats[t - types - INTEGERS];
}

static long double value(const struct type *t, const void *values, size_t i) {
  if (t->kind == 2) return get(format_of(t), values, i);
  uint64_t x = 0;
  memcpy(&x, (const char *)values + i * t->size, t->size);
  if (!t->kind) return x;
  return (int64_t)(x << (64 - 8 * t->size)) >> (64 - 8 * t->size);
}

static long double lowest(const struct type *t) {
  return t->kind ? -ldexpl(1, (int)t->size * 8 - 1) : 0;
}
static long double highest(const struct type *t) {
  return ldexpl(1, (int)t->size * 8 - t->kind) - 1;
}

static long double round_to_integer(long double x, int mode) {
  return mode == RTE ? rintl(x) : mode == RTP ? ceill(x) : mode == RTN ? floorl(x) : truncl(x);
}

/* False where the result is not defined. */
static bool convert(const struct type *d, long double x, int mode, bool saturate,
                    long double *exact) {
  if (d->kind == 2) {
    *exact = rounded(format_of(d), x, mode);
    return true;
  }
  if (isnan(x)) return *exact = 0, saturate;
  x = round_to_integer(x, mode);
  bool fits = x >= lowest(d) && x <= highest(d);
  *exact = fits ? x : x < lowest(d) ? lowest(d) : highest(d);
  return fits || saturate;
}

static bool same(const struct type *t, long double a, long double b) {
  return (isnan(a) && isnan(b)) || (a == b && (t->kind != 2 || !signbit(a) == !signbit(b)));
}

static void test(cl_program program, const struct type *d, const struct type *s, int mode,
                 bool saturate) {
  for (int form = 0; form < 2; form++) {
    char kernel[64];
    unsigned scale = form ? (unsigned)width : 1;
    snprintf(kernel, sizeof kernel, "%s%s%s_%s", d->name, saturate ? "_sat" : "", mode_names[mode],
             form ? "vector" : "scalar");
    evaluate(program, kernel,
             &(struct call){.items = COUNT / scale,
                            .out_size = d->size * scale,
                            .out = out,
                            .in = {{in, s->size * scale}}});
    for (size_t i = 0; i < COUNT; i++) {
      long double x = value(s, in, i), got = value(d, out, i), exact;
      if (convert(d, x, mode, saturate, &exact) && !same(d, got, exact))
        wrong("%s from %s: %La becomes %La, not %La", kernel, s->name, x, got, exact);
    }
  }
}

static void fill_operands(const struct type *s, uint64_t seed) {
  if (s->kind == 2) {
    fill(format_of(s), in, COUNT, seed, -300, 300);
    /* Around the limits of the integers. */
    for (size_t i = 0; i < COUNT; i += 3) {
      uint64_t bits = random_next(&seed);
      long double x = ldexpl((long double)(int)(bits >> 60) - 8, -2) + ldexpl(1, (int)(bits % 66));
      put(format_of(s), in, i, bits >> 32 & 1 ? -x : x);
    }
    return;
  }
  for (size_t i = 0; i < COUNT; i++) {
    uint64_t x = random_next(&seed), kind = random_next(&seed);
    if (kind % 4 < 2) x = ((uint64_t)1 << x % 64) + (x >> 58) - 32;
    if (kind % 4 == 0) x = -x;
    memcpy((char *)in + i * s->size, &x, s->size);
  }
}

static bool is_named(const struct type *t, char **names) {
  for (; *names; names++)
    if (!strcmp(t->name, *names)) return true;
  return false;
}

int main(int argc, char **argv) {
  if (argc < 2) die("usage: convert WIDTH [TYPE ...]");
  width = atoi(argv[1]);
  for (const struct type *s = types; s < types + TYPES; s++) {
    char options[96];
    if (argc > 2 && !is_named(s, argv + 2)) continue;
    fill_operands(s, 7);
    for (int to_integers = 0; to_integers < 2; to_integers++) {
      snprintf(options, sizeof options, "-cl-std=CL3.0 -cl-opt-disable -DS=%s -DN=%d%s", s->name,
               width, to_integers ? " -DTO_INTEGERS" : "");
      cl_program program = build_file("convert.cl", options);
      for (const struct type *d = types; d < types + TYPES; d++) {
        if ((d->kind != 2) != to_integers) continue;
        for (int mode = 0; mode < MODES; mode++) {
          test(program, d, s, mode, false);
          if (to_integers) test(program, d, s, mode, true);
        }
      }
      CL(clReleaseProgram(program));
    }
  }
  return verdict();
}

/* Relational functions against C, for half, float and double: relational WIDTH. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "builtins/evaluate.h"

enum { COUNT = 48 * 64 };
static const struct format *format;
static int width;
static cl_program program;
static double a[COUNT], b[COUNT]; /* of the widest type */
static int64_t c[COUNT], out[COUNT];

static int64_t integer(const void *values, size_t i) {
  unsigned bits = format->size * 8;
  uint64_t x = 0;
  memcpy(&x, (const char *)values + i * format->size, format->size);
  return (int64_t)(x << (64 - bits)) >> (64 - bits);
}

static void relation(const char *name, int operands, bool (*truth)(long double, long double)) {
  for (int form = 0; form < 2; form++) {
    char kernel[64];
    unsigned scale = form ? (unsigned)width : 1, size = scale * format->size;
    struct call call = {.items = COUNT / scale, .out_size = size, .out = out, .in = {{a, size}}};
    if (operands == 2) {
      call.in[1].data = b;
      call.in[1].size = size;
    }
    snprintf(kernel, sizeof kernel, "%s_%s", form ? "vector" : "scalar", name);
    evaluate(program, kernel, &call);
    for (size_t i = 0; i < COUNT; i++) {
      long double x = get(format, a, i), y = get(format, b, i);
      int64_t expected = truth(x, y) ? (form ? -1 : 1) : 0;
      if (integer(out, i) != expected)
        wrong("%s %s(%La, %La) is %ld", format->name, kernel, x, y, (long)integer(out, i));
    }
  }
}

static int64_t chosen(const char *kernel, int64_t x, int64_t y, int64_t z) {
  if (!strcmp(kernel, "bitselect_vector")) return (x & ~z) | (y & z);
  if (!strcmp(kernel, "select_scalar")) return z ? y : x;
  return z < 0 ? y : x;
}

static void choice(const char *kernel) {
  unsigned scale = strcmp(kernel, "select_scalar") ? (unsigned)width : 1,
           size = scale * format->size;
  evaluate(program, kernel,
           &(struct call){.items = COUNT / scale,
                          .out_size = size,
                          .out = out,
                          .in = {{a, size}, {b, size}, {c, size}}});
  for (size_t i = 0; i < COUNT; i++) {
    int64_t x = integer(a, i), y = integer(b, i), z = integer(c, i);
    if (integer(out, i) != chosen(kernel, x, y, z))
      wrong("%s %s(%lx, %lx, %lx) is %lx", format->name, kernel, (long)x, (long)y, (long)z,
            (long)integer(out, i));
  }
}

static void votes(void) {
  evaluate(program, "votes",
           &(struct call){.items = COUNT / (unsigned)width,
                          .out_size = 4,
                          .out = out,
                          .in = {{c, format->size * (unsigned)width}}});
  for (size_t i = 0; i < COUNT / (unsigned)width; i++) {
    int any = 0, all = 1, first = integer(c, i * (unsigned)width) < 0;
    for (size_t j = 0; j < (unsigned)width; j++) {
      bool set = integer(c, i * (unsigned)width + j) < 0;
      any |= set;
      all &= set;
    }
    int got = ((int *)out)[i], expected = any + 2 * all + 4 * first;
    if (got != expected) wrong("%s any, all: %d, not %d", format->name, got, expected);
  }
}

#define RELATION_1(f, expression)                                                                  \
  static bool truth_##f(long double x, long double y) {                                            \
    return (void)y, (expression);                                                                  \
  }
#define RELATION_2(f, expression)                                                                  \
  static bool truth_##f(long double x, long double y) {                                            \
    return (expression);                                                                           \
  }
#include "builtins/relational.def"
#undef RELATION_1
#undef RELATION_2

int main(int argc, char **argv) {
  static const char *const integers[] = {"-DS=short -DU=ushort", "-DS=int -DU=uint",
                                         "-DS=long -DU=ulong"};
  if (argc < 2) die("usage: relational WIDTH");
  width = atoi(argv[1]);
  for (int f = 0; f < 3; f++) {
    char options[96];
    uint64_t seed = 5;
    format = &formats[f];
    fill(format, a, COUNT, 1, -4, 4);
    fill(format, b, COUNT, 2, -4, 4);
    for (size_t i = 0; i < COUNT; i++) {
      if (i % 3 == 0)
        memcpy((char *)b + i * format->size, (char *)a + i * format->size, format->size);
      int64_t x = (int64_t)random_next(&seed) >> (i % 5 ? 0 : 63);
      if (i / 16 % 4 == 0) x = i / 64 % 2 ? x | INT64_MIN : x & INT64_MAX;
      x >>= 64 - 8 * format->size;
      memcpy((char *)c + i * format->size, &x, format->size);
    }
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DT=%s -DN=%d %s", format->name, width,
             integers[f]);
    program = build_file("relational.cl", options);
#define RELATION_1(f, expression) relation(#f, 1, truth_##f);
#define RELATION_2(f, expression) relation(#f, 2, truth_##f);
#include "builtins/relational.def"
    choice("select_signed");
    choice("select_unsigned");
    choice("select_scalar");
    choice("bitselect_vector");
    votes();
    CL(clReleaseProgram(program));
  }
  return verdict();
}
